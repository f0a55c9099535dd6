//! Forgotten passwords: a link is mailed, and with it a new one is chosen.
//!
//! The response does not reveal whether an address has an account: it is sent before the lookup.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::error::{Code, Issue, Refusal};
use playout_domain::secret::Secret;
use playout_wire::people::{ResetPassword, repeated_address};

use super::opaque_token::hash_of;
use super::whence::{KnownDevice, Whence};
use super::{App, AppError};
use crate::chance;
use crate::mail::Mail;

/// How long the link can be used.
const RESET_LASTS: Duration = Duration::from_secs(3600);

impl App {
    /// Mails a link to the user with this address, if there is one.
    pub async fn forgot_password(self: &Arc<Self>, email: String) -> Result<(), AppError> {
        self.take_mail(&email).await?;
        let app = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(error) = app.mail_reset(&email).await {
                tracing::error!("could not prepare the reset of a password: {error}");
            }
        });
        Ok(())
    }

    async fn mail_reset(self: &Arc<Self>, email: &str) -> Result<(), AppError> {
        let Some(found) = self.store.find_user_by_email(email).await? else {
            return Ok(());
        };
        let token = Secret::new(hex::encode(chance::bytes::<32>()));
        let now = self.now();
        self.store
            .create_password_reset(found.user.id, hash_of(&token), now.plus(RESET_LASTS), now)
            .await?;
        let text = format!(
            "Somebody, probably you, wants to choose a new password for Playout.\n\n{}/reset-password?token={}\n\n\
             The link works once, for an hour, or until a newer mail of this kind is sent. \
             If it was not you, there is nothing to do.\n",
            self.config.base_url,
            token.expose()
        );
        self.mail_later(Mail {
            to: found.user.email,
            subject: "Choose a new password".to_owned(),
            text,
        });
        Ok(())
    }

    /// Whether the token of a mail can still be used.
    pub async fn check_password_reset(&self, token: &Secret) -> Result<(), AppError> {
        let found = self.store.find_password_reset(hash_of(token), self.now()).await?;
        Ok(found.map(drop).ok_or_else(unusable)?)
    }

    /// Sets a new password for the user of the token, ends all their sessions, and notifies them by mail. The device of
    /// this request is a known device from then on: the marks of the others became invalid with the old password.
    pub async fn reset_password(
        self: &Arc<Self>,
        request: ResetPassword,
        from: &Whence,
    ) -> Result<KnownDevice, AppError> {
        let (hash, now) = (hash_of(&request.token), self.now());
        // Hashing is dear, and guesses are cheap.
        let email = self
            .store
            .find_password_reset(hash, now)
            .await?
            .ok_or_else(unusable)?;
        if let Some(violation) = repeated_address(&request.password, &email) {
            return Err(Refusal::invalid(vec![Issue::field("password", violation)]).into());
        }
        let password_hash = self
            .hash_password_of(request.password, self.strangers(from.address))
            .await?;
        let address = from.address.map(|address| address.to_string());
        let reset = self
            .store
            .reset_password(hash, &password_hash, address, now)
            .await?;
        let reset = reset.ok_or_else(unusable)?;
        for workspace in reset.workspaces {
            self.forget_keys_of(workspace);
        }
        self.tell_of_sign_in(&reset.user, "Your password was changed");
        Ok(self.new_device(reset.user.id, &password_hash))
    }

    /// Sends a mail in a task of its own, so that the caller does not wait for it.
    pub fn mail_later(self: &Arc<Self>, mail: Mail) {
        let app = Arc::clone(self);
        tokio::spawn(async move {
            let subject = mail.subject.clone();
            if let Err(error) = app.config.mailer.send(mail, app.now()).await {
                tracing::error!("the mail {subject:?} did not go out: {error}");
            }
        });
    }
}

fn unusable() -> Refusal {
    Refusal::new(
        Code::NotFound,
        "This link was used before, or is over. Ask for another.",
    )
}
