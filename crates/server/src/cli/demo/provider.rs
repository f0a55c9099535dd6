//! The demo's provider: a simulator of four creators. It starts empty; posts that were published through earlier ones are added
//! to it from the database and the storage, so that their links work.

use std::net::SocketAddr;
use std::sync::Arc;

use playout_domain::id::WorkspaceId;
use playout_domain::media::{Media, MediaType};
use playout_domain::platform::{Connection, Platform, ProviderConnection};
use playout_domain::post::{ListedPost, PostState, Waiting};
use playout_domain::secret::Secret;
use playout_store::{Page, PostFilter};
use playout_tiktok::sim::{Account, Kind, Past, PostInfo, SimConfig, Simulator};
use playout_tiktok::{BusinessApp, TikTokConfig};
use serde_json::Value;
use url::Url;

use crate::app::App;
use crate::clock::SystemClock;
use crate::config::Config;
use crate::open_error::OpenError;

/// The most posts that are added again: the latest.
const MOST_POSTS: u32 = 1000;
/// A file larger than this is not held twice; its post is left out.
const MOST_BYTES: u64 = 32_000_000;

/// Starts the simulator; with `once`, on any port if the wanted one is in use.
pub(super) async fn simulate(
    listen: SocketAddr,
    config: &Config,
    once: bool,
) -> Result<Simulator, OpenError> {
    let options = |listen| SimConfig {
        listen,
        webhook_url: Some(format!("{}/webhooks/tiktok", config.base_url)),
        accounts: creators(),
        ..SimConfig::default()
    };
    match Simulator::start(options(listen), Arc::new(SystemClock)).await {
        Ok(simulator) => Ok(simulator),
        Err(_) if once => {
            let anywhere = SocketAddr::new(listen.ip(), 0);
            Ok(Simulator::start(options(anywhere), Arc::new(SystemClock)).await?)
        }
        Err(error) => {
            Err(format!("cannot listen on {listen}: {error}; choose another with --simulator-listen").into())
        }
    }
}

/// The two creators of every simulator, and two more.
fn creators() -> Vec<Account> {
    let of = |username: &str, nickname: &str, bio: &str, followers| Account {
        nickname: nickname.to_owned(),
        bio: bio.to_owned(),
        followers,
        ..Account::new(username)
    };
    let mut all = SimConfig::default().accounts;
    all.extend([
        of("paperplanes", "Paper Planes", "One sheet, no glue.", 12_870),
        of(
            "tidegarden",
            "Tide Garden",
            "A kitchen garden with salt on it.",
            3_415,
        ),
    ]);
    all
}

/// The configuration with which the service reaches the simulator.
pub(super) fn settings_of(simulator: &Simulator) -> Result<TikTokConfig, OpenError> {
    let app = SimConfig::default();
    let url: Url = simulator.url().parse()?;
    let client = TikTokConfig::new(app.client_key, Secret::new(app.client_secret));
    Ok(TikTokConfig {
        business: Some(BusinessApp {
            client_id: app.business_client_id,
            client_secret: Secret::new(app.business_client_secret),
        }),
        api_url: url.clone(),
        auth_url: url,
        ..client
    })
}

/// Connects an account as a person does: opens the provider's page, approves, and follows the redirect.
pub(super) async fn connect(
    app: &Arc<App>,
    simulator: &Simulator,
    workspace: WorkspaceId,
    handle: &str,
) -> Result<(), OpenError> {
    let wanted = ProviderConnection {
        provider: "tiktok",
        connection: Connection::Creator,
    };
    let url = app.start_connecting(workspace, wanted).await?;
    let back = simulator
        .approve(&url, handle, &[])
        .ok_or("the simulator did not accept the authorization")?;
    let back = Url::parse(&back)?;
    let given = |name: &str| {
        let mut pairs = back.query_pairs();
        let found = pairs.find(|(key, _)| key == name);
        found.map(|(_, value)| value.into_owned()).unwrap_or_default()
    };
    app.finish_connecting("tiktok", (&given("state"), &given("code")), None)
        .await?;
    Ok(())
}

/// Adds the posts of earlier simulators to a new one, with those that wait in an inbox, in order of time.
pub(super) async fn remind(
    app: &App,
    simulator: &Simulator,
    workspace: WorkspaceId,
) -> Result<(), OpenError> {
    let filter = PostFilter {
        states: vec![PostState::Published, PostState::ActionRequired],
        latest_first: true,
        ..PostFilter::default()
    };
    let page = Page {
        limit: MOST_POSTS,
        after: None,
    };
    let mut posts = app.store.list_root_posts(workspace, &filter, page).await?.posts;
    posts.sort_by_key(|post| post.updated_at);
    let platforms = app.store.list_platforms(workspace).await?;
    for post in &posts {
        let platform = platforms.iter().find(|platform| platform.id == post.platform_id);
        if let Some(platform) = platform
            && let Some(past) = past_of(app, workspace, platform, post).await?
        {
            simulator.remember(&past)?;
        }
    }
    Ok(())
}

/// A post in the simulator's form; `None` if it is neither published nor in an inbox, or its media are incomplete.
async fn past_of(
    app: &App,
    workspace: WorkspaceId,
    platform: &Platform,
    post: &ListedPost,
) -> Result<Option<Past>, OpenError> {
    let is_known = post.release_id.is_some() || post.waiting == Some(Waiting::Inbox);
    let handle = app.store.last_handle_of(post.id).await?;
    let (Some(publish_id), true) = (handle, is_known) else {
        return Ok(None);
    };
    let media = app.store.find_media_many(workspace, &post.media_ids).await?;
    let in_order = post
        .media_ids
        .iter()
        .map(|id| media.iter().find(|medium| medium.id == *id));
    let fits = |medium: &&Media| medium.size_bytes.is_some_and(|size| size <= MOST_BYTES);
    let Some(media) = in_order
        .map(|found| found.filter(fits))
        .collect::<Option<Vec<&Media>>>()
    else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    for medium in &media {
        bytes.push(app.blobs.get(&medium.storage_key).await?);
    }
    let kind = match media.first().map(|medium| medium.mime.media_type()) {
        Some(MediaType::Video) => Kind::Video,
        _ => Kind::Photo,
    };
    Ok(Some(Past {
        open_id: platform.provider_account_id.clone(),
        publish_id,
        post_id: post.release_id.clone(),
        kind,
        info: said(post, kind),
        media: bytes,
        at: post.updated_at,
    }))
}

/// The texts of a post that the simulator's pages show.
fn said(post: &ListedPost, kind: Kind) -> PostInfo {
    let settings = post.settings.values();
    let word = |name: &str| {
        let value = settings.get(name).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    };
    let (title, description) = match kind {
        Kind::Video => (post.content.clone(), String::new()),
        Kind::Photo => (word("title"), post.content.clone()),
    };
    let is_on = |name: &str| settings.get(name).and_then(Value::as_bool) == Some(true);
    PostInfo {
        title,
        description,
        privacy_level: word("privacy_level"),
        disable_comment: !is_on("allow_comment"),
        brand_content_toggle: is_on("brand_content_toggle"),
        brand_organic_toggle: is_on("brand_organic_toggle"),
        is_aigc: is_on("is_aigc"),
        ..PostInfo::default()
    }
}
