//! Warns of provider limits before posts reach them: how much is used, and which posts may have to wait. Warns of a hold too.
//!
//! Our own count is a floor: other apps post to the account too, and deleted posts are not counted. So it only warns; a
//! post is held back only by a limit that the provider reported.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use playout_domain::access::Accounts;
use playout_domain::explanation::HELD;
use playout_domain::id::{PlatformId, WorkspaceId};
use playout_domain::limits::{Delivery, Restriction, Warning, Window};
use playout_domain::platform::Platform;
use playout_domain::post::{Draft, effective_settings};
use playout_domain::provider::Provider;
use playout_domain::time::Time;
use playout_store::{MOST_QUEUED, NewGroup, Queued, QueuedSpan, Taken};
use playout_wire::limits::{AccountUsageBody, RestrictionBody, WindowBody};
use serde_json::{Map, Value};

use super::{App, AppError};

const DAY: Duration = Duration::from_secs(24 * 3600);

/// What is known of an account: the posts that its provider took in the last day, and the restrictions that it
/// reported.
pub(crate) struct Known {
    /// The last first.
    taken: Vec<Taken>,
    /// What the provider has restricted, as far as that is in force now.
    pub(crate) restrictions: Vec<Restriction>,
    now: Time,
}

/// A post that is looked at beforehand.
pub(crate) struct Planned<'a> {
    pub(crate) provider: &'a Arc<dyn Provider>,
    pub(crate) platform: &'a Platform,
    pub(crate) draft: &'a Draft,
    /// When it goes out.
    pub(crate) at: Time,
}

impl App {
    /// What is known of one account.
    pub(crate) async fn known_limits(
        &self,
        workspace: WorkspaceId,
        platform: &Platform,
    ) -> Result<Known, AppError> {
        let now = self.now();
        let mut restrictions = self.store.restrictions_of(platform).await?;
        restrictions.retain(|restriction| restriction.holds(now));
        let taken = self.store.taken_from(workspace, platform.id, now.minus(DAY));
        let taken = taken.await?;
        Ok(Known {
            taken,
            restrictions,
            now,
        })
    }

    /// What is known and may still count when a post goes out: nothing does for longer than a day.
    async fn known_at(&self, workspace: WorkspaceId, planned: &Planned<'_>) -> Result<Known, AppError> {
        let now = self.now();
        if planned.at.minus(DAY) < now {
            return self.known_limits(workspace, planned.platform).await;
        }
        let (taken, restrictions) = (Vec::new(), Vec::new());
        Ok(Known {
            taken,
            restrictions,
            now,
        })
    }

    /// What the provider allows each account of a workspace that is seen, and how much of it is used, by ID.
    pub(crate) async fn account_usage(
        &self,
        workspace: WorkspaceId,
        seen: &Accounts,
    ) -> Result<Vec<AccountUsageBody>, AppError> {
        let now = self.now();
        let mut platforms = self.store.list_platforms(workspace).await?;
        platforms.retain(|platform| seen.allow(platform.id));
        platforms.sort_by_key(|platform| platform.id);
        let mut taken: HashMap<PlatformId, Vec<Taken>> = HashMap::new();
        for post in self.store.taken_since(workspace, now.minus(DAY)).await? {
            taken.entry(post.platform_id).or_default().push(post);
        }
        let mut restrictions: HashMap<PlatformId, Vec<Restriction>> = HashMap::new();
        for (platform, restriction) in self.store.list_restrictions(workspace).await? {
            if restriction.holds(now) {
                restrictions.entry(platform).or_default().push(restriction);
            }
        }
        let usage = |platform: &Platform| {
            let known = Known {
                taken: taken.remove(&platform.id).unwrap_or_default(),
                restrictions: restrictions.remove(&platform.id).unwrap_or_default(),
                now,
            };
            Some(known.usage(self.provider_of(platform)?, platform))
        };
        Ok(platforms.iter().filter_map(usage).collect())
    }

    /// Warnings about a post; `also` are posts that are about to be created too.
    pub(crate) async fn warnings(
        &self,
        workspace: WorkspaceId,
        planned: &Planned<'_>,
        also: &[NewGroup],
    ) -> Result<Vec<Warning>, AppError> {
        let known = self.known_at(workspace, planned).await?;
        let mut warnings = planned.provider.warnings(planned.platform, planned.draft);
        warnings.extend(known.restriction_warning(planned));
        let hand_over_window =
            (planned.provider.limits().hand_overs).map_or(Duration::ZERO, |window| window.length);
        let before = QueuedSpan {
            after: planned.at.minus(DAY),
            late_after: planned.at.minus(hand_over_window),
            until: planned.at,
        };
        let mut queued = self
            .store
            .queued_between(workspace, planned.platform.id, before)
            .await?;
        let also = also
            .iter()
            .filter(|group| group.platform_id == planned.platform.id);
        queued.extend(also.filter_map(|group| planned.counted(group, before, self.now())));
        warnings.extend(known.window_warning(planned, &queued));
        warnings.extend(crowd_warning(planned, &queued));
        Ok(warnings)
    }

    /// Warns of a post that is to be published while publications are held (`worker/hold.rs`).
    pub(crate) async fn held_warning(&self) -> Result<Option<Warning>, AppError> {
        let hold = self.store.find_hold().await?;
        Ok(hold.map(|_| Warning::new(HELD.code, HELD.explanation().message())))
    }
}

impl Known {
    /// What the provider allows the account, and how much of it is used.
    pub(crate) fn usage(&self, provider: &Arc<dyn Provider>, platform: &Platform) -> AccountUsageBody {
        let limits = provider.limits();
        let used = |delivery, window| {
            let times = self.times(provider, platform, delivery, self.now.minus(DAY));
            window_body(window, &times)
        };
        let body = |restriction: &Restriction| {
            RestrictionBody::new(restriction.clone(), provider.explain(&restriction.code).who_acts)
        };
        AccountUsageBody {
            platform_id: platform.id,
            direct_posts: used(Delivery::Direct, limits.direct_posts),
            inbox_shares: used(Delivery::Inbox, limits.inbox_shares),
            restrictions: self.restrictions.iter().map(body).collect(),
        }
    }

    /// When posts that count were handed over after `since`, the last first.
    fn times(
        &self,
        provider: &Arc<dyn Provider>,
        platform: &Platform,
        delivery: Delivery,
        since: Time,
    ) -> Vec<Time> {
        let counts = |taken: &&Taken| {
            taken.at > since
                && delivery_of(provider, platform, &taken.settings) == delivery
                && (delivery == Delivery::Direct || taken.is_unfinished)
        };
        self.taken.iter().filter(counts).map(|taken| taken.at).collect()
    }

    fn restriction_warning(&self, planned: &Planned<'_>) -> Option<Warning> {
        let delivery = planned.delivery();
        let mut restrictions = self.restrictions.iter();
        let met = restrictions.find(|restriction| {
            restriction.kind.concerns(delivery)
                && !restriction.kind.ends_by_itself()
                && planned.at < restriction.since.plus(DAY)
        })?;
        let (name, at) = (planned.provider.name(), met.said_at);
        let message = format!("{} {name} said so at {at}. ({})", met.message, met.code);
        Some(Warning::new("account_restricted", message))
    }

    fn window_warning(&self, planned: &Planned<'_>, queued: &[Queued]) -> Option<Warning> {
        let (provider, platform, delivery) = (planned.provider, planned.platform, planned.delivery());
        let (window, what, code) = match delivery {
            Delivery::Direct => (
                provider.limits().direct_posts?,
                "posts",
                "daily_posts_likely_used_up",
            ),
            Delivery::Inbox => (
                provider.limits().inbox_shares?,
                "unfinished posts in its inbox",
                "inbox_shares_likely_used_up",
            ),
        };
        let planned_before: usize = queued
            .iter()
            .filter(|queued| delivery_of(provider, platform, &queued.settings) == delivery)
            .map(|queued| queued.posts)
            .sum();
        let since = planned.at.minus(window.length);
        let count = self.times(provider, platform, delivery, since).len() + planned_before;
        let is_full = count >= usize::try_from(window.count).unwrap_or(usize::MAX);
        let or_more = or_more(queued.iter().map(|queued| queued.posts).sum());
        let message = format!(
            "This account has {count}{or_more} {what} in the 24 hours before that time; {} takes about {}. What it does \
             not take waits for up to 24 hours, and then fails.",
            provider.name(),
            window.count
        );
        is_full.then(|| Warning::new(code, message))
    }
}

impl Planned<'_> {
    /// A post that is about to be created as one in the queue, if it is due in this span.
    fn counted(&self, group: &NewGroup, span: QueuedSpan, now: Time) -> Option<Queued> {
        let at = group.scheduled_for.unwrap_or(now);
        let is_in = group.queued && at > span.after && at <= span.until;
        is_in.then(|| Queued {
            settings: group.root.settings.clone(),
            posts: 1,
            late_posts: usize::from(at > span.late_after),
        })
    }

    fn delivery(&self) -> Delivery {
        delivery_of(self.provider, self.platform, &self.draft.settings)
    }
}

/// More posts at about that time than the provider takes in a minute.
fn crowd_warning(planned: &Planned<'_>, queued: &[Queued]) -> Option<Warning> {
    let window = planned.provider.limits().hand_overs?;
    let before: usize = queued.iter().map(|queued| queued.late_posts).sum();
    let per_window = usize::try_from(window.count).unwrap_or(usize::MAX);
    let minutes = before.checked_div(per_window).filter(|minutes| *minutes > 0)?;
    let or_more = or_more(before);
    let message = format!(
        "{before}{or_more} posts of this account go out in the minute before, and {} takes {per_window} a minute: \
         this one starts about {minutes}{or_more} min later.",
        planned.provider.name()
    );
    Some(Warning::new("starts_later", message))
}

/// What follows a count for which not every post was looked at.
fn or_more(queued: usize) -> &'static str {
    if queued >= MOST_QUEUED { " or more" } else { "" }
}

fn delivery_of(provider: &Arc<dyn Provider>, platform: &Platform, own: &Map<String, Value>) -> Delivery {
    provider.delivery(platform, &effective_settings(&platform.settings, own))
}

/// How many of these times a window allows, and when the first no longer counts.
pub(crate) fn window_body(window: Option<Window>, newest_first: &[Time]) -> WindowBody {
    let first = newest_first.last();
    WindowBody {
        used: newest_first.len() as u64,
        limit: window.map(|window| window.count),
        resets_at: first.zip(window).map(|(first, window)| first.plus(window.length)),
    }
}
