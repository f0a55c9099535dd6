//! How a publish task moves from stage to stage.
//!
//! ```text
//! Transfer ──all bytes──▶ Processing ──decide──▶ Complete (direct) ──moderation──▶ public
//!     │                        │                 Inbox (draft) ──the creator posts──▶ Complete ──▶ public
//!     └── cancelled, revoked,  └── any reason ──▶ Failed
//!         deadline ──▶ Failed
//! ```

use std::time::Duration;

use serde_json::json;

use super::fault::take_fate;
use super::grants::App;
use super::ledger::{InboxDelivery, Publication};
use super::media::Media;
use super::task::{Mode, PostInfo, Source, Stage, Task};
use super::world::{DAY, Effect, Event, World};

/// Downloads may take this long.
const PULL_DEADLINE_MS: u64 = 3_600_000;

impl World {
    /// Takes a new task in; downloads begin by themselves.
    pub(super) fn accept(&mut self, task: Task) {
        if matches!(task.source, Source::Url(_)) {
            self.after(
                self.knobs.pull_delay_ms,
                Event::StartPull(task.publish_id.clone()),
            );
            self.after(PULL_DEADLINE_MS, Event::PullDeadline(task.publish_id.clone()));
        }
        if task.mode == Mode::Direct && task.app == App::Creator {
            self.active.insert(task.open_id.clone(), self.now);
        }
        self.tasks.insert(task.publish_id.clone(), task);
    }

    /// All bytes of a task are here; `problem` is why they are not fit, if they are not.
    pub(super) fn arrived(&mut self, publish_id: &str, media: Vec<Media>, problem: Option<String>) {
        let Some(task) = self.tasks.get_mut(publish_id) else {
            return;
        };
        if task.stage != Stage::Transfer {
            return;
        }
        (task.stage, task.media, task.problem) = (Stage::Processing, media, problem);
        let types = task
            .media
            .iter()
            .map(|medium| (medium.id.clone(), medium.content_type.clone()));
        self.media_types.extend(types);
        if !self.knobs.keep_media {
            let forget = task.media.iter().map(|medium| Effect::Forget(medium.id.clone()));
            self.effects.extend(forget);
        }
        self.after(self.knobs.processing_ms, Event::Decide(publish_id.to_owned()));
    }

    /// The downloads of a task failed.
    pub(super) fn pull_failed(&mut self, publish_id: &str) {
        let Some(task) = self
            .tasks
            .get(publish_id)
            .filter(|task| task.stage == Stage::Transfer)
        else {
            return;
        };
        let reason = task.pull_failure();
        self.fail(publish_id, reason);
    }

    /// A task leaves processing.
    pub(super) fn decide(&mut self, publish_id: &str) {
        if self.knobs.stuck {
            self.stuck.push(publish_id.to_owned());
            return;
        }
        let Some(task) = self
            .tasks
            .get(publish_id)
            .filter(|task| task.stage == Stage::Processing)
        else {
            return;
        };
        let (mode, problem) = (task.mode, task.problem.clone());
        let fate = take_fate(&mut self.fates, &task.open_id, &task.info.caption());
        match problem.or(fate).or_else(|| self.late_refusal(publish_id)) {
            Some(reason) => self.fail(publish_id, &reason),
            None if mode == Mode::Direct => self.publish(publish_id, None),
            None => self.deliver_draft(publish_id),
        }
    }

    /// Caps and bans that hold at the end although they did not at the init.
    fn late_refusal(&self, publish_id: &str) -> Option<String> {
        let task = self.tasks.get(publish_id)?;
        let account = self.account(&task.open_id)?;
        if account.banned {
            return Some("spam_risk_user_banned_from_posting".to_owned());
        }
        let capped = task.mode == Mode::Direct && self.posts_used_up(&task.open_id);
        capped.then(|| "spam_risk_too_many_posts".to_owned())
    }

    /// Whether the account has made all the direct posts that it may make in 24 hours.
    pub(super) fn posts_used_up(&self, open_id: &str) -> bool {
        let Some(cap) = self.account(open_id).and_then(|account| account.post_cap) else {
            return false;
        };
        self.ledger.count_direct_since(open_id, self.now.minus(DAY)) >= cap as usize
    }

    /// Publishes the post. For drafts `finished` is what the creator chose.
    fn publish(&mut self, publish_id: &str, finished: Option<PostInfo>) {
        let post_id = self.ids.number(self.now);
        let Some(task) = self.tasks.get_mut(publish_id) else {
            return;
        };
        task.stage = Stage::Complete;
        let task = task.clone();
        let info = finished.unwrap_or(task.info);
        let post = Publication {
            username: self
                .account(&task.open_id)
                .map(|account| account.username.clone())
                .unwrap_or_default(),
            open_id: task.open_id,
            kind: task.kind,
            mode: task.mode,
            publish_id: publish_id.to_owned(),
            post_id: post_id.to_string(),
            caption: info.caption(),
            info,
            media: task.media,
            inited_at: task.inited_at,
            published_at: self.now,
            public_at: None,
            comments: Vec::new(),
        };
        let public = post.info.privacy_level == "PUBLIC_TO_EVERYONE";
        if !self.ledger.enter(post) {
            return;
        }
        self.task_event(publish_id, "post.publish.complete", json!({}));
        if public {
            self.after(self.knobs.moderation_ms, Event::Reveal(publish_id.to_owned()));
        }
    }

    /// Copies of an account's last post, one a second until now, each public at once.
    pub(super) fn creator_has_posted(&mut self, open_id: &str, count: u32) {
        let Some(last) = self.ledger.of_account(open_id).last().cloned() else {
            return;
        };
        for before in (0..count).rev() {
            let at = self.now.minus(Duration::from_secs(before.into()));
            let post_id = self.ids.number(at).to_string();
            self.ledger.enter(Publication {
                publish_id: format!("by-hand-{post_id}"),
                caption: format!("By hand {post_id}"),
                post_id,
                inited_at: at,
                published_at: at,
                public_at: Some(at),
                ..last.clone()
            });
        }
    }

    /// A public post has passed moderation: sends its id to the app, unless `omit_post_id` is set.
    pub(super) fn reveal(&mut self, publish_id: &str) {
        let now = self.now;
        let Some(post) = self.ledger.by_publish_mut(publish_id) else {
            return;
        };
        post.public_at = Some(now);
        let post_id = post.post_id.clone();
        if !self.knobs.omit_post_id {
            self.task_event(
                publish_id,
                "post.publish.publicly_available",
                json!({ "post_id": post_id }),
            );
        }
    }

    fn deliver_draft(&mut self, publish_id: &str) {
        let now = self.now;
        let Some(task) = self.tasks.get_mut(publish_id) else {
            return;
        };
        task.stage = Stage::Inbox;
        self.ledger.deliver(InboxDelivery {
            publish_id: publish_id.to_owned(),
            open_id: task.open_id.clone(),
            kind: task.kind,
            title: task.info.title.clone(),
            description: task.info.description.clone(),
            media: task.media.clone(),
            delivered_at: now,
            posted_at: None,
        });
        self.task_event(publish_id, "post.publish.inbox_delivered", json!({}));
    }

    /// The creator posts a draft from the inbox. False if none waits under this id.
    pub(super) fn finish_draft(
        &mut self,
        publish_id: &str,
        caption: Option<&str>,
        privacy_level: &str,
    ) -> bool {
        let Some(task) = self.tasks.get(publish_id).filter(|task| task.waits_in_inbox()) else {
            return false;
        };
        let mut info = PostInfo {
            privacy_level: privacy_level.to_owned(),
            ..task.info.clone()
        };
        if let Some(caption) = caption {
            (info.title, info.description) = (caption.to_owned(), String::new());
        }
        self.publish(publish_id, Some(info));
        let now = self.now;
        if let Some(draft) = self.ledger.draft_mut(publish_id) {
            draft.posted_at = Some(now);
        }
        true
    }

    /// A task ends as FAILED; nothing has gone out and nothing will.
    pub(super) fn fail(&mut self, publish_id: &str, reason: &str) {
        let Some(task) = self.tasks.get_mut(publish_id) else {
            return;
        };
        task.stage = Stage::Failed(reason.to_owned());
        task.abort();
        self.task_event(publish_id, "post.publish.failed", json!({ "reason": reason }));
    }

    /// The account revokes what it granted the creator app: tokens become invalid, transfers end, the app is notified (for
    /// the reasons see TikTok for Developers, "Webhook Events").
    pub(super) fn disconnect(&mut self, open_id: &str, reason: u8) {
        self.end_grant(App::Creator, open_id);
        self.emit(open_id, "authorization.removed", &json!({ "reason": reason }));
    }

    /// The same for the business app, which is not notified: it has no webhook here.
    pub(super) fn disconnect_business(&mut self, open_id: &str) {
        self.end_grant(App::Business, open_id);
    }

    fn end_grant(&mut self, app: App, open_id: &str) {
        self.grants.forget(app, open_id);
        let running =
            |task: &&Task| task.open_id == open_id && task.app == app && task.stage == Stage::Transfer;
        let ended: Vec<String> = self
            .tasks
            .values()
            .filter(running)
            .map(|task| task.publish_id.clone())
            .collect();
        ended
            .iter()
            .for_each(|publish_id| self.fail(publish_id, "auth_removed"));
    }

    /// Lets tasks that are stuck go on.
    pub(super) fn unstick(&mut self) {
        let stuck = std::mem::take(&mut self.stuck);
        stuck
            .into_iter()
            .for_each(|publish_id| self.after(0, Event::Decide(publish_id)));
    }

    fn task_event(&mut self, publish_id: &str, event: &str, more: serde_json::Value) {
        let Some(task) = self.tasks.get(publish_id).filter(|task| task.app == App::Creator) else {
            return;
        };
        let open_id = task.open_id.clone();
        let mut content = json!({ "publish_id": publish_id, "publish_type": task.mode.publish_type() });
        if let (Some(content), Some(more)) = (content.as_object_mut(), more.as_object()) {
            content.extend(more.clone());
        }
        self.emit(&open_id, event, &content);
    }
}
