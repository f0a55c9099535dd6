//! The environment variables; read once, and only here.

use std::path::{Path, PathBuf};

use playout_client::Error;
use playout_domain::secret::Secret;

/// The values of the environment variables.
#[derive(Debug, Clone, Default)]
pub(super) struct Environment {
    /// `PLAYOUT_API_KEY`
    pub(super) api_key: Option<Secret>,
    /// `PLAYOUT_API_URL`
    pub(super) api_url: Option<String>,
    /// `PLAYOUT_PROFILE`
    pub(super) profile: Option<String>,
    /// `BROWSER`
    pub(super) browser: Option<String>,
    /// `NO_COLOR`
    pub(super) no_color: bool,
    /// Whether the terminal only shows text: `TERM=dumb`.
    pub(super) is_dumb: bool,
    /// `COLUMNS`
    pub(super) columns: Option<usize>,
    /// Whether there is a desktop session with a keyring: `DBUS_SESSION_BUS_ADDRESS`, or `$XDG_RUNTIME_DIR/bus`; not with
    /// `PLAYOUT_KEYRING=off`.
    pub(super) has_session_bus: bool,
    /// The folder of the settings: `$XDG_CONFIG_HOME/playout`, else `~/.config/playout`.
    pub(super) config_dir: PathBuf,
    state_dir: Option<PathBuf>,
}

impl Environment {
    /// Reads the environment. An empty variable counts as absent.
    pub(super) fn read() -> Self {
        let home = find("HOME").or_else(|| find("USERPROFILE"));
        let home = home.map(PathBuf::from);
        let folder = |variable: &str, otherwise: &str| {
            let folder = find(variable).map(PathBuf::from);
            let folder = folder.filter(|folder| folder.is_absolute());
            let folder = folder.or_else(|| Some(home.as_ref()?.join(otherwise)));
            folder.map(|folder| folder.join("playout"))
        };
        Self {
            api_key: find("PLAYOUT_API_KEY").map(Secret::new),
            api_url: find("PLAYOUT_API_URL"),
            profile: find("PLAYOUT_PROFILE"),
            browser: find("BROWSER"),
            no_color: find("NO_COLOR").is_some(),
            is_dumb: find("TERM").is_some_and(|terminal| terminal == "dumb"),
            columns: find("COLUMNS").and_then(|columns| columns.parse().ok()),
            has_session_bus: has_session_bus(),
            config_dir: folder("XDG_CONFIG_HOME", ".config")
                .unwrap_or_else(|| PathBuf::from(".config/playout")),
            state_dir: folder("XDG_STATE_HOME", ".local/state"),
        }
    }

    /// The folder of the notes between two runs: `$XDG_STATE_HOME/playout`, else `~/.local/state/playout`.
    ///
    /// # Errors
    /// `usage` if neither variable is set: what is noted nowhere could be created twice.
    pub(super) fn state_dir(&self) -> Result<&Path, Error> {
        let missing = || {
            let message = "There is no folder for the notes that keep what was sent from being sent twice: set HOME, or XDG_STATE_HOME to \
                           an absolute path.";
            Error::usage(message)
        };
        self.state_dir.as_deref().ok_or_else(missing)
    }
}

/// `TZ`, from which the local zone is taken where it is set.
pub(super) fn time_zone() -> Option<String> {
    find("TZ")
}

fn has_session_bus() -> bool {
    let runtime = find("XDG_RUNTIME_DIR").map(PathBuf::from);
    let has_socket = || runtime.is_some_and(|folder| folder.join("bus").exists());
    let is_off = find("PLAYOUT_KEYRING").is_some_and(|wish| wish == "off");
    !is_off && (find("DBUS_SESSION_BUS_ADDRESS").is_some() || has_socket())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the environment"
)]
fn find(name: &str) -> Option<String> {
    let value = std::env::var(name).ok()?.trim().to_owned();
    Some(value).filter(|value| !value.is_empty())
}
