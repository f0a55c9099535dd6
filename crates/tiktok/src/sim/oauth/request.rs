//! What an app asks for.

use crate::sim::grants::App;

/// A request for authorization that is in order.
pub(super) struct Request {
    /// The app that requests authorization, and its client identifier.
    pub(super) app: App,
    pub(super) client: String,
    pub(super) redirect_uri: String,
    pub(super) scopes: Vec<String>,
    pub(super) state: String,
    pub(super) challenge: Option<String>,
}
