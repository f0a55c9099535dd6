//! Posts that a person names: by their ID, or by the address of their page, copied from a browser or from the app.

use playout_domain::error::{Issue, IssueCode};
use playout_domain::platform::Platform;
use playout_domain::provider::{Fate, Grant, NamedPost, ProviderError, Sighting, Whereabouts};
use serde_json::{Value, json};
use url::Url;

use crate::account;
use crate::client::TikTok;
use crate::config::TikTokConfig;
use crate::envelope::{filled, id_text};

const PATH: &str = "/v2/video/query/?fields=id,share_url";

/// IDs are 64-bit numbers: 19 digits today.
const LONGEST_ID: usize = 20;

/// A page of a post: whose, which kind, which.
struct Page {
    account: String,
    kind: String,
    release_id: String,
}

/// Reads the `releaseId` and `releaseUrl` that a person sent. `None` where they sent neither.
pub(crate) fn read(
    config: &TikTokConfig,
    platform: &Platform,
    said: Whereabouts<'_>,
) -> Result<Option<NamedPost>, Vec<Issue>> {
    let id = said
        .release_id
        .map(read_id)
        .transpose()
        .map_err(|issue| vec![issue])?;
    let page = said
        .release_url
        .map(|url| read_page(config, url))
        .transpose()
        .map_err(|issue| vec![issue])?;
    match (id, page) {
        (None, None) => Ok(None),
        (Some(release_id), None) => Ok(Some(NamedPost {
            release_id,
            release_url: None,
            other_account: None,
        })),
        (Some(id), Some(page)) if id != page.release_id => Err(vec![Issue::field(
            "releaseUrl",
            IssueCode::Conflict.with("is the page of another post than releaseId"),
        )]),
        (_, Some(page)) => Ok(Some(page.named(config, platform))),
    }
}

fn read_id(text: &str) -> Result<String, Issue> {
    let is_id = (1..=LONGEST_ID).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    match is_id {
        true => Ok(text.to_owned()),
        false => Err(Issue::field(
            "releaseId",
            IssueCode::Format.with("must be the number at the end of the post's address"),
        )),
    }
}

/// `https://www.tiktok.com/@handle/video/123`, `…/photo/123`, with whatever is added behind.
fn read_page(config: &TikTokConfig, text: &str) -> Result<Page, Issue> {
    let refuse = |message: &'static str| Issue::field("releaseUrl", IssueCode::Format.with(message));
    let form =
        "must be the address of a post, such as https://www.tiktok.com/@name/video/7681234567890123456";
    let url = Url::parse(text).map_err(|_| refuse(form))?;
    if is_short(&url) {
        return Err(refuse(
            "is a short link: open it in a browser and copy the address that it leads to",
        ));
    }
    if !config.has_pages_at(&url) {
        return Err(refuse(form));
    }
    let parts: Vec<&str> = url
        .path_segments()
        .map(|parts| parts.collect())
        .unwrap_or_default();
    match parts.as_slice() {
        [account, kind @ ("video" | "photo"), id, rest @ ..] if rest.iter().all(|part| part.is_empty()) => {
            let account = account.strip_prefix('@').filter(|name| !name.is_empty());
            let (Some(account), Ok(release_id)) = (account, read_id(id)) else {
                return Err(refuse(form));
            };
            Ok(Page {
                account: account.to_owned(),
                kind: (*kind).to_owned(),
                release_id,
            })
        }
        _ => Err(refuse(form)),
    }
}

/// The short addresses that the app shares; they contain no post id and would have to be followed.
fn is_short(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    matches!(host, "vm.tiktok.com" | "vt.tiktok.com")
        || (host.ends_with("tiktok.com") && url.path().starts_with("/t/"))
}

impl Page {
    fn named(self, config: &TikTokConfig, platform: &Platform) -> NamedPost {
        let known = filled_metadata(platform, account::key::USERNAME);
        let is_known = known.is_none_or(|known| known.eq_ignore_ascii_case(&self.account));
        NamedPost {
            release_url: Some(config.permalink(&self.account, &self.kind, &self.release_id)),
            release_id: self.release_id,
            other_account: (!is_known).then_some(self.account),
        }
    }
}

fn filled_metadata<'a>(platform: &'a Platform, key: &str) -> Option<&'a str> {
    platform
        .metadata
        .get(key)
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
}

impl TikTok {
    /// Queries whether the account's token has access to the post with this ID. The provider lists public posts alone.
    pub(crate) async fn look_for(
        &self,
        grant: Grant<'_>,
        release_id: &str,
    ) -> Result<Sighting, ProviderError> {
        if !account::has_scope(grant.platform, account::LIST) {
            return Ok(Sighting::CannotLook);
        }
        let body = json!({ "filters": { "video_ids": [release_id] } });
        let reply = match self.post_api(grant, None, PATH, &body).await {
            Ok(reply) => reply,
            Err(error) if error.fate == Fate::Reauthorize => return Ok(Sighting::CannotLook),
            Err(error) => return Err(error),
        };
        let found = reply.list("videos")?.iter().find(|video| {
            let id = video.get("id").and_then(id_text);
            id.as_deref() == Some(release_id)
        });
        Ok(found.map_or(Sighting::NotShown, |video| {
            Sighting::Shown(filled(video, "share_url").map(without_query))
        }))
    }
}

fn without_query(url: &str) -> String {
    url.split_once('?').map_or(url, |(page, _)| page).to_owned()
}

#[cfg(test)]
mod tests {
    use playout_domain::secret::Secret;

    use super::*;

    fn page(text: &str) -> Result<(String, String), String> {
        let config = TikTokConfig::new("key", Secret::new("secret"));
        let read = read_page(&config, text).map(|page| (page.account, page.release_id));
        read.map_err(|issue| issue.message.into_owned())
    }

    #[test]
    fn addresses_are_read_as_people_copy_them() {
        for text in [
            "https://www.tiktok.com/@kite.studio/video/7681234567890123456",
            "https://www.tiktok.com/@kite.studio/photo/7681234567890123456/",
            "https://tiktok.com/@kite.studio/video/7681234567890123456?is_from_webapp=1&sender_device=pc",
            "https://m.tiktok.com/@kite.studio/video/7681234567890123456#top",
        ] {
            let expected = ("kite.studio".to_owned(), "7681234567890123456".to_owned());
            assert_eq!(page(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_page_of_a_post_is_refused() {
        for text in [
            "",
            "7681234567890123456",
            "https://www.tiktok.com/@kite.studio",
            "https://www.tiktok.com/@/video/7681234567890123456",
            "https://www.tiktok.com/kite/video/7681234567890123456",
            "https://www.tiktok.com/@kite/video/768x",
            "https://www.tiktok.com/@kite/video/768/more",
            "https://www.tiktok.com.evil.example/@kite/video/7681234567890123456",
            "http://www.tiktok.com/@kite/video/7681234567890123456",
            "javascript:alert(1)",
        ] {
            assert!(
                page(text).unwrap_err().starts_with("must be the address"),
                "{text}"
            );
        }
        for text in ["https://vm.tiktok.com/ZMabc/", "https://www.tiktok.com/t/ZTabc/"] {
            assert!(page(text).unwrap_err().starts_with("is a short link"), "{text}");
        }
    }
}
