//! How a run ends its job. A run that publishes decides it and hands it back; only the loop writes it (`worker/run.rs`).

use playout_domain::id::PostId;
use playout_domain::job::{Job, JobKind, Release};
use playout_store::{AllSent, Settlement, StoreError};

use crate::app::{App, AppError};

/// The failure of a run whose job names a post that is not there. A job is deleted with its post, in one statement, so the job does not
/// end by it: either both were deleted since it was claimed, or the post has yet to be loaded from a dump.
pub(super) fn missing_post(post: PostId) -> AppError {
    let missing = StoreError::Missing {
        table: "posts",
        row: post.0,
    };
    missing.into()
}

/// How a run ends its job.
#[derive(Debug)]
pub(super) enum JobEnd {
    /// The post is left like this, and the job with it.
    Settle(Box<Settlement>),
    /// The job runs again later; its submission stays open.
    Release(Release),
    /// The provider has everything of an upload; the job runs again later, to ask about it.
    Sent(AllSent, Release),
    /// There is nothing more to do.
    Finish,
    /// Another run has the job: nothing is written.
    TakenOver,
    /// What the run stored has ended the job, or put it to its next time: the new tokens of an account, or that it must be
    /// reconnected.
    AlreadyWritten,
}

impl From<Settlement> for JobEnd {
    fn from(settlement: Settlement) -> Self {
        Self::Settle(Box::new(settlement))
    }
}

impl JobEnd {
    /// Writes it, fenced by the job's attempt: after a takeover nothing is changed.
    ///
    /// # Errors
    /// When the database fails.
    pub(super) async fn write(self, app: &App, job: &Job) -> Result<(), AppError> {
        match self {
            Self::Settle(settlement) => {
                app.failpoint("publish.before_settle");
                if !app.store.settle(job, &settlement, app.now()).await? {
                    tracing::warn!(job = %job.id, "job {} was taken over; its outcome here is dropped", job.id);
                }
                app.failpoint("publish.after_settle");
            }
            Self::Release(release) => {
                app.store.release(job, release, app.now()).await?;
                if job.kind == JobKind::PublishPost {
                    app.failpoint("publish.after_release");
                }
            }
            Self::Sent(sent, release) => {
                app.store.record_all_sent(job, &sent, release, app.now()).await?;
                app.failpoint("publish.after_chunk");
                app.failpoint("publish.after_release");
            }
            Self::Finish => {
                app.store.finish(job).await?;
            }
            Self::TakenOver | Self::AlreadyWritten => {}
        }
        Ok(())
    }
}
