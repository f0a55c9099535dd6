//! `demo`: the whole product on embedded defaults. It has a simulated provider, a user, and a workspace with a month of posts;
//! then one video and one captioned slideshow are published through the public API and the real pipeline.

mod client;
mod fill;
mod gallery;
mod kept;
mod month;
mod people;
mod provider;
mod story;

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use playout_domain::id::WorkspaceId;
use playout_domain::platform::Connection;
use playout_domain::secret::Secret;
use playout_tiktok::sim::Simulator;
use tokio::net::TcpListener;

use self::kept::Kept;
use super::load::load;
use super::print::say;
use super::start;
use crate::app::App;
use crate::clock::SystemClock;
use crate::config::SignUpMode;
use crate::open_error::OpenError;
use crate::serve::{Role, Service};
use crate::settings::Sources;
use crate::world;

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
    let mut config = load(&sources)?;
    let listener = listen(config.listen, once).await?;
    let local = listener.local_addr()?;
    config.listen = local;
    let own = format!("http://{local}");
    // An address of the environment or of playout.toml is that of another service.
    if !sources.flags.contains_key("base_url") {
        config.base_url = own.clone();
    }
    // So that signing up can be tried too, beside the demo's own user.
    config.signup = config.signup.or(Some(SignUpMode::Open));
    let simulator = provider::simulate(simulator_listen, &config, once).await?;
    config.tiktok = Some(provider::settings_of(&simulator)?);
    let app = world::open(config, Arc::new(SystemClock), true).await?;
    let data_dir = app.config.data_dir.display();
    say(format!(
        "Playout is at {}\nThe simulated provider is at {}\nIts data are in {data_dir}: other commands find them with --data-dir {data_dir}",
        app.config.base_url,
        simulator.url(),
    ));
    // Before anything is served or sent, so that no client sees a workspace that is half full.
    let key = set_the_scene(&app, &simulator).await?;
    let service = Service::start(&app, listener, Role::All);
    let published = story::tell(&own, &app.config.base_url, key).await?;
    say(format!("\nPublic posts: {}", simulator.url()));
    if !once {
        say("\nStill serving. Press Ctrl-C to stop.");
        start::stop_signal().await?;
    }
    service.stop().await;
    simulator.stop().await;
    Ok(match once && !published {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

/// The wanted port; with `once`, any other port if it is in use.
async fn listen(wanted: SocketAddr, once: bool) -> Result<TcpListener, OpenError> {
    match TcpListener::bind(wanted).await {
        Ok(listener) => Ok(listener),
        Err(_) if once => Ok(TcpListener::bind((wanted.ip(), 0)).await?),
        Err(error) => Err(format!("cannot listen on {wanted}: {error}; choose another with --listen").into()),
    }
}

/// Creates user, workspace, key, accounts and the month, or keeps those of an earlier start; returns the key.
async fn set_the_scene(app: &Arc<App>, simulator: &Simulator) -> Result<Secret, OpenError> {
    let base_url = &app.config.base_url;
    let kept = Kept::read(app);
    let owner = people::provide_user(app, kept.password).await?;
    let workspace = people::provide_workspace(app, owner.id).await?;
    let key = people::provide_key(app, workspace.id, kept.key).await?;
    Kept::write(app, &owner.password, &key)?;
    say(format!(
        "\nA user: {base_url}/sign-in\n  {} with the password {}\n\
         \nTheir workspace and its API key:\n  export PLAYOUT_API_URL={base_url} PLAYOUT_API_KEY={}",
        people::USER,
        owner.password.expose(),
        key.expose()
    ));
    match fill::fill(app, simulator, &workspace, owner.id).await? {
        Some(posts) => say(format!(
            "\nA month of made-up posts, {posts} of them: {base_url}/calendar"
        )),
        None => reconnect(app, simulator, workspace.id).await?,
    }
    provider::remind(app, simulator, workspace.id).await?;
    Ok(key)
}

/// A new simulator has none of the tokens of earlier ones. Accounts that had to be reconnected before still have to be.
async fn reconnect(app: &Arc<App>, simulator: &Simulator, workspace: WorkspaceId) -> Result<(), OpenError> {
    let platforms = app.store.list_platforms(workspace).await?;
    let ready = platforms
        .into_iter()
        .filter(|platform| !platform.refresh_needed && platform.connection == Connection::Creator);
    let mut handles: Vec<String> = ready.filter_map(|platform| platform.display_handle).collect();
    handles.extend(story::ACCOUNTS.map(str::to_owned));
    handles.sort();
    handles.dedup();
    for handle in handles {
        // Another person may have connected it otherwise, or may be disconnecting it; that is left alone.
        if let Err(error) = provider::connect(app, simulator, workspace, &handle).await {
            say(format!("\n@{handle} could not be connected again: {error}"));
        }
    }
    Ok(())
}
