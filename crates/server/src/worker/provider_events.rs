//! Notifications that providers send. A genuine notification settles its submission at once, by the same rules as a response to a
//! status request; it never submits. Duplicate, late and reordered notifications change nothing that is settled: their submission
//! is closed by then.

use std::sync::Arc;

use playout_domain::id::WorkspaceId;
use playout_domain::platform::Platform;
use playout_domain::post::Post;
use playout_domain::provider::{Fate, Progress, Provider, ProviderEvent, ProviderEventKind, RecentPost};
use playout_domain::submission::Submission;
use playout_store::{Released, StoreError};

use super::news;
use super::publish::listed::{Match, may_be_another, text_of, the_match};
use crate::app::account::Account;
use crate::app::tokens::CallError;
use crate::app::{App, AppError};
use crate::identity::{DATING_ERROR, SLACK};

/// What a provider reports of a submission.
#[derive(Clone, Copy)]
struct SubmissionReport<'a> {
    /// By which the provider names the submission.
    handle: &'a str,
    progress: &'a Progress,
}

impl App {
    /// Processes one genuine notification of `provider`.
    pub async fn take_event(self: &Arc<Self>, provider: &str, event: &ProviderEvent) -> Result<(), AppError> {
        let accounts = self
            .store
            .find_by_provider_account(provider, &event.provider_account_id)
            .await?;
        let mut is_known = false;
        for (workspace, platform) in accounts {
            match &event.kind {
                ProviderEventKind::Ignored => {}
                ProviderEventKind::Revoked => self.account_revoked(&platform).await?,
                ProviderEventKind::Submission { handle, progress } => {
                    let report = SubmissionReport { handle, progress };
                    let told_of = self.submission_told_of(workspace, &platform, report);
                    let Some(submission) = told_of.await? else {
                        continue;
                    };
                    is_known |= self.news_of(&platform, &submission, report).await?;
                }
                ProviderEventKind::NoLongerPublic { handle } => {
                    self.no_longer_public(&platform, handle, event).await?;
                }
            }
        }
        if let ProviderEventKind::Submission { handle, .. } = &event.kind
            && !is_known
        {
            tracing::info!("news of {handle}, which nobody here has handed over");
        }
        Ok(())
    }

    /// The notification may be old, and the account reconnected since, so the present tokens are tried. Where that call fails
    /// without a verdict on them, the next refresh, which repeats until there is one, is brought forward.
    async fn account_revoked(&self, platform: &Platform) -> Result<(), AppError> {
        let provider = self.provider_of(platform);
        let Some(provider) = provider.filter(|_| !platform.refresh_needed) else {
            return Ok(());
        };
        match self.options_of(provider, platform).await {
            Err(CallError::Provider(error)) if error.fate == Fate::Reauthorize => {
                self.note_dead_access(platform, &error).await
            }
            Err(CallError::Internal(error)) => Err(error),
            Err(CallError::Provider(_)) => {
                self.store.hasten_refresh(platform.id, self.now()).await?;
                Ok(())
            }
            Ok(_) => Ok(()),
        }
    }

    /// Processes the reported progress of a post; `false` if the account's provider is not configured.
    async fn news_of(
        self: &Arc<Self>,
        platform: &Platform,
        submission: &Submission,
        report: SubmissionReport<'_>,
    ) -> Result<bool, AppError> {
        let Some(provider) = self.provider_of(platform) else {
            return Ok(false);
        };
        let progress = with_page(provider.as_ref(), platform, report);
        // For a closed submission only a publication still counts.
        let is_news = submission.closed_at.is_none() || matches!(progress, Progress::Published { .. });
        if is_news && is_revocation(&progress) {
            self.account_revoked(platform).await?;
        }
        if !is_news {
            return Ok(true);
        }
        let settled = match news::settle(self, submission, &progress).await {
            // Its post was deleted meanwhile, and it with the post.
            Err(AppError::Store(StoreError::Missing { .. }))
                if self
                    .store
                    .find_by_handle(platform.id, report.handle)
                    .await?
                    .is_none() =>
            {
                return Ok(true);
            }
            settled => settled?,
        };
        if settled {
            return Ok(true);
        }
        if let Progress::Published {
            release_id,
            release_url,
        } = progress
        {
            self.out_after_all(submission, (release_id, release_url)).await?;
        }
        Ok(true)
    }

    /// Which submission of the account it is; `None` if the account did not hand it over: another workspace's may have.
    async fn submission_told_of(
        &self,
        workspace: WorkspaceId,
        platform: &Platform,
        report: SubmissionReport<'_>,
    ) -> Result<Option<Submission>, AppError> {
        match self.store.find_by_handle(platform.id, report.handle).await? {
            Some(submission) => Ok(Some(submission)),
            None => match report.progress {
                Progress::Published {
                    release_id: Some(release_id),
                    ..
                } => {
                    let page = ReportedPage {
                        handle: report.handle,
                        release_id,
                    };
                    self.adopt(workspace, platform, page).await
                }
                // Where it names no page, nothing shows that it is about the post that is listed. A failure may be that of an earlier try,
                // whose addresses were revoked.
                _ => Ok(None),
            },
        }
    }

    /// The submission whose answer was lost, if the handle is its own. Another installation with the same app, or a script, may have
    /// published under it: it is ours only if it names the page of a listed post with our text.
    async fn adopt(
        &self,
        workspace: WorkspaceId,
        platform: &Platform,
        page: ReportedPage<'_>,
    ) -> Result<Option<Submission>, AppError> {
        let handle = page.handle;
        let now = self.now();
        let Some(lost) = self.store.find_lost_pull(platform.id, handle, now).await? else {
            return Ok(None);
        };
        let Some(found) = self.store.find_group(workspace, lost.post_id).await? else {
            return Ok(None);
        };
        let listed = self.listed_as_sent(platform, &found.group.root, &lost).await?;
        match listed.is_some_and(|listed| listed.release_id == page.release_id) {
            true => Ok(self.store.adopt_handle(&lost, handle, now).await?),
            // It is searched for until a person is asked (`publish/search.rs`).
            false => Ok(None),
        }
    }

    /// The post of the account that is listed with the text of `lost`, if it can be no other.
    async fn listed_as_sent(
        &self,
        platform: &Platform,
        post: &Post,
        lost: &Submission,
    ) -> Result<Option<RecentPost>, AppError> {
        let Some(provider) = self.provider_of(platform) else {
            return Ok(None);
        };
        let account = Account::new(self, provider, platform);
        let since = lost.started_at.minus(SLACK);
        let listed = match account.recent_posts(lost.started_at.minus(DATING_ERROR)).await {
            Ok(Some(listed)) => listed.posts,
            Ok(None) | Err(CallError::Provider(_)) => return Ok(None),
            Err(CallError::Internal(error)) => return Err(error),
        };
        let sent = text_of(lost, post, platform);
        let Match::One(found) = the_match(self, platform.id, listed, &[&sent]).await? else {
            return Ok(None);
        };
        let is_another = may_be_another(self, platform.id, post.id, &found, since).await?;
        Ok((!is_another).then_some(found))
    }

    /// The post is published although its submission was already closed.
    async fn out_after_all(
        &self,
        submission: &Submission,
        (release_id, release_url): (Option<String>, Option<String>),
    ) -> Result<(), AppError> {
        let released = Released {
            release_id: release_id.as_deref(),
            release_url: release_url.as_deref(),
        };
        let now = self.now();
        // Where the notification names no page, it is requested.
        if self.store.publish_late(submission, released, now).await? {
            self.store.follow_link(submission.post_id, now).await?;
        }
        Ok(())
    }

    /// A post that was out stays PUBLISHED: it did go out, and the page may be shown again.
    async fn no_longer_public(
        &self,
        platform: &Platform,
        handle: &str,
        event: &ProviderEvent,
    ) -> Result<(), AppError> {
        if let Some(submission) = self.store.find_by_handle(platform.id, handle).await? {
            let (post, now) = (submission.post_id, self.now());
            self.store.note_no_longer_public(post, event.at, now).await?;
        }
        Ok(())
    }
}

/// A page that the provider has reported as published under a handle.
#[derive(Clone, Copy)]
struct ReportedPage<'a> {
    handle: &'a str,
    release_id: &'a str,
}

/// Whether a post ended because the account's grant did: what follows depends on whether there is another by now.
fn is_revocation(progress: &Progress) -> bool {
    matches!(progress, Progress::Failed(error) if error.fate == Fate::Reauthorize)
}

/// Notifications carry no page: it follows from the account, as it was when the post was handed over or later.
fn with_page(provider: &dyn Provider, platform: &Platform, report: SubmissionReport<'_>) -> Progress {
    match report.progress {
        Progress::Published {
            release_id: Some(id),
            release_url: None,
        } => Progress::Published {
            release_url: provider.page(platform, report.handle, id),
            release_id: Some(id.clone()),
        },
        other => other.clone(),
    }
}
