//! Forgotten passwords: a link is mailed, and with it a new one is chosen.
//!
//! Whether anybody has an address is not told: the answer comes before it is looked up.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::error::{Code, Refusal};
use playout_domain::secret::Secret;
use playout_wire::people::ResetPassword;

use super::sessions::{Whence, hash_of};
use super::{App, AppError};
use crate::chance;
use crate::mail::Mail;

/// How long the link can be used.
const RESET_LASTS: Duration = Duration::from_secs(3600);

impl App {
    /// Mails a link to whoever has this address, if anybody has.
    pub fn forgot_password(self: &Arc<Self>, email: String) -> Result<(), AppError> {
        self.take_mail(&email)?;
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
             The link works once, for an hour. If it was not you, there is nothing to do.\n",
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
        match self.store.is_password_reset(hash_of(token), self.now()).await? {
            true => Ok(()),
            false => Err(unusable().into()),
        }
    }

    /// Gives whoever has the token a new password, and ends all their sessions.
    pub async fn reset_password(&self, request: ResetPassword, from: &Whence) -> Result<(), AppError> {
        let (hash, now) = (hash_of(&request.token), self.now());
        // Hashing is dear, and guesses are cheap.
        self.check_password_reset(&request.token).await?;
        let password_hash = self.hash_password(request.password).await?;
        let address = from.address.map(|address| address.to_string());
        match self
            .store
            .reset_password(hash, &password_hash, address, now)
            .await?
        {
            true => Ok(()),
            false => Err(unusable().into()),
        }
    }

    /// Sends a mail without keeping anybody waiting for it.
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
