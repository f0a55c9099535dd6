//! What is used of the plan, and the refusals when it is used up (`docs/contract.md#plans`).

mod operations;

use std::time::Duration;

use futures_util::future::join_all;

use playout_store::CreditCharge;
use serde_json::{Value, json};

use crate::harness::{Answer, CLIP, Db, Options, TIKTOK, TestApp, jpeg, on_both, post_body};

on_both!(
    usage_shows_every_limit_of_the_plan,
    usage_tells_what_the_provider_allows_each_account,
    usage_follows_what_is_done,
    every_refusal_for_want_of_room_says_how_much_there_is,
    what_is_wrong_or_missing_is_said_before_that_the_plan_is_used_up,
    a_file_without_room_is_refused_before_its_bytes_are_looked_at,
    an_import_without_room_for_a_byte_is_refused_before_it_begins,
    accounts_beyond_the_plan_are_refused_and_known_ones_may_always_reconnect,
    of_many_accounts_connected_at_once_exactly_the_plans_are,
);

const USAGE: &str = "/public/v1/usage";

/// A world on a plan with these limits, and the file that holds it.
async fn planned(db: Db, plan: &str) -> (TestApp, tempfile::NamedTempFile) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&plans, format!("[plans.unlimited]\n[plans.small]\n{plan}\n")).unwrap();
    let options = Options::default()
        .plan("small")
        .set("plans_file", plans.path().to_str().unwrap());
    (TestApp::start_with(db, options).await, plans)
}

async fn usage(t: &TestApp) -> Value {
    t.api.get(USAGE).await.ok()
}

/// Connects an account as a person would; returns where that led.
async fn connecting(t: &TestApp, username: &str) -> String {
    let url = t.app.start_connecting(t.workspace.id, TIKTOK).await.unwrap();
    let back = t.sim.approve(&url, username, &[]).unwrap();
    t.api.follow(&back).await.header("location").to_owned()
}

async fn upload(t: &TestApp, name: &str, bytes: &[u8]) -> Answer {
    let mime = if name.ends_with("mp4") {
        "video/mp4"
    } else {
        "image/jpeg"
    };
    t.api.upload_form(name, mime, bytes, &[]).await
}

async fn usage_shows_every_limit_of_the_plan(db: Db) {
    let t = TestApp::start_with(db, Options::default().plan("free")).await;
    let expected = json!({
        "plan": "free",
        "month": { "start": "2026-11-01T00:00:00.000Z", "resetsAt": "2026-12-01T00:00:00.000Z" },
        "posts": { "used": 0, "limit": 30 },
        "storage": { "usedBytes": 0, "limitBytes": 2_000_000_000u64 },
        "platforms": { "used": 0, "limit": 2 },
        "aiCredits": { "used": 0, "limit": 30 },
        "maxVideoBytes": 250_000_000,
        "accounts": [],
    });
    assert_eq!(usage(&t).await, expected);
    let unlimited = t.stranger().await.get(USAGE).await.ok();
    assert_eq!(unlimited["plan"], "unlimited");
    for limit in [
        "/posts/limit",
        "/storage/limitBytes",
        "/platforms/limit",
        "/aiCredits/limit",
    ] {
        assert_eq!(unlimited.pointer(limit), Some(&Value::Null), "{limit}");
    }
}

async fn usage_tells_what_the_provider_allows_each_account(db: Db) {
    let t = TestApp::start(db).await;
    let (first, second) = (t.connect("kitestudio").await, t.connect("harborbakes").await);
    let clip = t.api.upload_clip().await;
    let began = t.now();
    for _ in 0..2 {
        let post = t.api.publish_now(&first, std::slice::from_ref(&clip)).await;
        t.settled(&post).await;
    }
    let mut draft = post_body(&second, &[clip]);
    draft["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    let draft = t.api.create_post(&draft).await;
    t.settled(&draft).await;
    let accounts = usage(&t).await["accounts"].take();
    let of = |id: &str| {
        accounts
            .as_array()
            .unwrap()
            .iter()
            .find(|account| account["platformId"] == id)
            .unwrap()
            .clone()
    };
    let resets_at = began.plus(Duration::from_secs(86_400));
    let none = json!({ "used": 0, "limit": 15, "resetsAt": null });
    assert_eq!(
        of(&first)["directPosts"],
        json!({ "used": 2, "limit": 15, "resetsAt": resets_at })
    );
    assert_eq!(
        of(&first)["inboxShares"],
        json!({ "used": 0, "limit": 5, "resetsAt": null })
    );
    assert_eq!(
        (&of(&second)["directPosts"], &of(&second)["inboxShares"]["used"]),
        (&none, &json!(1))
    );
    assert_eq!(of(&first)["restrictions"], json!([]));
    t.advance(Duration::from_secs(86_401)).await;
    let accounts = usage(&t).await["accounts"].take();
    assert!(
        accounts
            .as_array()
            .unwrap()
            .iter()
            .all(|account| account["directPosts"] == none),
        "a day is over"
    );
}

async fn usage_follows_what_is_done(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = upload(&t, "a.jpg", &jpeg(300, 400)).await.ok();
    let id = photo["id"].as_str().unwrap().to_owned();
    let mut draft = post_body(&platform, std::slice::from_ref(&id));
    draft["mode"] = json!("draft");
    t.api.create_post(&draft).await;
    let charge = CreditCharge {
        credits: 3,
        limit: None,
    };
    t.app
        .store
        .spend_ai_credits(t.workspace.id, charge, t.now())
        .await
        .unwrap();
    let post = t.api.publish_now(&platform, &[id]).await;
    t.settled(&post).await;
    let used = usage(&t).await;
    assert_eq!(
        (
            &used["posts"]["used"],
            &used["platforms"]["used"],
            &used["aiCredits"]["used"]
        ),
        (&json!(1), &json!(1), &json!(3))
    );
    assert_eq!(used["storage"]["usedBytes"], photo["size"]);
    t.clock
        .set(playout_domain::time::Time::parse("2026-12-01T00:00:00Z").unwrap());
    let used = usage(&t).await;
    assert_eq!(
        used["month"],
        json!({ "start": "2026-12-01T00:00:00.000Z", "resetsAt": "2027-01-01T00:00:00.000Z" })
    );
    assert_eq!(
        (&used["posts"]["used"], &used["aiCredits"]["used"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(
        (&used["storage"]["usedBytes"], &used["platforms"]["used"]),
        (&photo["size"], &json!(1)),
        "these do not begin anew"
    );
}

async fn every_refusal_for_want_of_room_says_how_much_there_is(db: Db) {
    let photo = jpeg(300, 400);
    let (t, _plans) = planned(
        db,
        &format!(
            "posts_per_month = 0\nstorage_bytes = {}\nmax_video_bytes = 9000",
            photo.len()
        ),
    )
    .await;
    let platform = t.connect("kitestudio").await;
    let media = upload(&t, "a.jpg", &photo).await.ok();
    let refused = upload(&t, "b.jpg", &photo)
        .await
        .refused(409, "storage_limit_reached");
    assert_eq!(
        refused["details"],
        json!({ "limit": photo.len(), "used": photo.len(), "resetsAt": null })
    );
    let body = post_body(&platform, &[media["id"].as_str().unwrap().to_owned()]);
    let expected = json!({ "limit": 0, "used": 0, "resetsAt": "2026-12-01T00:00:00.000Z" });
    assert_eq!(
        t.api
            .post("/public/v1/posts", &body)
            .await
            .refused(409, "post_limit_reached")["details"],
        expected
    );
    let mut draft = body.clone();
    draft["mode"] = json!("draft");
    let id = t.api.create_post(&draft).await;
    let publish = t
        .api
        .request(reqwest::Method::POST, &format!("/public/v1/posts/{id}/publish"));
    assert_eq!(
        t.api.send(publish).await.refused(409, "post_limit_reached")["details"],
        expected
    );
    let when = json!({ "scheduledFor": "2026-11-21T12:00:00Z" });
    let scheduled = t
        .api
        .patch(&format!("/public/v1/posts/{id}/schedule"), &when)
        .await;
    assert_eq!(scheduled.refused(409, "post_limit_reached")["details"], expected);
    let (t, _plans) = planned(db, "max_video_bytes = 9000").await;
    let large = upload(&t, "clip.mp4", CLIP).await.refused(413, "media_too_large");
    assert_eq!(large["details"], json!({ "limit": 9000 }));
}

async fn what_is_wrong_or_missing_is_said_before_that_the_plan_is_used_up(db: Db) {
    let (t, _plans) = planned(db, "posts_per_month = 0").await;
    let platform = t.connect("kitestudio").await;
    let unknown = "0196f3a0-0000-7000-8000-000000000000";
    let mut body = post_body(&platform, &[unknown.to_owned()]);
    t.api
        .post("/public/v1/posts", &body)
        .await
        .invalid_at(&[json!(["mediaIds", 0])]);
    body["content"] = json!("");
    t.api
        .post("/public/v1/posts", &body)
        .await
        .invalid_at(&[json!(["content"])]);
    let when = json!({ "scheduledFor": "2026-11-21T12:00:00Z" });
    let path = format!("/public/v1/posts/{unknown}");
    t.api
        .patch(&format!("{path}/schedule"), &when)
        .await
        .refused(404, "post_not_found");
    let publish = t.api.request(reqwest::Method::POST, &format!("{path}/publish"));
    t.api.send(publish).await.refused(404, "post_not_found");
    let photo = jpeg(300, 400);
    let into = t
        .api
        .upload_form("a.jpg", "image/jpeg", &photo, &[("folderId", unknown)])
        .await;
    into.refused(404, "folder_not_found");
    upload(&t, "a.jpg", &photo[..photo.len() / 2])
        .await
        .refused(400, "invalid_media_file");
}

async fn a_file_without_room_is_refused_before_its_bytes_are_looked_at(db: Db) {
    let (t, _plans) = planned(db, "storage_bytes = 0").await;
    let photo = jpeg(300, 400);
    upload(&t, "a.jpg", &photo)
        .await
        .refused(409, "storage_limit_reached");
    upload(&t, "a.jpg", &photo[..photo.len() / 2])
        .await
        .refused(409, "storage_limit_reached");
    assert_eq!(usage(&t).await["storage"]["usedBytes"], 0);
}

async fn an_import_without_room_for_a_byte_is_refused_before_it_begins(db: Db) {
    let photo = jpeg(300, 400);
    let (t, _plans) = planned(db, &format!("storage_bytes = {}", photo.len())).await;
    upload(&t, "a.jpg", &photo).await.ok();
    let wanted = json!({ "url": "https://example.org/kite.mp4" });
    let refused = t.api.post("/public/v1/media/import", &wanted).await;
    assert_eq!(
        refused.refused(409, "storage_limit_reached")["details"],
        json!({ "limit": photo.len(), "used": photo.len(), "resetsAt": null })
    );
    assert_eq!(usage(&t).await["storage"]["usedBytes"], photo.len());
    let media = t.api.get("/public/v1/media").await.ok();
    assert_eq!(media["media"].as_array().unwrap().len(), 1, "the photo alone");
}

async fn accounts_beyond_the_plan_are_refused_and_known_ones_may_always_reconnect(db: Db) {
    let (t, _plans) = planned(db, "connected_accounts = 1").await;
    let kite = t.connect("kitestudio").await;
    assert!(
        connecting(&t, "harborbakes")
            .await
            .ends_with("error=account_limit_reached")
    );
    assert_eq!(t.connect("kitestudio").await, kite, "the same account again");
    assert_eq!(usage(&t).await["platforms"], json!({ "used": 1, "limit": 1 }));
    t.remove_account(&kite).await;
    t.idle().await;
    assert_eq!(usage(&t).await["platforms"]["used"], 0);
    t.connect("harborbakes").await;
    assert!(
        connecting(&t, "kitestudio")
            .await
            .ends_with("error=account_limit_reached"),
        "a removed account counts as new"
    );
}

async fn of_many_accounts_connected_at_once_exactly_the_plans_are(db: Db) {
    let (t, _plans) = planned(db, "connected_accounts = 3").await;
    let names: Vec<String> = (0..10).map(|number| format!("kite{number}")).collect();
    for name in &names {
        t.sim.add_account(playout_tiktok::sim::Account::new(name));
    }
    let led_to = join_all(names.iter().map(|name| connecting(&t, name))).await;
    let connected = led_to.iter().filter(|to| to.contains("connected=")).count();
    let refused = led_to
        .iter()
        .filter(|to| to.ends_with("error=account_limit_reached"))
        .count();
    assert_eq!((connected, refused), (3, 7), "{led_to:?}");
    assert_eq!(usage(&t).await["platforms"], json!({ "used": 3, "limit": 3 }));
}
