//! The hold: looks for every post that may have come out without this database's knowledge, then lets publications go on.
//!
//! Publications are held where the database may be a copy (by `identity/keeper.rs`, or by the operator). Each marked post is looked for
//! by its handle, else among the account's recent posts. What is found is PUBLISHED. What is due and not found, and what cannot
//! be told apart or looked for, is left to a person. What is not due and not found stays as it is.

mod log;

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use playout_domain::explanation::RESTORED;
use playout_domain::id::PlatformId;
use playout_domain::listing::is_listed_as;
use playout_domain::platform::Platform;
use playout_domain::post::{Post, PostState, Waiting, effective_settings};
use playout_domain::provider::{Fate, Progress, RecentPost, RecentPosts};
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;
use playout_store::{Hold, LOOK_EVERY, Look, Looked, MarkedPost, Start};
use serde_json::Map;
use tokio_util::sync::CancellationToken;

use self::log::HoldLog;
use super::publish::listed::{is_listed, may_be_another};
use super::verdicts;
use crate::app::account::Account;
use crate::app::tokens::CallError;
use crate::app::{App, AppError};
use crate::identity::SLACK;
use crate::logs::counted;
use crate::outage::Outage;

/// For how long a provider that does not answer, or is still at work on a post, is asked again.
const PATIENCE: Duration = Duration::from_secs(600);
/// The pause between two rounds of asking.
const ROUND_EVERY: Duration = Duration::from_secs(20);
/// How many accounts are asked at once.
const AT_ONCE: usize = 16;
/// How many posts are looked up together.
const TOGETHER: usize = 200;
/// The most posts of an account that are looked for in one round.
const ROUND: u32 = 10_000;

/// Ends holds until `stop`.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    let mut log = HoldLog::default();
    let mut held = Outage::of("posts cannot be looked for, and publications stay held");
    let mut free = Outage::of("the database does not say whether publications are held");
    while !stop.is_cancelled() {
        let pause = match search(&app, &mut log).await {
            Ok(is_held) => {
                held.is_over(app.now(), "posts can be looked for again");
                free.is_over(app.now(), "the database says again whether publications are held");
                if is_held { ROUND_EVERY } else { LOOK_EVERY }
            }
            Err(error) => {
                let outage = if log.on.is_some() { &mut held } else { &mut free };
                outage.goes_on(app.now(), &error);
                ROUND_EVERY
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            () = app.clock.sleep_until(app.now().plus(pause)) => {}
        }
    }
}

/// One round. `true` if a hold is still on afterwards.
async fn search(app: &Arc<App>, log: &mut HoldLog) -> Result<bool, AppError> {
    let hold = app.store.find_hold().await?;
    app.identity.set_held(hold.is_some());
    log.compare(app, hold.as_ref()).await?;
    let Some(hold) = hold else {
        return Ok(false);
    };
    let (log_of, hold_on) = (&*log, &hold);
    let platforms = app.store.platforms_to_look_at().await?;
    futures_util::stream::iter(platforms)
        .for_each_concurrent(AT_ONCE, async |platform| {
            look_at_or_log(app, hold_on, platform).await;
            log_of.progress(app).await;
        })
        .await;
    let progress = app.store.hold_progress().await?;
    if progress.left > 0 {
        return Ok(true);
    }
    if app.store.end_hold(&hold, app.now()).await? {
        log.end(app, &hold, progress.with_a_person).await?;
    }
    app.identity.set_held(false);
    Ok(false)
}

/// An account whose search fails inside, or panics, keeps no other one waiting, and is searched again in the next round.
async fn look_at_or_log(app: &Arc<App>, hold: &Hold, platform: PlatformId) {
    let (app, hold) = (Arc::clone(app), hold.clone());
    let looking = tokio::spawn(async move { look_at(&app, &hold, platform).await });
    if let Err(error) = looking.await.map_err(AppError::from).flatten() {
        tracing::error!(%platform, "the posts of an account could not be looked for: {error}");
    }
}

/// What an account shows.
enum Shown {
    /// Its recent posts.
    Posts(RecentPosts),
    /// It shows none to us.
    Nothing,
    /// It cannot be asked before a person reconnects it.
    NoAccess,
    /// It could not be asked at the moment.
    NoAnswer,
}

/// A marked post with all that is known of it.
struct Candidate {
    marked: MarkedPost,
    post: Post,
    /// The texts that it may be out with, as they were sent.
    texts: Vec<String>,
    /// The provider's handle of its last try, if that was not settled.
    handle: Option<String>,
}

async fn look_at(app: &Arc<App>, hold: &Hold, platform: PlatformId) -> Result<(), AppError> {
    let marked = app.store.posts_to_look_for(platform, ROUND).await?;
    let mut candidates = Vec::with_capacity(marked.len());
    let mut account = None;
    for together in marked.chunks(TOGETHER) {
        for (marked, start) in starts_of(app, hold, together).await? {
            let (candidate, of) = candidate(marked, start);
            account = account.or(of);
            candidates.push(candidate);
        }
    }
    let Some(platform) = account.filter(|platform| !platform.disabled) else {
        // Nothing is published for it; once it is back its posts are looked for before they are handed over.
        for candidate in &candidates {
            settle(app, hold, candidate, in_vain(Looked::NotFound)).await?;
        }
        return Ok(());
    };
    let is_patience_over = app.now().since(hold.held_at) > PATIENCE;
    let provider = match app.configured_provider_of(&platform) {
        Ok(provider) => Arc::clone(provider),
        // Another node may ask.
        Err(error) if !is_patience_over => return Err(error),
        Err(_) => {
            for candidate in &candidates {
                let looked = match candidate.is_due(app.now()) {
                    true => left_to_a_person(),
                    false => Looked::NotFound,
                };
                settle(app, hold, candidate, in_vain(looked)).await?;
            }
            return Ok(());
        }
    };
    let since = candidates.iter().map(|candidate| candidate.marked.since).min();
    let search = Search {
        app,
        platform: &platform,
        account: Account::new(app, &provider, &platform),
        is_patience_over,
    };
    search.look(hold, &candidates, since.unwrap_or(hold.since)).await
}

impl Candidate {
    /// Whether it may be this listed post, by the text and the time.
    fn may_be(&self, listed: &RecentPost) -> bool {
        *listed.created.end() >= self.marked.since
            && self.texts.iter().any(|text| is_listed_as(text, &listed.content))
    }

    /// Whether it is in the queue and due.
    fn is_due(&self, now: Time) -> bool {
        self.post.state == PostState::Queue && self.marked.due_at.is_some_and(|due| due <= now)
    }
}

/// What is known of marked posts. One whose rows cannot be read is left to a person.
async fn starts_of(
    app: &Arc<App>,
    hold: &Hold,
    together: &[MarkedPost],
) -> Result<Vec<(MarkedPost, Start)>, AppError> {
    let ids: Vec<_> = together.iter().map(|marked| marked.id).collect();
    let mut starts = match app.store.find_starts(&ids).await {
        Ok(starts) => starts,
        Err(error) if error.is_bad_row() => match together {
            [alone] => {
                tracing::error!(post = %alone.id, "a post cannot be read, and is left to a person: {error}");
                let (text, detail) = (
                    RESTORED.explanation().message(),
                    verdicts::detail(&RESTORED.error()),
                );
                app.store
                    .settle_unreadable(hold, alone.id, &text, &detail, app.now())
                    .await?;
                return Ok(Vec::new());
            }
            _ => {
                let mut found = Vec::new();
                for alone in together {
                    found.extend(Box::pin(starts_of(app, hold, std::slice::from_ref(alone))).await?);
                }
                return Ok(found);
            }
        },
        Err(error) => return Err(error.into()),
    };
    let known = |marked: &MarkedPost| starts.remove(&marked.id).map(|start| (*marked, start));
    Ok(together.iter().filter_map(known).collect())
}

fn candidate(marked: MarkedPost, start: Start) -> (Candidate, Option<Platform>) {
    let began = start.unsettled.as_ref().map(|submission| submission.started_at);
    let marked = MarkedPost {
        since: began.map_or(marked.since, |began| began.minus(SLACK).min(marked.since)),
        ..marked
    };
    let (sent, handle) = match start.unsettled {
        Some(submission) => (submission.content, submission.handle),
        None => (None, None),
    };
    let post = start.group.root;
    let no_defaults = Map::new();
    let defaults = start
        .platform
        .as_ref()
        .map_or(&no_defaults, |platform| &platform.settings);
    let earlier = start.mark.and_then(|mark| mark.content);
    let mut texts: Vec<String> = sent.into_iter().chain(earlier).collect();
    texts.push(post.sent_text(defaults));
    let candidate = Candidate {
        marked,
        texts,
        post,
        handle,
    };
    (candidate, start.platform)
}

async fn settle(app: &Arc<App>, hold: &Hold, candidate: &Candidate, look: Look) -> Result<(), AppError> {
    app.reach("hold.before_settle");
    app.store
        .settle_looked(hold, candidate.post.id, &look, app.now())
        .await?;
    app.reach("hold.after_settle");
    Ok(())
}

/// The search for the posts of an account.
struct Search<'a> {
    app: &'a Arc<App>,
    platform: &'a Platform,
    account: Account<'a>,
    /// Whether nothing is waited for any more.
    is_patience_over: bool,
}

impl Search<'_> {
    async fn look(&self, hold: &Hold, candidates: &[Candidate], since: Time) -> Result<(), AppError> {
        let shown = self.shown(since).await?;
        if self.is_patience_over && matches!(shown, Shown::NoAnswer) {
            tracing::warn!(
                platform = %self.platform.id,
                "{} of {} could not be looked for, because the provider has not answered for ten minutes",
                counted(candidates.len() as u64, "post"),
                self.platform.shown_name()
            );
        }
        for candidate in candidates {
            let by_handle = self.by_handle(candidate).await?;
            let look = match (by_handle, &shown) {
                (Some(ByHandle::Is(verdict)), _) => Some(answered(ended(verdict))),
                (Some(ByHandle::AskAgain), _) => None,
                (None, Shown::NoAnswer) if !self.is_patience_over => None,
                (None, Shown::Posts(posts)) => Some(answered(self.among(candidate, posts).await?)),
                (None, Shown::Nothing) => Some(answered(self.unseen(candidate, false))),
                (None, Shown::NoAnswer) => Some(in_vain(self.unseen(candidate, true))),
                (None, Shown::NoAccess) => Some(in_vain(self.unsearched(candidate))),
            };
            if let Some(look) = look {
                settle(self.app, hold, candidate, look).await?;
            }
        }
        Ok(())
    }

    async fn shown(&self, since: Time) -> Result<Shown, AppError> {
        if self.platform.refresh_needed {
            return Ok(Shown::NoAccess);
        }
        Ok(match self.account.recent_posts(since).await {
            Ok(Some(posts)) => Shown::Posts(posts),
            Ok(None) => Shown::Nothing,
            Err(CallError::Provider(error)) => {
                self.app.note_dead_access(self.platform, &error).await?;
                match error.fate {
                    Fate::Reauthorize | Fate::StaleToken => Shown::NoAccess,
                    Fate::Rejected => Shown::Nothing,
                    _ => {
                        tracing::warn!(
                            platform = %self.platform.id,
                            "the posts of {} could not be searched, and are searched again until the hold is ten minutes old: {error}",
                            self.platform.shown_name()
                        );
                        Shown::NoAnswer
                    }
                }
            }
            // Such as a token that cannot be opened: it is treated as an account that does not answer.
            Err(CallError::Internal(error)) => {
                tracing::error!(platform = %self.platform.id, "an account could not be asked for its posts: {error}");
                Shown::NoAnswer
            }
        })
    }

    /// The provider's status of the post's last try; `None` if there is no handle to ask with, or the try failed: then another
    /// one may have followed.
    async fn by_handle(&self, candidate: &Candidate) -> Result<Option<ByHandle>, AppError> {
        let Some(handle) = &candidate.handle else {
            return Ok(None);
        };
        let again = (!self.is_patience_over).then_some(ByHandle::AskAgain);
        Ok(match self.account.check(handle).await {
            Ok(Progress::Published {
                release_id,
                release_url,
            }) => Some(ByHandle::Is(Verdict::Published {
                release_id,
                release_url,
            })),
            Ok(Progress::InInbox) => Some(ByHandle::Is(verdicts::in_inbox())),
            Ok(Progress::Pending { .. }) => again,
            Ok(Progress::Failed(_)) => None,
            Err(CallError::Provider(error)) => match error.fate {
                Fate::Rejected | Fate::Reauthorize | Fate::StaleToken => None,
                _ => again,
            },
            Err(CallError::Internal(error)) => {
                tracing::error!(post = %candidate.post.id, "a post could not be asked after: {error}");
                again
            }
        })
    }

    async fn among(&self, candidate: &Candidate, shown: &RecentPosts) -> Result<Looked, AppError> {
        let store = &self.app.store;
        let mut found = Vec::new();
        for post in shown.posts.iter().filter(|post| candidate.may_be(post)) {
            if !store.has_release(self.platform.id, &post.release_id).await? {
                found.push(post);
            }
        }
        match found.as_slice() {
            [] if shown.whole_since > candidate.marked.since => Ok(self.unseen(candidate, false)),
            [] => Ok(self.unseen(candidate, true)),
            [one] if !one.content.trim().is_empty() => {
                let (platform, post, since) = (self.platform.id, candidate.post.id, candidate.marked.since);
                // Where another post here would be listed so, it may be a post like them that was made after the copy.
                let is_another = may_be_another(self.app, platform, post, one, since).await?
                    || store.has_twin(platform, post, &one.content).await?;
                let verdict = match is_another {
                    true => verdicts::restored(),
                    false => Verdict::Published {
                        release_id: Some(one.release_id.clone()),
                        release_url: one.release_url.clone(),
                    },
                };
                Ok(ended(verdict))
            }
            _ => Ok(left_to_a_person()),
        }
    }

    /// A post that was not seen. Where it can be looked for once more before it is handed over, it may stay in the queue until then;
    /// one that would not be listed if it were out cannot.
    fn unseen(&self, candidate: &Candidate, can_be_looked_for: bool) -> Looked {
        let settings = effective_settings(&self.platform.settings, &candidate.post.settings);
        let can_be_looked_for =
            can_be_looked_for && is_listed(self.account.provider.as_ref(), self.platform, &settings);
        match (candidate.post.state, candidate.post.waiting) {
            (PostState::Queue, _) if candidate.is_due(self.app.now()) || !can_be_looked_for => {
                left_to_a_person()
            }
            (PostState::Queue, _) => Looked::NotFound,
            // Reconnecting the account would send it by itself.
            (PostState::ActionRequired, Some(Waiting::Reconnect | Waiting::AccountUnavailable))
                if !can_be_looked_for =>
            {
                left_to_a_person()
            }
            _ if can_be_looked_for => Looked::NotFound,
            _ => Looked::CannotBeFound,
        }
    }

    /// The same where the account must be reconnected, which must be done before the post is decided on.
    fn unsearched(&self, candidate: &Candidate) -> Looked {
        match self.unseen(candidate, true) {
            Looked::Ended(..) => ended(verdicts::restored_unsearched()),
            looked => looked,
        }
    }
}

fn answered(looked: Looked) -> Look {
    Look {
        looked,
        was_in_vain: false,
    }
}

fn in_vain(looked: Looked) -> Look {
    Look {
        looked,
        was_in_vain: true,
    }
}

fn left_to_a_person() -> Looked {
    ended(verdicts::restored())
}

fn ended(verdict: Verdict) -> Looked {
    let detail = verdicts::detail_of(&verdict);
    Looked::Ended(verdict, detail)
}

/// The provider's status of a try.
enum ByHandle {
    /// What became of it.
    Is(Verdict),
    /// It does not know yet, or did not answer.
    AskAgain,
}
