//! Posts that are due although it is unknown whether they are out already: a person sent one again after a try with an unknown outcome, or
//! after it was delivered to the creator's inbox; or the database was restored. The provider is asked once more before anything is begun.
//! What has come out meanwhile is not published twice, and what the provider is still processing is waited for.

use std::time::Duration;

use playout_domain::explanation::{STILL_AT_WORK, UNCONFIRMED};
use playout_domain::post::{Waiting, effective_settings};
use playout_domain::provider::{Fate, Progress, ProviderError, RecentPost, RecentPosts};
use playout_domain::submission::{Submission, SubmissionOutcome, Transfer};
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;
use playout_store::{HoldMark, Settlement};

use super::context::Run;
use super::last_chunk;
use super::listed::{Match, doubts_of, is_listed, may_be_another, text_of, the_match};
use super::step::{Next, Step};
use crate::app::AppError;
use crate::app::tokens::{CallError, FailedCall};
use crate::identity::SLACK;
use crate::worker::verdicts;

/// How often to ask for the status of a try that is still under way.
const ASK_EVERY: Duration = Duration::from_secs(300);

/// How often, and how far apart, to look where the provider does not say what it has: such an answer may be true of the moment alone.
const LOOKS: usize = 4;
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// Of how many earlier drafts to ask at most: fewer than the questions that a provider answers in a minute.
const MOST_DRAFTS: usize = 20;

/// What is known of the try before.
enum Known {
    /// It is out, or where a person finishes it.
    Ended(Verdict),
    /// The account lists it, among its posts since then.
    Listed { found: RecentPost, since: Time },
    /// It may still come out.
    UnderWay,
    /// It did not come out, as far as can be seen.
    Nothing,
    /// The account does not list its posts, or not all that may be it, or lists several.
    Hidden,
    /// The provider rejects the question, or does not know the handle.
    Refused(FailedCall),
    /// It could not be asked about.
    Unanswered(FailedCall),
}

/// Asks for the status of every try whose outcome is unknown, and of every draft that the creator may have published from the inbox.
pub(super) async fn reconcile(
    run: &Run<'_>,
    doubtful: &Submission,
    mark: Option<HoldMark>,
) -> Result<Next, AppError> {
    run.app.failpoint("publish.before_doubt");
    let mut tries = doubts_of(run, doubtful).await?;
    tries.extend(other_drafts_of(run, doubtful).await?);
    let known = known_of(run, &tries).await?;
    run.app.failpoint("publish.after_doubt");
    let was_in_inbox = doubtful.outcome == Some(SubmissionOutcome::InInbox);
    Ok(match known {
        // The person already knew that the post is in the inbox.
        Known::Ended(Verdict::ActionRequired { .. }) if was_in_inbox => go_on(mark).into(),
        Known::Ended(verdict) => ended(run, verdict).into(),
        Known::Listed { found, since } => {
            let (platform, post) = (run.platform.id, run.post().id);
            // The person was asked whether the listed post may be another one. Sending this one again after a hold confirms that
            // it is.
            let was_told = mark.is_some() && is_unconfirmed(doubtful.code.as_deref());
            match may_be_another(run.app, platform, post, &found, since).await? {
                true if was_told => go_on(mark).into(),
                true => one_of_several(run).into(),
                false => ended(run, published(found)).into(),
            }
        }
        Known::Refused(error) => match look_again(run, &error).await? {
            Some(again) => again.into(),
            None => go_on(mark).into(),
        },
        // No evidence but the person's request.
        Known::Nothing | Known::Hidden => go_on(mark).into(),
        Known::UnderWay => wait(run).into(),
        Known::Unanswered(error) => could_not_ask(run, &error).await?,
    })
}

/// The other tries that arrived in the creator's inbox, or that the provider has reported as published since, the last one first.
async fn other_drafts_of(run: &Run<'_>, last: &Submission) -> Result<Vec<Submission>, AppError> {
    let (store, workspace) = (&run.app.store, run.job.workspace_id);
    let tries = store.submissions_of(workspace, run.post().id).await?;
    let is_draft = |outcome: SubmissionOutcome| {
        matches!(outcome, SubmissionOutcome::InInbox | SubmissionOutcome::Published)
    };
    let is_other_draft = |draft: &Submission| draft.id != last.id && draft.outcome.is_some_and(is_draft);
    let drafts = tries.into_iter().rev().filter(is_other_draft);
    Ok(drafts.take(MOST_DRAFTS).collect())
}

/// The question is repeated, unless the last ones were all rejected like this.
async fn look_again(run: &Run<'_>, error: &FailedCall) -> Result<Option<Settlement>, AppError> {
    let (store, workspace) = (&run.app.store, run.job.workspace_id);
    let tries = store.submissions_of(workspace, run.post().id).await?;
    let is_like_this = |before: &&Submission| {
        before.outcome == Some(SubmissionOutcome::Abandoned)
            && before.code.as_deref() == Some(error.code.as_str())
    };
    if tries.iter().rev().take_while(is_like_this).count() + 1 >= LOOKS {
        return Ok(None);
    }
    let verdict = verdicts::again(run.app.now().plus(LOOK_EVERY), error);
    Ok(Some(verdicts::settlement(verdict, verdicts::detail(error))))
}

/// What the provider shows of these tries: by their handles, and by their texts where it knows no handle. That one of them is out counts
/// before what is known of the others; then that one may still come out; then that one is in the inbox.
async fn known_of(run: &Run<'_>, tries: &[Submission]) -> Result<Known, AppError> {
    let (mut open, mut unnamed, mut refusal) = (Known::Nothing, Vec::new(), None);
    for tried in tries {
        let Some(handle) = &tried.handle else {
            unnamed.push(tried);
            continue;
        };
        match by_handle(run, tried, handle).await? {
            known @ (Known::Ended(Verdict::Published { .. }) | Known::Unanswered(_)) => {
                return Ok(known);
            }
            Known::UnderWay => open = Known::UnderWay,
            Known::Ended(verdict) if is_news(tried) && matches!(open, Known::Nothing) => {
                open = Known::Ended(verdict);
            }
            Known::Refused(error) => {
                unnamed.push(tried);
                refusal = Some(error);
            }
            Known::Ended(_) | Known::Nothing | Known::Hidden | Known::Listed { .. } => {}
        }
    }
    let began = unnamed.iter().map(|tried| tried.started_at).min();
    let Some(began) = began.filter(|_| !matches!(open, Known::UnderWay)) else {
        return Ok(open);
    };
    let text = |tried: &&Submission| text_of(tried, run.post(), &run.platform).into_owned();
    let texts: Vec<String> = unnamed.iter().map(text).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let listed = by_text(run, &texts, Between::since(began.minus(SLACK))).await?;
    if !matches!(listed, Known::Nothing | Known::Hidden | Known::Refused(_)) {
        return Ok(listed);
    }
    Ok(match (open, listed, refusal) {
        _ if unnamed.iter().any(|tried| may_be_at_work(run, tried)) => Known::UnderWay,
        (open @ Known::Ended(_), _, _) => open,
        (_, Known::Nothing | Known::Hidden, Some(error)) => Known::Refused(error),
        (_, listed, _) => listed,
    })
}

/// Whether the provider may still fetch or process the media of a try of which it shows nothing.
fn may_be_at_work(run: &Run<'_>, tried: &Submission) -> bool {
    let window = run.provider.check_policy(tried.transfer).window;
    let began = tried.last_byte_at.unwrap_or(tried.started_at);
    began.plus(window).plus(SLACK) > run.app.now()
}

/// Whether it is news that a try is in the creator's inbox.
fn is_news(tried: &Submission) -> bool {
    tried.outcome == Some(SubmissionOutcome::Unknown)
}

/// Goes on with the post after the earlier try. Where a hold has marked the post, another try may have followed that this
/// database does not know.
fn go_on(mark: Option<HoldMark>) -> Step {
    mark.map_or(Step::Begin, Step::SearchFirst)
}

/// The account lists a post with this text, and it may be another post with an unknown outcome.
fn one_of_several(run: &Run<'_>) -> Settlement {
    let error = ProviderError {
        message: "The account shows a post with this text: this post, or another one with an unknown outcome. If it is this post, mark it as \
                  published. If it is the other one, mark that one as published, and publish this one again."
            .to_owned(),
        ..UNCONFIRMED.error()
    };
    let verdict = Verdict::ActionRequired {
        waiting: Waiting::Unconfirmed,
        text: error.message.clone(),
    };
    let detail = verdicts::detail(&error);
    Settlement {
        follow_link: run.follow_up(&verdict),
        ..verdicts::settlement(verdict, detail)
    }
}

/// Searches for a post that may have come out without this database's knowledge (`worker/hold.rs`). What is listed with the text
/// of several posts here may be one like them that this database does not know. Where the search decides nothing and a person was
/// asked already to look at the account, their sending it again decides.
pub(super) async fn search_first(run: &Run<'_>, mark: &HoldMark) -> Result<Next, AppError> {
    let settings = effective_settings(&run.platform.settings, &run.post().settings);
    let present = run.post().sent_text(&run.platform.settings);
    let earlier = mark.content.as_deref().into_iter();
    let texts: Vec<&str> = earlier.chain([present.as_str()]).collect();
    let between = Between {
        since: mark.since,
        until: forgotten_until(run, mark),
    };
    let was_asked_to_look = was_asked(run, mark, verdicts::is_left_to_look_for).await?;
    let known = by_text(run, &texts, between).await?;
    if let Known::Refused(error) = &known
        && let Some(again) = look_again(run, error).await?
    {
        return Ok(again.into());
    }
    Ok(match known {
        Known::Listed { found, since } => {
            let (platform, post) = (run.platform.id, run.post());
            let is_rival = may_be_another(run.app, platform, post.id, &found, since).await?;
            let is_one_of_many =
                is_rival || run.app.store.has_twin(platform, post.id, &found.content).await?;
            match (is_one_of_many, was_asked_to_look) {
                (false, _) => ended(run, published(found)).into(),
                (true, false) => ended(run, verdicts::restored()).into(),
                // Sending it again then confirms that the listed post is another one.
                (true, true) if is_rival && !was_asked(run, mark, is_unconfirmed).await? => {
                    one_of_several(run).into()
                }
                (true, true) => Step::JudgeLateness.into(),
            }
        }
        Known::Unanswered(error) => could_not_ask(run, &error).await?,
        _ if was_asked_to_look => match at_work_until(run, mark) {
            Some(at) => wait_until(at, false).into(),
            None => Step::JudgeLateness.into(),
        },
        Known::Nothing if is_listed(run.provider.as_ref(), &run.platform, run.media_type(), &settings) => {
            not_listed(run, mark).await?
        }
        Known::Nothing | Known::Ended(_) | Known::UnderWay | Known::Hidden | Known::Refused(_) => {
            ended(run, verdicts::restored()).into()
        }
    })
}

/// The latest time at which a try that this database does not know can have been published: a later post is another one. A try can be at
/// the provider for as long as any kind of transfer is asked about, 90 minutes for a pull, or for the patience that is configured if that
/// is longer.
fn forgotten_until(run: &Run<'_>, mark: &HoldMark) -> Option<Time> {
    let windows =
        [Transfer::Upload, Transfer::Pull].map(|transfer| run.provider.check_policy(transfer).window);
    let at_work = windows
        .into_iter()
        .fold(run.app.config.restore_patience, Duration::max);
    mark.looked_at
        .map(|looked_at| looked_at.plus(at_work).plus(SLACK))
}

/// Whether a person was asked about the post, with an attempt of a code that is meant, since the hold marked it.
async fn was_asked(
    run: &Run<'_>,
    mark: &HoldMark,
    is_meant: impl Fn(Option<&str>) -> bool,
) -> Result<bool, AppError> {
    let (store, workspace) = (&run.app.store, run.job.workspace_id);
    let tries = store.submissions_of(workspace, run.post().id).await?;
    let since = mark.looked_at.unwrap_or(mark.since);
    let asks = |submission: &Submission| {
        is_meant(submission.code.as_deref())
            && submission.closed_at.is_some_and(|closed_at| closed_at >= since)
    };
    Ok(tries.iter().any(asks))
}

/// Whether a person was asked about the post last because its account could not be searched, by this hold or an earlier one that had
/// marked the post.
async fn was_left_unsearched(run: &Run<'_>, mark: &HoldMark) -> Result<bool, AppError> {
    let tries = run
        .app
        .store
        .submissions_of(run.job.workspace_id, run.post().id)
        .await?;
    let asks = |tried: &&Submission| {
        let code = tried.code.as_deref();
        let is_asked = verdicts::is_left_unsearched(code) || verdicts::is_left_to_look_for(code);
        is_asked && tried.closed_at.is_some_and(|closed_at| closed_at >= mark.since)
    };
    let asked = tries.iter().rev().find(asks);
    Ok(asked.is_some_and(|tried| verdicts::is_left_unsearched(tried.code.as_deref())))
}

fn is_unconfirmed(code: Option<&str>) -> bool {
    code == Some(UNCONFIRMED.code)
}

/// A post that the account would list, and does not. The provider may still be at work on it if it was sent just before the hold: that
/// time is waited for. Afterwards it goes out, unless it was due before the account was ever searched: then a person looks, as where the
/// hold itself found nothing.
async fn not_listed(run: &Run<'_>, mark: &HoldMark) -> Result<Next, AppError> {
    let was_unsearched = was_left_unsearched(run, mark).await?;
    Ok(match at_work_until(run, mark) {
        Some(at) => wait_until(at, was_unsearched).into(),
        None if was_unsearched => ended(run, verdicts::restored()).into(),
        None => Step::JudgeLateness.into(),
    })
}

/// The time by which the provider has ended what was sent before the hold, if it has not come yet.
fn at_work_until(run: &Run<'_>, mark: &HoldMark) -> Option<Time> {
    let patience = run.app.config.restore_patience;
    let at = mark.looked_at.map(|looked_at| looked_at.plus(patience));
    at.filter(|at| *at > run.app.now())
}

fn wait_until(at: Time, is_a_persons_then: bool) -> Settlement {
    let error = verdicts::restored_recently(at, is_a_persons_then);
    let verdict = Verdict::Again {
        at,
        text: Some(error.message.clone()),
        failed: true,
    };
    verdicts::settlement(verdict, verdicts::detail(&error))
}

fn published(found: RecentPost) -> Verdict {
    Verdict::Published {
        release_id: Some(found.release_id),
        release_url: found.release_url,
    }
}

fn ended(run: &Run<'_>, verdict: Verdict) -> Settlement {
    let (follow_link, detail) = (run.follow_up(&verdict), verdicts::detail_of(&verdict));
    Settlement {
        follow_link,
        ..verdicts::settlement(verdict, detail)
    }
}

/// [`Known::Refused`] where the provider does not know the try any more, which leaves its outcome open.
async fn by_handle(run: &Run<'_>, doubt: &Submission, handle: &str) -> Result<Known, AppError> {
    Ok(match run.account().check(handle).await {
        Ok(Progress::Published {
            release_id,
            release_url,
        }) => Known::Ended(Verdict::Published {
            release_id,
            release_url,
        }),
        Ok(Progress::InInbox) => Known::Ended(verdicts::in_inbox()),
        // Nothing is sent any more, so that its bytes never come.
        Ok(Progress::Pending { received_bytes })
            if doubt.lacks_bytes(received_bytes) && !last_chunk::may_arrive(run, doubt) =>
        {
            Known::Nothing
        }
        Ok(Progress::Pending { .. }) => Known::UnderWay,
        Ok(Progress::Failed(_)) => Known::Nothing,
        Err(CallError::Provider(error)) if error.fate == Fate::Rejected => Known::Refused(error),
        Err(CallError::Provider(error)) => Known::Unanswered(error),
        Err(CallError::Internal(error)) => return Err(error),
    })
}

/// When a post may have come out.
struct Between {
    since: Time,
    until: Option<Time>,
}

impl Between {
    const fn since(since: Time) -> Self {
        Self { since, until: None }
    }
}

/// Searches the account's posts for the one with one of these texts.
async fn by_text(run: &Run<'_>, texts: &[&str], between: Between) -> Result<Known, AppError> {
    let mut listed: RecentPosts = match run.account().recent_posts(between.since).await {
        Ok(Some(listed)) => listed,
        Ok(None) => return Ok(Known::Hidden),
        Err(CallError::Provider(error)) if error.fate == Fate::Rejected => return Ok(Known::Refused(error)),
        Err(CallError::Provider(error)) => return Ok(Known::Unanswered(error)),
        Err(CallError::Internal(error)) => return Err(error),
    };
    let is_whole = listed.is_whole_since(between.since);
    if let Some(until) = between.until {
        listed.posts.retain(|post| *post.created.start() <= until);
    }
    let found = the_match(run.app, run.platform.id, listed.posts, texts).await?;
    Ok(match found {
        Match::One(found) => Known::Listed {
            found,
            since: between.since,
        },
        Match::None if is_whole => Known::Nothing,
        Match::None | Match::Several => Known::Hidden,
    })
}

/// Without an answer nothing is begun: the request is repeated as a hand-over would be, and after a day the post is left to a
/// person again.
async fn could_not_ask(run: &Run<'_>, error: &FailedCall) -> Result<Next, AppError> {
    run.note_revoked(error).await?;
    let ending = verdicts::ending(run.job, error, run.app.now());
    let verdict = match ending.verdict {
        Verdict::Error { .. } => verdicts::unconfirmed(),
        verdict => verdict,
    };
    Ok(verdicts::settlement(verdict, verdicts::detail(error)).into())
}

/// In QUEUE until the provider has ended it, for a day at most; then it is left to a person again.
fn wait(run: &Run<'_>) -> Settlement {
    let at = run.app.now().plus(ASK_EVERY);
    let verdict = match at <= run.job.deadline_at {
        true => Verdict::Again {
            at,
            text: Some(STILL_AT_WORK.explanation().message()),
            failed: false,
        },
        false => verdicts::unconfirmed(),
    };
    verdicts::settlement(verdict, verdicts::detail(&STILL_AT_WORK.error()))
}
