//! API keys: `svc_sk_` + 32 random bytes in base62 + a 6-character checksum (`docs/contract.md#keys`).
//!
//! With the checksum a secret scanner, and this service before any look-up, distinguishes a key from random text.

use crate::access::KeyAccess;
use crate::id::{KeyId, UserId};
use crate::secret::Secret;
use crate::time::Time;

/// How many keys that were not revoked a workspace has at most.
pub const MAX_KEYS: u32 = 50;

const PREFIX: &str = "svc_sk_";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// 62^43 > 2^256: so many digits hold any 32 bytes.
const SECRET_DIGITS: usize = 43;
const CHECK_DIGITS: usize = 6;

/// A key as stored: everything but the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    /// Its identifier.
    pub id: KeyId,
    /// Its name.
    pub name: String,
    /// Its last four characters, to recognise it by.
    pub last_four: String,
    /// Who made it.
    pub created_by: Option<UserId>,
    /// When it was made.
    pub created_at: Time,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Time>,
    /// When it ends, if ever.
    pub expires_at: Option<Time>,
    /// What it may do.
    pub access: KeyAccess,
}

/// Makes a key from 32 random bytes.
pub fn make_key(random: [u8; 32]) -> Secret {
    let digits = base62(&random, SECRET_DIGITS);
    let check = checksum(&digits);
    Secret::new(format!("{PREFIX}{digits}{check}"))
}

/// Whether `text` has the form and the checksum of a key. It may never have been issued.
pub fn is_well_formed(text: &str) -> bool {
    let Some(body) = text.strip_prefix(PREFIX) else {
        return false;
    };
    if body.len() != SECRET_DIGITS + CHECK_DIGITS || !body.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return false;
    }
    let (digits, check) = body.split_at(SECRET_DIGITS);
    checksum(digits) == check
}

fn checksum(digits: &str) -> String {
    let crc = crc32(digits.as_bytes());
    base62(&crc.to_be_bytes(), CHECK_DIGITS)
}

/// `bytes` as a big-endian number in base 62, padded to `digits`.
fn base62(bytes: &[u8], digits: usize) -> String {
    let mut number = bytes.to_vec();
    let mut out = vec![b'0'; digits];
    for digit in out.iter_mut().rev() {
        let remainder = number.iter_mut().fold(0u32, |carry, byte| {
            let value = carry * 256 + u32::from(*byte);
            *byte = (value / 62) as u8;
            value % 62
        });
        *digit = BASE62[remainder as usize];
    }
    out.into_iter().map(char::from).collect()
}

/// CRC-32 as in ISO 3309, bit by bit: it runs on 43 bytes.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_checksum_is_crc_32() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    proptest! {
        #[test]
        fn every_made_key_is_well_formed_and_no_changed_one_is(random: [u8; 32], at in 7usize..56) {
            let key = make_key(random);
            prop_assert!(is_well_formed(key.expose()));
            let mut changed = key.expose().to_owned().into_bytes();
            changed[at] = if changed[at] == b'x' { b'y' } else { b'x' };
            prop_assert!(!is_well_formed(&String::from_utf8(changed).unwrap()));
        }
    }
}
