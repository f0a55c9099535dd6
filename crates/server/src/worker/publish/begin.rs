//! Steps 0 to 3 of a submission: the last judgement, the ledger row, the provider's `begin`, and its handle.

use std::time::Duration;

use playout_domain::error::{Issue, Refusal};
use playout_domain::explanation::{NOT_ALLOWED_NOW, PHOTO_UNUSABLE, RECONNECT_NEEDED};
use playout_domain::job::RETRY_WINDOW;
use playout_domain::listing::sent_text;
use playout_domain::media::{Media, MediaType};
use playout_domain::platform::{Platform, Strictness};
use playout_domain::post::{Draft, effective_settings};
use playout_domain::provider::{Accepted, Fate, Handover, ProviderError};
use playout_domain::submission::{Submission, Transfer, Way};
use playout_domain::time::Time;
use playout_media::BlobError;
use playout_store::{NewSubmission, Opening, PullRenewal, Tokens};
use serde_json::{Map, Value};

use super::context::{Run, check_file};
use super::others;
use super::pull_urls::{pull_urls, token_hash};
use super::step::{Next, Step};
use crate::app::AppError;
use crate::app::account::Account;
use crate::app::limits::{Admission, window_full};
use crate::app::photos::RenditionFailure;
use crate::app::posts::drafted;
use crate::app::tokens::{CallError, FailedCall};
use crate::chance;
use crate::worker::job_end::JobEnd;

/// The key of an account's metadata with the time of its last answer (`docs/contract.md#metadata`), and how old that may become.
const REFRESHED_AT: &str = "refreshedAt";
const KEEP_ANSWER: Duration = Duration::from_secs(600);

/// How long a run waits for one photo to be scaled down, its turn among others included: another may wait for a storage that never
/// answers.
const PHOTO_LIMIT: Duration = Duration::from_secs(600);

/// Step 0: judges the post once more against what the account allows now, then hands it over.
pub(super) async fn begin(run: &Run<'_>) -> Result<Next, AppError> {
    run.looks_at_others();
    if run.platform.refresh_needed {
        return run.refused(&RECONNECT_NEEDED.error()).await;
    }
    let settings = effective_settings(&run.platform.settings, &run.post().settings);
    let room = run.app.room_for(run.job, &run.provider, &run.platform, &settings);
    match room.await? {
        Admission::Granted(place) => drop(run.place.set(place)),
        Admission::Waits(error) => return Ok(run.put_off(&error).into()),
    }
    run.app.failpoint("publish.before_options");
    let (platform, tokens) = match current_platform(run, &settings).await {
        Ok(current) => current,
        Err(CallError::Provider(failed)) => return run.refused_call(&failed).await,
        Err(CallError::Internal(error)) => return Err(error),
    };
    let mut draft = drafted(&run.group, &platform, &run.media);
    draft.settings = settings;
    let problems = run.provider.problems(&platform, &draft, Strictness::Full);
    if !problems.is_empty() {
        let issues = problems.into_iter().map(|problem| problem.issue).collect();
        return run.refused(&not_allowed_now(issues)).await;
    }
    hand_over(run, &platform, &tokens, &draft).await
}

/// The account with the options that the provider returns right now (`docs/contract.md#start-of-publishing`), and the tokens for
/// the hand-over.
async fn current_platform(
    run: &Run<'_>,
    settings: &Map<String, Value>,
) -> Result<(Platform, Tokens), CallError> {
    let mut tokens = run.account().fresh_tokens().await?;
    let platform = match run.account().options(&mut tokens).await {
        Ok(options) => {
            if should_be_stored(&run.platform.metadata, &options.metadata, run.app.now()) {
                run.app
                    .store
                    .update_options(run.platform.id, tokens.version, &options, run.app.now())
                    .await?;
            }
            Platform {
                metadata: options.metadata,
                ..run.platform.clone()
            }
        }
        Err(CallError::Provider(error)) if is_of_no_concern(run, &error, settings) => {
            run.app.note_limits(&run.provider, &run.platform, &error).await?;
            run.platform.clone()
        }
        Err(error) => return Err(error),
    };
    Ok((platform, tokens))
}

/// Whether an error reports a restriction that posts delivered like this one do not meet: the day's limit of direct posts does
/// not apply to the inbox.
fn is_of_no_concern(run: &Run<'_>, error: &ProviderError, settings: &Map<String, Value>) -> bool {
    let delivery = run.provider.delivery(&run.platform, settings);
    let restriction = run.provider.restriction(&error.code);
    matches!(error.fate, Fate::Capped(_)) && restriction.is_some_and(|kind| !kind.concerns(delivery))
}

/// Whether the account's present options should be stored: they differ, or the last stored answer is old. The time of asking
/// alone is not written, because a write just before each hand-over would delay them all.
fn should_be_stored(kept: &Map<String, Value>, now_said: &Map<String, Value>, now: Time) -> bool {
    let asked_at = kept
        .get(REFRESHED_AT)
        .and_then(Value::as_str)
        .and_then(|text| Time::parse(text).ok());
    let without_time = |metadata: &Map<String, Value>| {
        let mut metadata = metadata.clone();
        metadata.remove(REFRESHED_AT);
        metadata
    };
    asked_at.is_none_or(|asked_at| now.since(asked_at) > KEEP_ANSWER)
        || without_time(kept) != without_time(now_said)
}

fn not_allowed_now(issues: Vec<Issue>) -> ProviderError {
    let refusal = Refusal::invalid(issues);
    NOT_ALLOWED_NOW.error_saying(&format!(
        "The account does not take this post as it is: {}.",
        refusal.message
    ))
}

/// Steps 1 to 3 for a draft that was judged.
async fn hand_over(
    run: &Run<'_>,
    platform: &Platform,
    tokens: &Tokens,
    draft: &Draft,
) -> Result<Next, AppError> {
    let way = way(run, draft).await?;
    // Before anything is handed over: a storage without the files must not cost a submission each time. Of a photo the provider is given the
    // rendition.
    for media in draft.media.iter().filter(|media| !is_photo(media)) {
        check_file(run.app, media).await?;
    }
    match prepare_photos(run, &draft.media).await {
        Ok(()) => {}
        Err(RenditionFailure::Picture(error)) => {
            let error = PHOTO_UNUSABLE.error_saying(&format!("A photo cannot be used: {error}."));
            return run.refused(&error).await;
        }
        Err(RenditionFailure::Internal(error)) => return Err(error),
    }
    // An upload is stopped before its last chunk; for a pull the request itself is too late.
    if way.transfer != Transfer::Upload
        && let Some(next) = others::hold_back(run).await?
    {
        return Ok(next);
    }
    let token = (way.transfer == Transfer::Pull).then(chance::token);
    let content = sent_text(&draft.settings, &draft.content);
    let submission = match open(run, way, token.as_deref(), &content).await? {
        Opened::Submission(submission) => *submission,
        Opened::Not(next) => return Ok(next),
    };
    let base_url = &run.app.config.base_url;
    let handover = Handover {
        draft,
        transfer: way.transfer,
        urls: token.map_or_else(Vec::new, |token| pull_urls(base_url, &token, &draft.media)),
    };
    let account = Account::new(run.app, &run.provider, platform);
    run.app.failpoint("publish.before_begin");
    let answer = account.begin(tokens, &handover).await;
    run.app.failpoint("publish.after_begin");
    run.app.starts.is_over(run.job.id);
    match answer {
        Ok(accepted) => save_handle(run, submission, accepted).await,
        Err(failed) if failed.fate == Fate::StaleToken => {
            Box::pin(hand_over_renewed(run, account, tokens, submission, handover)).await
        }
        Err(failed) => not_accepted(run, submission, &failed).await,
    }
}

/// Hands over once more, with renewed access and, where the provider pulls, with other addresses.
async fn hand_over_renewed(
    run: &Run<'_>,
    account: Account<'_>,
    tokens: &Tokens,
    submission: Submission,
    mut handover: Handover<'_>,
) -> Result<Next, AppError> {
    match renew_addresses(run, &submission, &handover.draft.media).await? {
        Renewed::Urls(urls) => handover.urls = urls,
        Renewed::Fetched => return Ok(Step::Search(submission).into()),
        Renewed::Lost => return Ok(JobEnd::TakenOver.into()),
    }
    let answer = match account.refresh_tokens(tokens.version).await {
        Ok(renewed) => account.begin_renewed(&renewed, &handover).await,
        Err(CallError::Provider(failed)) => Err(failed),
        Err(CallError::Internal(error)) => return Err(error),
    };
    match answer {
        Ok(accepted) => save_handle(run, submission, accepted).await,
        Err(failed) => not_accepted(run, submission, &failed).await,
    }
}

/// The addresses for a second request under a submission.
enum Renewed {
    /// These. Those of the first request answer 404.
    Urls(Vec<String>),
    /// None: the first request was taken, because the provider has fetched.
    Fetched,
    /// None: the job was taken over.
    Lost,
}

/// A provider may take a pull although its answer refuses the access, as when a gateway repeats a request. Nothing can come of that
/// once its addresses are gone unfetched.
async fn renew_addresses(
    run: &Run<'_>,
    submission: &Submission,
    media: &[Media],
) -> Result<Renewed, AppError> {
    if submission.transfer != Transfer::Pull {
        return Ok(Renewed::Urls(Vec::new()));
    }
    let token = chance::token();
    let hash = token_hash(&token);
    Ok(
        match run.app.store.renew_pull(run.job, submission.id, hash).await? {
            PullRenewal::Renewed => Renewed::Urls(pull_urls(&run.app.config.base_url, &token, media)),
            PullRenewal::Fetched => Renewed::Fetched,
            PullRenewal::Lost => Renewed::Lost,
        },
    )
}

/// What became of a new row of the ledger.
enum Opened {
    Submission(Box<Submission>),
    /// There is none; this follows.
    Not(Next),
}

/// Step 1: the ledger row is committed before the provider is called.
async fn open(run: &Run<'_>, way: Way, token: Option<&str>, content: &str) -> Result<Opened, AppError> {
    if run.given_up.is_cancelled() {
        return Ok(Opened::Not(JobEnd::TakenOver.into()));
    }
    run.app.failpoint("publish.before_open");
    let new = NewSubmission {
        id: chance::id(run.app.now()),
        content,
        transfer: way.transfer,
        token_hash: token.map(token_hash),
        reason: way.reason,
    };
    let (window, now) = (run.provider.limits().hand_overs, run.app.now());
    run.app.beginnings.opens(run.job, now);
    let opening = run
        .app
        .store
        .open_submission_within(run.job, &new, window, now)
        .await?;
    run.app.failpoint("publish.after_open");
    Ok(match opening {
        Opening::Opened => Opened::Submission(Box::new(Submission::begun(new.id, run.post(), way, now))),
        Opening::Lost => Opened::Not(JobEnd::TakenOver.into()),
        // Disabled or removed since the claim: the next run says so.
        Opening::NoAccount => Opened::Not(others::decide_anew(run, Duration::ZERO).into()),
        // Another node, or an earlier process, has taken the last place meanwhile.
        Opening::Full(room) => Opened::Not(run.put_off(&window_full(room, now)).into()),
    })
}

/// Step 3: the handle is stored before anything else happens.
async fn save_handle(run: &Run<'_>, submission: Submission, accepted: Accepted) -> Result<Next, AppError> {
    run.app.failpoint("publish.before_save_handle");
    let (store, id) = (&run.app.store, submission.id);
    let is_saved = store.save_handle(run.job, id, &accepted).await?;
    run.app.failpoint("publish.after_save_handle");
    run.app.was_taken(run.job, &run.platform).await?;
    if !is_saved {
        return Ok(JobEnd::TakenOver.into());
    }
    Ok(match submission.transfer {
        Transfer::Upload => Step::Upload(Submission {
            handle: Some(accepted.handle),
            upload: accepted.upload,
            ..submission
        })
        .into(),
        Transfer::Pull | Transfer::Text => JobEnd::Release(run.first_check(submission.transfer)).into(),
    })
}

/// A refusal, or no clear answer. A pull that was fetched is searched for, whatever the provider answered: it may have taken an earlier
/// copy of the request, as from a gateway that repeats it.
async fn not_accepted(run: &Run<'_>, submission: Submission, failed: &FailedCall) -> Result<Next, AppError> {
    match (failed.fate, submission.transfer) {
        (Fate::Unknown, Transfer::Pull) => return Ok(Step::RevokePull(submission).into()),
        (_, Transfer::Pull) => {
            let now = run.app.now();
            if !run.app.store.revoke_unfetched(submission.id, now).await? {
                tracing::warn!(post = %run.post().id, "a post was fetched and refused, and is looked for: {failed}");
                run.note_revoked(failed).await?;
                return Ok(Step::Search(submission).into());
            }
        }
        (_, Transfer::Upload | Transfer::Text) => {}
    }
    run.app.note_dead_access(&run.platform, failed).await?;
    run.close_failed(&submission, failed).await
}

/// The transfer of a draft, chosen by the tries of the last day.
async fn way(run: &Run<'_>, draft: &Draft) -> Result<Way, AppError> {
    let Some(media) = draft.media.first() else {
        return Ok(Way::plain(Transfer::Text));
    };
    let tries = tries(run).await?;
    Ok(run.provider.way(media.mime.media_type(), &tries))
}

/// The tries since the post was found due: a job that was never claimed before has none.
async fn tries(run: &Run<'_>) -> Result<Vec<Submission>, AppError> {
    if run.job.attempt <= 1 {
        return Ok(Vec::new());
    }
    let since = run.job.deadline_at.minus(RETRY_WINDOW);
    let (store, workspace) = (&run.app.store, run.job.workspace_id);
    let mut tries = store.submissions_of(workspace, run.post().id).await?;
    tries.retain(|submission| submission.started_at >= since);
    Ok(tries)
}

fn is_photo(media: &Media) -> bool {
    media.mime.media_type() == MediaType::Image
}

async fn prepare_photos(run: &Run<'_>, media: &[Media]) -> Result<(), RenditionFailure> {
    let limits = run.provider.photo_limits();
    for photo in media.iter().filter(|media| is_photo(media)) {
        let (app, workspace) = (&run.app, run.job.workspace_id);
        let scaling = Box::pin(app.ensure_rendition(workspace, photo, limits));
        let scaled = tokio::time::timeout(PHOTO_LIMIT, scaling).await;
        scaled.map_err(|_| BlobError::TimedOut {
            key: photo.storage_key.clone(),
            limit: PHOTO_LIMIT,
        })??;
    }
    Ok(())
}
