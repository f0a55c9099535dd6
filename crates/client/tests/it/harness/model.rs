//! A language model that writes as many captions as the request asks for.

use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// The model, behind an OpenAI-compatible endpoint.
pub(crate) struct Model {
    pub(crate) url: String,
    _runtime: Runtime,
}

impl Model {
    pub(crate) fn open() -> Self {
        let runtime = Runtime::new().unwrap();
        let router = Router::new().route("/v1/chat/completions", post(write));
        let listener = runtime
            .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
            .unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        runtime.spawn(async { axum::serve(listener, router).await });
        Self {
            url,
            _runtime: runtime,
        }
    }
}

async fn write(Json(asked): Json<Value>) -> Json<Value> {
    let content = &asked["messages"][1]["content"];
    let document = content.as_str().or_else(|| content[0]["text"].as_str());
    let document: Value = serde_json::from_str(document.unwrap()).unwrap();
    let count = document["slideCount"].as_u64().unwrap();
    let slides: Vec<String> = (1..=count).map(|number| format!("Kite {number}")).collect();
    let text = json!({ "caption": "Kites #wind", "slides": slides }).to_string();
    let message = json!({ "role": "assistant", "content": text });
    Json(json!({ "choices": [{ "message": message, "finish_reason": "stop" }] }))
}
