//! Warns of settings that a provider does not know: they are kept, and have no effect.

use playout_domain::error::PathStep;
use playout_domain::limits::Warning;
use playout_domain::provider::Provider;
use serde_json::{Map, Value};

/// From this likeness on a name is suggested, of 1 for the same.
const ALIKE: f64 = 0.6;

/// A shorter beginning of a name is no hint of it.
const SHORTEST_BEGINNING: usize = 4;

/// A warning for each key of a post's settings, and of its comments' in their order, that is no name of the provider's.
pub(super) fn unknown_settings<'a>(
    provider: &dyn Provider,
    settings: &Map<String, Value>,
    comments: impl Iterator<Item = &'a Map<String, Value>>,
) -> Vec<Warning> {
    let names = provider.setting_names();
    let unknown = |key: &&String| !names.contains(&key.as_str());
    let of_post = settings.keys().filter(unknown).map(|key| {
        let path = vec!["settings".into(), key.clone().into()];
        let suggestion = nearest(key, names);
        let message = match suggestion {
            Some(name) => format!(
                "{} has no setting {key:?}; it is kept and has no effect. Did you mean {name}?",
                provider.name()
            ),
            None => format!(
                "{} has no setting {key:?}; it is kept and has no effect.",
                provider.name()
            ),
        };
        warning(path, message, suggestion)
    });
    let of_comments = comments.enumerate().flat_map(|(index, settings)| {
        settings.keys().map(move |key| {
            let path = vec![
                "comments".into(),
                index.into(),
                "settings".into(),
                key.clone().into(),
            ];
            let message = format!("Comments have no settings; {key:?} is kept and has no effect.");
            warning(path, message, None)
        })
    });
    of_post.chain(of_comments).collect()
}

fn warning(path: Vec<PathStep>, message: String, suggestion: Option<&'static str>) -> Warning {
    Warning {
        path: Some(path),
        suggestion,
        ..Warning::new("unknown_setting", message)
    }
}

/// The name that is most like `key`, if one is like it: `privacyLevel` is `privacy_level`.
fn nearest(key: &str, names: &[&'static str]) -> Option<&'static str> {
    let key = folded(key);
    let alike = names.iter().map(|name| (likeness(&key, &folded(name)), *name));
    alike
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, name)| name)
}

/// How like two names are: 1 for the same. The beginning of a name is like it.
fn likeness(key: &str, name: &str) -> f64 {
    let alike = strsim::normalized_damerau_levenshtein(key, name);
    match key.len() >= SHORTEST_BEGINNING && name.starts_with(key) {
        true => alike.max(ALIKE),
        false => alike,
    }
}

/// Without what differs between ways of writing names of several words.
fn folded(name: &str) -> String {
    name.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .take(64)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_suggested_for_another_spelling_or_a_slip_and_for_nothing_else() {
        let names = &["privacy_level", "allow_comment", "allow_duet", "is_aigc", "title"];
        for (key, name) in [
            ("privacyLevel", Some("privacy_level")),
            ("PRIVACY-LEVEL", Some("privacy_level")),
            ("privacy_lvel", Some("privacy_level")),
            ("privacy", Some("privacy_level")),
            ("isAigc", Some("is_aigc")),
            ("allowComments", Some("allow_comment")),
            ("titel", Some("title")),
            ("location", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(key, names), name, "{key:?}");
        }
    }
}
