//! Passwords: Argon2id with its recommended cost, on threads of their own, a few at a time. Each hash takes 19 MiB and
//! some 20 ms of a core, so nobody may ask for as many at once as they like.

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use playout_domain::error::Refusal;
use playout_domain::secret::Secret;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::throttle::too_many;
use super::{App, AppError};
use crate::chance;

/// How many may wait for their turn beyond those that are hashed.
const WAITING: usize = 64;
/// The hash of nobody's password: as costly to check as any. Its last part is no result of hashing but 32 zero bytes.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$cGxheW91dC1ub2JvZHk$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Who may hash, and who may wait for it.
pub struct Passwords {
    places: Semaphore,
    hashing: Arc<Semaphore>,
}

impl Default for Passwords {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let at_once = cores.clamp(1, 4);
        Self {
            places: Semaphore::new(at_once + WAITING),
            hashing: Arc::new(Semaphore::new(at_once)),
        }
    }
}

impl Passwords {
    fn place(&self) -> Result<SemaphorePermit<'_>, Refusal> {
        self.places.try_acquire().map_err(|_| {
            let message = "Too many people are signing in right now.";
            too_many(message, std::time::Duration::from_secs(1))
        })
    }

    /// Runs `work` on a thread for such work. It goes on when the caller goes away, so it holds the permit itself.
    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, AppError> {
        let _place = self.place()?;
        let turn = Arc::clone(&self.hashing).acquire_owned().await;
        let done = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        Ok(done.await?)
    }
}

impl App {
    /// The PHC string of a password, with a salt of its own.
    pub async fn hash_password(&self, password: Secret) -> Result<String, AppError> {
        let salt = chance::bytes::<16>();
        let hash = move || {
            let hashed = Argon2::default().hash_password_with_salt(password.expose().as_bytes(), &salt);
            hashed.map(|hash| hash.to_string())
        };
        let hashed = self.passwords.run(hash).await?;
        hashed.map_err(|error| AppError::Password(error.to_string()))
    }

    /// Whether this is the password behind a PHC string. Where there is none it takes as long to say no.
    pub async fn is_password(&self, password: Secret, hash: Option<String>) -> Result<bool, AppError> {
        let is_somebodys = hash.is_some();
        let hash = hash.unwrap_or_else(|| NOBODYS.to_owned());
        let check = move || {
            Argon2::default()
                .verify_password(password.expose().as_bytes(), hash.as_str())
                .is_ok()
        };
        let is_right = self.passwords.run(check).await?;
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

    #[tokio::test]
    async fn beyond_those_who_may_wait_one_is_sent_away() {
        let passwords = Passwords::default();
        let _all: Vec<_> = std::iter::from_fn(|| passwords.place().ok()).collect();
        let refused = passwords.run(|| ()).await.unwrap_err();
        assert!(refused.to_string().contains("rate_limited"), "{refused}");
    }
}
