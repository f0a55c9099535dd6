//! The business connection, against answers written by hand.

use playout_domain::media::MimeType;
use playout_domain::platform::{Capability, Connection, Platform};
use playout_domain::provider::{
    AuthorizationRequest, Commented, Fate, Progress, Provider, ProviderError, TokenSet,
};
use playout_domain::secret::Secret;
use playout_domain::time::ManualClock;
use playout_tiktok::{BusinessApp, TikTokBusiness};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use url::Url;

use crate::canned::{Answer, Canned, gateway_html, ok};
use crate::setting::{NOW, access, config, draft, grant, media, platform, pull};

pub(crate) const POST: &str = "7681234567890123457";

pub(crate) fn business_at(url: &str) -> (TikTokBusiness, ManualClock) {
    let clock = ManualClock::at(NOW);
    let app = BusinessApp {
        client_id: "bid1".to_owned(),
        client_secret: Secret::new("business secret"),
    };
    let client = TikTokBusiness::new(app, config(url), Arc::new(clock.clone())).expect("a client");
    (client, clock)
}

/// A business account that may do everything.
pub(crate) fn account() -> Platform {
    let mut account = platform();
    account.connection = Connection::Business;
    account.capabilities.push(Capability::Comments);
    account.metadata.insert(
        "scopes".to_owned(),
        json!([
            "video.publish",
            "video.upload",
            "video.list",
            "comment.list",
            "comment.list.manage"
        ]),
    );
    account
}

pub(crate) fn data(data: &Value) -> Answer {
    ok(&json!({ "code": 0, "message": "OK", "request_id": "R7", "data": data }).to_string())
}

fn refused(code: u32) -> Answer {
    ok(&format!(
        r#"{{"code":{code},"message":"Because.","request_id":"R7"}}"#
    ))
}

pub(crate) fn query(path: &str) -> HashMap<String, String> {
    let url = Url::parse(&format!("http://x{path}")).unwrap();
    url.query_pairs().into_owned().collect()
}

async fn comment(answer: Answer) -> (Result<Commented, ProviderError>, Canned) {
    let server = Canned::start(vec![answer]).await;
    let (client, _) = business_at(&server.url);
    let (account, access) = (account(), access());
    let result = client.comment(grant(&account, &access), POST, "First!").await;
    (result, server)
}

#[tokio::test]
async fn people_agree_on_the_same_page_with_the_business_apps_name_and_no_challenge() {
    let (client, _) = business_at("http://127.0.0.1:9");
    let verifier = Secret::new("v".repeat(43));
    let request = AuthorizationRequest {
        state: "st&te",
        verifier: &verifier,
        redirect_uri: "https://app.example/oauth/tiktok/callback/",
    };
    let url = client.authorization_url(&request);
    let asked = query(url.strip_prefix("http://127.0.0.1:9").unwrap());
    assert!(url.contains("/v2/auth/authorize/?"), "{url}");
    assert_eq!(
        (asked["client_key"].as_str(), asked["state"].as_str()),
        ("bid1", "st&te")
    );
    assert_eq!(
        asked["redirect_uri"],
        "https://app.example/oauth/tiktok/callback/"
    );
    assert!(
        asked["scope"].contains("comment.list,comment.list.manage"),
        "{}",
        asked["scope"]
    );
    assert!(!asked.contains_key("code_challenge"));
    let needed = client.needed_permissions();
    assert!(
        needed
            .iter()
            .all(|needed| asked["scope"].split(',').any(|scope| scope == needed.scope))
    );
    assert!(
        client.callback_path().ends_with('/'),
        "the portal takes nothing else"
    );
}

#[tokio::test]
async fn tokens_are_bought_with_json_and_their_lives_read_by_their_own_names() {
    let pair = json!({
        "access_token": "act.2", "token_type": "Bearer", "scope": "user.info.basic,comment.list.manage",
        "expires_in": 86400, "refresh_token": "rft.2", "refresh_token_expires_in": 31_536_000, "open_id": "_000biz"
    });
    let server = Canned::start(vec![data(&pair), data(&pair)]).await;
    let (client, _) = business_at(&server.url);
    let verifier = Secret::new("v");
    let request = AuthorizationRequest {
        state: "s",
        verifier: &verifier,
        redirect_uri: "https://app.example/oauth/tiktok/callback/",
    };
    let tokens = client.exchange(&request, "abc*1!-_").await.unwrap();
    assert_eq!(
        (tokens.provider_account_id.as_str(), tokens.access.expose()),
        ("_000biz", "act.2")
    );
    assert_eq!(
        tokens.refresh_expires_at,
        Some(NOW.plus(std::time::Duration::from_secs(31_536_000)))
    );
    assert_eq!(tokens.scopes, ["user.info.basic", "comment.list.manage"]);
    client.refresh(&Secret::new("rft.1")).await.unwrap();
    let sent = server.seen();
    assert_eq!(sent[0].path, "/open_api/v1.3/tt_user/oauth2/token/");
    assert_eq!(
        sent[0].json(),
        json!({
            "client_id": "bid1", "client_secret": "business secret", "grant_type": "authorization_code",
            "auth_code": "abc*1!-_", "redirect_uri": "https://app.example/oauth/tiktok/callback/"
        })
    );
    assert_eq!(sent[1].path, "/open_api/v1.3/tt_user/oauth2/refresh_token/");
    assert_eq!(
        sent[1].json(),
        json!({
            "client_id": "bid1", "client_secret": "business secret", "grant_type": "refresh_token",
            "refresh_token": "rft.1"
        })
    );
}

#[tokio::test]
async fn a_refused_refresh_means_that_the_account_must_be_reconnected() {
    for (code, fate) in [
        (40103, Fate::Reauthorize),
        (40105, Fate::Reauthorize),
        (40002, Fate::Reauthorize),
        (40101, Fate::Rejected),
        (50000, Fate::Unknown),
    ] {
        let server = Canned::start(vec![refused(code)]).await;
        let (client, _) = business_at(&server.url);
        let error = client.refresh(&Secret::new("rft.1")).await.unwrap_err();
        assert_eq!((error.fate, error.code), (fate, format!("business_{code}")));
    }
}

#[tokio::test]
async fn a_grant_is_given_back_by_its_access_token() {
    let server = Canned::start(vec![data(&json!({})), refused(40105)]).await;
    let (client, _) = business_at(&server.url);
    client.revoke(&access()).await.unwrap();
    assert_eq!(
        client.revoke(&access()).await.unwrap_err().fate,
        Fate::StaleToken,
        "dead already"
    );
    let sent = server.seen().remove(0);
    assert_eq!(sent.path, "/open_api/v1.3/tt_user/oauth2/revoke/");
    assert_eq!(
        sent.json(),
        json!({ "client_id": "bid1", "client_secret": "business secret", "access_token": "act.1" })
    );
}

#[tokio::test]
async fn the_profile_is_made_of_the_account_and_its_settings() {
    let profile = json!({ "username": "kitestudio", "display_name": "Kite Studio", "profile_image": "https://p.example/a" });
    let settings = json!({
        "privacy_level_options": ["PUBLIC_TO_EVERYONE", "SELF_ONLY"], "comment_disabled": false,
        "duet_disabled": true, "stitch_disabled": false, "max_video_post_duration_sec": 300
    });
    let server = Canned::start(vec![data(&profile), data(&settings)]).await;
    let (client, _) = business_at(&server.url);
    let tokens = TokenSet {
        provider_account_id: "_000biz".to_owned(),
        access: access(),
        access_expires_at: NOW,
        refresh: None,
        refresh_expires_at: None,
        scopes: ["video.publish", "comment.list.manage"]
            .map(str::to_owned)
            .to_vec(),
    };
    let profile = client.profile(&tokens).await.unwrap();
    assert_eq!(profile.display_handle.as_deref(), Some("kitestudio"));
    assert_eq!(profile.display_name.as_deref(), Some("Kite Studio"));
    assert_eq!(
        profile.capabilities,
        [
            Capability::Video,
            Capability::Photos,
            Capability::DirectPost,
            Capability::Comments
        ]
    );
    assert_eq!(profile.metadata["duetDisabled"], true);
    assert_eq!(profile.metadata["maxVideoPostDurationSec"], 300);
    let sent = server.seen();
    let asked = query(&sent[0].path);
    assert!(
        sent[0].path.starts_with("/open_api/v1.3/business/get/?"),
        "{}",
        sent[0].path
    );
    assert_eq!(asked["business_id"], "_000biz");
    assert_eq!(asked["fields"], r#"["username","display_name","profile_image"]"#);
    assert_eq!(sent[0].header("access-token"), Some("act.1"));
    assert_eq!(sent[0].header("authorization"), None);
    assert!(
        sent[1]
            .path
            .starts_with("/open_api/v1.3/business/video/settings/?business_id=")
    );
}

#[tokio::test]
async fn the_present_handle_comes_with_the_options_where_it_is_answered() {
    let settings = || data(&json!({ "privacy_level_options": ["SELF_ONLY"] }));
    let renamed = data(&json!({ "username": "kites" }));
    let server = Canned::start(vec![settings(), renamed, settings(), refused(50000)]).await;
    let (client, _) = business_at(&server.url);
    let (mut account, access) = (account(), access());
    account
        .metadata
        .insert("username".to_owned(), "kitestudio".into());
    for (handle, shown) in [(Some("kites"), "kites"), (None, "kitestudio")] {
        let options = client.options(grant(&account, &access)).await.unwrap();
        assert_eq!(
            (options.handle.as_deref(), &options.metadata["username"]),
            (handle, &json!(shown))
        );
    }
}

#[tokio::test]
async fn a_video_is_fetched_and_has_no_privacy() {
    let server = Canned::start(vec![data(&json!({ "share_id": "v_pub_url~v1.1" }))]).await;
    let (client, _) = business_at(&server.url);
    let (account, access) = (account(), access());
    let settings = json!({ "allow_comment": true, "is_aigc": true, "brand_organic_toggle": true, "video_cover_timestamp_ms": 1500 });
    let draft = draft(vec![media(MimeType::Mp4, 1_000)], settings);
    let urls = vec!["https://m.example/0.mp4".to_owned()];
    let accepted = client
        .begin(grant(&account, &access), &pull(&draft, urls))
        .await
        .unwrap();
    assert_eq!(
        (accepted.handle.as_str(), accepted.upload),
        ("v_pub_url~v1.1", None)
    );
    let sent = server.only();
    assert_eq!(sent.path, "/open_api/v1.3/business/video/publish/");
    assert_eq!(
        sent.json(),
        json!({
            "business_id": "-000AbC", "video_url": "https://m.example/0.mp4",
            "post_info": {
                "caption": "Kite day #kites", "is_brand_organic": true, "is_branded_content": false,
                "disable_comment": false, "disable_duet": true, "disable_stitch": true, "is_ai_generated": true,
                "thumbnail_offset": 1500
            }
        })
    );
}

#[tokio::test]
async fn photos_carry_privacy_title_and_cover_and_drafts_their_texts_alone() {
    let share = json!({ "share_id": "p_pub_url~v1.1" });
    let server = Canned::start(vec![data(&share), data(&share), data(&share)]).await;
    let (client, _) = business_at(&server.url);
    let (account, access) = (account(), access());
    let images = || vec![media(MimeType::Jpeg, 10), media(MimeType::Jpeg, 10)];
    let urls = || {
        ["https://m.example/0.jpg", "https://m.example/1.jpg"]
            .map(str::to_owned)
            .to_vec()
    };
    let settings = json!({ "privacy_level": "PUBLIC_TO_EVERYONE", "title": "Wind", "photo_cover_index": 1 });
    let post = draft(images(), settings);
    client
        .begin(grant(&account, &access), &pull(&post, urls()))
        .await
        .unwrap();
    let inbox = draft(images(), json!({ "post_mode": "MEDIA_UPLOAD", "title": "Wind" }));
    client
        .begin(grant(&account, &access), &pull(&inbox, urls()))
        .await
        .unwrap();
    let clip = draft(
        vec![media(MimeType::Mp4, 10)],
        json!({ "post_mode": "MEDIA_UPLOAD" }),
    );
    client
        .begin(grant(&account, &access), &pull(&clip, urls()[..1].to_vec()))
        .await
        .unwrap();
    let sent: Vec<Value> = server.seen().iter().map(crate::canned::Request::json).collect();
    assert_eq!(
        sent[0],
        json!({
            "business_id": "-000AbC", "photo_images": urls(), "photo_cover_index": 1,
            "post_info": {
                "title": "Wind", "caption": "Kite day #kites", "privacy_level": "PUBLIC_TO_EVERYONE",
                "disable_comment": true, "auto_add_music": true, "is_brand_organic": false, "is_branded_content": false
            }
        })
    );
    let texts = json!({ "title": "Wind", "caption": "Kite day #kites", "is_draft": true });
    assert_eq!(sent[1]["post_info"], texts);
    assert_eq!(sent[2]["post_info"], json!({ "upload_to_draft": true }));
}

#[tokio::test]
async fn every_state_of_a_submission_is_read() {
    let reveal = json!({ "status": "PUBLISH_COMPLETE", "post_ids": [POST] });
    let link = format!("http://127.0.0.1:9/@kitestudio/photo/{POST}");
    let pending = Progress::Pending { received_bytes: None };
    for (answer, expected) in [
        (json!({ "status": "PROCESSING_DOWNLOAD" }), pending.clone()),
        (json!({ "status": "SOMETHING_NEW" }), pending),
        (json!({ "status": "SEND_TO_USER_INBOX" }), Progress::InInbox),
        (
            json!({ "status": "PUBLISH_COMPLETE" }),
            Progress::Published {
                release_id: None,
                release_url: None,
            },
        ),
        (
            reveal,
            Progress::Published {
                release_id: Some(POST.to_owned()),
                release_url: Some(link),
            },
        ),
    ] {
        let server = Canned::start(vec![data(&answer)]).await;
        let (client, _) = business_at(&server.url);
        let (account, access) = (account(), access());
        let progress = client.check(grant(&account, &access), "p_pub_url~v1.1").await;
        assert_eq!(progress, Ok(expected), "{answer}");
        let asked = query(&server.only().path);
        assert_eq!(asked["publish_id"], "p_pub_url~v1.1");
    }
    let failed = json!({ "status": "FAILED", "reason": "frame_rate_check_failed" });
    let server = Canned::start(vec![data(&failed), refused(40002)]).await;
    let (client, _) = business_at(&server.url);
    let (account, access) = (account(), access());
    let Ok(Progress::Failed(error)) = client.check(grant(&account, &access), "v").await else {
        panic!("it failed");
    };
    assert_eq!(
        (error.code.as_str(), error.fate),
        ("frame_rate_check_failed", Fate::Rejected)
    );
    let error = client.check(grant(&account, &access), "v").await.unwrap_err();
    assert_eq!(
        error.fate,
        Fate::Unknown,
        "that the question was refused says nothing of the post"
    );
}

#[tokio::test]
async fn what_is_not_permitted_when_posting_is_a_matter_of_the_grant() {
    let server = Canned::start(vec![refused(40001), refused(40001)]).await;
    let (client, _) = business_at(&server.url);
    let (account, access) = (account(), access());
    let draft = draft(vec![media(MimeType::Mp4, 10)], json!({}));
    let handed = client
        .begin(
            grant(&account, &access),
            &pull(&draft, vec!["https://m.example/0".to_owned()]),
        )
        .await;
    assert_eq!(handed.unwrap_err().fate, Fate::Reauthorize);
    assert_eq!(
        client.options(grant(&account, &access)).await.unwrap_err().fate,
        Fate::Reauthorize
    );
    let under_a_post = comment(refused(40001)).await.0.unwrap_err();
    assert_eq!(
        under_a_post.fate,
        Fate::Rejected,
        "there it may be the post that takes none"
    );
}

#[tokio::test]
async fn a_comment_goes_under_the_post_in_the_accounts_name() {
    let (result, server) = comment(data(
        &json!({ "comment_id": "7681234567890123999", "status": "PUBLIC" }),
    ))
    .await;
    assert_eq!(
        result,
        Ok(Commented {
            release_id: "7681234567890123999".to_owned(),
            notice: None
        })
    );
    let sent = server.only();
    assert_eq!(sent.path, "/open_api/v1.3/business/comment/create/");
    assert_eq!(
        sent.json(),
        json!({ "business_id": "-000AbC", "video_id": POST, "text": "First!" })
    );
}

#[tokio::test]
async fn a_comment_that_the_spam_filter_hides_is_written_and_says_so() {
    let (result, _) = comment(data(&json!({ "comment_id": "1", "status": "HIDDEN" }))).await;
    assert_eq!(result.unwrap().notice.unwrap().code, "comment_hidden");
}

#[tokio::test]
async fn errors_behind_http_200_are_told_by_their_number() {
    for (code, fate) in [
        (40105, Fate::StaleToken),
        (40002, Fate::Rejected),
        (50000, Fate::Unknown),
        (51065, Fate::Unknown),
        (49999, Fate::Rejected),
    ] {
        let error = comment(refused(code)).await.0.unwrap_err();
        assert_eq!((error.fate, error.code), (fate, format!("business_{code}")));
        assert_eq!(error.log_id.as_deref(), Some("R7"));
    }
}

#[tokio::test]
async fn an_unclear_answer_to_a_comment_is_unknown_and_never_followed_by_another_try() {
    for answer in [gateway_html(502), Answer::Drop, data(&json!({}))] {
        let (result, server) = comment(answer).await;
        assert_eq!(result.unwrap_err().fate, Fate::Unknown);
        assert_eq!(server.seen().len(), 1);
    }
}

#[tokio::test]
async fn each_kind_of_call_has_forty_a_minute_of_its_own() {
    let yes = || data(&json!({ "comment_id": "1" }));
    let answers = (0..40)
        .map(|_| yes())
        .chain([data(&json!({ "status": "SEND_TO_USER_INBOX" }))]);
    let server = Canned::start(answers.collect()).await;
    let (client, clock) = business_at(&server.url);
    let (account, access) = (account(), access());
    for _ in 0..40 {
        client.comment(grant(&account, &access), POST, "x").await.unwrap();
    }
    let braked = client
        .comment(grant(&account, &access), POST, "x")
        .await
        .unwrap_err();
    assert!(matches!(braked.fate, Fate::Throttled(_)), "{braked:?}");
    assert_eq!(
        client.check(grant(&account, &access), "h").await,
        Ok(Progress::InInbox)
    );
    assert_eq!(server.seen().len(), 41, "nothing was sent in vain");
    drop(clock);
}
