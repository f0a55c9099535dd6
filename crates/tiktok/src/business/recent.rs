//! The account's own posts, to find one whose hand-over had no clear answer: `/business/video/list/`, which lists photos
//! too, newest first.

use playout_domain::provider::{Fate, Grant, ProviderError, RecentPost, RecentPosts, Sighting};
use playout_domain::time::Time;
use serde_json::{Value, json};

use super::client::TikTokBusiness;
use crate::account;
use crate::dating::Ahead;
use crate::envelope::{Reply, filled, id_text, integer};
use crate::paging::After;
use crate::recent::{Listing, MOST_PAGES, as_refusal, canonical};

const PATH: &str = "/business/video/list/";
const FIELDS: &str = r#"["item_id","create_time","caption","share_url"]"#;

/// The most that the provider lists at once.
const PAGE: &str = "20";

impl TikTokBusiness {
    /// Posts since `since`; `None` where the grant does not let us look, as far as it is known. A provider that does not let us look rejects
    /// the request.
    pub(super) async fn list_recent(
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
            let reply = self.page(grant, cursor).await.map_err(as_refusal)?;
            let ahead = self.base.ahead(reply.date);
            for item in reply.list("videos")? {
                listing.take(post(item, ahead));
            }
            match listing.follow(After::read(&reply.data, cursor)) {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        Ok(Some(listing.posts()))
    }

    async fn page(&self, grant: Grant<'_>, cursor: Option<i64>) -> Result<Reply, ProviderError> {
        let cursor = cursor.map(|cursor| cursor.to_string());
        let mut query = vec![("fields", FIELDS), ("max_count", PAGE)];
        query.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        self.get(grant.into(), PATH, &query).await
    }
}

impl TikTokBusiness {
    /// Whether the account shows the post of this ID to the public.
    pub(super) async fn look_for(
        &self,
        grant: Grant<'_>,
        release_id: &str,
    ) -> Result<Sighting, ProviderError> {
        if !account::has_scope(grant.platform, account::LIST) {
            return Ok(Sighting::CannotLook);
        }
        let filters = json!({ "video_ids": [release_id] }).to_string();
        let query = [("fields", FIELDS), ("filters", &filters), ("max_count", PAGE)];
        let reply = match self.get(grant.into(), PATH, &query).await {
            Err(error) if error.fate == Fate::Reauthorize => return Ok(Sighting::CannotLook),
            other => other?,
        };
        let found = reply.list("videos")?.iter().find(|item| {
            let id = item.get("item_id").and_then(id_text);
            id.as_deref() == Some(release_id)
        });
        Ok(found.map_or(Sighting::NotShown, |item| Sighting::Shown(page_of(item))))
    }
}

/// `None` for one without its ID, its time or its text: a text that is missing is not empty.
fn post(item: &Value, ahead: Ahead) -> Option<RecentPost> {
    Some(RecentPost {
        release_id: id_text(item.get("item_id")?)?,
        release_url: page_of(item),
        content: item.get("caption")?.as_str()?.to_owned(),
        created: ahead.span(Time::from_secs(integer(item.get("create_time")?)?)),
    })
}

fn page_of(item: &Value) -> Option<String> {
    filled(item, "share_url").and_then(canonical)
}
