//! The provider may have a submission, and there is no handle to ask with: the account's posts are searched, and a notification
//! from the provider may bring the handle meanwhile. After a few searches the outcome is left to a person.

use std::time::Duration;

use playout_domain::explanation::UNANSWERED;
use playout_domain::submission::{Submission, SubmissionOutcome};
use playout_domain::verdict::Verdict;
use playout_store::AttemptDetail;

use super::context::Run;
use super::listed::{Match, doubts_of, may_be_another, text_of, the_match};
use super::step::Next;
use crate::app::AppError;
use crate::app::tokens::CallError;
use crate::identity::{DATING_ERROR, SLACK};

/// How often, and how far apart, to search.
const SEARCHES: u32 = 4;
const SEARCH_EVERY: Duration = Duration::from_secs(30);

/// Searches once.
pub(super) async fn search(run: &Run<'_>, submission: &Submission) -> Result<Next, AppError> {
    let doubts = doubts_of(run, submission).await?;
    let began = doubts.iter().map(|doubt| doubt.started_at).min();
    let began = began.unwrap_or(submission.started_at);
    let since = began.minus(SLACK);
    let posts = match run.account().recent_posts(began.minus(DATING_ERROR)).await {
        Ok(listed) => listed.map(|listed| listed.posts).unwrap_or_default(),
        Err(CallError::Provider(_)) => Vec::new(),
        Err(CallError::Internal(error)) => return Err(error),
    };
    let (post, platform) = (run.post(), run.platform.id);
    let sent = text_of(submission, post, &run.platform);
    let found = the_match(run.app, platform, posts, &[&sent]).await?;
    Ok(match found {
        Match::One(found) if !may_be_another(run.app, platform, post.id, &found, since).await? => {
            let verdict = Verdict::Published {
                release_id: Some(found.release_id),
                release_url: found.release_url,
            };
            let (outcome, detail) = (SubmissionOutcome::Published, AttemptDetail::default());
            run.close(submission, outcome, verdict, detail).into()
        }
        _ if run.job.checks < SEARCHES => run.check_in(SEARCH_EVERY, run.job.checks + 1).into(),
        _ => run.close_unknown(submission, &UNANSWERED.error()).into(),
    })
}
