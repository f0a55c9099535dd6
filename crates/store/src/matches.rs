//! Which posts here may be one that an account lists. An account can be connected in several workspaces, so all of them count.

use playout_domain::id::{PlatformId, PostId, WorkspaceId};
use playout_domain::time::Time;

use crate::db::Store;
use crate::error::Result;
use crate::param::params;
use crate::row::read_all;

/// The rows of the account behind a platform, in all workspaces.
macro_rules! same_account {
    () => {
        "FROM platforms this JOIN platforms same
            ON same.provider = this.provider AND same.provider_account_id = this.provider_account_id
        JOIN posts p ON p.workspace_id = same.workspace_id AND p.platform_id = same.id AND p.parent_id IS NULL
        WHERE this.id = $1"
    };
}

pub(crate) const HAS_RELEASE: &str =
    concat!("SELECT p.id ", same_account!(), " AND p.release_id = $2 LIMIT 1");

pub(crate) const MAY_BE_OUT: &str = concat!(
    "SELECT p.id AS post_id, p.content AS content ",
    same_account!(),
    " AND ((p.state = 'PUBLISHED' AND p.release_id IS NULL AND p.updated_at >= $2)
        OR (p.state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR')
            AND (p.look_since IS NOT NULL OR p.waiting = 'unconfirmed' OR p.publishing)))"
);

/// A post that may be out under an ID that is not known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MayBeOut {
    /// Which.
    pub post: PostId,
    /// Its text, by which it is recognized.
    pub content: String,
}

impl Store {
    /// Whether a post of the account is known to be out under this ID of the provider's.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn has_release(&self, platform: PlatformId, release_id: &str) -> Result<bool> {
        Ok(self
            .row(HAS_RELEASE, params![platform, release_id])
            .await?
            .is_some())
    }

    /// Whether another post of the workspace is known to be out under this ID of the provider's.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn has_release_in(
        &self,
        workspace: WorkspaceId,
        platform: PlatformId,
        release_id: &str,
    ) -> Result<bool> {
        let sql = "SELECT id FROM posts WHERE workspace_id = $1 AND platform_id = $2 AND parent_id IS NULL
            AND release_id = $3 LIMIT 1";
        let row = self.row(sql, params![workspace, platform, release_id]).await?;
        Ok(row.is_some())
    }

    /// The posts of the account that may have come out at `since` or later, under an ID that is not known: they are on their way, a
    /// person was asked about them, a hold has marked them, or they are out and the provider has not named them yet.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn posts_that_may_be_out(&self, platform: PlatformId, since: Time) -> Result<Vec<MayBeOut>> {
        let rows = self.rows(MAY_BE_OUT, params![platform, since]).await?;
        read_all(&rows, |row| {
            let fields = row.of("posts");
            Ok(MayBeOut {
                post: fields.id("post_id")?,
                content: fields.get("content")?,
            })
        })
    }
}
