//! Limits on tries to get in: per network address, and per account, whether it exists or not. Known devices and sessions
//! have allowances of their own, so that guesses from elsewhere do not lock the owner out. They are counted for all nodes (`rates.rs`);
//! mails are counted in the database one by one.

pub mod buckets;

use std::net::IpAddr;
use std::sync::{Arc, LazyLock};

use playout_domain::error::Refusal;
use playout_domain::id::UserId;
use playout_domain::rate::Rate;
use playout_domain::workspace::User;
use playout_store::{Allowance, Allowed, Credentials};
use sha2::{Digest, Sha256};

use super::mail_notices::About;
use super::passwords::Whose;
use super::rates::Rates;
use super::refusals::too_many;
use super::whence::{Whence, network};
use super::{App, AppError};
use crate::mail::Mail;

/// Ten wrong passwords or codes at once, then one a minute. A sign-in that succeeds resets the count.
static WRONG_GUESSES: LazyLock<Rate> =
    LazyLock::new(|| "1/60s;burst=10".parse().expect("a valid rate, as a test checks"));

/// Three mails at once to one address, then three an hour.
pub(super) static MAILS: LazyLock<Rate> =
    LazyLock::new(|| "3/3600s;burst=3".parse().expect("a valid rate, as a test checks"));

/// Ten answers that an e-mail address is taken at once, then ten an hour.
static TAKEN_ANSWERS: LazyLock<Rate> = LazyLock::new(|| {
    "10/3600s;burst=10"
        .parse()
        .expect("a valid rate, as a test checks")
});

/// Ten passwords within a session at once, then ten a minute, the right ones too: each is hashed.
static PASSWORD_CHECKS: LazyLock<Rate> =
    LazyLock::new(|| "10/60s;burst=10".parse().expect("a valid rate, as a test checks"));

/// How often a node asks the database whether a notice may go out.
static ASKING: LazyLock<Rate> =
    LazyLock::new(|| "1/3600s;burst=1".parse().expect("a valid rate, as a test checks"));

/// One mail a day to the owner of an account about refused tries.
static NOTICES: LazyLock<Rate> = LazyLock::new(|| {
    "1/86400s;burst=1"
        .parse()
        .expect("a valid rate, as a test checks")
});

impl App {
    /// Counts a call that needs no authentication.
    pub async fn take_from_address(&self, address: Option<IpAddr>) -> Result<(), Refusal> {
        self.take_from(&self.throttle.addresses, address).await
    }

    /// Counts a poll of a waiting device. Polls are frequent, so they are counted separately: the user who approves the
    /// device from the same address must still be able to sign in.
    pub async fn take_poll_from_address(&self, address: Option<IpAddr>) -> Result<(), Refusal> {
        self.take_from(&self.throttle.polls, address).await
    }

    async fn take_from(&self, calls: &Rates<IpAddr>, address: Option<IpAddr>) -> Result<(), Refusal> {
        let (Some(rate), Some(address)) = (self.config.address_rate_limit, address) else {
            return Ok(());
        };
        let taken = calls.take(&self.store, network(address), rate, self.now()).await;
        match taken.allowed {
            true => Ok(()),
            false => Err(too_many(
                "Too many requests from your network address.",
                taken.more_in,
            )),
        }
    }

    /// Counts a try to sign in with this address, against the allowance of the known device it comes from, else against the
    /// one of the account. The owner of the account gets a notice when the latter is used up.
    pub(super) async fn take_from_account(
        self: &Arc<Self>,
        email: &str,
        person: Option<&Credentials>,
        from: &Whence,
    ) -> Result<(), Refusal> {
        let (now, tries) = (self.now(), &self.throttle);
        let known = person.and_then(|person| Some((person.user.id, self.known_device(from, person)?)));
        let taken = match known {
            Some(device) => tries.devices.take(&self.store, device, *WRONG_GUESSES, now).await,
            None => {
                tries
                    .accounts
                    .take(&self.store, account(email), *WRONG_GUESSES, now)
                    .await
            }
        };
        if taken.allowed {
            return Ok(());
        }
        if let (None, Some(person)) = (known, person) {
            self.notice_refused_try(&person.user);
        }
        Err(too_many(
            "Too many wrong passwords for this e-mail address.",
            taken.more_in,
        ))
    }

    /// Mails the owner of an account that tries were refused, at most once a day. Runs in a task of its own, so that the time
    /// of a refusal does not reveal whether the account exists.
    fn notice_refused_try(self: &Arc<Self>, user: &User) {
        let asked = self.throttle.noticed.take_here(user.id, *ASKING, self.now());
        if !asked.allowed {
            return;
        }
        let (app, user) = (Arc::clone(self), user.clone());
        tokio::spawn(async move {
            let once_a_day = Allowed {
                kind: "notices of refused tries",
                subject: user.id.0.as_bytes(),
                rate: *NOTICES,
            };
            match app.store.take_allowance(once_a_day, app.now()).await {
                Ok(Allowance::Taken) => {
                    let mail = refused_tries(&user, &app.config.base_url);
                    app.notify(&user, About::Security, mail);
                }
                Ok(Allowance::UsedUp(_)) => {}
                Err(error) => tracing::error!("could not count a notice of refused tries: {error}"),
            }
        });
    }

    /// Counts a try at the present password or a code within a session.
    pub(super) async fn take_from_session(&self, user: UserId) -> Result<(), Refusal> {
        let (sessions, now) = (&self.throttle.sessions, self.now());
        let taken = sessions.take(&self.store, user, *WRONG_GUESSES, now).await;
        match taken.allowed {
            true => Ok(()),
            false => Err(too_many("Too many wrong passwords.", taken.more_in)),
        }
    }

    /// Counts a password that is hashed within a session, right or wrong.
    pub(super) async fn take_password_check(&self, user: UserId) -> Result<(), Refusal> {
        let (checks, now) = (&self.throttle.checks, self.now());
        let taken = checks.take(&self.store, user, *PASSWORD_CHECKS, now).await;
        match taken.allowed {
            true => Ok(()),
            false => Err(too_many("Your password was checked too often.", taken.more_in)),
        }
    }

    /// Whose password a person without a session sends. Where addresses have no limit, theirs does not count.
    pub(super) fn strangers(&self, address: Option<IpAddr>) -> Whose {
        Whose::Strangers(address.filter(|_| self.config.address_rate_limit.is_some()))
    }

    /// Resets the allowance of sessions after the right password.
    pub(super) async fn forgive_session(&self, user: UserId) {
        self.throttle.sessions.forget(&self.store, &user).await;
    }

    /// Counts a try at the setup code.
    pub(super) async fn take_from_setup_codes(&self, address: IpAddr) -> Result<(), Refusal> {
        let codes = &self.throttle.setup_codes;
        let (address, now) = (network(address), self.now());
        let taken = codes.take(&self.store, address, *WRONG_GUESSES, now).await;
        match taken.allowed {
            true => Ok(()),
            false => Err(too_many("Too many wrong setup codes.", taken.more_in)),
        }
    }

    /// Counts a try at a person's second factor: an attacker with their password and a session could change their address,
    /// but not their user ID.
    pub(super) async fn take_from_codes(&self, user: UserId) -> Result<(), Refusal> {
        let (codes, now) = (&self.throttle.codes, self.now());
        let taken = codes.take(&self.store, user, *WRONG_GUESSES, now).await;
        match taken.allowed {
            true => Ok(()),
            false => Err(too_many("Too many wrong codes.", taken.more_in)),
        }
    }

    /// Forgets the tries before the right code.
    pub(super) async fn forgive_codes(&self, user: UserId) {
        self.throttle.codes.forget(&self.store, &user).await;
    }

    /// Counts a mail to this address that was requested by a caller who has not verified it.
    pub(super) async fn take_mail(&self, email: &str) -> Result<(), AppError> {
        let mails = Allowed {
            kind: "mails for",
            subject: email.as_bytes(),
            rate: *MAILS,
        };
        match self.store.take_allowance(mails, self.now()).await? {
            Allowance::Taken => Ok(()),
            Allowance::UsedUp(wait) => {
                Err(too_many("Too many mails were asked for to this address.", wait).into())
            }
        }
    }

    /// Rejects a network address that got too many responses that an e-mail address is taken, before it can learn about another one.
    pub(super) async fn check_taken_answers(&self, address: Option<IpAddr>) -> Result<(), Refusal> {
        let (Some(_), Some(address)) = (self.config.address_rate_limit, address) else {
            return Ok(());
        };
        let answers = &self.throttle.taken_answers;
        let (address, now) = (network(address), self.now());
        let taken = answers.look(&self.store, &address, *TAKEN_ANSWERS, now).await;
        match taken.allowed {
            true => Ok(()),
            false => Err(too_many(
                "Too many sign-ups from your network address.",
                taken.more_in,
            )),
        }
    }

    /// Counts an answer that an e-mail address is taken.
    pub(super) async fn note_taken_answer(&self, address: Option<IpAddr>) {
        if let (Some(_), Some(address)) = (self.config.address_rate_limit, address) {
            let answers = &self.throttle.taken_answers;
            let (address, now) = (network(address), self.now());
            answers.take(&self.store, address, *TAKEN_ANSWERS, now).await;
        }
    }

    /// Resets the allowance that the right password was counted against: a sign-in from a known device does not reset the
    /// account's.
    pub(super) async fn forgive_account(&self, person: &Credentials, from: &Whence) {
        let (store, tries) = (&self.store, &self.throttle);
        match self.known_device(from, person) {
            Some(device) => tries.devices.forget(store, &(person.user.id, device)).await,
            None => tries.accounts.forget(store, &account(&person.user.email)).await,
        }
    }
}

fn refused_tries(user: &User, base_url: &str) -> Mail {
    Mail {
        to: user.email.clone(),
        subject: "Refused tries to sign in to your account".to_owned(),
        text: format!(
            "There were many wrong passwords for {}. Sign-ins from new devices are refused for a while; \
             devices on which you have signed in before are not affected.\n\n\
             If it was not you, no one has got in, and you need not do anything. \
             A password that you use nowhere else and a second factor protect you best:\n\n{base_url}/security\n",
            user.email
        ),
    }
}

/// Only a hash of the typed address is kept.
fn account(email: &str) -> [u8; 32] {
    Sha256::digest(email.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_has_ten_tries_and_then_one_a_minute() {
        assert_eq!(
            (
                WRONG_GUESSES.burst(),
                WRONG_GUESSES.window_seconds(),
                WRONG_GUESSES.quota()
            ),
            (10, 60, 1)
        );
    }

    #[test]
    fn a_person_has_ten_passwords_checked_a_minute() {
        assert_eq!(
            (
                PASSWORD_CHECKS.burst(),
                PASSWORD_CHECKS.window_seconds(),
                PASSWORD_CHECKS.quota()
            ),
            (10, 60, 10)
        );
    }

    #[test]
    fn ten_addresses_an_hour_are_said_to_be_taken() {
        assert_eq!((TAKEN_ANSWERS.burst(), TAKEN_ANSWERS.quota()), (10, 10));
    }

    #[test]
    fn an_address_gets_three_mails_an_hour() {
        assert_eq!(
            (MAILS.burst(), MAILS.window_seconds(), MAILS.quota()),
            (3, 3600, 3)
        );
    }

    #[test]
    fn the_owner_of_an_account_gets_one_notice_a_day() {
        assert_eq!(
            (NOTICES.quota(), NOTICES.window_seconds(), NOTICES.burst()),
            (1, 86_400, 1)
        );
        assert_eq!(
            (ASKING.quota(), ASKING.window_seconds(), ASKING.burst()),
            (1, 3600, 1)
        );
    }
}
