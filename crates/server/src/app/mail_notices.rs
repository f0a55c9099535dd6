//! Unrequested mails: notices to people about their accounts and workspaces.
//!
//! A person can cause as many events as they like, so notices go only to addresses that were verified, and each address gets
//! a limited number of them, counted in the database. Links that verify an address or reset a password are not notices; they
//! have limits of their own (`throttle.rs`).

use std::sync::{Arc, LazyLock};

use playout_domain::rate::Rate;
use playout_domain::workspace::User;
use playout_store::{Allowance, Allowed};

use super::{App, AppError};
use crate::mail::Mail;

/// Ten notices an hour to one address, of whatever kind.
static ALL: LazyLock<Rate> = LazyLock::new(|| {
    "10/3600s;burst=10"
        .parse()
        .expect("a valid rate, as a test checks")
});

/// Five of them may be about other things than the security of the account, so that five are left for those.
static OTHERS: LazyLock<Rate> =
    LazyLock::new(|| "5/3600s;burst=5".parse().expect("a valid rate, as a test checks"));

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// The security of the account.
    Security,
    /// Anything else.
    Other,
}

impl App {
    /// Sends a notice to a person without keeping the caller waiting, unless their address was never verified or has
    /// received too many; the log has those that are not sent. `mail` goes to the address of `user`.
    pub(super) fn notify(self: &Arc<Self>, user: &User, about: About, mail: Mail) {
        if !self.config.mailer.is_set_up() {
            return self.mail_later(mail);
        }
        let (id, subject) = (user.id, mail.subject.clone());
        if !user.email_verified {
            tracing::info!("the notice {subject:?} to user {id} is not sent: the address was never verified");
            return;
        }
        let app = Arc::clone(self);
        tokio::spawn(async move {
            match app.may_notify(&mail.to, about).await {
                Ok(true) => app.mail_later(mail),
                Ok(false) => {
                    tracing::warn!("the notice {subject:?} to user {id} is not sent: too many an hour")
                }
                Err(error) => tracing::error!("could not count the notice {subject:?} to user {id}: {error}"),
            }
        });
    }

    /// Counts a notice to this address, if it may be sent.
    async fn may_notify(&self, email: &str, about: About) -> Result<bool, AppError> {
        let taken = async |kind: &str, rate: Rate| {
            let notices = Allowed {
                kind,
                subject: email.as_bytes(),
                rate,
            };
            let taken = self.store.take_allowance(notices, self.now()).await?;
            Ok::<_, AppError>(taken == Allowance::Taken)
        };
        if about == About::Other && !taken("other notices to", *OTHERS).await? {
            return Ok(false);
        }
        taken("notices to", *ALL).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gets_ten_notices_an_hour_of_which_five_are_for_security_alone() {
        assert_eq!((ALL.burst(), ALL.window_seconds(), ALL.quota()), (10, 3600, 10));
        assert_eq!(
            (OTHERS.burst(), OTHERS.window_seconds(), OTHERS.quota()),
            (5, 3600, 5)
        );
    }
}
