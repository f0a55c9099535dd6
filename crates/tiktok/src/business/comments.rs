//! Comments under the account's own public posts: `/business/comment/create/` and `/business/comment/list/`. Writing is
//! not idempotent. What the spam filter takes for spam is written and shown to no one else: its `status` is `HIDDEN`.

use std::ops::RangeInclusive;

use playout_domain::provider::{Commented, Grant, Notice, OwnComment, OwnComments, ProviderError};
use playout_domain::time::Time;
use serde_json::{Value, json};

use super::client::TikTokBusiness;
use crate::account::has_scope;
use crate::dating::Ahead;
use crate::envelope::{self, filled, id_text, integer};
use crate::errors;
use crate::paging::{After, NewestFirst};

/// The scope that reads comments.
pub(super) const READ: &str = "comment.list";
/// The scope that writes them.
pub(super) const WRITE: &str = "comment.list.manage";

const CREATE_PATH: &str = "/business/comment/create/";
const LIST_PATH: &str = "/business/comment/list/";

/// The most that the provider lists at once.
const PAGE: &str = "30";

/// Enough for the comments of an hour under a post that many people see.
const MOST_PAGES: usize = 25;

/// The table's word for what only its author sees.
const HIDDEN: &str = "comment_hidden";

impl TikTokBusiness {
    /// Writes a comment. Not idempotent: an unclear answer must not be followed by another try.
    pub(super) async fn create_comment(
        &self,
        grant: Grant<'_>,
        release_id: &str,
        text: &str,
    ) -> Result<Commented, ProviderError> {
        let body = json!({ "video_id": release_id, "text": text });
        let reply = self.post(grant.into(), CREATE_PATH, body).await?;
        read(&reply.data).ok_or_else(|| envelope::incomplete(reply.log_id))
    }

    /// The account's own comments since `since`, hidden ones too. The order is requested under the name that most clients
    /// use; only where the provider keeps to it do comments from before `since` end the list ([`NewestFirst`]). A list with a
    /// comment that cannot be read, which may be any of the account's own, is not whole.
    pub(super) async fn list_own_comments(
        &self,
        grant: Grant<'_>,
        release_id: &str,
        since: Time,
    ) -> Result<Option<OwnComments>, ProviderError> {
        if !has_scope(grant.platform, READ) {
            return Ok(None);
        }
        let (mut comments, mut cursor) = (Vec::new(), 0_i64);
        let mut newest_first = NewestFirst::since(since);
        let mut has_unreadable = false;
        for _ in 0..MOST_PAGES {
            let from = cursor.to_string();
            let query = [
                ("video_id", release_id),
                ("status", "ALL"),
                ("sort_field", "create_time"),
                ("sort_order", "desc"),
                ("max_count", PAGE),
                ("cursor", &from),
            ];
            let reply = self.get(grant.into(), LIST_PATH, &query).await?;
            let ahead = self.base.ahead(reply.date);
            for item in reply.list("comments")? {
                match own(item, since, ahead) {
                    Ok(comment) => comments.extend(comment),
                    Err(Unreadable) => has_unreadable = true,
                }
                newest_first.take(written(item, ahead).as_ref());
            }
            newest_first.end_page();
            let after = After::read(&reply.data, Some(cursor));
            if after == After::End || newest_first.is_past() {
                let is_whole = !has_unreadable;
                return Ok(Some(OwnComments { comments, is_whole }));
            }
            let After::Page(next) = after else { break };
            cursor = next;
        }
        let is_whole = false;
        Ok(Some(OwnComments { comments, is_whole }))
    }
}

fn read(comment: &Value) -> Option<Commented> {
    Some(Commented {
        release_id: id_text(comment.get("comment_id")?)?,
        notice: (filled(comment, "status") == Some("HIDDEN")).then(|| Notice {
            code: HIDDEN,
            message: errors::explain(HIDDEN).message(),
        }),
    })
}

/// A listed comment that cannot be read.
struct Unreadable;

/// A listed comment, if it is the account's own and since `since`.
///
/// # Errors
/// Where that, or the ID or the text of such a one, cannot be read.
fn own(comment: &Value, since: Time, ahead: Ahead) -> Result<Option<OwnComment>, Unreadable> {
    let is_own = comment.get("owner").and_then(Value::as_bool).ok_or(Unreadable)?;
    if !is_own {
        return Ok(None);
    }
    let written = written(comment, ahead).ok_or(Unreadable)?;
    if written.end().as_secs() < since.as_secs() {
        return Ok(None);
    }
    let text = comment.get("text").and_then(Value::as_str).ok_or(Unreadable)?;
    Ok(Some(OwnComment {
        comment: read(comment).ok_or(Unreadable)?,
        text: text.to_owned(),
    }))
}

/// From when to when it may have been written.
fn written(comment: &Value, ahead: Ahead) -> Option<RangeInclusive<Time>> {
    Some(ahead.span(Time::from_secs(integer(comment.get("create_time")?)?)))
}
