//! What the service announces to OAuth clients.

use playout_domain::access::Scopes;
use serde::Serialize;
use utoipa::ToSchema;

use super::{DEVICE_GRANT, WHOLE_WORKSPACE};
use crate::keys::scope_names;

/// The metadata for OAuth clients (RFC 8414 §2).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuthorizationServer)]
pub struct ServerMetadata {
    /// The base address of this service.
    #[schema(format = Uri)]
    pub issuer: String,
    /// The endpoint for new codes.
    #[schema(format = Uri)]
    pub device_authorization_endpoint: String,
    /// The endpoint for polls.
    #[schema(format = Uri)]
    pub token_endpoint: String,
    /// The endpoint for revoking keys.
    #[schema(format = Uri)]
    pub revocation_endpoint: String,
    /// The reference.
    #[schema(format = Uri)]
    pub service_documentation: String,
    /// The only grant.
    pub grant_types_supported: [&'static str; 1],
    /// None: there is no authorization endpoint.
    pub response_types_supported: [&'static str; 0],
    /// The scopes; `workspace` is all of them.
    pub scopes_supported: Vec<&'static str>,
    /// Clients are public: the device code is the secret.
    pub token_endpoint_auth_methods_supported: [&'static str; 1],
    /// Clients are public: the key is its own proof.
    pub revocation_endpoint_auth_methods_supported: [&'static str; 1],
}

impl ServerMetadata {
    /// The metadata of the service at this address.
    pub fn new(base_url: &str) -> Self {
        let at = |path: &str| format!("{base_url}{path}");
        Self {
            issuer: base_url.to_owned(),
            device_authorization_endpoint: at("/auth/device/start"),
            token_endpoint: at("/auth/device/token"),
            revocation_endpoint: at("/auth/revoke"),
            service_documentation: at("/docs"),
            grant_types_supported: [DEVICE_GRANT],
            response_types_supported: [],
            scopes_supported: [vec![WHOLE_WORKSPACE], scope_names(Scopes::ALL)].concat(),
            token_endpoint_auth_methods_supported: ["none"],
            revocation_endpoint_auth_methods_supported: ["none"],
        }
    }
}
