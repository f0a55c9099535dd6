//! The operations of `/public/v1`, one method each.

use playout_domain::time::Time;
use reqwest::{Method, RequestBuilder};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use url::Url;

use crate::answers::{
    AttemptList, CreateResults, Folder, FolderList, Group, Media, MediaList, PlatformList,
    PlatformWithSchema, PostList, Reply, Usage, ValidateResults,
};
use crate::chance;
use crate::error::Error;
use crate::http::{Answer, Connection, Http};

/// The API of one service, with one key.
///
/// GET is sent again after a cut, a time-out or a fault of the service; POST as well, because each carries an
/// `Idempotency-Key` of its own, the same for every sending; PATCH and DELETE only where certainly nothing was done.
#[derive(Debug, Clone)]
pub struct Api {
    pub(crate) http: Http,
}

/// Which media to list.
#[derive(Debug, Clone, Default)]
pub struct MediaQuery {
    /// A folder's ID, or `null` for the root.
    pub folder_id: Option<String>,
    /// `image` or `video`.
    pub media_type: Option<String>,
    /// The most of one page.
    pub limit: Option<u32>,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// Which posts to list.
#[derive(Debug, Clone, Default)]
pub struct PostQuery {
    /// The first instant.
    pub start: Option<Time>,
    /// The first instant after the last.
    pub end: Option<Time>,
    /// States; none means all.
    pub states: Vec<String>,
    /// A platform's ID.
    pub platform_id: Option<String>,
    /// What the caption contains.
    pub text: Option<String>,
    /// The most of one page.
    pub limit: Option<u32>,
    /// Where to go on.
    pub cursor: Option<String>,
}

impl Api {
    /// A client of the service at that address.
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

    /// `GET /healthz`: whether it is alive, and its `Date`.
    ///
    /// # Errors
    /// When it cannot be reached.
    pub async fn health(&self) -> Result<Option<String>, Error> {
        let answer = self.call(Method::GET, "/healthz", None).await?;
        Ok(answer.header("date").map(str::to_owned))
    }

    /// `GET /openapi.json`: the service's own reference.
    ///
    /// # Errors
    /// As every operation.
    pub async fn reference(&self) -> Result<Value, Error> {
        self.call(Method::GET, "/openapi.json", None).await?.json()
    }

    /// `GET /platforms`
    ///
    /// # Errors
    /// As every operation.
    pub async fn platforms(&self) -> Result<Reply<PlatformList>, Error> {
        self.get("/platforms").await
    }

    /// `GET /platforms/{id}/schema`
    ///
    /// # Errors
    /// As every operation.
    pub async fn platform_schema(&self, id: &str) -> Result<Reply<PlatformWithSchema>, Error> {
        self.get(&format!("/platforms/{}/schema", segment(id))).await
    }

    /// `GET /usage`
    ///
    /// # Errors
    /// As every operation.
    pub async fn usage(&self) -> Result<Reply<Usage>, Error> {
        self.get("/usage").await
    }

    /// `GET /media/folders`
    ///
    /// # Errors
    /// As every operation.
    pub async fn folders(&self) -> Result<Reply<FolderList>, Error> {
        self.get("/media/folders").await
    }

    /// `POST /media/folders`
    ///
    /// # Errors
    /// As every operation.
    pub async fn create_folder(&self, name: &str) -> Result<Reply<Folder>, Error> {
        self.post("/media/folders", &json!({ "name": name }), None).await
    }

    /// `PATCH /media/folders/{id}`
    ///
    /// # Errors
    /// As every operation.
    pub async fn rename_folder(&self, id: &str, name: &str) -> Result<Reply<Folder>, Error> {
        let path = format!("/media/folders/{}", segment(id));
        self.patch(&path, &json!({ "name": name })).await
    }

    /// `DELETE /media/folders/{id}`: its media move to the root.
    ///
    /// # Errors
    /// As every operation.
    pub async fn delete_folder(&self, id: &str) -> Result<(), Error> {
        self.delete(&format!("/media/folders/{}", segment(id))).await
    }

    /// `GET /media`, one page.
    ///
    /// # Errors
    /// As every operation.
    pub async fn media_page(&self, query: &MediaQuery) -> Result<Reply<MediaList>, Error> {
        let limit = query.limit.map(|limit| limit.to_string());
        let path = with_query(
            "/media",
            &[
                ("folderId", query.folder_id.as_deref()),
                ("mediaType", query.media_type.as_deref()),
                ("limit", limit.as_deref()),
                ("cursor", query.cursor.as_deref()),
            ],
        );
        self.get(&path).await
    }

    /// `GET /media/{id}`
    ///
    /// # Errors
    /// As every operation.
    pub async fn media(&self, id: &str) -> Result<Reply<Media>, Error> {
        self.get(&format!("/media/{}", segment(id))).await
    }

    /// `PATCH /media/{id}`
    ///
    /// # Errors
    /// As every operation.
    pub async fn change_media(&self, id: &str, change: &Value) -> Result<Reply<Media>, Error> {
        self.patch(&format!("/media/{}", segment(id)), change).await
    }

    /// `DELETE /media/{id}`
    ///
    /// # Errors
    /// As every operation.
    pub async fn delete_media(&self, id: &str) -> Result<(), Error> {
        self.delete(&format!("/media/{}", segment(id))).await
    }

    /// `GET /posts`, one page.
    ///
    /// # Errors
    /// As every operation.
    pub async fn posts_page(&self, query: &PostQuery) -> Result<Reply<PostList>, Error> {
        let [start, end] = [query.start, query.end].map(|time| time.map(|time| time.to_string()));
        let limit = query.limit.map(|limit| limit.to_string());
        let mut pairs = vec![
            ("startDate", start.as_deref()),
            ("endDate", end.as_deref()),
            ("platformId", query.platform_id.as_deref()),
            ("q", query.text.as_deref()),
            ("limit", limit.as_deref()),
            ("cursor", query.cursor.as_deref()),
        ];
        pairs.extend(query.states.iter().map(|state| ("state", Some(state.as_str()))));
        self.get(&with_query("/posts", &pairs)).await
    }

    /// `POST /posts`. With an idempotency key of the caller's own, also a second run of the program does it once.
    ///
    /// # Errors
    /// As every operation.
    pub async fn create_post(&self, post: &Value, key: Option<&str>) -> Result<Reply<CreateResults>, Error> {
        self.post("/posts", post, key).await
    }

    /// `POST /posts/validate`
    ///
    /// # Errors
    /// As every operation.
    pub async fn validate_post(&self, post: &Value) -> Result<Reply<ValidateResults>, Error> {
        self.post("/posts/validate", post, None).await
    }

    /// `GET /posts/{id}`
    ///
    /// # Errors
    /// As every operation.
    pub async fn post_group(&self, id: &str) -> Result<Reply<Group>, Error> {
        self.get(&format!("/posts/{}", segment(id))).await
    }

    /// `PATCH /posts/{id}`
    ///
    /// # Errors
    /// As every operation.
    pub async fn change_post(&self, id: &str, change: &Value) -> Result<Reply<Group>, Error> {
        self.patch(&format!("/posts/{}", segment(id)), change).await
    }

    /// `PATCH /posts/{id}/schedule`
    ///
    /// # Errors
    /// As every operation.
    pub async fn reschedule_post(&self, id: &str, at: Time) -> Result<Reply<Group>, Error> {
        let path = format!("/posts/{}/schedule", segment(id));
        self.patch(&path, &json!({ "scheduledFor": at })).await
    }

    /// `POST /posts/{id}/publish`
    ///
    /// # Errors
    /// As every operation.
    pub async fn publish_post(&self, id: &str) -> Result<Reply<Group>, Error> {
        let path = format!("/posts/{}/publish", segment(id));
        self.post(&path, &json!({}), None).await
    }

    /// `DELETE /posts/{id}`
    ///
    /// # Errors
    /// As every operation.
    pub async fn delete_post(&self, id: &str) -> Result<(), Error> {
        self.delete(&format!("/posts/{}", segment(id))).await
    }

    /// `GET /posts/{id}/attempts`
    ///
    /// # Errors
    /// As every operation.
    pub async fn attempts(&self, id: &str) -> Result<Reply<AttemptList>, Error> {
        self.get(&format!("/posts/{}/attempts", segment(id))).await
    }
}

/// Where the API is below the service's address.
pub(crate) const PREFIX: &str = "/public/v1";

/// The header by which a request is known when it comes again.
pub(crate) const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

impl Api {
    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<Reply<T>, Error> {
        let answer = self.call(Method::GET, &format!("{PREFIX}{path}"), None).await?;
        Reply::read(answer.json()?)
    }

    async fn patch<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<Reply<T>, Error> {
        let path = format!("{PREFIX}{path}");
        let answer = self.call(Method::PATCH, &path, Some(body)).await?;
        Reply::read(answer.json()?)
    }

    async fn delete(&self, path: &str) -> Result<(), Error> {
        let path = format!("{PREFIX}{path}");
        self.call(Method::DELETE, &path, None).await.map(drop)
    }

    async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &Value,
        key: Option<&str>,
    ) -> Result<Reply<T>, Error> {
        let path = format!("{PREFIX}{path}");
        let key = key.map_or_else(chance::idempotency_key, str::to_owned);
        let build = async || {
            let request = self.http.request(Method::POST, &path);
            Ok(request.header(IDEMPOTENCY_KEY, &key).json(body))
        };
        Reply::read(self.http.send(true, build).await?.json()?)
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

/// An ID as one step of a path, whatever was typed.
pub(crate) fn segment(text: &str) -> String {
    let bytes = text.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    bytes.collect()
}

fn with_query(path: &str, pairs: &[(&str, Option<&str>)]) -> String {
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
