//! Signing up, in and out. A session's token is made when it begins, never taken from the client, and only its hash is
//! stored: so a session cannot be fixed beforehand, and what is stored opens none.

use std::net::IpAddr;

use playout_domain::audit::{Actor, ActorKind};
use playout_domain::error::{Code, Refusal};
use playout_domain::id::{SessionId, UserId};
use playout_domain::secret::Secret;
use playout_domain::workspace::{Role, User, Workspace};
use playout_store::{
    FoundSession, NewAccount, NewSession, NewUser, NewWorkspace, SignUp as SignedUp, UpdateUser, UserChanges,
};
use playout_wire::people::{SignIn, SignUp, UpdateMe};
use sha2::{Digest, Sha256};

use super::{App, AppError};
use crate::chance;
use crate::config::SignUpMode;

/// A session that has just begun.
pub struct Begun {
    /// Opens it. Shown this once.
    pub token: Secret,
    /// Whose it is.
    pub user: User,
    /// The workspaces they belong to.
    pub workspaces: Vec<(Workspace, Role)>,
}

impl App {
    /// Takes in a new person, with a workspace of their own or the one that invited them.
    pub async fn sign_up(&self, request: SignUp, from: Option<IpAddr>) -> Result<Begun, AppError> {
        self.may_sign_up(request.invitation.is_some())?;
        let password_hash = self.hash_password(request.password.clone()).await?;
        let now = self.now();
        let (token, session) = self.new_session(from);
        let user = NewUser {
            id: chance::id(now),
            email: request.email.as_str().to_owned(),
            name: request.name.clone(),
            password_hash,
        };
        let actor = user_actor((user.id, &user.email), session.id, from);
        let account = NewAccount {
            workspace: self.first_workspace(&request, user.id),
            user,
            invitation: request.invitation.as_ref().map(hash_of),
            session,
        };
        match self.store.sign_up(account, &actor, now).await? {
            SignedUp::Done(user) => self.begun(token, user).await,
            SignedUp::EmailTaken => Err(email_taken().into()),
            SignedUp::NotInvited => Err(super::invitations::no_invitation().into()),
        }
    }

    /// Begins a session for whoever knows the password. A wrong address and a wrong password are told alike, and take
    /// alike long.
    pub async fn sign_in(&self, request: SignIn, from: Option<IpAddr>) -> Result<Begun, AppError> {
        self.take_from_account(&request.email)?;
        let found = self.store.find_user_by_email(&request.email).await?;
        let (user, hash) = found.map(|found| (found.user, found.password_hash)).unzip();
        let is_right = self.is_password(request.password, hash).await?;
        let Some(user) = user.filter(|_| is_right) else {
            let message = "The address or the password is wrong.";
            return Err(Refusal::new(Code::InvalidCredentials, message).into());
        };
        self.forgive_account(&request.email);
        let (token, session) = self.new_session(from);
        self.store.create_session(&session, user.id, self.now()).await?;
        self.begun(token, user).await
    }

    /// Whose session a token opens.
    pub async fn find_session(&self, token: &Secret) -> Result<FoundSession, AppError> {
        let found = self.store.find_session(hash_of(token), self.now()).await?;
        Ok(found.ok_or_else(invalid_session)?)
    }

    /// Ends the session that a token opens.
    pub async fn sign_out(&self, token: &Secret) -> Result<(), AppError> {
        self.store.delete_session(hash_of(token)).await?;
        Ok(())
    }

    /// Ends all sessions of a person.
    pub async fn sign_out_everywhere(&self, user: UserId) -> Result<(), AppError> {
        self.store.delete_sessions_of(user).await?;
        Ok(())
    }

    /// Changes a person. A new address or password needs the present one, and a new password ends all other sessions.
    pub async fn update_me(&self, session: &FoundSession, request: UpdateMe) -> Result<User, AppError> {
        if let Some(current) = request
            .current_password
            .filter(|_| request.email.is_some() || request.password.is_some())
        {
            self.check_password(&session.user, current).await?;
        }
        let password_hash = match request.password {
            Some(password) => Some(self.hash_password(password).await?),
            None => None,
        };
        let changes = UserChanges {
            name: request.name,
            email: request.email.map(|email| email.as_str().to_owned()),
            password_hash,
        };
        match self
            .store
            .update_user(session.user.id, session.id, &changes)
            .await?
        {
            UpdateUser::Updated(user) => Ok(user),
            UpdateUser::EmailTaken => Err(email_taken().into()),
            UpdateUser::NotFound => Err(invalid_session().into()),
        }
    }

    /// A session in wrong hands must not find out the password either, so these tries are counted too.
    async fn check_password(&self, user: &User, password: Secret) -> Result<(), AppError> {
        self.take_from_account(&user.email)?;
        let found = self.store.find_user(user.id).await?;
        let hash = found.map(|found| found.password_hash);
        if !self.is_password(password, hash).await? {
            let message = "The present password is wrong.";
            return Err(Refusal::new(Code::InvalidCredentials, message).into());
        }
        self.forgive_account(&user.email);
        Ok(())
    }

    fn may_sign_up(&self, is_invited: bool) -> Result<(), Refusal> {
        let message = match self.config.signup {
            SignUpMode::Open => return Ok(()),
            SignUpMode::Invite if is_invited => return Ok(()),
            SignUpMode::Invite => "This service takes only people who were invited.",
            SignUpMode::Closed => "This service takes no new users.",
        };
        Err(Refusal::new(Code::SignupClosed, message))
    }

    /// The workspace somebody asked for; whoever is not invited to one gets one anyway.
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

    fn new_session(&self, from: Option<IpAddr>) -> (Secret, NewSession) {
        let token = Secret::new(hex::encode(chance::bytes::<32>()));
        let session = NewSession {
            id: chance::id(self.now()),
            hash: hash_of(&token),
            address: from.map(|address| address.to_string()),
        };
        (token, session)
    }

    async fn begun(&self, token: Secret, user: User) -> Result<Begun, AppError> {
        let workspaces = self.store.list_workspaces_of(user.id).await?;
        Ok(Begun {
            token,
            user,
            workspaces,
        })
    }
}

/// A person in a session, as the audit trail names them.
pub fn user_actor((id, email): (UserId, &str), session: SessionId, from: Option<IpAddr>) -> Actor {
    Actor {
        kind: ActorKind::User,
        id: Some(id.0),
        name: Some(email.to_owned()),
        session: Some(session),
        address: from.map(|address| address.to_string()),
    }
}

/// What is stored of a token.
pub(super) fn hash_of(token: &Secret) -> [u8; 32] {
    Sha256::digest(token.expose().as_bytes()).into()
}

/// The refusal of a request without a session that goes on.
pub fn invalid_session() -> Refusal {
    Refusal::new(
        Code::InvalidSession,
        "Sign in: there is no session, or it is over.",
    )
}

fn email_taken() -> Refusal {
    Refusal::new(
        Code::EmailTaken,
        "Somebody with this address has signed up already.",
    )
}
