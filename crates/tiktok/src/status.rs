//! The status of a submission: `status/fetch`.

use playout_domain::platform::Platform;
use playout_domain::provider::{Fate, Grant, Progress, ProviderError};
use serde_json::{Value, json};

use crate::account::key;
use crate::client::TikTok;
use crate::config::TikTokConfig;
use crate::envelope::{Reply, filled, id_text, integer};
use crate::errors;
use crate::limits::Call;

const PATH: &str = "/v2/post/publish/status/fetch/";
const CANCEL_PATH: &str = "/v2/post/publish/cancel/";

/// Handles of photo posts begin with it; it decides only how the permalink is spelled.
const PHOTO_HANDLE: &str = "p_pub_url";

impl TikTok {
    /// Fetches the status of a submission. An error means that the query failed, not the post: only [`Progress::Failed`]
    /// means that the provider gave up on it.
    pub(crate) async fn fetch_status(
        &self,
        grant: Grant<'_>,
        handle: &str,
    ) -> Result<Progress, ProviderError> {
        let body = json!({ "publish_id": handle });
        let reply = self
            .post_api(grant, Some(Call::Status), PATH, &body)
            .await
            .map_err(unanswered)?;
        Ok(match progress(&reply) {
            Progress::Published {
                release_id: Some(id), ..
            } => Progress::Published {
                release_url: permalink(&self.config, grant.platform, handle, &id),
                release_id: Some(id),
            },
            other => other,
        })
    }

    /// Drops a submission whose media are not fetched yet. Its limit is not documented; the errors are those of the
    /// status, and `publish_not_cancellable` once the provider is at work.
    pub(crate) async fn cancel_publish(&self, grant: Grant<'_>, handle: &str) -> Result<(), ProviderError> {
        let body = json!({ "publish_id": handle });
        self.post_api(grant, None, CANCEL_PATH, &body).await?;
        Ok(())
    }
}

/// A failed submission, from its `fail_reason`.
pub(crate) fn failure(reason: Option<&str>, log_id: Option<String>) -> Progress {
    Progress::Failed(errors::error(
        reason.unwrap_or("failed_without_reason"),
        "",
        log_id,
    ))
}

/// A rejected query does not mean a rejected post: `Rejected` and `Repeatable` are kept only where the provider no longer
/// knows the submission, or assigns it to another account; otherwise they become `Unknown`.
pub(crate) fn unanswered(error: ProviderError) -> ProviderError {
    let is_not_known = FORGOTTEN.contains(&error.code.as_str());
    match error.fate {
        Fate::Rejected | Fate::Repeatable if !is_not_known => ProviderError {
            fate: Fate::Unknown,
            ..error
        },
        _ => error,
    }
}

/// The provider's codes for submissions that it does not know as ours.
const FORGOTTEN: [&str; 2] = [
    "invalid_publish_id",
    "token_not_authorized_for_specified_publish_id",
];

/// The state by its name; an unknown name counts as pending, and shows nothing of an upload's bytes. Neither does a state without their
/// number: the provider leaves fields out that are 0, and may leave this one out while it processes.
fn progress(reply: &Reply) -> Progress {
    match filled(&reply.data, "status") {
        Some("PUBLISH_COMPLETE") => Progress::Published {
            release_id: post_id(&reply.data),
            release_url: None,
        },
        Some("SEND_TO_USER_INBOX") => Progress::InInbox,
        Some("FAILED") => failure(filled(&reply.data, "fail_reason"), reply.log_id.clone()),
        Some("PROCESSING_UPLOAD") => Progress::Pending {
            received_bytes: reply
                .data
                .get("uploaded_bytes")
                .and_then(integer)
                .and_then(|bytes| u64::try_from(bytes).ok()),
        },
        _ => Progress::Pending { received_bytes: None },
    }
}

/// The provider misspells the field's name; the corrected spelling is accepted too.
fn post_id(data: &Value) -> Option<String> {
    let fields = ["publicaly_available_post_id", "publicly_available_post_id"];
    fields.iter().find_map(|field| id_text(data.get(field)?))
}

pub(crate) fn permalink(
    config: &TikTokConfig,
    platform: &Platform,
    handle: &str,
    post_id: &str,
) -> Option<String> {
    let heard = platform.metadata.get(key::USERNAME).and_then(Value::as_str);
    let username = heard.or(platform.display_handle.as_deref())?;
    let kind = if handle.starts_with(PHOTO_HANDLE) {
        "photo"
    } else {
        "video"
    };
    Some(config.permalink(username, kind, post_id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::tests::platform;
    use playout_domain::secret::Secret;

    fn of(data: &str) -> Progress {
        progress(&Reply {
            data: serde_json::from_str(data).unwrap(),
            log_id: Some("L".to_owned()),
            date: None,
        })
    }

    fn published(id: Option<&str>) -> Progress {
        Progress::Published {
            release_id: id.map(str::to_owned),
            release_url: None,
        }
    }

    #[test]
    fn every_state_of_a_submission_is_read() {
        let pending = Progress::Pending { received_bytes: None };
        for (data, expected) in [
            (
                r#"{"status":"PROCESSING_UPLOAD","uploaded_bytes":5}"#,
                Progress::Pending {
                    received_bytes: Some(5),
                },
            ),
            (
                r#"{"status":"PROCESSING_UPLOAD","uploaded_bytes":0}"#,
                Progress::Pending {
                    received_bytes: Some(0),
                },
            ),
            (r#"{"status":"PROCESSING_UPLOAD"}"#, pending.clone()),
            (
                r#"{"status":"PROCESSING_UPLOAD","uploaded_bytes":null}"#,
                pending.clone(),
            ),
            (
                r#"{"status":"PROCESSING_DOWNLOAD","downloaded_bytes":10062683}"#,
                pending.clone(),
            ),
            (r#"{"status":"SOMETHING_NEW"}"#, pending.clone()),
            (r#"{}"#, pending),
            (r#"{"status":"SEND_TO_USER_INBOX"}"#, Progress::InInbox),
            (r#"{"status":"PUBLISH_COMPLETE"}"#, published(None)),
        ] {
            assert_eq!(of(data), expected, "{data}");
        }
    }

    #[test]
    fn the_post_id_is_read_in_every_shape_without_losing_a_digit() {
        for id in [
            "[]",
            "[7681234567890123457]",
            "7681234567890123457",
            r#""7681234567890123457""#,
            r#"["7681234567890123457",2]"#,
            "null",
        ] {
            let data = format!(r#"{{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":{id}}}"#);
            let expected = (id.len() > 4).then_some("7681234567890123457");
            assert_eq!(of(&data), published(expected), "{id}");
            let corrected = data.replace("publicaly", "publicly");
            assert_eq!(of(&corrected), published(expected), "{id}");
        }
    }

    #[test]
    fn a_failure_says_why() {
        let Progress::Failed(error) = of(r#"{"fail_reason":"file_format_check_failed","status":"FAILED"}"#)
        else {
            panic!("a failure");
        };
        assert_eq!(
            (error.fate, error.code.as_str()),
            (Fate::Rejected, "file_format_check_failed")
        );
        assert_eq!(error.log_id.as_deref(), Some("L"));
        let Progress::Failed(error) = of(r#"{"status":"FAILED"}"#) else {
            panic!("a failure");
        };
        assert_eq!(error.code, "failed_without_reason");
    }

    #[test]
    fn a_refused_question_is_not_a_refused_post() {
        assert_eq!(unanswered(errors::ours("invalid_params")).fate, Fate::Unknown);
        assert_eq!(
            unanswered(errors::ours("invalid_publish_id")).fate,
            Fate::Rejected
        );
        assert_eq!(
            unanswered(errors::ours("access_token_invalid")).fate,
            Fate::StaleToken
        );
    }

    #[test]
    fn the_permalink_tells_photos_from_videos() {
        let config = TikTokConfig::new("k", Secret::new("s"));
        let link = |handle| permalink(&config, &platform(), handle, "7").unwrap();
        assert_eq!(
            link("v_pub_file~v2-1.7"),
            "https://www.tiktok.com/@kitestudio/video/7"
        );
        assert_eq!(
            link("p_pub_url~v2.7"),
            "https://www.tiktok.com/@kitestudio/photo/7"
        );
        let mut nameless = platform();
        nameless.metadata.clear();
        nameless.display_handle = None;
        assert_eq!(permalink(&config, &nameless, "v_pub_file~1", "7"), None);
    }
}
