//! Forms with files. The first byte is how long the pieces are in which the body arrives.

use std::convert::Infallible;

use axum::body::Body;
use axum::http::Request;
use bytes::Bytes;
use futures_util::{FutureExt, stream};
use playout_server::api::multipart::{Form, FormError};

/// A part as it was read: its name, its file's name, its content.
type Part = (String, Option<String>, Vec<u8>);

/// A form is read the same way, however its bytes are cut into pieces.
pub(crate) fn form(data: &[u8]) {
    let Some((length, body)) = data.split_first() else {
        return;
    };
    let whole = read(vec![Bytes::copy_from_slice(body)]);
    let pieces = body.chunks(usize::from(*length).max(1));
    let cut = read(pieces.map(Bytes::copy_from_slice).collect());
    match (&whole, &cut) {
        (Err(whole), Err(cut)) => assert_eq!(whole.to_string(), cut.to_string()),
        (Ok(whole), Ok(cut)) => assert_eq!(whole, cut),
        _ => panic!("{whole:?} became {cut:?}"),
    }
}

fn read(pieces: Vec<Bytes>) -> Result<Vec<Part>, FormError> {
    let body = Body::from_stream(stream::iter(pieces.into_iter().map(Ok::<_, Infallible>)));
    let request = Request::builder()
        .header("content-type", "multipart/form-data; boundary=b")
        .body(body)
        .expect("the header is valid");
    let parts = read_parts(Form::of(request)?).now_or_never();
    parts.expect("all of the body is there")
}

async fn read_parts(mut form: Form) -> Result<Vec<Part>, FormError> {
    let mut parts = Vec::new();
    while let Some(mut part) = form.next_part().await? {
        let mut content = Vec::new();
        while let Some(bytes) = part.chunk().await? {
            assert!(!bytes.is_empty(), "a piece without bytes");
            content.extend_from_slice(&bytes);
        }
        parts.push((part.name, part.file_name, content));
    }
    Ok(parts)
}
