//! `bench-seed`: fills a database for the benches. The format is xtask/src/bench/SEED.md.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use playout_domain::audit::Actor;
use playout_domain::id::{MediaId, PlatformId};
use playout_domain::platform::{Capability, Connection};
use playout_domain::provider::{AccountProfile, TokenSet};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use playout_domain::workspace::Workspace;
use playout_store::{ConnectPlatform, NewConnection, NewGroup, NewPost};
use serde::Deserialize;
use serde_json::{Map, json};

use super::admin;
use super::print::say;
use crate::app::App;
use crate::app::media::UploadForm;
use crate::app::once::Kept;
use crate::chance;
use crate::clock::SystemClock;
use crate::config::Config;
use crate::open_error::OpenError;
use crate::world;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    accounts: Vec<Account>,
    files: Vec<String>,
    posts: Posts,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Account {
    open_id: String,
    username: String,
    display_name: String,
    access_token: String,
    refresh_token: String,
    scopes: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Posts {
    count: u64,
    first_at: Time,
    step_seconds: u64,
    media_per_post: usize,
    /// Whether they are scheduled rather than drafts.
    #[serde(default)]
    queued: bool,
    /// The number of posts with the same time.
    #[serde(default = "one")]
    batch: u64,
}

fn one() -> u64 {
    1
}

/// Reads a request from standard input and executes it.
pub(super) async fn run(config: Config) -> Result<ExitCode, OpenError> {
    let request: Request = serde_json::from_reader(std::io::stdin().lock())?;
    let app = world::open(config, Arc::new(SystemClock), true).await?;
    let created = admin::create_workspace(&app, "Bench", None, Some("unlimited".to_owned())).await?;
    let id = serde_json::from_value(created["id"].clone())?;
    let workspace = app
        .store
        .find_workspace(id)
        .await?
        .ok_or("the workspace vanished")?;
    let key = app.create_key(id, "Bench", None, None).await?.key;
    let mut platforms = Vec::new();
    for account in &request.accounts {
        platforms.push(connect(&app, &workspace, account).await?);
    }
    let mut media = Vec::new();
    for file in &request.files {
        media.push(upload(&app, &workspace, file).await?);
    }
    create_posts(&app, &workspace, &request.posts, &platforms, &media).await?;
    app.store.build_indexes().await?;
    app.store.index_all_texts().await?;
    let count = request.posts.count;
    say(json!({
        "workspaceId": id, "apiKey": key.expose(), "platformIds": platforms, "mediaIds": media, "posts": count
    }));
    app.store.close().await;
    Ok(ExitCode::SUCCESS)
}

async fn connect(app: &App, workspace: &Workspace, account: &Account) -> Result<PlatformId, OpenError> {
    let now = app.now();
    let scopes: Vec<String> = account.scopes.split(',').map(str::to_owned).collect();
    let profile = AccountProfile {
        provider_account_id: account.open_id.clone(),
        display_name: Some(account.display_name.clone()),
        display_handle: Some(account.username.clone()),
        display_image_url: None,
        capabilities: vec![
            Capability::Video,
            Capability::Photos,
            Capability::DirectPost,
            Capability::InboxDraft,
        ],
        metadata: metadata(account, &scopes, now),
        unknown: &[],
    };
    let tokens = TokenSet {
        provider_account_id: account.open_id.clone(),
        access: Secret::new(&account.access_token),
        access_expires_at: now.plus(Duration::from_secs(86_400)),
        refresh: Some(Secret::new(&account.refresh_token)),
        refresh_expires_at: Some(now.plus(Duration::from_secs(365 * 86_400))),
        scopes,
    };
    let connection = NewConnection {
        provider: "tiktok".to_owned(),
        connection: Connection::Creator,
        profile,
        tokens,
        default_settings: Map::new(),
        account_limit: None,
        by: None,
    };
    match app
        .store
        .connect_platform(workspace.id, &connection, &Actor::operator(), now)
        .await?
    {
        ConnectPlatform::Connected { id, .. } => Ok(id),
        refused => Err(format!("the account was not connected: {refused:?}").into()),
    }
}

fn metadata(account: &Account, scopes: &[String], now: Time) -> Map<String, serde_json::Value> {
    let metadata = json!({
        "username": account.username,
        "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"],
        "commentDisabled": false,
        "duetDisabled": false,
        "stitchDisabled": false,
        "maxVideoPostDurationSec": 600,
        "refreshedAt": now,
        "scopes": scopes,
    });
    metadata.as_object().cloned().unwrap_or_default()
}

async fn upload(app: &Arc<App>, workspace: &Workspace, file: &str) -> Result<MediaId, OpenError> {
    let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let mut incoming = app.receive(workspace, None).await?;
    incoming.write(Bytes::from(bytes)).await?;
    let name = file.rsplit('/').next().map(str::to_owned);
    Ok(app
        .accept(
            workspace,
            incoming.seal().await?,
            UploadForm {
                file_name: name,
                ..UploadForm::default()
            },
            &Kept::nowhere(),
        )
        .await?
        .id)
}

async fn create_posts(
    app: &App,
    workspace: &Workspace,
    posts: &Posts,
    platforms: &[PlatformId],
    media: &[MediaId],
) -> Result<(), OpenError> {
    let media = &media[..posts.media_per_post.min(media.len())];
    let mut number = 0;
    while number < posts.count {
        let end = posts.count.min(number + 2000);
        let groups = (number..end).map(|number| new_group(app.now(), posts, number, platforms, media));
        app.store
            .create_groups(workspace.id, groups.collect(), None, app.now())
            .await?;
        number = end;
    }
    Ok(())
}

fn new_group(now: Time, posts: &Posts, number: u64, platforms: &[PlatformId], media: &[MediaId]) -> NewGroup {
    let filler = "A sentence of ordinary length that says what is to be seen, with #tags and a friendly end.";
    let settings = json!({ "privacy_level": "SELF_ONLY" });
    let platform_index = usize::try_from(number).unwrap_or(0) % platforms.len().max(1);
    NewGroup {
        group_id: chance::id(now),
        platform_id: platforms[platform_index],
        queued: posts.queued,
        created_by: None,
        scheduled_for: Some(posts.first_at.plus(Duration::from_secs(
            posts.step_seconds * (number / posts.batch.max(1)),
        ))),
        root: NewPost {
            id: chance::id(now),
            content: format!("Seeded post {number}: {filler}"),
            settings: settings.as_object().cloned().unwrap_or_default(),
            media_ids: media.to_vec(),
            delay_minutes: None,
        },
        children: Vec::new(),
    }
}
