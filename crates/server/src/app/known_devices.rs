//! Known devices: a browser in which somebody has signed in before keeps a signed cookie that says so, and has tries at
//! the password of its own. So whoever guesses at a password from elsewhere does not keep its owner from signing in.
//!
//! The cookie opens nothing. It is signed with a key derived from the secret key, over the password's hash too, so that a
//! new password ends it, and nothing has to be stored.

use std::time::Duration;

use playout_domain::id::UserId;
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use playout_store::Credentials;

use super::App;
use super::sessions::Whence;
use crate::chance;

/// How long a device stays known.
pub const KNOWN_FOR: Duration = Duration::from_secs(365 * 86_400);

/// What a device keeps, or has shown.
#[derive(Debug, Clone)]
pub struct KnownDevice {
    /// Who signed in there.
    pub user: UserId,
    /// `nonce.end.signature`, in hexadecimal digits.
    pub mark: Secret,
}

impl App {
    /// A mark for the device on which a person has just shown who they are.
    pub fn new_device(&self, user: UserId, password_hash: &str) -> KnownDevice {
        let nonce = chance::bytes::<16>();
        let end = self.now().plus(KNOWN_FOR);
        let signature = self.sign_device(user, (&nonce, end), password_hash);
        let mark = format!(
            "{}.{:x}.{}",
            hex::encode(nonce),
            end.as_secs(),
            hex::encode(signature)
        );
        KnownDevice {
            user,
            mark: Secret::new(mark),
        }
    }

    /// Which of a person's known devices this is, if it is one.
    pub(super) fn known_device(&self, from: &Whence, person: &Credentials) -> Option<[u8; 16]> {
        let shown = from.devices.iter().find(|device| device.user == person.user.id)?;
        let mut parts = shown.mark.expose().split('.');
        let (nonce, end, signature) = (parts.next()?, parts.next()?, parts.next()?);
        let nonce: [u8; 16] = hex::decode(nonce).ok()?.try_into().ok()?;
        let end = Time::from_secs(i64::from_str_radix(end, 16).ok()?);
        let signed = self.sign_device(person.user.id, (&nonce, end), &person.password_hash);
        let is_ours = hex::decode(signature).is_ok_and(|signature| are_equal(&signature, &signed));
        (is_ours && end > self.now()).then_some(nonce)
    }

    fn sign_device(&self, user: UserId, (nonce, end): (&[u8; 16], Time), password_hash: &str) -> [u8; 32] {
        let end = end.as_secs().to_be_bytes();
        let text = [
            user.0.as_bytes(),
            nonce.as_slice(),
            &end,
            password_hash.as_bytes(),
        ]
        .concat();
        self.store.keyed_hash("known device", &text)
    }
}

/// Takes as long wherever they differ.
fn are_equal(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differ == 0
}
