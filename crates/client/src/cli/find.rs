//! Finds accounts and folders by their names.

use std::collections::BTreeMap;

use playout_client::{Api, Error, Kind, Platform};
use serde_json::json;

use super::screen::clean;
use super::session::Session;

/// The code of an account that is not there, or cannot be posted to.
const NOT_FOUND: &str = "platform_not_found";

/// The handles of connected accounts, by their IDs.
#[derive(Debug, Default)]
pub(super) struct Handles(BTreeMap<String, String>);

impl Handles {
    /// Reads them if a person looks at the output; without them, IDs are shown.
    pub(super) async fn find(session: &Session, api: &Api) -> Self {
        if session.screen.is_json {
            return Self::default();
        }
        let platforms = api.all_platforms().await.map(|reply| reply.value.platforms);
        Self::of(platforms.unwrap_or_default())
    }

    /// The handles of these accounts.
    pub(super) fn of(platforms: Vec<Platform>) -> Self {
        let named = platforms.into_iter().filter_map(|platform| {
            let name = platform.display_handle.or(platform.display_name)?;
            Some((platform.id, name))
        });
        Self(named.collect())
    }

    /// The handle of an account; of one that was removed the start of its ID.
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

/// The IDs of platforms that are named by ID, handle or display name, and can be posted to.
///
/// # Errors
/// `platform_not_found` if a name matches none of them, `usage` if it matches several.
pub(super) async fn platform_ids(api: &Api, names: &[String]) -> Result<Vec<String>, Error> {
    if names.iter().all(|name| is_id(name)) {
        return Ok(names.iter().map(|name| name.to_lowercase()).collect());
    }
    let platforms = api.platforms().await?.value.platforms;
    let ids: Result<Vec<String>, Error> = names.iter().map(|name| platform_id(&platforms, name)).collect();
    match ids {
        Err(error) if error.code == NOT_FOUND => {
            let all = api.all_platforms().await?.value.platforms;
            let unusable = names.iter().find_map(|name| why_unusable(&all, name));
            Err(unusable.unwrap_or(error))
        }
        ids => ids,
    }
}

/// The ID of a platform that is named so, also if it cannot be posted to at the moment.
///
/// # Errors
/// As [`platform_ids`].
pub(super) async fn any_platform_id(api: &Api, name: &str) -> Result<String, Error> {
    match is_id(name) {
        true => Ok(name.to_lowercase()),
        false => platform_id(&api.all_platforms().await?.value.platforms, name),
    }
}

/// Why the account with this name cannot be posted to, if there is one that cannot.
fn why_unusable(all: &[Platform], name: &str) -> Option<Error> {
    let id = platform_id(all, name).ok()?;
    let platform = all.iter().find(|platform| platform.id == id)?;
    let why = match (platform.refresh_needed, platform.disabled) {
        (true, _) => "must be connected again: `playout platforms connect`",
        (false, true) => "is disabled: an administrator enables it in the dashboard",
        (false, false) => return None,
    };
    let message = format!("{} {why}. `playout platforms health {id}` has more.", clean(name));
    Some(Error::new(Kind::Refused, NOT_FOUND, message))
}

/// The ID of a platform that is named by ID, handle or display name.
///
/// # Errors
/// As [`platform_ids`].
pub(super) fn platform_id(platforms: &[Platform], name: &str) -> Result<String, Error> {
    // The service writes IDs so.
    if is_id(name) {
        return Ok(name.to_lowercase());
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
    Error::new(Kind::Refused, NOT_FOUND, message).with_details(json!({ "known": known }))
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
        let message =
            format!("There is no folder called {name:?}: create it with `playout folders create {name:?}`.");
        Error::new(Kind::Refused, "folder_not_found", message)
    };
    found.map(|folder| Some(folder.id)).ok_or_else(missing)
}
