//! Comments, through the business API.

use playout_domain::provider::{Fate, Provider, ProviderError};
use serde_json::json;

use crate::canned::{Answer, Canned, gateway_html, ok};
use crate::setting::{access, client_at, grant, platform};

async fn comment(answer: Answer) -> (Result<String, ProviderError>, Canned) {
    let server = Canned::start(vec![answer]).await;
    let (client, _) = client_at(&server.url);
    let (platform, access) = (platform(), access());
    let result = client
        .comment(grant(&platform, &access), "7681234567890123457", "First!")
        .await;
    (result, server)
}

#[tokio::test]
async fn a_comment_goes_to_the_business_api_with_a_header_of_its_own() {
    let reply = r#"{"code":0,"message":"OK","request_id":"R","data":{"comment_id":"7681234567890123999"}}"#;
    let (result, server) = comment(ok(reply)).await;
    assert_eq!(result.as_deref(), Ok("7681234567890123999"));
    let sent = server.only();
    assert_eq!(sent.path, "/open_api/v1.3/business/comment/create/");
    assert_eq!(sent.header("access-token"), Some("act.1"));
    assert_eq!(sent.header("authorization"), None);
    assert_eq!(
        sent.json(),
        json!({ "business_id": "-000AbC", "video_id": "7681234567890123457", "text": "First!" })
    );
}

#[tokio::test]
async fn errors_behind_http_200_are_told_by_their_number() {
    let reply = |code: u32| {
        ok(&format!(
            r#"{{"code":{code},"message":"Because.","request_id":"R7"}}"#
        ))
    };
    for (code, fate) in [
        (40105, Fate::StaleToken),
        (40001, Fate::Rejected),
        (40002, Fate::Rejected),
        (50000, Fate::Unknown),
        (49999, Fate::Rejected),
    ] {
        let error = comment(reply(code)).await.0.unwrap_err();
        assert_eq!((error.fate, error.code), (fate, format!("business_{code}")));
        assert_eq!(error.log_id.as_deref(), Some("R7"));
    }
}

#[tokio::test]
async fn an_unclear_answer_to_a_comment_is_unknown_and_never_followed_by_another_try() {
    let nameless = ok(r#"{"code":0,"message":"OK","data":{}}"#);
    for answer in [gateway_html(502), Answer::Drop, nameless] {
        let (result, server) = comment(answer).await;
        assert_eq!(result.unwrap_err().fate, Fate::Unknown);
        assert_eq!(server.seen().len(), 1);
    }
}
