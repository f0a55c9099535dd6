//! Reads the provider's answers, losslessly and without assuming success.
//!
//! The HTTP status means little: the API answers some errors with 200, and OAuth may too. What decides is
//! `error.code == "ok"` for the API, a present `access_token` for OAuth and `code == 0` for the business API. An answer
//! without a readable code means neither success nor failure.

use playout_domain::provider::{Fate, ProviderError};
use playout_domain::time::Time;
use serde_json::Value;

use crate::errors;
use crate::http::Answer;

/// A yes of the API.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The `data` object.
    pub(crate) data: Value,
    pub(crate) log_id: Option<String>,
    /// When, by the provider's clock.
    pub(crate) date: Option<Time>,
}

impl Reply {
    /// The list `key` of the data.
    ///
    /// # Errors
    /// Where it is missing or no list: that does not mean that it is empty.
    pub(crate) fn list(&self, key: &str) -> Result<&[Value], ProviderError> {
        let list = self.data.get(key).and_then(Value::as_array);
        list.map(Vec::as_slice)
            .ok_or_else(|| incomplete(self.log_id.clone()))
    }
}

/// Reads `{"data":{…},"error":{"code":"ok",…}}`.
pub(crate) fn read_api(answer: &Answer) -> Result<Reply, ProviderError> {
    let body = json(answer)?;
    match error_code(&body) {
        Some("ok") if is_success(answer) => Ok(Reply {
            log_id: log_id(&body, answer),
            data: body.get("data").cloned().unwrap_or(Value::Null),
            date: answer.date,
        }),
        Some("ok") | None => Err(unclear(answer, &body)),
        Some(code) => Err(refused(answer, &body, code)),
    }
}

/// Reads the flat answer of the token endpoint.
pub(crate) fn read_token(answer: &Answer) -> Result<Value, ProviderError> {
    let body = json(answer)?;
    if is_success(answer) && filled(&body, "access_token").is_some() {
        return Ok(body);
    }
    match error_code(&body) {
        Some("ok") | None => Err(unclear(answer, &body)),
        Some(code) => Err(refused(answer, &body, code)),
    }
}

/// Reads the answer to a revocation: success is an empty body, or one without an error.
pub(crate) fn read_revocation(answer: &Answer) -> Result<(), ProviderError> {
    if is_success(answer) && answer.body.iter().all(u8::is_ascii_whitespace) {
        return Ok(());
    }
    let body = json(answer)?;
    match error_code(&body) {
        Some("ok") | None if is_success(answer) => Ok(()),
        Some("ok") | None => Err(unclear(answer, &body)),
        Some(code) => Err(refused(answer, &body, code)),
    }
}

/// Reads `{"code":0,"message":"OK","request_id":"…","data":{…}}` of the business API.
pub(crate) fn read_business(answer: &Answer) -> Result<Reply, ProviderError> {
    let body = json(answer)?;
    match body.get("code").and_then(Value::as_i64) {
        Some(0) if is_success(answer) => Ok(Reply {
            log_id: log_id(&body, answer),
            data: body.get("data").cloned().unwrap_or(Value::Null),
            date: answer.date,
        }),
        Some(0) | None => Err(unclear(answer, &body)),
        Some(code) => Err(refused(answer, &body, &format!("business_{code}"))),
    }
}

/// The error for an answer that is a "yes" in form and lacks what it must carry.
pub(crate) fn incomplete(log_id: Option<String>) -> ProviderError {
    ProviderError {
        log_id,
        ..errors::ours("unreadable_answer")
    }
}

/// A text field that is there and not empty.
pub(crate) fn filled<'a>(object: &'a Value, key: &str) -> Option<&'a str> {
    object.get(key)?.as_str().filter(|text| !text.is_empty())
}

/// An identifier: a string, a bare number, or the first of a list of them. Numbers beyond 2^53 keep every digit. It becomes
/// part of addresses, so nothing passes that would need escaping there.
pub(crate) fn id_text(value: &Value) -> Option<String> {
    let is_plain = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    match value {
        Value::String(text) if !text.is_empty() && text != "0" => is_plain(text).then(|| text.clone()),
        Value::Number(number) => number.as_u64().filter(|id| *id > 0).map(|id| id.to_string()),
        Value::Array(items) => items.iter().find_map(id_text),
        _ => None,
    }
}

/// A whole number, also when it comes as a string.
pub(crate) fn integer(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}

fn is_success(answer: &Answer) -> bool {
    (200..300).contains(&answer.status)
}

fn json(answer: &Answer) -> Result<Value, ProviderError> {
    match serde_json::from_slice(&answer.body) {
        Ok(body @ Value::Object(_)) => Ok(body),
        _ => Err(unclear(answer, &Value::Null)),
    }
}

/// The code that an answer names, `ok` included. `error` is an object at the API and a string at OAuth.
pub(crate) fn error_code(body: &Value) -> Option<&str> {
    let error = body.get("error")?;
    let code = error.as_str().or_else(|| error.get("code")?.as_str())?;
    (!code.is_empty()).then_some(code)
}

fn said(body: &Value) -> &str {
    let texts = [
        body.pointer("/error/message"),
        body.get("error_description"),
        body.get("message"),
    ];
    texts
        .into_iter()
        .flatten()
        .find_map(Value::as_str)
        .unwrap_or_default()
}

fn log_id(body: &Value, answer: &Answer) -> Option<String> {
    let ids = [
        body.pointer("/error/log_id"),
        body.get("log_id"),
        body.get("request_id"),
    ];
    let found = ids.into_iter().flatten().filter_map(Value::as_str);
    let found = found.map(str::to_owned).find(|id| !id.is_empty());
    found.or_else(|| answer.log_id.clone())
}

/// An explicit no.
fn refused(answer: &Answer, body: &Value, code: &str) -> ProviderError {
    let log_id = log_id(body, answer);
    let known = errors::entry(code).map(|entry| entry.row.fate);
    let meaning = match (known, answer.status) {
        (None, 429) => "rate_limit_exceeded",
        // A gateway may fail after the work was done: with 5xx, a rejection is not reliable.
        (None | Some(Fate::Rejected | Fate::Repeatable), 500..) => "internal_error",
        (None, _) if code.starts_with("business_5") => "internal_error",
        _ => code,
    };
    ProviderError {
        code: code.to_owned(),
        ..errors::error(meaning, said(body), log_id)
    }
}

/// Neither success nor failure, except that 429 is a rate limit whatever the body.
fn unclear(answer: &Answer, body: &Value) -> ProviderError {
    let log_id = log_id(body, answer);
    if answer.status == 429 {
        return errors::error("rate_limit_exceeded", "", log_id);
    }
    let error = errors::error("unreadable_answer", "", log_id);
    ProviderError {
        message: format!("{} (HTTP status {})", error.message, answer.status),
        ..error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(status: u16, body: &str) -> Answer {
        Answer {
            status,
            log_id: Some("HEADER".to_owned()),
            content_range: None,
            date: None,
            body: body.as_bytes().to_vec(),
        }
    }

    fn api_error(status: u16, body: &str) -> ProviderError {
        read_api(&answer(status, body)).unwrap_err()
    }

    #[test]
    fn an_error_behind_http_200_is_an_error() {
        let body = r#"{"data":{},"error":{"code":"spam_risk_too_many_posts","message":"","log_id":"L1"}}"#;
        let error = api_error(200, body);
        assert!(matches!(error.fate, Fate::Capped(_)));
        assert_eq!(error.log_id.as_deref(), Some("L1"));
        let oauth = r#"{"error":"invalid_grant","error_description":"gone","log_id":"L2"}"#;
        let error = read_token(&answer(200, oauth)).unwrap_err();
        assert_eq!(
            (error.fate, error.code.as_str()),
            (Fate::Reauthorize, "invalid_grant")
        );
    }

    #[test]
    fn an_answer_that_says_nothing_is_unclear() {
        for (status, body) in [
            (502, "<html><body>Bad gateway</body></html>"),
            (200, "<html>Please wait</html>"),
            (200, ""),
            (200, "[]"),
            (200, r#"{"data":{"publish_id":"x"}}"#),
            (200, r#"{"data":{},"error":{"code":""}}"#),
            (500, r#"{"data":{},"error":{"code":"ok"}}"#),
            (404, "404 page not found"),
        ] {
            let error = api_error(status, body);
            assert_eq!(error.fate, Fate::Unknown, "{status} {body}");
            assert_eq!(error.code, "unreadable_answer");
            assert_eq!(error.log_id.as_deref(), Some("HEADER"));
            assert!(error.message.contains(&status.to_string()));
        }
    }

    #[test]
    fn too_many_requests_needs_no_body() {
        for body in ["", "<html>slow down</html>", r#"{"error":{"code":"brand_new"}}"#] {
            assert_eq!(
                api_error(429, body).fate,
                Fate::Throttled(crate::entry::COOL_DOWN)
            );
        }
    }

    #[test]
    fn a_no_with_status_5xx_is_not_relied_on() {
        for code in ["invalid_params", "internal", "brand_new"] {
            let body = json!({"data": {}, "error": {"code": code, "message": "", "log_id": ""}});
            let error = api_error(503, &body.to_string());
            assert_eq!((error.fate, error.code.as_str()), (Fate::Unknown, code));
            assert_eq!(error.log_id.as_deref(), Some("HEADER"));
        }
        let stale = r#"{"error":{"code":"access_token_invalid"}}"#;
        assert_eq!(api_error(500, stale).fate, Fate::StaleToken);
    }

    #[test]
    fn an_unknown_no_is_final() {
        let body = r#"{"data":{},"error":{"code":"brand_new","message":"No kites."}}"#;
        let error = api_error(403, body);
        assert_eq!(error.fate, Fate::Rejected);
        assert!(error.message.contains("brand_new") && error.message.contains("No kites."));
    }

    #[test]
    fn identifiers_beyond_2_to_the_53_keep_every_digit() {
        let parsed: Value = serde_json::from_str("[7681234567890123457]").unwrap();
        assert_eq!(id_text(&parsed).as_deref(), Some("7681234567890123457"));
        assert_eq!(id_text(&json!(u64::MAX)).as_deref(), Some("18446744073709551615"));
        assert_eq!(id_text(&json!("768")).as_deref(), Some("768"));
        for nothing in [
            json!([]),
            json!(null),
            json!(0),
            json!(""),
            json!(-4),
            json!({}),
            json!("../7"),
        ] {
            assert_eq!(id_text(&nothing), None, "{nothing}");
        }
    }

    #[test]
    fn a_business_error_comes_with_http_200() {
        let read = |status, body: &str| read_business(&answer(status, body));
        let ok = read(200, r#"{"code":0,"message":"OK","data":{"comment_id":"7"}}"#);
        assert_eq!(ok.unwrap().data["comment_id"], "7");
        let fate = |status, body: &str| read(status, body).unwrap_err().fate;
        assert_eq!(
            fate(200, r#"{"code":40105,"message":"bad token"}"#),
            Fate::StaleToken
        );
        assert_eq!(
            fate(200, r#"{"code":40100,"message":"slow"}"#),
            Fate::Throttled(crate::entry::COOL_DOWN)
        );
        assert_eq!(fate(200, r#"{"code":49999,"message":"?"}"#), Fate::Rejected);
        assert_eq!(fate(200, r#"{"code":50999,"message":"?"}"#), Fate::Unknown);
        assert_eq!(fate(500, r#"{"code":0}"#), Fate::Unknown);
        assert_eq!(fate(502, "<html>"), Fate::Unknown);
    }

    #[test]
    fn a_revocation_succeeds_with_an_empty_answer() {
        assert_eq!(read_revocation(&answer(200, "")), Ok(()));
        assert_eq!(read_revocation(&answer(200, "{}")), Ok(()));
        let error = read_revocation(&answer(200, r#"{"error":"invalid_client"}"#)).unwrap_err();
        assert_eq!(error.fate, Fate::Rejected);
        assert_eq!(read_revocation(&answer(502, "")).unwrap_err().fate, Fate::Unknown);
    }
}
