//! Posts: read here; listed in `list.rs`, created in `create.rs`, changed in `change.rs`, deleted in `delete.rs`, judged in `judge.rs`, marked as published in `mark.rs`.

mod asked;
mod batch;
mod change;
mod create;
mod delete;
mod judge;
mod list;
mod mark;
mod refusals;
mod without_effect;

use playout_domain::explanation::{self, Explanation, HELD};
use playout_domain::id::{PostId, WorkspaceId};
use playout_domain::post::{Group, Post, PostState};
use playout_domain::submission::Attempt;
use playout_domain::time::Time;
use playout_store::FoundGroup;
use playout_wire::posts::GroupBody;

pub use asked::{Asked, Changed, Changes};
pub use create::Creator;
pub(crate) use judge::drafted;
pub(crate) use refusals::post_not_found;

use super::expected::Expected;
use super::{App, AppError};

impl App {
    /// A root and its comments, by the ID of any of them.
    pub async fn get_group(&self, workspace: WorkspaceId, id: PostId) -> Result<Group, AppError> {
        let mut group = self.find_group(workspace, id).await?.group;
        self.explain_hold(std::slice::from_mut(&mut group.root)).await?;
        Ok(group)
    }

    /// Every try at handing a post over, oldest first, with an explanation of what went wrong. A comment has tries of its
    /// own.
    pub async fn list_attempts(
        &self,
        workspace: WorkspaceId,
        id: PostId,
    ) -> Result<Vec<(Attempt, Option<Explanation>)>, AppError> {
        let attempts = self.store.attempts_of(workspace, id).await?;
        let explained = |attempt: Attempt| {
            let code = attempt.code.as_deref();
            let explanation = code.and_then(|code| self.explain(&attempt.provider, code));
            (attempt, explanation)
        };
        let attempts = attempts.ok_or_else(post_not_found)?;
        Ok(attempts.into_iter().map(explained).collect())
    }

    /// A code that an attempt ended with: one of the engine's own, else the provider's; `None` where that provider is no
    /// longer configured. All connections of a provider share its table.
    pub(crate) fn explain(&self, provider: &str, code: &str) -> Option<Explanation> {
        match explanation::own(code) {
            Some(row) => Some(row.explanation()),
            None => Some(
                self.providers()
                    .find(|known| known.id() == provider)?
                    .explain(code),
            ),
        }
    }

    async fn find_group(&self, workspace: WorkspaceId, id: PostId) -> Result<FoundGroup, AppError> {
        let found = self.store.find_group(workspace, id).await?;
        Ok(found.ok_or_else(post_not_found)?)
    }

    /// Whether a group is shown as the caller expects it: as a change answers it or, while publications are held, as it is read.
    async fn check_expected(&self, expected: &Expected, group: &Group) -> Result<(), AppError> {
        if *expected == Expected::Any || expected.allows(&GroupBody::from(group.clone())) {
            return Ok(());
        }
        let mut group = group.clone();
        self.explain_hold(std::slice::from_mut(&mut group.root)).await?;
        Ok(expected.check(&GroupBody::from(group))?)
    }

    /// While publications are held, sets the error text of due posts to the hold's explanation.
    async fn explain_hold<S>(&self, posts: &mut [Post<S>]) -> Result<(), AppError> {
        let now = self.now();
        let mut due: Vec<&mut Post<S>> = posts.iter_mut().filter(|post| is_due(post, now)).collect();
        if due.is_empty() || self.store.find_hold().await?.is_none() {
            return Ok(());
        }
        for post in &mut due {
            post.error_text = Some(format!("{} ({})", HELD.explanation().message(), HELD.code));
        }
        Ok(())
    }
}

/// Whether a post is in the queue, and its time has come. Comments have none before their root is out.
fn is_due<S>(post: &Post<S>, now: Time) -> bool {
    post.state == PostState::Queue
        && post.parent_id.is_none()
        && post.scheduled_for.is_none_or(|planned| planned <= now)
}
