//! Loads the configuration of a command, and starts the log as it says.

use crate::config::Config;
use crate::settings::{ConfigError, Sources};

pub(super) fn load(sources: &Sources) -> Result<Config, ConfigError> {
    let config = Config::load(sources)?;
    crate::logs::start(&config);
    for name in sources.without_effect() {
        tracing::warn!("{name} is set, but this version has no use for it yet");
    }
    Ok(config)
}
