//! What a simulator is started with.

use std::net::{Ipv4Addr, SocketAddr};

use super::account::{Account, demo_accounts};
use super::knobs::Knobs;

/// Every scope that the creator app may ask for.
pub const SCOPES: [&str; 6] = [
    "user.info.basic",
    "user.info.profile",
    "user.info.stats",
    "video.list",
    "video.upload",
    "video.publish",
];

/// Every scope that the business app may ask for.
pub const BUSINESS_SCOPES: [&str; 8] = [
    "user.info.basic",
    "user.info.username",
    "user.info.stats",
    "video.list",
    "video.upload",
    "video.publish",
    "comment.list",
    "comment.list.manage",
];

/// The apps as they are registered with the simulated provider, and where the simulator listens.
#[derive(Debug, Clone)]
pub struct SimConfig {
    /// Address to bind; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The app's public identifier.
    pub client_key: String,
    /// The app's secret; it also signs webhooks.
    pub client_secret: String,
    /// The business app's public identifier.
    pub business_client_id: String,
    /// The business app's secret.
    pub business_client_secret: String,
    /// Registered redirect URIs of both apps, compared exactly. A port may be `*`; the entry `*` takes any URI.
    pub redirect_uris: Vec<String>,
    /// The scopes that the app may ask for.
    pub approved_scopes: Vec<String>,
    /// Whether the app passed the audit; otherwise only private accounts may post, and only `SELF_ONLY`.
    pub audited: bool,
    /// Where events are delivered; `None`: nowhere.
    pub webhook_url: Option<String>,
    /// URL prefixes (`https://host/path/`) or domains that the app has proved to own. Empty: ownership is not checked.
    pub verified_prefixes: Vec<String>,
    /// The accounts that exist from the start.
    pub accounts: Vec<Account>,
    /// The address that links and media carry, if it differs from the bound one.
    pub public_url: Option<String>,
}

impl Default for SimConfig {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            client_key: "sim_client_key".to_owned(),
            client_secret: "sim_client_secret".to_owned(),
            business_client_id: "sim_business_id".to_owned(),
            business_client_secret: "sim_business_secret".to_owned(),
            redirect_uris: vec![
                "http://localhost:*/oauth/tiktok/callback".to_owned(),
                "http://127.0.0.1:*/oauth/tiktok/callback".to_owned(),
                "http://localhost:*/oauth/tiktok/callback/".to_owned(),
                "http://127.0.0.1:*/oauth/tiktok/callback/".to_owned(),
            ],
            approved_scopes: SCOPES.map(str::to_owned).to_vec(),
            audited: true,
            webhook_url: None,
            verified_prefixes: Vec::new(),
            accounts: demo_accounts(),
            public_url: None,
        }
    }
}

impl SimConfig {
    /// The knobs' first positions.
    pub(super) fn knobs(&self) -> Knobs {
        Knobs {
            redirect_uris: self.redirect_uris.clone(),
            approved_scopes: self.approved_scopes.clone(),
            audited: self.audited,
            webhook_url: self.webhook_url.clone(),
            verify_urls: !self.verified_prefixes.is_empty(),
            verified_prefixes: self.verified_prefixes.clone(),
            ..Knobs::default()
        }
    }
}
