//! The account's own public posts, to find one whose hand-over had no clear answer.

use playout_domain::provider::{Fate, Grant, ProviderError, RecentPost, RecentPosts};
use playout_domain::time::Time;
use serde_json::{Value, json};

use crate::account;
use crate::client::TikTok;
use crate::dating::Ahead;
use crate::envelope::{Reply, filled, id_text, integer};
use crate::paging::{After, NewestFirst};

const PATH: &str = "/v2/video/list/?fields=id,create_time,share_url,video_description,title";

/// The most that the provider lists at once.
const PAGE: usize = 20;

/// Enough for a month of posting at the provider's own cap.
pub(crate) const MOST_PAGES: usize = 25;

impl TikTok {
    /// Public posts since `since`; `None` where the grant does not let us look, as far as it is known. A provider that does not let us look
    /// rejects the request.
    pub(crate) async fn list_recent(
        &self,
        grant: Grant<'_>,
        since: Time,
    ) -> Result<Option<RecentPosts>, ProviderError> {
        if !account::has_scope(grant.platform, account::LIST) {
            return Ok(None);
        }
        let mut listing = Listing::since(since);
        let mut cursor = None;
        for _ in 0..MOST_PAGES {
            let page = self.page(grant, cursor).await.map_err(as_refusal)?;
            page.posts.into_iter().for_each(|post| listing.take(post));
            match listing.follow(page.after) {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        Ok(Some(listing.posts()))
    }

    async fn page(&self, grant: Grant<'_>, cursor: Option<i64>) -> Result<Page, ProviderError> {
        let mut body = json!({ "max_count": PAGE });
        if let Some(cursor) = cursor {
            body["cursor"] = json!(cursor);
        }
        let reply = self.post_api(grant, None, PATH, &body).await?;
        Page::read(&reply, cursor, self.ahead(reply.date))
    }
}

/// An account that may be published to is not disconnected because it may not be listed.
pub(crate) fn as_refusal(error: ProviderError) -> ProviderError {
    match error.fate {
        Fate::Reauthorize => ProviderError {
            fate: Fate::Rejected,
            ..error
        },
        _ => error,
    }
}

/// The posts of an account since a time, as far as they were listed. A post that is older than that ends the listing only while the
/// newest come first: pinned ones, for example, may come before newer ones ([`NewestFirst`]).
pub(crate) struct Listing {
    since: Time,
    posts: Vec<RecentPost>,
    order: NewestFirst,
    /// Whether a listed post could not be read: it may be any.
    has_unreadable: bool,
    is_whole: bool,
}

impl Listing {
    pub(crate) fn since(since: Time) -> Self {
        Self {
            since,
            posts: Vec::new(),
            order: NewestFirst::since(since),
            has_unreadable: false,
            is_whole: false,
        }
    }

    /// Takes in the next listed post; `None` for one that cannot be read.
    pub(crate) fn take(&mut self, post: Option<RecentPost>) {
        self.order.take(post.as_ref().map(|post| &post.created));
        self.has_unreadable |= post.is_none();
        // A list that shifts between its pages, or has pinned posts, may name one twice.
        let is_new = |post: &RecentPost| self.posts.iter().all(|one| one.release_id != post.release_id);
        let post = post.filter(|post| post.created.end().as_secs() >= self.since.as_secs() && is_new(post));
        self.posts.extend(post);
    }

    /// The cursor of the next page, given what follows the one that was taken in; `None` if the listing ends.
    pub(crate) fn follow(&mut self, after: After) -> Option<i64> {
        self.order.end_page();
        self.is_whole = !self.has_unreadable && (after == After::End || self.order.is_past());
        match after {
            After::Page(next) if !self.is_whole => Some(next),
            After::Page(_) | After::End | After::Unknown => None,
        }
    }

    /// What was listed. Where the listing ended before everything was seen, more of the second of the last may be missing, and in a list
    /// that is not in order, has a post that cannot be read, or may have pinned posts alone, anything.
    pub(crate) fn posts(self) -> RecentPosts {
        let whole_since = match self.is_whole {
            true => Some(self.since),
            false => self.order.whole_since(),
        };
        RecentPosts {
            posts: self.posts,
            whole_since,
        }
    }
}

struct Page {
    posts: Vec<Option<RecentPost>>,
    after: After,
}

impl Page {
    fn read(reply: &Reply, cursor: Option<i64>, ahead: Ahead) -> Result<Self, ProviderError> {
        let read = |video| post(video, ahead);
        Ok(Self {
            posts: reply.list("videos")?.iter().map(read).collect(),
            after: After::read(&reply.data, cursor),
        })
    }
}

/// `None` for one without its ID, its time or its text: a text that is missing is not empty.
fn post(video: &Value, ahead: Ahead) -> Option<RecentPost> {
    Some(RecentPost {
        release_id: id_text(video.get("id")?)?,
        release_url: filled(video, "share_url").and_then(canonical),
        content: text(video)?.to_owned(),
        created: ahead.span(Time::from_secs(integer(video.get("create_time")?)?)),
    })
}

/// The description or, where that is empty or missing, the title.
fn text(video: &Value) -> Option<&str> {
    let texts = ["video_description", "title"].into_iter();
    texts
        .filter_map(|key| video.get(key)?.as_str())
        .min_by_key(|text| text.is_empty())
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
    fn a_text_that_is_empty_is_told_from_one_that_is_missing() {
        let read = |fields: Value| text(&fields).map(str::to_owned);
        for (fields, expected) in [
            (
                json!({ "video_description": "Kite", "title": "Day" }),
                Some("Kite"),
            ),
            (json!({ "video_description": "", "title": "Day" }), Some("Day")),
            (json!({ "video_description": null, "title": "Day" }), Some("Day")),
            (json!({ "video_description": "", "title": "" }), Some("")),
            (json!({ "video_description": "" }), Some("")),
            (json!({ "title": "" }), Some("")),
            (json!({ "video_description": null, "title": null }), None),
            (json!({ "video_description": 7 }), None),
            (json!({}), None),
        ] {
            assert_eq!(read(fields.clone()).as_deref(), expected, "{fields}");
        }
    }

    #[test]
    fn what_is_no_web_address_is_no_link() {
        assert_eq!(canonical("javascript:alert(1)"), None);
    }
}
