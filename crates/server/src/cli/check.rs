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
    let tiktok = config.tiktok.as_ref();
    let (creators, businesses) = (
        tiktok.is_some_and(|tiktok| !tiktok.client_key.is_empty()),
        tiktok.is_some_and(|tiktok| tiktok.business.is_some()),
    );
    say(format!(
        "tiktok: {}",
        configured(creators, "PLAYOUT_TIKTOK_CLIENT_KEY")
    ));
    let business = configured(businesses, "PLAYOUT_TIKTOK_BUSINESS_CLIENT_ID");
    say(format!("tiktok business: {business}"));
    let writes = configured(config.llm.is_some(), "PLAYOUT_LLM_URL");
    say(format!("captions by a language model: {writes}"));
    let app = world::inspect(config, Arc::new(SystemClock)).await?;
    app.store.ping().await?;
    let pending = app.store.pending_migrations().await?;
    if pending == 0 {
        app.store.check_keys().await?;
    }
    say(format!("database: ok, {pending} migrations to apply"));
    app.blobs.check().await?;
    say("storage: ok");
    super::confine::check(app.inspector.poster());
    Ok(ExitCode::SUCCESS)
}

fn configured(is_there: bool, setting: &str) -> String {
    match is_there {
        true => "configured".to_owned(),
        false => format!("off: {setting} is unset"),
    }
}
