//! A page of the provider belongs to one post. A text may lead to the page of another one, which was read as unknown a moment before;
//! so the transaction that gives a post its ID checks whether another post has it, and such transactions take turns.

use playout_domain::explanation::UNCONFIRMED;
use playout_domain::id::{PlatformId, PostId, WorkspaceId};
use playout_domain::post::{Post, Waiting};
use playout_domain::verdict::Verdict;

use super::settle::AttemptDetail;
use crate::accounts::handles::may_be_of_this_account;
use crate::db::{Result, Tx, params};

/// Whether the provider has named the ID under which a post `p` is out. Otherwise a person may have entered it, whose name a mark
/// leaves in the post (`mark_published.rs`).
macro_rules! release_is_seen {
    () => {
        "p.updated_by IS NULL OR EXISTS (SELECT 1 FROM submissions seen WHERE seen.post_id = p.id AND seen.outcome = 'published')"
    };
}
pub(crate) use release_is_seen;

/// Another post of what may be the same account that is, or was before it was deleted, known to be out under an ID.
pub(crate) const RELEASE_OF_ANOTHER: &str = concat!(
    "SELECT p.id FROM platforms this JOIN posts p ON p.release_id = $2 AND p.parent_id IS NULL
        AND p.id <> $3
        JOIN platforms whose ON whose.id = p.platform_id AND ",
    may_be_of_this_account!("whose"),
    " WHERE this.id = $1
    UNION ALL SELECT r.id FROM platforms this JOIN removed_submissions r ON r.release_id = $2 AND ",
    may_be_of_this_account!("r"),
    " WHERE this.id = $1 LIMIT 1"
);

const RELEASE_OF_ANOTHER_HERE: &str =
    "SELECT id FROM posts WHERE workspace_id = $1 AND platform_id = $2 AND parent_id IS NULL
    AND release_id = $3 AND id <> $4 LIMIT 1";

/// What happened to a post whose page is that of another one.
const OF_ANOTHER: &str = "The page under which this post seems to be out is that of another post here, so that one of the two may not be out.";

impl Tx {
    /// Whether another post is known to be out under this ID. No other transaction gives the ID to a post until this one ends.
    pub(crate) async fn is_release_of_another(
        &mut self,
        platform: PlatformId,
        post: PostId,
        release_id: &str,
    ) -> Result<bool> {
        self.take_turn(release_id).await?;
        let params = params![platform, release_id, post];
        Ok(self.row(RELEASE_OF_ANOTHER, params).await?.is_some())
    }

    /// The same among the posts of its workspace on its account.
    pub(crate) async fn is_release_of_another_here(
        &mut self,
        workspace: WorkspaceId,
        post: &Post,
        release_id: &str,
    ) -> Result<bool> {
        self.take_turn(release_id).await?;
        let params = params![workspace, post.platform_id, release_id, post.id];
        Ok(self.row(RELEASE_OF_ANOTHER_HERE, params).await?.is_some())
    }

    /// What to do instead of a verdict that would give a post the ID of another one: a person decides. `None` where the verdict stands.
    pub(crate) async fn instead_of_anothers_release(
        &mut self,
        post: &Post,
        verdict: &Verdict,
    ) -> Result<Option<(Verdict, AttemptDetail)>> {
        let Verdict::Published {
            release_id: Some(release_id),
            ..
        } = verdict
        else {
            return Ok(None);
        };
        if !post.is_root()
            || !self
                .is_release_of_another(post.platform_id, post.id, release_id)
                .await?
        {
            return Ok(None);
        }
        let error = UNCONFIRMED.error_saying(OF_ANOTHER);
        let verdict = Verdict::ActionRequired {
            waiting: Waiting::Unconfirmed,
            text: error.message.clone(),
        };
        let detail = AttemptDetail {
            code: Some(error.code),
            message: Some(error.message),
            log_id: None,
        };
        Ok(Some((verdict, detail)))
    }
}
