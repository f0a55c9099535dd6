//! A simulator on a manual clock, a client of plain HTTP, and a host for media and webhooks.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use playout_domain::time::{ManualClock, Time};
use playout_tiktok::sim::{SCOPES, SimConfig, Simulator};
use reqwest::{Client, Method};
use serde_json::{Value, json};

pub(crate) struct World {
    pub(crate) sim: Simulator,
    pub(crate) clock: ManualClock,
    pub(crate) http: Client,
    pub(crate) open_id: String,
    pub(crate) token: String,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) text: String,
    pub(crate) headers: reqwest::header::HeaderMap,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or("").to_owned()
    }

    pub(crate) fn data(&self) -> Value {
        self.json()["data"].clone()
    }

    pub(crate) fn header(&self, name: &str) -> String {
        self.headers
            .get(name)
            .map(|value| value.to_str().unwrap().to_owned())
            .unwrap_or_default()
    }

    /// Status and code, which distinguish refusals.
    pub(crate) fn outcome(&self) -> (u16, String) {
        (self.status, self.code())
    }
}

impl World {
    pub(crate) async fn start() -> Self {
        Self::with(SimConfig::default()).await
    }

    pub(crate) async fn with(config: SimConfig) -> Self {
        let clock = ManualClock::at(Time::parse("2026-11-20T09:00:00Z").unwrap());
        let sim = Simulator::start(config, Arc::new(clock.clone())).await.unwrap();
        let open_id = sim.account("kitestudio").unwrap().account.open_id;
        let token = sim.grant(&open_id, &SCOPES).access_token;
        Self {
            sim,
            clock,
            http: client(),
            open_id,
            token,
        }
    }

    pub(crate) fn advance(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        self.send_as(&self.token, method, path, body).await
    }

    pub(crate) async fn send_as(
        &self,
        token: &str,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Answer {
        let mut request = self
            .http
            .request(method, format!("{}{path}", self.sim.url()))
            .bearer_auth(token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        answer(request.send().await.unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    pub(crate) async fn form(&self, path: &str, pairs: &[(&str, &str)]) -> Answer {
        answer(
            self.http
                .post(format!("{}{path}", self.sim.url()))
                .form(pairs)
                .send()
                .await
                .unwrap(),
        )
        .await
    }

    pub(crate) async fn status(&self, publish_id: &str) -> Value {
        self.post(
            "/v2/post/publish/status/fetch/",
            json!({ "publish_id": publish_id }),
        )
        .await
        .data()
    }

    /// Starts a direct video post of `size` bytes in one chunk.
    pub(crate) async fn init_video(&self, title: &str, size: usize) -> Answer {
        self.post("/v2/post/publish/video/init/", video_body(title, size))
            .await
    }

    /// Sends the bytes of `range` of a file of `total` bytes.
    pub(crate) async fn put(&self, url: &str, range: Range<usize>, total: usize, bytes: Vec<u8>) -> Answer {
        let (first, last) = (range.start, range.end - 1);
        let request = self.http.put(url).header("content-type", "video/mp4");
        let request = request.header("content-range", format!("bytes {first}-{last}/{total}"));
        answer(request.body(bytes).send().await.unwrap()).await
    }

    /// Publishes a small video and returns its publish id.
    pub(crate) async fn publish(&self, title: &str) -> String {
        let bytes = mp4(1_000);
        let init = self.init_video(title, bytes.len()).await;
        assert_eq!(init.code(), "ok", "{}", init.text);
        let data = init.data();
        let put = self
            .put(
                data["upload_url"].as_str().unwrap(),
                0..bytes.len(),
                bytes.len(),
                bytes,
            )
            .await;
        assert_eq!(put.status, 201);
        data["publish_id"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn video_body(title: &str, size: usize) -> Value {
    json!({
        "post_info": { "title": title, "privacy_level": "PUBLIC_TO_EVERYONE" },
        "source_info": { "source": "FILE_UPLOAD", "video_size": size, "chunk_size": size, "total_chunk_count": 1 },
    })
}

pub(crate) fn photo_body(urls: &[String]) -> Value {
    json!({
        "media_type": "PHOTO",
        "post_mode": "DIRECT_POST",
        "post_info": { "title": "Kite day", "description": "Twelve knots #kites", "privacy_level": "PUBLIC_TO_EVERYONE" },
        "source_info": { "source": "PULL_FROM_URL", "photo_cover_index": 0, "photo_images": urls },
    })
}

pub(crate) async fn answer(response: reqwest::Response) -> Answer {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Answer {
        status,
        headers,
        text: response.text().await.unwrap(),
    }
}

#[expect(clippy::disallowed_methods, reason = "the tests' one door to the network")]
fn client() -> Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .build()
        .unwrap()
}

/// A JPEG header of the given size: all that the provider looks at.
pub(crate) fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = vec![0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8];
    bytes.extend(height.to_be_bytes());
    bytes.extend(width.to_be_bytes());
    bytes.extend([3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xFF, 0xD9]);
    bytes
}

/// A little MP4 of 1080×1920 that lasts `duration_ms`.
pub(crate) fn mp4(duration_ms: u32) -> Vec<u8> {
    let boxed = |kind: &[u8], body: &[u8]| [&(8 + body.len() as u32).to_be_bytes()[..], kind, body].concat();
    let mut mvhd = vec![0; 100];
    mvhd[12..16].copy_from_slice(&1_000u32.to_be_bytes());
    mvhd[16..20].copy_from_slice(&duration_ms.to_be_bytes());
    let mut tkhd = vec![0; 84];
    tkhd[76..80].copy_from_slice(&(1080u32 << 16).to_be_bytes());
    tkhd[80..84].copy_from_slice(&(1920u32 << 16).to_be_bytes());
    let moov = boxed(
        b"moov",
        &[boxed(b"mvhd", &mvhd), boxed(b"trak", &boxed(b"tkhd", &tkhd))].concat(),
    );
    [
        boxed(b"ftyp", b"isom\0\0\0\0isom"),
        boxed(b"mdat", &[7; 64]),
        moov,
    ]
    .concat()
}

/// A host that serves files and takes webhooks.
#[derive(Clone)]
pub(crate) struct Host {
    pub(crate) url: String,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    files: HashMap<String, (u16, String, Vec<u8>)>,
    received: Vec<Received>,
    /// Statuses for the next webhooks; then 200.
    statuses: Vec<u16>,
}

/// A webhook as it came.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) signature: String,
    pub(crate) body: String,
}

impl Received {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn event(&self) -> String {
        self.json()["event"].as_str().unwrap().to_owned()
    }

    pub(crate) fn content(&self) -> Value {
        serde_json::from_str(self.json()["content"].as_str().unwrap()).unwrap()
    }
}

impl Host {
    pub(crate) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Mutex::new(Shared::default()));
        let router = Router::new().fallback(serve).with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, shared }
    }

    /// Puts a file at `path` and returns its URL.
    pub(crate) fn file(&self, path: &str, content_type: &str, bytes: Vec<u8>) -> String {
        self.answer(path, 200, content_type, bytes)
    }

    pub(crate) fn answer(&self, path: &str, status: u16, content_type: &str, bytes: Vec<u8>) -> String {
        let file = (status, content_type.to_owned(), bytes);
        self.shared.lock().unwrap().files.insert(path.to_owned(), file);
        format!("{}{path}", self.url)
    }

    pub(crate) fn answer_webhooks_with(&self, statuses: &[u16]) {
        self.shared.lock().unwrap().statuses = statuses.to_vec();
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.shared.lock().unwrap().received.clone()
    }

    pub(crate) fn events(&self) -> Vec<String> {
        self.received().iter().map(Received::event).collect()
    }
}

async fn serve(State(shared): State<Arc<Mutex<Shared>>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body: Bytes = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let mut shared = shared.lock().unwrap();
    if parts.method == "POST" {
        let signature = parts
            .headers
            .get("TikTok-Signature")
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        shared.received.push(Received {
            signature,
            body: String::from_utf8(body.to_vec()).unwrap(),
        });
        let status = if shared.statuses.is_empty() {
            200
        } else {
            shared.statuses.remove(0)
        };
        return axum::http::StatusCode::from_u16(status).unwrap().into_response();
    }
    let Some((status, kind, bytes)) = shared.files.get(parts.uri.path()).cloned() else {
        return axum::http::StatusCode::NOT_FOUND.into_response();
    };
    let status = axum::http::StatusCode::from_u16(status).unwrap();
    (
        status,
        [("content-type", kind), ("location", "/elsewhere".to_owned())],
        bytes,
    )
        .into_response()
}
