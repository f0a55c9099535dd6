//! The device flow (RFC 8628): a person approves in a browser, and the client gets a key without any password.
//!
//! 1. [`Api::start_device`] gets two codes: one for the person to compare or type, one that is the client's secret.
//! 2. [`Api::poll_device`] polls every `interval` for the approval; `slow_down` adds five seconds (§3.5).
//! 3. The response contains the key, once.
//!
//! [`Api::revoke_key`] revokes it.

use std::time::Duration;

use playout_domain::access::{Scope, Scopes};
use playout_domain::secret::Secret;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder};
use serde::Deserialize;
use serde_json::json;

use crate::answers::Reply;
use crate::api::Api;
use crate::error::{Error, Kind};
use crate::http::failure::Failed;
use crate::http::{Sent, send_once};

/// The seconds that `slow_down` adds to the interval.
const SLOWER_BY: Duration = Duration::from_secs(5);

/// The grant of RFC 8628 §3.4.
const DEVICE_GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";
/// The name of all scopes together.
const WHOLE_WORKSPACE: &str = "workspace";

/// A device authorization that has begun.
#[derive(Debug, Clone)]
pub struct Device {
    /// The client's secret.
    device_code: Secret,
    /// Whether the start named scopes.
    has_scopes: bool,
    /// The code that the person compares or types.
    pub user_code: String,
    /// The address where they approve it.
    pub verification_uri: String,
    /// The same address with the code in it.
    pub verification_uri_complete: Option<String>,
    /// How long both codes are valid.
    pub expires_in: Duration,
    /// How long to wait between two polls.
    pub interval: Duration,
}

/// A key that a person approved.
#[derive(Debug, Clone)]
pub struct DeviceKey {
    /// The key itself, returned only here.
    pub key: Secret,
    /// The scopes that the person granted, with what they include; `None` if the start named none.
    pub scopes: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Started {
    device_code: String,
    user_code: String,
    verification_uri: String,
    verification_uri_complete: Option<String>,
    expires_in: u64,
    /// RFC 8628 §3.2: five seconds unless the service says otherwise.
    #[serde(default = "five")]
    interval: u64,
}

const fn five() -> u64 {
    5
}

#[derive(Deserialize)]
struct Approved {
    api_key: String,
    /// The granted scopes, separated by spaces, where a `grant_type` was sent.
    scope: Option<String>,
}

impl From<Approved> for DeviceKey {
    fn from(approved: Approved) -> Self {
        let words = approved.scope.map(|words| match words.as_str() {
            WHOLE_WORKSPACE => Scopes::ALL.words(),
            _ => words,
        });
        let scopes = words.map(|words| words.split_whitespace().map(str::to_owned).collect());
        Self {
            key: Secret::new(approved.api_key),
            scopes,
        }
    }
}

impl Api {
    /// `POST /auth/device/start`. `client_name` and `scopes` are shown to the person who approves, and who may grant fewer; no scopes are all.
    ///
    /// # Errors
    /// `invalid_scope` if the service does not know one of them, and those of every operation.
    pub async fn start_device(&self, client_name: &str, scopes: &[Scope]) -> Result<Device, Error> {
        let mut body = json!({ "client_name": client_name });
        if !scopes.is_empty() {
            let words: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
            body["scope"] = json!(words.join(" "));
        }
        let build = async || -> Result<RequestBuilder, Error> {
            Ok(self.http.request(Method::POST, "/auth/device/start").json(&body))
        };
        let answer = self.http.send(true, build).await?;
        let started: Started = Reply::read(answer.json()?)?.value;
        Ok(Device {
            device_code: Secret::new(started.device_code),
            has_scopes: !scopes.is_empty(),
            user_code: started.user_code,
            verification_uri: started.verification_uri,
            verification_uri_complete: started.verification_uri_complete,
            expires_in: Duration::from_secs(started.expires_in),
            interval: Duration::from_secs(started.interval),
        })
    }

    /// `POST /auth/device/token`: the key, or `None` while the person has not decided. Lengthens the interval after `slow_down`
    /// or a lost connection (RFC 8628 §3.5).
    ///
    /// # Errors
    /// `access_denied` and `expired_token`, which are final, and those of every operation.
    pub async fn poll_device(&self, device: &mut Device) -> Result<Option<DeviceKey>, Error> {
        let mut body = json!({ "device_code": device.device_code.expose() });
        if device.has_scopes {
            // Only with it the response names the granted scopes.
            body["grant_type"] = json!(DEVICE_GRANT);
        }
        let request = self.http.request(Method::POST, "/auth/device/token").json(&body);
        let failed = match send_once(request).await {
            Sent::Done(answer) => {
                let approved: Approved = Reply::read(answer.json()?)?.value;
                return Ok(Some(approved.into()));
            }
            Sent::Failed(failed) => failed,
        };
        device.interval = next_interval(device.interval, failed)?;
        Ok(None)
    }
}

impl Api {
    /// `POST /auth/revoke` (RFC 7009): revokes a key and all its copies. Succeeds for a key that is unknown or revoked already.
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn revoke_key(&self, key: &Secret) -> Result<(), Error> {
        let form = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("token", key.expose())
            .finish();
        let build = async || -> Result<RequestBuilder, Error> {
            let request = self.http.request(Method::POST, "/auth/revoke");
            let request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
            Ok(request.body(form.clone()))
        };
        self.http.send(true, build).await.map(drop)
    }
}

fn next_interval(interval: Duration, failed: Failed) -> Result<Duration, Error> {
    match failed.error.code.as_str() {
        "authorization_pending" => Ok(interval),
        "slow_down" => Ok(interval + SLOWER_BY),
        _ if failed.error.kind == Kind::Network => Ok(interval * 2),
        _ if failed.is_temporary => Ok(interval.max(failed.after.unwrap_or(interval * 2))),
        _ => Err(failed.error),
    }
}
