//! `ETag`, `If-Match` and `If-None-Match`: what was read is changed, or nothing (`docs/contract.md#versions`).

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Db, TestApp, on_both, post_body};

on_both!(
    a_resource_is_sent_again_only_if_it_changed,
    what_was_changed_meanwhile_is_neither_changed_nor_deleted,
    of_many_changes_of_one_version_one_is_made,
    every_way_out_of_a_version_of_a_post_is_refused_for_another,
);

const POSTS: &str = "/public/v1/posts";
const MEDIA: &str = "/public/v1/media";
const FOLDERS: &str = "/public/v1/media/folders";
const HOOKS: &str = "/public/v1/webhooks";
const TOMORROW: &str = "2026-11-21T12:00:00.000Z";

/// A resource, and how it is changed: `{}` becomes a number.
struct Resource {
    path: String,
    field: &'static str,
    values: &'static str,
    is_read: bool,
}

async fn resources(t: &TestApp) -> Vec<Resource> {
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let mut draft = post_body(&platform, &[photo]);
    draft["mode"] = json!("draft");
    let post = t.api.create_post(&draft).await;
    let media = t.api.upload_photo(90, 160).await;
    let folder = t.api.post(FOLDERS, &json!({ "name": "Kites" })).await.ok();
    let hook = json!({ "url": "https://example.org/0", "events": ["post.published"] });
    let hook = t.api.post(HOOKS, &hook).await.ok();
    let resource = |path: String, field, values, is_read| Resource {
        path,
        field,
        values,
        is_read,
    };
    let id = |value: &Value| value["id"].as_str().unwrap().to_owned();
    vec![
        resource(format!("{POSTS}/{post}"), "content", "Version {}", true),
        resource(format!("{MEDIA}/{media}"), "fileName", "version-{}.jpg", true),
        resource(format!("{FOLDERS}/{}", id(&folder)), "name", "Version {}", false),
        resource(
            format!("{HOOKS}/{}", id(&hook)),
            "url",
            "https://example.org/{}",
            true,
        ),
    ]
}

impl Resource {
    fn change(&self, version: usize) -> Value {
        json!({ self.field: self.values.replace("{}", &version.to_string()) })
    }

    /// Changes it under a condition.
    async fn changed(&self, t: &TestApp, tag: &str, version: usize) -> Answer {
        let request = t.api.request(Method::PATCH, &self.path).header("if-match", tag);
        t.api.send(request.json(&self.change(version))).await
    }
}

fn tag(answer: &Answer) -> String {
    let tag = answer.header("etag");
    assert!(
        tag.len() > 2 && tag.starts_with('"') && tag.ends_with('"'),
        "{tag:?}: {}",
        answer.status
    );
    tag.to_owned()
}

async fn a_resource_is_sent_again_only_if_it_changed(db: Db) {
    let t = TestApp::start(db).await;
    for resource in resources(&t).await {
        let path = &resource.path;
        let first = tag(&t.api.patch(path, &resource.change(1)).await);
        if !resource.is_read {
            continue;
        }
        let read = async |known: &str| {
            let request = t.api.request(Method::GET, path).header("if-none-match", known);
            t.api.send(request).await
        };
        let whole = t.api.get(path).await;
        assert_eq!(
            tag(&whole),
            first,
            "{path}: a change answers the tag of what is read"
        );
        for known in [
            first.clone(),
            format!("W/{first}"),
            format!("\"other\", {first}"),
            "*".to_owned(),
        ] {
            let same = read(&known).await;
            assert_eq!((same.status, same.body.len()), (304, 0), "{path} {known}");
            assert_eq!(tag(&same), first);
        }
        let packed = t.api.request(Method::GET, path).header("accept-encoding", "gzip");
        assert_eq!(
            tag(&t.api.send(packed).await),
            first,
            "{path}: under every encoding"
        );
        let second = tag(&t.api.patch(path, &resource.change(2)).await);
        assert_ne!(second, first, "{path}");
        let changed = read(&first).await;
        assert_eq!((changed.status, tag(&changed)), (200, second));
    }
}

async fn what_was_changed_meanwhile_is_neither_changed_nor_deleted(db: Db) {
    let t = TestApp::start(db).await;
    for resource in resources(&t).await {
        let path = &resource.path;
        let seen = tag(&t.api.patch(path, &resource.change(1)).await);
        let by_another = tag(&t.api.patch(path, &resource.change(2)).await);
        resource
            .changed(&t, &seen, 3)
            .await
            .refused(412, "precondition_failed");
        let delete = |tag: &str| {
            let request = t.api.request(Method::DELETE, path).header("if-match", tag);
            t.api.send(request)
        };
        delete(&seen).await.refused(412, "precondition_failed");
        let weak = resource.changed(&t, &format!("W/{by_another}"), 4).await;
        let now = tag(&weak);
        assert_eq!(weak.status, 200, "{path}: proxies weaken tags");
        let either = format!("{seen}, {now}");
        let any = resource.changed(&t, &either, 5).await;
        assert_eq!(any.status, 200, "{path}: one of a list");
        assert_eq!(resource.changed(&t, "*", 6).await.status, 200);
        let last = tag(&t.api.patch(path, &resource.change(7)).await);
        assert_eq!(delete(&last).await.status, 204, "{path}");
        let gone = resource.changed(&t, &last, 8).await;
        assert_eq!(gone.status, 404, "{path}: what is gone has no version");
    }
}

async fn of_many_changes_of_one_version_one_is_made(db: Db) {
    let t = TestApp::start(db).await;
    for resource in resources(&t).await {
        let seen = tag(&t.api.patch(&resource.path, &resource.change(0)).await);
        let changes = (1..=8).map(|version| resource.changed(&t, &seen, version));
        let statuses: Vec<u16> = join_all(changes)
            .await
            .iter()
            .map(|answer| answer.status)
            .collect();
        let made = statuses.iter().filter(|status| **status == 200).count();
        let refused = statuses.iter().filter(|status| **status == 412).count();
        assert_eq!((made, refused), (1, 7), "{}: {statuses:?}", resource.path);
    }
}

async fn every_way_out_of_a_version_of_a_post_is_refused_for_another(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let mut body = post_body(&platform, &[t.api.upload_photo(300, 400).await]);
    body["mode"] = json!("schedule");
    body["scheduledFor"] = json!(TOMORROW);
    let post = t.api.create_post(&body).await;
    let at = format!("{POSTS}/{post}");
    let old = tag(&t.api.get(&at).await);
    t.api.patch(&at, &json!({ "content": "Changed" })).await.ok();
    let before = t.group(&post).await;
    let under = |method, path: String, tag: &str, body: Value| {
        let request = t.api.request(method, &path).header("if-match", tag);
        t.api.send(request.json(&body))
    };
    let later = json!({ "scheduledFor": "2026-11-22T12:00:00Z" });
    for (method, path, body) in [
        (Method::PATCH, format!("{at}/schedule"), later),
        (Method::POST, format!("{at}/publish"), json!({})),
        (Method::POST, format!("{at}/unschedule"), json!({})),
        (Method::POST, format!("{at}/mark-published"), json!({})),
    ] {
        let refused = under(method, path.clone(), &old, body).await;
        refused.refused(412, "precondition_failed");
        assert_eq!(t.group(&post).await, before, "{path}");
    }
    let now = tag(&t.api.get(&at).await);
    let draft = under(Method::POST, format!("{at}/unschedule"), &now, json!({})).await;
    assert_eq!(draft.ok()["root"]["state"], "DRAFT");
    assert_eq!(tag(&draft), tag(&t.api.get(&at).await));
    let key = "once";
    let publish = |tag: String| {
        let request = t.api.request(Method::POST, &format!("{at}/publish"));
        let request = request.header("if-match", tag).header("idempotency-key", key);
        t.api.send(request)
    };
    let first = publish(tag(&draft)).await;
    let again = publish(tag(&draft)).await;
    assert_eq!(
        (first.status, again.status),
        (200, 200),
        "a repeated request is answered as before"
    );
    assert_eq!(tag(&first), tag(&again));
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}
