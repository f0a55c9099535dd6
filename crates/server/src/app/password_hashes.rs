//! Hashes passwords, and compares them with hashes: Argon2id with its recommended cost, on the threads of `passwords.rs`.

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use playout_domain::secret::Secret;

use super::passwords::Whose;
use super::{App, AppError};
use crate::chance;

/// A hash that no password matches, as costly to check as any: its last part is not a result of hashing but 32 zero bytes.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$cGxheW91dC1ub2JvZHk$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

impl App {
    /// The PHC string of a password that the operator chooses, with a salt of its own.
    pub async fn hash_password(&self, password: Secret) -> Result<String, AppError> {
        self.hash_password_of(password, Whose::Operators).await
    }

    /// The same, in the queue of `whose`.
    pub(super) async fn hash_password_of(&self, password: Secret, whose: Whose) -> Result<String, AppError> {
        let salt = chance::bytes::<16>();
        let hash = move || {
            let hashed = Argon2::default().hash_password_with_salt(password.expose().as_bytes(), &salt);
            hashed.map(|hash| hash.to_string())
        };
        let hashed = self.passwords.run(whose, hash).await?;
        hashed.map_err(|error| AppError::Password(error.to_string()))
    }

    /// Whether this is the password behind a PHC string, in the operator's queue.
    pub async fn is_password_of_operator(&self, password: Secret, hash: String) -> Result<bool, AppError> {
        self.is_password(password, Some(hash), Whose::Operators).await
    }

    /// Whether this is the password behind a PHC string. Without a hash it takes as long to return `false`.
    pub(super) async fn is_password(
        &self,
        password: Secret,
        hash: Option<String>,
        whose: Whose,
    ) -> Result<bool, AppError> {
        let is_somebodys = hash.is_some();
        let hash = hash.unwrap_or_else(|| NOBODYS.to_owned());
        let check = move || {
            Argon2::default()
                .verify_password(password.expose().as_bytes(), hash.as_str())
                .is_ok()
        };
        let is_right = self.passwords.run(whose, check).await?;
        Ok(is_right && is_somebodys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobodys_hash_costs_what_any_costs() {
        let made = Argon2::default()
            .hash_password_with_salt(b"a password", b"playout-nobody")
            .unwrap();
        let cost = |hash: &str| hash.split('$').take(4).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(cost(NOBODYS), cost(&made.to_string()));
        assert_eq!(NOBODYS.len(), made.to_string().len());
        assert!(Argon2::default().verify_password(b"a password", NOBODYS).is_err());
    }
}
