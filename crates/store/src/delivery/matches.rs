//! Which posts here may be one that an account lists. An account can be connected in several workspaces, so all of them count, and so do
//! posts that were deleted (`removed_submissions.rs`). It can also be connected in two ways; what may be the same account counts as the
//! same (`accounts/handles.rs`).

use playout_domain::id::{PlatformId, PostId, WorkspaceId};
use playout_domain::listing::is_listed_as;
use playout_domain::time::Time;

use super::sent_text::{read_sent_text, sent_text_columns, text_marks};
use crate::accounts::handles::may_be_of_this_account;
use crate::db::{Fields, Result, Store, params};

/// The connections (`same`) that may be of the account behind a platform (`this`), in all workspaces.
macro_rules! same_account {
    () => {
        concat!(
            "FROM platforms this JOIN platforms same ON ",
            may_be_of_this_account!("same")
        )
    };
}

/// The posts of them.
macro_rules! its_posts {
    () => {
        " JOIN posts p ON p.workspace_id = same.workspace_id AND p.platform_id = same.id AND p.parent_id IS NULL"
    };
}

/// By the identifier alone, which the provider gives once: an account may be connected in two ways, and be renamed meanwhile.
pub(crate) const HAS_RELEASE: &str = "SELECT p.id FROM platforms this JOIN posts p ON p.release_id = $2 AND p.parent_id IS NULL
        JOIN platforms whose ON whose.id = p.platform_id AND whose.provider = this.provider
    WHERE this.id = $1
    UNION ALL SELECT r.id FROM platforms this JOIN removed_submissions r ON r.release_id = $2 AND r.provider = this.provider
    WHERE this.id = $1 LIMIT 1";

pub(crate) const OTHERS: &str = concat!(
    "SELECT p.id AS id, ",
    sent_text_columns!(),
    " ",
    same_account!(),
    its_posts!(),
    " WHERE this.id = $1 AND p.id <> $2"
);

pub(crate) const MAY_BE_OUT: &str = concat!(
    "SELECT p.id AS id, ",
    sent_text_columns!(),
    ", p.look_content AS look_content, s.content AS sent ",
    same_account!(),
    its_posts!(),
    " LEFT JOIN submissions s ON s.post_id = p.id
    WHERE this.id = $1
        AND ((p.state = 'PUBLISHED' AND p.release_id IS NULL AND p.updated_at >= $2)
            OR (p.state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR')
                AND (p.look_since IS NOT NULL OR p.waiting IN ('unconfirmed', 'inbox') OR p.publishing
                    OR s.outcome IN ('unknown', 'in_inbox'))))"
);

pub(crate) const DELETED_MAY_BE_OUT: &str = concat!(
    "SELECT r.text_mark FROM platforms this JOIN removed_submissions r ON ",
    may_be_of_this_account!("r"),
    " WHERE this.id = $1 AND r.may_be_out"
);

/// A text under which a post of the account may be out, with an ID that is not known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MayBeOut {
    /// Which post's; `None` for one that was deleted.
    pub post: Option<PostId>,
    text: Text,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Text {
    Whole(String),
    /// Its mark.
    Deleted(Vec<u8>),
    /// Its post cannot be read, so that it may be any.
    Unreadable,
}

impl Text {
    /// The text that a post is sent with.
    fn of(fields: Fields<'_>) -> Result<Self> {
        match read_sent_text(fields) {
            Ok(text) => Ok(Self::Whole(text)),
            Err(error) if error.is_bad_row() => {
                tracing::error!("a post cannot be read, and what is listed may be any text of it: {error}");
                Ok(Self::Unreadable)
            }
            Err(error) => Err(error),
        }
    }

    fn is_listed_as(&self, listed: &str) -> bool {
        match self {
            Self::Whole(text) => is_listed_as(text, listed),
            Self::Deleted(mark) => text_marks(listed).any(|listed| *mark == listed),
            Self::Unreadable => true,
        }
    }
}

impl MayBeOut {
    /// Whether it may be what the account lists with this text.
    pub fn is_listed_as(&self, listed: &str) -> bool {
        self.text.is_listed_as(listed)
    }
}

impl Store {
    /// Whether a post of the account is, or was before it was deleted, known to be out under this ID of the provider's.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn has_release(&self, platform: PlatformId, release_id: &str) -> Result<bool> {
        Ok(self
            .row(HAS_RELEASE, params![platform, release_id])
            .await?
            .is_some())
    }

    /// Whether another post of the account would be listed with this text, in any state. One that cannot be read may be.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn has_twin(&self, platform: PlatformId, post: PostId, listed: &str) -> Result<bool> {
        for row in self.rows(OTHERS, params![platform, post]).await? {
            if Text::of(row.of("posts"))?.is_listed_as(listed) {
                return Ok(true);
            }
        }
        Ok(false)
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

    /// The texts of posts of the account that may have come out at `since` or later, under an ID that is not known: they are on
    /// their way, they wait for a person's confirmation, a hold has marked them, they are in the creator's inbox, they are out
    /// and the provider has not named them yet, or they were deleted before it was known what came of them. The text of one that cannot
    /// be read may be any.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn posts_that_may_be_out(&self, platform: PlatformId, since: Time) -> Result<Vec<MayBeOut>> {
        let mut found = Vec::new();
        for row in self.rows(MAY_BE_OUT, params![platform, since]).await? {
            let fields = row.of("posts");
            let post = Some(fields.id("id")?);
            let earlier: [Option<String>; 2] = [fields.get("look_content")?, fields.get("sent")?];
            let texts = earlier.into_iter().flatten().map(Text::Whole);
            found.extend(
                texts
                    .chain([Text::of(fields)?])
                    .map(|text| MayBeOut { post, text }),
            );
        }
        for row in self.rows(DELETED_MAY_BE_OUT, params![platform]).await? {
            found.push(MayBeOut {
                post: None,
                text: Text::Deleted(row.of("removed_submissions").get("text_mark")?),
            });
        }
        Ok(found)
    }
}
