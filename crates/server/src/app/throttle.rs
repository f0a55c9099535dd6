//! How often somebody may try to get in: by the network address they come from, and by the account they try, whether
//! it exists or not. Each node counts for itself.

use std::net::IpAddr;
use std::sync::LazyLock;
use std::time::Duration;

use playout_domain::error::{Code, Refusal};
use playout_domain::id::UserId;
use playout_domain::rate::Rate;
use sha2::{Digest, Sha256};

use super::App;
use super::rates::Rates;

/// Ten wrong passwords or codes at once, then one a minute. All that is right sets it back.
static PER_ACCOUNT: LazyLock<Rate> =
    LazyLock::new(|| "1/60s;burst=10".parse().expect("a rate, as a test reads too"));

/// Three mails at once to one address, then three an hour.
static MAILS: LazyLock<Rate> =
    LazyLock::new(|| "3/3600s;burst=3".parse().expect("a rate, as a test reads too"));

/// Ten answers that an address is taken at once, then ten an hour.
static TAKEN_ANSWERS: LazyLock<Rate> =
    LazyLock::new(|| "10/3600s;burst=10".parse().expect("a rate, as a test reads too"));

/// Who tried lately.
#[derive(Default)]
pub struct Throttle {
    addresses: Rates<IpAddr>,
    polls: Rates<IpAddr>,
    accounts: Rates<[u8; 32]>,
    codes: Rates<UserId>,
    mails: Rates<[u8; 32]>,
    taken_answers: Rates<IpAddr>,
}

impl App {
    /// Counts a call that needs no proof of who makes it.
    pub fn take_from_address(&self, address: Option<IpAddr>) -> Result<(), Refusal> {
        self.take_from(&self.throttle.addresses, address)
    }

    /// Counts a question of a device that waits. They come all the time, so they are counted by themselves: whoever
    /// approves them from the same address must still be able to sign in.
    pub fn take_poll_from_address(&self, address: Option<IpAddr>) -> Result<(), Refusal> {
        self.take_from(&self.throttle.polls, address)
    }

    fn take_from(&self, calls: &Rates<IpAddr>, address: Option<IpAddr>) -> Result<(), Refusal> {
        let (Some(rate), Some(address)) = (self.config.address_rate_limit, address) else {
            return Ok(());
        };
        let taken = calls.take(network(address), rate, self.now());
        match taken.allowed {
            true => Ok(()),
            false => Err(too_many(
                "Too many requests from your network address.",
                taken.more_in,
            )),
        }
    }

    /// Counts a try to sign in as this person.
    pub(super) fn take_from_account(&self, email: &str) -> Result<(), Refusal> {
        let taken = self
            .throttle
            .accounts
            .take(account(email), *PER_ACCOUNT, self.now());
        match taken.allowed {
            true => Ok(()),
            false => Err(too_many(
                "Too many wrong passwords for this address.",
                taken.more_in,
            )),
        }
    }

    /// Counts a try at a person's second factor: whoever has their password and a session could give them another
    /// address, but not another identity.
    pub(super) fn take_from_codes(&self, user: UserId) -> Result<(), Refusal> {
        let taken = self.throttle.codes.take(user, *PER_ACCOUNT, self.now());
        match taken.allowed {
            true => Ok(()),
            false => Err(too_many("Too many wrong codes.", taken.more_in)),
        }
    }

    /// Forgets the tries before the right code.
    pub(super) fn forgive_codes(&self, user: UserId) {
        self.throttle.codes.forget(&user);
    }

    /// Counts a mail that somebody has sent to this address without having shown that it is theirs.
    pub(super) fn take_mail(&self, email: &str) -> Result<(), Refusal> {
        let taken = self.throttle.mails.take(account(email), *MAILS, self.now());
        match taken.allowed {
            true => Ok(()),
            false => Err(too_many(
                "Too many mails were asked for to this address.",
                taken.more_in,
            )),
        }
    }

    /// Refuses whoever was answered too often that an address is taken, before anything about another address is found out.
    pub(super) fn check_taken_answers(&self, address: Option<IpAddr>) -> Result<(), Refusal> {
        let (Some(_), Some(address)) = (self.config.address_rate_limit, address) else {
            return Ok(());
        };
        let answers = &self.throttle.taken_answers;
        let taken = answers.look(&network(address), *TAKEN_ANSWERS, self.now());
        match taken.allowed {
            true => Ok(()),
            false => Err(too_many(
                "Too many sign-ups from your network address.",
                taken.more_in,
            )),
        }
    }

    /// Counts an answer that an address is taken.
    pub(super) fn note_taken_answer(&self, address: Option<IpAddr>) {
        if let (Some(_), Some(address)) = (self.config.address_rate_limit, address) {
            let answers = &self.throttle.taken_answers;
            answers.take(network(address), *TAKEN_ANSWERS, self.now());
        }
    }

    /// Forgets the tries before the right password.
    pub(super) fn forgive_account(&self, email: &str) {
        self.throttle.accounts.forget(&account(email));
    }
}

/// The refusal of one request too many, which says when to come back.
pub fn too_many(message: &str, wait: Duration) -> Refusal {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let details = serde_json::json!({ "retryAfter": seconds });
    Refusal::new(Code::RateLimited, format!("{message} Wait {seconds} s.")).with_details(details)
}

/// One household has a /64 of IPv6, and all of it is one address here.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            std::net::Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        v4 => v4,
    }
}

/// What people type is kept no longer than it must.
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
                PER_ACCOUNT.burst(),
                PER_ACCOUNT.window_seconds(),
                PER_ACCOUNT.quota()
            ),
            (10, 60, 1)
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
    fn a_network_is_one_address_of_version_4_and_a_64_of_version_6() {
        let network = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    }
}
