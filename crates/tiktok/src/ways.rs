//! How media travel to the provider, why, and whether they can at all.

use playout_domain::error::{Issue, IssueCode};
use playout_domain::explanation::PULL_UNFETCHED;
use playout_domain::media::MediaType;
use playout_domain::post::Draft;
use playout_domain::provider::{Part, Problem};
use playout_domain::submission::{Submission, Transfer, Way};
use url::{Host, Url};

use crate::config::{TikTokConfig, TransferChoice};

/// How media of this type travel after these tries, and why.
///
/// Photos can only be fetched. A video is uploaded unless the operator wants it fetched; a fetch that failed, or never
/// came, is followed by an upload whatever the operator wants, because nothing else would get the post out.
pub(crate) fn way(config: &TikTokConfig, media_type: MediaType, tries: &[Submission]) -> Way {
    let (transfer, reason) = match (media_type, config.transfer) {
        (MediaType::Video, TransferChoice::Auto) => (
            Transfer::Upload,
            "Videos are uploaded: an upload can be resumed, and nothing can be published before its last byte.",
        ),
        (MediaType::Video, TransferChoice::Upload) => (
            Transfer::Upload,
            "PLAYOUT_TIKTOK_TRANSFER=upload: videos are uploaded.",
        ),
        (MediaType::Video, TransferChoice::Pull) if tries.iter().any(was_not_fetched) => (
            Transfer::Upload,
            "TikTok could not fetch the video from this service, so it is uploaded instead.",
        ),
        (MediaType::Video, TransferChoice::Pull) => (
            Transfer::Pull,
            "PLAYOUT_TIKTOK_TRANSFER=pull: TikTok fetches videos from this service.",
        ),
        (MediaType::Image | MediaType::Audio | MediaType::File, _) => (
            Transfer::Pull,
            "TikTok takes photos only by fetching them from this service.",
        ),
    };
    Way {
        transfer,
        reason: Some(reason),
    }
}

/// Whether a try came to nothing because the provider had not fetched the video.
fn was_not_fetched(submission: &Submission) -> bool {
    let code = submission.code.as_deref();
    let codes = ["video_pull_failed", PULL_UNFETCHED.code];
    submission.transfer == Transfer::Pull && code.is_some_and(|code| codes.contains(&code))
}

/// How everything travels by the business connection.
pub(crate) const BUSINESS: Way = Way {
    transfer: Transfer::Pull,
    reason: Some("TikTok's business API takes media only by fetching them from this service."),
};

/// What keeps the provider from ever fetching what this draft needs it to fetch.
pub(crate) fn problem(config: &TikTokConfig, draft: &Draft) -> Option<Problem> {
    let media_type = draft.media.first()?.mime.media_type();
    if way(config, media_type, &[]).transfer != Transfer::Pull {
        return None;
    }
    let (what, instead) = match media_type {
        MediaType::Video => (
            "videos with PLAYOUT_TIKTOK_TRANSFER=pull",
            ", or let videos be uploaded",
        ),
        MediaType::Image | MediaType::Audio | MediaType::File => ("photos", ""),
    };
    unfetchable(config, what, &format!("developers.tiktok.com{instead}"))
}

/// The same for the business connection, by which everything is fetched.
pub(crate) fn business_problem(config: &TikTokConfig, draft: &Draft) -> Option<Problem> {
    draft.media.first()?;
    unfetchable(config, "a business account's media", "business-api.tiktok.com")
}

/// An overridden API is a simulator's, which fetches from anywhere on its own machine.
fn unfetchable(config: &TikTokConfig, what: &str, portal: &str) -> Option<Problem> {
    let base_url = config.base_url.as_ref().filter(|_| !config.is_overridden())?;
    if is_fetchable(base_url) {
        return None;
    }
    let address = base_url.as_str().trim_end_matches('/');
    let message = format!(
        "cannot be posted from here: TikTok fetches {what} from this service, and never can from {address}. The \
         operator of this service must set PLAYOUT_BASE_URL to an https address with a public domain name and verify \
         that domain under \"URL properties\" of the app at {portal}"
    );
    Some(Problem {
        part: Part::Media,
        issue: Issue::field("mediaIds", IssueCode::NotSupported.with(message)),
    })
}

/// Whether the provider may fetch from below `base`: https, and a domain name that is public as far as its form shows.
/// Only the provider knows whether the domain is verified; it rejects the fetch if not.
fn is_fetchable(base: &Url) -> bool {
    let Some(Host::Domain(name)) = base.host() else {
        return false;
    };
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let last = name.rsplit_once('.').map(|(_, last)| last);
    let is_private = |last| {
        matches!(
            last,
            "localhost" | "local" | "internal" | "lan" | "test" | "example" | "invalid"
        )
    };
    base.scheme() == "https" && last.is_some_and(|last| !is_private(last))
}

#[cfg(test)]
mod tests;
