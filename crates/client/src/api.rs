//! The operations of `/public/v1`, one method each.

mod media;
mod posts;
mod raw;
mod slides;
mod webhooks;

use reqwest::{Method, RequestBuilder};
use serde::de::DeserializeOwned;
use serde_json::Value;
use url::Url;

use crate::answers::{PlatformHealth, PlatformList, PlatformWithSchema, Reply, Usage};
use crate::chance;
use crate::error::Error;
use crate::http::{Answer, Connection, Http};

pub use media::MediaQuery;
pub use posts::PostQuery;
pub use raw::{RawRequest, RawResponse};

/// The API of one service, with one key.
///
/// After a cut, a time-out or a fault of the service, GET is sent again; POST as well, because each has an `Idempotency-Key` that
/// stays the same; PATCH and DELETE only if certainly nothing was changed.
#[derive(Debug, Clone)]
pub struct Api {
    pub(crate) http: Http,
}

impl Api {
    /// A client of the service at an address.
    ///
    /// # Errors
    /// When the system's certificates cannot be used.
    pub fn new(connection: Connection) -> Result<Self, Error> {
        Ok(Self {
            http: Http::new(connection)?,
        })
    }

    /// The service's public address.
    pub fn base_url(&self) -> &Url {
        self.http.base_url()
    }

    /// `GET /healthz`: whether it is alive; returns its `Date`.
    ///
    /// # Errors
    /// When it cannot be reached.
    pub async fn health(&self) -> Result<Option<String>, Error> {
        let answer = self.call(Method::GET, "/healthz", None).await?;
        Ok(answer.header("date").map(str::to_owned))
    }

    /// `GET /openapi.json`: the reference of the service.
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn reference(&self) -> Result<Value, Error> {
        self.call(Method::GET, "/openapi.json", None).await?.json()
    }

    /// `GET /platforms`
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn platforms(&self) -> Result<Reply<PlatformList>, Error> {
        self.get("/platforms").await
    }

    /// `GET /platforms?include=all`: also the accounts that are disabled or must be connected again.
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn all_platforms(&self) -> Result<Reply<PlatformList>, Error> {
        self.get("/platforms?include=all").await
    }

    /// `GET /platforms/{id}/schema`
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn platform_schema(&self, id: &str) -> Result<Reply<PlatformWithSchema>, Error> {
        self.get(&format!("/platforms/{}/schema", segment(id))).await
    }

    /// `GET /platforms/{id}/health`; with `refresh` the provider is called first.
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn platform_health(&self, id: &str, refresh: bool) -> Result<Reply<PlatformHealth>, Error> {
        let query = if refresh { "?refresh=true" } else { "" };
        self.get(&format!("/platforms/{}/health{query}", segment(id)))
            .await
    }

    /// `GET /usage`
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn usage(&self) -> Result<Reply<Usage>, Error> {
        self.get("/usage").await
    }
}

/// The prefix of the API below the service's address.
pub(crate) const PREFIX: &str = "/public/v1";

/// The header that identifies a repeated request.
pub(crate) const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

impl Api {
    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<Reply<T>, Error> {
        let answer = self.call(Method::GET, &format!("{PREFIX}{path}"), None).await?;
        answer.reply()
    }

    /// Changes a resource, only of this version if one is given.
    async fn patch<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &Value,
        version: Option<&str>,
    ) -> Result<Reply<T>, Error> {
        let path = format!("{PREFIX}{path}");
        let build = async || {
            let request = self.http.request(Method::PATCH, &path).json(body);
            Ok(only_of(version, request))
        };
        self.http.send(false, build).await?.reply()
    }

    /// Deletes a resource, only of this version if one is given.
    async fn delete(&self, path: &str, version: Option<&str>) -> Result<(), Error> {
        let path = format!("{PREFIX}{path}");
        let build = async || Ok(only_of(version, self.http.request(Method::DELETE, &path)));
        self.http.send(false, build).await.map(drop)
    }

    async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &Value,
        key: Option<&str>,
    ) -> Result<Reply<T>, Error> {
        self.post_of(path, body, key, None).await
    }

    /// A POST that changes a resource, only of this version if one is given.
    async fn post_of<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &Value,
        key: Option<&str>,
        version: Option<&str>,
    ) -> Result<Reply<T>, Error> {
        let path = format!("{PREFIX}{path}");
        let key = key.map_or_else(chance::idempotency_key, str::to_owned);
        let build = async || {
            let request = self.http.request(Method::POST, &path);
            Ok(only_of(version, request.header(IDEMPOTENCY_KEY, &key).json(body)))
        };
        self.http.send(true, build).await?.reply()
    }

    async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Answer, Error> {
        let build = async || -> Result<RequestBuilder, Error> {
            let request = self.http.request(method.clone(), path);
            Ok(match body {
                Some(body) => request.json(body),
                None => request,
            })
        };
        self.http.send(method == Method::GET, build).await
    }
}

/// A request that takes effect only if the resource has this version.
fn only_of(version: Option<&str>, request: RequestBuilder) -> RequestBuilder {
    match version {
        Some(version) => request.header("If-Match", version),
        None => request,
    }
}

/// An ID as one segment of a path, with every special character escaped.
pub(crate) fn segment(text: &str) -> String {
    let bytes = text.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    bytes.collect()
}

pub(crate) fn with_query(path: &str, pairs: &[(&str, Option<&str>)]) -> String {
    let given = pairs
        .iter()
        .filter_map(|(name, value)| value.map(|value| (name, value)));
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(given)
        .finish();
    if query.is_empty() {
        return path.to_owned();
    }
    format!("{path}?{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_cannot_leave_its_place_in_the_path() {
        assert_eq!(segment("0196f3a0-7c1e"), "0196f3a0-7c1e");
        assert_eq!(segment("../usage?x=1#"), "%2E%2E%2Fusage%3Fx%3D1%23");
    }

    #[test]
    fn a_query_holds_what_is_given_and_nothing_else() {
        assert_eq!(with_query("/media", &[("limit", None)]), "/media");
        assert_eq!(
            with_query("/posts", &[("q", Some("a b&c")), ("state", Some("DRAFT"))]),
            "/posts?q=a+b%26c&state=DRAFT"
        );
    }
}
