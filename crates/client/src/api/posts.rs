//! Posts.

use playout_domain::time::Time;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Api, IDEMPOTENCY_KEY, PREFIX, segment, with_query};
use crate::answers::{AttemptList, BatchResults, CreateResults, Group, PostList, Reply, ValidateResults};
use crate::error::Error;

/// The filter of a post list.
#[derive(Debug, Clone, Default)]
pub struct PostQuery {
    /// The first instant, inclusive.
    pub start: Option<Time>,
    /// The last instant, exclusive.
    pub end: Option<Time>,
    /// States; empty means all.
    pub states: Vec<String>,
    /// A platform's ID.
    pub platform_id: Option<String>,
    /// A text that the caption contains.
    pub text: Option<String>,
    /// Whether the latest come first, instead of the earliest.
    pub is_latest_first: bool,
    /// The most items of one page.
    pub limit: Option<u32>,
    /// The cursor of the page.
    pub cursor: Option<String>,
}

impl Api {
    /// `GET /posts`, one page.
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn posts_page(&self, query: &PostQuery) -> Result<Reply<PostList>, Error> {
        let [start, end] = [query.start, query.end].map(|time| time.map(|time| time.to_string()));
        let limit = query.limit.map(|limit| limit.to_string());
        let mut pairs = vec![
            ("startDate", start.as_deref()),
            ("endDate", end.as_deref()),
            ("platformId", query.platform_id.as_deref()),
            ("q", query.text.as_deref()),
            ("order", query.is_latest_first.then_some("desc")),
            ("limit", limit.as_deref()),
            ("cursor", query.cursor.as_deref()),
        ];
        pairs.extend(query.states.iter().map(|state| ("state", Some(state.as_str()))));
        self.get(&with_query("/posts", &pairs)).await
    }

    /// `POST /posts`. With the caller's own idempotency key, it takes effect once even if the program runs again.
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn create_post(&self, post: &Value, key: Option<&str>) -> Result<Reply<CreateResults>, Error> {
        self.post("/posts", post, key).await
    }

    /// `POST /posts/batch`: up to a hundred posts, each by itself. With the same key within a day, they are created once.
    ///
    /// # Errors
    /// `idempotency_key_reused`, and those of every operation.
    pub async fn create_posts(&self, batch: &Value, key: &str) -> Result<Reply<BatchResults>, Error> {
        let path = format!("{PREFIX}/posts/batch");
        let build = async || {
            let request = self.http.request(Method::POST, &path);
            Ok(request.header(IDEMPOTENCY_KEY, key).json(batch))
        };
        let answer = self.http.send(true, build).await?;
        let mut reply: Reply<BatchResults> = Reply::read(answer.json()?)?;
        reply.value.is_replayed = answer.header("idempotency-replayed") == Some("true");
        Ok(reply)
    }

    /// `POST /posts/validate`
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn validate_post(&self, post: &Value) -> Result<Reply<ValidateResults>, Error> {
        self.post("/posts/validate", post, None).await
    }

    /// `GET /posts/{id}`
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn post_group(&self, id: &str) -> Result<Reply<Group>, Error> {
        self.get(&format!("/posts/{}", segment(id))).await
    }

    /// `PATCH /posts/{id}`, only of this version if one is given.
    ///
    /// # Errors
    /// `precondition_failed` where the post has another version, and those of every operation.
    pub async fn change_post(
        &self,
        id: &str,
        change: &Value,
        version: Option<&str>,
    ) -> Result<Reply<Group>, Error> {
        self.patch(&format!("/posts/{}", segment(id)), change, version)
            .await
    }

    /// `PATCH /posts/{id}/schedule`, only of this version if one is given.
    ///
    /// # Errors
    /// `precondition_failed` where the post has another version, and those of every operation.
    pub async fn reschedule_post(
        &self,
        id: &str,
        at: Time,
        version: Option<&str>,
    ) -> Result<Reply<Group>, Error> {
        let path = format!("/posts/{}/schedule", segment(id));
        self.patch(&path, &json!({ "scheduledFor": at }), version).await
    }

    /// `POST /posts/{id}/publish`. With the caller's own idempotency key, it takes effect once even if the program runs again;
    /// only of this version if one is given.
    ///
    /// # Errors
    /// `post_undecided`, `precondition_failed` where the post has another version, and those of every operation.
    pub async fn publish_post(
        &self,
        id: &str,
        key: Option<&str>,
        version: Option<&str>,
    ) -> Result<Reply<Group>, Error> {
        let path = format!("/posts/{}/publish", segment(id));
        self.post_of(&path, &json!({}), key, version).await
    }

    /// `POST /posts/{id}/unschedule`, only of this version if one is given.
    ///
    /// # Errors
    /// `precondition_failed` where the post has another version, and those of every operation.
    pub async fn unschedule_post(&self, id: &str, version: Option<&str>) -> Result<Reply<Group>, Error> {
        let path = format!("/posts/{}/unschedule", segment(id));
        self.post_of(&path, &json!({}), None, version).await
    }

    /// `POST /posts/{id}/mark-published`, with the provider's ID of the post and the address of its page, if known; only of this version if one
    /// is given.
    ///
    /// # Errors
    /// `precondition_failed` where the post has another version, and those of every operation.
    pub async fn mark_published(
        &self,
        id: &str,
        (release_id, release_url): (Option<&str>, Option<&str>),
        version: Option<&str>,
    ) -> Result<Reply<Group>, Error> {
        let path = format!("/posts/{}/mark-published", segment(id));
        let body = json!({ "releaseId": release_id, "releaseUrl": release_url });
        self.post_of(&path, &body, None, version).await
    }

    /// `DELETE /posts/{id}`, only of this version if one is given.
    ///
    /// # Errors
    /// `precondition_failed` where the post has another version, and those of every operation.
    pub async fn delete_post(&self, id: &str, version: Option<&str>) -> Result<(), Error> {
        self.delete(&format!("/posts/{}", segment(id)), version).await
    }

    /// `GET /posts/{id}/attempts`
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn attempts(&self, id: &str) -> Result<Reply<AttemptList>, Error> {
        self.get(&format!("/posts/{}/attempts", segment(id))).await
    }
}
