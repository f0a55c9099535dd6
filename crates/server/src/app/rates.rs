//! Rate limits: a token bucket for each recent caller, of all nodes together.
//!
//! A node lets calls through by what it has in memory, and adds them to the database behind them: when they are a tenth of what a caller may do
//! at once, before it lets through the next one, else within a quarter of a second. What it then reads are the calls at all nodes. So no call
//! waits for the database where a caller has enough left, and at the limit each node may let through a tenth more. On SQLite there is
//! one node, and nothing is added.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use playout_domain::id::{KeyId, UserId};
use playout_domain::rate::{Bucket, Rate, Taken};
use playout_domain::time::Time;
use playout_store::{Calls, Store, StoreError};
use tokio::sync::OwnedMutexGuard;

/// How often full buckets are dropped.
const SWEEP_EVERY: Duration = Duration::from_secs(60);
/// How old what the database returned may be before a call is rejected by it: another node may have forgiven the caller since.
const REJECTED_BY_NEWS_OF: Duration = Duration::from_secs(1);
/// A node may let through so much of a caller's burst before it asks the database: one part of this many.
const SLICES: u32 = 10;
/// The calls of so many callers are added by one statement.
const SHARED_AT_ONCE: usize = 500;

/// Who holds it may ask the database about a caller: an answer says nothing of calls that another question brings.
type Turn = Arc<tokio::sync::Mutex<()>>;

/// The buckets of callers, known by `K`.
pub struct Rates<K> {
    /// What is counted: callers of different kinds share nothing.
    kind: &'static str,
    buckets: Mutex<Buckets<K>>,
}

struct Buckets<K> {
    by_caller: HashMap<K, Held>,
    swept_at: Time,
}

/// What a node knows of a caller.
#[derive(Debug, Clone)]
struct Held {
    rate: Rate,
    bucket: Bucket,
    /// Calls that the database does not know of, and when the last of them was.
    unknown: u32,
    counted_at: Time,
    /// When the database was asked last.
    asked_at: Option<Time>,
    turn: Turn,
}

impl Held {
    fn new(rate: Rate, now: Time) -> Self {
        Self {
            rate,
            bucket: Bucket::new(rate, now),
            unknown: 0,
            counted_at: now,
            asked_at: None,
            turn: Arc::default(),
        }
    }

    /// As if there had been no calls.
    fn begin_anew(&mut self) {
        let turn = Arc::clone(&self.turn);
        *self = Self {
            turn,
            ..Self::new(self.rate, self.counted_at)
        };
    }

    /// How many calls may be unknown to the database.
    fn slice(&self) -> u32 {
        (self.rate.burst() / SLICES).max(1)
    }

    /// Whether the database must be asked before the next call.
    fn must_ask(&self, now: Time) -> bool {
        let is_old = self
            .asked_at
            .is_none_or(|at| now < at || now.since(at) >= REJECTED_BY_NEWS_OF);
        let mut bucket = self.bucket;
        self.unknown >= self.slice() || (is_old && !bucket.take(self.rate, now).allowed)
    }
}

/// Calls on their way to the database. Those of which no answer came, because it failed or because the one who asked has gone, are unknown again.
struct Question<'a, K: Subject> {
    rates: &'a Rates<K>,
    caller: K,
    calls: Calls,
    _turn: OwnedMutexGuard<()>,
}

impl<K: Subject> Question<'_, K> {
    fn answered(mut self, left: Bucket, now: Time) {
        self.calls.count = 0;
        let mut buckets = self.rates.lock();
        let held = buckets.held(&self.caller, self.calls.rate, now);
        held.bucket = left;
        // Calls that were let through meanwhile.
        held.bucket.spend(self.calls.rate, held.unknown);
        held.asked_at = Some(now);
    }
}

impl<K: Subject> Drop for Question<'_, K> {
    fn drop(&mut self) {
        if self.calls.count > 0
            && let Some(held) = self.rates.lock().by_caller.get_mut(&self.caller)
        {
            held.unknown += self.calls.count;
        }
    }
}

/// Who is known to the database by some bytes.
pub trait Subject: Clone + Eq + Hash {
    /// The same for the same caller on every node.
    fn bytes(&self) -> Vec<u8>;
}

impl<K: Subject> Rates<K> {
    /// No calls yet, of callers of this kind.
    pub fn of(kind: &'static str) -> Self {
        Self {
            kind,
            buckets: Mutex::new(Buckets {
                by_caller: HashMap::new(),
                swept_at: Time::from_micros(0),
            }),
        }
    }

    /// Counts a call. A caller whose bucket has refilled, or whose rate has changed, begins with a full bucket. Where the database fails,
    /// this node goes by what it knows.
    pub async fn take(&self, store: &Store, caller: K, rate: Rate, now: Time) -> Taken {
        self.learn(store, &caller, rate, now).await;
        self.take_here(caller, rate, now)
    }

    /// Counts a call of this node alone.
    pub fn take_here(&self, caller: K, rate: Rate, now: Time) -> Taken {
        let mut buckets = self.lock();
        buckets.sweep(now);
        let held = buckets.held(&caller, rate, now);
        let taken = held.bucket.take(rate, now);
        if taken.allowed {
            held.unknown += 1;
            held.counted_at = now;
        }
        taken
    }

    /// Whether another call would be allowed, without counting one; else how long until then.
    pub async fn look(&self, store: &Store, caller: &K, rate: Rate, now: Time) -> Taken {
        self.learn(store, caller, rate, now).await;
        let mut bucket = self.lock().held(caller, rate, now).bucket;
        bucket.take(rate, now)
    }

    /// Lets a caller begin anew, at this node at once and at the others when they would reject a call.
    pub async fn forget(&self, store: &Store, caller: &K) {
        let Some(turn) = self.turn_if(caller, |_| true) else {
            return self.forget_at_all(store, caller).await;
        };
        // What is on its way to the database arrives before it is deleted there.
        let _turn = turn.lock_owned().await;
        if let Some(held) = self.lock().by_caller.get_mut(caller) {
            held.begin_anew();
        }
        self.forget_at_all(store, caller).await;
    }

    async fn forget_at_all(&self, store: &Store, caller: &K) {
        if store.is_shared() {
            // It refills by itself.
            let _forgotten = store.forget_calls(self.kind, &caller.bytes()).await;
        }
    }

    /// Adds to the database what it does not know of yet, the calls of many callers at a time.
    pub async fn share(&self, store: &Store, now: Time) -> Result<(), StoreError> {
        let callers: Vec<K> = {
            let buckets = self.lock();
            let unknown = buckets.by_caller.iter().filter(|(_, held)| held.unknown > 0);
            unknown.map(|(caller, _)| caller.clone()).collect()
        };
        for callers in callers.chunks(SHARED_AT_ONCE) {
            // Whose turn is taken is being added already.
            let turn = |caller| {
                self.turn_if(caller, |held| held.unknown > 0)?
                    .try_lock_owned()
                    .ok()
            };
            let questions = callers
                .iter()
                .filter_map(|caller| self.question(caller, turn(caller)?, now));
            self.ask(store, questions.collect(), now).await?;
        }
        Ok(())
    }

    /// Asks the database what is left to a caller, if that must be known before their next call.
    async fn learn(&self, store: &Store, caller: &K, rate: Rate, now: Time) {
        if !store.is_shared() {
            return;
        }
        self.lock().held(caller, rate, now);
        let Some(turn) = self.turn_if(caller, |held| held.must_ask(now)) else {
            return;
        };
        let turn = turn.lock_owned().await;
        // Another call may have asked meanwhile.
        if self.turn_if(caller, |held| held.must_ask(now)).is_none() {
            return;
        }
        if let Some(question) = self.question(caller, turn, now) {
            // Until the database is back, nodes count for themselves.
            let _known_or_not = self.ask(store, vec![question], now).await;
        }
    }

    /// The turn of a caller who is known here and of whom something holds.
    fn turn_if(&self, caller: &K, holds: impl Fn(&Held) -> bool) -> Option<Turn> {
        let buckets = self.lock();
        let held = buckets.by_caller.get(caller).filter(|held| holds(held))?;
        Some(Arc::clone(&held.turn))
    }

    /// Takes out what the database does not know of a caller.
    fn question(&self, caller: &K, turn: OwnedMutexGuard<()>, now: Time) -> Option<Question<'_, K>> {
        let mut buckets = self.lock();
        let held = buckets.by_caller.get_mut(caller)?;
        let count = std::mem::take(&mut held.unknown);
        let calls = Calls {
            subject: caller.bytes(),
            rate: held.rate,
            count,
            // What was refilled since was not there when they were made.
            at: if count > 0 { held.counted_at } else { now },
        };
        Some(Question {
            rates: self,
            caller: caller.clone(),
            calls,
            _turn: turn,
        })
    }

    /// Adds calls to those of all nodes, and learns what is left to their callers.
    async fn ask(&self, store: &Store, questions: Vec<Question<'_, K>>, now: Time) -> Result<(), StoreError> {
        let calls: Vec<&Calls> = questions.iter().map(|question| &question.calls).collect();
        let left = store.add_calls(self.kind, &calls).await?;
        for (question, left) in questions.into_iter().zip(left) {
            question.answered(left, now);
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Buckets<K>> {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Subject> Buckets<K> {
    fn held(&mut self, caller: &K, rate: Rate, now: Time) -> &mut Held {
        let held = self
            .by_caller
            .entry(caller.clone())
            .or_insert_with(|| Held::new(rate, now));
        if held.rate != rate {
            *held = Held::new(rate, now);
        }
        held
    }

    fn sweep(&mut self, now: Time) {
        if now.since(self.swept_at) >= SWEEP_EVERY || now < self.swept_at {
            self.swept_at = now;
            self.by_caller
                .retain(|_, held| !held.bucket.is_full(held.rate, now));
        }
    }
}

/// Whose calls are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counted {
    /// Those with a key.
    Key(KeyId),
    /// Those of a person, in all their sessions.
    User(UserId),
}

impl Subject for Counted {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Key(key) => [b"key".as_slice(), key.0.as_bytes()].concat(),
            Self::User(user) => [b"user".as_slice(), user.0.as_bytes()].concat(),
        }
    }
}

impl Subject for UserId {
    fn bytes(&self) -> Vec<u8> {
        self.0.as_bytes().to_vec()
    }
}

impl Subject for IpAddr {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::V4(address) => address.octets().to_vec(),
            Self::V6(address) => address.octets().to_vec(),
        }
    }
}

impl Subject for [u8; 32] {
    fn bytes(&self) -> Vec<u8> {
        self.to_vec()
    }
}

/// A device of a person.
impl Subject for (UserId, [u8; 16]) {
    fn bytes(&self) -> Vec<u8> {
        [self.0.0.as_bytes().as_slice(), &self.1].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: [u8; 32] = [1; 32];
    const TWO: [u8; 32] = [2; 32];

    #[test]
    fn who_rests_is_forgotten_and_who_does_not_is_not() {
        let (rates, rate) = (Rates::of("test"), "1/60s;burst=2".parse().unwrap());
        let noon = Time::from_secs(1_795_176_000);
        rates.take_here(ONE, rate, noon);
        rates.take_here(TWO, rate, noon);
        assert_eq!(rates.take_here(TWO, rate, noon).remaining, 0);
        let later = noon.plus(Duration::from_secs(61));
        assert_eq!(rates.take_here(TWO, rate, later).remaining, 0);
        let held = |caller| rates.lock().by_caller.contains_key(caller);
        assert!(held(&TWO) && !held(&ONE));
    }

    #[test]
    fn another_rate_begins_with_a_full_bucket() {
        let (rates, now) = (Rates::of("test"), Time::from_secs(1));
        let (few, many) = ("1/1s".parse().unwrap(), "9/1s".parse().unwrap());
        assert!(rates.take_here(ONE, few, now).allowed && !rates.take_here(ONE, few, now).allowed);
        assert_eq!(rates.take_here(ONE, many, now).remaining, 8);
    }

    #[tokio::test]
    async fn calls_whose_adding_came_to_nothing_are_not_forgotten() {
        let (rates, rate) = (Rates::of("test"), "60/60s;burst=60".parse().unwrap());
        let now = Time::from_secs(1);
        for _ in 0..7 {
            rates.take_here(ONE, rate, now);
        }
        let unknown = || rates.lock().by_caller[&ONE].unknown;
        let turn = rates.turn_if(&ONE, |held| held.unknown == 7).unwrap();
        let question = rates.question(&ONE, turn.lock_owned().await, now);
        assert_eq!(unknown(), 0);
        rates.take_here(ONE, rate, now);
        drop(question);
        assert_eq!(unknown(), 8);
    }
}
