//! Notifications of the provider by hand: what its own delivery would never send, or not at that moment.

use playout_domain::time::Time;
use playout_tiktok::sim::SimConfig;
use serde_json::{Value, json};

use super::TestApp;

/// A notification that is about to be sent.
#[derive(Debug, Clone)]
pub(crate) struct Notice {
    /// What is signed and sent.
    pub(crate) body: String,
    /// When it is signed.
    pub(crate) signed_at: Time,
}

impl TestApp {
    /// A genuine notification of this moment about an account.
    pub(crate) fn notice(&self, username: &str, event: &str, content: &Value) -> Notice {
        let body = json!({
            "client_key": SimConfig::default().client_key,
            "event": event,
            "create_time": self.now().as_secs(),
            "user_openid": self.open_id(username),
            "content": content.to_string(),
        });
        Notice {
            body: body.to_string(),
            signed_at: self.now(),
        }
    }

    /// Sends a notification, signed as the provider does; returns the HTTP status.
    pub(crate) async fn send(&self, notice: &Notice) -> u16 {
        let signature = self.sim.sign(&notice.body, notice.signed_at);
        self.send_signed(&notice.body, &signature).await
    }

    /// Sends a body under any signature.
    pub(crate) async fn send_signed(&self, body: &str, signature: &str) -> u16 {
        let url = format!("{}/webhooks/tiktok", self.app.config.base_url);
        let request = self.api.http().post(url).header("TikTok-Signature", signature);
        self.api.send(request.body(body.to_owned())).await.status
    }

    /// The kinds of the workspace's events that are about this post, in order, after that it was created. That its page becomes known, once it
    /// is published, is none of them.
    pub(crate) async fn events_of(&self, post: &str) -> Vec<String> {
        let events = self
            .app
            .store
            .list_events(self.workspace.id, None, 1000)
            .await
            .unwrap();
        let events = events.into_iter().filter(|event| event.payload["postId"] == post);
        let mut is_published = false;
        let mut kinds: Vec<String> = events.map(|event| event.kind).collect();
        kinds.retain(|kind| {
            is_published |= kind == "post.published";
            kind != "post.created" && !(is_published && kind == "post.updated")
        });
        kinds
    }

    /// How often the workspace's log has this kind of event about this account.
    pub(crate) async fn events_about(&self, platform: &str, kind: &str) -> usize {
        let events = self
            .app
            .store
            .list_events(self.workspace.id, None, 1000)
            .await
            .unwrap();
        let about = |payload: &Value| payload["platformId"] == platform;
        events
            .iter()
            .filter(|event| event.kind == kind && about(&event.payload))
            .count()
    }

    /// A post's tries, as the API shows them.
    pub(crate) async fn attempts_of(&self, post: &str) -> Vec<Value> {
        let answer = self
            .api
            .get(&format!("/public/v1/posts/{post}/attempts"))
            .await
            .ok();
        answer["attempts"].as_array().unwrap().clone()
    }

    /// What the provider calls the latest try of a post.
    pub(crate) async fn handle_of(&self, post: &str) -> String {
        let tries = self.attempts_of(post).await;
        tries.last().unwrap()["publishId"].as_str().unwrap().to_owned()
    }
}
