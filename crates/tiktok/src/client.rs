//! What both connections share: where the provider is, the line to it, the clock, the brake.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use playout_domain::time::Clock;

use crate::config::TikTokConfig;
use crate::http::Http;
use crate::limits::Limiter;

/// The creator connection of the provider TikTok, as the product sees it.
pub struct TikTok {
    pub(crate) config: TikTokConfig,
    pub(crate) http: Http,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) limiter: Limiter,
    /// Whether the operator was warned that the provider's clock differs.
    pub(crate) clocks_differ: AtomicBool,
}

/// Why a client could not be made: the machine offers no usable TLS set-up, such as root certificates.
#[derive(Debug, thiserror::Error)]
#[error("the HTTP client towards TikTok cannot be set up")]
pub struct SetupError(#[from] reqwest::Error);

impl TikTok {
    /// A client for the app that `config` names. Connects to nothing yet.
    pub fn new(config: TikTokConfig, clock: Arc<dyn Clock>) -> Result<Self, SetupError> {
        Ok(Self {
            http: Http::new(config.call_timeout)?,
            config,
            clock,
            limiter: Limiter::default(),
            clocks_differ: AtomicBool::new(false),
        })
    }
}
