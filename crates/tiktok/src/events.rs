//! The provider's notifications: `TikTok-Signature: t=<seconds>,s=<hex>`, where `s` is the HMAC-SHA256 of `t`, a dot and
//! the body as it came, under the app's secret.
//!
//! Bounds: the signature is judged before the body is parsed; the body has the size that the HTTP server allows, 128 levels
//! (serde_json), and `content`, JSON within the JSON, as many again.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use playout_domain::provider::{Progress, ProviderEvent, ProviderEventKind};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use serde_json::Value;
use sha2::Sha256;
use subtle::ConstantTimeEq;

use crate::config::TikTokConfig;
use crate::envelope::{filled, id_text, integer};
use crate::status;

/// How far the sender's clock may be from ours. The provider names no limit; this is customary.
const SKEW: Duration = Duration::from_secs(300);

/// Checks and reads a notification. `None` where the signature, its age or the app is wrong.
pub(crate) fn read(
    config: &TikTokConfig,
    header: &dyn Fn(&str) -> Option<String>,
    body: &[u8],
    now: Time,
) -> Option<ProviderEvent> {
    let signature = header("tiktok-signature")?;
    if !is_genuine(config.client_secret.expose().as_bytes(), &signature, body, now) {
        return None;
    }
    let event: Value = serde_json::from_slice(body).ok()?;
    if filled(&event, "client_key")? != config.client_key {
        return None;
    }
    Some(ProviderEvent {
        provider_account_id: filled(&event, "user_openid").unwrap_or_default().to_owned(),
        at: event
            .get("create_time")
            .and_then(integer)
            .map_or(now, Time::from_secs),
        kind: kind(&event),
    })
}

fn is_genuine(secret: &[u8], signature: &str, body: &[u8], now: Time) -> bool {
    let part = |key: &str| {
        let parts = signature
            .split(',')
            .filter_map(|part| part.trim().split_once('='));
        parts
            .into_iter()
            .find_map(|(name, value)| (name == key).then_some(value))
    };
    let (Some(stamp), Some(sent)) = (part("t"), part("s")) else {
        return false;
    };
    let Some(expected) = sign(secret, stamp, body) else {
        return false;
    };
    let Ok(sent) = hex::decode(sent) else {
        return false;
    };
    let is_recent = stamp.parse::<i64>().is_ok_and(|at| {
        let at = Time::from_secs(at);
        now.since(at) <= SKEW && at.since(now) <= SKEW
    });
    is_recent && bool::from(expected.as_slice().ct_eq(&sent))
}

/// `None` without a secret: then no signature is valid.
fn sign(secret: &[u8], stamp: &str, body: &[u8]) -> Option<Vec<u8>> {
    if secret.is_empty() {
        return None;
    }
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(secret).ok()?;
    mac.update(stamp.as_bytes());
    mac.update(b".");
    mac.update(body);
    Some(mac.finalize().into_bytes().to_vec())
}

/// Genuine news that we cannot use is ignored, so that the provider does not send it for three days.
fn kind(event: &Value) -> ProviderEventKind {
    let content = content(event);
    let progress = match filled(event, "event").unwrap_or_default() {
        "authorization.removed" => return ProviderEventKind::Revoked,
        "post.publish.failed" => {
            let reason = filled(&content, "reason").or_else(|| filled(&content, "fail_reason"));
            status::failure(reason, None)
        }
        "post.publish.inbox_delivered" => Progress::InInbox,
        "post.publish.complete" => published(None),
        // The official name is misspelled; the corrected spelling is accepted too.
        "post.publish.no_longer_publicaly_available" | "post.publish.no_longer_publicly_available" => {
            return no_longer_public(&content);
        }
        "post.publish.publicly_available" | "post.publish.publicaly_available" => {
            published(content.get("post_id").and_then(id_text))
        }
        _ => return ProviderEventKind::Ignored,
    };
    match handle(&content) {
        Some(handle) => ProviderEventKind::Submission { handle, progress },
        None => ProviderEventKind::Ignored,
    }
}

fn no_longer_public(content: &Value) -> ProviderEventKind {
    handle(content).map_or(ProviderEventKind::Ignored, |handle| {
        ProviderEventKind::NoLongerPublic { handle }
    })
}

fn handle(content: &Value) -> Option<String> {
    filled(content, "publish_id").map(str::to_owned)
}

/// `content` is a JSON text inside the JSON.
fn content(event: &Value) -> Value {
    match event.get("content") {
        Some(Value::String(text)) => serde_json::from_str(text).unwrap_or(Value::Null),
        Some(object) => object.clone(),
        None => Value::Null,
    }
}

fn published(release_id: Option<String>) -> Progress {
    Progress::Published {
        release_id,
        release_url: None,
    }
}

/// Whether a notification that arrives at the epoch is genuine, for `fuzz/`.
#[doc(hidden)]
pub fn reads_notification(signature: &str, body: &[u8]) -> bool {
    let config = TikTokConfig::new("key", Secret::new("secret"));
    let header = |name: &str| (name == "tiktok-signature").then(|| signature.to_owned());
    read(&config, &header, body, Time::from_secs(0)).is_some()
}

/// Whether a notification is read once its signature is right, for `fuzz/`.
#[doc(hidden)]
pub fn reads_signed_notification(body: &[u8]) -> bool {
    let signed = sign(b"secret", "0", body).map(hex::encode).unwrap_or_default();
    reads_notification(&format!("t=0,s={signed}"), body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use playout_domain::provider::Fate;
    use serde_json::json;

    const NOW: i64 = 1_795_000_000;

    fn config() -> TikTokConfig {
        TikTokConfig::new("awk1", Secret::new("top secret"))
    }

    fn body(event: &str, content: &Value) -> Vec<u8> {
        let body = json!({
            "client_key": "awk1", "event": event, "create_time": NOW - 3, "user_openid": "-000AbC",
            "content": content.to_string()
        });
        body.to_string().into_bytes()
    }

    fn signature(body: &[u8], at: i64) -> String {
        let stamp = at.to_string();
        format!(
            "t={stamp},s={}",
            hex::encode(sign(b"top secret", &stamp, body).unwrap())
        )
    }

    fn read_as(header: &str, body: &[u8]) -> Option<ProviderEvent> {
        let lookup = |name: &str| (name == "tiktok-signature").then(|| header.to_owned());
        read(&config(), &lookup, body, Time::from_secs(NOW))
    }

    fn kind_of(event: &str, content: &Value) -> ProviderEventKind {
        let body = body(event, content);
        read_as(&signature(&body, NOW), &body).unwrap().kind
    }

    #[test]
    fn the_signature_is_the_hmac_of_the_time_a_dot_and_the_body() {
        // Computed with: printf '1795000000.{}' | openssl dgst -sha256 -hmac 'top secret'
        let known = "d8e02c579dc0d085481a9569aa717f969617932db6346a4a73ec7db44d337f7f";
        assert_eq!(
            hex::encode(sign(b"top secret", "1795000000", b"{}").unwrap()),
            known
        );
    }

    #[test]
    fn a_genuine_event_names_account_time_and_post() {
        let content = json!({
            "publish_id": "v_pub_file~v2-1.76", "publish_type": "DIRECT_PUBLISH", "post_id": "7681234567890123457"
        });
        let body = body("post.publish.publicly_available", &content);
        let event = read_as(&signature(&body, NOW), &body).unwrap();
        assert_eq!(event.provider_account_id, "-000AbC");
        assert_eq!(event.at, Time::from_secs(NOW - 3));
        assert_eq!(
            event.kind,
            ProviderEventKind::Submission {
                handle: "v_pub_file~v2-1.76".to_owned(),
                progress: published(Some("7681234567890123457".to_owned())),
            }
        );
    }

    #[test]
    fn a_forged_stale_or_foreign_event_is_not_genuine() {
        let body = body("authorization.removed", &json!({ "reason": 1 }));
        let good = signature(&body, NOW);
        assert!(read_as(&good, &body).is_some());
        let mut altered = body.clone();
        altered.push(b' ');
        assert_eq!(read_as(&good, &altered), None);
        assert_eq!(read_as(&good.replace("s=", "s=00"), &body), None);
        assert_eq!(read_as(&good[..good.len() - 2], &body), None);
        for header in ["", "t=1795000000", "s=00", "t=,s=", "t=1795000000,s=zz"] {
            assert_eq!(read_as(header, &body), None, "{header}");
        }
        for age in [-301, 301] {
            assert_eq!(read_as(&signature(&body, NOW + age), &body), None, "{age}");
        }
        for age in [-300, 300] {
            assert!(read_as(&signature(&body, NOW + age), &body).is_some(), "{age}");
        }
        let foreign = String::from_utf8(body)
            .unwrap()
            .replace("awk1", "awk2")
            .into_bytes();
        assert_eq!(read_as(&signature(&foreign, NOW), &foreign), None);
        assert_eq!(read(&config(), &|_| None, &foreign, Time::from_secs(NOW)), None);
    }

    #[test]
    fn every_event_is_understood_or_ignored() {
        let about = json!({ "publish_id": "p1", "reason": "spam_risk_text", "post_id": 7_681_234_567_890_123_457_u64 });
        let submission = |event: &str| match kind_of(event, &about) {
            ProviderEventKind::Submission { handle, progress } if handle == "p1" => Some(progress),
            _ => None,
        };
        assert_eq!(
            submission("post.publish.inbox_delivered"),
            Some(Progress::InInbox)
        );
        assert_eq!(submission("post.publish.complete"), Some(published(None)));
        let revealed = Some(published(Some("7681234567890123457".to_owned())));
        assert_eq!(submission("post.publish.publicly_available"), revealed);
        assert_eq!(submission("post.publish.publicaly_available"), revealed);
        let Some(Progress::Failed(error)) = submission("post.publish.failed") else {
            panic!("a failure");
        };
        assert_eq!(
            (error.fate, error.code.as_str()),
            (Fate::Rejected, "spam_risk_text")
        );
        assert_eq!(
            kind_of("authorization.removed", &json!({})),
            ProviderEventKind::Revoked
        );
        for event in ["tiktok.ping", "video.upload.failed", "portability.download.ready"] {
            assert_eq!(kind_of(event, &about), ProviderEventKind::Ignored, "{event}");
        }
        for spelling in ["publicaly", "publicly"] {
            let event = format!("post.publish.no_longer_{spelling}_available");
            let handle = "p1".to_owned();
            assert_eq!(
                kind_of(&event, &about),
                ProviderEventKind::NoLongerPublic { handle }
            );
            assert_eq!(kind_of(&event, &json!({})), ProviderEventKind::Ignored);
        }
        assert_eq!(
            kind_of("post.publish.complete", &json!({})),
            ProviderEventKind::Ignored
        );
    }
}
