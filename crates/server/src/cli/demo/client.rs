//! The demo's own client of the public API, as a user's program would be.

use std::time::Duration;

use playout_domain::secret::Secret;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use serde_json::Value;

use crate::chance;
use crate::cli::print::say;
use crate::open_error::OpenError;

/// The interval of status polls, and their number.
const ASK_EVERY: Duration = Duration::from_millis(500);
const QUESTIONS: usize = 120;

/// A client with a key.
pub(super) struct Client {
    http: reqwest::Client,
    api_url: String,
    /// The address of the dashboard's pages.
    base_url: String,
    authorization: String,
}

impl Client {
    #[expect(clippy::disallowed_methods, reason = "the demo plays a user's program")]
    pub(super) fn new(api_url: &str, base_url: &str, key: Secret) -> Result<Self, OpenError> {
        let http = reqwest::Client::builder().no_proxy().build()?;
        Ok(Self {
            http,
            api_url: api_url.to_owned(),
            base_url: base_url.to_owned(),
            authorization: format!("Bearer {}", key.expose()),
        })
    }

    /// GETs a path.
    pub(super) async fn get(&self, path: &str) -> Result<Value, OpenError> {
        let request = self
            .http
            .get(format!("{}{path}", self.api_url))
            .header(AUTHORIZATION, &self.authorization);
        answer(request.send().await?).await
    }

    /// Uploads a file and returns its media ID.
    pub(super) async fn upload(&self, name: &str, mime: &str, bytes: &[u8]) -> Result<String, OpenError> {
        let boundary = boundary();
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: {mime}\r\n\r\n"
        );
        let body = [
            head.as_bytes(),
            bytes,
            format!("\r\n--{boundary}--\r\n").as_bytes(),
        ]
        .concat();
        let request = self
            .http
            .post(format!("{}/public/v1/media", self.api_url))
            .header(AUTHORIZATION, &self.authorization)
            .header(CONTENT_TYPE, format!("multipart/form-data; boundary={boundary}"))
            .body(body);
        let media = answer(request.send().await?).await?;
        say(format!("  uploaded {name}: {}", text(&media["publicUrl"])));
        Ok(text(&media["id"]))
    }

    /// Renders captions onto images and returns the media IDs of the slides, in order.
    pub(super) async fn composite(&self, body: &Value) -> Result<Vec<String>, OpenError> {
        let url = format!("{}/public/v1/slides/composite", self.api_url);
        let request = self
            .http
            .post(url)
            .header(AUTHORIZATION, &self.authorization)
            .json(body);
        let made = answer(request.send().await?).await?;
        let mut slides = Vec::new();
        for slide in made["slides"].as_array().into_iter().flatten() {
            let id = text(&slide["mediaId"]);
            let media = self.get(&format!("/public/v1/media/{id}")).await?;
            let (name, url) = (text(&media["originalFileName"]), text(&media["publicUrl"]));
            say(format!("  captioned {name}: {url}"));
            slides.push(id);
        }
        Ok(slides)
    }

    /// Creates a post on one platform and returns its ID.
    pub(super) async fn create_post(&self, body: &Value) -> Result<String, OpenError> {
        let url = format!("{}/public/v1/posts", self.api_url);
        let request = self
            .http
            .post(url)
            .header(AUTHORIZATION, &self.authorization)
            .json(body);
        let created = answer(request.send().await?).await?;
        let root = &created["results"][0]["post"]["root"];
        if root.is_null() {
            return Err(format!("the post was not created: {created}").into());
        }
        let id = text(&root["id"]);
        say(format!("  created the post: {}/posts/{id}", self.base_url));
        Ok(id)
    }

    /// Waits until a post is published and public, printing each change; returns false if it ends otherwise.
    pub(super) async fn settled(&self, id: &str) -> Result<bool, OpenError> {
        let mut seen = String::new();
        for _ in 0..QUESTIONS {
            let post = self.get(&format!("/public/v1/posts/{id}")).await?["root"].take();
            let state = text(&post["state"]);
            if state != seen {
                say(format!("  {id} is {state} {}", text(&post["errorText"])));
                seen.clone_from(&state);
            }
            match state.as_str() {
                "PUBLISHED" if !post["releaseUrl"].is_null() => {
                    say(format!("  {id} is at {}", text(&post["releaseUrl"])));
                    return Ok(true);
                }
                "PUBLISHED" | "QUEUE" => tokio::time::sleep(ASK_EVERY).await,
                _ => return Ok(false),
            }
        }
        Ok(false)
    }
}

/// The ID of the account with this handle.
pub(super) fn platform_id(platforms: &Value, handle: &str) -> Result<String, OpenError> {
    let list = platforms["platforms"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let found = list.iter().find(|platform| platform["displayHandle"] == handle);
    found
        .map(|platform| text(&platform["id"]))
        .ok_or_else(|| format!("@{handle} is not connected").into())
}

async fn answer(response: reqwest::Response) -> Result<Value, OpenError> {
    let (status, url) = (response.status(), response.url().clone());
    let body = response.text().await?;
    if !status.is_success() {
        return Err(format!("{url} answered {status}: {body}").into());
    }
    Ok(serde_json::from_str(&body)?)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A random form boundary, which cannot occur in the content by chance.
fn boundary() -> String {
    format!("playout-{}", chance::token())
}
