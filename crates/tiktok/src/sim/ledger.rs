//! The posts that were published, and the comments under them.

use std::collections::HashMap;

use playout_domain::time::Time;
use serde::Serialize;

use super::media::Media;
use super::task::{Kind, Mode, PostInfo};

/// A post that is on the creator's profile.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Publication {
    /// The account (open_id).
    pub open_id: String,
    /// Its handle when the post was published.
    pub username: String,
    /// Video or photos.
    pub kind: Kind,
    /// Posted by the app, or by the creator from a draft.
    pub mode: Mode,
    /// The task that made it.
    pub publish_id: String,
    /// The post's number: 19 digits.
    pub post_id: String,
    /// The text that people read.
    pub caption: String,
    /// Everything that the app sent about the post.
    #[serde(flatten)]
    pub info: PostInfo,
    /// The bytes that it shows.
    pub media: Vec<Media>,
    /// When the app asked for it.
    pub inited_at: Time,
    /// When it was published.
    pub published_at: Time,
    /// When it became visible to everyone; `None`: never so far.
    pub public_at: Option<Time>,
    /// What was written under it.
    pub comments: Vec<Comment>,
}

impl Publication {
    /// Path of its page.
    pub fn path(&self) -> String {
        format!("/@{}/{}/{}", self.username, self.kind.as_str(), self.post_id)
    }
}

/// A comment under a post.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    /// Its number.
    pub comment_id: String,
    /// The post under which it is.
    pub post_id: String,
    /// Who wrote it (open_id).
    pub open_id: String,
    /// The text.
    pub text: String,
    /// When.
    pub created_at: Time,
    /// The spam filter hides it from everyone but its author.
    pub hidden: bool,
}

/// A draft that reached the creator's inbox.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InboxDelivery {
    /// The task that made it.
    pub publish_id: String,
    /// The account (open_id).
    pub open_id: String,
    /// Video or photos.
    pub kind: Kind,
    /// Title of photos; videos bring none.
    pub title: String,
    /// Description of photos.
    pub description: String,
    /// The bytes.
    pub media: Vec<Media>,
    /// When it arrived.
    pub delivered_at: Time,
    /// When the creator posted it.
    pub posted_at: Option<Time>,
}

/// All posts, in the order in which they went out, and all drafts delivered.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    posts: Vec<Publication>,
    by_post: HashMap<String, usize>,
    by_publish: HashMap<String, usize>,
    by_account: HashMap<String, Vec<usize>>,
    drafts: Vec<InboxDelivery>,
    draft_of: HashMap<String, usize>,
    drafts_by_account: HashMap<String, Vec<usize>>,
}

impl Ledger {
    /// Enters a post; false if its task has published already.
    pub(super) fn enter(&mut self, post: Publication) -> bool {
        if self.by_publish.contains_key(&post.publish_id) {
            return false;
        }
        let index = self.posts.len();
        self.by_publish.insert(post.publish_id.clone(), index);
        self.by_post.insert(post.post_id.clone(), index);
        self.by_account
            .entry(post.open_id.clone())
            .or_default()
            .push(index);
        self.posts.push(post);
        true
    }

    pub(super) fn all(&self) -> &[Publication] {
        &self.posts
    }

    pub(super) fn by_post(&self, post_id: &str) -> Option<&Publication> {
        self.posts.get(*self.by_post.get(post_id)?)
    }

    pub(super) fn by_post_mut(&mut self, post_id: &str) -> Option<&mut Publication> {
        self.posts.get_mut(*self.by_post.get(post_id)?)
    }

    pub(super) fn by_publish(&self, publish_id: &str) -> Option<&Publication> {
        self.posts.get(*self.by_publish.get(publish_id)?)
    }

    pub(super) fn by_publish_mut(&mut self, publish_id: &str) -> Option<&mut Publication> {
        self.posts.get_mut(*self.by_publish.get(publish_id)?)
    }

    /// Posts of an account, newest first.
    pub(super) fn of_account(&self, open_id: &str) -> impl Iterator<Item = &Publication> {
        let indices = self.by_account.get(open_id).map_or(&[][..], Vec::as_slice);
        indices.iter().rev().filter_map(|index| self.posts.get(*index))
    }

    /// Direct posts of an account since `after`.
    pub(super) fn count_direct_since(&self, open_id: &str, after: Time) -> usize {
        let recent = self
            .of_account(open_id)
            .take_while(|post| post.published_at > after);
        recent.filter(|post| post.mode == Mode::Direct).count()
    }

    pub(super) fn deliver(&mut self, draft: InboxDelivery) {
        let index = self.drafts.len();
        self.draft_of.insert(draft.publish_id.clone(), index);
        self.drafts_by_account
            .entry(draft.open_id.clone())
            .or_default()
            .push(index);
        self.drafts.push(draft);
    }

    pub(super) fn draft_mut(&mut self, publish_id: &str) -> Option<&mut InboxDelivery> {
        self.drafts.get_mut(*self.draft_of.get(publish_id)?)
    }

    /// Drafts of an account, newest first.
    pub(super) fn drafts_of(&self, open_id: &str) -> impl Iterator<Item = &InboxDelivery> {
        let indices = self.drafts_by_account.get(open_id).map_or(&[][..], Vec::as_slice);
        indices.iter().rev().filter_map(|index| self.drafts.get(*index))
    }

    /// Drafts of an account that arrived after `after` and were not posted.
    pub(super) fn count_pending_since(&self, open_id: &str, after: Time) -> usize {
        let recent = self
            .drafts_of(open_id)
            .take_while(|draft| draft.delivered_at > after);
        recent.filter(|draft| draft.posted_at.is_none()).count()
    }

    pub(super) fn drafts(&self) -> &[InboxDelivery] {
        &self.drafts
    }
}
