//! The business app, and the line to the provider.

use std::sync::Arc;

use playout_domain::time::Clock;

use crate::client::{SetupError, TikTok};
use crate::config::{BusinessApp, TikTokConfig};

/// The business connection of the provider TikTok, as the product sees it.
pub struct TikTokBusiness {
    pub(super) app: BusinessApp,
    /// What both connections share: where the provider is, the line to it, the clock, the brake.
    pub(super) base: TikTok,
}

impl TikTokBusiness {
    /// A client for `app` and the provider's addresses in `config`. Opens no connection yet.
    pub fn new(app: BusinessApp, config: TikTokConfig, clock: Arc<dyn Clock>) -> Result<Self, SetupError> {
        let base = TikTok::new(config, clock)?;
        Ok(Self { app, base })
    }
}
