//! How often a user may type a wrong user code (RFC 8628 §5.1): ten times in any ten minutes, over all their sessions.
//! After that the right one is rejected too, so that guessing cannot go on. Each node counts for itself.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use playout_domain::device::{WRONG_CODES, WRONG_CODES_WITHIN};
use playout_domain::error::Refusal;
use playout_domain::id::UserId;
use playout_domain::time::Time;

use super::refusals::too_many;

/// Above this number of users, those without recent wrong codes are removed.
const SWEEP_AT: usize = 1000;

/// The recent wrong codes of each user.
#[derive(Default)]
pub struct WrongCodes(Mutex<HashMap<UserId, Arc<tokio::sync::Mutex<Tries>>>>);

/// When a person typed wrong codes, oldest first.
#[derive(Default)]
pub struct Tries(VecDeque<Time>);

impl WrongCodes {
    /// The tries of a user. The holder of the lock checks a code; other requests wait.
    pub fn of(&self, user: UserId, now: Time) -> Arc<tokio::sync::Mutex<Tries>> {
        let mut people = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if people.len() >= SWEEP_AT {
            people.retain(|_, tries| {
                let is_held = Arc::strong_count(tries) > 1;
                is_held || tries.try_lock().is_ok_and(|mut tries| tries.forget(now) > 0)
            });
        }
        Arc::clone(people.entry(user).or_default())
    }
}

impl Tries {
    /// Rejects a user after too many wrong codes.
    pub fn check(&mut self, now: Time) -> Result<(), Refusal> {
        let left = self.forget(now);
        match self.0.front() {
            Some(oldest) if left >= WRONG_CODES => {
                let wait = oldest.plus(WRONG_CODES_WITHIN).since(now);
                Err(too_many("Too many wrong codes.", wait))
            }
            _ => Ok(()),
        }
    }

    /// Forgets what is long ago; answers how many are left.
    fn forget(&mut self, now: Time) -> usize {
        self.0.retain(|at| now < at.plus(WRONG_CODES_WITHIN));
        self.0.len()
    }

    /// Counts a wrong code.
    pub fn note(&mut self, now: Time) {
        self.0.push_back(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn many_people_are_remembered_only_while_they_were_wrong_lately() {
        let (codes, now) = (WrongCodes::default(), Time::from_secs(1_795_176_000));
        let person = |number: u128| UserId(uuid::Uuid::from_u128(number));
        for number in 0..SWEEP_AT as u128 {
            codes.of(person(number), now).try_lock().unwrap().note(now);
        }
        codes.of(person(5000), now);
        assert_eq!(codes.0.lock().unwrap().len(), SWEEP_AT + 1);
        codes.of(person(5000), now.plus(WRONG_CODES_WITHIN));
        assert_eq!(codes.0.lock().unwrap().len(), 1);
    }

    #[test]
    fn there_are_never_more_than_ten_in_ten_minutes() {
        let (mut tries, mut allowed) = (Tries::default(), Vec::new());
        for second in 0..3000 {
            let now = Time::from_secs(1_795_176_000 + second);
            if tries.check(now).is_ok() {
                tries.note(now);
                allowed.push(now);
            }
        }
        assert_eq!(allowed.len(), 50);
        let ten_minutes = Duration::from_secs(600);
        assert!(
            allowed
                .windows(11)
                .all(|some| some[10].since(some[0]) >= ten_minutes)
        );
    }
}
