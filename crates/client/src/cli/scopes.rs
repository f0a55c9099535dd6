//! What a key may do (`docs/contract.md#scopes`): the values of `--scope`, how scopes are shown, and what to do where one is missing.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use playout_client::Error;
use playout_domain::access::{Scope, Scopes};
use serde_json::Value;

use super::screen::clean;

/// The code of a request that the key's scopes do not allow.
pub(super) const INSUFFICIENT_SCOPE: &str = "insufficient_scope";

/// A value of `--scope`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScopeName(Scope);

impl ValueEnum for ScopeName {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [ScopeName; Scope::ALL.len()] = scope_names();
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.as_str()).help(self.0.meaning()))
    }
}

const fn scope_names() -> [ScopeName; Scope::ALL.len()] {
    let mut names = [ScopeName(Scope::Read); Scope::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = ScopeName(Scope::ALL[index]);
        index += 1;
    }
    names
}

/// The scopes of `--scope`, each once.
pub(super) fn asked(names: &[ScopeName]) -> Vec<Scope> {
    let mut asked = Vec::new();
    for ScopeName(scope) in names {
        if !asked.contains(scope) {
            asked.push(*scope);
        }
    }
    asked
}

/// The scopes of a key, without those that another one includes. `None` is everything: the key is one of a service without scopes.
pub(super) fn summary(scopes: Option<&[String]>) -> String {
    let everything = || "everything".to_owned();
    let Some(scopes) = scopes else {
        return everything();
    };
    let known: Vec<Scope> = scopes.iter().filter_map(|scope| Scope::parse(scope)).collect();
    if known.iter().copied().collect::<Scopes>() == Scopes::ALL {
        return everything();
    }
    let is_included = |scope: Scope| {
        let mut others = known.iter().filter(|other| **other != scope);
        others.any(|other| Scopes::from_iter([*other]).allow(scope))
    };
    let shown = scopes
        .iter()
        .filter(|scope| !Scope::parse(scope).is_some_and(is_included));
    let shown: Vec<String> = shown.map(|scope| clean(scope)).collect();
    match shown.is_empty() {
        true => "nothing".to_owned(),
        false => shown.join(", "),
    }
}

/// An error; where the key lacks a scope, with how to get one that has it.
pub(super) fn explained(error: Error) -> Error {
    if error.code != INSUFFICIENT_SCOPE {
        return error;
    }
    let scopes = required(error.details.as_deref());
    let message = format!(
        "{} A person gives you one: `playout keys create NAME --scope {scopes}`, or `playout auth login --scope {scopes}`, with the other scopes \
         and the accounts that this key has.",
        error.message
    );
    Error { message, ..error }
}

/// The scopes in the details of an error, as `--scope` takes them.
fn required(details: Option<&Value>) -> String {
    let listed = details.and_then(|details| details["required"].as_array());
    let words = listed.into_iter().flatten().filter_map(Value::as_str);
    let known: Vec<&str> = words.filter_map(Scope::parse).map(Scope::as_str).collect();
    match known.is_empty() {
        true => "SCOPE".to_owned(),
        false => known.join(","),
    }
}

#[cfg(test)]
mod tests {
    use playout_client::Kind;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_scope_that_another_includes_is_not_shown() {
        let shown = |scopes: &str| {
            let scopes: Vec<String> = scopes.split_whitespace().map(str::to_owned).collect();
            summary(Some(&scopes))
        };
        assert_eq!(shown("read"), "read");
        assert_eq!(shown("read media drafts"), "media, drafts");
        assert_eq!(
            shown("read media drafts publish platforms"),
            "media, publish, platforms"
        );
        assert_eq!(
            shown("read media drafts publish platforms webhooks"),
            "everything"
        );
        assert_eq!(shown("read drafts tele\u{1b}port"), "drafts, tele\u{fffd}port");
        assert_eq!(shown(""), "nothing");
        assert_eq!(summary(None), "everything");
    }

    #[test]
    fn a_missing_scope_comes_with_the_commands_that_get_it() {
        let missing = |details: Value| {
            let error = Error::new(Kind::Refused, INSUFFICIENT_SCOPE, "No.").with_details(details);
            explained(error).message
        };
        let message = missing(json!({ "required": ["publish", "media"] }));
        assert!(
            message
                .starts_with("No. A person gives you one: `playout keys create NAME --scope publish,media`")
        );
        assert!(
            message.contains("`playout auth login --scope publish,media`"),
            "{message}"
        );
        assert!(missing(json!([])).contains("--scope SCOPE`"));
        let other = Error::new(Kind::Refused, "forbidden", "No.");
        assert_eq!(explained(other.clone()), other);
    }
}
