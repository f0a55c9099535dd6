//! Login: consent, codes, tokens, and how they end.

use std::collections::HashMap;

use playout_tiktok::sim::{Pkce, RefreshRotation, SimConfig};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::Url;
use url::form_urlencoded::Serializer;

use crate::harness::{Answer, World, answer};

const REDIRECT: &str = "http://127.0.0.1:8080/oauth/tiktok/callback";
const VERIFIER: &str = "a-verifier-of-at-least-forty-three-characters-0123";

fn hex_challenge() -> String {
    hex::encode(Sha256::digest(VERIFIER))
}

/// An authorization URL with some parameters replaced (empty: left out).
fn authorization(world: &World, changes: &[(&str, &str)]) -> String {
    let challenge = hex_challenge();
    let mut all = vec![
        ("client_key", "sim_client_key"),
        ("response_type", "code"),
        ("scope", "user.info.basic,video.publish"),
        ("redirect_uri", REDIRECT),
        ("state", "a state & more"),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ];
    for (name, value) in &mut all {
        if let Some((_, changed)) = changes.iter().find(|(changed, _)| changed == name) {
            *value = changed;
        }
    }
    let pairs = all.into_iter().filter(|(_, value)| !value.is_empty());
    let query = Serializer::new(String::new()).extend_pairs(pairs).finish();
    format!("{}/v2/auth/authorize/?{query}", world.sim.url())
}

fn parameters(location: &str) -> HashMap<String, String> {
    Url::parse(location).unwrap().query_pairs().into_owned().collect()
}

/// Approves over HTTP as a browser does, and returns the answer.
async fn approve(world: &World, url: &str, extra: &[(&str, &str)]) -> Answer {
    let mut form = vec![("account", "kitestudio"), ("decision", "approve")];
    form.extend(extra);
    answer(world.http.post(url).form(&form).send().await.unwrap()).await
}

async fn exchange(world: &World, code: &str, changes: &[(&str, &str)]) -> Answer {
    let mut form = vec![
        ("client_key", "sim_client_key"),
        ("client_secret", "sim_client_secret"),
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
    ];
    for (name, value) in &mut form {
        if let Some((_, changed)) = changes.iter().find(|(changed, _)| changed == name) {
            *value = changed;
        }
    }
    world.form("/v2/oauth/token/", &form).await
}

async fn new_code(world: &World) -> String {
    let back = approve(world, &authorization(world, &[]), &[]).await;
    parameters(&back.header("location"))["code"].clone()
}

async fn refresh(world: &World, token: &str) -> Answer {
    let form = [
        ("client_key", "sim_client_key"),
        ("client_secret", "sim_client_secret"),
        ("grant_type", "refresh_token"),
        ("refresh_token", token),
    ];
    world.form("/v2/oauth/token/", &form).await
}

#[tokio::test]
async fn a_person_approves_and_the_code_buys_tokens() {
    let world = World::start().await;
    let url = authorization(&world, &[]);
    let page = answer(world.http.get(&url).send().await.unwrap()).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("@kitestudio") && page.text.contains("video.publish"));
    let back = approve(&world, &url, &[]).await;
    assert_eq!(back.status, 302);
    let location = back.header("location");
    assert!(location.starts_with(REDIRECT));
    let parameters = parameters(&location);
    assert_eq!(parameters["state"], "a state & more");
    assert_eq!(parameters["scopes"], "user.info.basic,video.publish");
    assert!(parameters["code"].contains('*') && parameters["code"].contains('!'));
    let tokens = exchange(&world, &parameters["code"], &[]).await.json();
    assert!(tokens["access_token"].as_str().unwrap().starts_with("act."));
    assert!(tokens["refresh_token"].as_str().unwrap().starts_with("rft."));
    assert_eq!(tokens["open_id"], world.open_id);
    assert_eq!(
        (&tokens["expires_in"], &tokens["refresh_expires_in"]),
        (&json!(86_400), &json!(31_536_000))
    );
    assert_eq!(
        (&tokens["scope"], &tokens["token_type"]),
        (&json!("user.info.basic,video.publish"), &json!("Bearer"))
    );
}

#[tokio::test]
async fn a_person_may_untick_a_scope_or_deny() {
    let world = World::start().await;
    let url = authorization(&world, &[]);
    let back = approve(&world, &url, &[("granted", "user.info.basic")]).await;
    assert_eq!(parameters(&back.header("location"))["scopes"], "user.info.basic");
    let denied = answer(
        world
            .http
            .post(&url)
            .form(&[("decision", "deny")])
            .send()
            .await
            .unwrap(),
    )
    .await;
    let denied = parameters(&denied.header("location"));
    assert_eq!(
        (denied["error"].as_str(), denied["state"].as_str()),
        ("access_denied", "a state & more")
    );
    assert_eq!(
        parameters(&world.sim.deny(&url).unwrap())["error"],
        "access_denied"
    );
    let approved = world.sim.approve(&url, "kitestudio", &["video.publish"]).unwrap();
    assert_eq!(parameters(&approved)["scopes"], "video.publish");
}

#[tokio::test]
async fn a_wrong_parameter_is_named_on_a_page_and_never_reaches_the_app() {
    let world = World::start().await;
    let cases = [
        ("client_key", "other"),
        ("redirect_uri", "http://127.0.0.1:8080/oauth/tiktok/callback/"),
        ("response_type", "token"),
        ("scope", "user.info.basic video.publish"),
        ("code_challenge", ""),
        ("code_challenge_method", "plain"),
    ];
    for (name, value) in cases {
        let url = authorization(&world, &[(name, value)]);
        let page = answer(world.http.get(&url).send().await.unwrap()).await;
        assert_eq!(page.status, 400, "{name}");
        assert!(page.text.contains(&format!("<code>{name}</code>")), "{name}");
        assert_eq!(world.sim.approve(&url, "kitestudio", &[]), None, "{name}");
    }
}

#[tokio::test]
async fn only_target_users_may_log_in_to_a_sandbox() {
    let world = World::start().await;
    world.sim.turn(|knobs| knobs.sandbox_targets = Some(Vec::new()));
    let refused = approve(&world, &authorization(&world, &[]), &[]).await;
    assert!(refused.text.contains("non_sandbox_target"));
}

#[tokio::test]
async fn a_code_works_once_and_only_as_it_was_asked_for() {
    let world = World::start().await;
    let code = new_code(&world).await;
    assert_eq!(exchange(&world, &code, &[]).await.status, 200);
    let again = exchange(&world, &code, &[]).await;
    assert_eq!(
        (again.status, again.json()["error"].clone()),
        (400, json!("invalid_grant"))
    );
    let code = new_code(&world).await;
    let elsewhere = exchange(
        &world,
        &code,
        &[("redirect_uri", "http://127.0.0.1:9/oauth/tiktok/callback")],
    )
    .await;
    let said = &elsewhere.json()["error_description"];
    assert_eq!(
        said,
        "Redirect_uri is not matched with the uri when requesting code."
    );
    let code = new_code(&world).await;
    world.advance(601);
    assert_eq!(
        exchange(&world, &code, &[]).await.json()["error"],
        "invalid_grant"
    );
}

#[tokio::test]
async fn the_challenge_is_lower_case_hex_unless_the_knob_says_both() {
    let world = World::start().await;
    let code = new_code(&world).await;
    let wrong = exchange(
        &world,
        &code,
        &[("code_verifier", "another-verifier-of-at-least-forty-three-chars")],
    )
    .await;
    assert_eq!(
        wrong.json()["error_description"],
        "Code verifier or code challenge is invalid."
    );
    use base64::Engine;
    let base64 = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
    let hex = hex_challenge();
    for (mode, challenge, status) in [
        (Pkce::Hex, &base64, 400),
        (Pkce::Required, &base64, 400),
        (Pkce::Both, &base64, 200),
        (Pkce::Both, &hex, 200),
    ] {
        world.sim.turn(|knobs| knobs.pkce = mode);
        let url = authorization(&world, &[("code_challenge", challenge)]);
        let code = parameters(&world.sim.approve(&url, "kitestudio", &[]).unwrap())["code"].clone();
        assert_eq!(exchange(&world, &code, &[]).await.status, status, "{mode:?}");
    }
}

#[tokio::test]
async fn the_consent_page_says_which_setting_takes_a_base64url_challenge() {
    use base64::Engine;
    let world = World::start().await;
    let base64 = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
    let hex = hex_challenge();
    for (mode, challenge, is_noted) in [
        (Pkce::Hex, &base64, true),
        (Pkce::Required, &base64, true),
        (Pkce::Both, &base64, false),
        (Pkce::Off, &base64, false),
        (Pkce::Hex, &hex, false),
    ] {
        world.sim.turn(|knobs| knobs.pkce = mode);
        let url = authorization(&world, &[("code_challenge", challenge)]);
        let page = answer(world.http.get(&url).send().await.unwrap()).await;
        assert_eq!(page.status, 200);
        let note = "<code>pkce</code> is <code>both</code>";
        assert_eq!(page.text.contains(note), is_noted, "{mode:?} {challenge}");
    }
}

#[tokio::test]
async fn pkce_is_a_must_for_desktop_and_by_knob_for_all() {
    let redirect = "https://app.example/cb";
    let world = World::with(SimConfig {
        redirect_uris: vec![redirect.to_owned()],
        ..SimConfig::default()
    })
    .await;
    let url = authorization(&world, &[("redirect_uri", redirect), ("code_challenge", "")]);
    assert!(world.sim.approve(&url, "kitestudio", &[]).is_some());
    world.sim.turn(|knobs| knobs.pkce = Pkce::Required);
    assert!(world.sim.approve(&url, "kitestudio", &[]).is_none());
}

#[tokio::test]
async fn the_token_endpoint_takes_forms_with_the_right_secret() {
    let world = World::start().await;
    let as_json = world
        .post("/v2/oauth/token/", json!({ "grant_type": "client_credentials" }))
        .await;
    assert_eq!(as_json.json()["error"], "invalid_request");
    assert_eq!(world.sim.misunderstood().len(), 1);
    let no_secret = world
        .form("/v2/oauth/token/", &[("client_key", "sim_client_key")])
        .await;
    assert_eq!(
        no_secret.json()["error_description"],
        "Client secret is missed in request."
    );
    let wrong = [
        ("client_key", "sim_client_key"),
        ("client_secret", "wrong"),
        ("grant_type", "refresh_token"),
    ];
    assert_eq!(
        world.form("/v2/oauth/token/", &wrong).await.json()["error"],
        "invalid_client"
    );
    let client = |grant| {
        [
            ("client_key", "sim_client_key"),
            ("client_secret", "sim_client_secret"),
            ("grant_type", grant),
        ]
    };
    let own = world
        .form("/v2/oauth/token/", &client("client_credentials"))
        .await
        .json();
    assert!(own["access_token"].as_str().unwrap().starts_with("clt."));
    let odd = world.form("/v2/oauth/token/", &client("password")).await.json();
    assert_eq!(odd["error"], "unsupported_grant_type");
    assert!(odd["log_id"].is_string());
}

#[tokio::test]
async fn api_addresses_without_the_slash_do_not_exist() {
    let world = World::start().await;
    assert_eq!(world.form("/v2/oauth/token", &[]).await.status, 404);
    assert_eq!(world.form("/v2/oauth/revoke", &[]).await.status, 404);
    assert_eq!(
        world.post("/v2/post/publish/video/init", json!({})).await.status,
        404
    );
    assert_eq!(world.sim.misunderstood().len(), 3);
}

#[tokio::test]
async fn the_authorize_page_answers_with_and_without_its_slash() {
    let world = World::start().await;
    let with = authorization(&world, &[]);
    let without = with.replace("/authorize/?", "/authorize?");
    assert_ne!(with, without);
    for url in [with, without] {
        let page = answer(world.http.get(&url).send().await.unwrap()).await;
        assert_eq!(page.status, 200, "{url}");
        let back = approve(&world, &url, &[]).await;
        assert_eq!(back.status, 302, "{url}");
        let code = parameters(&back.header("location"))["code"].clone();
        assert_eq!(exchange(&world, &code, &[]).await.status, 200, "{url}");
        assert!(
            world.sim.approve(&url, "kitestudio", &[]).is_some(),
            "{url}: without a browser"
        );
    }
    assert_eq!(world.sim.misunderstood().len(), 0);
}

#[tokio::test]
async fn a_refresh_token_is_single_use_unless_the_knob_says_same() {
    let world = World::start().await;
    let first = world.sim.grant(&world.open_id, &["video.publish"]);
    let second = refresh(&world, &first.refresh_token).await.json();
    assert_ne!(second["refresh_token"], first.refresh_token);
    assert_eq!(
        refresh(&world, &first.refresh_token).await.json()["error"],
        "invalid_grant"
    );
    world
        .sim
        .turn(|knobs| knobs.refresh_rotation = RefreshRotation::Same);
    let token = second["refresh_token"].as_str().unwrap();
    assert_eq!(refresh(&world, token).await.json()["refresh_token"], token);
    assert_eq!(refresh(&world, token).await.status, 200);
}

#[tokio::test]
async fn oauth_errors_may_come_with_200() {
    let world = World::start().await;
    world.sim.turn(|knobs| knobs.oauth_error_http = 200);
    let refused = refresh(&world, "rft.nothing").await;
    assert_eq!(
        (refused.status, refused.json()["error"].clone()),
        (200, json!("invalid_grant"))
    );
}

#[tokio::test]
async fn an_expired_access_token_is_refreshed() {
    let world = World::start().await;
    let pair = world.sim.grant(&world.open_id, &["video.publish"]);
    world.sim.expire_access_token(&world.open_id);
    assert_eq!(world.init_video("expired", 100).await.status, 401);
    let token = refresh(&world, &pair.refresh_token).await.json()["access_token"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = "/v2/post/publish/creator_info/query/";
    let info = world.send_as(&token, reqwest::Method::POST, path, None).await;
    assert_eq!(info.code(), "ok");
}

#[tokio::test]
async fn revoking_kills_all_tokens_of_the_account() {
    let world = World::start().await;
    let pair = world.sim.grant(&world.open_id, &["video.publish"]);
    let form = [
        ("client_key", "sim_client_key"),
        ("client_secret", "sim_client_secret"),
        ("token", &pair.access_token),
    ];
    let revoked = world.form("/v2/oauth/revoke/", &form).await;
    assert_eq!((revoked.status, revoked.text.as_str()), (200, ""));
    assert_eq!(world.init_video("revoked", 100).await.status, 401);
    assert_eq!(
        refresh(&world, &pair.refresh_token).await.json()["error"],
        "invalid_grant"
    );
    let unknown: Value = world.form("/v2/oauth/revoke/", &form).await.json();
    assert_eq!(unknown["error"], "invalid_grant");
}
