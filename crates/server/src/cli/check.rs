//! `check`: prints every setting and where it comes from, and tries every connection.

use std::process::ExitCode;
use std::sync::Arc;

use super::say;
use crate::clock::SystemClock;
use crate::config::Config;
use crate::settings::Sources;
use crate::world::{self, OpenError};

/// Exits 0 when everything answers.
pub(super) async fn run(sources: &Sources) -> Result<ExitCode, OpenError> {
    for (name, value, origin) in Config::describe(sources) {
        say(format!("{name} = {value:?}  # {origin}"));
    }
    let config = super::load(sources)?;
    let connecting = if config.tiktok.is_some() {
        "configured"
    } else {
        "off: PLAYOUT_TIKTOK_CLIENT_KEY is unset"
    };
    say(format!("tiktok: {connecting}"));
    let app = world::open(config, Arc::new(SystemClock), false).await?;
    app.store.ping().await?;
    let pending = app.store.pending_migrations().await?;
    if pending == 0 {
        app.store.check_keys().await?;
    }
    say(format!("database: ok, {pending} migrations to apply"));
    app.blobs.check().await?;
    say("storage: ok");
    Ok(ExitCode::SUCCESS)
}
