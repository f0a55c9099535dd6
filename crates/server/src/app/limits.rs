//! What keeps a post from being handed over now: restrictions that the provider has reported, and the account's window.
//!
//! Both are in the database, so that they hold across nodes and restarts. One post at a time tries a restriction whose
//! wait is over; the others wait for its result. A restriction ends when the provider takes a post again.

pub mod beginnings;

use std::sync::Arc;
use std::time::Duration;

use playout_domain::explanation::HAND_OVER_WINDOW_FULL;
use playout_domain::job::Job;
use playout_domain::limits::{Restriction, RestrictionKind};
use playout_domain::platform::Platform;
use playout_domain::provider::{AccountOptions, Fate, Provider, ProviderError};
use playout_domain::time::Time;
use playout_store::TokenVersion;
use serde_json::{Map, Value};

pub use self::beginnings::Place;
use self::beginnings::ProviderAccount;
use super::account::Account;
use super::tokens::CallError;
use super::{App, AppError};

/// How long one try keeps others from trying.
const TRY_LEASE: Duration = Duration::from_secs(60);

/// Restrictions that the provider reports instead of the account's options: when it returns options, none of these
/// holds.
const TOLD_BY_OPTIONS: [RestrictionKind; 3] = [
    RestrictionKind::DirectPosts,
    RestrictionKind::ActiveUsers,
    RestrictionKind::Banned,
];

/// Whether a post may be handed over.
pub enum Admission<'a> {
    /// It may, in this place of the account's window.
    Granted(Place<'a>),
    /// It waits, with this error.
    Waits(ProviderError),
}

impl App {
    /// Whether the job's post, with these settings, may be handed over now.
    pub async fn room_for(
        &self,
        job: &Job,
        provider: &Arc<dyn Provider>,
        platform: &Platform,
        settings: &Map<String, Value>,
    ) -> Result<Admission<'_>, AppError> {
        let place = match self.place_in_window(job, provider, platform).await? {
            Admission::Granted(place) => place,
            waits => return Ok(waits),
        };
        let delivery = provider.delivery(platform, settings);
        let mut known = self.store.restrictions_of(platform).await?;
        known.retain(|restriction| restriction.kind.concerns(delivery));
        for restriction in known.iter().filter(|known| known.kind.is_waited_for()) {
            if let Some(error) = self.waits_for(provider, platform, restriction).await? {
                return Ok(Admission::Waits(error));
            }
        }
        let tried = known.iter().map(|restriction| restriction.kind).collect();
        self.beginnings.change(job, |beginning| beginning.tried = tried);
        Ok(Admission::Granted(place))
    }

    /// A place in the account's window, or the error of a post that waits until it has room.
    async fn place_in_window(
        &self,
        job: &Job,
        provider: &Arc<dyn Provider>,
        platform: &Platform,
    ) -> Result<Admission<'_>, AppError> {
        let window = provider.limits().hand_overs;
        let (account, beginnings) = (ProviderAccount::of(platform), &self.beginnings);
        loop {
            let ended = beginnings.ended(&account);
            let times = match window {
                Some(window) => {
                    self.store
                        .recent_hand_overs(platform.id, window, self.now())
                        .await?
                }
                None => Vec::new(),
            };
            let now = self.now();
            match beginnings.take(job.id, account.clone(), window, times, now) {
                // A hand-over that has ended since may be missing in what was read, and is under way no more: the ledger is read again.
                Ok(_) if window.is_some() && beginnings.ended(&account) != ended => {}
                Ok(place) => return Ok(Admission::Granted(place)),
                Err(room) => return Ok(Admission::Waits(window_full(room, now))),
            }
        }
    }

    /// The error of a post that waits for a restriction to end; `None` if this one is to try.
    async fn waits_for(
        &self,
        provider: &Arc<dyn Provider>,
        platform: &Platform,
        restriction: &Restriction,
    ) -> Result<Option<ProviderError>, AppError> {
        let now = self.now();
        if !restriction.holds(now) {
            return Ok(None);
        }
        let until = now.plus(TRY_LEASE);
        if self
            .store
            .claim_try(platform, restriction.kind, until, now)
            .await?
        {
            return Ok(None);
        }
        let next = match restriction.next_try_at > now {
            true => restriction.next_try_at,
            false => until,
        };
        Ok(Some(ProviderError {
            fate: Fate::Capped(next.since(now)),
            code: restriction.code.clone(),
            message: restriction.message.clone(),
            next_step: provider.explain(&restriction.code).next_step,
            log_id: None,
        }))
    }

    /// The job's post was taken: what was tried with it holds no longer.
    pub async fn was_taken(&self, job: &Job, platform: &Platform) -> Result<(), AppError> {
        let tried = self
            .beginnings
            .change(job, |beginning| std::mem::take(&mut beginning.tried));
        match tried.is_empty() {
            true => Ok(()),
            false => Ok(self.store.lift_restrictions(platform, &tried).await?),
        }
    }

    /// Stores the limit that a provider's error reports for an account, for every node. An error of our own rate limit,
    /// which has no log ID, is not stored.
    pub async fn note_limits(
        &self,
        provider: &Arc<dyn Provider>,
        platform: &Platform,
        error: &ProviderError,
    ) -> Result<(), AppError> {
        let wait = match error.fate {
            Fate::Capped(wait) => wait,
            Fate::Throttled(wait) if error.log_id.is_some() => wait,
            Fate::Rejected => Duration::ZERO,
            _ => return Ok(()),
        };
        let Some(kind) = provider.restriction(&error.code) else {
            return Ok(());
        };
        if kind == RestrictionKind::ActiveUsers {
            tracing::warn!(platform = %platform.id, "the provider lets no more accounts post through this app today: {error}");
        }
        let now = self.now();
        let said = Restriction {
            kind,
            code: error.code.clone(),
            message: error.message.clone(),
            since: now,
            said_at: now,
            next_try_at: now.plus(wait),
        };
        Ok(self.store.note_restriction(platform, &said).await?)
    }

    /// Requests the account's current options, and stores them and what they show of the account's limits.
    pub async fn hear_options(
        &self,
        provider: &Arc<dyn Provider>,
        platform: &Platform,
    ) -> Result<Platform, CallError> {
        match self.options_of(provider, platform).await {
            Ok((options, version)) => {
                self.store
                    .update_options(platform.id, version, &options, self.now())
                    .await?;
                self.store.lift_restrictions(platform, &TOLD_BY_OPTIONS).await?;
                if options.handle.is_some() && options.handle != platform.display_handle {
                    self.warn_of_other_connection(platform).await?;
                }
                let known = platform.display_handle.clone();
                Ok(Platform {
                    display_handle: options.handle.or(known),
                    metadata: options.metadata,
                    ..platform.clone()
                })
            }
            Err(CallError::Provider(failed)) => {
                self.note_limits(provider, platform, &failed).await?;
                Err(failed.into())
            }
            Err(error) => Err(error),
        }
    }

    /// Logs that an account is connected twice to its workspace, which its new handle shows.
    async fn warn_of_other_connection(&self, platform: &Platform) -> Result<(), AppError> {
        if let Some(other) = self.store.find_other_connection(platform.id).await? {
            tracing::warn!(
                platform = %platform.id,
                %other,
                "two connections of a workspace have one handle: they are one account, and one post to both is rejected. Disconnect \
                 one of them"
            );
        }
        Ok(())
    }

    /// Asks what an account allows right now, and with which of its tokens that was answered.
    ///
    /// # Errors
    /// When the provider does not answer.
    pub async fn options_of(
        &self,
        provider: &Arc<dyn Provider>,
        platform: &Platform,
    ) -> Result<(AccountOptions, TokenVersion), CallError> {
        let account = Account::new(self, provider, platform);
        let mut tokens = account.fresh_tokens().await?;
        let options = account.options(&mut tokens).await?;
        Ok((options, tokens.version))
    }
}

/// The error of a post for which the account's window has no room before `room`.
pub fn window_full(room: Time, now: Time) -> ProviderError {
    ProviderError {
        fate: Fate::Throttled(room.since(now)),
        ..HAND_OVER_WINDOW_FULL.error()
    }
}
