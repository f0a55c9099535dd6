//! The way of a file from its address into the upload of an import.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::error::{Code, Refusal};
use playout_domain::id::WorkspaceId;
use playout_domain::time::Time;
use playout_domain::workspace::Plan;
use playout_store::{Import, NewLength, Resized, Upload};
use reqwest::Response;
use reqwest::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue, IF_RANGE, RANGE};

use super::answer::{Answer, validator};
use super::source::{LEAST_BYTES, Source, brisk};
use super::waits::Tries;
use crate::app::media::{invalid_file, too_large};
use crate::app::refusals::storage_limit_reached;
use crate::app::uploads::{Body, Chunk, Received};
use crate::app::{App, AppError};
use crate::egress::Unfetched;

/// How long the bytes may take to come, with the pauses between tries and without the waiting for a turn.
const TIME_LIMIT: Duration = Duration::from_secs(600);
/// How long an address may take to answer at its first try, while others wait for the place, and afterwards.
const FIRST_ANSWER_WITHIN: Duration = Duration::from_secs(10);
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// The pauses after failures in a row, in seconds; the last is repeated.
const PAUSES: [u64; 4] = [1, 4, 15, 60];
/// How long the address may send nothing between two steps.
const SILENCE: Duration = Duration::from_secs(30);
/// The largest file where the plan has no limit: an address may announce any length, and storage is counted for it.
const MOST: u64 = 1 << 40;
/// Storage is reserved in such steps for a file whose length is not announced.
const STEP: u64 = 16 << 20;

/// How a run of an import ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The object is READY, has failed, or is gone.
    Over,
    /// The file could not be fetched.
    Failed(String),
    /// The service stops.
    Stopped,
    /// Another has the file.
    Held,
    /// The address is asked again then; until then another import has the place of this one.
    Waits(Time),
}

/// What became of asking an address once.
enum Asked {
    Ended(Ended),
    /// What went wrong, and how long to wait where the address says so.
    Again(String, Option<Duration>),
}

/// A run of an import.
pub(super) struct Fetching<'a> {
    app: &'a Arc<App>,
    workspace: WorkspaceId,
    url: &'a str,
    upload: Upload,
    /// By what the bytes that are in can be recognised.
    validator: Option<String>,
    /// Whether the upload's length is that of the file.
    is_measured: bool,
    plan: &'a Plan,
    tries: Tries,
}

impl<'a> Fetching<'a> {
    pub(super) fn new(app: &'a Arc<App>, import: &'a Import, plan: &'a Plan) -> Self {
        Self {
            app,
            workspace: import.workspace_id,
            url: &import.url,
            upload: import.upload.clone(),
            validator: import.validator.clone(),
            is_measured: import.is_measured,
            plan,
            tries: app
                .import_waits
                .take(import.upload.media.id)
                .unwrap_or_else(|| Tries::lasting(TIME_LIMIT)),
        }
    }

    /// Asks the address for what is missing, and looks into the file where nothing is.
    pub(super) async fn run(mut self) -> Result<Ended, AppError> {
        if self.is_complete() {
            return self.finish().await;
        }
        let app = Arc::clone(self.app);
        let ends_at = app.now().plus(self.tries.left);
        let before = self.upload.received_bytes;
        let asked = tokio::select! {
            biased;
            asked = self.ask() => asked?,
            () = app.clock.sleep_until(ends_at) => Asked::Again("The file did not arrive.".to_owned(), None),
        };
        let (problem, wait) = match asked {
            Asked::Ended(ended) => return Ok(ended),
            Asked::Again(problem, wait) => (problem, wait),
        };
        let id = self.upload.media.id;
        let Some(current) = app.store.find_import(id).await? else {
            return Ok(Ended::Over);
        };
        if current.upload.received_bytes >= before.saturating_add(LEAST_BYTES) {
            self.tries.failures = 0;
        }
        let pause = Duration::from_secs(PAUSES[usize::min(self.tries.failures, PAUSES.len() - 1)]);
        self.tries.failures += 1;
        let Some(at) = again_at(app.now(), wait.unwrap_or(pause).max(pause), ends_at) else {
            let minutes = TIME_LIMIT.as_secs() / 60;
            return Ok(Ended::Failed(format!(
                "{problem} It was tried for {minutes} minutes."
            )));
        };
        self.tries.left = ends_at.since(at);
        app.import_waits.keep(id, self.tries, at);
        Ok(Ended::Waits(at))
    }

    fn is_complete(&self) -> bool {
        self.is_measured && self.upload.media.size_bytes == Some(self.upload.received_bytes)
    }

    /// Asks the address for what is missing, and takes it in.
    async fn ask(&mut self) -> Result<Asked, AppError> {
        let within = match self.tries.failures {
            0 => FIRST_ANSWER_WITHIN,
            _ => ANSWER_WITHIN,
        };
        let late = self.app.now().plus(within);
        let response = tokio::select! {
            biased;
            response = self.app.egress.get(self.url, self.headers()) => response,
            () = self.app.closing.cancelled() => return Ok(Asked::Ended(Ended::Stopped)),
            () = self.app.clock.sleep_until(late) => {
                Err(Unfetched::NoAnswer(format!("There was no answer within {} seconds.", within.as_secs())))
            }
        };
        let response = match response {
            Ok(response) => response,
            Err(Unfetched::NoAnswer(problem)) => return Ok(Asked::Again(problem, None)),
            Err(Unfetched::Refused(problem)) => return Ok(Asked::Ended(Ended::Failed(problem))),
        };
        match Answer::of(&response, self.app.now()) {
            Answer::Whole(length) => Box::pin(self.take_whole(response, length)).await,
            Answer::Rest(..) | Answer::Changed if !self.asks_for_rest() => {
                let problem =
                    "The address sent a part of the file, although all of it was asked for.".to_owned();
                Ok(Asked::Ended(Ended::Failed(problem)))
            }
            Answer::Rest(from, of)
                if from == self.upload.received_bytes
                    && self.may_be(of)
                    && self.is_of_the_same(response.headers()) =>
            {
                Box::pin(self.take_rest(response, of)).await
            }
            Answer::Rest(..) | Answer::Changed => {
                let id = self.upload.media.id;
                self.app.store.set_import_source(id, None, false).await?;
                Ok(Asked::Again(
                    "The file changes while it is fetched.".to_owned(),
                    None,
                ))
            }
            Answer::Later(problem, wait) => Ok(Asked::Again(problem, wait)),
            Answer::None(problem) => Ok(Asked::Ended(Ended::Failed(problem))),
        }
    }

    /// Whether the address can tell if the file is still the same as the bytes that are in.
    fn asks_for_rest(&self) -> bool {
        self.upload.received_bytes > 0 && self.validator.is_some()
    }

    /// Whether an answer does not name another version of the file than that of the bytes that are in.
    fn is_of_the_same(&self, headers: &HeaderMap) -> bool {
        validator(headers).is_none_or(|version| self.validator.as_ref() == Some(&version))
    }

    /// Whether the file may have that length.
    fn may_be(&self, length: u64) -> bool {
        !self.is_measured || self.upload.media.size_bytes == Some(length)
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let received = self.upload.received_bytes;
        let known = self.validator.as_deref().filter(|_| self.asks_for_rest());
        let range = HeaderValue::try_from(format!("bytes={received}-"));
        if let (Some(Ok(validator)), Ok(range)) = (known.map(HeaderValue::from_str), range) {
            headers.insert(IF_RANGE, validator);
            headers.insert(RANGE, range);
        }
        headers
    }

    async fn take_whole(&mut self, response: Response, length: Option<u64>) -> Result<Asked, AppError> {
        if let Err(refusal) = self.check_length(length) {
            return self.refuse(refusal).await;
        }
        let (id, from) = (self.upload.media.id, self.upload.received_bytes);
        let store = &self.app.store;
        if from > 0 && !store.advance_upload(self.workspace, id, (from, 0), None).await? {
            return Ok(Asked::Ended(Ended::Held));
        }
        (self.upload.received_bytes, self.upload.note) = (0, None);
        // Its length is known once storage is counted for it.
        let version = validator(response.headers());
        store.set_import_source(id, version.as_deref(), false).await?;
        (self.validator, self.is_measured) = (version, false);
        match length {
            Some(length) => self.take_measured(response, length).await,
            None => self.take_unknown(response).await,
        }
    }

    /// Takes the rest of a file in, whose length the address names.
    async fn take_rest(&mut self, response: Response, length: u64) -> Result<Asked, AppError> {
        match self.check_length(Some(length)) {
            Ok(()) => self.take_measured(response, length).await,
            Err(refusal) => self.refuse(refusal).await,
        }
    }

    async fn take_measured(&mut self, response: Response, length: u64) -> Result<Asked, AppError> {
        match self.measure(length).await? {
            Some(asked) => Ok(asked),
            None => self.take_known(response).await,
        }
    }

    /// Gives the upload the length of its file.
    async fn measure(&mut self, length: u64) -> Result<Option<Asked>, AppError> {
        if let Some(asked) = self.resize(length).await? {
            return Ok(Some(asked));
        }
        let id = self.upload.media.id;
        self.app
            .store
            .set_import_source(id, self.validator.as_deref(), true)
            .await?;
        self.is_measured = true;
        Ok(None)
    }

    fn check_length(&self, length: Option<u64>) -> Result<(), Refusal> {
        match (length, self.plan.max_video_bytes) {
            (Some(0), _) => Err(invalid_file("the file is empty")),
            (Some(length), most) if length > most.unwrap_or(MOST) => Err(too_large(most.unwrap_or(MOST))),
            _ => Ok(()),
        }
    }

    async fn take_known(&mut self, response: Response) -> Result<Asked, AppError> {
        match self.take_in(brisk(&self.app.clock, response)).await? {
            Ok(Received::All(upload, held)) => {
                let finished = self.app.finish_upload(self.workspace, upload, held).await;
                over(finished.map(drop))
            }
            Ok(Received::Part(_)) => Ok(Asked::Again("The connection broke off.".to_owned(), None)),
            Err(asked) => Ok(asked),
        }
    }

    /// Takes a file in whose length is not announced: step by step, each of which is reserved before.
    async fn take_unknown(&mut self, response: Response) -> Result<Asked, AppError> {
        let source = Source::new(brisk(&self.app.clock, response));
        loop {
            let received = self.upload.received_bytes;
            let most = self.plan.max_video_bytes.unwrap_or(MOST);
            if received >= most {
                return self.refuse(too_large(most)).await;
            }
            let size = match self.reserve(most.min(received.saturating_add(STEP))).await? {
                Ok(size) => size,
                Err(asked) => return Ok(asked),
            };
            match self.take_in(source.next(size - received)).await? {
                Ok(Received::All(upload, held)) => {
                    // Who finishes the file takes it again.
                    drop(held);
                    self.upload = upload;
                    match self.has_more(&source).await {
                        Ok(true) => {}
                        Ok(false) => return self.end_unknown().await,
                        Err(asked) => return Ok(asked),
                    }
                }
                Ok(Received::Part(upload)) => {
                    self.upload = upload;
                    return self.end_unknown().await;
                }
                Err(asked) => return Ok(asked),
            }
        }
    }

    /// Reserves a step up to `to`, or what storage has left of it; its end.
    async fn reserve(&mut self, to: u64) -> Result<Result<u64, Asked>, AppError> {
        match self.try_resize(to).await? {
            Resized::Done => Ok(Ok(to)),
            Resized::Lost => Ok(Err(Asked::Ended(Ended::Held))),
            Resized::StorageLimitReached { limit, used } => {
                let own = self.upload.media.size_bytes.unwrap_or(0);
                let left = own.saturating_add(limit.saturating_sub(used)).min(to);
                let is_some = left > self.upload.received_bytes;
                if is_some && self.try_resize(left).await? == Resized::Done {
                    return Ok(Ok(left));
                }
                Ok(Err(self.refuse(storage_limit_reached(limit, used)).await?))
            }
        }
    }

    /// Whether bytes follow after a step.
    async fn has_more(&self, source: &Source) -> Result<bool, Asked> {
        let silent = self.app.now().plus(SILENCE);
        tokio::select! {
            biased;
            is_at_end = source.is_at_end() => Ok(!is_at_end),
            () = self.app.closing.cancelled() => Err(Asked::Ended(Ended::Stopped)),
            () = self.app.clock.sleep_until(silent) => Err(Asked::Again("The connection broke off.".to_owned(), None)),
        }
    }

    /// The last byte of a file of unknown length is in.
    async fn end_unknown(&mut self) -> Result<Asked, AppError> {
        match self.upload.received_bytes {
            0 => self.refuse(invalid_file("the file is empty")).await,
            received => match self.measure(received).await? {
                Some(asked) => Ok(asked),
                None => self.finish().await.map(Asked::Ended),
            },
        }
    }

    /// Gives the upload that length; what ends this where that is not possible.
    async fn resize(&mut self, to: u64) -> Result<Option<Asked>, AppError> {
        Ok(match self.try_resize(to).await? {
            Resized::Done => None,
            Resized::StorageLimitReached { limit, used } => {
                Some(self.refuse(storage_limit_reached(limit, used)).await?)
            }
            Resized::Lost => Some(Asked::Ended(Ended::Held)),
        })
    }

    async fn try_resize(&mut self, to: u64) -> Result<Resized, AppError> {
        let (id, from) = (self.upload.media.id, self.upload.media.size_bytes);
        if from == Some(to) {
            return Ok(Resized::Done);
        }
        let (store, limit) = (&self.app.store, self.plan.storage_bytes);
        let length = NewLength { from, to };
        let resized = store.resize_import(self.workspace, id, length, limit).await?;
        if resized == Resized::Done {
            self.upload.media.size_bytes = Some(to);
        }
        Ok(resized)
    }

    async fn take_in(&mut self, body: Body) -> Result<Result<Received, Asked>, AppError> {
        let upload = self.upload.clone();
        let chunk = Chunk {
            offset: upload.received_bytes,
            length: None,
            checksum: None,
            body,
        };
        match self.app.take_import_in(self.workspace, upload, chunk).await {
            Ok(received) => Ok(Ok(received)),
            Err(AppError::Refused(refusal)) => match refusal.code {
                Code::InvalidRequest => Ok(Err(Asked::Again("The connection broke off.".to_owned(), None))),
                Code::PayloadTooLarge => {
                    let problem = "The response brings more bytes than it says.".to_owned();
                    Ok(Err(Asked::Again(problem, None)))
                }
                // What was noted is not there: it is fetched again from the beginning.
                Code::MediaNotFound => {
                    let (id, from) = (self.upload.media.id, self.upload.received_bytes);
                    self.app
                        .store
                        .advance_upload(self.workspace, id, (from, 0), None)
                        .await?;
                    Ok(Err(Asked::Again("What was received is lost.".to_owned(), None)))
                }
                Code::UploadLocked if self.app.closing.is_cancelled() => {
                    Ok(Err(Asked::Ended(Ended::Stopped)))
                }
                Code::UploadLocked => Ok(Err(Asked::Ended(Ended::Held))),
                // Its failure is noted already, or it is gone.
                _ => Ok(Err(Asked::Ended(Ended::Over))),
            },
            Err(error) => Err(error),
        }
    }

    /// Ends the import of a file that is not accepted.
    async fn refuse(&self, refusal: Refusal) -> Result<Asked, AppError> {
        self.app
            .refuse_upload(self.workspace, &self.upload.media, &refusal)
            .await?;
        Ok(Asked::Ended(Ended::Over))
    }

    /// Looks into the file, whose bytes are all in.
    async fn finish(&self) -> Result<Ended, AppError> {
        let (id, length) = (self.upload.media.id, self.upload.received_bytes);
        match self.app.finish_complete(self.workspace, id, length).await {
            Err(AppError::Refused(refusal)) if refusal.code == Code::UploadLocked => Ok(Ended::Held),
            Ok(_) | Err(AppError::Refused(_)) => Ok(Ended::Over),
            Err(error) => Err(error),
        }
    }
}

/// A file that is not accepted is noted as such by who finishes it.
fn over(finished: Result<(), AppError>) -> Result<Asked, AppError> {
    match finished {
        Ok(()) | Err(AppError::Refused(_)) => Ok(Asked::Ended(Ended::Over)),
        Err(error) => Err(error),
    }
}

/// When something is tried again, or `None` where that would be too late.
fn again_at(now: Time, after: Duration, ends_at: Time) -> Option<Time> {
    Some(now.plus(after)).filter(|at| *at < ends_at)
}
