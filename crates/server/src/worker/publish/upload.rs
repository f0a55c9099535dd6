//! Step 4 of a submission: sends what is missing of an upload, chunk by chunk; the last one only after a note that it is about to be
//! sent.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt};
use playout_domain::explanation::{INTERRUPTED, MEDIA_GONE, UPLOAD_EXPIRED};
use playout_domain::job::{JobQueue, Release};
use playout_domain::media::Media;
use playout_domain::provider::{ByteStream, ChunkAnswer, ProviderError};
use playout_domain::submission::{
    AfterChunk, Chunk, Recovery, SentChunk, Submission, Transfer, UploadSession,
};
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;
use playout_media::BlobError;
use playout_store::AllSent;

use super::context::Run;
use super::others::{self, Others};
use super::step::{Abandoned, Next, Step};
use crate::app::AppError;
use crate::worker::job_end::JobEnd;
use crate::worker::verdicts;

/// How old the note of the last chunk may be when the chunk is sent.
const NOTE_IS_FRESH_FOR: Duration = Duration::from_secs(10);

/// How often in one run the provider may correct our idea of the offset.
const MAX_CORRECTIONS: u32 = 3;

/// Sends what is missing.
pub(super) async fn upload(run: &Run<'_>, mut submission: Submission) -> Result<Next, AppError> {
    run.app.starts.is_over(run.job.id);
    run.app.slots.end_start(run.job);
    run.app.starts.let_pass().await;
    if !run.app.slots.begin_upload(run.job).await {
        return Ok(wait_for_room(run).into());
    }
    let (Some(session), Some(media)) = (submission.upload.clone(), run.source()) else {
        return Ok(without_media(submission));
    };
    // An earlier run may have sent the last chunk without receiving the response.
    let may_be_complete = submission.last_byte_at.is_some();
    let mut corrections = 0;
    while let Some(chunk) = session.chunk_at(submission.sent_bytes) {
        // Opened before anything is noted: an unavailable file must not leave a note that its end was sent.
        let bytes = match bytes_of(run, chunk, media).await {
            Ok(bytes) => bytes,
            Err(error) => return without_bytes(submission, error),
        };
        if chunk.is_last {
            match note_last(run, &submission).await? {
                LastChunk::Noted(at) => submission.last_byte_at = Some(at),
                LastChunk::IsNotSent(next) => return Ok(next),
            }
        }
        let failure = Arc::clone(&bytes.failure);
        let Some(answer) = send(run, &session, chunk, bytes.stream).await else {
            return Ok(JobEnd::TakenOver.into());
        };
        if let (Err(_), Some(error)) = (&answer, taken(&failure)) {
            return without_bytes(submission, error.into());
        }
        let sent = SentChunk {
            chunk,
            size_bytes: session.size_bytes,
            may_be_complete,
            may_be_corrected: corrections < MAX_CORRECTIONS,
        };
        let follows = sent.follow(answer.as_ref().copied().map_err(|error| error.fate));
        let error = || answer.err().unwrap_or_else(|| UPLOAD_EXPIRED.error());
        match follows {
            AfterChunk::Sent(bytes) => submission.sent_bytes = bytes,
            AfterChunk::Corrected(bytes) => {
                corrections += 1;
                submission.sent_bytes = bytes;
            }
            AfterChunk::BreakOff => return Ok(Step::Abandon(submission, Abandoned::Failed(error())).into()),
            AfterChunk::Unclear => return Ok(chunk_failed(run, submission, error())),
        }
        if session.chunk_at(submission.sent_bytes).is_none() {
            break;
        }
        let (store, sent_bytes) = (&run.app.store, submission.sent_bytes);
        if !store.record_sent(run.job, submission.id, sent_bytes).await? {
            return Ok(JobEnd::TakenOver.into());
        }
        run.app.failpoint("publish.after_chunk");
    }
    let sent = AllSent {
        submission: submission.id,
        size_bytes: submission.sent_bytes,
    };
    Ok(JobEnd::Sent(sent, run.first_check(Transfer::Upload)).into())
}

/// Whether the last chunk may be sent.
enum LastChunk {
    /// It is noted that it is about to be.
    Noted(Time),
    /// It may not; this follows.
    IsNotSent(Next),
}

/// Notes that the last chunk is about to be sent, if no other try of the post is out. Also where that is noted already: a run that has lost its
/// job must not send the last chunk, and how long that chunk may be on its way counts from the last time that it is sent.
async fn note_last(run: &Run<'_>, submission: &Submission) -> Result<LastChunk, AppError> {
    let looked = match submission.last_byte_at.is_none() && others::are_known(run) {
        true => Others::AreNotOut,
        false => others::look(run, Some(submission)).await?,
    };
    Ok(match looked {
        Others::AreNotOut => match mark_last_byte(run, submission).await? {
            Some(at) => LastChunk::Noted(at),
            None => LastChunk::IsNotSent(JobEnd::TakenOver.into()),
        },
        Others::OneIsOut => {
            LastChunk::IsNotSent(Step::Abandon(submission.clone(), Abandoned::CutShort).into())
        }
        Others::CouldNotBeAsked => LastChunk::IsNotSent(others_are_unclear(run, submission.clone())),
    })
}

/// What follows where the media are no longer stored. Where the last chunk may have been sent, only the provider knows the outcome.
fn without_media(submission: Submission) -> Next {
    let step = match (submission.may_be_out(), submission.recovery()) {
        (true, Recovery::ResumeUpload) => Step::Abandon(submission, Abandoned::CutShort),
        (true, _) => Step::Check(submission),
        (false, _) => Step::Abandon(submission, Abandoned::Failed(MEDIA_GONE.error())),
    };
    step.into()
}

/// What follows where the storage does not return the bytes of a chunk. Where the last chunk may have been sent, the provider is asked all
/// the same; until it can no longer arrive, a later run goes on if the storage has the bytes again.
fn without_bytes(submission: Submission, error: AppError) -> Result<Next, AppError> {
    if !submission.may_be_out() {
        return Err(error);
    }
    let post = submission.post_id;
    tracing::warn!(%post, "an upload whose last chunk may have been sent cannot go on, and is asked about: {error}");
    Ok(Step::Abandon(submission, Abandoned::CutShort).into())
}

/// Nothing more is sent while the provider does not say what became of the other tries. Where the last chunk was not sent either, nothing
/// can come of this one, however long that takes.
fn others_are_unclear(run: &Run<'_>, submission: Submission) -> Next {
    match (submission.last_byte_at, others::wait_for_an_answer(run)) {
        (Some(_), _) => Step::Check(submission).into(),
        (None, Some(waits)) => waits.into(),
        (None, None) => Step::Abandon(submission, Abandoned::Failed(INTERRUPTED.error())).into(),
    }
}

/// Gives the job back, to be claimed where there is room to send its bytes. That is no failure, and no new submission.
fn wait_for_room(run: &Run<'_>) -> JobEnd {
    JobEnd::Release(Release {
        run_at: run.app.now(),
        failures: run.job.failures,
        checks: run.job.checks,
        queue: JobQueue::Upload,
    })
}

/// Notes that the last chunk is about to be sent. Returns the later one of now and the time that was noted before, as a node's clock may have
/// been fast then; `None` if the job was taken over. Where the machine stood still before this returns, as a virtual one does while it is moved, the job may
/// have been taken over since, so it is noted once more.
async fn mark_last_byte(run: &Run<'_>, submission: &Submission) -> Result<Option<Time>, AppError> {
    run.app.failpoint("publish.before_last_byte");
    let mut known = submission.last_byte_at;
    loop {
        let now = run.app.now();
        let at = known.map_or(now, |known| known.max(now));
        let noted = run.app.store.mark_last_byte(run.job, submission.id, known, at);
        if !noted.await? {
            return Ok(None);
        }
        if run.app.now().since(now) < NOTE_IS_FRESH_FOR {
            run.app.failpoint("publish.after_last_byte");
            return Ok(Some(at));
        }
        known = Some(at);
    }
}

/// The bytes of a chunk, and why the storage stopped returning them: the provider's client only learns that the request broke off.
struct Bytes {
    stream: ByteStream,
    failure: Arc<Mutex<Option<BlobError>>>,
}

async fn bytes_of(run: &Run<'_>, chunk: Chunk, media: &Media) -> Result<Bytes, AppError> {
    let (blobs, key) = (&run.app.blobs, &media.storage_key);
    let size_bytes = match media.size_bytes {
        Some(size_bytes) => size_bytes,
        None => blobs.head(key).await?,
    };
    let range = chunk.offset..chunk.offset + chunk.size_bytes;
    let bytes = blobs.get_range(key, range, size_bytes).await?;
    let failure = Arc::new(Mutex::new(None));
    let noted = Arc::clone(&failure);
    let stream = bytes.map_err(move |error| {
        let broken = std::io::Error::other(error.to_string());
        *noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        broken
    });
    Ok(Bytes {
        stream: stream.boxed(),
        failure,
    })
}

fn taken(failure: &Mutex<Option<BlobError>>) -> Option<BlobError> {
    failure.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Sends a chunk; `None` if the job was lost meanwhile, and the request was ended.
async fn send(
    run: &Run<'_>,
    session: &UploadSession,
    chunk: Chunk,
    bytes: ByteStream,
) -> Option<Result<ChunkAnswer, ProviderError>> {
    let answer = tokio::select! {
        answer = run.provider.send(session, chunk, bytes) => answer,
        () = run.given_up.cancelled() => return None,
    };
    run.app.failpoint(if chunk.is_last {
        "publish.after_last_chunk"
    } else {
        "publish.after_other_chunk"
    });
    Some(answer)
}

/// A chunk without a clear answer is sent again, under the same handle, by a later run.
fn chunk_failed(run: &Run<'_>, submission: Submission, error: ProviderError) -> Next {
    match verdicts::retry(run.job, &error, run.app.now()) {
        again @ Verdict::Again { .. } => verdicts::settlement(again, verdicts::detail(&error)).into(),
        _ if submission.last_byte_at.is_none() => Step::Abandon(submission, Abandoned::Failed(error)).into(),
        _ => run.close_unknown(&submission, &error).into(),
    }
}
