//! New contents for a post that is not out yet (`docs/contract.md#changing-posts`).

use std::time::Duration;

use futures_util::future::join_all;
use playout_store::PlatformChanges;
use playout_tiktok::sim::{Endpoint, FailRule, HoldPoint};
use serde_json::{Value, json};

use crate::harness::{Answer, Db, TestApp, on_both, post_body};

on_both!(
    each_part_changes_by_itself_and_the_rest_stays,
    what_is_absent_null_or_unknown_changes_nothing,
    comments_are_replaced_as_a_whole_by_the_id_of_any_post,
    a_queued_post_must_stay_publishable,
    a_draft_is_judged_by_its_types_alone,
    all_problems_of_the_request_come_at_once_in_document_order,
    only_drafts_and_queued_posts_can_be_changed,
    a_post_whose_account_is_gone_can_be_changed_while_it_is_a_draft,
    an_edit_just_before_the_handover_goes_out_and_the_old_contents_never_do,
    a_post_that_is_being_handed_over_is_left_alone,
    whatever_an_edit_was_answered_is_what_goes_out,
    media_deleted_at_the_same_instant_are_either_in_use_or_missing,
);

const POSTS: &str = "/public/v1/posts";
const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";
const TOMORROW: &str = "2026-11-21T12:00:00.000Z";

async fn edit(t: &TestApp, id: &str, changes: &Value) -> Answer {
    t.api.patch(&format!("{POSTS}/{id}"), changes).await
}

/// The group that an edit was answered, without its warnings.
fn group_of(answer: &Answer) -> Value {
    let mut group = answer.ok();
    group.as_object_mut().unwrap().remove("warnings").unwrap();
    group
}

/// Creates a post with these fields over an ordinary one for tomorrow; returns its root's ID.
async fn create(t: &TestApp, platform: &str, over: Value) -> String {
    let mut body = post_body(platform, &[t.api.upload_photo(300, 400).await]);
    let usual =
        json!({ "mode": "schedule", "scheduledFor": TOMORROW, "settings": { "privacy_level": "SELF_ONLY" } });
    for fields in [usual, over] {
        body.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
    }
    t.api.create_post(&body).await
}

/// The group with these fields of the root as they are now expected.
fn with(mut group: Value, over: Value) -> Value {
    group["root"]
        .as_object_mut()
        .unwrap()
        .extend(over.as_object().unwrap().clone());
    group
}

fn texts(group: &Value) -> Vec<&str> {
    let children = group["children"].as_array().unwrap();
    children
        .iter()
        .map(|child| child["content"].as_str().unwrap())
        .collect()
}

async fn each_part_changes_by_itself_and_the_rest_stays(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    for mode in ["draft", "schedule"] {
        let id = create(&t, &platform, json!({ "mode": mode })).await;
        let mut group = t.group(&id).await;
        let photos = [
            t.api.upload_photo(90, 160).await,
            t.api.upload_photo(100, 160).await,
        ];
        let private = json!({ "privacy_level": "SELF_ONLY", "title": "Kites", "later": [1, null] });
        for changes in [
            json!({ "content": "Second flight" }),
            json!({ "mediaIds": photos }),
            json!({ "settings": private }),
            json!({ "content": "Third flight", "mediaIds": [photos[1]], "settings": { "privacy_level": "SELF_ONLY" } }),
        ] {
            t.clock.advance(Duration::from_secs(1));
            let answer = edit(&t, &id, &changes).await;
            assert_eq!(answer.status, 200);
            group = with(group, changes.clone());
            let author = group["root"]["createdBy"].clone();
            group = with(
                group,
                json!({ "updatedAt": t.now().to_string(), "updatedBy": author }),
            );
            assert_eq!(group_of(&answer), group, "{changes}");
            assert_eq!(t.group(&id).await, group);
        }
    }
}

async fn what_is_absent_null_or_unknown_changes_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(
        &t,
        &platform,
        json!({ "mode": "draft", "comments": [{ "content": "one" }] }),
    )
    .await;
    let before = t.group(&id).await;
    let nothing = json!({ "content": null, "mediaIds": null, "settings": null, "comments": null });
    for changes in [
        json!({}),
        nothing,
        json!({ "name": "now", "url": "nonsense", "x": 5 }),
    ] {
        let answer = edit(&t, &id, &changes).await;
        assert_eq!(group_of(&answer), before, "{changes}");
    }
    let emptied = edit(
        &t,
        &id,
        &json!({ "mediaIds": [], "settings": {}, "comments": [] }),
    )
    .await
    .ok();
    assert_eq!(emptied["children"], json!([]));
    assert_eq!(
        (&emptied["root"]["mediaIds"], &emptied["root"]["settings"]),
        (&json!([]), &json!({}))
    );
}

async fn comments_are_replaced_as_a_whole_by_the_id_of_any_post(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    for mode in ["draft", "schedule"] {
        let comments = json!([{ "content": "one" }, { "content": "two", "delayInMinutes": 3 }]);
        let settings = json!({ "privacy_level": "PUBLIC_TO_EVERYONE", "allow_comment": true });
        let id = create(
            &t,
            &platform,
            json!({ "mode": mode, "comments": comments, "settings": settings }),
        )
        .await;
        let child = t.group(&id).await["children"][1]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        let group = edit(&t, &child, &json!({ "content": "New" })).await.ok();
        assert_eq!(
            (&group["root"]["content"], texts(&group)),
            (&json!("New"), vec!["one", "two"])
        );
        let new = json!([{ "content": "a" }, { "content": "b", "delayInMinutes": 0 }, { "content": "c", "settings": { "x": 1 } }]);
        let group = group_of(&edit(&t, &child, &json!({ "comments": new })).await);
        assert_eq!(
            (texts(&group), t.group(&id).await),
            (vec!["a", "b", "c"], group.clone())
        );
        for child in group["children"].as_array().unwrap() {
            assert_eq!(
                (&child["parentPostId"], &child["groupId"]),
                (&json!(id), &group["root"]["groupId"])
            );
            assert_eq!(child["state"], group["root"]["state"]);
        }
        t.api
            .get(&format!("{POSTS}/{child}"))
            .await
            .refused(404, "post_not_found");
    }
}

async fn a_queued_post_must_stay_publishable(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(&t, &platform, json!({})).await;
    let before = t.group(&id).await;
    let wrong = json!({ "comments": [{ "content": "x" }], "settings": { "privacy_level": "FRIENDS" }, "mediaIds": [],
        "content": "a".repeat(2201) });
    let mut paths = edit(&t, &id, &wrong).await.refused(400, "invalid_request")["details"]
        .as_array()
        .unwrap()
        .clone();
    paths.iter_mut().for_each(|issue| *issue = issue["path"].take());
    let expected = [
        json!(["content"]),
        json!(["mediaIds"]),
        json!(["settings", "privacy_level"]),
        json!(["comments"]),
    ];
    assert_eq!(paths, expected);
    assert_eq!(t.group(&id).await, before, "all or nothing");
}

async fn a_draft_is_judged_by_its_types_alone(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(&t, &platform, json!({ "mode": "draft" })).await;
    let lenient = json!({ "content": "a".repeat(2201), "mediaIds": [], "settings": { "privacy_level": "FRIENDS" },
        "comments": [{ "content": "x" }] });
    edit(&t, &id, &lenient).await.ok();
    edit(&t, &id, &json!({ "settings": { "allow_duet": "yes" } }))
        .await
        .invalid_at(&[json!(["settings", "allow_duet"])]);
    assert_eq!(
        t.root(&id).await["settings"],
        json!({ "privacy_level": "FRIENDS" })
    );
}

async fn all_problems_of_the_request_come_at_once_in_document_order(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = create(&t, &platform, json!({ "mode": "draft" })).await;
    let wrong =
        json!({ "comments": [{ "content": "" }, 5], "settings": [], "mediaIds": ["x"], "content": "" });
    let paths = [
        json!(["comments", 0, "content"]),
        json!(["comments", 1]),
        json!(["settings"]),
        json!(["mediaIds", 0]),
        json!(["content"]),
    ];
    edit(&t, &id, &wrong).await.invalid_at(&paths);
    edit(&t, "no-uuid", &wrong).await.refused(400, "invalid_request");
    let missing = json!({ "mediaIds": [NOWHERE], "comments": [{ "content": "x", "mediaIds": [NOWHERE] }] });
    edit(&t, &id, &missing)
        .await
        .invalid_at(&[json!(["mediaIds", 0]), json!(["comments", 0, "mediaIds", 0])]);
    edit(&t, NOWHERE, &json!({ "content": "x" }))
        .await
        .refused(404, "post_not_found");
}

async fn only_drafts_and_queued_posts_can_be_changed(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let change = json!({ "content": "Too late" });
    let published = create(&t, &platform, json!({ "mode": "now" })).await;
    assert_eq!(t.settled(&published).await["state"], "PUBLISHED");
    t.sim.fail(FailRule::next("spam_risk_text"));
    let refused = create(&t, &platform, json!({ "mode": "now" })).await;
    assert_eq!(t.settled(&refused).await["state"], "ERROR");
    let inbox = json!({ "mode": "now", "settings": { "post_mode": "MEDIA_UPLOAD" } });
    let waiting = create(&t, &platform, inbox).await;
    assert_eq!(t.settled(&waiting).await["state"], "ACTION_REQUIRED");
    for (id, says) in [
        (&published, "is published, and cannot be changed"),
        (
            &refused,
            "Create it again with other contents, and delete this one",
        ),
        (&waiting, "give it a new time, and change it then"),
    ] {
        let refusal = edit(&t, id, &change).await.refused(409, "post_not_editable");
        let message = refusal["message"].as_str().unwrap();
        assert!(message.contains(says), "{message}");
        assert_eq!(t.root(id).await["content"], "First flight #kites");
    }
    create(&t, &platform, json!({ "content": "In time" })).await;
    t.api.delete_post(&refused).await;
    t.api
        .schedule_post(&waiting, t.now().plus(Duration::from_secs(3600)))
        .await;
    assert_eq!(
        edit(&t, &waiting, &change).await.ok()["root"]["content"],
        "Too late"
    );
}

async fn a_post_whose_account_is_gone_can_be_changed_while_it_is_a_draft(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let draft = create(&t, &platform, json!({ "mode": "draft" })).await;
    let queued = create(&t, &platform, json!({})).await;
    let changes = PlatformChanges {
        disabled: Some(true),
        ..PlatformChanges::default()
    };
    t.change_account(&platform, changes).await;
    assert_eq!(
        edit(&t, &draft, &json!({ "content": "New" })).await.ok()["root"]["content"],
        "New"
    );
    edit(&t, &queued, &json!({ "content": "New" }))
        .await
        .invalid_at(&[json!(["platformIds"])]);
}

async fn an_edit_just_before_the_handover_goes_out_and_the_old_contents_never_do(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim.hold(Endpoint::CreatorInfo, HoldPoint::Before);
    let id = create(&t, &platform, json!({ "mode": "now" })).await;
    t.sim.held(Endpoint::CreatorInfo, 1).await;
    let photos = [
        t.api.upload_photo(90, 160).await,
        t.api.upload_photo(100, 160).await,
    ];
    edit(&t, &id, &json!({ "content": "As it is now", "mediaIds": photos }))
        .await
        .ok();
    t.sim.release(Endpoint::CreatorInfo);
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
    let published = t.sim.publications();
    assert_eq!(
        (
            published.len(),
            published[0].caption.as_str(),
            published[0].media.len()
        ),
        (1, "As it is now", 2)
    );
    assert_eq!(t.calls(Endpoint::ContentInit).len(), 1, "handed over once");
}

async fn a_post_that_is_being_handed_over_is_left_alone(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    for (endpoint, point) in [
        (Endpoint::ContentInit, HoldPoint::Before),
        (Endpoint::ContentInit, HoldPoint::After),
        (Endpoint::VideoInit, HoldPoint::After),
        (Endpoint::UploadLast, HoldPoint::Before),
        (Endpoint::UploadLast, HoldPoint::After),
    ] {
        let before = t.sim.publication_count();
        t.sim.hold(endpoint, point);
        let media = if endpoint == Endpoint::ContentInit {
            json!({})
        } else {
            json!({ "mediaIds": [clip] })
        };
        let mut over = json!({ "mode": "now" });
        over.as_object_mut()
            .unwrap()
            .extend(media.as_object().unwrap().clone());
        let id = create(&t, &platform, over).await;
        t.sim.held(endpoint, 1).await;
        edit(&t, &id, &json!({ "content": "Too late" }))
            .await
            .refused(409, "post_not_editable");
        t.sim.release(endpoint);
        assert_eq!(t.settled(&id).await["content"], "First flight #kites");
        let published = t.sim.publications();
        assert_eq!(published.len(), before + 1, "{endpoint:?} {point:?}");
        assert!(published.iter().all(|post| post.caption == "First flight #kites"));
        t.advance(Duration::from_secs(120)).await;
    }
}

async fn whatever_an_edit_was_answered_is_what_goes_out(db: Db) {
    let t = TestApp::start(db).await;
    let mut posts = Vec::new();
    for number in 0..10 {
        let platform = t.join(&format!("kite{number}")).await;
        posts.push(
            create(
                &t,
                &platform,
                json!({ "settings": { "privacy_level": "PUBLIC_TO_EVERYONE" } }),
            )
            .await,
        );
    }
    t.clock.set(playout_domain::time::Time::parse(TOMORROW).unwrap());
    let edits = posts.iter().map(|id| async {
        let (mut said, t) = (vec!["First flight #kites".to_owned()], &t);
        for round in 0..6 {
            let text = format!("Round {round}");
            match edit(t, id, &json!({ "content": text })).await.status {
                200 => said = vec![text],
                // On a busy machine PostgreSQL may take longer than a request waits. Whether the edit was made is not known then.
                503 => said.push(text),
                status => assert_eq!(status, 409),
            }
        }
        said
    });
    let said = join_all(edits).await;
    for (number, (id, said)) in posts.iter().zip(said).enumerate() {
        assert_eq!(t.settled(id).await["state"], "PUBLISHED");
        let published = t.publications_of(&format!("kite{number}"));
        assert_eq!(published.len(), 1);
        assert!(said.contains(&published[0].caption), "{said:?}");
    }
}

async fn media_deleted_at_the_same_instant_are_either_in_use_or_missing(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let draft = create(&t, &platform, json!({ "mode": "draft" })).await;
    for _ in 0..10 {
        let photo = t.api.upload_photo(90, 160).await;
        let (changes, path) = (
            json!({ "mediaIds": [photo] }),
            format!("/public/v1/media/{photo}"),
        );
        let (edited, deleted) = tokio::join!(edit(&t, &draft, &changes), t.api.delete(&path));
        match (edited.status, deleted.status) {
            (200, 409) => drop(deleted.refused(409, "media_in_use")),
            (400, 204) => edited.invalid_at(&[json!(["mediaIds", 0])]),
            other => panic!("{other:?}"),
        }
        edit(&t, &draft, &json!({ "mediaIds": [] })).await.ok();
    }
}
