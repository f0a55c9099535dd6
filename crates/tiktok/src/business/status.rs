//! The status of a submission: `/business/publish/status/`. The post's ID comes up to three minutes after it is complete,
//! and only for what is public.

use playout_domain::provider::{Grant, Progress, ProviderError};
use serde_json::Value;

use super::client::TikTokBusiness;
use crate::envelope::{filled, id_text};
use crate::status::{failure, permalink, unanswered};

const PATH: &str = "/business/publish/status/";

impl TikTokBusiness {
    /// Fetches the status of a submission. An error means that the query failed, not the post.
    pub(super) async fn fetch_status(
        &self,
        grant: Grant<'_>,
        handle: &str,
    ) -> Result<Progress, ProviderError> {
        let reply = self
            .get(grant.into(), PATH, &[("publish_id", handle)])
            .await
            .map_err(unanswered)?;
        Ok(match filled(&reply.data, "status") {
            Some("PUBLISH_COMPLETE") => {
                let release_id = reply.data.get("post_ids").and_then(id_text);
                let link = |id: &String| permalink(&self.base.config, grant.platform, handle, id);
                Progress::Published {
                    release_url: release_id.as_ref().and_then(link),
                    release_id,
                }
            }
            Some("SEND_TO_USER_INBOX") => Progress::InInbox,
            Some("FAILED") => failure(reply.data.get("reason").and_then(Value::as_str), reply.log_id),
            _ => Progress::Pending { received_bytes: None },
        })
    }
}
