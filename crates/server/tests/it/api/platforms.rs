//! Platforms: list and schema (`docs/contract.md#platforms`, `docs/contract.md#platform-schema`).

use std::time::Duration;

use playout_store::PlatformChanges;
use playout_tiktok::sim::Account;
use serde_json::{Value, json};

use crate::harness::{Client, Db, START, TestApp, on_both};

on_both!(
    connected_accounts_are_listed_by_name,
    accounts_of_one_name_are_listed_by_id,
    disabled_accounts_are_left_out,
    accounts_that_must_reconnect_are_left_out_until_they_have,
    a_platform_has_every_field_of_the_contract,
    the_schema_is_the_contracts,
    the_accounts_own_options_show_in_the_schema,
    what_the_account_forbids_is_off_and_says_why,
    the_accounts_defaults_show_as_defaults,
    an_account_that_grants_less_can_do_less,
    what_an_account_does_not_reveal_is_null,
    an_unknown_platform_is_not_found,
);

async fn list(t: &TestApp) -> Vec<Value> {
    t.api.get("/public/v1/platforms").await.ok()["platforms"]
        .as_array()
        .unwrap()
        .clone()
}

/// With those that are disabled, and those that must be connected again.
async fn every(api: &Client) -> Vec<Value> {
    let list = api.get("/public/v1/platforms?include=all").await.ok();
    list["platforms"].as_array().unwrap().clone()
}

async fn schema(t: &TestApp, platform: &str) -> Value {
    t.api
        .get(&format!("/public/v1/platforms/{platform}/schema"))
        .await
        .ok()
}

/// The descriptor of a setting.
fn field<'a>(schema: &'a Value, name: &str) -> &'a Value {
    let fields = schema["schema"]["settings"]["fields"].as_array().unwrap();
    fields
        .iter()
        .find(|field| field["name"] == name)
        .unwrap_or_else(|| panic!("no field {name}"))
}

async fn change(t: &TestApp, platform: &str, changes: PlatformChanges) {
    t.change_account(platform, changes).await;
}

/// Connects a new account of that handle with these flags.
async fn connect_with(t: &TestApp, username: &str, flags: impl FnOnce(&mut Account)) -> String {
    let mut account = Account::new(username);
    flags(&mut account);
    t.sim.add_account(account);
    t.connect(username).await
}

async fn connected_accounts_are_listed_by_name(db: Db) {
    let t = TestApp::start(db).await;
    assert_eq!(
        t.api.get("/public/v1/platforms").await.ok(),
        json!({ "platforms": [] })
    );
    let (kite, bakery) = (t.connect("kitestudio").await, t.connect("harborbakes").await);
    let ids: Vec<_> = list(&t)
        .await
        .iter()
        .map(|platform| platform["id"].clone())
        .collect();
    assert_eq!(
        ids,
        [json!(bakery), json!(kite)],
        "Harbor Bakes comes before Kite Studio"
    );
}

async fn accounts_of_one_name_are_listed_by_id(db: Db) {
    let t = TestApp::start(db).await;
    let mut ids = Vec::new();
    for username in ["third", "first", "second"] {
        ids.push(connect_with(&t, username, |account| account.nickname = "Same Name".to_owned()).await);
    }
    ids.sort();
    let listed: Vec<_> = list(&t)
        .await
        .iter()
        .map(|platform| platform["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(listed, ids);
}

async fn disabled_accounts_are_left_out(db: Db) {
    let t = TestApp::start(db).await;
    let (kite, bakery) = (t.connect("kitestudio").await, t.connect("harborbakes").await);
    change(
        &t,
        &kite,
        PlatformChanges {
            disabled: Some(true),
            ..PlatformChanges::default()
        },
    )
    .await;
    let listed = list(&t).await;
    assert_eq!((listed.len(), &listed[0]["id"]), (1, &json!(bakery)));
    let all = every(&t.api).await;
    let shown: Vec<_> = all.iter().map(|one| (&one["id"], &one["disabled"])).collect();
    assert_eq!(
        shown,
        [(&json!(bakery), &json!(false)), (&json!(kite), &json!(true))]
    );
    assert!(every(&t.stranger().await).await.is_empty());
    let unknown = t.api.get("/public/v1/platforms?include=some").await;
    unknown.invalid_at(&[json!(["include"])]);
    t.api
        .get(&format!("/public/v1/platforms/{kite}/schema"))
        .await
        .refused(404, "platform_not_found");
    change(
        &t,
        &kite,
        PlatformChanges {
            disabled: Some(false),
            ..PlatformChanges::default()
        },
    )
    .await;
    assert_eq!(list(&t).await.len(), 2);
}

async fn accounts_that_must_reconnect_are_left_out_until_they_have(db: Db) {
    let t = TestApp::start(db).await;
    let kite = t.connect("kitestudio").await;
    let account = list(&t).await[0]["providerAccountId"]
        .as_str()
        .unwrap()
        .to_owned();
    t.sim.disconnect(&account, 1);
    t.idle().await;
    assert!(list(&t).await.is_empty());
    let all = every(&t.api).await;
    assert_eq!(
        (all.len(), &all[0]["id"], &all[0]["refreshNeeded"]),
        (1, &json!(kite), &json!(true))
    );
    t.api
        .get(&format!("/public/v1/platforms/{kite}/schema"))
        .await
        .refused(404, "platform_not_found");
    t.advance(Duration::from_secs(5)).await;
    assert_eq!(t.connect("kitestudio").await, kite, "reconnecting keeps the ID");
    assert_eq!(list(&t).await[0]["refreshNeeded"], false);
}

async fn a_platform_has_every_field_of_the_contract(db: Db) {
    let t = TestApp::start(db).await;
    let id = t.connect("kitestudio").await;
    let platform = list(&t).await.remove(0);
    let account = platform["providerAccountId"].as_str().unwrap();
    assert!(
        account.starts_with("-000") && account.len() == 36,
        "verbatim: {account}"
    );
    let expected = json!({
        "id": id,
        "provider": "tiktok",
        "connection": "creator",
        "providerName": "TikTok",
        "providerAccountId": account,
        "displayName": "Kite Studio",
        "displayHandle": "kitestudio",
        "displayImageUrl": platform["displayImageUrl"],
        "disabled": false,
        "refreshNeeded": false,
        "tokenExpiresAt": "2026-11-21T12:00:00.000Z",
        "capabilities": ["video", "photos", "direct_post", "inbox_draft"],
        "metadata": {
            "username": "kitestudio",
            "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"],
            "commentDisabled": false,
            "duetDisabled": false,
            "stitchDisabled": false,
            "maxVideoPostDurationSec": 600,
            "refreshedAt": START,
            "scopes": ["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"],
        },
        "settings": {},
    });
    assert_eq!(platform, expected);
    assert!(
        platform["displayImageUrl"]
            .as_str()
            .is_some_and(|url| url.starts_with("http")),
        "{platform:#}"
    );
    assert_eq!(
        schema(&t, &id).await["platform"],
        list(&t).await[0],
        "the schema shows the same platform"
    );
}

async fn the_schema_is_the_contracts(db: Db) {
    let t = TestApp::start(db).await;
    let id = t
        .connect_granting(
            "kitestudio",
            &[
                "user.info.basic",
                "user.info.profile",
                "video.publish",
                "video.upload",
            ],
        )
        .await;
    let answer = schema(&t, &id).await;
    assert_eq!(answer.as_object().unwrap().len(), 2);
    let mut schema = answer["schema"].clone();
    let (rules, fields) = (
        schema["media"]["rules"].take(),
        schema["settings"]["fields"].take(),
    );
    assert_eq!(
        schema,
        json!({
            "provider": "tiktok",
            "content": { "required": true, "maxLength": 2200 },
            "media": {
                "required": true, "allowedTypes": ["video", "image"], "minItems": 1, "maxItems": 35,
                "supportsMixedTypes": false, "rules": null,
            },
            "comments": { "supported": false, "mediaSupported": false, "delayInMinutesSupported": false, "maxLength": null },
            "settings": { "fields": null },
        })
    );
    let rules: Vec<&str> = rules
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| rule.as_str().unwrap())
        .collect();
    assert!(
        rules.len() >= 5 && rules.iter().all(|rule| rule.ends_with('.') && rule.len() < 120),
        "{rules:#?}"
    );
    let mut fields = fields.as_array().unwrap().clone();
    for field in &mut fields {
        assert!(
            field["description"]
                .take()
                .as_str()
                .is_some_and(|text| text.len() > 10)
        );
    }
    assert_eq!(json!(fields), expected_fields());
}

async fn the_accounts_own_options_show_in_the_schema(db: Db) {
    let t = TestApp::start(db).await;
    let id = connect_with(&t, "quiet", |account| account.private = true).await;
    let schema = schema(&t, &id).await;
    let options = json!(["FOLLOWER_OF_CREATOR", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"]);
    assert_eq!(field(&schema, "privacy_level")["enum"], options);
    assert_eq!(schema["platform"]["metadata"]["privacyLevelOptions"], options);
}

async fn what_the_account_forbids_is_off_and_says_why(db: Db) {
    let t = TestApp::start(db).await;
    let id = connect_with(&t, "strict", |account| {
        (
            account.comment_disabled,
            account.duet_disabled,
            account.stitch_disabled,
        ) = (true, true, false);
        account.max_video_sec = 60;
    })
    .await;
    let wishes = json!({ "allow_comment": true, "allow_duet": true, "allow_stitch": true });
    let settings = wishes.as_object().cloned();
    change(
        &t,
        &id,
        PlatformChanges {
            settings,
            ..PlatformChanges::default()
        },
    )
    .await;
    let schema = schema(&t, &id).await;
    for (name, default, says_why) in [
        ("allow_comment", false, true),
        ("allow_duet", false, true),
        ("allow_stitch", true, false),
    ] {
        let field = field(&schema, name);
        assert_eq!(field["default"], default, "{name}");
        assert_eq!(
            field["description"].as_str().unwrap().contains("forbid"),
            says_why,
            "{field:#}"
        );
    }
    let metadata = &schema["platform"]["metadata"];
    assert_eq!(
        (&metadata["commentDisabled"], &metadata["stitchDisabled"]),
        (&json!(true), &json!(false))
    );
    let rules = schema["schema"]["media"]["rules"].to_string();
    assert!(rules.contains("60 seconds"), "{rules}");
}

async fn the_accounts_defaults_show_as_defaults(db: Db) {
    let t = TestApp::start(db).await;
    let id = t.connect("kitestudio").await;
    let wishes = json!({ "privacy_level": "PUBLIC_TO_EVERYONE", "is_aigc": true });
    change(
        &t,
        &id,
        PlatformChanges {
            settings: wishes.as_object().cloned(),
            ..PlatformChanges::default()
        },
    )
    .await;
    let schema = schema(&t, &id).await;
    assert_eq!(schema["platform"]["settings"], wishes);
    assert_eq!(field(&schema, "privacy_level")["default"], "PUBLIC_TO_EVERYONE");
    assert_eq!(field(&schema, "is_aigc")["default"], true);
}

async fn an_account_that_grants_less_can_do_less(db: Db) {
    let t = TestApp::start(db).await;
    let scopes = ["user.info.basic", "user.info.profile", "video.publish"];
    let id = t.connect_granted("harborbakes", &scopes).await;
    let schema = schema(&t, &id).await;
    assert_eq!(
        schema["platform"]["capabilities"],
        json!(["video", "photos", "direct_post"])
    );
    assert_eq!(field(&schema, "post_mode")["enum"], json!(["DIRECT_POST"]));
    assert_eq!(schema["schema"]["comments"]["supported"], false);
}

async fn what_an_account_does_not_reveal_is_null(db: Db) {
    let t = TestApp::start(db).await;
    let id = t
        .connect_granted("harborbakes", &["user.info.basic", "video.upload"])
        .await;
    let platform = list(&t).await.remove(0);
    assert_eq!(
        (&platform["id"], &platform["displayName"]),
        (&json!(id), &json!("Harbor Bakes"))
    );
    assert_eq!(
        platform["displayHandle"],
        Value::Null,
        "the handle takes a scope of its own: {platform:#}"
    );
    assert!(platform.as_object().unwrap().contains_key("displayHandle"));
}

async fn an_unknown_platform_is_not_found(db: Db) {
    let t = TestApp::start(db).await;
    let path = "/public/v1/platforms/0196f3a0-0000-7000-8000-000000000000/schema";
    t.api.get(path).await.refused(404, "platform_not_found");
    t.api
        .get("/public/v1/platforms/kitestudio/schema")
        .await
        .invalid_at(&[json!(["id"])]);
}

/// The table of `docs/contract.md#setting-fields`.
fn expected_fields() -> Value {
    let (both, image, video) = (json!(["video", "image"]), json!(["image"]), json!(["video"]));
    let switch = |name: &str, default: bool, applies_to: &Value| json!({ "name": name, "type": "boolean", "required": false, "default": default, "description": null, "appliesTo": applies_to });
    let number = |name: &str, applies_to: &Value| json!({ "name": name, "type": "integer", "required": false, "default": 0, "description": null, "appliesTo": applies_to, "minimum": 0 });
    json!([
        { "name": "privacy_level", "type": "enum", "required": false, "default": "SELF_ONLY", "description": null,
            "enum": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"], "appliesTo": both },
        { "name": "post_mode", "type": "enum", "required": false, "default": "DIRECT_POST", "description": null,
            "enum": ["DIRECT_POST", "MEDIA_UPLOAD"], "appliesTo": both },
        { "name": "title", "type": "string", "required": false, "default": null, "description": null, "maxLength": 90, "appliesTo": image },
        switch("allow_comment", false, &both),
        switch("allow_duet", false, &video),
        switch("allow_stitch", false, &video),
        switch("auto_add_music", true, &image),
        number("photo_cover_index", &image),
        number("video_cover_timestamp_ms", &video),
        switch("brand_content_toggle", false, &both),
        switch("brand_organic_toggle", false, &both),
        switch("is_aigc", false, &both),
    ])
}
