//! Device authorizations (RFC 8628, `docs/contract.md#device-authorization`): a program without a browser gets a key
//! once a person approves.

use std::fmt;
use std::time::Duration;

use crate::access::{KeyAccess, Scopes};
use crate::id::{DeviceId, WorkspaceId};
use crate::time::Time;

/// How long both codes are good for.
pub const LIFETIME: Duration = Duration::from_secs(600);
/// How long a client waits between two polls, at first.
pub const INTERVAL: Duration = Duration::from_secs(5);
/// How much longer it waits after each poll that came too early (RFC 8628 §3.5).
const SLOWER_BY: Duration = Duration::from_secs(5);
/// How many wrong codes a person may give …
pub const WRONG_CODES: usize = 10;
/// … in any so long time.
pub const WRONG_CODES_WITHIN: Duration = Duration::from_secs(600);

/// What user codes are made of: no vowels, so no words, and nothing that looks like something else.
const ALPHABET: &[u8; 28] = b"BCDFGHJKLMNPQRSTVWXZ23456789";
const PREFIX: &str = "SVC";
const CHARACTERS: usize = 8;

/// The code that a person compares or types: eight characters, 38 bits. Shown as `SVC-XXXX-XXXX`.
#[derive(Clone, PartialEq, Eq)]
pub struct UserCode([u8; CHARACTERS]);

impl UserCode {
    /// Makes a code from 16 random bytes, of which 28⁸ values take an equal part as nearly as makes no difference.
    pub fn make(random: [u8; 16]) -> Self {
        let mut number = u128::from_le_bytes(random);
        Self(std::array::from_fn(|_| {
            let digit = (number % 28) as usize;
            number /= 28;
            ALPHABET[digit]
        }))
    }

    /// Reads what a person typed: upper and lower case are the same, characters that are neither letter nor digit
    /// are ignored (RFC 8628 §6.1), and the `SVC` may be left out. `None`: no code looks like that.
    pub fn parse(text: &str) -> Option<Self> {
        let typed: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
        let typed = typed.to_uppercase();
        let code = match typed.len() {
            CHARACTERS => typed.as_str(),
            _ => typed.strip_prefix(PREFIX)?,
        };
        let code: [u8; CHARACTERS] = code.as_bytes().try_into().ok()?;
        code.iter()
            .all(|byte| ALPHABET.contains(byte))
            .then_some(Self(code))
    }

    /// The eight characters: its one normal form.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for UserCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = self.0.split_at(CHARACTERS / 2);
        let text = |half: &[u8]| half.iter().copied().map(char::from).collect::<String>();
        write!(f, "{PREFIX}-{}-{}", text(first), text(last))
    }
}

/// The code is hidden: with it the key can be given to any workspace.
impl fmt::Debug for UserCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<user code>")
    }
}

/// How a device authorization stands. In every state, it is over with its `expires_at`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceState {
    /// No decision yet. Becomes `Approved` or `Denied`.
    Pending(Pace),
    /// A person approved for this workspace. Becomes `Used` with the next poll, which makes the key.
    Approved(WorkspaceId),
    /// A person refused; final.
    Denied,
    /// The key was handed out; final.
    Used,
}

/// How often a client polls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// How long it must wait between two polls.
    pub interval: Duration,
    /// When it last polled.
    pub last: Option<Time>,
}

impl Pace {
    /// The pace after a poll, and whether that poll came too early: then the interval grows, for good.
    pub fn polled(self, now: Time) -> (Self, bool) {
        let is_early = self.last.is_some_and(|last| now.since(last) < self.interval);
        let growth = if is_early { SLOWER_BY } else { Duration::ZERO };
        let pace = Self {
            interval: self.interval + growth,
            last: Some(now),
        };
        (pace, is_early)
    }
}

/// A device authorization that waits for a person, as that person may see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingDevice {
    /// Its identifier.
    pub id: DeviceId,
    /// The name that the client sent; it is not verified.
    pub client_name: Option<String>,
    /// The network address that it sent the request from.
    pub client_address: Option<String>,
    /// When it began.
    pub created_at: Time,
    /// When it ends.
    pub expires_at: Time,
    /// What it asks to be allowed.
    pub asked: Scopes,
}

/// What a person grants to a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// What its key may do.
    pub access: KeyAccess,
    /// When its key ends, if ever.
    pub until: Option<Time>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_code_is_read_again_however_it_is_typed(random: [u8; 16]) {
            let code = UserCode::make(random);
            let shown = code.to_string();
            let bare = shown.trim_start_matches("SVC-").to_owned();
            for typed in [
                shown.to_lowercase(), bare.clone(), bare.replace('-', ""), shown.replace('-', " "),
                shown.replace('-', "–"), format!("  {}.\n", shown.replace('-', " - ")),
            ] {
                prop_assert_eq!(UserCode::parse(&typed), Some(code.clone()), "{}", typed);
            }
        }
    }

    #[test]
    fn what_no_code_looks_like_is_none() {
        for typed in [
            "",
            "SVC",
            "SVC-BCDF",
            "SVC-BCDF-GHJKL",
            "BCDF-GHJ",
            "SVC-BCDF-GHJ0",
            "SVC-BCDF-GHJA",
            "ABC-BCDF-GHJK",
            "SVC-BCDF-GHJÉ",
            "ǅBCDFGH",
            "SVC-SVC-BCDF-GHJK",
        ] {
            assert_eq!(UserCode::parse(typed), None, "{typed}");
        }
    }

    #[test]
    fn the_interval_grows_by_five_seconds_with_each_early_poll_and_never_shrinks() {
        let at = |seconds: i64| Time::from_secs(1_795_176_000 + seconds);
        let mut pace = Pace {
            interval: INTERVAL,
            last: None,
        };
        for (seconds, is_early, interval) in [
            (0, false, 5),
            (5, false, 5),
            (9, true, 10),
            (18, true, 15),
            (33, false, 15),
            (33, true, 20),
        ] {
            let (next, early) = pace.polled(at(seconds));
            assert_eq!(
                (early, next.interval),
                (is_early, Duration::from_secs(interval)),
                "{seconds}"
            );
            pace = next;
        }
    }
}
