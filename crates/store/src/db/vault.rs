//! Values that are stored but must not be readable from a copy of the database: provider tokens and the like.
//!
//! A sealed value is `key id (4) ‖ nonce (24) ‖ XChaCha20-Poly1305 ciphertext and tag`. The row's identifier and
//! the column's name are authenticated with it, so that a sealed value moved to another row does not open.

use std::fmt;
use std::sync::Arc;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use playout_domain::secret::Secret;
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, Zeroizing};

use super::chance::random_bytes;

const KEY_ID: usize = 4;
const NONCE: usize = 24;

/// Why a sealed value does not open, or a vault cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VaultError {
    /// No key was given.
    #[error("no secret key is configured")]
    NoKey,
    /// It was sealed under a key that is not configured.
    #[error("it was encrypted with a key that is not configured (key id {})", hex(.0))]
    UnknownKey([u8; KEY_ID]),
    /// It is damaged, or was sealed for another row or column.
    #[error("it is damaged or belongs to another row")]
    Damaged,
}

/// Seals and opens. Holds several keys, so that they can be rotated: the first seals, all open.
#[derive(Clone)]
pub struct Vault(Arc<[VaultKey]>);

struct VaultKey {
    id: [u8; KEY_ID],
    cipher: XChaCha20Poly1305,
    hashing: Zeroizing<[u8; 32]>,
}

/// Which cell of the database a sealed value belongs to.
#[derive(Clone, Copy)]
pub(crate) struct Cell<'a> {
    /// The bytes of the row's identifier.
    pub(crate) row: &'a [u8],
    /// The column's name.
    pub(crate) column: &'a str,
}

impl Vault {
    /// A vault with these keys of 32 bytes.
    ///
    /// # Errors
    /// [`VaultError::NoKey`] when there is none.
    pub fn new(keys: Vec<[u8; 32]>) -> Result<Self, VaultError> {
        if keys.is_empty() {
            return Err(VaultError::NoKey);
        }
        Ok(Self(keys.into_iter().map(VaultKey::new).collect()))
    }

    /// Whether a sealed value was sealed by the key that seals now.
    pub(crate) fn is_sealed_by_first(&self, sealed: &[u8]) -> bool {
        sealed.starts_with(&self.0[0].id)
    }

    /// Encrypts `plain` for `cell` with the first key.
    pub(crate) fn seal(&self, cell: Cell<'_>, plain: &[u8]) -> Vec<u8> {
        let key = &self.0[0];
        let nonce: [u8; NONCE] = random_bytes();
        let aad = cell.aad();
        let payload = Payload {
            msg: plain,
            aad: &aad,
        };
        let sealed = key.cipher.encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.expect("a value of a database column is far shorter than the cipher's 256 GiB");
        [key.id.as_slice(), &nonce, &sealed].concat()
    }

    /// The identifier of the key that seals: what it sealed begins with it.
    pub(crate) fn sealing_key(&self) -> Vec<u8> {
        self.0[0].id.to_vec()
    }

    /// Decrypts what was sealed for `cell` under any of the keys.
    pub(crate) fn open(&self, cell: Cell<'_>, sealed: &[u8]) -> Result<Secret, VaultError> {
        let (id, rest) = sealed.split_first_chunk::<KEY_ID>().ok_or(VaultError::Damaged)?;
        let (nonce, sealed) = rest.split_first_chunk::<NONCE>().ok_or(VaultError::Damaged)?;
        let key = self.0.iter().find(|key| key.id == *id);
        let key = key.ok_or(VaultError::UnknownKey(*id))?;
        let aad = cell.aad();
        let payload = Payload {
            msg: sealed,
            aad: &aad,
        };
        let plain = key.cipher.decrypt(&XNonce::from(*nonce), payload);
        let plain = plain.map_err(|_| VaultError::Damaged)?;
        String::from_utf8(plain)
            .map(Secret::new)
            .map_err(|_| VaultError::Damaged)
    }

    /// The HMAC-SHA256 of `text` under a key made from the first one, for `purpose` alone: what is too short for a bare
    /// hash is not found out from a copy of the database.
    pub(crate) fn keyed_hash(&self, purpose: &str, text: &[u8]) -> [u8; 32] {
        let key = hmac(&self.0[0].hashing, purpose.as_bytes());
        hmac(&key, text)
    }

    /// Whether there is a key for a sealed value, by the value's first bytes.
    pub(crate) fn has_key_of(&self, sealed: &[u8]) -> Result<(), VaultError> {
        let id = sealed.first_chunk::<KEY_ID>().ok_or(VaultError::Damaged)?;
        match self.0.iter().any(|key| key.id == *id) {
            true => Ok(()),
            false => Err(VaultError::UnknownKey(*id)),
        }
    }
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Vault({} keys)", self.0.len())
    }
}

impl VaultKey {
    fn new(mut key: [u8; 32]) -> Self {
        let digest = Sha256::digest(key);
        let mut id = [0; KEY_ID];
        id.copy_from_slice(&digest[..KEY_ID]);
        let cipher = XChaCha20Poly1305::new(&Key::from(key));
        let hashing = Zeroizing::new(hmac(&key, b"keyed hashes"));
        key.zeroize();
        Self { id, cipher, hashing }
    }
}

impl Cell<'_> {
    fn aad(&self) -> Vec<u8> {
        [self.row, self.column.as_bytes()].concat()
    }
}

fn hmac(key: &[u8; 32], text: &[u8]) -> [u8; 32] {
    let mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key);
    let mut mac = mac.expect("HMAC takes keys of any length");
    mac.update(text);
    mac.finalize().into_bytes().into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: Cell<'_> = Cell {
        row: &[1; 16],
        column: "access_token",
    };

    fn vault(keys: &[u8]) -> Vault {
        Vault::new(keys.iter().map(|byte| [*byte; 32]).collect()).unwrap()
    }

    #[test]
    fn a_sealed_value_opens_again_and_does_not_show_the_value() {
        let sealed = vault(&[1]).seal(CELL, b"act.secret");
        assert!(!sealed.windows(6).any(|window| window == b"secret"));
        assert_eq!(vault(&[1]).open(CELL, &sealed).unwrap().expose(), "act.secret");
    }

    #[test]
    fn after_a_rotation_old_values_still_open_and_new_ones_use_the_new_key() {
        let old = vault(&[1]).seal(CELL, b"old");
        let rotated = vault(&[2, 1]);
        assert_eq!(rotated.open(CELL, &old).unwrap().expose(), "old");
        let new = rotated.seal(CELL, b"new");
        assert_eq!(vault(&[2]).open(CELL, &new).unwrap().expose(), "new");
    }

    #[test]
    fn an_unknown_key_is_named() {
        let sealed = vault(&[1]).seal(CELL, b"x");
        let error = vault(&[2]).open(CELL, &sealed).unwrap_err();
        assert!(matches!(error, VaultError::UnknownKey(id) if id == sealed[..4]));
    }

    #[test]
    fn a_value_moved_to_another_row_or_column_or_changed_does_not_open() {
        let vault = vault(&[1]);
        let mut sealed = vault.seal(CELL, b"x");
        let row = Cell {
            row: &[2; 16],
            ..CELL
        };
        let column = Cell {
            column: "refresh_token",
            ..CELL
        };
        assert_eq!(vault.open(row, &sealed), Err(VaultError::Damaged));
        assert_eq!(vault.open(column, &sealed), Err(VaultError::Damaged));
        *sealed.last_mut().unwrap() ^= 1;
        assert_eq!(vault.open(CELL, &sealed), Err(VaultError::Damaged));
        assert_eq!(vault.open(CELL, &sealed[..20]), Err(VaultError::Damaged));
    }

    #[test]
    fn a_keyed_hash_depends_on_the_key_the_purpose_and_the_text() {
        let hash = vault(&[1]).keyed_hash("code", b"BCDF");
        assert_eq!(hash, vault(&[1, 2]).keyed_hash("code", b"BCDF"));
        assert_ne!(hash, vault(&[2]).keyed_hash("code", b"BCDF"));
        assert_ne!(hash, vault(&[1]).keyed_hash("other", b"BCDF"));
        assert_ne!(hash, vault(&[1]).keyed_hash("code", b"BCDG"));
        assert_ne!(hash[..], Sha256::digest(b"BCDF")[..]);
    }

    #[test]
    fn a_vault_without_keys_cannot_be_made() {
        assert_eq!(Vault::new(Vec::new()).unwrap_err(), VaultError::NoKey);
    }
}
