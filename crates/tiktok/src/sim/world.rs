//! The whole state of the simulated provider, and the timers that move it on.
//!
//! Nothing here waits or does I/O. What lies in the future is a timer; what must be done outside is an effect.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::time::Duration;

use playout_domain::time::Time;

use super::account::Account;
use super::config::SimConfig;
use super::fault::{FailRule, Fault};
use super::grants::{App, Grant, Grants, TokenPair};
use super::hooks::Hooks;
use super::ids::Ids;
use super::knobs::Knobs;
use super::ledger::{Ledger, Publication};
use super::rates::Rates;
use super::task::{Stage, Task};

/// One day: the window of every cap.
pub(super) const DAY: Duration = Duration::from_secs(86_400);

/// Something that happens by itself at a time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// The downloads of a task begin.
    StartPull(String),
    /// The downloads of a task have taken an hour.
    PullDeadline(String),
    /// A task leaves processing.
    Decide(String),
    /// A public post has passed moderation.
    Reveal(String),
    /// A webhook is to be delivered.
    Deliver(u64),
    /// No second event came to swap with.
    Unswap(String),
}

/// Something to be done outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Effect {
    /// Download the files of a task.
    Pull(String),
    /// Send a webhook; those of one account go in order.
    Deliver(u64),
    /// The bytes of this medium are not needed any more.
    Forget(String),
}

/// The public posts of an account.
pub(super) struct Profile<'a> {
    /// Those that lists have first.
    pub(super) pinned: Vec<&'a Publication>,
    /// All others.
    pub(super) newest_first: Vec<&'a Publication>,
}

/// The state of the provider.
#[derive(Debug)]
pub(super) struct World {
    pub(super) now: Time,
    pub(super) client_key: String,
    pub(super) client_secret: String,
    pub(super) business_client_id: String,
    pub(super) business_client_secret: String,
    /// Scheme, host and port, without a slash at the end.
    pub(super) base_url: String,
    pub(super) knobs: Knobs,
    pub(super) faults: Vec<Fault>,
    pub(super) fates: Vec<FailRule>,
    pub(super) grants: Grants,
    pub(super) rates: Rates,
    pub(super) tasks: HashMap<String, Task>,
    /// From upload id to publish id.
    pub(super) uploads: HashMap<String, String>,
    pub(super) ledger: Ledger,
    pub(super) hooks: Hooks,
    /// What kind of bytes each medium is.
    pub(super) media_types: HashMap<String, String>,
    /// How often each URL was fetched.
    pub(super) fetches: HashMap<String, u64>,
    /// When each user last posted through the app.
    pub(super) active: HashMap<String, Time>,
    /// Tasks that wait for `stuck` to be turned off.
    pub(super) stuck: Vec<String>,
    pub(super) ids: Ids,
    pub(super) effects: Vec<Effect>,
    accounts: HashMap<String, Account>,
    order: Vec<String>,
    timers: BinaryHeap<Reverse<(Time, u64, Event)>>,
    timer_count: u64,
}

impl World {
    pub(super) fn new(config: &SimConfig, base_url: String, now: Time) -> Self {
        let seed = format!("{}|{}", base_url, now.as_micros());
        let mut world = Self {
            now,
            client_key: config.client_key.clone(),
            client_secret: config.client_secret.clone(),
            business_client_id: config.business_client_id.clone(),
            business_client_secret: config.business_client_secret.clone(),
            base_url,
            knobs: config.knobs(),
            faults: Vec::new(),
            fates: Vec::new(),
            grants: Grants::default(),
            rates: Rates::default(),
            tasks: HashMap::new(),
            uploads: HashMap::new(),
            ledger: Ledger::default(),
            hooks: Hooks::default(),
            media_types: HashMap::new(),
            fetches: HashMap::new(),
            active: HashMap::new(),
            stuck: Vec::new(),
            ids: Ids::new(seed),
            effects: Vec::new(),
            accounts: HashMap::new(),
            order: Vec::new(),
            timers: BinaryHeap::new(),
            timer_count: 0,
        };
        config
            .accounts
            .iter()
            .for_each(|account| world.put_account(account.clone()));
        world
    }

    /// Adds or replaces an account.
    pub(super) fn put_account(&mut self, account: Account) {
        let account = account.complete();
        if self
            .accounts
            .insert(account.open_id.clone(), account.clone())
            .is_none()
        {
            self.order.push(account.open_id);
        }
    }

    pub(super) fn account(&self, open_id: &str) -> Option<&Account> {
        self.accounts.get(open_id)
    }

    pub(super) fn account_mut(&mut self, open_id: &str) -> Option<&mut Account> {
        self.accounts.get_mut(open_id)
    }

    /// The account with this open_id or handle.
    pub(super) fn find_account(&self, name: &str) -> Option<&Account> {
        self.accounts
            .get(name)
            .or_else(|| self.accounts().find(|account| account.username == name))
    }

    /// What the public sees of an account's posts.
    pub(super) fn profile(&self, open_id: &str) -> Profile<'_> {
        let posts = self.ledger.of_account(open_id);
        let mut newest_first: Vec<&Publication> = posts.filter(|post| post.public_at.is_some()).collect();
        let others = newest_first.len().saturating_sub(self.knobs.pinned_posts);
        Profile {
            pinned: newest_first.split_off(others),
            newest_first,
        }
    }

    /// All accounts, in the order in which they were added.
    pub(super) fn accounts(&self) -> impl Iterator<Item = &Account> {
        self.order.iter().filter_map(|open_id| self.accounts.get(open_id))
    }

    /// What kind of bytes a medium is.
    pub(super) fn media_type(&self, media_id: &str) -> String {
        self.media_types
            .get(media_id)
            .cloned()
            .unwrap_or_else(|| "application/octet-stream".to_owned())
    }

    /// New tokens of an account for `app`.
    pub(super) fn issue(&mut self, app: App, open_id: &str, scopes: Vec<String>) -> TokenPair {
        let grant = Grant {
            app,
            open_id: open_id.to_owned(),
            scopes,
            expires_at: self.now,
        };
        let pair = self.grants.issue(&grant, self.now, &self.knobs, &mut self.ids);
        self.as_seen_by(app, pair)
    }

    /// New tokens for a refresh token that `app` holds; `None` if it is not valid.
    pub(super) fn renew(&mut self, app: App, refresh_token: &str) -> Option<TokenPair> {
        let (knobs, ids) = (&self.knobs, &mut self.ids);
        let pair = self.grants.refresh(app, refresh_token, self.now, knobs, ids)?;
        Some(self.as_seen_by(app, pair))
    }

    /// Apps see different identifiers of the same account.
    fn as_seen_by(&self, app: App, mut pair: TokenPair) -> TokenPair {
        if app == App::Business
            && let Some(account) = self.account(&pair.open_id)
        {
            pair.open_id.clone_from(&account.business_id);
        }
        pair
    }

    /// Lets `event` happen `delay_ms` from now.
    pub(super) fn after(&mut self, delay_ms: u64, event: Event) {
        self.timer_count += 1;
        let at = self.now.plus(Duration::from_millis(delay_ms));
        self.timers.push(Reverse((at, self.timer_count, event)));
    }

    /// When the next timer is due. Deadlines of downloads that ended are forgotten on the way.
    pub(super) fn next_timer(&mut self) -> Option<Time> {
        while let Some(Reverse((_, _, Event::PullDeadline(publish_id)))) = self.timers.peek()
            && self
                .tasks
                .get(publish_id)
                .is_none_or(|task| task.stage != Stage::Transfer)
        {
            self.timers.pop();
        }
        self.timers.peek().map(|Reverse((at, ..))| *at)
    }

    /// Lets everything happen that is due at `now`, in order, each at its own time.
    pub(super) fn settle(&mut self, now: Time) {
        while let Some(Reverse((at, ..))) = self.timers.peek()
            && *at <= now
        {
            let Some(Reverse((at, _, event))) = self.timers.pop() else {
                break;
            };
            self.now = self.now.max(at);
            self.fire(event);
        }
        self.now = self.now.max(now);
    }

    fn fire(&mut self, event: Event) {
        match event {
            Event::StartPull(publish_id) => self.effects.push(Effect::Pull(publish_id)),
            Event::PullDeadline(publish_id) => self.pull_failed(&publish_id),
            Event::Decide(publish_id) => self.decide(&publish_id),
            Event::Reveal(publish_id) => self.reveal(&publish_id),
            Event::Deliver(id) => self.effects.push(Effect::Deliver(id)),
            Event::Unswap(open_id) => self.unswap(&open_id),
        }
    }
}
