//! Finds accounts and folders by their names.

use std::collections::BTreeMap;

use playout_client::{Api, Error, Kind, Platform};
use serde_json::json;

use super::screen::clean;
use super::session::Session;

/// The handles of connected accounts, by their IDs.
#[derive(Debug, Default)]
pub(super) struct Handles(BTreeMap<String, String>);

impl Handles {
    /// Reads them if a person looks at the output; without them, IDs are shown.
    pub(super) async fn find(session: &Session, api: &Api) -> Self {
        if session.screen.is_json {
            return Self::default();
        }
        let platforms = api.platforms().await.map(|reply| reply.value.platforms);
        let named = platforms.unwrap_or_default().into_iter().filter_map(|platform| {
            let name = platform.display_handle.or(platform.display_name)?;
            Some((platform.id, name))
        });
        Self(named.collect())
    }

    /// The handle of an account; of one that is not connected the start of its ID.
    pub(super) fn show(&self, id: &str) -> String {
        match self.0.get(id) {
            Some(handle) => clean(handle),
            None => format!("{}…", clean(id.get(..8).unwrap_or(id))),
        }
    }

    /// The handle of an account with its ID.
    pub(super) fn with_id(&self, id: &str) -> String {
        match self.0.get(id) {
            Some(handle) => format!("{} ({})", clean(handle), clean(id)),
            None => clean(id),
        }
    }
}

/// Whether a text is an ID, rather than a name.
pub(super) fn is_id(text: &str) -> bool {
    text.len() == 36 && text.parse::<uuid::Uuid>().is_ok()
}

/// The IDs of platforms that are named by ID, handle or display name.
///
/// # Errors
/// `platform_not_found` if a name matches none of them, or several.
pub(super) async fn platform_ids(api: &Api, names: &[String]) -> Result<Vec<String>, Error> {
    if names.iter().all(|name| is_id(name)) {
        return Ok(names.to_vec());
    }
    let platforms = api.platforms().await?.value.platforms;
    names.iter().map(|name| platform_id(&platforms, name)).collect()
}

/// The ID of a platform that is named by ID, handle or display name.
///
/// # Errors
/// As [`platform_ids`].
pub(super) fn platform_id(platforms: &[Platform], name: &str) -> Result<String, Error> {
    if is_id(name) {
        return Ok(name.to_owned());
    }
    let handle = name.trim_start_matches('@').to_lowercase();
    let is_it = |platform: &&Platform| {
        let names = [&platform.display_handle, &platform.display_name];
        names
            .into_iter()
            .flatten()
            .any(|known| known.to_lowercase() == handle)
    };
    let found: Vec<&Platform> = platforms.iter().filter(is_it).collect();
    match found.as_slice() {
        [one] => Ok(one.id.clone()),
        [] => Err(unknown_platform(platforms, name)),
        _ => Err(Error::usage(format!(
            "Several platforms are called {name:?}: use the ID, as `playout platforms list` shows it."
        ))),
    }
}

fn unknown_platform(platforms: &[Platform], name: &str) -> Error {
    let known: Vec<&String> = platforms
        .iter()
        .filter_map(|platform| platform.display_handle.as_ref())
        .collect();
    let names: Vec<&str> = known.iter().map(|name| name.as_str()).collect();
    let connected = match names.as_slice() {
        [] => "none is connected, or all need reconnecting".to_owned(),
        names => format!("there are {}", names.join(", ")),
    };
    let message = format!("No connected platform is called {name:?}: {connected}.");
    Error::new(Kind::Refused, "platform_not_found", message).with_details(json!({ "known": known }))
}

/// The ID of a folder that is named by ID or name; `None` is the root, called `root`.
///
/// # Errors
/// `folder_not_found` if there is none of that name.
pub(super) async fn folder_id(api: &Api, name: &str) -> Result<Option<String>, Error> {
    if matches!(name, "root" | "null" | "/") {
        return Ok(None);
    }
    if is_id(name) {
        return Ok(Some(name.to_owned()));
    }
    let folders = api.folders().await?.value.folders;
    let wanted = name.trim().to_lowercase();
    let found = folders
        .into_iter()
        .find(|folder| folder.name.to_lowercase() == wanted);
    let missing = || {
        let message = format!(
            "There is no folder called {name:?}: create it with `playout folders create {name:?}`, or upload with --create-folder."
        );
        Error::new(Kind::Refused, "folder_not_found", message)
    };
    found.map(|folder| Some(folder.id)).ok_or_else(missing)
}
