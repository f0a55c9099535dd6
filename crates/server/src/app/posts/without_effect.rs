//! Warns of what a request has without effect: settings that a provider does not know, which are kept, and fields that are ignored.

use playout_domain::error::PathStep;
use playout_domain::limits::Warning;
use playout_domain::provider::Provider;
use playout_wire::posts::{Comment, CreatePost};
use playout_wire::read::field_called;
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
    let of_post = settings.keys().filter(unknown).take(MOST_NAMED).map(|key| {
        let (path, key) = (at(&["settings".into()], key), cut(key));
        let suggestion = nearest(&key, names);
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
        warning("unknown_setting", path, message, suggestion)
    });
    let of_comments = comments.enumerate().flat_map(|(index, settings)| {
        settings.keys().take(MOST_NAMED).map(move |key| {
            let (path, key) = (
                at(&["comments".into(), index.into(), "settings".into()], key),
                cut(key),
            );
            let message = format!("Comments have no settings; {key:?} is kept and has no effect.");
            warning("unknown_setting", path, message, None)
        })
    });
    of_post.chain(of_comments).collect()
}

/// A warning for each field of a new post, and of its comments in their order, that is ignored.
pub(super) fn ignored_fields(request: &CreatePost) -> Vec<Warning> {
    let mut warnings = ignored(Vec::new(), &request.ignored, CreatePost::FIELDS);
    if request.has_unused_time {
        let message =
            "`scheduledFor` is ignored with `mode` `now`; `mode` `schedule` publishes at that time.";
        warnings.push(warning(
            IGNORED,
            vec!["scheduledFor".into()],
            message.to_owned(),
            None,
        ));
    }
    warnings.extend(ignored_in_comments(&request.comments));
    warnings
}

/// The same for the comments of a post alone.
pub(super) fn ignored_in_comments(comments: &[Comment]) -> Vec<Warning> {
    let comments = comments.iter().enumerate();
    comments
        .flat_map(|(index, comment)| {
            let place = vec!["comments".into(), index.into()];
            ignored(place, &comment.ignored, Comment::FIELDS)
        })
        .collect()
}

/// A warning for each of `names`, the first [`MOST_NAMED`], which are fields of the object at `place` and none of `fields`. All fields are
/// listed once.
pub(super) fn ignored(
    place: Vec<PathStep>,
    names: &[String],
    fields: &'static [&'static str],
) -> Vec<Warning> {
    let mut are_listed = false;
    let mut warn = |name: &String| {
        let (path, name) = (at(&place, name), cut(name));
        let called = field_called(&name).filter(|field| fields.contains(field));
        let suggestion = called.or_else(|| nearest(&name, fields));
        let meant = match suggestion {
            Some(field) => format!(" Did you mean {field}?"),
            None if std::mem::replace(&mut are_listed, true) => String::new(),
            None => format!(" The fields are {}.", fields.join(", ")),
        };
        let message = format!("There is no field {name:?}; it is ignored.{meant}");
        warning(IGNORED, path, message, suggestion)
    };
    names.iter().take(MOST_NAMED).map(&mut warn).collect()
}

/// The place of a name in the object at `place`; that of the object where the name is long.
fn at(place: &[PathStep], name: &str) -> Vec<PathStep> {
    let name = (name.len() <= LONGEST_NAME).then(|| name.to_owned().into());
    place.iter().cloned().chain(name).collect()
}

/// The beginning of a long name.
fn cut(name: &str) -> String {
    match name.char_indices().find(|(start, _)| *start >= LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// How many names of an object without effect are warned of: with a hundred posts of twenty accounts each, the warnings are repeated for all.
const MOST_NAMED: usize = 10;

/// The most bytes of a name that is repeated in a warning.
const LONGEST_NAME: usize = 100;

/// The code of warnings about fields of a request.
const IGNORED: &str = "ignored_field";

fn warning(
    code: &'static str,
    path: Vec<PathStep>,
    message: String,
    suggestion: Option<&'static str>,
) -> Warning {
    Warning {
        path: Some(path),
        suggestion,
        ..Warning::new(code, message)
    }
}
