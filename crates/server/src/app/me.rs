//! The signed-in user's own profile: read and changed.

use std::sync::Arc;

use playout_domain::audit::Actor;
use playout_domain::error::{Code, Issue, IssueCode, Refusal};
use playout_domain::secret::Secret;
use playout_domain::workspace::{Role, User, Workspace};
use playout_store::{FoundSession, NewCredentials, Renewal, UpdateUser, UserChanges};
use playout_wire::me::UpdateMe;
use playout_wire::people::repeated_address;

use super::opaque_token::{hash_of, new_token};
use super::passwords::Whose;
use super::refusals::code_required;
use super::second_factor::wrong_code;
use super::sessions::{email_taken, invalid_session};
use super::{App, AppError};

/// What a person sees of themselves.
pub struct Me {
    /// The user.
    pub user: User,
    /// The workspaces they belong to, and as what.
    pub workspaces: Vec<(Workspace, Role)>,
    /// `None` where the second factor is off.
    pub recovery_codes_left: Option<u64>,
    /// The address that becomes theirs once it is verified.
    pub pending_email: Option<String>,
}

impl App {
    /// Changes a person. A new address or password needs the present password and, where there is a second factor, a code;
    /// it ends all other sessions and mailed links, and gives this session the token that is answered. Where mail goes out,
    /// a new address waits until it is verified, and ends them then.
    pub async fn update_me(
        self: &Arc<Self>,
        session: &FoundSession,
        request: UpdateMe,
        by: &Actor,
    ) -> Result<(User, Option<Secret>), AppError> {
        let before = &session.user;
        if let Some(current) = request
            .current_password
            .filter(|_| request.email.is_some() || request.password.is_some())
        {
            self.check_identity(before, by, "currentPassword", current, request.code.as_ref())
                .await?;
        }
        let email = request.email.map(|email| email.as_str().to_owned());
        if let Some(password) = &request.password {
            let address = email.as_deref().unwrap_or(&before.email);
            if let Some(violation) = repeated_address(password, address) {
                return Err(Refusal::invalid(vec![Issue::field("password", violation)]).into());
            }
        }
        let waits = self.config.mailer.is_set_up();
        let (now, later) = match email.clone().filter(|email| *email != before.email) {
            Some(new) if waits => (None, Some(new)),
            new => (new, None),
        };
        if let Some(new) = &later {
            self.take_verification(Some(before.id), new).await?;
        }
        let credentials = self.new_credentials(session, now, request.password).await?;
        let (credentials, token) = credentials.unzip();
        let password_changed = credentials
            .as_ref()
            .is_some_and(|new| new.password_hash.is_some());
        let name = request.name;
        let changes = UserChanges { name, credentials };
        let user = match self
            .store
            .update_user(before.id, &changes, by, self.now())
            .await?
        {
            UpdateUser::Updated(user) => user,
            UpdateUser::EmailTaken => return Err(email_taken().into()),
            UpdateUser::NotFound => return Err(invalid_session().into()),
        };
        // To the address that was theirs so far.
        if password_changed {
            self.tell_of_sign_in(before, "Your password was changed");
        }
        if user.email != before.email {
            self.tell_of_sign_in(before, "Your address was changed");
        }
        match (email, later) {
            (_, Some(new)) => self.ask_for_address(session, new).await?,
            (Some(_), None) => self.store.delete_pending_email(before.id).await?,
            (None, None) => {}
        }
        Ok((user, token))
    }

    async fn new_credentials(
        &self,
        session: &FoundSession,
        email: Option<String>,
        password: Option<Secret>,
    ) -> Result<Option<(NewCredentials, Secret)>, AppError> {
        if email.is_none() && password.is_none() {
            return Ok(None);
        }
        let password_hash = match password {
            Some(password) => Some(
                self.hash_password_of(password, Whose::SignedIn(session.user.id))
                    .await?,
            ),
            None => None,
        };
        let token = new_token();
        let hash = hash_of(&token);
        let new = NewCredentials {
            email,
            password_hash,
            renewal: Renewal {
                session: session.id,
                hash,
            },
        };
        Ok(Some((new, token)))
    }

    /// Asks for the password again and, where there is a second factor, for a code: before what a session in wrong hands
    /// must not do. The refusals are those of signing in.
    pub(super) async fn check_identity(
        &self,
        user: &User,
        by: &Actor,
        field: &'static str,
        password: Secret,
        code: Option<&Secret>,
    ) -> Result<(), AppError> {
        if self.check_password(user, field, password).await? {
            let code = code.ok_or_else(code_required)?;
            self.take_code(user, code, wrong_code(), by).await?;
            self.forgive_session(user.id).await;
        }
        Ok(())
    }

    /// The user of a session, with what they see of their own account.
    pub async fn get_me(&self, user: User) -> Result<Me, AppError> {
        let (store, now) = (&self.store, self.now());
        Ok(Me {
            workspaces: store.list_workspaces_of(user.id).await?,
            recovery_codes_left: store.find_second_factor(user.id).await?,
            pending_email: store
                .find_pending_email(user.id, now)
                .await?
                .map(|(email, _)| email),
            user,
        })
    }

    /// Whether a code is asked for as well, after the right password. A session in wrong hands must not find out the
    /// password either, so these tries are counted too. Where there is a second factor, the password alone sets nothing
    /// back: or it would buy guesses at the code.
    pub(super) async fn check_password(
        &self,
        user: &User,
        field: &'static str,
        password: Secret,
    ) -> Result<bool, AppError> {
        self.take_password_check(user.id).await?;
        self.take_from_session(user.id).await?;
        let found = self.store.find_user(user.id).await?;
        let (hash, is_protected) = found
            .map(|found| (found.password_hash, found.has_second_factor))
            .unzip();
        if !self.is_password(password, hash, Whose::SignedIn(user.id)).await? {
            let issue = Issue::field(field, IssueCode::Incorrect.with("is not your present password"));
            return Err(Refusal::listing(Code::InvalidCredentials, vec![issue]).into());
        }
        if is_protected == Some(false) {
            self.forgive_session(user.id).await;
        }
        Ok(is_protected == Some(true))
    }
}
