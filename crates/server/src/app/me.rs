//! What people change of themselves.

use std::sync::Arc;

use playout_domain::audit::Actor;
use playout_domain::error::{Code, Issue, Refusal};
use playout_domain::secret::Secret;
use playout_domain::workspace::User;
use playout_store::{FoundSession, NewPassword, Renewal, UpdateUser, UserChanges};
use playout_wire::me::UpdateMe;

use super::sessions::{email_taken, hash_of, invalid_session, new_token};
use super::{App, AppError};

impl App {
    /// Changes a person. A new address or password needs the present one. A new password ends all other sessions, and
    /// gives this one the token that is answered.
    pub async fn update_me(
        self: &Arc<Self>,
        session: &FoundSession,
        request: UpdateMe,
        by: &Actor,
    ) -> Result<(User, Option<Secret>), AppError> {
        if let Some(current) = request
            .current_password
            .filter(|_| request.email.is_some() || request.password.is_some())
        {
            self.check_password(&session.user, ("currentPassword", current))
                .await?;
        }
        let (password, token) = match request.password {
            Some(password) => {
                let (password, token) = self.renew_password(session, password).await?;
                (Some(password), Some(token))
            }
            None => (None, None),
        };
        let changes = UserChanges {
            name: request.name,
            email: request.email.map(|email| email.as_str().to_owned()),
            password,
        };
        match self
            .store
            .update_user(session.user.id, &changes, by, self.now())
            .await?
        {
            UpdateUser::Updated(user) => {
                // To the address that was theirs so far.
                if token.is_some() {
                    self.tell_of_sign_in(&session.user, "Your password was changed");
                } else if user.email != session.user.email {
                    self.tell_of_sign_in(&session.user, "Your address was changed");
                }
                Ok((user, token))
            }
            UpdateUser::EmailTaken => Err(email_taken().into()),
            UpdateUser::NotFound => Err(invalid_session().into()),
        }
    }

    async fn renew_password(
        &self,
        session: &FoundSession,
        password: Secret,
    ) -> Result<(NewPassword, Secret), AppError> {
        let (hash, token) = (self.hash_password(password).await?, new_token());
        let renewal = Renewal {
            session: session.id,
            hash: hash_of(&token),
        };
        Ok((NewPassword { hash, renewal }, token))
    }

    /// A session in wrong hands must not find out the password either, so these tries are counted too. Where there is a
    /// second factor, the password alone sets nothing back: or it would buy guesses at the code.
    pub(super) async fn check_password(
        &self,
        user: &User,
        (field, password): (&'static str, Secret),
    ) -> Result<(), AppError> {
        self.take_from_account(&user.email)?;
        let found = self.store.find_user(user.id).await?;
        let (hash, is_protected) = found
            .map(|found| (found.password_hash, found.has_second_factor))
            .unzip();
        if !self.is_password(password, hash).await? {
            let issue = Issue::field(field, "is not your present password");
            return Err(Refusal::listing(Code::InvalidCredentials, vec![issue]).into());
        }
        if is_protected == Some(false) {
            self.forgive_account(&user.email);
        }
        Ok(())
    }
}
