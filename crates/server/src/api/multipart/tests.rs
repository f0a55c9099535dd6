use std::convert::Infallible;

use axum::http::Request;
use futures_util::stream;
use proptest::prelude::*;

use super::*;

/// A parsed part: its name, its file's name, its content.
type Read = (String, Option<String>, Vec<u8>);

fn form(boundary: &str, pieces: Vec<Bytes>) -> Form {
    let pieces = pieces.into_iter().map(Ok::<_, Infallible>);
    let body = Body::from_stream(stream::iter(pieces));
    let request = Request::builder().header(
        CONTENT_TYPE,
        format!("multipart/form-data; boundary=\"{boundary}\""),
    );
    Form::of(request.body(body).unwrap()).unwrap()
}

/// Every part, with its content joined.
async fn read_all(mut form: Form) -> Result<Vec<Read>, FormError> {
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

async fn read(body: &str) -> Result<Vec<Read>, FormError> {
    read_all(form("b", vec![Bytes::from(body.to_owned())])).await
}

async fn refused(body: &str) -> String {
    read(body).await.unwrap_err().to_string()
}

fn part(name: &str, content: &[u8]) -> Read {
    (name.to_owned(), None, content.to_vec())
}

fn written(name: &str, content: &str) -> String {
    format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{content}\r\n")
}

#[tokio::test]
async fn parts_come_in_their_order_with_all_their_bytes() {
    let body = format!(
        "{}{}{}--b--\r\n",
        written("one", "1"),
        written("two", ""),
        written("three", "\r\n--\r\n")
    );
    let parts = read(&body).await.unwrap();
    assert_eq!(
        parts,
        [part("one", b"1"), part("two", b""), part("three", b"\r\n--\r\n")]
    );
}

#[tokio::test]
async fn what_stands_around_the_parts_is_skipped() {
    let body = format!(
        "a preamble\r\nof lines\r\n{}--b-- \r\nan epilogue\r\n--b\r\n",
        written("one", "1")
    );
    assert_eq!(read(&body).await.unwrap(), [part("one", b"1")]);
    assert_eq!(read("--b--").await.unwrap(), []);
    let padded = "--b \t\r\ncontent-disposition: form-data; name=a\r\n\r\n\r\n--b--";
    assert_eq!(read(padded).await.unwrap(), [part("a", b"")]);
}

#[tokio::test]
async fn a_part_left_unread_is_skipped() {
    let body = format!(
        "{}{}--b--",
        written("one", &"1".repeat(10_000)),
        written("two", "2")
    );
    let mut form = form(
        "b",
        body.as_bytes().chunks(7).map(Bytes::copy_from_slice).collect(),
    );
    let mut first = form.next_part().await.unwrap().unwrap();
    assert_eq!(first.name, "one");
    assert!(first.chunk().await.unwrap().is_some());
    assert_eq!(form.next_part().await.unwrap().unwrap().name, "two");
    assert!(form.next_part().await.unwrap().is_none());
    assert!(form.next_part().await.unwrap().is_none(), "and stays so");
}

#[tokio::test]
async fn content_is_handed_on_without_a_copy() {
    let body = Bytes::from(format!("{}--b--", written("file", &"x".repeat(100_000))));
    let range = body.as_ptr_range();
    let mut form = form("b", vec![body.clone()]);
    let mut part = form.next_part().await.unwrap().unwrap();
    let content = part.chunk().await.unwrap().unwrap();
    assert_eq!(content.len(), 100_000);
    assert!(range.contains(&content.as_ptr()));
}

#[tokio::test]
async fn a_form_that_is_cut_off_anywhere_is_refused() {
    let body = format!("{}{}--b--", written("one", "1"), written("two", "2"));
    for length in 0..body.len() {
        assert!(
            matches!(read(&body[..length]).await, Err(FormError::Cut)),
            "{:?}",
            &body[..length]
        );
    }
    read(&body).await.unwrap();
}

#[tokio::test]
async fn lines_that_end_in_lf_alone_are_refused_in_so_many_words() {
    for body in [
        "--b\nContent-Disposition: form-data; name=\"a\"\n\nx\n--b--\n",
        "--b\r\nContent-Disposition: form-data; name=\"a\"\n\nx\r\n--b--\r\n",
    ] {
        assert_eq!(
            refused(body).await,
            "the head of a part has lines that do not end in CR LF"
        );
    }
}

#[tokio::test]
async fn a_head_without_end_is_refused_after_eight_kibibytes() {
    let long = format!("--b\r\nx: {}", "y".repeat(9000));
    assert_eq!(refused(&long).await, "the head of a part is longer than 8 KiB");
    let bytes = long.into_bytes();
    let pieces = bytes.chunks(100).map(Bytes::copy_from_slice);
    assert!(matches!(
        read_all(form("b", pieces.collect())).await,
        Err(FormError::Head(_))
    ));
    let value = "y".repeat(8000);
    let fits = format!("--b\r\nx: {value}\r\ncontent-disposition: form-data; name=a\r\n\r\n\r\n--b--");
    assert_eq!(read(&fits).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_form_has_at_most_thirty_two_parts() {
    let parts = |count: usize| format!("{}--b--", written("a", "x").repeat(count));
    assert_eq!(read(&parts(32)).await.unwrap().len(), 32);
    assert!(matches!(read(&parts(33)).await, Err(FormError::TooManyParts)));
}

#[tokio::test]
async fn a_boundary_with_something_behind_it_is_refused() {
    let body = format!("{}--bc\r\nx: y\r\n\r\n--b--", written("a", "x"));
    assert_eq!(
        refused(&body).await,
        "the head of a part begins on the line of the boundary"
    );
}

/// Content full of near-boundaries.
fn content() -> impl Strategy<Value = Vec<u8>> {
    let pieces = [
        "\r",
        "\n",
        "\r\n",
        "\r\n-",
        "\r\n--",
        "\r\n--x",
        "--xyz",
        "-",
        "xy",
        "\0",
        "\r\r\n--xy",
    ];
    let pieces = prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..40);
    pieces
        .prop_map(|pieces| pieces.concat().into_bytes())
        .prop_filter("a boundary", |content| {
            memchr::memmem::find(&[b"\r\n", &content[..], b"\r"].concat(), b"\r\n--xyz").is_none()
        })
}

fn put_together(contents: &[Vec<u8>]) -> Vec<u8> {
    let mut body = b"preamble".to_vec();
    for (number, content) in contents.iter().enumerate() {
        body.extend(
            format!("\r\n--xyz\r\ncontent-disposition: form-data; name={number}\r\n\r\n").into_bytes(),
        );
        body.extend(content);
    }
    body.extend(b"\r\n--xyz--\r\nepilogue");
    body
}

/// `body` cut at each of these positions.
fn cut(body: &[u8], mut places: Vec<prop::sample::Index>) -> Vec<Bytes> {
    places.sort_by_key(|place| place.index(body.len()));
    let mut pieces = Vec::new();
    let mut from = 0;
    for place in places {
        let to = place.index(body.len());
        pieces.push(Bytes::copy_from_slice(&body[from..to]));
        from = to;
    }
    pieces.push(Bytes::copy_from_slice(&body[from..]));
    pieces
}

proptest! {
    #[test]
    fn what_is_read_does_not_depend_on_how_the_body_was_cut(
        contents in prop::collection::vec(content(), 0..4),
        places in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let read = runtime.block_on(read_all(form("xyz", cut(&put_together(&contents), places)))).unwrap();
        let expected: Vec<Read> = contents.iter().enumerate().map(|(number, content)| part(&number.to_string(), content)).collect();
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn no_body_makes_the_reader_panic_or_hang(
        body in prop::collection::vec(prop::sample::select(b"-\r\nxyz:;=\" a\0\xff".to_vec()), 0..300),
        places in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let body = [&b"--xyz\r\ncontent-disposition: form-data; name=a\r\n\r\n"[..], &body].concat();
        // Parsing any bytes ends, in parts or in an error.
        drop(runtime.block_on(read_all(form("xyz", cut(&body, places)))));
    }
}
