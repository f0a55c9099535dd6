//! `api`: any operation of the service, by its method and path.

use std::io::Read;
use std::path::Path;

use playout_client::{Error, RawRequest};
use serde_json::Value;

use super::doubt;
use super::report::{Outcome, Report};
use super::session::Session;

/// What is below the service's address itself; every other path is one of the public API.
const WHOLE: [&str; 9] = [
    "public",
    "app",
    "auth",
    "docs",
    "openapi.json",
    "healthz",
    "readyz",
    "metrics",
    ".well-known",
];
const PREFIX: &str = "/public/v1";
const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  playout api GET /platforms\n  playout api GET /posts --query state=QUEUE --query limit=10\n  playout api POST /media/folders --data '{ \"name\": \"Spring\" }'\n  playout api POST /posts/validate --data @post.json\n  playout api GET /openapi.json"
)]
pub(super) struct Wanted {
    /// GET, POST, PATCH, DELETE or HEAD.
    method: String,
    /// The path: below /public/v1, such as /posts, or a whole one, such as /public/v1/posts or /openapi.json.
    path: String,
    /// The body: JSON, @FILE, or `-` for standard input.
    #[arg(long, value_name = "JSON|@FILE|-", allow_hyphen_values = true)]
    data: Option<String>,
    /// A parameter of the query; repeatable.
    #[arg(long, value_name = "NAME=VALUE")]
    query: Vec<String>,
    /// A header, such as "If-Match: *"; repeatable. A body is JSON unless a Content-Type is given; a POST gets an
    /// Idempotency-Key unless one is given.
    #[arg(long, value_name = "NAME: VALUE")]
    header: Vec<String>,
}

impl Wanted {
    /// Whether its method changes nothing (RFC 9110, section 9.2.1).
    pub(super) fn only_reads(&self) -> bool {
        ["GET", "HEAD"]
            .iter()
            .any(|method| self.method.eq_ignore_ascii_case(method))
    }
}

/// Prints the body as it is, also that of an error. The exit code is that of the status.
pub(super) async fn run(wanted: Wanted, session: &Session) -> Outcome {
    let only_reads = wanted.only_reads();
    let mut headers: Vec<(String, String)> = wanted
        .header
        .iter()
        .map(|text| read_header(text))
        .collect::<Result<_, Error>>()?;
    let is_json = value_of(&headers, "content-type").is_none();
    let in_doubt = match wanted.method.eq_ignore_ascii_case("POST") {
        true => with_key(&mut headers),
        false => "The request may have taken effect. Look before you send it again.".to_owned(),
    };
    let request = RawRequest {
        path: path_of(&wanted.path, &wanted.query)?,
        body: wanted
            .data
            .as_deref()
            .map(|data| read_body(data, is_json))
            .transpose()?,
        method: wanted.method,
        headers,
    };
    let api = session.api()?;
    let response = match only_reads {
        true => api.request(&request).await?,
        false => doubt::send(session, &in_doubt, api.request(&request)).await?,
    };
    let error = response.error.map(|error| match only_reads {
        true => error,
        false => doubt::explained(error, &in_doubt),
    });
    let report = match serde_json::from_slice::<Value>(&response.body) {
        Ok(json) => {
            let text = format!("{json:#}");
            Report::new(json, text)
        }
        Err(_) => Report {
            bytes: Some(response.body),
            ..Report::default()
        },
    };
    Ok(report.but(error))
}

/// What is to be done where a POST may have taken effect: the same one with its key, which is added to the headers if there is none.
fn with_key(headers: &mut Vec<(String, String)>) -> String {
    let key = value_of(headers, IDEMPOTENCY_KEY).unwrap_or_else(|| {
        let key = playout_client::idempotency_key();
        headers.push((IDEMPOTENCY_KEY.to_owned(), key.clone()));
        key
    });
    format!(
        "The request may have taken effect. The same command with `--header \"{IDEMPOTENCY_KEY}: {key}\"` takes effect once within 24 hours, where the \
         operation accepts a key, as each does that creates something."
    )
}

fn value_of(headers: &[(String, String)], name: &str) -> Option<String> {
    let mut headers = headers.iter();
    let found = headers.find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.clone())
}

/// The path below the service's address, with its query.
fn path_of(path: &str, query: &[String]) -> Result<String, Error> {
    if path.contains("://") || path.starts_with("//") {
        let message = format!(
            "{path:?} is no path: a key is only sent to its own service. Another is chosen with --api-url."
        );
        return Err(Error::usage(message));
    }
    if path.chars().any(|c| c.is_whitespace() || c == '#') {
        return Err(Error::usage(format!(
            "{path:?} is no path: parameters are given with --query."
        )));
    }
    let below = path.trim_start_matches('/');
    let first = below.split(['/', '?']).next().unwrap_or_default();
    let mut whole = match WHOLE.contains(&first) {
        true => format!("/{below}"),
        false => format!("{PREFIX}/{below}"),
    };
    let mut pairs = url::form_urlencoded::Serializer::new(String::new());
    for text in query {
        let pair = text.split_once('=');
        let (name, value) =
            pair.ok_or_else(|| Error::usage(format!("{text:?} is no parameter: use NAME=VALUE.")))?;
        pairs.append_pair(name, value);
    }
    let pairs = pairs.finish();
    if !pairs.is_empty() {
        whole.push(if whole.contains('?') { '&' } else { '?' });
        whole.push_str(&pairs);
    }
    Ok(whole)
}

fn read_header(text: &str) -> Result<(String, String), Error> {
    let pair = text.split_once(':');
    let (name, value) =
        pair.ok_or_else(|| Error::usage(format!("{text:?} is no header: use \"NAME: VALUE\".")))?;
    if name.trim().eq_ignore_ascii_case("authorization") {
        return Err(Error::usage(
            "The key is given with --api-key or PLAYOUT_API_KEY, not as a header.",
        ));
    }
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn read_body(data: &str, is_json: bool) -> Result<Vec<u8>, Error> {
    let bytes = match data.strip_prefix('@') {
        _ if data == "-" => {
            let mut bytes = Vec::new();
            let read = std::io::stdin().read_to_end(&mut bytes);
            read.map_err(|error| Error::file(Path::new("-"), &error))?;
            bytes
        }
        Some(file) => {
            let path = Path::new(file);
            std::fs::read(path).map_err(|error| Error::file(path, &error))?
        }
        None => data.as_bytes().to_vec(),
    };
    if is_json {
        serde_json::from_slice::<Value>(&bytes).map_err(|error| {
            Error::usage(format!(
                "The body is not JSON: {error}. Another form is named with --header \"Content-Type: …\"."
            ))
        })?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(path: &str, query: &[&str]) -> Result<String, String> {
        let query: Vec<String> = query.iter().map(|pair| (*pair).to_owned()).collect();
        path_of(path, &query).map_err(|error| error.message)
    }

    #[test]
    fn a_path_is_one_of_the_public_api_unless_it_begins_elsewhere() {
        assert_eq!(path("/posts", &[]).unwrap(), "/public/v1/posts");
        assert_eq!(
            path("posts?limit=1", &["q=a b"]).unwrap(),
            "/public/v1/posts?limit=1&q=a+b"
        );
        assert_eq!(path("/public/v1/usage", &[]).unwrap(), "/public/v1/usage");
        assert_eq!(path("/openapi.json", &[]).unwrap(), "/openapi.json");
        assert_eq!(
            path("/posts", &["state=DRAFT", "state=QUEUE"]).unwrap(),
            "/public/v1/posts?state=DRAFT&state=QUEUE"
        );
    }

    #[test]
    fn a_key_is_not_sent_to_another_address() {
        for elsewhere in [
            "https://elsewhere.example/posts",
            "//elsewhere.example",
            "/posts#x",
            "/a b",
        ] {
            path(elsewhere, &[]).unwrap_err();
        }
        path("/posts", &["state"]).unwrap_err();
        read_header("Authorization: Bearer other").unwrap_err();
    }
}
