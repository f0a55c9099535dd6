//! A service that answers about slides as in `docs/contract.md#slides`, and bakes nothing: it records the requests.

use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::Playout;

/// The media ID of every upload.
pub(crate) const FIRST: &str = "0196f3a0-7c1e-7d3a-9b5e-000000000001";
/// The media ID of every baked slide.
pub(crate) const SECOND: &str = "0196f3a0-7c1e-7d3a-9b5e-000000000002";

type Asked = Arc<Mutex<Vec<Value>>>;

/// A service that bakes and proposes slides, as far as its answers go.
pub(crate) struct Bakery {
    pub(crate) url: String,
    asked: Asked,
    _runtime: Runtime,
}

impl Bakery {
    pub(crate) fn open() -> Self {
        let runtime = Runtime::new().unwrap();
        let asked = Asked::default();
        let router = Router::new()
            .route("/public/v1/slides/composite", post(composite))
            .route("/public/v1/slides/preview", post(preview))
            .route("/public/v1/slides/captions", post(captions))
            .route("/public/v1/media", post(media))
            .with_state(Arc::clone(&asked));
        let listener = runtime
            .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
            .unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        runtime.spawn(async { axum::serve(listener, router).await });
        Self {
            url,
            asked,
            _runtime: runtime,
        }
    }

    /// The program with this service and a key.
    pub(crate) fn playout(&self) -> Playout {
        let key = playout_domain::key::make_key([5; 32]);
        let playout = Playout::new();
        playout.put("captions.json", proposal(2).to_string().as_bytes());
        playout
            .env("PLAYOUT_API_URL", &self.url)
            .env("PLAYOUT_API_KEY", key.expose())
    }

    /// The requests since the last call.
    pub(crate) fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().drain(..).collect()
    }
}

/// `docs/contract.md#slides`.
async fn composite(State(asked): State<Asked>, Json(body): Json<Value>) -> (StatusCode, Json<Value>) {
    let slides = body["slides"].as_array().unwrap().iter();
    let slides = slides.map(|slide| json!({ "index": slide["index"], "mediaId": SECOND }));
    let answer = json!({ "slides": slides.collect::<Value>() });
    asked.lock().unwrap().push(body);
    (StatusCode::CREATED, Json(answer))
}

/// A preview is the bytes of a picture; a header lists the characters without a glyph.
async fn preview(State(asked): State<Asked>, Json(body): Json<Value>) -> Response {
    asked.lock().unwrap().push(body);
    let header = [
        ("content-type", "image/jpeg"),
        ("missing-glyphs", "U+E000 U+E001"),
    ];
    (header, &b"\xFF\xD8 a slide"[..]).into_response()
}

async fn captions(State(asked): State<Asked>, Json(body): Json<Value>) -> Json<Value> {
    let answer = proposal(body["slideCount"].as_u64().unwrap());
    asked.lock().unwrap().push(body);
    Json(answer)
}

fn proposal(count: u64) -> Value {
    // The last comes first: their index gives their place.
    let slides = (1..=count)
        .rev()
        .map(|index| json!({ "index": index, "caption": format!("Caption {index}") }));
    json!({ "caption": "Kites #wind", "slides": slides.collect::<Value>() })
}

async fn media() -> (StatusCode, Json<Value>) {
    let media = json!({
        "id": FIRST, "storageKey": "k", "publicUrl": "http://127.0.0.1:1/k", "previewUrl": "http://127.0.0.1:1/p",
        "mimeType": "image/jpeg", "size": 1, "mediaType": "image", "originalFileName": "1.jpg", "status": "READY",
        "thumbnailMetadata": null, "finalizedAt": "2026-11-20T12:00:00.000Z", "folderId": null, "createdAt": "2026-11-20T12:00:00.000Z",
    });
    (StatusCode::CREATED, Json(media))
}
