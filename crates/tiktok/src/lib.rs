//! The client of the provider TikTok: consent, publishing, status, comments, events, and what its errors mean. It can be
//! connected to in two ways: as a creator ([`TikTok`]), and as a business ([`TikTokBusiness`]).
//!
//! Both implement the product's `Provider`. Nothing is retried here, no clock is read but the one it was given, and
//! an answer counts as unclear unless it states what happened. [`errors::table`] is the only list of the provider's codes.

mod account;
mod allowed;
mod business;
mod calls;
mod catalogue;
mod client;
mod config;
mod creator;
mod dating;
mod entry;
mod envelope;
pub mod errors;
mod events;
mod http;
mod limits;
mod oauth;
mod paging;
mod publish;
mod recent;
mod schema;
mod settings;
#[cfg(feature = "sim")]
pub mod sim;
mod sizes;
mod status;
mod upload;
mod validate;
mod ways;
mod whereabouts;

use std::sync::Arc;

use playout_domain::provider::Provider;
use playout_domain::time::Clock;

pub use crate::business::TikTokBusiness;
pub use crate::client::{SetupError, TikTok};
pub use crate::config::{BusinessApp, TikTokConfig, TransferChoice};
pub use crate::events::{reads_notification, reads_signed_notification};
#[doc(hidden)]
pub use crate::schema::settings_schema;

/// The connections of the provider that `config` has an app for.
pub fn connections(
    config: &TikTokConfig,
    clock: &Arc<dyn Clock>,
) -> Result<Vec<Arc<dyn Provider>>, SetupError> {
    let mut connections: Vec<Arc<dyn Provider>> = Vec::new();
    if !config.client_key.is_empty() {
        connections.push(Arc::new(TikTok::new(config.clone(), Arc::clone(clock))?));
    }
    if let Some(app) = &config.business {
        let business = TikTokBusiness::new(app.clone(), config.clone(), Arc::clone(clock))?;
        connections.push(Arc::new(business));
    }
    Ok(connections)
}
