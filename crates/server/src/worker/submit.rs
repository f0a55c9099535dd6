//! Steps 1 to 4 of a submission: the ledger row, the provider's `begin`, its handle, and the bytes.

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, TryStreamExt};
use playout_domain::explanation::{MEDIA_GONE, PHOTO_UNUSABLE, UPLOAD_EXPIRED};
use playout_domain::job::JobQueue;
use playout_domain::media::{Media, MediaType};
use playout_domain::platform::Platform;
use playout_domain::post::{Draft, Verdict};
use playout_domain::provider::{Accepted, ByteStream, ChunkAnswer, Fate, Grant, Handover, ProviderError};
use playout_domain::secret::Secret;
use playout_domain::submission::{
    AfterChunk, Chunk, SentChunk, Submission, SubmissionOutcome, Transfer, UploadSession, Way,
};
use playout_domain::time::Time;
use playout_media::BlobError;
use playout_store::{NewSubmission, Opening, PullRenewal, Release, Tokens};
use sha2::{Digest, Sha256};
use std::time::Duration;

use super::publish::{Run, settle};
use super::verdicts;
use crate::app::AppError;
use crate::app::limits::window_full;
use crate::app::photos::RenditionFailure;
use crate::app::tokens::{CallError, FailedCall, call_once, call_renewed};
use crate::chance;

/// How long a run waits for one photo to be scaled down, its turn among others included: whoever is before it may wait for a storage
/// that never answers.
const PHOTO_LIMIT: Duration = Duration::from_secs(600);

/// How often in one run the provider may correct our idea of the offset.
const MAX_CORRECTIONS: u32 = 3;

/// Hands a judged draft over.
pub async fn begin(
    run: &Run<'_>,
    (platform, tokens): (&Platform, &Tokens),
    draft: Draft,
) -> Result<(), AppError> {
    let way = run.way(&draft).await?;
    if let Err(failure) = prepare_photos(run, &draft.media).await {
        return match failure {
            RenditionFailure::Picture(error) => {
                run.refused(&PHOTO_UNUSABLE.error_saying(&format!("A photo cannot be used: {error}.")))
                    .await
            }
            RenditionFailure::Internal(error) => Err(error),
        };
    }
    // Before anything is handed over: a storage that is away must not cost a submission each time.
    for media in &draft.media {
        run.app.blobs.head(&media.storage_key).await?;
    }
    let token = (way.transfer == Transfer::Pull).then(chance::token);
    let Some(submission) = open(run, way, token.as_deref()).await? else {
        return Ok(());
    };
    let handover = Handover {
        draft: &draft,
        transfer: way.transfer,
        urls: pull_urls(run, token.as_deref(), &draft.media),
    };
    run.app.reach("publish.before_begin");
    let answer = call_once(tokens, &hand_over(run, platform, &handover)).await;
    run.app.reach("publish.after_begin");
    run.app.starts.is_over(run.job.id);
    match answer {
        Ok(accepted) => go_on(run, submission, accepted).await,
        Err(failed) if failed.fate == Fate::StaleToken => {
            Box::pin(begin_renewed(run, (platform, tokens), submission, handover)).await
        }
        Err(failed) => not_accepted(run, &submission, &failed).await,
    }
}

/// Hands over once more, with renewed access and, where the provider pulls, with other addresses.
async fn begin_renewed(
    run: &Run<'_>,
    (platform, tokens): (&Platform, &Tokens),
    submission: Submission,
    mut handover: Handover<'_>,
) -> Result<(), AppError> {
    match renew_addresses(run, &submission, &handover.draft.media).await? {
        Renewed::Urls(urls) => handover.urls = urls,
        Renewed::Fetched => return run.look(&submission).await,
        Renewed::Lost => return Ok(()),
    }
    let renewed = run
        .app
        .refresh_tokens(&run.provider, platform, tokens.version)
        .await;
    let answer = match renewed {
        Ok(renewed) => call_renewed(&renewed, &hand_over(run, platform, &handover)).await,
        Err(CallError::Provider(failed)) => Err(failed),
        Err(CallError::Internal(error)) => return Err(error),
    };
    match answer {
        Ok(accepted) => go_on(run, submission, accepted).await,
        Err(failed) => not_accepted(run, &submission, &failed).await,
    }
}

/// The call that hands over.
fn hand_over<'a>(
    run: &'a Run<'_>,
    platform: &'a Platform,
    handover: &'a Handover<'a>,
) -> impl Fn(Secret) -> BoxFuture<'a, Result<Accepted, ProviderError>> {
    move |access| {
        Box::pin(async move {
            let grant = Grant {
                platform,
                access: &access,
            };
            run.provider.begin(grant, handover).await
        })
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
    let renewal = run
        .app
        .store
        .renew_pull(run.job, submission.id, token_hash(&token))
        .await?;
    Ok(match renewal {
        PullRenewal::Renewed => Renewed::Urls(pull_urls(run, Some(&token), media)),
        PullRenewal::Fetched => Renewed::Fetched,
        PullRenewal::Lost => Renewed::Lost,
    })
}

/// Step 1. `None` if the fence was lost or the post is no longer to go out.
async fn open(run: &Run<'_>, way: Way, token: Option<&str>) -> Result<Option<Submission>, AppError> {
    run.app.reach("publish.before_open");
    let new = NewSubmission {
        id: chance::id(run.app.now()),
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
    run.app.reach("publish.after_open");
    match opening {
        Opening::Opened => Ok(Some(Submission::begun(new.id, run.post(), way, now))),
        Opening::Lost => Ok(None),
        // Another node, or an earlier process, has taken the last place meanwhile.
        Opening::Full(room) => {
            run.put_off(&window_full(room, now)).await?;
            Ok(None)
        }
    }
}

async fn go_on(run: &Run<'_>, submission: Submission, accepted: Accepted) -> Result<(), AppError> {
    if !run.save_handle(&submission, &accepted).await? {
        return Ok(());
    }
    let submission = Submission {
        handle: Some(accepted.handle),
        upload: accepted.upload,
        ..submission
    };
    match submission.transfer {
        Transfer::Upload => upload(run, submission).await,
        Transfer::Pull | Transfer::Text => first_check(run, submission.transfer).await,
    }
}

/// A refusal, or no clear answer. A pull that was fetched is looked for, whatever the provider answered: it may have taken an earlier copy
/// of the request, as from a gateway that repeats it.
async fn not_accepted(run: &Run<'_>, submission: &Submission, failed: &FailedCall) -> Result<(), AppError> {
    match (failed.fate, submission.transfer) {
        (Fate::Unknown, Transfer::Pull) => return run.revoke(submission).await,
        (_, Transfer::Pull) => {
            let now = run.app.now();
            if !run.app.store.revoke_unfetched(submission.id, now).await? {
                tracing::warn!(post = %run.post().id, "a post was fetched and refused, and is looked for: {failed}");
                run.note_revoked(failed).await?;
                return run.look(submission).await;
            }
        }
        (_, Transfer::Upload | Transfer::Text) => {}
    }
    run.app.note_dead_access(&run.platform, failed).await?;
    run.close_failed(submission, failed).await
}

/// Step 4: sends what is missing, chunk by chunk; the last one only after a note that it is about to be sent.
pub async fn upload(run: &Run<'_>, mut submission: Submission) -> Result<(), AppError> {
    run.app.starts.is_over(run.job.id);
    run.app.slots.end_start(run.job);
    run.app.starts.let_pass().await;
    if !run.app.slots.begin_upload(run.job).await {
        return wait_for_room(run).await;
    }
    let (Some(session), Some(media)) = (submission.upload.clone(), source(run)) else {
        // Where the last chunk may have been sent, only the provider can tell what comes of it.
        return match submission.may_be_out() {
            true => run.check(&submission).await,
            false => broken_off(run, &submission, &MEDIA_GONE.error()).await,
        };
    };
    // An earlier run may have sent the last chunk without hearing what came of it.
    let mut may_be_complete = submission.last_byte_at.is_some();
    let mut is_noted = false;
    let mut corrections = 0;
    while let Some(chunk) = session.chunk_at(submission.sent_bytes) {
        // Opened before anything is noted: a file that is away must not leave a note that its end was sent.
        let bytes = bytes_of(run, chunk, media).await?;
        // Also where an earlier run has noted it: a run that lost its job between its claim and now must not send the end.
        if chunk.is_last && !is_noted {
            let now = run.app.now();
            let Some(first) = mark_last_byte(run, &submission, now).await? else {
                return Ok(());
            };
            submission.last_byte_at = Some(first);
            may_be_complete |= first != now;
            is_noted = true;
        }
        let answer = send(run, &session, (chunk, bytes)).await;
        let sent = SentChunk {
            chunk,
            size_bytes: session.size_bytes,
            may_be_complete,
            may_be_corrected: corrections < MAX_CORRECTIONS,
        };
        let follows = sent.follow(answer.as_ref().copied().map_err(|error| error.fate));
        let error = answer.err().unwrap_or_else(|| UPLOAD_EXPIRED.error());
        match follows {
            AfterChunk::Sent(bytes) => submission.sent_bytes = bytes,
            AfterChunk::Corrected(bytes) => {
                corrections += 1;
                submission.sent_bytes = bytes;
            }
            AfterChunk::BreakOff => return broken_off(run, &submission, &error).await,
            AfterChunk::Unclear => return chunk_failed(run, &submission, &error).await,
        }
        if !run
            .app
            .store
            .record_sent(run.job, submission.id, submission.sent_bytes)
            .await?
        {
            return Ok(());
        }
        run.app.reach("publish.after_chunk");
    }
    first_check(run, Transfer::Upload).await
}

/// Gives the job back, to be claimed where there is room to send its bytes. That is no failure, and no new submission.
async fn wait_for_room(run: &Run<'_>) -> Result<(), AppError> {
    let now = run.app.now();
    let release = Release {
        run_at: now,
        failures: run.job.failures,
        checks: run.job.checks,
        queue: JobQueue::Upload,
    };
    run.app.store.release(run.job, release, now).await?;
    Ok(())
}

/// When the last chunk was first about to be sent; `None` if the job was taken over.
async fn mark_last_byte(run: &Run<'_>, submission: &Submission, now: Time) -> Result<Option<Time>, AppError> {
    run.app.reach("publish.before_last_byte");
    let first = run.app.store.mark_last_byte(run.job, submission.id, now).await?;
    run.app.reach("publish.after_last_byte");
    Ok(first)
}

/// Closes an upload whose last byte was not taken, once the provider was asked.
async fn broken_off(run: &Run<'_>, submission: &Submission, error: &ProviderError) -> Result<(), AppError> {
    match run.nothing_came(submission).await? {
        true => run.close_failed(submission, error).await,
        false => Ok(()),
    }
}

async fn bytes_of(run: &Run<'_>, chunk: Chunk, media: &Media) -> Result<ByteStream, AppError> {
    let range = chunk.offset..chunk.offset + chunk.size_bytes;
    let bytes = run.app.blobs.get_range(&media.storage_key, range).await?;
    Ok(bytes.map_err(std::io::Error::other).boxed())
}

async fn send(
    run: &Run<'_>,
    session: &UploadSession,
    (chunk, bytes): (Chunk, ByteStream),
) -> Result<ChunkAnswer, ProviderError> {
    let answer = run.provider.send(session, chunk, bytes).await;
    run.app.reach(if chunk.is_last {
        "publish.after_last_chunk"
    } else {
        "publish.after_first_chunk"
    });
    answer
}

/// A chunk without a clear answer is sent again, under the same handle, by a later run.
async fn chunk_failed(run: &Run<'_>, submission: &Submission, error: &ProviderError) -> Result<(), AppError> {
    match verdicts::retry(run.job, error, run.app.now()) {
        again @ Verdict::Again { .. } => {
            settle(
                run.app,
                run.job,
                verdicts::settlement(again, verdicts::detail(error)),
            )
            .await
        }
        _ if submission.last_byte_at.is_none() => broken_off(run, submission, error).await,
        _ => {
            let (outcome, detail) = (SubmissionOutcome::Unknown, verdicts::detail(error));
            settle(
                run.app,
                run.job,
                verdicts::closing(submission.id, outcome, verdicts::unconfirmed(), detail),
            )
            .await
        }
    }
}

async fn first_check(run: &Run<'_>, transfer: Transfer) -> Result<(), AppError> {
    let pauses = run.provider.check_policy(transfer).pauses;
    run.release_for_check(pauses.first().copied().unwrap_or(Duration::from_secs(5)), 1)
        .await
}

/// What is uploaded.
pub(super) fn source<'a>(run: &'a Run<'_>) -> Option<&'a Media> {
    let first = run.post().media_ids.first()?;
    run.media.iter().find(|media| media.id == *first)
}

async fn prepare_photos(run: &Run<'_>, media: &[Media]) -> Result<(), RenditionFailure> {
    let limits = run.provider.photo_limits();
    for photo in media
        .iter()
        .filter(|media| media.mime.media_type() == MediaType::Image)
    {
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

/// The single-purpose addresses of a pull. They stop to work when the submission is revoked or closed.
fn pull_urls(run: &Run<'_>, token: Option<&str>, media: &[Media]) -> Vec<String> {
    let Some(token) = token else { return Vec::new() };
    let address = |(index, media): (usize, &Media)| {
        let extension = match media.mime.media_type() {
            MediaType::Image => "jpg",
            _ => media.mime.extension(),
        };
        format!("{}/m/{token}/{index}.{extension}", run.app.config.base_url)
    };
    media.iter().enumerate().map(address).collect()
}

/// How a pull token is stored and looked up.
pub fn token_hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}
