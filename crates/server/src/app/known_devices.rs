//! Known devices. After a sign-in the browser keeps a signed cookie, and later sign-ins from it have an allowance of their
//! own. Wrong guesses from elsewhere use up the account's shared allowance only, and do not lock the owner out.
//!
//! The cookie grants no access. Its signature covers the hash of the password, so that a new password invalidates it, and is
//! made with a key derived from the secret key, so that nothing is stored.

use std::time::Duration;

use playout_domain::id::UserId;
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use playout_store::Credentials;

use super::App;
use super::whence::{KnownDevice, Whence};
use crate::chance;

/// The lifetime of the cookie.
pub const KNOWN_FOR: Duration = Duration::from_secs(365 * 86_400);

impl App {
    /// Issues a mark for the device on which a user has just authenticated.
    pub fn new_device(&self, user: UserId, password_hash: &str) -> KnownDevice {
        let nonce = chance::bytes::<16>();
        let end = self.now().plus(KNOWN_FOR);
        let signature = self.sign_device(user, &nonce, end, password_hash);
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

    /// The nonce of the known device that a request comes from; `None` if none of its cookies is valid for this user.
    pub(super) fn known_device(&self, from: &Whence, person: &Credentials) -> Option<[u8; 16]> {
        let shown = from.devices.iter().find(|device| device.user == person.user.id)?;
        let mut parts = shown.mark.expose().split('.');
        let (nonce, end, signature) = (parts.next()?, parts.next()?, parts.next()?);
        let nonce: [u8; 16] = hex::decode(nonce).ok()?.try_into().ok()?;
        let end = Time::from_secs(i64::from_str_radix(end, 16).ok()?);
        let signed = self.sign_device(person.user.id, &nonce, end, &person.password_hash);
        let is_ours = hex::decode(signature).is_ok_and(|signature| are_equal(&signature, &signed));
        (is_ours && end > self.now()).then_some(nonce)
    }

    fn sign_device(&self, user: UserId, nonce: &[u8; 16], end: Time, password_hash: &str) -> [u8; 32] {
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

/// Compares in constant time.
fn are_equal(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differ == 0
}
