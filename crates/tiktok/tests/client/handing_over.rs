//! Submitting posts: what is sent, and what every kind of answer means.

use playout_domain::media::MimeType;
use playout_domain::provider::{Accepted, Fate, Provider, ProviderError};
use serde_json::{Value, json};

use crate::canned::{Answer, Canned, api_error, empty, gateway_html, json as answer, ok};
use crate::setting::{access, client_at, draft, grant, media, platform, pull, upload, video_draft};

const PUBLISH_ID: &str = "v_pub_file~v2-1.7681000000000000001";

fn accepted(upload_url: &str) -> Answer {
    ok(&format!(
        r#"{{"data":{{"publish_id":"{PUBLISH_ID}","upload_url":"{upload_url}"}},
            "error":{{"code":"ok","message":"","log_id":"L"}}}}"#
    ))
}

async fn begin_upload(answer: Answer) -> (Result<Accepted, ProviderError>, usize) {
    let server = Canned::start(vec![answer]).await;
    let (client, _) = client_at(&server.url);
    let (platform, access, draft) = (platform(), access(), video_draft(1_000));
    let result = client.begin(grant(&platform, &access), &upload(&draft)).await;
    (result, server.seen().len())
}

#[tokio::test]
async fn bytes_are_not_sent_to_another_port_than_the_overridden_apis() {
    let elsewhere = Canned::start(vec![]).await;
    let url = format!("{}/upload?upload_id=1", elsewhere.url);
    let (result, _) = begin_upload(accepted(&url)).await;
    assert_eq!(result.unwrap_err().code, "upload_host_refused");
}

#[tokio::test]
async fn a_video_goes_to_video_init_with_the_bearer_token_and_the_whole_plan() {
    let server = Canned::start(vec![accepted("https://open-upload.tiktokapis.com/u")]).await;
    let (client, _) = client_at(&server.url);
    let (platform, access, draft) = (platform(), access(), video_draft(73_400_321));
    let refused = client
        .begin(grant(&platform, &access), &upload(&draft))
        .await
        .unwrap_err();
    assert_eq!(
        (refused.fate, refused.code.as_str()),
        (Fate::Rejected, "upload_host_refused")
    );
    let sent = server.only();
    assert_eq!(
        (sent.method.as_str(), sent.path.as_str()),
        ("POST", "/v2/post/publish/video/init/")
    );
    assert_eq!(sent.header("authorization"), Some("Bearer act.1"));
    assert_eq!(sent.header("content-type"), Some("application/json"));
    let body: Value = sent.json();
    assert_eq!(
        body["source_info"],
        json!({
            "source": "FILE_UPLOAD", "video_size": 73_400_321, "chunk_size": 10_000_000, "total_chunk_count": 7
        })
    );
    assert_eq!(body["post_info"]["title"], "Kite day #kites");
    assert_eq!(body["post_info"]["disable_comment"], false);
}

#[tokio::test]
async fn photos_go_to_content_init_with_every_address_in_order() {
    let reply =
        r#"{"data":{"publish_id":"p_pub_url~v2.7681"},"error":{"code":"ok","message":"","log_id":"L"}}"#;
    let server = Canned::start(vec![ok(reply)]).await;
    let (client, _) = client_at(&server.url);
    let photo = media(MimeType::Jpeg, 10);
    let (platform, access, draft) = (platform(), access(), draft(vec![photo.clone(), photo], json!({})));
    let urls = ["https://m.example/m/t/0", "https://m.example/m/t/1"]
        .map(str::to_owned)
        .to_vec();
    let accepted = client
        .begin(grant(&platform, &access), &pull(&draft, urls.clone()))
        .await
        .unwrap();
    assert_eq!(
        (accepted.handle.as_str(), accepted.upload),
        ("p_pub_url~v2.7681", None)
    );
    let sent = server.only();
    assert_eq!(sent.path, "/v2/post/publish/content/init/");
    assert_eq!(sent.json()["source_info"]["photo_images"], json!(urls));
}

#[tokio::test]
async fn every_answer_to_a_hand_over_has_its_fate_and_is_asked_for_once() {
    let capped = |fate| matches!(fate, Fate::Capped(_));
    for code in [
        "spam_risk_too_many_posts",
        "spam_risk_too_many_pending_share",
        "reached_active_user_cap",
    ] {
        let (result, asked) = begin_upload(api_error(403, code)).await;
        assert!(capped(result.unwrap_err().fate) && asked == 1, "{code}");
    }
    for (given, fate, code) in [
        (
            api_error(401, "access_token_invalid"),
            Fate::StaleToken,
            "access_token_invalid",
        ),
        (
            api_error(401, "scope_not_authorized"),
            Fate::Reauthorize,
            "scope_not_authorized",
        ),
        (api_error(400, "invalid_params"), Fate::Rejected, "invalid_params"),
        (
            api_error(403, "privacy_level_option_mismatch"),
            Fate::Rejected,
            "privacy_level_option_mismatch",
        ),
        (
            api_error(403, "spam_risk_new_kind"),
            Fate::Rejected,
            "spam_risk_new_kind",
        ),
        (api_error(418, "brand_new"), Fate::Rejected, "brand_new"),
        (api_error(500, "internal_error"), Fate::Unknown, "internal_error"),
        (gateway_html(502), Fate::Unknown, "unreadable_answer"),
        (gateway_html(200), Fate::Unknown, "unreadable_answer"),
        (empty(504, ""), Fate::Unknown, "unreadable_answer"),
        (
            answer(200, r#"{"data":{},"error":{"code":"ok"}}"#),
            Fate::Unknown,
            "unreadable_answer",
        ),
        (
            answer(200, r#"{"data":{"publish_id":"x"},"error":{"code":"ok"}}"#),
            Fate::Unknown,
            "unreadable_answer",
        ),
        (Answer::Drop, Fate::Unknown, "network_error"),
    ] {
        let (result, asked) = begin_upload(given).await;
        let error = result.unwrap_err();
        assert_eq!(
            (error.fate, error.code.as_str(), asked),
            (fate, code, 1),
            "{error:?}"
        );
    }
}

#[tokio::test]
async fn a_refusal_without_data_is_read_with_its_text_and_log_id() {
    for text in [
        "The request post info is empty or incorrect",
        "The request source info is empty or incorrect",
        "Invalid media_type or post_mode",
        "The chunk size is invalid",
        "The total chunk count is invalid",
    ] {
        for code in ["invalid_params", "invalid_param"] {
            let body = json!({ "error": { "code": code, "message": text, "log_id": "L7" } });
            let (result, asked) = begin_upload(answer(400, &body.to_string())).await;
            let error = result.unwrap_err();
            assert_eq!(
                (error.fate, error.code.as_str(), error.log_id.as_deref(), asked),
                (Fate::Rejected, code, Some("L7"), 1)
            );
            assert!(error.message.contains(text), "{}", error.message);
        }
    }
}

#[tokio::test]
async fn the_log_id_comes_from_the_body_or_else_from_the_header() {
    let (result, _) = begin_upload(api_error(403, "spam_risk")).await;
    assert_eq!(
        result.unwrap_err().log_id.as_deref(),
        Some("20261120090000ABCDEF")
    );
    let (result, _) = begin_upload(gateway_html(502)).await;
    assert_eq!(result.unwrap_err().log_id.as_deref(), Some("GATEWAY1"));
}

#[tokio::test]
async fn a_post_without_addresses_is_refused_before_anything_is_sent() {
    let server = Canned::start(vec![]).await;
    let (client, _) = client_at(&server.url);
    let (platform, access) = (platform(), access());
    let draft = draft(vec![media(MimeType::Jpeg, 10)], json!({}));
    let error = client
        .begin(grant(&platform, &access), &pull(&draft, vec![]))
        .await
        .unwrap_err();
    assert_eq!(
        (error.fate, error.code.as_str()),
        (Fate::Rejected, "handover_incomplete")
    );
}

#[tokio::test]
async fn an_answer_that_never_comes_is_given_up_after_thirty_seconds() {
    let server = Canned::start(vec![Answer::Silence]).await;
    let (client, _) = client_at(&server.url);
    let call = tokio::spawn(async move {
        let (platform, access, draft) = (platform(), access(), video_draft(1_000));
        client.begin(grant(&platform, &access), &upload(&draft)).await
    });
    server.arrival().await;
    tokio::time::pause();
    let started = tokio::time::Instant::now();
    let error = call.await.unwrap().unwrap_err();
    assert_eq!((error.fate, error.code.as_str()), (Fate::Unknown, "timeout"));
    assert!(
        (25..=31).contains(&started.elapsed().as_secs()),
        "{:?}",
        started.elapsed()
    );
}

#[tokio::test]
async fn a_handover_is_cancelled_by_its_handle_and_only_a_clear_yes_is_one() {
    let yes = || ok(r#"{"error":{"code":"ok","message":"","log_id":"L"}}"#);
    let server = Canned::start(vec![yes()]).await;
    let (client, _) = client_at(&server.url);
    let (platform, access) = (platform(), access());
    client
        .cancel(grant(&platform, &access), PUBLISH_ID)
        .await
        .unwrap();
    let sent = server.only();
    assert_eq!(
        (sent.method.as_str(), sent.path.as_str()),
        ("POST", "/v2/post/publish/cancel/")
    );
    assert_eq!(sent.json(), json!({ "publish_id": PUBLISH_ID }));
    for (given, fate) in [
        (api_error(400, "publish_not_cancellable"), Fate::Rejected),
        (api_error(400, "invalid_publish_id"), Fate::Rejected),
        (api_error(403, "url_ownership_unverified"), Fate::Rejected),
        (api_error(401, "access_token_invalid"), Fate::StaleToken),
        (gateway_html(502), Fate::Unknown),
        (Answer::Drop, Fate::Unknown),
    ] {
        let server = Canned::start(vec![given]).await;
        let (client, _) = client_at(&server.url);
        let error = client
            .cancel(grant(&platform, &access), PUBLISH_ID)
            .await
            .unwrap_err();
        assert_eq!(error.fate, fate, "{error:?}");
    }
}
