//! A plain HTTP client that hides nothing: what a user's program sees.

use playout_domain::error::IssueCode;
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::documented;

/// The demo's clip: a real video of six seconds.
pub(crate) const CLIP: &[u8] = include_bytes!("../../../../../assets/demo/clip.mp4");

/// A client of one service, with a key or without.
#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    base_url: String,
    key: Option<Secret>,
    organization: Option<String>,
}

/// An answer, read whole.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    /// The JSON of an answer that must be a success.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert!(
            (200..300).contains(&self.status),
            "{}: {}",
            self.status,
            String::from_utf8_lossy(&self.body)
        );
        self.json()
    }

    /// A header's text, empty where it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    /// Asserts a refusal with this status and code, and returns its body.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        let body = self.json();
        assert_eq!(body["code"], code, "{body:#}");
        assert!(
            body["message"]
                .as_str()
                .is_some_and(|message| !message.is_empty()),
            "{body:#}"
        );
        body
    }

    /// Asserts `invalid_request` with exactly these paths, in order.
    #[track_caller]
    pub(crate) fn invalid_at(&self, paths: &[Value]) {
        let body = self.refused(400, "invalid_request");
        let found: Vec<Value> = body["details"]
            .as_array()
            .unwrap()
            .iter()
            .map(|issue| issue["path"].clone())
            .collect();
        assert_eq!(found, paths, "{body:#}");
        for issue in body["details"].as_array().unwrap() {
            let is_known = IssueCode::ALL.iter().any(|code| issue["code"] == code.as_str());
            assert!(is_known, "{issue:#}");
        }
    }
}

impl Client {
    #[expect(clippy::disallowed_methods, reason = "the tests' one HTTP client")]
    pub(crate) fn new(base_url: &str, key: Option<Secret>) -> Self {
        // A service in this process installs it too; here there may be none.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let builder = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none());
        Self {
            http: builder.build().unwrap(),
            base_url: base_url.to_owned(),
            key,
            organization: None,
        }
    }

    /// The same client with another key, or with none.
    pub(crate) fn with_key(&self, key: Option<Secret>) -> Self {
        Self { key, ..self.clone() }
    }

    /// The same client with `x-organization-id` on each request.
    pub(crate) fn in_workspace(&self, id: &str) -> Self {
        Self {
            organization: Some(id.to_owned()),
            ..self.clone()
        }
    }

    /// The same client of another node.
    pub(crate) fn at(&self, base_url: &str) -> Self {
        Self {
            base_url: base_url.to_owned(),
            ..self.clone()
        }
    }

    /// The HTTP client beneath.
    pub(crate) fn http(&self) -> &reqwest::Client {
        &self.http
    }

    /// The key, as a user has it in the environment.
    pub(crate) fn key(&self) -> &str {
        self.key.as_ref().map(Secret::expose).unwrap_or_default()
    }

    /// A request that can be shaped further before [`Client::send`].
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base_url));
        let request = match &self.organization {
            Some(id) => request.header("x-organization-id", id),
            None => request,
        };
        match &self.key {
            Some(key) => request.header(AUTHORIZATION, format!("Bearer {}", key.expose())),
            None => request,
        }
    }

    pub(crate) async fn send(&self, request: RequestBuilder) -> Answer {
        let request = request.build().unwrap();
        let (method, url) = (request.method().clone(), request.url().clone());
        let response = self.http.execute(request).await.unwrap();
        let answer = Answer {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.bytes().await.unwrap().to_vec(),
        };
        documented::check(&method, url.path(), &answer);
        answer
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.send(self.request(Method::DELETE, path)).await
    }

    /// DELETE with a body.
    pub(crate) async fn delete_with(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request(Method::DELETE, path).json(body)).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request(Method::POST, path).json(body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request(Method::PATCH, path).json(body)).await
    }

    /// GETs any address without following redirects and without a key.
    pub(crate) async fn follow(&self, url: &str) -> Answer {
        self.send(self.http.get(url)).await
    }

    /// HEADs any address without following redirects and without a key.
    pub(crate) async fn head(&self, url: &str) -> Answer {
        self.send(self.http.head(url)).await
    }

    /// Uploads a file as a form with further text parts.
    pub(crate) async fn upload_form(
        &self,
        name: &str,
        mime: &str,
        bytes: &[u8],
        parts: &[(&str, &str)],
    ) -> Answer {
        let texts = parts.iter().map(|(key, value)| {
            format!("--form\r\nContent-Disposition: form-data; name=\"{key}\"\r\n\r\n{value}\r\n")
        });
        let head = format!(
            "{}--form\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: {mime}\r\n\r\n",
            texts.collect::<String>()
        );
        let body = [head.as_bytes(), bytes, b"\r\n--form--\r\n"].concat();
        let request = self.request(Method::POST, "/public/v1/media");
        self.send(
            request
                .header(CONTENT_TYPE, "multipart/form-data; boundary=form")
                .body(body),
        )
        .await
    }

    /// Uploads the clip; returns its media ID.
    pub(crate) async fn upload_clip(&self) -> String {
        id(&self.upload_form("clip.mp4", "video/mp4", CLIP, &[]).await.ok()["id"])
    }

    /// Uploads a photo of that size; returns its media ID.
    pub(crate) async fn upload_photo(&self, width: usize, height: usize) -> String {
        id(&self
            .upload_form("photo.jpg", "image/jpeg", &jpeg(width, height), &[])
            .await
            .ok()["id"])
    }

    /// Creates a post on one platform; returns its root's ID.
    pub(crate) async fn create_post(&self, body: &Value) -> String {
        let created = self.post("/public/v1/posts", body).await.ok();
        let root = &created["results"][0]["post"]["root"]["id"];
        assert!(root.is_string(), "not created: {created:#}");
        id(root)
    }

    /// Creates a public post of these media on one platform, to go out now.
    pub(crate) async fn publish_now(&self, platform: &str, media: &[String]) -> String {
        self.create_post(&post_body(platform, media)).await
    }

    /// Publishes a post now, as a person does who has just read why it waits; returns its group.
    pub(crate) async fn publish_as_read(&self, post: &str) -> Value {
        let request = self.as_read(Method::POST, post, "publish").await;
        self.send(request).await.ok()
    }

    /// Gives a post a time, as a person does who has just read why it waits; returns its group.
    pub(crate) async fn schedule_post(&self, post: &str, at: Time) -> Value {
        let request = self.as_read(Method::PATCH, post, "schedule").await;
        self.send(request.json(&json!({ "scheduledFor": at }))).await.ok()
    }

    /// A request that names the version of a post that is there now.
    async fn as_read(&self, method: Method, post: &str, action: &str) -> RequestBuilder {
        let path = format!("/public/v1/posts/{post}");
        let read = self.get(&path).await;
        self.request(method, &format!("{path}/{action}"))
            .header("if-match", read.header("etag"))
    }

    /// Deletes a post's group.
    pub(crate) async fn delete_post(&self, post: &str) {
        let answer = self.delete(&format!("/public/v1/posts/{post}")).await;
        assert_eq!(answer.status, 204, "{answer:?}");
    }
}

/// A create request for a public post of these media, to go out now; tests change what they are about.
pub(crate) fn post_body(platform: &str, media: &[String]) -> Value {
    json!({
        "platformIds": [platform],
        "content": "First flight #kites",
        "mode": "now",
        "mediaIds": media,
        "settings": { "privacy_level": "PUBLIC_TO_EVERYONE" },
    })
}

/// A request with a form as its body.
pub(crate) fn with_form(request: RequestBuilder, fields: &[(&str, &str)]) -> RequestBuilder {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    let body = form.extend_pairs(fields).finish();
    request
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(body)
}

fn id(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// A real JPEG of that size, a gradient.
pub(crate) fn jpeg(width: usize, height: usize) -> Vec<u8> {
    let pixel = |x: usize, y: usize| [(x * 255 / width) as u8, (y * 255 / height) as u8, 128];
    let pixels: Vec<u8> = (0..height)
        .flat_map(|y| (0..width).flat_map(move |x| pixel(x, y)))
        .collect();
    let image = turbojpeg::Image {
        pixels: pixels.as_slice(),
        width,
        pitch: width * 3,
        height,
        format: turbojpeg::PixelFormat::RGB,
    };
    turbojpeg::compress(image, 80, turbojpeg::Subsamp::Sub2x2)
        .unwrap()
        .to_vec()
}

/// The clip with so much padding that it has so many bytes.
pub(crate) fn padded(length: usize) -> Vec<u8> {
    let padding = u32::try_from(length - CLIP.len()).unwrap().to_be_bytes();
    let mut video = [CLIP, &padding, b"free"].concat();
    video.resize(length, 0);
    video
}
