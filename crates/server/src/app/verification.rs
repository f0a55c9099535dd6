//! Addresses are verified by a link that is mailed to them: at signing up, and before a user's address changes. Where no
//! mail is sent, nothing is verified, and an address changes at once.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use playout_domain::audit::Actor;
use playout_domain::error::{Code, Refusal};
use playout_domain::id::{SessionId, UserId};
use playout_domain::rate::Rate;
use playout_domain::secret::Secret;
use playout_domain::workspace::User;
use playout_store::{Allowance, Allowed, FoundSession, NewVerification, VerifyEmail};

use super::opaque_token::{hash_of, new_token};
use super::refusals::too_many;
use super::sessions::email_taken;
use super::{App, AppError};
use crate::mail::Mail;

/// Twenty such mails a day for each requesting user.
static PER_PERSON: LazyLock<Rate> = LazyLock::new(|| {
    "20/86400s;burst=20"
        .parse()
        .expect("a valid rate, as a test checks")
});

/// How long the link can be used.
const VERIFICATION_LASTS: Duration = Duration::from_secs(24 * 3600);

impl App {
    /// Rejects a user whose address must be verified before they invite people or authorize programs.
    pub(super) async fn require_verified(&self, actor: &Actor) -> Result<(), AppError> {
        let Some(id) = actor.id.filter(|_| self.config.require_verified_email) else {
            return Ok(());
        };
        match self.store.find_user(UserId(id)).await? {
            Some(found) if !found.user.email_verified => Err(not_verified().into()),
            _ => Ok(()),
        }
    }

    /// Mails the first link to a new user, unless their invitation has proven the address.
    pub(super) async fn welcome(self: &Arc<Self>, user: &User) -> Result<(), AppError> {
        if user.email_verified || !self.may_mail(Some(user.id), &user.email).await? {
            return Ok(());
        }
        self.mail_verification(user, user.email.clone(), None).await
    }

    /// Mails the link again: to the address that is to become theirs, else to the one they have. A verified one needs none.
    pub async fn send_verification(self: &Arc<Self>, user: &User) -> Result<(), AppError> {
        if !self.config.mailer.is_set_up() {
            let message = "This service sends no mail, so no address is verified.";
            return Err(Refusal::new(Code::NotFound, message).into());
        }
        match self.store.find_pending_email(user.id, self.now()).await? {
            Some((email, session)) => {
                self.take_verification(Some(user.id), &email).await?;
                self.mail_new_address(user, email, session).await
            }
            None if user.email_verified => Ok(()),
            None => {
                self.take_verification(Some(user.id), &user.email).await?;
                self.mail_verification(user, user.email.clone(), None).await
            }
        }
    }

    /// Begins to change a user's address, and notifies the present one. The mail must have been counted.
    pub(super) async fn ask_for_address(
        self: &Arc<Self>,
        session: &FoundSession,
        email: String,
    ) -> Result<(), AppError> {
        let user = &session.user;
        self.tell_of_sign_in(user, "Another address was asked for");
        self.mail_new_address(user, email, Some(session.id)).await
    }

    /// Uses a link up. The previous address, if it was another, is notified.
    pub async fn verify_email(self: &Arc<Self>, token: &Secret) -> Result<User, AppError> {
        match self.store.verify_email(hash_of(token), self.now()).await? {
            VerifyEmail::Verified { user, before } => {
                if let Some(before) = before {
                    self.tell_of_sign_in(&before, "Your address was changed");
                }
                Ok(user)
            }
            VerifyEmail::EmailTaken => Err(email_taken().into()),
            VerifyEmail::NotFound => Err(unusable().into()),
        }
    }

    /// Notifies the owner of an address that another caller asked for it, within the limits of other mails.
    pub(super) async fn tell_of_wanted_address(self: &Arc<Self>, email: &str) -> Result<(), AppError> {
        if self.may_mail(None, email).await? {
            self.mail_taken(email.to_owned());
        }
        Ok(())
    }

    /// Counts a mail that verifies an address: for the address, apart from the links for a forgotten password, and for the
    /// user who asked for it, or a session could have mails sent to any number of addresses.
    pub(super) async fn take_verification(&self, by: Option<UserId>, email: &str) -> Result<(), AppError> {
        if let Some(user) = by {
            let asked = Allowed {
                kind: "verifications asked by",
                subject: user.0.as_bytes(),
                rate: *PER_PERSON,
            };
            if let Allowance::UsedUp(wait) = self.store.take_allowance(asked, self.now()).await? {
                return Err(too_many("You have asked for too many of these mails.", wait).into());
            }
        }
        self.take_mail(&format!("verification of {email}")).await
    }

    /// Whether a mail that another request causes may be sent; counts it.
    async fn may_mail(&self, by: Option<UserId>, email: &str) -> Result<bool, AppError> {
        if !self.config.mailer.is_set_up() {
            return Ok(false);
        }
        match self.take_verification(by, email).await {
            Ok(()) => Ok(true),
            Err(AppError::Refused(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Mails the link, or a notice to the owner where the address is taken: the response does not show which.
    async fn mail_new_address(
        self: &Arc<Self>,
        user: &User,
        email: String,
        session: Option<SessionId>,
    ) -> Result<(), AppError> {
        let is_taken = self.store.find_user_by_email(&email).await?.is_some();
        let token = self.new_verification(user.id, &email, session).await?;
        match is_taken {
            true => self.mail_taken(email),
            false => self.mail_link(email, &token),
        }
        Ok(())
    }

    async fn mail_verification(
        self: &Arc<Self>,
        user: &User,
        email: String,
        session: Option<SessionId>,
    ) -> Result<(), AppError> {
        let token = self.new_verification(user.id, &email, session).await?;
        self.mail_link(email, &token);
        Ok(())
    }

    async fn new_verification(
        &self,
        user: UserId,
        email: &str,
        session: Option<SessionId>,
    ) -> Result<Secret, AppError> {
        let (token, now) = (new_token(), self.now());
        let new = NewVerification {
            hash: hash_of(&token),
            user,
            email: email.to_owned(),
            session,
            expires_at: now.plus(VERIFICATION_LASTS),
        };
        self.store.create_verification(&new, now).await?;
        Ok(token)
    }

    fn mail_link(self: &Arc<Self>, to: String, token: &Secret) {
        let text = format!(
            "Somebody, probably you, uses this address for Playout. Confirm that it is yours:\n\n\
             {}/verify-email?token={}\n\n\
             The link works once, for a day, or until a newer mail of this kind is sent. If it was not you, do not open it: \
             the address stays unconfirmed.\n",
            self.config.base_url,
            token.expose()
        );
        let subject = "Confirm your address".to_owned();
        self.mail_later(Mail { to, subject, text });
    }

    fn mail_taken(self: &Arc<Self>, to: String) {
        let text = format!(
            "Somebody, perhaps you, wanted to use this address for Playout. You have an account with it already.\n\n\
             Sign in: {0}/sign-in\nIf you forgot the password: {0}/forgot-password\n\n\
             If it was not you, there is nothing to do.\n",
            self.config.base_url
        );
        let subject = "You have an account already".to_owned();
        self.mail_later(Mail { to, subject, text });
    }
}

fn not_verified() -> Refusal {
    let message = "Confirm your address first, with the link that was mailed to it.";
    Refusal::new(Code::EmailNotVerified, message)
}

fn unusable() -> Refusal {
    let message = "This link was used before, or is over. Ask for another.";
    Refusal::new(Code::NotFound, message)
}
