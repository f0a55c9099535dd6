//! Changes of a selection and reads of a page: each item has its own outcome, and what is foreign does not exist.

use std::time::Duration;

use playout_domain::workspace::Role;
use playout_tiktok::sim::FailRule;
use serde_json::{Value, json};

use crate::harness::{Client, Db, Options, TestApp, on_both, post_body};

on_both!(
    a_bulk_reschedule_moves_what_is_queued_and_nothing_else,
    each_new_time_of_a_batch_is_judged_by_itself,
    many_posts_and_files_are_deleted_in_one_request_and_again_without_harm,
    a_batch_is_bounded_and_names_nothing_twice,
    a_bundle_answers_what_its_parts_answer,
    a_bundle_of_large_posts_says_which_to_ask_for_by_themselves,
    what_is_foreign_does_not_exist_in_a_batch,
    a_session_has_room_for_two_hundred_files_at_once_where_a_key_has_not,
);

const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";
const TOMORROW: &str = "2026-11-21T12:00:00.000Z";
const LATER: &str = "2026-11-22T12:00:00.000Z";

/// A workspace with an account, as a member's session sees it.
struct Scene {
    t: TestApp,
    member: Client,
    platform: String,
}

impl Scene {
    async fn start(db: Db) -> Self {
        let t = TestApp::start(db).await;
        let ada = t.sign_up("ada@example.org").await;
        let workspace = t.workspace.id;
        let user = ada.id.parse().unwrap();
        t.app
            .store
            .add_member(workspace, user, Role::Member, t.now())
            .await
            .unwrap();
        let platform = t.connect("kitestudio").await;
        let member = ada.api.in_workspace(&workspace.to_string());
        Self { t, member, platform }
    }

    /// A photo post with these fields over an ordinary one for tomorrow.
    async fn post(&self, over: Value) -> String {
        let mut body = post_body(&self.platform, &[self.t.api.upload_photo(300, 400).await]);
        let fields = body.as_object_mut().unwrap();
        fields.extend([
            ("mode".to_owned(), json!("schedule")),
            ("scheduledFor".to_owned(), json!(TOMORROW)),
        ]);
        fields.extend(over.as_object().unwrap().clone());
        self.t.api.create_post(&body).await
    }

    /// A post in each state: DRAFT, ERROR, ACTION_REQUIRED (in the inbox), PUBLISHED.
    async fn not_queued(&self) -> Vec<String> {
        let t = &self.t;
        let draft = self.post(json!({ "mode": "draft" })).await;
        let failed = self.post(json!({ "mode": "now" })).await;
        t.sim.fail(FailRule::next("spam_risk_text"));
        assert_eq!(t.settled(&failed).await["state"], "ERROR");
        let inbox = json!({ "mode": "now", "settings": { "post_mode": "MEDIA_UPLOAD" } });
        let inbox = self.post(inbox).await;
        assert_eq!(t.settled(&inbox).await["state"], "ACTION_REQUIRED");
        let published = self.post(json!({ "mode": "now" })).await;
        assert_eq!(t.settled(&published).await["state"], "PUBLISHED");
        vec![draft, failed, inbox, published]
    }

    async fn roots(&self, ids: &[String]) -> Vec<Value> {
        let mut roots = Vec::new();
        for id in ids {
            roots.push(self.t.root(id).await);
        }
        roots
    }
}

async fn reschedule(api: &Client, ids: &[&str], at: &str) -> Vec<Value> {
    let posts = ids.iter().map(|id| json!({ "id": id, "scheduledFor": at }));
    let body = json!({ "posts": posts.collect::<Vec<_>>() });
    results(&api.post("/app/v1/posts/reschedule", &body).await.ok())
}

async fn delete(api: &Client, what: &str, ids: &[&str]) -> Vec<Value> {
    let answer = api
        .post(&format!("/app/v1/{what}/delete"), &json!({ "ids": ids }))
        .await;
    results(&answer.ok())
}

fn results(body: &Value) -> Vec<Value> {
    body["results"].as_array().unwrap().clone()
}

/// The outcome of each item: its status, or the code of its error.
fn outcomes(results: &[Value]) -> Vec<&str> {
    let outcome = |result: &'_ Value| match result["error"]["code"].is_string() {
        true => "/error/code",
        false => "/status",
    };
    results
        .iter()
        .map(|result| result.pointer(outcome(result)).unwrap().as_str().unwrap())
        .collect()
}

async fn a_bulk_reschedule_moves_what_is_queued_and_nothing_else(db: Db) {
    let scene = Scene::start(db).await;
    let others = scene.not_queued().await;
    let before = scene.roots(&others).await;
    let first = scene.post(json!({})).await;
    let second = scene.post(json!({})).await;
    let mut ids: Vec<&str> = vec![&first];
    ids.extend(others.iter().map(String::as_str));
    ids.extend([second.as_str(), NOWHERE]);
    let results = reschedule(&scene.member, &ids, LATER).await;
    let no = "post_not_reschedulable";
    assert_eq!(
        outcomes(&results),
        ["rescheduled", no, no, no, no, "rescheduled", "post_not_found"]
    );
    assert_eq!(
        results.iter().map(|result| &result["id"]).collect::<Vec<_>>(),
        ids
    );
    assert_eq!(results[0]["post"], scene.t.root(&first).await);
    for moved in [&first, &second] {
        let root = scene.t.root(moved).await;
        assert_eq!(
            (&root["scheduledFor"], &root["state"]),
            (&json!(LATER), &json!("QUEUE"))
        );
        assert_eq!(
            scene.t.events_of(moved).await,
            ["post.queued", "post.queued"],
            "the events of a single change"
        );
    }
    assert_eq!(scene.roots(&others).await, before, "nothing else was touched");
    let undone = reschedule(&scene.member, &[&first, &second], TOMORROW).await;
    assert_eq!(outcomes(&undone), ["rescheduled", "rescheduled"]);
    assert_eq!(scene.t.root(&first).await["scheduledFor"], TOMORROW);
}

async fn each_new_time_of_a_batch_is_judged_by_itself(db: Db) {
    let scene = Scene::start(db).await;
    let (first, second) = (scene.post(json!({})).await, scene.post(json!({})).await);
    let body = json!({ "posts": [{ "id": first, "scheduledFor": "2026-01-01T00:00:00Z" }, { "id": second, "scheduledFor": LATER }] });
    let results = results(&scene.member.post("/app/v1/posts/reschedule", &body).await.ok());
    assert_eq!(outcomes(&results), ["invalid_request", "rescheduled"]);
    assert_eq!(results[0]["error"]["details"][0]["path"], json!(["scheduledFor"]));
    assert_eq!(scene.t.root(&first).await["scheduledFor"], TOMORROW);
}

async fn many_posts_and_files_are_deleted_in_one_request_and_again_without_harm(db: Db) {
    let scene = Scene::start(db).await;
    let (post, draft) = (
        scene.post(json!({})).await,
        scene.post(json!({ "mode": "draft" })).await,
    );
    let kept = scene.t.root(&draft).await["mediaIds"][0]
        .as_str()
        .unwrap()
        .to_owned();
    let freed = scene.t.root(&post).await["mediaIds"][0]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        outcomes(&delete(&scene.member, "posts", &[&post, NOWHERE]).await),
        ["deleted", "post_not_found"]
    );
    assert_eq!(
        outcomes(&delete(&scene.member, "posts", &[&post]).await),
        ["post_not_found"]
    );
    assert_eq!(scene.t.events_of(&post).await, ["post.queued", "post.deleted"]);
    let removed = delete(&scene.member, "media", &[&kept, &freed, NOWHERE]).await;
    assert_eq!(outcomes(&removed), ["media_in_use", "deleted", "media_not_found"]);
    assert_eq!(removed[0]["error"]["details"]["postIds"], json!([draft]));
    assert_eq!(
        outcomes(&delete(&scene.member, "media", &[&freed]).await),
        ["media_not_found"]
    );
    scene.t.api.get(&format!("/public/v1/media/{kept}")).await.ok();
}

async fn a_batch_is_bounded_and_names_nothing_twice(db: Db) {
    let scene = Scene::start(db).await;
    let ids = |count: u32| {
        (0..count)
            .map(|n| format!("0196f3a0-0000-7000-8000-{n:012}"))
            .collect::<Vec<_>>()
    };
    for path in ["/app/v1/posts/delete", "/app/v1/media/delete"] {
        scene.member.post(path, &json!({ "ids": ids(200) })).await.ok();
        scene
            .member
            .post(path, &json!({ "ids": ids(201) }))
            .await
            .invalid_at(&[json!(["ids"])]);
        scene
            .member
            .post(path, &json!({ "ids": [] }))
            .await
            .invalid_at(&[json!(["ids"])]);
        scene
            .member
            .post(path, &json!({ "ids": [NOWHERE, NOWHERE] }))
            .await
            .invalid_at(&[json!(["ids", 1])]);
    }
    let times = |ids: &[String]| json!({ "posts": ids.iter().map(|id| json!({ "id": id, "scheduledFor": LATER })).collect::<Vec<_>>() });
    let path = "/app/v1/posts/reschedule";
    scene.member.post(path, &times(&ids(200))).await.ok();
    scene
        .member
        .post(path, &times(&ids(201)))
        .await
        .invalid_at(&[json!(["posts"])]);
    scene
        .member
        .post(path, &times(&[ids(1), ids(1)].concat()))
        .await
        .invalid_at(&[json!(["posts", 1, "id"])]);
    let bundle = |count| {
        format!(
            "/app/v1/bundle?{}",
            ids(count)
                .iter()
                .map(|id| format!("media={id}"))
                .collect::<Vec<_>>()
                .join("&")
        )
    };
    assert_eq!(
        scene.member.get(&bundle(100)).await.ok()["failed"]
            .as_array()
            .unwrap()
            .len(),
        100
    );
    assert_eq!(scene.member.get(&bundle(101)).await.status, 400);
    scene
        .member
        .get("/app/v1/bundle?include=everything&post=x")
        .await
        .invalid_at(&[json!(["include"]), json!(["post"])]);
    let id = &ids(1)[0];
    let twice = scene
        .member
        .get(&format!("/app/v1/bundle?post={id}&post={id}"))
        .await
        .ok();
    assert_eq!(twice["failed"].as_array().unwrap().len(), 1, "read once");
}

async fn a_bundle_answers_what_its_parts_answer(db: Db) {
    let scene = Scene::start(db).await;
    let others = scene.not_queued().await;
    let media = scene.t.root(&others[0]).await["mediaIds"][0]
        .as_str()
        .unwrap()
        .to_owned();
    let read = async |path: &str| scene.member.get(&format!("/app/v1/{path}")).await.ok();
    let all = "include=platforms&include=waiting&include=usage&include=hasPosts";
    let named = format!(
        "post={}&media={media}&schema={}&media={NOWHERE}",
        others[0], scene.platform
    );
    let bundle = read(&format!("bundle?{all}&{named}")).await;
    assert_eq!(bundle["platforms"], read("platforms?all=true").await["platforms"]);
    assert_eq!(
        bundle["waiting"],
        read("posts?state=ACTION_REQUIRED&state=ERROR&limit=100").await
    );
    assert_eq!(
        (&bundle["usage"], &bundle["hasPosts"]),
        (&read("usage").await, &json!(true))
    );
    assert_eq!(
        bundle["posts"],
        json!([read(&format!("posts/{}", others[0])).await])
    );
    assert_eq!(bundle["media"], json!([read(&format!("media/{media}")).await]));
    assert_eq!(
        bundle["schemas"],
        json!([read(&format!("platforms/{}/schema", scene.platform)).await])
    );
    let missing = scene.member.get(&format!("/app/v1/media/{NOWHERE}")).await;
    assert_eq!(
        bundle["failed"],
        json!([{ "id": NOWHERE, "error": missing.refused(404, "media_not_found") }])
    );
    let asked = read(&format!("bundle?ask={}", scene.platform)).await;
    assert_eq!(asked["health"][0]["refresh"]["answered"], true, "{asked:#}");
    assert_eq!(asked["health"][0]["platformId"], scene.platform);
    assert_eq!(
        asked["schemas"],
        json!([read(&format!("platforms/{}/schema", scene.platform)).await])
    );
    let nothing = read("bundle").await;
    assert_eq!(
        (&nothing["platforms"], &nothing["posts"]),
        (&Value::Null, &json!([]))
    );
}

async fn a_bundle_of_large_posts_says_which_to_ask_for_by_themselves(db: Db) {
    let scene = Scene::start(db).await;
    let text = "\u{1f600}".repeat(10_000);
    let body = json!({ "platformIds": [scene.platform], "content": text, "mode": "draft",
        "comments": vec![json!({ "content": text }); 10] });
    let mut posts = Vec::new();
    for _ in 0..12 {
        posts.push(scene.t.api.create_post(&body).await);
    }
    let query: Vec<_> = posts.iter().map(|post| format!("post={post}")).collect();
    let bundle = scene
        .member
        .get(&format!("/app/v1/bundle?{}", query.join("&")))
        .await
        .ok();
    let (found, failed) = (
        bundle["posts"].as_array().unwrap(),
        bundle["failed"].as_array().unwrap(),
    );
    assert_eq!((found.len(), failed.len()), (10, 2), "4 MiB are ten of them");
    assert_eq!(
        (&failed[0]["id"], &failed[0]["error"]["code"]),
        (&json!(posts[10]), &json!("invalid_request"))
    );
}

async fn what_is_foreign_does_not_exist_in_a_batch(db: Db) {
    let scene = Scene::start(db).await;
    let post = scene.post(json!({})).await;
    let before = scene.t.root(&post).await;
    let media = before["mediaIds"][0].as_str().unwrap();
    let eve = scene.t.sign_up("eve@example.org").await;
    assert_eq!(
        outcomes(&reschedule(&eve.api, &[&post], LATER).await),
        ["post_not_found"]
    );
    assert_eq!(
        outcomes(&delete(&eve.api, "posts", &[&post]).await),
        ["post_not_found"]
    );
    assert_eq!(
        outcomes(&delete(&eve.api, "media", &[media]).await),
        ["media_not_found"]
    );
    let path = format!(
        "/app/v1/bundle?include=platforms&include=waiting&include=hasPosts&post={post}&media={media}&ask={}",
        scene.platform
    );
    let bundle = eve.api.get(&path).await.ok();
    assert_eq!(
        (
            &bundle["platforms"],
            &bundle["hasPosts"],
            &bundle["waiting"]["posts"]
        ),
        (&json!([]), &json!(false), &json!([]))
    );
    let codes: Vec<&str> = bundle["failed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|failed| failed["error"]["code"].as_str().unwrap())
        .collect();
    assert_eq!(
        codes,
        [
            "post_not_found",
            "media_not_found",
            "platform_not_found",
            "platform_not_found"
        ]
    );
    assert_eq!(scene.t.root(&post).await, before);
}

async fn a_session_has_room_for_two_hundred_files_at_once_where_a_key_has_not(db: Db) {
    let options = Options::default()
        .set("rate_limit", "120/60s;burst=60")
        .set("session_rate_limit", "600/60s;burst=200");
    let t = TestApp::start_with(db, options).await;
    let ada = t.sign_up("ada@example.org").await;
    for _ in 0..200 {
        ada.api.get("/app/v1/me").await.ok();
    }
    let refused = ada.api.get("/app/v1/me").await;
    refused.refused(429, "rate_limited");
    assert_eq!(refused.header("ratelimit-policy"), "\"default\";q=600;w=60");
    t.clock.advance(Duration::from_millis(100));
    ada.api.get("/app/v1/me").await.ok();
    assert_eq!(
        t.api.get("/public/v1/usage").await.header("ratelimit-policy"),
        "\"default\";q=120;w=60"
    );
}
