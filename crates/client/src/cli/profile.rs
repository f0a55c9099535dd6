//! The service and the key: flags override the environment, which overrides what `playout auth login` stored.
//!
//! Profiles are stored in `credentials.json`, readable only by its owner; their keys in the system's keyring, else in that file
//! too. A stored key is sent only to the service it was made for: an address from a flag or the environment does not get it.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use playout_client::{Error, Kind};
use playout_domain::secret::Secret;
use serde::{Deserialize, Serialize};
use url::Url;

use super::environment::Environment;
use super::global::Global;
use super::keyring::{Entry, Keyring};
use super::lock;

/// The default address of the service.
const DEFAULT_URL: &str = "http://localhost:8080";
const DEFAULT_PROFILE: &str = "default";

/// The source of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Flag,
    Environment,
    Profile,
}

impl Source {
    /// The source in words.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Environment => "environment",
            Self::Profile => "profile",
        }
    }
}

/// The service and the key of a command.
#[derive(Debug, Clone)]
pub(super) struct Access {
    /// The profile's name.
    pub(super) profile: String,
    /// The service.
    pub(super) url: Url,
    /// The key, if there is one for this service.
    pub(super) key: Option<Secret>,
    /// The source of the key.
    pub(super) source: Option<Source>,
    /// The service that the profile's key belongs to, if it is another one.
    pub(super) key_is_for: Option<Url>,
    /// Why the profile's key could not be read.
    key_problem: Option<Error>,
}

impl Access {
    /// Combines flags, environment and the stored profile.
    ///
    /// # Errors
    /// If an address is invalid, or the stored profile cannot be read.
    pub(super) fn find(global: &Global, environment: &Environment) -> Result<Self, Error> {
        let named = global.profile.as_ref().or(environment.profile.as_ref());
        let profile = named.map_or(DEFAULT_PROFILE, String::as_str).to_owned();
        let kept = Store::at(environment).read()?.profiles.remove(&profile);
        let kept_url = kept.as_ref().map(|kept| parse_url(&kept.api_url)).transpose()?;
        let said = global.api_url.as_ref().or(environment.api_url.as_ref());
        let url = match (said, &kept_url) {
            (Some(said), _) => parse_url(said)?,
            (None, Some(kept)) => kept.clone(),
            (None, None) => parse_url(DEFAULT_URL)?,
        };
        let flag = global.api_key.clone().map(|key| (Secret::new(key), Source::Flag));
        let variable = environment.api_key.clone().map(|key| (key, Source::Environment));
        let fits = kept_url.as_ref() == Some(&url);
        let (found, key_problem) = match (flag.or(variable), kept.filter(|_| fits)) {
            (None, Some(kept)) => match kept.key(&profile, environment) {
                Ok(key) => (key.map(|key| (key, Source::Profile)), None),
                Err(problem) => (None, Some(problem)),
            },
            (given, _) => (given, None),
        };
        Ok(Self {
            profile,
            url,
            key_is_for: kept_url.filter(|_| !fits),
            source: found.as_ref().map(|(_, source)| *source),
            key: found.map(|(key, _)| key),
            key_problem,
        })
    }

    /// The error of a command without a key.
    pub(super) fn not_signed_in(&self) -> Error {
        if let Some(problem) = &self.key_problem {
            return problem.clone();
        }
        let hint = match &self.key_is_for {
            Some(other) => format!(
                "the key of profile {} is for {other} and is not sent elsewhere; ",
                self.profile
            ),
            None => String::new(),
        };
        let message = format!(
            "Not signed in to {}: {hint}run `playout auth login` or set PLAYOUT_API_KEY.",
            self.url
        );
        Error::new(Kind::NotSignedIn, "not_signed_in", message)
    }
}

/// The address of a service: http or https, without user, query or fragment. The same one is always written in the same way, so that what is
/// noted for it is found again.
pub(super) fn parse_url(text: &str) -> Result<Url, Error> {
    let refuse = || {
        Error::usage(format!(
            "{text:?} is not the address of a service, such as {DEFAULT_URL}."
        ))
    };
    let mut url = Url::parse(text.trim()).map_err(|_| refuse())?;
    let is_more = url.query().is_some() || url.fragment().is_some() || !url.username().is_empty();
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() || is_more {
        return Err(refuse());
    }
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&path);
    Ok(url)
}

/// A service, and its key unless that is in the keyring.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Kept {
    pub(super) api_url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) api_key: Option<String>,
}

impl Kept {
    /// Its entry in the keyring.
    pub(super) fn entry<'a>(&'a self, profile: &'a str) -> Entry<'a> {
        Entry {
            profile,
            api_url: &self.api_url,
        }
    }

    /// The key, from the file or the keyring.
    pub(super) fn key(&self, profile: &str, environment: &Environment) -> Result<Option<Secret>, Error> {
        if let Some(key) = &self.api_key {
            return Ok(Some(Secret::new(key.clone())));
        }
        let Some(keyring) = Keyring::find(environment) else {
            let message = format!(
                "The key of profile {profile} is in the keyring of your desktop, which is not available here: set \
                 PLAYOUT_API_KEY, or sign in again with --no-keyring."
            );
            return Err(Error::new(Kind::NotSignedIn, "keyring_error", message));
        };
        keyring.look_up(self.entry(profile))
    }
}

/// The stored profiles, by name.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Profiles {
    #[serde(default)]
    pub(super) profiles: BTreeMap<String, Kept>,
}

/// The file with the keys.
pub(super) struct Store {
    pub(super) path: PathBuf,
}

impl Store {
    pub(super) fn at(environment: &Environment) -> Self {
        Self {
            path: environment.config_dir.join("credentials.json"),
        }
    }

    /// The stored profiles; empty if there is no file.
    pub(super) fn read(&self) -> Result<Profiles, Error> {
        let text = match std::fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Profiles::default()),
            Err(error) => return Err(Error::file(&self.path, &error)),
        };
        serde_json::from_str(&text).map_err(|error| {
            let message = format!(
                "{} is damaged: {error}. Remove it and sign in again.",
                self.path.display()
            );
            Error::new(Kind::Usage, "file_error", message)
        })
    }

    /// Changes the profiles as they are at present, and replaces the file atomically.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Profiles) -> T) -> Result<T, Error> {
        lock::alone(&self.path, || {
            let mut profiles = self.read()?;
            let done = change(&mut profiles);
            let text =
                serde_json::to_string_pretty(&profiles).map_err(|error| Error::usage(error.to_string()))?;
            write_private(&self.path, &text).map_err(|error| Error::file(&self.path, &error))?;
            Ok(done)
        })
    }

    /// Whether other users can read the file.
    #[cfg(unix)]
    pub(super) fn is_exposed(&self) -> bool {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(&self.path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
    }

    /// Whether other users can read the file: a profile folder belongs to its user.
    #[cfg(not(unix))]
    pub(super) fn is_exposed(&self) -> bool {
        false
    }
}

/// Writes a file that only its owner can read: a temporary one, then renamed.
pub(super) fn write_private(path: &std::path::Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)?;
    let draft = folder.join(format!(".playout-{}", playout_client::idempotency_key()));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        options.mode(0o600);
        // If the folder's mode cannot be changed, the file's own mode still applies.
        let _unchanged = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700));
    }
    let mut file = options.open(&draft)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    let moved = written.and_then(|()| std::fs::rename(&draft, path));
    if moved.is_err() {
        let _gone = std::fs::remove_file(&draft);
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_the_same_however_it_is_written() {
        let parse = |text| parse_url(text).map(|url| url.to_string());
        for text in [
            "http://localhost",
            "HTTP://LOCALHOST:80",
            "http://Localhost:80//",
            " http://localhost/ ",
        ] {
            assert_eq!(parse(text).unwrap(), "http://localhost/", "{text}");
        }
        for text in ["https://example.org/playout", "https://EXAMPLE.org:443/playout//"] {
            assert_eq!(parse(text).unwrap(), "https://example.org/playout", "{text}");
        }
        for text in [
            "http://localhost?a",
            "http://localhost/#a",
            "http://a@localhost",
            "ftp://localhost",
        ] {
            parse(text).unwrap_err();
        }
    }
}
