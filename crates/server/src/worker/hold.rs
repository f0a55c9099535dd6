//! The hold: looks for every post that may have come out without this database's knowledge, then lets publications go on.
//!
//! Publications are held where the database may be a copy (by `worker/keeper.rs`, or by the operator). Each marked post is looked for
//! by its handle, else among the account's recent posts. What is found is PUBLISHED. What is due and not found, and what cannot
//! be told apart or looked for, is left to a person. What is not due and not found stays as it is.

mod candidate;
mod log;
mod patience;
mod results;
mod search;
mod unreadable;

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use playout_domain::id::PlatformId;
use playout_domain::platform::Platform;
use playout_store::{Hold, POLL_EVERY, SearchResult, Searched, StoreError};
use tokio_util::sync::CancellationToken;

use self::candidate::{Candidate, starts_of};
use self::log::HoldLog;
use self::patience::{Patience, Round};
use self::results::{in_vain, leave_in_vain, left_to_a_person, settle};
use self::search::Search;
use self::unreadable::leave_unreadable;
use crate::app::account::Account;
use crate::app::{App, AppError};
use crate::logs::{in_full, log_failure};
use crate::outage::Outage;

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
    let (mut log, mut patience) = (HoldLog::default(), Patience::default());
    let mut held = Outage::of("posts cannot be looked for, and publications stay held");
    let mut free = Outage::of("the database does not say whether publications are held");
    while !stop.is_cancelled() {
        // Where a dump is being loaded a hold that it has would end, as its posts are missing.
        tokio::select! {
            () = stop.cancelled() => return,
            () = app.identity.fits() => {}
        }
        let pause = match search(&app, &mut log, &mut patience).await {
            Ok(is_held) => {
                held.is_over(app.now(), "posts can be looked for again");
                free.is_over(app.now(), "the database says again whether publications are held");
                if is_held { ROUND_EVERY } else { POLL_EVERY }
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
async fn search(app: &Arc<App>, log: &mut HoldLog, patience: &mut Patience) -> Result<bool, AppError> {
    let hold = app.store.find_hold().await?;
    app.identity.set_held(hold.is_some());
    log.compare(app, hold.as_ref()).await?;
    let Some(hold) = hold else {
        return Ok(false);
    };
    patience.begin(&hold);
    let (log_of, hold_on, patience) = (&*log, &hold, &*patience);
    let platforms = app.store.platforms_to_search().await?;
    futures_util::stream::iter(platforms)
        .for_each_concurrent(AT_ONCE, async |platform| {
            search_account_or_log(app, hold_on, platform, patience).await;
            log_of.progress(app).await;
        })
        .await;
    let progress = app.store.hold_progress().await?;
    if progress.left > 0 {
        return Ok(true);
    }
    if app.store.end_hold(&hold, app.now()).await? {
        log.end(app, &hold, progress.left_to_people).await?;
    }
    app.identity.set_held(false);
    Ok(false)
}

/// An account whose search fails inside, or panics, keeps no other one waiting, and is searched again in the next round. Where that goes
/// on, as with a row that cannot be read, its posts are left after the last search, so that the hold ends.
async fn search_account_or_log(app: &Arc<App>, hold: &Hold, platform: PlatformId, patience: &Patience) {
    let round = patience.round(platform, app.now());
    let is_last = round.is_last;
    let searching = {
        let (app, hold) = (Arc::clone(app), hold.clone());
        tokio::spawn(async move { search_account(&app, &hold, platform, round).await })
    };
    let Err(error) = searching.await.map_err(AppError::from).flatten() else {
        patience.succeeded(platform);
        return;
    };
    let fails_too_long = patience.fails_too_long(platform, app.now());
    log_failure!(error, %platform, "the posts of an account could not be looked for: {}", in_full(&error));
    let is_given_up = is_last && (fails_too_long || is_lasting(&error));
    if !is_given_up {
        return;
    }
    let leaving = {
        let (app, hold) = (Arc::clone(app), hold.clone());
        tokio::spawn(async move {
            let marked = app.store.posts_to_search_for(platform, ROUND).await?;
            leave_in_vain(&app, &hold, &marked).await
        })
    };
    match leaving.await.map_err(AppError::from).flatten() {
        Ok(()) => tracing::warn!(
            %platform,
            "the posts of an account could not be looked for in ten minutes: those that are due are left to a person. Once the cause \
             above is gone, `playoutd admin engine hold` searches for them again"
        ),
        Err(error) => log_failure!(
            error,
            %platform,
            "the posts of an account could not be left to a person: {}",
            in_full(&error)
        ),
    }
}

/// Whether a search that failed with this would fail again: a row cannot be read or is missing, or it panicked. A database that is
/// away comes back; where it fails at the same search for as long as the patience lasts ([`Patience::fails_too_long`]), that is what fails.
fn is_lasting(error: &AppError) -> bool {
    match error {
        AppError::Store(error) => error.is_bad_row() || matches!(error, StoreError::Missing { .. }),
        AppError::Task(error) => error.is_panic(),
        _ => true,
    }
}

/// Searches for the posts of an account.
async fn search_account(
    app: &Arc<App>,
    hold: &Hold,
    platform: PlatformId,
    round: Round,
) -> Result<(), AppError> {
    let marked = app.store.posts_to_search_for(platform, ROUND).await?;
    for unreadable in &marked.unreadable {
        leave_unreadable(app, hold, unreadable.id, &unreadable.error).await?;
    }
    let mut candidates = Vec::with_capacity(marked.posts.len());
    let mut account = None;
    for together in marked.posts.chunks(TOGETHER) {
        for (marked, start) in starts_of(app, hold, together).await? {
            let (candidate, of) = Candidate::of(marked, start);
            account = account.or(of);
            candidates.push(candidate);
        }
    }
    let platform = match account {
        Some(platform) if !platform.disabled => platform,
        account => return leave_without_account(app, hold, account.as_ref(), &candidates).await,
    };
    let provider = match app.configured_provider_of(&platform) {
        Ok(provider) => Arc::clone(provider),
        // Another node may ask.
        Err(error) if !round.is_last => return Err(error),
        Err(_) => {
            for candidate in &candidates {
                let looked = match candidate.is_due(app.now()) {
                    true => left_to_a_person(),
                    false => SearchResult::NotFound,
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
        round,
    };
    search.look(hold, &candidates, since.unwrap_or(hold.since)).await
}

/// Leaves the posts of an account that is disabled or removed. Nothing is published for it; once it is back its posts are looked for before they
/// are handed over, and uploads under way are not continued (`publish/decide.rs`). Those that it would not list are a person's: by then their
/// settings, or those of the account, may be others than those they were published with.
async fn leave_without_account(
    app: &Arc<App>,
    hold: &Hold,
    account: Option<&Platform>,
    candidates: &[Candidate],
) -> Result<(), AppError> {
    let provider = account.and_then(|account| Some((account, app.provider_of(account)?)));
    for candidate in candidates {
        let is_listed =
            provider.is_none_or(|(account, provider)| candidate.is_listed(account, provider.as_ref()));
        let left = match is_listed || !candidate.goes_out_by_itself() {
            true => SearchResult::NotFound,
            false => left_to_a_person(),
        };
        let searched = Searched {
            is_hidden: !is_listed,
            ..in_vain(left)
        };
        settle(app, hold, candidate, searched).await?;
    }
    Ok(())
}
