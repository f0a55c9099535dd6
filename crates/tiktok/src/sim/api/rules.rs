//! What the provider checks before it takes a post, in the provider's order.

use std::net::IpAddr;

use url::{Host, Url};

use super::params::Object;
use crate::sim::answer::Refusal;
use crate::sim::knobs::SingleChunkError;
use crate::sim::task::{Kind, Mode, PostInfo};
use crate::sim::world::{DAY, World};

/// Drafts that may wait in an inbox.
const PENDING_SHARES: usize = 5;

/// Whether the app's quota of posting users is used up for this user.
pub(super) fn users_used_up(world: &World, open_id: &str) -> bool {
    let Some(cap) = world.knobs.user_cap() else {
        return false;
    };
    let since = world.now.minus(DAY);
    let others = world
        .active
        .iter()
        .filter(|(user, at)| **at > since && user.as_str() != open_id)
        .count();
    let active = world.active.get(open_id).is_some_and(|at| *at > since);
    !active && others >= cap as usize
}

/// The checks after the parameters: ban, caps, privacy, audit, URL ownership.
pub(super) fn check(world: &World, open_id: &str, post: &Post<'_>) -> Result<(), Refusal> {
    let Some(account) = world.account(open_id) else {
        return Err(Refusal::new(500, "internal_error", "The account is gone."));
    };
    if account.banned {
        return Err(Refusal::guidelines("spam_risk_user_banned_from_posting"));
    }
    match post.mode {
        Mode::Draft => check_draft(world, open_id, post)?,
        Mode::Direct => check_direct(world, open_id, post)?,
    }
    if post.urls.iter().any(|url| !owned(world, url)) {
        return Err(Refusal::new(
            403,
            "url_ownership_unverified",
            "Please review our URL ownership verification rules at https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide/",
        ));
    }
    Ok(())
}

/// What is checked of a post.
pub(super) struct Post<'a> {
    pub(super) kind: Kind,
    pub(super) mode: Mode,
    pub(super) info: &'a PostInfo,
    pub(super) urls: &'a [String],
}

fn check_draft(world: &World, open_id: &str, post: &Post<'_>) -> Result<(), Refusal> {
    let elsewhere = world
        .account(open_id)
        .map_or(0, |account| account.pending_shares as usize);
    if world.ledger.count_pending_since(open_id, world.now.minus(DAY)) + elsewhere >= PENDING_SHARES {
        return Err(Refusal::guidelines("spam_risk_too_many_pending_share"));
    }
    let old_app = world
        .account(open_id)
        .is_some_and(|account| !account.takes_photo_drafts());
    if post.kind == Kind::Photo && old_app {
        return Err(Refusal::new(
            400,
            "app_version_check_failed",
            "The user's TikTok app version is lower than 31.8.",
        ));
    }
    Ok(())
}

fn check_direct(world: &World, open_id: &str, post: &Post<'_>) -> Result<(), Refusal> {
    if world.posts_used_up(open_id) {
        return Err(Refusal::too_many_posts());
    }
    if users_used_up(world, open_id) {
        return Err(Refusal::guidelines("reached_active_user_cap"));
    }
    let Some(account) = world.account(open_id) else {
        return Ok(());
    };
    let privacy = post.info.privacy_level.as_str();
    if !account.privacy_options().contains(&privacy) {
        return Err(Refusal::guidelines("privacy_level_option_mismatch"));
    }
    if !world.knobs.audited && (!account.private || privacy != "SELF_ONLY") {
        return Err(Refusal::guidelines(
            "unaudited_client_can_only_post_to_private_accounts",
        ));
    }
    Ok(())
}

/// A URL that the provider would fetch: https, or plain http on this very machine (the simulator's one licence).
pub(super) fn fetchable(text: &str) -> bool {
    let Ok(url) = Url::parse(text) else { return false };
    match url.scheme() {
        "https" => url.host().is_some(),
        "http" => is_loopback(&url),
        _ => false,
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

/// Whether the app has proved to own the URL: by prefix, or by a domain that covers its subdomains.
pub(super) fn owned(world: &World, text: &str) -> bool {
    if !world.knobs.verify_urls {
        return true;
    }
    let host = Url::parse(text)
        .ok()
        .and_then(|url| url.host_str().map(str::to_owned))
        .unwrap_or_default();
    world
        .knobs
        .verified_prefixes
        .iter()
        .any(|property| match property.contains("://") {
            true => text.starts_with(property),
            false => host == *property || host.ends_with(&format!(".{property}")),
        })
}

/// How a file comes in chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ChunkPlan {
    pub(super) size: u64,
    pub(super) chunk: u64,
    pub(super) count: u64,
}

/// Largest video: 4 GB, in the wider of the two readings.
pub(super) const VIDEO_LIMIT: u64 = 4 * 1024 * 1024 * 1024;
/// Smallest chunk: 5 MB, in the narrower reading.
const CHUNK_MIN: u64 = 5_000_000;
/// Largest chunk: 64 MB, in the wider reading.
const CHUNK_MAX: u64 = 64 * 1024 * 1024;
const CHUNKS: u64 = 1_000;

/// The chunks that `source_info` announces, if the rules allow them.
pub(super) fn chunk_plan(source: &Object<'_>, single: SingleChunkError) -> Result<ChunkPlan, Refusal> {
    let size = source.required_number("video_size")?;
    let chunk = source.required_number("chunk_size")?;
    let count = source.required_number("total_chunk_count")?;
    if size == 0 || size > VIDEO_LIMIT {
        return Err(source.wrong("The video size is invalid"));
    }
    if count == 1 && chunk != size {
        return Err(source.wrong(single.message()));
    }
    let whole = count == 1 && chunk == size && size <= CHUNK_MAX;
    if !whole && (count == 1 || !(CHUNK_MIN..=CHUNK_MAX).contains(&chunk)) {
        return Err(source.wrong("The chunk size is invalid"));
    }
    if count == 0 || count > CHUNKS || size / chunk != count {
        return Err(source.wrong("The total chunk count is invalid"));
    }
    Ok(ChunkPlan { size, chunk, count })
}
