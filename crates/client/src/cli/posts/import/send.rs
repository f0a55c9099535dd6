//! Sends the rows of a file, up to a hundred in a request.
//!
//! A run that comes after another sends the same requests with the same keys. The service returns its earlier responses, so that nothing is
//! created twice; rows that failed then are sent once more, as requests of their own.

use std::collections::BTreeMap;
use std::ops::Range;

use playout_client::{Api, BatchEntry, Error};
use playout_wire::posts::MAX_BATCH;
use serde_json::{Value, json};

use super::draft::{Draft, FRAME_BYTES, MAX_BYTES, MediaName};
use super::heads::Unusable;
use super::journal::Journal;
use super::notes::Request;
use super::state::{Outcome, Problem, RowState};
use super::uploads::Uploads;
use crate::cli::bars::Spinner;
use crate::cli::interrupts::Interrupts;

/// How to continue an import.
pub(super) const GO_ON: &str = "Run the same command again: it goes on, and creates nothing twice.";

/// The code of a row that failed before, and may have been corrected in the file of what failed.
const IMPORTED_SINCE: &str = "imported_since";

/// An import that goes on.
pub(super) struct Sender<'a> {
    pub(super) api: &'a Api,
    pub(super) journal: Journal,
    pub(super) uploads: Uploads<'a>,
    pub(super) spinner: Spinner,
    pub(super) interrupts: &'a Interrupts,
    /// Whether rows that failed in an earlier run are sent once more: not if the file that it left of them was imported since, and created
    /// something.
    pub(super) may_retry: bool,
}

impl Sender<'_> {
    /// Sends all rows; what became of each is in `rows`.
    ///
    /// # Errors
    /// Why the import stopped. Rows that were not sent, and those without a response, are marked so.
    pub(super) async fn send_all(&mut self, rows: &mut [RowState]) -> Result<(), Error> {
        // What became of what an earlier run has sent is known once it is sent again.
        for at in self.journal.sent_before() {
            if let Some(row) = rows.get_mut(at) {
                row.set_open(&Outcome::Unknown);
            }
        }
        let mut first = 0;
        self.interrupts.next(GO_ON.to_owned());
        while first < rows.len() {
            if first > 0 {
                self.interrupts
                    .next(format!("{first} of {} rows were sent. {GO_ON}", rows.len()));
            }
            self.spinner
                .say(format!("Importing row {} of {}", first + 1, rows.len()));
            let end = self.send_from(rows, first).await?;
            self.journal.reaches(end, rows)?;
            first = end;
        }
        self.journal.ended()
    }

    /// Marks what failed, and the file of what failed does not have as it is. Where the row that stands for it there was created, it is that row,
    /// corrected.
    pub(super) fn leave_to_the_rest(&self, rows: &mut [RowState]) {
        for (at, row) in rows.iter_mut().enumerate() {
            let is_unreadable = row.draft.is_err();
            for account in &mut row.accounts {
                let is_left = |problem: &Problem| is_unreadable || problem.code == IMPORTED_SINCE;
                if !matches!(&account.outcome, Outcome::Failed(problem) if is_left(problem)) {
                    continue;
                }
                account.outcome = match self.journal.is_corrected(at, &account.name) {
                    true => Outcome::Continued,
                    false => Outcome::Failed(left_to_its_own_file()),
                };
            }
        }
    }

    /// Sends the rows that begin at a position; returns the position after them.
    async fn send_from(&mut self, rows: &mut [RowState], first: usize) -> Result<usize, Error> {
        let mut attempt = 0;
        let mut until = None;
        loop {
            let key = self.journal.key_of(first, attempt);
            let earlier = self.journal.request(&key);
            let unsent = || first + fitting(&rows[first..]);
            let end = until
                .or(earlier.as_ref().map(|request| request.until))
                .unwrap_or_else(unsent);
            let is_repeated = attempt > 0 || (earlier.is_none() && end <= self.journal.reached());
            if is_repeated && !self.may_retry {
                let left = || Outcome::Failed(left_to_its_own_file());
                for (at, row) in (first..end).zip(&mut rows[first..end]) {
                    row.set_open_by(|account| {
                        let of_another = left_to_another(&self.journal, at, account);
                        Some(of_another.unwrap_or_else(left))
                    });
                }
                return Ok(end);
            }
            let is_new = earlier.is_none();
            let request = match earlier {
                Some(request) => request,
                None => self.request_of(rows, first..end).await?,
            };
            let end = *until.get_or_insert(request.until);
            if request.rows.is_empty() {
                return Ok(end);
            }
            self.journal.sends(&key, &request)?;
            let sent = self.send(rows, &request, &key, is_new).await;
            if is_new && matches!(&sent, Err(error) if !error.may_be_done) {
                self.journal.was_rejected(&key)?;
            }
            let is_replayed = sent?;
            let is_open = rows[first..end].iter().any(|row| !row.open().is_empty());
            if !is_replayed || !is_open {
                return Ok(end);
            }
            attempt += 1;
        }
    }

    /// The request for those of the rows that are still open and can be sent.
    async fn request_of(&mut self, rows: &mut [RowState], which: Range<usize>) -> Result<Request, Error> {
        for at in which.clone() {
            rows[at].set_open_by(|account| left_to_another(&self.journal, at, account));
        }
        let open = |row: &RowState| row.draft.is_ok() && !row.open().is_empty();
        let files = rows[which.clone()].iter().filter(|row| open(row));
        let files = files
            .flat_map(|row| row.draft.iter().flat_map(Draft::files))
            .cloned()
            .collect::<Vec<_>>();
        self.uploads.provide(files.into_iter()).await?;
        let mut request = Request {
            rows: Vec::new(),
            until: which.end,
            posts: Vec::new(),
        };
        for at in which {
            let row = &mut rows[at];
            let (Ok(draft), accounts) = (&row.draft, row.open()) else {
                continue;
            };
            if accounts.is_empty() {
                continue;
            }
            match self.media_ids(draft) {
                Ok(ids) => {
                    request.posts.push(draft.post(&accounts, &ids));
                    request.rows.push(at);
                }
                Err(error) => row.set_open(&Outcome::Failed((&error).into())),
            }
        }
        Ok(request)
    }

    fn media_ids(&self, draft: &Draft) -> Result<Vec<String>, Error> {
        let id = |media: &MediaName| match media {
            MediaName::Id(id) => Ok(id.clone()),
            MediaName::File(path) => self.uploads.id_of(path),
        };
        draft.media.iter().map(id).collect()
    }

    /// Sends a request and takes over its response; returns whether that is the response of an earlier one. `is_new`: no earlier run has sent it.
    async fn send(
        &self,
        rows: &mut [RowState],
        request: &Request,
        key: &str,
        is_new: bool,
    ) -> Result<bool, Error> {
        let body = json!({ "posts": request.posts });
        match self.api.create_posts(&body, key).await {
            Ok(reply) => {
                let is_replayed = reply.value.is_replayed;
                take_over(rows, request, reply.value.results, is_replayed && !is_new);
                Ok(is_replayed)
            }
            Err(error) => {
                if error.may_be_done {
                    for at in &request.rows {
                        rows[*at].set_open(&Outcome::Unknown);
                    }
                }
                Err(error)
            }
        }
    }
}

/// The outcome of a post that another import may have created: it has, or that is not known before that one has ended.
fn left_to_another(journal: &Journal, row: usize, account: &str) -> Option<Outcome> {
    let creator = journal.creator_of(row, account)?;
    Some(match creator.has_ended {
        true => Outcome::Continued,
        false => Outcome::Blocked(Problem {
            code: "import_interrupted".to_owned(),
            message: format!(
                "may be created by the import of {}, which has not ended: run that one again first",
                creator.path.display()
            ),
            details: None,
        }),
    })
}

/// Why a row that failed before is not sent again, where the file of what failed was imported since, and does not have it as it is.
fn left_to_its_own_file() -> Problem {
    Problem {
        code: IMPORTED_SINCE.to_owned(),
        message: "failed before, and the file of what failed was imported since, where it may have been corrected; if it is missing, import \
                  it from the new file of what failed"
            .to_owned(),
        details: None,
    }
}

/// Checks all rows: nothing is created, and nothing uploaded. As in an import, the post of a row with a file that is unusable is not sent.
///
/// # Errors
/// Those of every operation.
pub(super) async fn check_all(api: &Api, rows: &mut [RowState], unusable: &Unusable) -> Result<(), Error> {
    for row in &mut *rows {
        if let Some(error) = unusable.of(row) {
            row.set_open(&Outcome::Failed(error.into()));
        }
    }
    let mut first = 0;
    while first < rows.len() {
        let until = first + fitting(&rows[first..]);
        let sent = (first..until).filter(|at| rows[*at].draft.is_ok() && unusable.of(&rows[*at]).is_none());
        let sent: Vec<usize> = sent.collect();
        let posts = sent.iter().filter_map(|at| {
            let draft = rows[*at].draft.as_ref().ok()?;
            let ids = draft.media.iter().filter_map(MediaName::id);
            Some(draft.post(&draft.platform_ids, &ids.collect::<Vec<_>>()))
        });
        let request = Request {
            posts: posts.collect(),
            rows: sent,
            until,
        };
        if !request.rows.is_empty() {
            let body = json!({ "posts": request.posts, "dryRun": true });
            let reply = api
                .create_posts(&body, &playout_client::idempotency_key())
                .await?;
            take_over(rows, &request, reply.value.results, false);
            request.rows.iter().for_each(|at| pass_over_media(&mut rows[*at]));
        }
        first = until;
    }
    Ok(())
}

/// Takes out what is wrong with the media of a row whose files were not uploaded.
fn pass_over_media(row: &mut RowState) {
    if !row
        .draft
        .as_ref()
        .is_ok_and(|draft| draft.files().next().is_some())
    {
        return;
    }
    for account in &mut row.accounts {
        if let Outcome::Failed(problem) = &account.outcome
            && let Some(left) = without_media(problem)
        {
            account.outcome = left;
        }
    }
}

/// What is left of a problem that lists its parts; its code is then that of the first of them.
fn without_media(problem: &Problem) -> Option<Outcome> {
    let issues = problem.details.as_ref()?.as_array()?.iter();
    let left: Vec<Value> = issues
        .filter(|issue| issue["path"][0] != "mediaIds")
        .cloned()
        .collect();
    let Some(first) = left.first() else {
        return Some(Outcome::Valid);
    };
    let code = match (problem.code.as_str(), first["path"][0].as_str()) {
        ("invalid_media", Some("settings")) => "invalid_settings",
        ("invalid_media", Some("comments")) => "comments_not_supported",
        (code, _) => code,
    };
    Some(Outcome::Failed(Problem {
        code: code.to_owned(),
        message: problem.message.clone(),
        details: Some(Value::Array(left)),
    }))
}

fn take_over(rows: &mut [RowState], request: &Request, entries: Vec<BatchEntry>, is_repeated: bool) {
    let mut entries: BTreeMap<usize, BatchEntry> =
        entries.into_iter().map(|entry| (entry.index, entry)).collect();
    for (index, at) in request.rows.iter().enumerate() {
        let accounts = request.posts[index]["platformIds"].as_array();
        let accounts: Vec<String> = accounts
            .into_iter()
            .flatten()
            .filter_map(|id| id.as_str().map(str::to_owned))
            .collect();
        if let (Some(entry), Some(row)) = (entries.remove(&index), rows.get_mut(*at)) {
            row.apply(entry, &accounts, is_repeated);
        }
    }
}

/// How many of the rows fit into one request.
fn fitting(rows: &[RowState]) -> usize {
    let mut bytes = FRAME_BYTES;
    let rows = rows.iter().take(MAX_BATCH);
    let sizes = rows.map(|row| row.draft.as_ref().map_or(0, Draft::size_bytes));
    let fit = sizes.take_while(|size| {
        bytes += size;
        bytes <= MAX_BYTES
    });
    fit.count().max(1)
}
