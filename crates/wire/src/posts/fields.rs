//! The fields of a post that an edit does not change, and what changes them.

use playout_domain::post::{Group, Post, PostState};
use serde_json::{Value, json};

use super::{GroupBody, UpdatePost};
use crate::read::Patch;

impl Patch for UpdatePost {
    const FIELDS: &'static [&'static str] = &["content", "mediaIds", "settings", "comments", "scheduledFor"];

    fn changed_by(field: &str) -> &'static str {
        match field {
            "mode" | "state" => {
                "cannot be changed here; POST /posts/{id}/publish publishes now, PATCH /posts/{id}/schedule at a time, \
                 POST /posts/{id}/unschedule makes a queued post a draft"
            }
            "releaseId" | "releaseUrl" => "is set by POST /posts/{id}/mark-published",
            "platformIds" | "integrationId" => {
                "cannot be changed; create the post on the other platform, and delete this one"
            }
            "root" => "cannot be changed as a whole; the fields of the post stand in the body itself",
            "children" => "cannot be changed here; `comments` replaces the comments",
            "delayInMinutes" => "belongs to a comment; `comments` replaces the comments",
            _ => "is set by the service",
        }
    }
}

/// The fields of a post as a body may name them: those of its root, those of the response, and those with which it was created.
pub fn fields_of(group: Group) -> Value {
    let root = &group.root;
    let (mode, platforms) = (mode_of(root), json!([root.platform_id]));
    let shown = GroupBody::from(group);
    let mut fields = json!(shown.root);
    fields["mode"] = mode.into();
    fields["platformIds"] = platforms;
    fields["root"] = json!(shown.root);
    fields["children"] = json!(shown.children);
    fields
}

/// The `mode` with which a post like this is created.
fn mode_of(root: &Post) -> &'static str {
    match (root.state, root.scheduled_for) {
        (PostState::Draft, _) => "draft",
        (_, Some(_)) => "schedule",
        (_, None) => "now",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::posts::request_schemas;

    #[test]
    fn an_edit_reads_the_fields_that_are_described() {
        let schemas = request_schemas();
        let (_, schema) = schemas.iter().find(|(name, _)| *name == "UpdatePost").unwrap();
        let described: Vec<&str> = schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(described, UpdatePost::FIELDS);
    }
}
