//! Databases that released versions left behind, with rows of every kind: migrated by this version, and used.
//!
//! `crates/store/tests/upgrades/` holds one dump for each kept version and database, named after the newest migration of
//! that version. `make` writes those of this version: see "Releases" in CONTRIBUTING.md.

mod dump;
mod fill;

use std::time::Duration;

use playout_domain::time::Time;
use playout_tiktok::sim::{Endpoint, Kind, Past, PostInfo, TokenPair};
use reqwest::Method;
use serde_json::{Value, json};

use self::dump::Kept;
use self::fill::IDEMPOTENCY_KEY;
use crate::harness::{CLIP, Client, Db, Options, TestApp, execute_in, on_both, secret, texts_in};

on_both!(
    the_database_of_every_kept_version_is_migrated_and_used,
    a_migration_that_was_released_cannot_be_changed,
);

/// Tables in which no version leaves rows that last, or which are filled by what no test waits for.
const EMPTY: [&str; 12] = [
    "removed_files",
    "sign_ins",
    "restrictions",
    "storage_reservations",
    "unnamed_files",
    "ended_workspaces",
    "email_verifications",
    "allowances",
    "compatibility",
    "open_streams",
    "rates",
    "wrong_codes",
];

async fn the_database_of_every_kept_version_is_migrated_and_used(db: Db) {
    let kept = dump::kept(db);
    assert!(
        kept.iter().any(|kept| kept.version == 16) && kept.len() >= 2,
        "the dumps are there"
    );
    for kept in &kept {
        has_rows_of_every_kind(db, kept);
        let mut t = start(db, kept).await;
        assert_eq!(t.app.store.pending_migrations().await.unwrap(), 0);
        let api = t.api.with_key(Some(secret(text(&kept.known["key"]))));
        people_come_in(&t, &kept.known).await;
        posts_are_as_they_were(&api, &kept.known["posts"]).await;
        requests_are_replayed(&api, &kept.known["posts"]).await;
        posts_go_on(&t, &api, &kept.known).await;
        t.stop().await;
    }
}

async fn a_migration_that_was_released_cannot_be_changed(db: Db) {
    let kept = dump::kept(db).remove(0);
    let t = start(db, &kept).await;
    let url = t.app.config.database_url.expose();
    execute_in(
        url,
        db,
        "UPDATE _sqlx_migrations SET checksum = checksum || checksum WHERE version = 3",
    )
    .await;
    let refused = t.app.store.migrate().await.unwrap_err().to_string();
    assert!(
        refused.contains("migration 3") && refused.contains("modified"),
        "{refused}"
    );
}

fn has_rows_of_every_kind(db: Db, kept: &Kept) {
    let schema = match db {
        Db::Sqlite => "",
        Db::Postgres => "public.",
    };
    let tables = kept
        .sql
        .lines()
        .filter_map(|line| line.strip_prefix(&format!("CREATE TABLE {schema}")));
    let names = tables.filter_map(|line| line.split(' ').next());
    for table in names.map(|name| name.trim_matches('"')) {
        let has_rows = ["", "\""].iter().any(|quote| {
            kept.sql
                .contains(&format!("INSERT INTO {quote}{schema}{table}{quote} "))
        });
        assert!(
            has_rows || EMPTY.contains(&table),
            "{table} of {} is empty",
            kept.version
        );
    }
}

/// This version on a kept database, at its time, beside its media and a provider with its earlier publications.
async fn start(db: Db, kept: &Kept) -> TestApp {
    // Local addresses are not called: where the receivers of that time listened, a server of this test may listen now.
    let options = Options {
        dump: Some(kept.sql.clone()),
        ..Options::default()
    };
    let t = TestApp::start_with(db, options).await;
    let url = t.app.config.database_url.expose();
    let clips = "SELECT storage_key FROM media WHERE file_name = 'clip.mp4'";
    for key in texts_in(url, db, clips).await {
        t.app.blobs.put(&key, CLIP.into()).await.unwrap();
    }
    let creator = text(&kept.known["posts"]["creator"]).parse().unwrap();
    let tokens = t
        .app
        .store
        .tokens(creator)
        .await
        .unwrap()
        .expect("sealed tokens open");
    t.sim.remember_tokens(&TokenPair {
        access_token: tokens.access.expose().to_owned(),
        refresh_token: tokens.refresh.unwrap().expose().to_owned(),
        expires_in: 86_400,
        refresh_expires_in: 365 * 86_400,
        open_id: t.open_id("kitestudio"),
        scope: playout_tiktok::sim::SCOPES.join(","),
    });
    let handles = "SELECT s.handle || ' ' || p.content FROM submissions s JOIN posts p ON p.id = s.post_id
        WHERE s.handle IS NOT NULL AND p.content IN ('published', 'inbox', 'open')";
    for found in texts_in(url, db, handles).await {
        let (handle, content) = found.split_once(' ').unwrap();
        assert!(t.sim.remember(&past(&t, handle, content)).unwrap());
    }
    t.clock.set(time(&kept.known["now"]));
    t
}

fn past(t: &TestApp, handle: &str, content: &str) -> Past {
    Past {
        open_id: t.open_id("kitestudio"),
        publish_id: handle.to_owned(),
        post_id: (content != "inbox").then(|| format!("77102222{:011}", content.len())),
        kind: Kind::Video,
        info: PostInfo {
            title: content.to_owned(),
            privacy_level: "PUBLIC_TO_EVERYONE".to_owned(),
            ..PostInfo::default()
        },
        media: vec![CLIP.into()],
        at: t.now(),
    }
}

/// Keys, sessions, passwords and second factors are worth what they were.
async fn people_come_in(t: &TestApp, known: &Value) {
    let with = |token: &Value| t.api.with_key(Some(secret(text(token))));
    let list = "/public/v1/posts?limit=1";
    with(&known["keyOfAda"]).get(list).await.ok();
    with(&known["revokedKey"])
        .get(list)
        .await
        .refused(401, "invalid_api_key");
    with(&known["sessionOfBob"]).get("/app/v1/me").await.ok();
    let recovery = text(&known["recoveryCodes"][0]);
    t.sign_in("ada@example.org")
        .await
        .refused(401, "second_factor_required");
    let begun = t.sign_in_with("ada@example.org", recovery).await.ok();
    let ada = with(&begun["token"]).in_workspace(text(&known["workspace"]));
    let trail = ada.get("/app/v1/audit").await.ok();
    let actions = trail["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["action"].clone());
    assert!(
        actions.collect::<Vec<_>>().contains(&json!("key.revoked")),
        "{trail:#}"
    );
}

async fn posts_are_as_they_were(api: &Client, posts: &Value) {
    let states = [
        ("published", "PUBLISHED"),
        ("commented", "PUBLISHED"),
        ("inbox", "ACTION_REQUIRED"),
        ("failed", "ERROR"),
        ("draft", "DRAFT"),
        ("planned", "QUEUE"),
        ("open", "QUEUE"),
    ];
    for (name, state) in states {
        let group = api
            .get(&format!("/public/v1/posts/{}", text(&posts[name])))
            .await
            .ok();
        assert_eq!(
            (&group["root"]["content"], &group["root"]["state"]),
            (&json!(name), &json!(state)),
            "{group:#}"
        );
    }
    let list = api.get("/public/v1/posts?limit=100").await.ok();
    assert_eq!(
        list["posts"].as_array().map(Vec::len),
        Some(states.len()),
        "{list:#}"
    );
}

async fn requests_are_replayed(api: &Client, posts: &Value) {
    let request = api
        .request(Method::POST, "/public/v1/posts")
        .header("idempotency-key", IDEMPOTENCY_KEY);
    let again = api.send(request.json(&posts["plannedRequest"])).await;
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(again.ok()["results"][0]["post"]["root"]["id"], posts["planned"]);
}

/// The status of what was handed over is queried, and what was planned goes out: each once. The codes of an app are valid
/// afterwards.
async fn posts_go_on(t: &TestApp, api: &Client, known: &Value) {
    t.advance(Duration::from_secs(10)).await;
    let state = async |name: &str| {
        let path = format!("/public/v1/posts/{}", text(&known["posts"][name]));
        api.get(&path).await.ok()["root"]["state"].take()
    };
    assert_eq!(state("open").await, "PUBLISHED");
    assert_eq!(
        t.calls(Endpoint::VideoInit).len(),
        0,
        "it is not handed over again"
    );
    while state("planned").await == "QUEUE" {
        let next = t.app.store.next_run_at().await.unwrap().expect("a job is left");
        t.clock.set(next);
        t.idle().await;
    }
    assert_eq!(state("planned").await, "PUBLISHED");
    assert_eq!(t.calls(Endpoint::VideoInit).len(), 1);
    let code = &known["codeOfAda"];
    t.clock.set(time(&code["at"]));
    t.sign_in_with("ada@example.org", text(&code["code"])).await.ok();
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn time(value: &Value) -> Time {
    Time::parse(text(value)).unwrap()
}
