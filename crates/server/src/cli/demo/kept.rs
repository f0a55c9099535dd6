//! The password and the key that the demo has printed, in its data directory, so that a later start prints the same ones.

use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use playout_domain::secret::Secret;
use serde_json::{Value, json};

use crate::app::App;
use crate::open_error::OpenError;

const FILE: &str = "demo.json";

/// What a start prints.
#[derive(Default)]
pub(super) struct Kept {
    pub(super) password: Option<Secret>,
    pub(super) key: Option<Secret>,
}

impl Kept {
    /// What the last start has printed. A file that cannot be read counts as none.
    pub(super) fn read(app: &App) -> Self {
        let text = fs::read(path(app)).unwrap_or_default();
        let kept: Value = serde_json::from_slice(&text).unwrap_or_default();
        let secret = |name: &str| kept[name].as_str().map(Secret::new);
        Self {
            password: secret("password"),
            key: secret("key"),
        }
    }

    /// Keeps what this start prints, for the owner of the data directory alone.
    pub(super) fn write(app: &App, password: &Secret, key: &Secret) -> Result<(), OpenError> {
        let text = json!({ "password": password.expose(), "key": key.expose() });
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        let mut file = options.open(path(app))?;
        Ok(file.write_all(text.to_string().as_bytes())?)
    }
}

fn path(app: &App) -> PathBuf {
    app.config.data_dir.join(FILE)
}
