//! What every command has: the environment, the screen, and access to the service.

use playout_client::{Api, Connection, Error, Patience};
use playout_domain::secret::Secret;
use url::Url;

use super::environment::Environment;
use super::filter::Filter;
use super::interrupts::Interrupts;
use super::profile::Access;
use super::screen::Screen;

/// The context of a command.
pub(super) struct Session {
    pub(super) environment: Environment,
    pub(super) screen: Screen,
    pub(super) access: Access,
    pub(super) filter: Filter,
    pub(super) interrupts: Interrupts,
}

impl Session {
    /// The API with the user's key; fails without one.
    pub(super) fn api(&self) -> Result<Api, Error> {
        if self.access.key.is_none() {
            return Err(self.access.not_signed_in());
        }
        self.anonymous()
    }

    /// The API with the user's key, if there is one.
    pub(super) fn anonymous(&self) -> Result<Api, Error> {
        self.api_with(self.access.key.clone())
    }

    /// The API with another key.
    pub(super) fn api_with(&self, key: Option<Secret>) -> Result<Api, Error> {
        self.api_at(self.access.url.clone(), key)
    }

    /// The API of another service.
    pub(super) fn api_at(&self, base_url: Url, key: Option<Secret>) -> Result<Api, Error> {
        Api::new(Connection {
            base_url,
            key,
            patience: Patience::default(),
        })
    }
}
