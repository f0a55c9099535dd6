//! What a run does first, from what is known of its post. Pure.

use playout_domain::explanation::{INTERRUPTED, PULL_UNFETCHED};
use playout_domain::submission::{Recovery, Submission, Transfer};
use playout_store::HoldMark;

use super::context::Run;
use super::step::{Abandoned, Step};

/// The first step of a run whose post is in QUEUE: from whether its account is disabled, the try that has not ended or ended in doubt,
/// and the mark of a hold.
pub(super) fn first(is_disabled: bool, unsettled: Option<Submission>, mark: Option<HoldMark>) -> Step {
    let mark_of_hold = mark.as_ref();
    let is_before_hold =
        |open: &Submission| mark_of_hold.is_some_and(|mark| may_have_been_followed(mark, open));
    match unsettled {
        Some(open) if open.is_open() && is_disabled => of_disabled(open),
        _ if is_disabled => Step::GiveUp(None),
        // Nothing is sent until the status shows whether the refused chunk was taken.
        Some(open) if open.is_open() && is_cut_short(&open) && open.code.is_some() => {
            Step::Abandon(open, Abandoned::CutShort)
        }
        Some(open) if open.is_open() && is_before_hold(&open) => of_before_hold(open),
        Some(open) if open.is_open() => recovery(open),
        Some(doubtful) => Step::Reconcile(doubtful, mark),
        None => mark.map_or(Step::JudgeLateness, Step::SearchFirst),
    }
}

/// Whether a hold has marked the post of a submission after it began: another may have followed that this database does not know.
pub(super) fn may_have_been_followed(mark: &HoldMark, submission: &Submission) -> bool {
    mark.looked_at
        .is_none_or(|looked_at| submission.started_at <= looked_at)
}

/// Whether bytes of an upload are missing although its last chunk may have been sent.
fn is_cut_short(open: &Submission) -> bool {
    open.last_byte_at.is_some() && open.recovery() == Recovery::ResumeUpload
}

/// An earlier run left it open.
fn recovery(open: Submission) -> Step {
    match open.recovery() {
        Recovery::BeginAgain => Step::Close(open, INTERRUPTED.error()),
        Recovery::ResumeUpload => Step::Upload(open),
        Recovery::Check => Step::Check(open),
        Recovery::Revoke => Step::RevokePull(open),
        Recovery::Search => Step::Search(open),
    }
}

/// What follows an open try that another may have followed, as after a hold that could not search the account: nothing more is sent. Once it
/// is closed the post is searched for before another is begun.
fn of_before_hold(open: Submission) -> Step {
    match open.recovery() {
        Recovery::ResumeUpload if is_cut_short(&open) => Step::Abandon(open, Abandoned::CutShort),
        Recovery::ResumeUpload => Step::Abandon(open, Abandoned::Failed(INTERRUPTED.error())),
        Recovery::BeginAgain | Recovery::Check | Recovery::Revoke | Recovery::Search => recovery(open),
    }
}

/// What follows an open try whose account is disabled: nothing is begun any more. The provider is asked for the status of what it may
/// have; what it cannot have is given up.
fn of_disabled(open: Submission) -> Step {
    match open.recovery() {
        Recovery::BeginAgain => Step::GiveUp(Some(open)),
        // A run that lost its job may still be sending the last chunk.
        Recovery::ResumeUpload if is_cut_short(&open) => Step::Abandon(open, Abandoned::CutShort),
        Recovery::ResumeUpload => Step::Abandon(open, Abandoned::Disabled),
        Recovery::Check => Step::Check(open),
        Recovery::Revoke => Step::RevokePull(open),
        Recovery::Search => Step::Search(open),
    }
}

/// Whether a pull has waited for long enough, and the post could be transferred in another way.
pub(super) fn should_cancel_pull(run: &Run<'_>, submission: &Submission) -> bool {
    let (patience, now) = (run.app.config.pull_patience, run.app.now());
    if submission.handle.is_none() || !submission.lies_unfetched(patience, now) {
        return false;
    }
    let Some(media) = run.source() else { return false };
    let as_unfetched = Submission {
        code: Some(PULL_UNFETCHED.code.to_owned()),
        ..submission.clone()
    };
    let way = run.provider.way(media.mime.media_type(), &[as_unfetched]);
    way.transfer != Transfer::Pull
}

#[cfg(test)]
mod tests {
    use playout_domain::id::{PlatformId, PostId, SubmissionId};
    use playout_domain::submission::{SubmissionOutcome, UploadSession};
    use playout_domain::time::Time;
    use uuid::Uuid;

    use super::*;

    const NOW: Time = Time::from_secs(0);

    fn open(transfer: Transfer, handle: Option<&str>) -> Submission {
        Submission {
            id: SubmissionId(Uuid::nil()),
            post_id: PostId(Uuid::nil()),
            content: None,
            platform_id: PlatformId(Uuid::nil()),
            transfer,
            handle: handle.map(str::to_owned),
            upload: None,
            sent_bytes: 0,
            last_byte_at: None,
            fetched_at: None,
            revoked_at: None,
            started_at: NOW,
            closed_at: None,
            outcome: None,
            code: None,
            message: None,
            log_id: None,
            next_retry_at: None,
        }
    }

    fn mark() -> HoldMark {
        HoldMark {
            since: NOW,
            looked_at: None,
            content: None,
            was_hidden: false,
        }
    }

    #[test]
    fn begins_only_where_no_try_is_unsettled_and_no_hold_has_marked_the_post() {
        assert!(matches!(first(false, None, None), Step::JudgeLateness));
        assert!(matches!(first(false, None, Some(mark())), Step::SearchFirst(_)));
        let doubtful = Submission {
            closed_at: Some(NOW),
            outcome: Some(SubmissionOutcome::Unknown),
            ..open(Transfer::Upload, Some("handle"))
        };
        assert!(matches!(
            first(false, Some(doubtful), Some(mark())),
            Step::Reconcile(_, Some(_))
        ));
    }

    #[test]
    fn continues_an_open_submission_as_far_as_it_had_come() {
        let of = |submission| first(false, Some(submission), Some(mark()));
        assert!(matches!(of(open(Transfer::Upload, None)), Step::Close(..)));
        assert!(matches!(of(open(Transfer::Upload, Some("h"))), Step::Check(_)));
        assert!(matches!(of(open(Transfer::Pull, Some("h"))), Step::Check(_)));
        assert!(matches!(of(open(Transfer::Pull, None)), Step::RevokePull(_)));
        assert!(matches!(of(open(Transfer::Text, None)), Step::Search(_)));
    }

    #[test]
    fn sends_a_last_chunk_without_an_answer_again_and_nothing_after_one_that_was_refused() {
        let session = UploadSession {
            url: String::new(),
            content_type: String::new(),
            size_bytes: 9,
            chunk_bytes: 9,
            chunk_count: 1,
        };
        let cut_short = Submission {
            upload: Some(session),
            last_byte_at: Some(NOW),
            ..open(Transfer::Upload, Some("h"))
        };
        let refused = Submission {
            code: Some("refused".to_owned()),
            ..cut_short.clone()
        };
        let is_asked_about = |step: Step| matches!(step, Step::Abandon(_, Abandoned::CutShort));
        assert!(matches!(
            first(false, Some(cut_short.clone()), None),
            Step::Upload(_)
        ));
        assert!(is_asked_about(first(false, Some(refused), None)));
        assert!(is_asked_about(first(true, Some(cut_short), None)));
    }

    #[test]
    fn continues_no_upload_that_another_may_have_followed() {
        let session = UploadSession {
            url: String::new(),
            content_type: String::new(),
            size_bytes: 9,
            chunk_bytes: 3,
            chunk_count: 3,
        };
        let under_way = Submission {
            upload: Some(session),
            sent_bytes: 3,
            ..open(Transfer::Upload, Some("h"))
        };
        let of = |mark| first(false, Some(under_way.clone()), mark);
        let looked_at = |seconds| {
            let looked_at = Some(Time::from_secs(seconds));
            Some(HoldMark { looked_at, ..mark() })
        };
        for mark in [Some(mark()), looked_at(0)] {
            assert!(matches!(of(mark), Step::Abandon(_, Abandoned::Failed(_))));
        }
        assert!(matches!(of(looked_at(-1)), Step::Upload(_)));
        assert!(matches!(of(None), Step::Upload(_)));
    }

    #[test]
    fn begins_nothing_for_a_disabled_account_and_asks_after_what_may_be_out() {
        let of = |submission| first(true, submission, Some(mark()));
        assert!(matches!(of(None), Step::GiveUp(None)));
        assert!(matches!(
            of(Some(open(Transfer::Upload, None))),
            Step::GiveUp(Some(_))
        ));
        assert!(matches!(
            of(Some(open(Transfer::Pull, None))),
            Step::RevokePull(_)
        ));
        let doubtful = Submission {
            closed_at: Some(NOW),
            ..open(Transfer::Upload, Some("h"))
        };
        assert!(matches!(of(Some(doubtful)), Step::GiveUp(None)));
    }
}
