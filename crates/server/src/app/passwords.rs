//! Passwords: Argon2id with its recommended cost, on threads of their own, a few at a time. Each hash takes 19 MiB and some
//! 20 ms of a core, so the number at once is limited for each caller.
//!
//! People who sign in and people who are signed in wait in different queues: those with a session get a part of the threads,
//! one password each, so that they delay sign-ins by that part at most.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use playout_domain::error::Refusal;
use playout_domain::id::UserId;
use tokio::sync::Semaphore;

use super::error::AppError;
use super::refusals::too_many;
use super::whence::network;

/// How many may wait for their turn beyond those that are hashed.
const WAITING: usize = 64;
/// How many sign-ins of one network address may be hashed or wait for it.
const OF_AN_ADDRESS: usize = 8;

/// Whose password it is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Whose {
    /// Of a caller without a session: signing in or up, or choosing a new password by mail. With their network address, where
    /// it counts.
    Strangers(Option<IpAddr>),
    /// That of a person within their session.
    SignedIn(UserId),
    /// The operator's, on the command line.
    Operators,
}

/// The threads and queues for hashing.
pub struct Passwords {
    /// For sign-ins.
    places: Arc<Semaphore>,
    addresses: Tallies<IpAddr>,
    /// For callers with a session.
    inside_places: Arc<Semaphore>,
    people: Tallies<UserId>,
    /// Held besides `hashing` by callers with a session.
    inside: Arc<Semaphore>,
    hashing: Arc<Semaphore>,
}

/// How many of each there are at the moment.
type Tallies<K> = Arc<Mutex<HashMap<K, usize>>>;

/// One that is counted in a tally.
struct Tallied<K: Eq + Hash>(Tallies<K>, K);

impl<K: Eq + Hash + Copy> Tallied<K> {
    /// Counts one more, unless there are as many as may be.
    fn new(tallies: &Tallies<K>, key: K, most: usize) -> Option<Self> {
        let mut counts = locked(tallies);
        let count = counts.entry(key).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Self(Arc::clone(tallies), key))
    }
}

impl<K: Eq + Hash> Drop for Tallied<K> {
    fn drop(&mut self) {
        let mut counts = locked(&self.0);
        if let Some(count) = counts.get_mut(&self.1) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.1);
            }
        }
    }
}

fn locked<K>(tallies: &Mutex<HashMap<K, usize>>) -> MutexGuard<'_, HashMap<K, usize>> {
    tallies.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A place among the passwords that are hashed or wait, given back when it is dropped.
type Place = Box<dyn Send + Sync>;

impl Default for Passwords {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::new(cores.clamp(1, 4))
    }
}

impl Passwords {
    /// For so many threads.
    fn new(threads: usize) -> Self {
        let inside = (threads / 2).max(1);
        Self {
            places: Arc::new(Semaphore::new(threads + WAITING)),
            addresses: Tallies::default(),
            inside_places: Arc::new(Semaphore::new(inside + WAITING)),
            people: Tallies::default(),
            inside: Arc::new(Semaphore::new(inside)),
            hashing: Arc::new(Semaphore::new(threads)),
        }
    }

    /// A place, if there is one.
    fn place(&self, whose: Whose) -> Result<Place, Refusal> {
        let refusal = |message| too_many(message, Duration::from_secs(1));
        let of = |places: &Arc<Semaphore>| {
            let place = Arc::clone(places).try_acquire_owned();
            place.map_err(|_| refusal("Too many people are signing in right now."))
        };
        Ok(match whose {
            Whose::Operators => Box::new(()),
            Whose::Strangers(None) => Box::new(of(&self.places)?),
            Whose::Strangers(Some(address)) => {
                let message = "Too many sign-ins from your network address are under way.";
                let tallied = Tallied::new(&self.addresses, network(address), OF_AN_ADDRESS);
                Box::new((tallied.ok_or_else(|| refusal(message))?, of(&self.places)?))
            }
            Whose::SignedIn(user) => {
                let message = "Another password of yours is being checked.";
                let tallied = Tallied::new(&self.people, user, 1);
                Box::new((tallied.ok_or_else(|| refusal(message))?, of(&self.inside_places)?))
            }
        })
    }

    /// Runs `work` on a thread for such work. It goes on when the caller goes away, so it holds place and permits itself.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        whose: Whose,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, AppError> {
        let place = self.place(whose)?;
        let inside = match whose {
            Whose::SignedIn(_) => Some(Arc::clone(&self.inside).acquire_owned().await),
            _ => None,
        };
        let turn = Arc::clone(&self.hashing).acquire_owned().await;
        let done = tokio::task::spawn_blocking(move || {
            let _held = (place, inside, turn);
            work()
        });
        Ok(done.await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance;

    fn refused(place: Result<Place, Refusal>) -> bool {
        place.is_err_and(|refusal| refusal.to_string().contains("rate_limited"))
    }

    fn user() -> UserId {
        chance::id(playout_domain::time::Time::from_secs(0))
    }

    #[tokio::test]
    async fn beyond_those_who_may_wait_one_is_sent_away() {
        let passwords = Passwords::default();
        let _all: Vec<_> = std::iter::from_fn(|| passwords.place(Whose::Strangers(None)).ok()).collect();
        let refused = passwords.run(Whose::Strangers(None), || ()).await.unwrap_err();
        assert!(refused.to_string().contains("rate_limited"), "{refused}");
    }

    #[test]
    fn an_address_takes_eight_places_and_leaves_the_others() {
        let passwords = Passwords::new(2);
        let [one, other] =
            ["192.0.2.7", "192.0.2.8"].map(|text| Whose::Strangers(Some(text.parse().unwrap())));
        let mut places: Vec<_> = std::iter::from_fn(|| passwords.place(one).ok()).collect();
        assert_eq!(places.len(), OF_AN_ADDRESS);
        assert!(passwords.place(other).is_ok());
        places.pop();
        assert!(passwords.place(one).is_ok());
    }

    #[test]
    fn who_is_signed_in_has_one_password_checked_at_a_time() {
        let passwords = Passwords::new(2);
        let (ada, bob) = (Whose::SignedIn(user()), Whose::SignedIn(user()));
        let place = passwords.place(ada);
        assert!(place.is_ok() && refused(passwords.place(ada)) && passwords.place(bob).is_ok());
        drop(place);
        assert!(passwords.place(ada).is_ok());
    }

    #[tokio::test]
    async fn those_who_are_signed_in_fill_neither_the_places_nor_the_threads_of_those_who_sign_in() {
        let passwords = Passwords::new(2);
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let wait = Arc::new(Mutex::new(wait));
        let signed_in = (0..WAITING).map(|_| {
            let wait = Arc::clone(&wait);
            passwords.run(Whose::SignedIn(user()), move || {
                wait.lock().unwrap().recv().is_err()
            })
        });
        let signs_in = async {
            // Both of them find the threads as the others have left them.
            for _ in 0..2 {
                passwords.run(Whose::Strangers(None), || ()).await.unwrap();
            }
            drop(go);
        };
        tokio::join!(futures_util::future::join_all(signed_in), signs_in);
        assert!(locked(&passwords.people).is_empty());
    }
}
