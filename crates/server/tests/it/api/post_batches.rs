//! `POST /posts/batch`: posts that are created together, each by itself (`docs/contract.md#batches`).

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Db, Options, TestApp, on_both, post_body};

on_both!(
    each_post_of_a_batch_is_created_by_itself,
    a_dry_run_says_what_would_be_and_creates_nothing,
    a_batch_has_one_to_a_hundred_posts,
    the_months_posts_are_given_out_in_order_and_exactly,
    a_batch_is_created_once_for_one_key,
    posts_of_a_batch_count_where_limits_are_foreseen,
    a_batch_may_have_a_larger_body_than_a_post,
    a_batch_makes_a_limited_number_of_posts_and_comments,
    media_that_are_deleted_meanwhile_fail_their_posts_alone,
);

const POSTS: &str = "/public/v1/posts";
const BATCH: &str = "/public/v1/posts/batch";
const TOMORROW: &str = "2026-11-21T12:00:00.000Z";

async fn send(t: &TestApp, key: &str, body: &Value) -> Answer {
    let request = t.api.request(Method::POST, BATCH).header("idempotency-key", key);
    t.api.send(request.json(body)).await
}

/// A post for tomorrow with these fields over it.
fn post(platform: &str, photo: &str, over: Value) -> Value {
    let mut body = post_body(platform, &[photo.to_owned()]);
    body["mode"] = json!("schedule");
    body["scheduledFor"] = json!(TOMORROW);
    body["settings"] = json!({ "privacy_level": "SELF_ONLY" });
    body.as_object_mut()
        .unwrap()
        .extend(over.as_object().unwrap().clone());
    body
}

fn statuses(results: &Value) -> Vec<&str> {
    let entries = results["results"].as_array().unwrap().iter();
    entries
        .enumerate()
        .map(|(index, entry)| {
            assert_eq!(entry["index"], index);
            entry["status"].as_str().unwrap()
        })
        .collect()
}

async fn listed(t: &TestApp) -> usize {
    t.api.get(POSTS).await.ok()["posts"].as_array().unwrap().len()
}

async fn each_post_of_a_batch_is_created_by_itself(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let other = t.connect("harborbakes").await;
    let photo = t.api.upload_photo(300, 400).await;
    let nowhere = "0196f3a0-0000-7000-8000-000000000000";
    let post = |over| post(&platform, &photo, over);
    let posts = [
        post(json!({ "content": "First" })),
        post(json!({ "mode": "never" })),
        post(json!({ "mediaIds": [nowhere] })),
        post(json!({ "content": "a".repeat(2201) })),
        post(json!({ "platformIds": [platform, nowhere] })),
        json!(5),
        post(json!({ "platformIds": [platform, other], "mode": "draft", "settings": { "privacyLevel": 1 } })),
    ];
    let answer = t.api.post(BATCH, &json!({ "posts": posts })).await;
    assert_eq!(answer.status, 200);
    let results = answer.json();
    assert_eq!(
        statuses(&results),
        [
            "created", "failed", "failed", "failed", "partial", "failed", "created"
        ]
    );
    let entry = |index: usize| results["results"][index].clone();
    let created = entry(0)["results"][0].clone();
    let id = created["post"]["root"]["id"].as_str().unwrap().to_owned();
    assert_eq!(created["post"], t.group(&id).await);
    assert_eq!(
        (&created["status"], &created["willPublishAt"]),
        (&json!("created"), &json!(TOMORROW))
    );
    for (index, code, path) in [
        (1, "invalid_request", json!(["mode"])),
        (2, "invalid_request", json!(["mediaIds", 0])),
        (5, "invalid_request", json!([])),
    ] {
        let error = &entry(index)["error"];
        assert_eq!(
            (&error["code"], &error["details"][0]["path"]),
            (&json!(code), &path)
        );
        assert!(entry(index).get("results").is_none());
    }
    let rejected = entry(3)["results"][0].clone();
    assert_eq!(rejected["error"]["code"], "invalid_content");
    let partial: Vec<Value> = entry(4)["results"].as_array().unwrap().clone();
    assert_eq!(
        (&partial[0]["status"], &partial[1]["error"]["code"]),
        (&json!("created"), &json!("platform_not_found"))
    );
    assert_eq!(entry(6)["results"].as_array().unwrap().len(), 2);
    assert_eq!(
        entry(6)["results"][0]["warnings"][0]["suggestion"],
        "privacy_level"
    );
    assert_eq!(listed(&t).await, 4);
    t.advance(std::time::Duration::from_secs(86_400)).await;
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
    t.idle().await;
    assert_eq!(t.sim.publication_count(), 2);
}

async fn a_dry_run_says_what_would_be_and_creates_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let nowhere = "0196f3a0-0000-7000-8000-000000000000";
    let posts = [
        post(&platform, &photo, json!({})),
        post(&platform, &photo, json!({ "platformIds": [platform, nowhere] })),
        post(
            &platform,
            &photo,
            json!({ "mode": "schedule", "scheduledFor": null }),
        ),
    ];
    let dry = t
        .api
        .post(BATCH, &json!({ "posts": posts, "dryRun": true }))
        .await
        .ok();
    assert_eq!(statuses(&dry), ["valid", "partial", "failed"]);
    let valid = &dry["results"][0]["results"][0];
    let alone = t.api.post(&format!("{POSTS}/validate"), &posts[0]).await.ok();
    assert_eq!(valid, &alone["results"][0]);
    assert_eq!(listed(&t).await, 0);
    let made = t
        .api
        .post(BATCH, &json!({ "posts": posts, "dryRun": false }))
        .await
        .ok();
    assert_eq!(statuses(&made), ["created", "partial", "failed"]);
    assert_eq!(listed(&t).await, 2);
}

async fn a_batch_has_one_to_a_hundred_posts(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let posts =
        |count: usize| json!({ "posts": vec![post(&platform, &photo, json!({ "mode": "draft" })); count] });
    for count in [0, 101] {
        t.api
            .post(BATCH, &posts(count))
            .await
            .invalid_at(&[json!(["posts"])]);
    }
    t.api
        .post(BATCH, &json!({}))
        .await
        .invalid_at(&[json!(["posts"])]);
    let all = t.api.post(BATCH, &posts(100)).await.ok();
    assert_eq!(statuses(&all), ["created"; 100]);
    assert_eq!(listed(&t).await, 100);
}

async fn limited(db: Db, posts: u32) -> (TestApp, tempfile::NamedTempFile) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let text = format!("[plans.unlimited]\n[plans.small]\nposts_per_month = {posts}\n");
    std::fs::write(&plans, text).unwrap();
    let options = Options::default()
        .plan("small")
        .set("plans_file", plans.path().to_str().unwrap());
    (TestApp::start_with(db, options).await, plans)
}

async fn the_months_posts_are_given_out_in_order_and_exactly(db: Db) {
    let (t, _plans) = limited(db, 5).await;
    let platform = t.connect("kitestudio").await;
    let other = t.connect("harborbakes").await;
    let photo = t.api.upload_photo(300, 400).await;
    let one = || post(&platform, &photo, json!({}));
    let two = || post(&platform, &photo, json!({ "platformIds": [platform, other] }));
    let draft = || post(&platform, &photo, json!({ "mode": "draft" }));
    let posts = json!([two(), two(), two(), draft(), one(), one(), draft()]);
    let expected = [
        "created", "created", "failed", "created", "created", "failed", "created",
    ];
    let dry = t
        .api
        .post(BATCH, &json!({ "posts": posts, "dryRun": true }))
        .await
        .ok();
    assert_eq!(
        statuses(&dry),
        expected.map(|status| if status == "created" { "valid" } else { status })
    );
    let made = t.api.post(BATCH, &json!({ "posts": posts })).await.ok();
    assert_eq!(statuses(&made), expected);
    let refused = &made["results"][2]["error"];
    assert_eq!(
        (
            &refused["code"],
            &refused["details"]["limit"],
            &refused["details"]["used"]
        ),
        (&json!("post_limit_reached"), &json!(5), &json!(4))
    );
    assert_eq!(t.api.get("/public/v1/usage").await.ok()["posts"]["used"], 5);
    let (t, _plans) = limited(db, 10).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let batch = json!({ "posts": vec![post(&platform, &photo, json!({})); 4] });
    let answers = join_all((0..6).map(|_| t.api.post(BATCH, &batch))).await;
    let made: usize = answers
        .iter()
        .map(|answer| {
            statuses(&answer.ok())
                .iter()
                .filter(|status| **status == "created")
                .count()
        })
        .sum();
    assert_eq!((made, listed(&t).await), (10, 10), "exact under concurrency");
}

async fn a_batch_is_created_once_for_one_key(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let batch = json!({ "posts": [post(&platform, &photo, json!({})), post(&platform, &photo, json!({ "mode": "x" }))] });
    let answers = join_all((0..4).map(|_| send(&t, "k", &batch))).await;
    let (done, waiting): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    for answer in waiting {
        answer.refused(409, "idempotency_in_progress");
    }
    let bodies: Vec<Value> = done.into_iter().map(Answer::json).collect();
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:#?}");
    assert_eq!(listed(&t).await, 1);
    // Its time is over by now, but the answer is the same.
    t.advance(std::time::Duration::from_secs(86_400 - 60)).await;
    assert_eq!(send(&t, "k", &batch).await.json(), bodies[0]);
    let other = json!({ "posts": [post(&platform, &photo, json!({ "content": "Other" }))] });
    send(&t, "k", &other).await.refused(422, "idempotency_key_reused");
    assert_eq!(listed(&t).await, 1);
}

async fn posts_of_a_batch_count_where_limits_are_foreseen(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let at = |minute: usize| json!({ "scheduledFor": format!("2026-11-21T12:{minute:02}:00.000Z") });
    let in_order: Vec<usize> = (0..17).collect();
    let in_reverse: Vec<usize> = (0..17).rev().collect();
    for minutes in [in_order, in_reverse] {
        let posts: Vec<Value> = minutes
            .iter()
            .map(|minute| post(&platform, &photo, at(*minute)))
            .collect();
        let body = json!({ "posts": posts, "dryRun": true });
        let dry = t.api.post(BATCH, &body).await.ok();
        let entries = dry["results"].as_array().unwrap().iter();
        let is_warned = |entry: &Value| {
            let mut warnings = entry["results"][0]["warnings"].as_array().unwrap().iter();
            warnings.any(|warning| warning["code"] == "daily_posts_likely_used_up")
        };
        let warned: Vec<bool> = entries.map(is_warned).collect();
        let expected: Vec<bool> = minutes.iter().map(|minute| *minute >= 15).collect();
        assert_eq!(warned, expected, "the last two of the day, wherever they are");
    }
}

async fn a_batch_makes_a_limited_number_of_posts_and_comments(db: Db) {
    let t = TestApp::start(db).await;
    let platforms: Vec<String> = (0..26)
        .map(|number| format!("0196f3a0-0000-7000-8000-0000000000{number:02}"))
        .collect();
    let batch = |accounts: usize, comments: usize| {
        let comments = vec![json!({ "content": "x" }); comments];
        let post = json!({ "platformIds": platforms[..accounts], "content": "x", "mode": "draft", "comments": comments });
        json!({ "posts": vec![post; 100], "dryRun": true })
    };
    for (accounts, comments) in [(25, 0), (5, 4)] {
        let answer = t.api.post(BATCH, &batch(accounts, comments)).await;
        assert_eq!(statuses(&answer.ok()).len(), 100, "2,500 in all");
    }
    for (accounts, comments) in [(26, 0), (5, 5), (3, 10)] {
        let refused = t.api.post(BATCH, &batch(accounts, comments)).await;
        refused.invalid_at(&[json!(["posts"])]);
        let message = refused.json()["message"].to_string();
        assert!(message.contains("at most 2500"), "{message}");
    }
}

async fn a_batch_may_have_a_larger_body_than_a_post(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let padding = "x".repeat(70_000);
    let padded = post(&platform, &photo, json!({ "mode": "draft", "note": padding }));
    let answer = t.api.post(BATCH, &json!({ "posts": vec![padded; 100] })).await;
    assert_eq!(statuses(&answer.ok()).len(), 100, "7 MB");
    let too_large = json!({ "posts": [], "note": "x".repeat(8 << 20) });
    t.api
        .post(BATCH, &too_large)
        .await
        .refused(413, "payload_too_large");
}

async fn media_that_are_deleted_meanwhile_fail_their_posts_alone(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    for _ in 0..8 {
        let kept = t.api.upload_photo(300, 400).await;
        let gone = t.api.upload_photo(300, 400).await;
        let posts: Vec<Value> = (0..10)
            .map(|index| {
                post(
                    &platform,
                    if index == 4 { &gone } else { &kept },
                    json!({ "mode": "draft" }),
                )
            })
            .collect();
        let path = format!("/public/v1/media/{gone}");
        let body = json!({ "posts": posts });
        let (made, deleted) = futures_util::future::join(t.api.post(BATCH, &body), t.api.delete(&path)).await;
        let made = made.ok();
        let all = ["created"; 10];
        let mut but_one = all;
        but_one[4] = "failed";
        match deleted.status {
            204 => assert_eq!(statuses(&made), but_one),
            409 => assert_eq!(statuses(&made), all),
            other => panic!("deleting answered {other}"),
        }
    }
}
