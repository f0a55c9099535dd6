//! Brings a root post to its provider. The protocol and its recovery are `domain/submission.rs`; the steps here
//! carry its numbers.
//!
//! Every run does one of: begin a submission, go on with an upload, or ask. It ends by settling the post or by
//! releasing the job to a later time. Every write is fenced by the job's attempt: a run that lost its lease changes
//! nothing.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::error::Issue;
use playout_domain::explanation;
use playout_domain::job::{Job, JobQueue, RETRY_WINDOW};
use playout_domain::media::Media;
use playout_domain::platform::{Platform, Strictness};
use playout_domain::post::{Draft, Group, Post, PostState, Verdict, effective_settings};
use playout_domain::provider::{Accepted, Fate, Grant, Provider, ProviderError};
use playout_domain::secret::Secret;
use playout_domain::submission::{Recovery, Submission, SubmissionOutcome, Transfer, Way};
use playout_domain::time::Time;
use playout_store::{AttemptDetail, Release, Settlement, Start, Tokens};
use serde_json::{Map, Value};

use super::verdicts::Ending;
use super::{doubt, overdue, submit, unavailable, verdicts};
use crate::app::posts::drafted;
use crate::app::tokens::{CallError, FailedCall};
use crate::app::{App, AppError};

/// The first question after the address of a post that is out.
const FOLLOW_AFTER: Duration = Duration::from_secs(10);

/// The key of an account's metadata with the time of its last answer (`docs/contract.md#metadata`), and how old that
/// may become.
const REFRESHED_AT: &str = "refreshedAt";
const KEEP_ANSWER: Duration = Duration::from_secs(600);

/// A post on its way: everything a run needs.
pub struct Run<'a> {
    /// The world.
    pub app: &'a Arc<App>,
    /// The claimed job: the fence.
    pub job: &'a Job,
    /// The post and its comments.
    pub group: Group,
    /// Where it goes.
    pub platform: Platform,
    /// Who takes it there.
    pub provider: Arc<dyn Provider>,
    /// The media of the group, in any order.
    pub media: Vec<Media>,
}

/// Runs a `PublishPost` job once. What is known of its post may have been looked up with that of others.
pub async fn run(app: &Arc<App>, job: &Job, known: Option<Start>) -> Result<(), AppError> {
    let _start = (job.queue == JobQueue::Start).then(|| app.starts.begin(job.id));
    let known = match known {
        Some(known) => Some(known),
        None => look_up(app, job).await?,
    };
    let unsettled = known.as_ref().and_then(|known| known.unsettled.clone());
    let mark = known.as_ref().and_then(|known| known.mark.clone());
    let Some(run) = prepared(app, job, known).await? else {
        return Ok(());
    };
    match unsettled {
        found if run.platform.disabled => {
            let open = found.filter(Submission::is_open);
            unavailable::disabled(&run, open).await
        }
        Some(submission) if submission.is_open() => run.recover(submission).await,
        Some(doubtful) => doubt::ask(&run, &doubtful).await,
        None => {
            if let Some(mark) = mark
                && doubt::look_first(&run, &mark).await?
            {
                return Ok(());
            }
            match overdue::ask(&run).await? {
                true => Ok(()),
                false => run.begin().await,
            }
        }
    }
}

/// Looks everything up; settles what cannot go out at all.
pub(super) async fn prepare<'a>(app: &'a Arc<App>, job: &'a Job) -> Result<Option<Run<'a>>, AppError> {
    let known = look_up(app, job).await?;
    prepared(app, job, known).await
}

async fn look_up(app: &App, job: &Job) -> Result<Option<Start>, AppError> {
    let Some(post) = job.post_id else { return Ok(None) };
    Ok(app.store.find_starts(&[post]).await?.remove(&post))
}

async fn prepared<'a>(
    app: &'a Arc<App>,
    job: &'a Job,
    known: Option<Start>,
) -> Result<Option<Run<'a>>, AppError> {
    let known = known.filter(|known| known.group.root.state == PostState::Queue);
    let Some(Start {
        group,
        platform,
        media,
        ..
    }) = known
    else {
        app.store.finish(job).await?;
        return Ok(None);
    };
    let Some(platform) = platform else {
        unavailable::removed(app, job, group.root.id).await?;
        return Ok(None);
    };
    let provider = Arc::clone(app.configured_provider_of(&platform)?);
    Ok(Some(Run {
        app,
        job,
        group,
        platform,
        provider,
        media,
    }))
}

/// Applies a settlement, and says in the log if the fence was lost.
pub async fn settle(app: &App, job: &Job, settlement: Settlement) -> Result<(), AppError> {
    app.reach("publish.before_settle");
    if !app.store.settle(job, &settlement, app.now()).await? {
        tracing::warn!(job = %job.id, "job {} was taken over; its outcome here is dropped", job.id);
    }
    app.reach("publish.after_settle");
    Ok(())
}

impl Run<'_> {
    /// The root post.
    pub fn post(&self) -> &Post {
        &self.group.root
    }

    async fn recover(&self, submission: Submission) -> Result<(), AppError> {
        match submission.recovery() {
            Recovery::BeginAgain => self.begin_again(&submission).await,
            Recovery::ResumeUpload => submit::upload(self, submission).await,
            Recovery::Check => self.check(&submission).await,
            Recovery::Revoke => self.revoke(&submission).await,
            Recovery::Look => self.look(&submission).await,
        }
    }

    /// Step 0 to 3: judge the post once more against what the account allows now, then hand it over.
    pub(super) async fn begin(&self) -> Result<(), AppError> {
        if self.platform.refresh_needed {
            return self.refused(&explanation::RECONNECT_NEEDED.error()).await;
        }
        let settings = effective_settings(&self.platform.settings, &self.post().settings);
        let account = (&self.provider, &self.platform);
        let _place = match self.app.room_for(self.job, account, &settings).await? {
            Ok(place) => place,
            Err(error) => return self.put_off(&error).await,
        };
        self.app.reach("publish.before_options");
        let mut tokens = match self.app.fresh_tokens(&self.provider, &self.platform).await {
            Ok(tokens) => tokens,
            Err(CallError::Provider(failed)) => return self.refused_call(&failed).await,
            Err(CallError::Internal(error)) => return Err(error),
        };
        let platform = match self.current_platform(&mut tokens).await {
            Ok(platform) => platform,
            Err(CallError::Provider(error)) if self.is_of_no_concern(&error, &settings) => {
                self.app.note_limits(account, &error).await?;
                self.platform.clone()
            }
            Err(CallError::Provider(failed)) => return self.refused_call(&failed).await,
            Err(CallError::Internal(error)) => return Err(error),
        };
        let mut draft = drafted(&self.group, &platform, &self.media);
        draft.settings = settings;
        let problems = self.provider.problems(&platform, &draft, Strictness::Full);
        if !problems.is_empty() {
            let issues = problems.into_iter().map(|problem| problem.issue).collect();
            return self.refused(&not_allowed_now(issues)).await;
        }
        submit::begin(self, (&platform, &tokens), draft).await
    }

    /// The account with what the provider says of it right now (`docs/contract.md#start-of-publishing`).
    async fn current_platform(&self, tokens: &mut Tokens) -> Result<Platform, CallError> {
        let (provider, platform) = (&self.provider, &self.platform);
        let ask = |access: Secret| async move {
            provider
                .options(Grant {
                    platform,
                    access: &access,
                })
                .await
        };
        let metadata = self.app.with_tokens((provider, platform), tokens, ask).await?;
        if is_news(&self.platform.metadata, &metadata, self.app.now()) {
            self.app
                .store
                .update_metadata(self.platform.id, tokens.version, &metadata, self.app.now())
                .await?;
        }
        Ok(Platform {
            metadata,
            ..self.platform.clone()
        })
    }

    /// Whether an error tells of a restriction that posts delivered like this one do not meet: the day's direct posts say
    /// nothing of the inbox.
    fn is_of_no_concern(&self, error: &ProviderError, settings: &Map<String, Value>) -> bool {
        let delivery = self.provider.delivery(&self.platform, settings);
        let restriction = self.provider.restriction(&error.code);
        matches!(error.fate, Fate::Capped(_)) && restriction.is_some_and(|kind| !kind.concerns(delivery))
    }

    /// Waits for room that is known not to be there yet: the provider was not asked.
    pub async fn put_off(&self, error: &ProviderError) -> Result<(), AppError> {
        let ending = verdicts::ending(self.job, error, self.app.now());
        let settlement = verdicts::settlement(ending.verdict, verdicts::detail(error));
        settle(self.app, self.job, settlement).await
    }

    /// Ends a try that failed before anything was handed over.
    pub async fn refused(&self, error: &ProviderError) -> Result<(), AppError> {
        self.note_limits(error).await?;
        let ending = verdicts::ending(self.job, error, self.app.now());
        let settlement = verdicts::settlement(ending.verdict, verdicts::detail(error));
        settle(self.app, self.job, settlement).await
    }

    /// The same for one that a call ended.
    async fn refused_call(&self, failed: &FailedCall) -> Result<(), AppError> {
        self.app.note_dead_access(&self.platform, failed).await?;
        self.refused(failed).await
    }

    /// Ends a submission of which it is certain that nothing came out.
    pub async fn close_failed(&self, submission: &Submission, error: &ProviderError) -> Result<(), AppError> {
        self.note_limits(error).await?;
        let (error, ending) = match error.fate {
            Fate::Repeatable => self.lost_by_provider(submission, error).await?,
            _ => (error.clone(), verdicts::ending(self.job, error, self.app.now())),
        };
        let detail = verdicts::detail(&error);
        self.close(submission, ending.outcome, (ending.verdict, detail))
            .await
    }

    /// The provider took it and lost it: another submission follows, sooner or later.
    async fn lost_by_provider(
        &self,
        submission: &Submission,
        error: &ProviderError,
    ) -> Result<(ProviderError, Ending), AppError> {
        if self.was_away(submission) {
            let error = ProviderError {
                log_id: error.log_id.clone(),
                ..explanation::NOT_FETCHED_WHILE_AWAY.error()
            };
            let ending = verdicts::ending(self.job, &error, self.app.now());
            return Ok((error, ending));
        }
        let since = self.job.deadline_at.minus(RETRY_WINDOW);
        let tries = self
            .app
            .store
            .submissions_of(self.job.workspace_id, self.post().id)
            .await?;
        let lost = tries.iter().filter(|submission| {
            submission.outcome == Some(SubmissionOutcome::Abandoned)
                && submission.code.as_deref() == Some(error.code.as_str())
                && submission.started_at >= since
        });
        let losses = u32::try_from(lost.count()).unwrap_or(u32::MAX);
        let ending = verdicts::lost(self.job, (error, losses.saturating_add(1)), self.app.now());
        Ok((error.clone(), ending))
    }

    /// Whether this process began after the submission did: then nobody may have been there to be fetched from, and that
    /// the fetch failed tells nothing of the provider.
    fn was_away(&self, submission: &Submission) -> bool {
        submission.transfer == Transfer::Pull && self.app.started_at > submission.started_at
    }

    pub(super) async fn close(
        &self,
        submission: &Submission,
        outcome: SubmissionOutcome,
        (verdict, detail): (Verdict, AttemptDetail),
    ) -> Result<(), AppError> {
        let follow_up = self.follow_up(&verdict);
        let settlement = verdicts::closing(submission.id, outcome, verdict, detail);
        settle(
            self.app,
            self.job,
            Settlement {
                follow_link: follow_up,
                ..settlement
            },
        )
        .await
    }

    /// When to ask after the public address, for posts that will have one, or after an inbox.
    pub(super) fn follow_up(&self, verdict: &Verdict) -> Option<Time> {
        let settings = effective_settings(&self.platform.settings, &self.post().settings);
        let follow = match verdict {
            Verdict::Published { release_id: None, .. } => self.provider.expects_link(&settings),
            Verdict::ActionRequired { waiting, .. } => *waiting == playout_domain::post::Waiting::Inbox,
            _ => false,
        };
        follow.then(|| self.app.now().plus(FOLLOW_AFTER))
    }

    /// Keeps what a failed call says of the account: that it must be reconnected, and its limits.
    pub(super) async fn note_revoked(&self, failed: &FailedCall) -> Result<(), AppError> {
        self.app.note_dead_access(&self.platform, failed).await?;
        self.note_limits(failed).await
    }

    async fn note_limits(&self, error: &ProviderError) -> Result<(), AppError> {
        self.app
            .note_limits((&self.provider, &self.platform), error)
            .await
    }

    /// The submission came to nothing, provably: close it and let the job run again.
    async fn begin_again(&self, submission: &Submission) -> Result<(), AppError> {
        self.close_failed(submission, &explanation::INTERRUPTED.error())
            .await
    }

    /// A pull whose answer is missing: from here on its addresses answer 404. Only if none was fetched before can
    /// nothing have been published.
    pub async fn revoke(&self, submission: &Submission) -> Result<(), AppError> {
        self.app.reach("publish.before_revoke");
        let fetched_at = self.app.store.revoke_pull(submission.id, self.app.now()).await?;
        self.app.reach("publish.after_revoke");
        match fetched_at {
            None => self.begin_again(submission).await,
            Some(_) => self.look(submission).await,
        }
    }

    /// Lets the job run again after `pause`, as question number `checks`.
    pub async fn release_for_check(&self, pause: Duration, checks: u32) -> Result<(), AppError> {
        let run_at = self.app.now().plus(pause);
        let release = Release {
            run_at,
            failures: self.job.failures,
            checks,
            queue: JobQueue::Check,
        };
        self.app.store.release(self.job, release, self.app.now()).await?;
        self.app.reach("publish.after_release");
        Ok(())
    }

    /// Step 3: the handle is stored before anything else happens.
    pub async fn save_handle(&self, submission: &Submission, accepted: &Accepted) -> Result<bool, AppError> {
        self.app.reach("publish.before_save_handle");
        let saved = self
            .app
            .store
            .save_handle(self.job, submission.id, accepted)
            .await?;
        self.app.reach("publish.after_save_handle");
        self.app.was_taken(self.job, &self.platform).await?;
        Ok(saved)
    }

    /// How a draft travels, after the tries of the last day.
    pub async fn way(&self, draft: &Draft) -> Result<Way, AppError> {
        let Some(media) = draft.media.first() else {
            return Ok(Way::plain(Transfer::Text));
        };
        let tries = self.tries().await?;
        Ok(self.provider.way(media.mime.media_type(), &tries))
    }

    /// The tries since the post was found due: a job that was never claimed before has none.
    async fn tries(&self) -> Result<Vec<Submission>, AppError> {
        if self.job.attempt <= 1 {
            return Ok(Vec::new());
        }
        let since = self.job.deadline_at.minus(RETRY_WINDOW);
        let (store, workspace) = (&self.app.store, self.job.workspace_id);
        let mut tries = store.submissions_of(workspace, self.post().id).await?;
        tries.retain(|submission| submission.started_at >= since);
        Ok(tries)
    }
}

/// Whether what the account says now is worth a write: it differs, or the last answer kept is old. The time of asking
/// alone is not, because a write just before each handover would delay them all.
fn is_news(kept: &Map<String, Value>, now_said: &Map<String, Value>, now: Time) -> bool {
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
    let refusal = playout_domain::error::Refusal::invalid(issues);
    explanation::NOT_ALLOWED_NOW.error_saying(&format!(
        "The account does not take this post as it is: {}.",
        refusal.message
    ))
}
