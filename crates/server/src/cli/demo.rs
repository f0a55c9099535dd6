//! `demo`: the whole product on embedded defaults. A simulated provider, a user, a workspace, a key and two
//! connected accounts; one video and one captioned slideshow go through the public API and the real pipeline.

mod client;

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use playout_domain::id::{UserId, WorkspaceId};
use playout_domain::platform::Connection;
use playout_domain::secret::Secret;
use playout_tiktok::sim::{SimConfig, Simulator};
use playout_tiktok::{BusinessApp, TikTokConfig};
use serde_json::json;
use tokio::net::TcpListener;

use super::{admin, say, start};
use crate::app::App;
use crate::chance;
use crate::clock::SystemClock;
use crate::config::Config;
use crate::serve::{Role, Service};
use crate::settings::Sources;
use crate::world::{self, OpenError};
use client::Client;

const USER: &str = "demo@example.org";
const CLIP: &[u8] = include_bytes!("../../../../assets/demo/clip.mp4");
/// The photos of the slideshow, and what is written on each.
const SLIDES: [(&[u8], &str); 3] = [
    (
        include_bytes!("../../../../assets/demo/photo-1.jpg"),
        "I stood in the same spot\nthree times today",
    ),
    (
        include_bytes!("../../../../assets/demo/photo-2.jpg"),
        "Noon. Same waves, and I'd never have known it's the same bay 🌊",
    ),
    (
        include_bytes!("../../../../assets/demo/photo-3.jpg"),
        "Midnight won.\nWhich one would you stay for?",
    ),
];

/// Runs the demo; with `once` it ends when both posts are settled.
pub(super) async fn run(
    mut sources: Sources,
    once: bool,
    simulator_listen: SocketAddr,
) -> Result<ExitCode, OpenError> {
    sources
        .flags
        .entry("data_dir".to_owned())
        .or_insert_with(|| "./data/demo".to_owned());
    let mut config = super::load(&sources)?;
    let listener = listen(config.listen, once).await?;
    let local = listener.local_addr()?;
    config.listen = local;
    config.base_url = format!("http://{local}");
    let simulator = simulate(simulator_listen, &config, once).await?;
    config.tiktok = Some(simulated(&simulator)?);
    let app = world::open(config, Arc::new(SystemClock), true).await?;
    let service = Service::start(&app, listener, Role::All);
    let published = tell_the_story(&app, &simulator).await?;
    if once {
        service.stop().await;
        simulator.stop().await;
        return Ok(if published {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        });
    }
    say("\nStill serving. Press Ctrl-C to stop.");
    start::stop_signal().await?;
    service.stop().await;
    simulator.stop().await;
    Ok(ExitCode::SUCCESS)
}

/// The wanted port; a demo that runs once takes any other when that is taken.
async fn listen(wanted: SocketAddr, once: bool) -> Result<TcpListener, OpenError> {
    match TcpListener::bind(wanted).await {
        Ok(listener) => Ok(listener),
        Err(_) if once => Ok(TcpListener::bind((wanted.ip(), 0)).await?),
        Err(error) => Err(format!("cannot listen on {wanted}: {error}; choose another with --listen").into()),
    }
}

async fn simulate(listen: SocketAddr, config: &Config, once: bool) -> Result<Simulator, OpenError> {
    let options = |listen| SimConfig {
        listen,
        webhook_url: Some(format!("{}/webhooks/tiktok", config.base_url)),
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

fn simulated(simulator: &Simulator) -> Result<TikTokConfig, OpenError> {
    let app = SimConfig::default();
    let url: url::Url = simulator.url().parse()?;
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

async fn tell_the_story(app: &Arc<App>, simulator: &Simulator) -> Result<bool, OpenError> {
    let base_url = app.config.base_url.clone();
    say(format!(
        "Playout is at {base_url}\nThe simulated provider is at {}",
        simulator.url()
    ));
    let owner = provide_user(app).await?;
    let workspace: WorkspaceId = serde_json::from_value(provision(app, owner.id).await?)?;
    let key = app.create_key(workspace, "Demo", None, None).await?.key;
    say(format!(
        "\nA user: {base_url}/sign-in\n  {USER} with the password {}\n\
         \nTheir workspace and its API key:\n  export PLAYOUT_API_URL={base_url} PLAYOUT_API_KEY={}",
        owner.password.expose(),
        key.expose()
    ));
    let client = Client::new(&base_url, key)?;
    connect(app, simulator, workspace, &client).await?;
    let platforms = client.get("/public/v1/platforms").await?;
    say(format!(
        "\nTwo connected accounts: {base_url}/public/v1/platforms"
    ));
    let id_of = |name: &str| client::platform_id(&platforms, name);
    let video = publish_video(&client, id_of("kitestudio")?).await?;
    let slides = publish_slideshow(&client, id_of("harborbakes")?).await?;
    say("\nOn their way:");
    let (video, slides) = (client.settled(&video).await?, client.settled(&slides).await?);
    say(format!("\nWhat the world sees: {}", simulator.url()));
    Ok(video && slides)
}

/// Whoever uses the demo, and the password of this run.
struct Owner {
    id: UserId,
    password: Secret,
}

/// The demo's user; one from an earlier run gets a new password.
async fn provide_user(app: &App) -> Result<Owner, OpenError> {
    let password = Secret::new(chance::token());
    let id = match app.store.find_user_by_email(USER).await? {
        Some(known) => {
            let (reset, now) = (chance::bytes(), app.now());
            let hash = app.hash_password(password.clone()).await?;
            let (user, end) = (known.user.id, now.plus(Duration::from_secs(60)));
            app.store.create_password_reset(user, reset, end, now).await?;
            app.store.reset_password(reset, &hash, now).await?;
            user
        }
        None => {
            let mut made = admin::create_user(app, USER, password.expose(), Some("Demo".to_owned())).await?;
            serde_json::from_value(made["id"].take())?
        }
    };
    Ok(Owner { id, password })
}

async fn provision(app: &App, owner: UserId) -> Result<serde_json::Value, OpenError> {
    let minute: String = app
        .now()
        .to_string()
        .chars()
        .take("2026-11-20T12:00".len())
        .collect();
    let name = format!("Demo of {}", minute.replace('T', " "));
    Ok(admin::create_workspace(app, &name, Some(owner), None).await?["id"].take())
}

/// Connects both accounts as a person would: to the provider, agree there, and back to us.
async fn connect(
    app: &Arc<App>,
    simulator: &Simulator,
    workspace: WorkspaceId,
    client: &Client,
) -> Result<(), OpenError> {
    for account in ["kitestudio", "harborbakes"] {
        let url = app
            .start_connecting(workspace, ("tiktok", Connection::Creator))
            .await?;
        let back = simulator
            .approve(&url, account, &[])
            .ok_or("the simulator did not take the authorization")?;
        client.follow(&back).await?;
    }
    Ok(())
}

async fn publish_video(client: &Client, platform: String) -> Result<String, OpenError> {
    let media = client.upload("first-flight.mp4", "video/mp4", CLIP).await?;
    client
        .create_post(&json!({
            "platformIds": [platform],
            "content": "First flight of the season #kites",
            "mode": "now",
            "mediaIds": [media],
            "settings": { "privacy_level": "PUBLIC_TO_EVERYONE", "allow_comment": true },
        }))
        .await
}

async fn publish_slideshow(client: &Client, platform: String) -> Result<String, OpenError> {
    let mut slides = Vec::new();
    for (number, (photo, caption)) in (1..).zip(SLIDES) {
        let name = format!("bay-{number}.jpg");
        let photo = client.upload(&name, "image/jpeg", photo).await?;
        slides.push(json!({ "index": number, "mediaId": photo, "caption": caption }));
    }
    let media = client
        .composite(&json!({ "slides": slides, "captionPosition": "top" }))
        .await?;
    client
        .create_post(&json!({
            "platformIds": [platform],
            "content": "Dawn, noon, midnight. I only meant to stay for one of them. #sea #slowdays #threelooks",
            "mode": "now",
            "mediaIds": media,
            "settings": { "privacy_level": "PUBLIC_TO_EVERYONE", "title": "One bay, three lights" },
        }))
        .await
}

/// A boundary for a form that cannot occur in it by chance.
fn boundary() -> String {
    format!("playout-{}", chance::token())
}
