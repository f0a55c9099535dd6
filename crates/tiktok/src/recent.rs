//! The account's own public posts, to find one whose hand-over had no clear answer.

use std::time::Duration;

use playout_domain::provider::{Fate, Grant, ProviderError, RecentPost, RecentPosts};
use playout_domain::time::Time;
use serde_json::{Value, json};

use crate::TikTok;
use crate::account;
use crate::dating::Ahead;
use crate::envelope::{Reply, filled, id_text, integer};

const PATH: &str = "/v2/video/list/?fields=id,create_time,share_url,video_description,title";

/// The most that the provider lists at once.
const PAGE: usize = 20;

/// Enough for a month of posting at the provider's own cap.
pub(crate) const MOST_PAGES: usize = 25;

impl TikTok {
    /// Public posts since `since`; `None` where the grant does not let us look.
    pub(crate) async fn list_recent(
        &self,
        grant: Grant<'_>,
        since: Time,
    ) -> Result<Option<RecentPosts>, ProviderError> {
        if !account::scopes(&grant.platform.metadata)
            .iter()
            .any(|scope| scope == account::LIST)
        {
            return Ok(None);
        }
        let mut listed = Vec::new();
        let mut cursor = None;
        for _ in 0..MOST_PAGES {
            let Some(page) = self.page(grant, cursor).await? else {
                return Ok(None);
            };
            let is_past = page.posts.iter().any(|post| is_before(post, since));
            listed.extend(page.posts);
            cursor = page.next;
            if is_past || cursor.is_none() {
                return Ok(Some(whole(listed, since)));
            }
        }
        Ok(Some(cut(listed, since)))
    }

    async fn page(&self, grant: Grant<'_>, cursor: Option<i64>) -> Result<Option<Page>, ProviderError> {
        let mut body = json!({ "max_count": PAGE });
        if let Some(cursor) = cursor {
            body["cursor"] = json!(cursor);
        }
        match self.post_api(grant, None, PATH, &body).await {
            Ok(reply) => Ok(Some(Page::read(&reply, cursor, self.ahead(reply.date)))),
            Err(error) if error.fate == Fate::Reauthorize => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Whether a post came out before `since`; the provider's times are whole seconds.
pub(crate) const fn is_before(post: &RecentPost, since: Time) -> bool {
    post.created.end().as_secs() < since.as_secs()
}

/// All that came out since `since`, of what was listed to its end or beyond that time.
pub(crate) fn whole(mut listed: Vec<RecentPost>, since: Time) -> RecentPosts {
    listed.retain(|post| !is_before(post, since));
    RecentPosts {
        posts: listed,
        whole_since: since,
    }
}

/// The same, of a listing that ended before everything was seen. More of the second of the last may be missing.
pub(crate) fn cut(listed: Vec<RecentPost>, since: Time) -> RecentPosts {
    let last = listed.iter().map(|post| *post.created.end()).min();
    let seen = last.map_or(since, |last| last.plus(Duration::from_secs(1)).max(since));
    RecentPosts {
        whole_since: seen,
        ..whole(listed, since)
    }
}

struct Page {
    posts: Vec<RecentPost>,
    next: Option<i64>,
}

impl Page {
    /// A cursor that does not move on ends the listing.
    fn read(reply: &Reply, cursor: Option<i64>, ahead: Ahead) -> Self {
        let videos = reply.data.get("videos").and_then(Value::as_array);
        let posts = videos
            .into_iter()
            .flatten()
            .filter_map(|video| post(video, ahead))
            .collect();
        let has_more = reply
            .data
            .get("has_more")
            .and_then(Value::as_bool)
            .unwrap_or_default();
        let next = reply.data.get("cursor").and_then(integer);
        Self {
            posts,
            next: next.filter(|next| has_more && Some(*next) != cursor),
        }
    }
}

fn post(video: &Value, ahead: Ahead) -> Option<RecentPost> {
    let text = filled(video, "video_description").or_else(|| filled(video, "title"));
    Some(RecentPost {
        release_id: id_text(video.get("id")?)?,
        release_url: filled(video, "share_url").and_then(canonical),
        content: text.unwrap_or_default().to_owned(),
        created: ahead.span(Time::from_secs(integer(video.get("create_time")?)?)),
    })
}

/// The link without the tracking that the provider adds to it.
pub(crate) fn canonical(share_url: &str) -> Option<String> {
    let (link, _tracking) = share_url.split_once(['?', '#']).unwrap_or((share_url, ""));
    let is_web = link.starts_with("https://") || link.starts_with("http://");
    is_web.then(|| link.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_video_becomes_a_recent_post() {
        let video: Value = serde_json::from_str(
            r#"{"id":"7681234567890123457","create_time":1795000000,"video_description":"Kite day",
                "share_url":"https://www.tiktok.com/@kite/video/7681234567890123457?utm_source=awk1"}"#,
        )
        .unwrap();
        let post = post(&video, Ahead::default()).unwrap();
        assert_eq!(post.release_id, "7681234567890123457");
        let link = "https://www.tiktok.com/@kite/video/7681234567890123457";
        assert_eq!(post.release_url.as_deref(), Some(link));
        assert_eq!(post.content, "Kite day");
        let created = Time::from_secs(1_795_000_000);
        assert_eq!(post.created, created..=created);
    }

    #[test]
    fn what_is_no_web_address_is_no_link() {
        assert_eq!(canonical("javascript:alert(1)"), None);
    }

    #[test]
    fn a_cursor_that_stands_still_ends_the_listing() {
        let reply = Reply {
            data: json!({ "videos": [], "cursor": 5, "has_more": true }),
            log_id: None,
            date: None,
        };
        let next = |cursor| Page::read(&reply, cursor, Ahead::default()).next;
        assert_eq!(next(Some(5)), None);
        assert_eq!(next(None), Some(5));
    }
}
