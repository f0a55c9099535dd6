//! Consent, tokens and an account's profile and options.

use playout_domain::platform::Capability;
use playout_domain::provider::{AuthorizationRequest, Fate, Provider, ProviderError, TokenSet};
use playout_domain::secret::Secret;
use serde_json::json;

use crate::canned::{Answer, Canned, api_error, empty, gateway_html, json as answer, ok};
use crate::setting::{NOW, access, client_at, grant, platform};

const TOKENS: &str = r#"{"access_token":"act.2","expires_in":86400,"open_id":"-000AbC","refresh_token":"rft.2",
    "refresh_expires_in":31536000,"scope":"user.info.basic,video.publish","token_type":"Bearer"}"#;

const USER: &str = r#"{"data":{"user":{"open_id":"-000AbC","display_name":"Kite Studio","username":"kite.old",
    "avatar_url":"https://p16-sign.tiktokcdn-us.com/a.jpeg?x-expires=1"}},
    "error":{"code":"ok","message":"","log_id":"L"}}"#;

const CREATOR: &str = r#"{"data":{"creator_avatar_url":"https://p16-sign.tiktokcdn.com/x.jpeg",
    "creator_username":"kitestudio","creator_nickname":"Kite Studio",
    "privacy_level_options":["PUBLIC_TO_EVERYONE","MUTUAL_FOLLOW_FRIENDS","SELF_ONLY"],"comment_disabled":false,
    "duet_disabled":false,"stitch_disabled":true,"max_video_post_duration_sec":600},
    "error":{"code":"ok","message":"","log_id":"L"}}"#;

fn tokens(scopes: &[&str]) -> TokenSet {
    TokenSet {
        provider_account_id: "-000AbC".to_owned(),
        access: access(),
        access_expires_at: NOW,
        refresh: None,
        refresh_expires_at: None,
        scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
    }
}

async fn refresh_error(answer: Answer) -> ProviderError {
    let server = Canned::start(vec![answer]).await;
    let (client, _) = client_at(&server.url);
    let error = client.refresh(&Secret::new("rft.1")).await.unwrap_err();
    assert_eq!(
        server.seen().len(),
        1,
        "a refresh is never repeated by the client"
    );
    error
}

#[tokio::test]
async fn an_exchange_posts_the_form_of_the_authorization_code_grant() {
    let server = Canned::start(vec![ok(TOKENS)]).await;
    let (client, _) = client_at(&server.url);
    let verifier = Secret::new("v".repeat(43));
    let request = AuthorizationRequest {
        state: "s",
        verifier: &verifier,
        redirect_uri: "https://app.example/oauth/tiktok/callback",
    };
    let tokens = client.exchange(&request, "abc*1!-_").await.unwrap();
    assert_eq!(
        (tokens.access.expose(), tokens.refresh.unwrap().expose()),
        ("act.2", "rft.2")
    );
    let sent = server.only();
    assert_eq!(
        (sent.method.as_str(), sent.path.as_str()),
        ("POST", "/v2/oauth/token/")
    );
    assert_eq!(
        sent.header("content-type"),
        Some("application/x-www-form-urlencoded")
    );
    let form = sent.form();
    assert_eq!(form["client_key"], "awk1");
    assert_eq!(form["client_secret"], "top secret");
    assert_eq!(form["grant_type"], "authorization_code");
    assert_eq!(form["code"], "abc*1!-_");
    assert_eq!(form["redirect_uri"], "https://app.example/oauth/tiktok/callback");
    assert_eq!(form["code_verifier"], verifier.expose());
}

#[tokio::test]
async fn a_refresh_posts_the_refresh_token_and_reads_the_new_pair() {
    let server = Canned::start(vec![ok(TOKENS)]).await;
    let (client, _) = client_at(&server.url);
    let tokens = client.refresh(&Secret::new("rft.1")).await.unwrap();
    assert_eq!(tokens.scopes, ["user.info.basic", "video.publish"]);
    let form = server.only().form();
    assert_eq!(
        (form["grant_type"].as_str(), form["refresh_token"].as_str()),
        ("refresh_token", "rft.1")
    );
}

#[tokio::test]
async fn every_way_in_which_a_refresh_fails_has_its_fate() {
    let oauth = |code: &str| format!(r#"{{"error":"{code}","error_description":"Because.","log_id":"L9"}}"#);
    for (given, fate, code) in [
        (
            answer(200, &oauth("invalid_grant")),
            Fate::Reauthorize,
            "invalid_grant",
        ),
        (
            answer(400, &oauth("invalid_grant")),
            Fate::Reauthorize,
            "invalid_grant",
        ),
        (
            answer(401, &oauth("access_token_invalid")),
            Fate::Reauthorize,
            "access_token_invalid",
        ),
        (
            answer(400, &oauth("invalid_client")),
            Fate::Rejected,
            "invalid_client",
        ),
        (
            answer(500, &oauth("server_error")),
            Fate::Unavailable,
            "server_error",
        ),
        (
            answer(503, &oauth("temporarily_unavailable")),
            Fate::Unavailable,
            "temporarily_unavailable",
        ),
        (gateway_html(502), Fate::Unknown, "unreadable_answer"),
        (ok("{}"), Fate::Unknown, "unreadable_answer"),
        (
            ok(r#"{"access_token":"","error":"ok"}"#),
            Fate::Unknown,
            "unreadable_answer",
        ),
        (
            ok(&TOKENS.replace("86400", "-1")),
            Fate::Unknown,
            "unreadable_answer",
        ),
        (Answer::Drop, Fate::Unknown, "network_error"),
    ] {
        let error = refresh_error(given).await;
        assert_eq!((error.fate, error.code.as_str()), (fate, code), "{error:?}");
    }
}

#[tokio::test]
async fn a_provider_that_cannot_be_reached_was_certainly_not_asked() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let gone = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let (client, _) = client_at(&gone);
    let error = client.refresh(&Secret::new("rft.1")).await.unwrap_err();
    assert_eq!(
        (error.fate, error.code.as_str()),
        (Fate::Unavailable, "connect_error")
    );
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Canned::start(vec![ok(TOKENS)]).await;
    let location = format!("Location: {}/v2/oauth/token/\r\n", elsewhere.url);
    let error = refresh_error(empty(307, &location)).await;
    assert_eq!(error.fate, Fate::Unknown);
    assert!(elsewhere.seen().is_empty());
}

#[tokio::test]
async fn a_revocation_sends_the_access_token_and_needs_no_words() {
    let server = Canned::start(vec![empty(200, "")]).await;
    let (client, _) = client_at(&server.url);
    client.revoke(&access()).await.unwrap();
    let sent = server.only();
    assert_eq!(sent.path, "/v2/oauth/revoke/");
    assert_eq!(sent.form()["token"], "act.1");
}

#[tokio::test]
async fn a_profile_is_made_of_user_info_and_the_creators_options() {
    let server = Canned::start(vec![ok(USER), ok(CREATOR)]).await;
    let (client, _) = client_at(&server.url);
    let scopes = ["user.info.basic", "user.info.profile", "video.publish"];
    let profile = client.profile(&tokens(&scopes)).await.unwrap();
    assert_eq!(profile.display_name.as_deref(), Some("Kite Studio"));
    assert_eq!(profile.display_handle.as_deref(), Some("kitestudio"));
    assert_eq!(
        profile.display_image_url.as_deref(),
        Some("https://p16-sign.tiktokcdn-us.com/a.jpeg?x-expires=1")
    );
    let able = [Capability::Video, Capability::Photos, Capability::DirectPost];
    assert_eq!(profile.capabilities, able);
    assert_eq!(
        json!(profile.metadata),
        json!({
            "username": "kitestudio",
            "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"],
            "commentDisabled": false, "duetDisabled": false, "stitchDisabled": true,
            "maxVideoPostDurationSec": 600, "refreshedAt": NOW.to_string(), "scopes": scopes
        })
    );
    let seen = server.seen();
    assert_eq!(
        seen[0].path,
        "/v2/user/info/?fields=open_id,avatar_url,display_name,username"
    );
    assert_eq!(seen[0].header("authorization"), Some("Bearer act.1"));
    assert_eq!(
        (seen[1].method.as_str(), seen[1].path.as_str()),
        ("POST", "/v2/post/publish/creator_info/query/")
    );
}

#[tokio::test]
async fn only_what_was_granted_is_asked() {
    let server = Canned::start(vec![ok(USER)]).await;
    let (client, _) = client_at(&server.url);
    let profile = client
        .profile(&tokens(&["user.info.basic", "video.upload"]))
        .await
        .unwrap();
    assert_eq!(profile.metadata["privacyLevelOptions"], json!([]));
    assert_eq!(profile.metadata["maxVideoPostDurationSec"], json!(null));
    assert_eq!(
        server.only().path,
        "/v2/user/info/?fields=open_id,avatar_url,display_name"
    );
}

#[tokio::test]
async fn an_account_that_may_not_post_today_can_still_be_connected() {
    for code in [
        "spam_risk_too_many_posts",
        "spam_risk_user_banned_from_posting",
        "reached_active_user_cap",
    ] {
        let server = Canned::start(vec![ok(USER), api_error(200, code)]).await;
        let (client, _) = client_at(&server.url);
        let profile = client
            .profile(&tokens(&["user.info.profile", "video.publish"]))
            .await
            .unwrap();
        assert_eq!(profile.metadata["username"], "kite.old");
    }
    let server = Canned::start(vec![ok(USER), api_error(401, "access_token_invalid")]).await;
    let (client, _) = client_at(&server.url);
    let error = client.profile(&tokens(&["video.publish"])).await.unwrap_err();
    assert_eq!(error.fate, Fate::StaleToken);
}

#[tokio::test]
async fn an_account_connected_by_many_at_once_tells_each_its_options() {
    let answers = (0..21).flat_map(|_| [ok(USER), ok(CREATOR)]).collect();
    let server = Canned::start(answers).await;
    let (client, _) = client_at(&server.url);
    for _ in 0..21 {
        let profile = client.profile(&tokens(&["video.publish"])).await.unwrap();
        assert_eq!(profile.metadata["maxVideoPostDurationSec"], json!(600));
    }
}

#[tokio::test]
async fn fresh_options_replace_the_metadata_and_keep_the_scopes() {
    let server = Canned::start(vec![ok(CREATOR), api_error(200, "spam_risk_too_many_posts")]).await;
    let (client, _) = client_at(&server.url);
    let (platform, access) = (platform(), access());
    let options = client.options(grant(&platform, &access)).await.unwrap();
    assert_eq!(options.handle.as_deref(), Some("kitestudio"));
    assert_eq!(options.metadata["stitchDisabled"], json!(true));
    assert_eq!(options.metadata["scopes"], platform.metadata["scopes"]);
    let error = client.options(grant(&platform, &access)).await.unwrap_err();
    assert!(matches!(error.fate, Fate::Capped(_)), "{error:?}");
}

#[tokio::test]
async fn an_account_for_drafts_alone_is_asked_for_its_name() {
    let server = Canned::start(vec![ok(USER)]).await;
    let (client, _) = client_at(&server.url);
    let (mut platform, access) = (platform(), access());
    platform.metadata["scopes"] = json!(["user.info.profile", "video.upload"]);
    let options = client.options(grant(&platform, &access)).await.unwrap();
    assert_eq!(options.handle.as_deref(), Some("kite.old"));
    assert_eq!(options.metadata["username"], "kite.old");
    assert!(server.only().path.starts_with("/v2/user/info/"));
}
