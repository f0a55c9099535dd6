//! Signing up, in and out. A session's token is made when it begins, never taken from the client, and only its hash is
//! stored: so a session cannot be fixed beforehand, and what is stored opens none.

use std::net::IpAddr;
use std::sync::Arc;

use playout_domain::audit::{Actor, ActorKind, PersonalAction};
use playout_domain::error::{Code, Refusal};
use playout_domain::id::{SessionId, UserId, WorkspaceId};
use playout_domain::secret::Secret;
use playout_domain::workspace::{Role, User, Workspace};
use playout_store::{
    Credentials, FoundSession, NewAccount, NewSession, NewUser, NewWorkspace, SignUp as SignedUp,
};
use playout_wire::people::{SignIn, SignUp};

use super::opaque_token::{hash_of, new_token};
use super::refusals::code_required;
use super::whence::{KnownDevice, Whence};
use super::{App, AppError};
use crate::chance;

/// A session that has just begun.
pub struct Begun {
    /// Opens it. Shown this once.
    pub token: Secret,
    /// Makes the device known to them.
    pub device: KnownDevice,
    /// Whose it is.
    pub user: User,
    /// The workspaces they belong to.
    pub workspaces: Vec<(Workspace, Role)>,
}

impl App {
    /// Creates a user, with a workspace of their own or the one that invited them.
    ///
    /// That an address is taken cannot be kept from those who sign up, as they would get a session. So only few of these
    /// answers are given to a network address, and the owner gets a mail.
    pub async fn sign_up(self: &Arc<Self>, request: SignUp, from: Whence) -> Result<Begun, AppError> {
        let admission = self.admit(&request, &from).await?;
        self.check_taken_answers(from.address).await?;
        let password_hash = self
            .hash_password_of(request.password.clone(), self.strangers(from.address))
            .await?;
        let now = self.now();
        let address = from.address;
        let (token, session) = self.new_session(from);
        let user = NewUser {
            id: chance::id(now),
            email: request.email.as_str().to_owned(),
            name: request.name.clone(),
            password_hash,
        };
        let actor = user_actor(user.id, &user.email, session.id, address);
        let device = self.new_device(user.id, &user.password_hash);
        let account = NewAccount {
            admission,
            workspace: self.first_workspace(&request, user.id),
            user,
            invitation: request
                .invitation
                .as_ref()
                .map(|token| self.read_invitation_token(token)),
            session,
        };
        match self.store.sign_up(account, &actor, now).await? {
            SignedUp::Done(user) => {
                self.welcome(&user).await?;
                self.begun(token, device, user).await
            }
            SignedUp::EmailTaken => {
                self.note_taken_answer(address).await;
                self.tell_of_wanted_address(request.email.as_str()).await?;
                Err(email_taken().into())
            }
            SignedUp::NotInvited => Err(super::invitations::no_invitation().into()),
            SignedUp::NotAdmitted => Err(super::gate::invitation_required().into()),
        }
    }

    /// Begins a session after the right password and, if the user has a second factor, a code. A wrong address and a
    /// wrong password get the same response, after the same time; the response shows that a code is needed only after
    /// the right password.
    pub async fn sign_in(self: &Arc<Self>, request: SignIn, from: Whence) -> Result<Begun, AppError> {
        let proven = self
            .check_credentials(&request.email, request.password, &from)
            .await?;
        if proven.has_second_factor {
            let code = request.code.ok_or_else(code_required)?;
            self.take_sign_in_code(&proven.user, &code, &from).await?;
        }
        self.begin_session(&proven, from).await
    }

    /// Checks an address and a password, and returns their user. The try is counted.
    pub(super) async fn check_credentials(
        self: &Arc<Self>,
        email: &str,
        password: Secret,
        from: &Whence,
    ) -> Result<Credentials, AppError> {
        let found = self.store.find_user_by_email(email).await?;
        self.take_from_account(email, found.as_ref(), from).await?;
        let hash = found.as_ref().map(|found| found.password_hash.clone());
        let is_right = self
            .is_password(password, hash, self.strangers(from.address))
            .await?;
        if !is_right {
            let user = found.as_ref().map(|found| found.user.id);
            self.note_failed_sign_in(user, PersonalAction::SignInFailed, from);
        }
        Ok(found.filter(|_| is_right).ok_or_else(wrong_credentials)?)
    }

    /// Begins a session for a user whose credentials were checked, and resets their failed tries.
    pub(super) async fn begin_session(&self, proven: &Credentials, from: Whence) -> Result<Begun, AppError> {
        let (token, session) = self.new_session(from.clone());
        if !self.store.create_session(&session, proven, self.now()).await? {
            return Err(wrong_credentials().into());
        }
        self.forgive_account(proven, &from).await;
        let device = self.new_device(proven.user.id, &proven.password_hash);
        self.begun(token, device, proven.user.clone()).await
    }

    /// Whose session a token opens.
    pub async fn find_session(&self, token: &Secret) -> Result<FoundSession, AppError> {
        let found = self.store.find_session(hash_of(token), self.now()).await?;
        Ok(found.ok_or_else(invalid_session)?)
    }

    /// Whether a token opens a session of a member of the workspace.
    pub async fn may_look(&self, workspace: WorkspaceId, token: &Secret) -> Result<bool, AppError> {
        let now = self.now();
        Ok(self.store.may_look(workspace, hash_of(token), now).await?)
    }

    /// Ends the session that a token opens.
    pub async fn sign_out(&self, token: &Secret, by: &Actor) -> Result<(), AppError> {
        self.store.delete_session(hash_of(token), by, self.now()).await?;
        Ok(())
    }

    /// Ends all sessions of a person.
    pub async fn sign_out_everywhere(&self, user: UserId, by: &Actor) -> Result<(), AppError> {
        self.store.delete_sessions_of(user, by, self.now()).await?;
        Ok(())
    }

    /// The workspace that the sign-up asks for; a sign-up without an invitation always gets one.
    fn first_workspace(&self, request: &SignUp, owner: UserId) -> Option<NewWorkspace> {
        let by_itself = || {
            let name = request.name.as_deref().unwrap_or(request.email.local_part());
            let name: String = name.chars().take(80).collect();
            request
                .invitation
                .is_none()
                .then(|| format!("{name}'s workspace"))
        };
        let name = request.workspace_name.clone().or_else(by_itself)?;
        Some(NewWorkspace {
            id: chance::id(self.now()),
            name,
            plan: self.config.default_plan.clone(),
            owner: Some(owner),
        })
    }

    fn new_session(&self, from: Whence) -> (Secret, NewSession) {
        let token = new_token();
        let session = NewSession {
            id: chance::id(self.now()),
            hash: hash_of(&token),
            address: from.address.map(|address| address.to_string()),
            program: from.program,
        };
        (token, session)
    }

    async fn begun(&self, token: Secret, device: KnownDevice, user: User) -> Result<Begun, AppError> {
        let workspaces = self.store.list_workspaces_of(user.id).await?;
        Ok(Begun {
            token,
            device,
            user,
            workspaces,
        })
    }
}

/// A person in a session, as the audit trail names them.
pub fn user_actor(id: UserId, email: &str, session: SessionId, from: Option<IpAddr>) -> Actor {
    Actor {
        kind: ActorKind::User,
        id: Some(id.0),
        name: Some(email.to_owned()),
        session: Some(session),
        address: from.map(|address| address.to_string()),
    }
}

/// The refusal of a request without a session that goes on.
pub fn invalid_session() -> Refusal {
    Refusal::new(
        Code::InvalidSession,
        "Sign in: there is no session, or it is over.",
    )
}

fn wrong_credentials() -> Refusal {
    let message = "The address or the password is wrong.";
    Refusal::new(Code::InvalidCredentials, message)
}

pub(super) fn email_taken() -> Refusal {
    Refusal::new(
        Code::EmailTaken,
        "Somebody with this address has signed up already.",
    )
}
