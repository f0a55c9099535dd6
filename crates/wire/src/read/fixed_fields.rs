//! Fields of a resource in the body of a `PATCH` that the operation does not change (`docs/contract.md#fixed-fields`).

use playout_domain::error::{Issue, IssueCode};
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::Value;

/// A request that changes some of a resource's fields.
pub trait Patch {
    /// The fields that it reads.
    const FIELDS: &'static [&'static str];

    /// A clause that follows the name of another field of the resource: which operation changes it, if any.
    fn changed_by(field: &str) -> &'static str;
}

/// Whether a body has fields that the request does not read.
pub fn has_other_fields<P: Patch>(body: &Value) -> bool {
    body.as_object()
        .is_some_and(|map| map.keys().any(|name| !P::FIELDS.contains(&name.as_str())))
}

/// The fields of `shown`, a resource as it is, to which a body gives another value, but which the request does not change. What the
/// resource does not have is ignored.
pub fn fixed_fields<P: Patch>(body: &Value, shown: &impl Serialize) -> Vec<Issue> {
    let (Some(body), Ok(Value::Object(shown))) = (body.as_object(), serde_json::to_value(shown)) else {
        return Vec::new();
    };
    let others = body
        .iter()
        .filter(|(name, _)| !P::FIELDS.contains(&name.as_str()));
    let fixed = others.filter(|(name, value)| shown.get(*name).is_some_and(|now| !is_same(now, value)));
    let issue = |(name, _): (&String, &Value)| {
        Issue::at(
            [name.clone().into()],
            IssueCode::Conflict.with(P::changed_by(name)),
        )
    };
    fixed.map(issue).collect()
}

/// Whether two values are equal, or are the same point in time.
fn is_same(one: &Value, other: &Value) -> bool {
    let time = |value: &Value| value.as_str().and_then(|text| Time::parse(text).ok());
    one == other || time(one).is_some_and(|one| time(other) == Some(one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    struct Rename;

    impl Patch for Rename {
        const FIELDS: &'static [&'static str] = &["name"];

        fn changed_by(_: &str) -> &'static str {
            "is set by the service"
        }
    }

    #[test]
    fn another_value_of_a_field_that_the_resource_has_is_a_problem_and_nothing_else_is() {
        let shown = json!({ "id": 1, "name": "a", "at": "2026-11-20T12:00:00.000Z", "of": null });
        let paths = |body: Value| -> Vec<Value> {
            let issues = fixed_fields::<Rename>(&body, &shown);
            issues.into_iter().map(|issue| json!(issue.path)).collect()
        };
        assert_eq!(
            paths(json!({ "name": "b", "colour": "red" })),
            Vec::<Value>::new()
        );
        let same = json!({ "name": "b", "id": 1, "at": "2026-11-20T13:00:00+01:00", "of": null });
        assert_eq!(paths(same), Vec::<Value>::new());
        let other = json!({ "of": 3, "name": "b", "at": "2026-11-20T12:00:01Z", "id": 2 });
        assert_eq!(paths(other), [json!(["of"]), json!(["at"]), json!(["id"])]);
        assert!(has_other_fields::<Rename>(&json!({ "name": "b", "id": 1 })));
        assert!(!has_other_fields::<Rename>(&json!({ "name": "b" })));
    }
}
