//! Comments under the account's own public posts, through the business API: another host, another header, numeric codes,
//! and errors behind HTTP 200.

use playout_domain::provider::{Grant, ProviderError};
use serde_json::json;

use crate::envelope::{self, id_text};
use crate::limits::Call;
use crate::{TikTok, http};

const PATH: &str = "/open_api/v1.3/business/comment/create/";

impl TikTok {
    /// Posts a comment and answers its ID. Not idempotent: an unclear answer must not be followed by another try.
    pub(crate) async fn create_comment(
        &self,
        grant: Grant<'_>,
        release_id: &str,
        text: &str,
    ) -> Result<String, ProviderError> {
        let account = &grant.platform.provider_account_id;
        self.brake(account, Some(Call::Comment))?;
        let body = json!({ "business_id": account, "video_id": release_id, "text": text });
        let request = self.http.post(&self.config.business(PATH));
        let request = request.header("Access-Token", grant.access.expose()).json(&body);
        let answer = http::call(request).await?;
        let data = envelope::read_business(&answer).map_err(|error| self.paced(account, error))?;
        let id = data.get("comment_id").and_then(id_text);
        id.ok_or_else(|| envelope::incomplete(answer.log_id))
    }
}
