//! Warns of settings that a provider does not know: they are kept, and have no effect.

use playout_domain::error::PathStep;
use playout_domain::limits::Warning;
use playout_domain::provider::Provider;
use serde_json::{Map, Value};

use crate::likeness::nearest;

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
