//! `simulator`: the provider simulator alone.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use playout_tiktok::sim::{SimConfig, Simulator};

use super::print::say;
use super::start::stop_signal;
use crate::clock::SystemClock;
use crate::open_error::OpenError;
use crate::settings::Sources;

/// The options of the simulator.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// The app's client key.
    #[arg(long, default_value = "sim_client_key")]
    client_key: String,
    /// The app's client secret.
    #[arg(long, default_value = "sim_client_secret")]
    client_secret: String,
    /// A redirect URI of the app; repeatable.
    #[arg(long)]
    redirect_uri: Vec<String>,
    /// The address for webhooks.
    #[arg(long)]
    webhook_url: Option<String>,
}

/// The default address.
const LISTEN: &str = "127.0.0.1:9100";

/// Serves until SIGINT or SIGTERM.
pub(super) async fn run(options: Options, sources: &Sources) -> Result<ExitCode, OpenError> {
    let listen: SocketAddr = sources
        .flags
        .get("listen")
        .map_or(LISTEN, String::as_str)
        .parse()?;
    let mut config = SimConfig {
        listen,
        client_key: options.client_key,
        client_secret: options.client_secret,
        webhook_url: options.webhook_url,
        ..SimConfig::default()
    };
    config.redirect_uris.extend(options.redirect_uri);
    let simulator = Simulator::start(config, Arc::new(SystemClock)).await?;
    say(format!("The simulated provider is at {}", simulator.url()));
    stop_signal().await?;
    simulator.stop().await;
    Ok(ExitCode::SUCCESS)
}
