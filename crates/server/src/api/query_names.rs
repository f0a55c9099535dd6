//! Query parameters that an operation of `/public/v1` or `/app/v1` does not have are refused (`docs/contract.md#unknown-fields`): a filter that is
//! misspelled would select everything.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use playout_domain::error::{Issue, IssueCode, PathStep, Refusal};
use serde_json::Value;

use crate::likeness::nearest;

/// The parameters of each operation, by method and path.
type Names = HashMap<(Method, String), Vec<String>>;

static NAMES: OnceLock<Names> = OnceLock::new();

/// Learns the operations of the references, which import this module's users; the first call counts.
pub(super) fn learn(documents: &[&Value]) {
    NAMES.get_or_init(|| documents.iter().copied().flat_map(names_of).collect());
}

/// Refuses a request with parameters that its operation does not have.
pub(super) fn check(request: &Request) -> Result<(), Refusal> {
    let Some(query) = request.uri().query().filter(|query| !query.is_empty()) else {
        return Ok(());
    };
    let path = request.extensions().get::<MatchedPath>();
    let known = NAMES.get().zip(path).and_then(|(names, path)| {
        let method = match *request.method() {
            Method::HEAD if !names.contains_key(&(Method::HEAD, path.as_str().to_owned())) => Method::GET,
            ref method => method.clone(),
        };
        names.get(&(method, path.as_str().to_owned()))
    });
    match known {
        Some(known) => check_query(query, known),
        None => Ok(()),
    }
}

fn check_query(query: &str, known: &[String]) -> Result<(), Refusal> {
    let given = url::form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name.into_owned());
    let unknown: BTreeSet<String> = given.filter(|name| !known.contains(name)).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    let issue = |name: String| {
        let message = match nearest(&name, &names) {
            Some(meant) => format!("is no parameter of this operation; did you mean {meant}?"),
            None if names.is_empty() => "is no parameter of this operation, which has none".to_owned(),
            None => format!(
                "is no parameter of this operation, which has {}",
                names.join(", ")
            ),
        };
        Issue::at([PathStep::from(name)], IssueCode::NotSupported.with(message))
    };
    Err(Refusal::invalid(unknown.into_iter().map(issue).collect()))
}

fn names_of(document: &Value) -> Names {
    let paths = document["paths"].as_object().into_iter().flatten();
    let operations = paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (path, method, operation))
    });
    let read = |(path, method, operation): (&String, &String, &Value)| {
        let method = Method::from_bytes(method.to_uppercase().as_bytes()).ok()?;
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let in_query = parameters.filter(|parameter| parameter["in"] == "query");
        let names = in_query.filter_map(|parameter| parameter["name"].as_str().map(str::to_owned));
        Some(((method, path.clone()), names.collect()))
    };
    operations.filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_parameter_is_called_is_refused_with_what_was_probably_meant() {
        let known = ["state", "platformId", "limit"].map(str::to_owned);
        assert!(check_query("state=DRAFT&state=QUEUE&limit=5", &known).is_ok());
        assert!(check_query("&&", &known).is_ok());
        for (query, part) in [
            ("state[]=DRAFT", "did you mean state?"),
            ("platform_id=1", "did you mean platformId?"),
            ("Limit=0", "did you mean limit?"),
            ("_=1", "which has state, platformId, limit"),
            ("%FF=1", "which has"),
        ] {
            let refusal = check_query(query, &known).unwrap_err();
            assert!(refusal.message.contains(part), "{query}: {}", refusal.message);
        }
        let refusal = check_query("x=1", &[]).unwrap_err();
        assert!(refusal.message.contains("which has none"), "{}", refusal.message);
    }
}
