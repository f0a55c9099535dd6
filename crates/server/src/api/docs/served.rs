//! What is served: texts with the dates of today and the address of this service.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;

use crate::api::openapi::dates::on_day_of;
use crate::app::App;

/// The address in the texts that stands for the service itself.
const ADDRESS: &str = "http://localhost:8080";

static TEXTS: Mutex<Texts> = Mutex::new(Texts {
    of: None,
    made: BTreeMap::new(),
});

/// The texts of a day.
struct Texts {
    /// The day, and the address of the service.
    of: Option<(String, String)>,
    made: BTreeMap<String, Bytes>,
}

/// The text of this path, made at most once a day. With `is_addressed` it has the address of this service.
pub(super) fn text(app: &App, path: &str, is_addressed: bool, make: impl FnOnce() -> String) -> Bytes {
    let now = app.now();
    let of = (now.day(), app.config.base_url.clone());
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if texts.of.as_ref() != Some(&of) {
        texts.made.clear();
        texts.of = Some(of);
    }
    if let Some(text) = texts.made.get(path) {
        return text.clone();
    }
    let mut text = on_day_of(now, &make());
    if is_addressed {
        text = addressed(&text, &app.config.base_url);
    }
    let text = Bytes::from(text);
    texts.made.insert(path.to_owned(), text.clone());
    text
}

/// The text with the address of the service at `base_url`.
pub(super) fn addressed(text: &str, base_url: &str) -> String {
    text.replace(ADDRESS, base_url)
}
