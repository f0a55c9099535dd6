//! Path and query parameters: validated like bodies, all problems at once.

use std::collections::HashMap;
use std::str::FromStr;

use axum::extract::{FromRequestParts, Path, RawPathParams};
use axum::http::request::Parts;
use axum::response::Response;
use playout_domain::error::{Issue, IssueCode, Refusal, Violation};
use playout_domain::time::Time;
use playout_wire::page::{Cursor, MAX_LIMIT};
use playout_wire::read::parse_uuid;
use serde::de::DeserializeOwned;

use super::error::{ApiError, not_found};

/// The `{id}` of a path.
pub struct Id<T>(pub T);

impl<S: Send + Sync, T: FromStr> FromRequestParts<S> for Id<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let params = RawPathParams::from_request_parts(parts, state).await.ok();
        let id = params.and_then(|params| {
            params
                .iter()
                .find_map(|(name, value)| parse_uuid(value).filter(|_| name == "id"))
        });
        Ok(Self(id.ok_or_else(|| Refusal::invalid(vec![no_uuid()]))?))
    }
}

/// The problem of an `{id}` that is not a UUID.
pub fn no_uuid() -> Issue {
    Issue::field("id", Violation::no_uuid())
}

/// An `{id}` and a body together: the problems of both at once.
pub fn both<I: Copy, B>(id: Result<Id<I>, ApiError>, body: Result<B, Vec<Issue>>) -> Result<(I, B), Refusal> {
    both_or_issues(&id, body).map_err(Refusal::invalid)
}

/// [`both`], for requests that are read more than once.
pub fn both_or_issues<I: Copy, B>(
    id: &Result<Id<I>, ApiError>,
    body: Result<B, Vec<Issue>>,
) -> Result<(I, B), Vec<Issue>> {
    match (id, body) {
        (Ok(Id(id)), Ok(body)) => Ok((*id, body)),
        (id, body) => {
            let of_id = id.as_ref().err().map(|_| no_uuid()).into_iter();
            Err(of_id.chain(body.err().unwrap_or_default()).collect())
        }
    }
}

/// The names in a path that identifies something by name rather than by ID. Bytes that are not text are 404, and so is a U+0000,
/// which no database stores.
pub struct Names<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Names<T> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(names)) if !parts.uri.path().contains("%00") => Ok(Self(names)),
            _ => Err(not_found()),
        }
    }
}

/// The longest text to search for, in characters: the cost of a search grows with it.
const MOST_SEARCHED: usize = 200;

/// The query of a request, read parameter by parameter; problems are collected.
pub struct Query {
    values: HashMap<String, Vec<String>>,
    issues: Vec<Issue>,
}

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let mut values: HashMap<String, Vec<String>> = HashMap::new();
        for (name, value) in url::form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()) {
            values
                .entry(name.into_owned())
                .or_default()
                .push(value.into_owned());
        }
        Ok(Self {
            values,
            issues: Vec::new(),
        })
    }
}

/// What may be given once is there more often.
pub(super) fn given_once() -> Violation {
    IssueCode::Duplicate.with("must be given once")
}

impl Query {
    /// Records a problem with a parameter; only the first of each is returned.
    pub fn problem(&mut self, name: &'static str, violation: Violation) {
        let issue = Issue::field(name, violation);
        if self.issues.iter().all(|known| known.path != issue.path) {
            self.issues.push(issue);
        }
    }

    /// The value of a parameter; a repeated parameter is a problem.
    pub fn text(&mut self, name: &'static str) -> Option<String> {
        let values = self.values.get(name)?;
        let first = values.first().cloned();
        if values.len() > 1 {
            self.problem(name, given_once());
        }
        first
    }

    /// All values of a repeatable parameter.
    pub fn texts(&self, name: &str) -> Vec<String> {
        self.values.get(name).cloned().unwrap_or_default()
    }

    /// A text to search for.
    pub fn search(&mut self, name: &'static str) -> Option<String> {
        let text = self.text(name).filter(|text| !text.is_empty())?;
        if text.contains('\0') {
            self.problem(
                name,
                IssueCode::Format.with("must not contain the character U+0000"),
            );
        }
        if text.chars().count() > MOST_SEARCHED {
            self.problem(
                name,
                IssueCode::TooLong.with(format!("must have at most {MOST_SEARCHED} characters")),
            );
        }
        Some(text)
    }

    /// A point in time.
    pub fn time(&mut self, name: &'static str) -> Option<Time> {
        let text = self.text(name)?;
        match Time::parse(&text) {
            Ok(time) => Some(time),
            Err(problem) => {
                self.problem(name, IssueCode::Format.with(problem.to_string()));
                None
            }
        }
    }

    /// A UUID.
    pub fn id<T: FromStr>(&mut self, name: &'static str) -> Option<T> {
        let text = self.text(name)?;
        let id = parse_uuid(&text);
        if id.is_none() {
            self.problem(name, Violation::no_uuid());
        }
        id
    }

    /// `true` or `false`; `false` where it is absent.
    pub fn flag(&mut self, name: &'static str) -> bool {
        let text = self.text(name);
        if !matches!(text.as_deref(), None | Some("true" | "false")) {
            self.problem(name, Violation::one_of(&["true", "false"]));
        }
        text.as_deref() == Some("true")
    }

    /// One of a few words; the first if the parameter is absent.
    pub fn word<T: Copy>(&mut self, name: &'static str, words: &[(&str, T)]) -> T {
        let text = self.text(name);
        let wanted = text.as_deref().unwrap_or(words[0].0);
        match words.iter().find(|(word, _)| *word == wanted) {
            Some((_, meaning)) => *meaning,
            None => {
                let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                self.problem(name, Violation::one_of(&known));
                words[0].1
            }
        }
    }

    /// The limit and the cursor of a page.
    pub fn page(&mut self) -> (u32, Option<Cursor>) {
        let limit = match self.text("limit").map(|text| text.parse::<u32>()) {
            None => MAX_LIMIT,
            Some(Ok(limit)) if (1..=MAX_LIMIT).contains(&limit) => limit,
            Some(_) => {
                let message = format!("must be a whole number from 1 to {MAX_LIMIT}");
                self.problem("limit", IssueCode::Range.with(message));
                MAX_LIMIT
            }
        };
        let cursor = self.text("cursor").map(|text| Cursor::decode(&text));
        if cursor == Some(None) {
            self.problem(
                "cursor",
                IssueCode::Format.with("must be a nextCursor that this endpoint answered"),
            );
        }
        (limit, cursor.flatten())
    }

    /// `Ok` if there were no problems.
    pub fn done(self) -> Result<(), Refusal> {
        if self.issues.is_empty() {
            Ok(())
        } else {
            Err(Refusal::invalid(self.issues))
        }
    }
}
