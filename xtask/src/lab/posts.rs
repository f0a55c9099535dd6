//! The posts of a run: which there are, when they are due, and how each is known again at the provider.

use serde_json::{Value, json};

use super::chance::Chance;
use super::trouble::{DOOMED, FRAIL};
use crate::bench::timestamp;

/// One video for the inbox in so many posts: each has a file of its own, because a draft of a video bears no caption.
const INBOX_EVERY: usize = 20;
/// The smallest of these files; each is a byte larger than the one before.
const INBOX_BYTES: u64 = 230_000;

/// One post in so many has comments. It goes to an account that is connected as a business.
const COMMENTED_EVERY: usize = 15;
/// The comments of such a post.
pub const COMMENTS: usize = 2;
/// Accounts that are connected as a business, behind all others: none of them ever loses its tokens.
pub const BUSINESSES: usize = 2;

/// One post in so many is created while processes die, to go out at once; the others are planned before.
const LIVE_EVERY: usize = 10;

/// What a post consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A short video.
    Clip,
    /// A video that is uploaded in several pieces.
    Large,
    /// Two photos.
    Photos,
    /// A short video for the creator's inbox, with a file of its own.
    InboxVideo(usize),
    /// Photos for the inbox.
    InboxPhotos,
    /// A short video that the provider refuses for its words.
    Doomed,
    /// A short video with comments.
    Commented,
}

/// A post before it is created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Post {
    /// Its place among all.
    pub number: usize,
    /// The account it goes to.
    pub account: usize,
    /// What it consists of.
    pub kind: Kind,
    /// Whether it will be public, so that it can be found in the list of the account's posts.
    pub is_public: bool,
    /// When it is due, in milliseconds from the first one's time on.
    pub due_ms: u64,
}

/// When a request asks for a post to go out.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// `draft`, `now` or `schedule`.
    pub mode: &'static str,
    /// `scheduledFor`, in microseconds since the epoch.
    pub at: i64,
}

/// The uploaded files.
#[derive(Debug, Clone, Copy)]
pub struct Media<'a> {
    clip: &'a str,
    photos: [&'a str; 2],
    large: &'a str,
    inbox: &'a [String],
}

impl<'a> Media<'a> {
    /// From their IDs in the order in which the stage uploads them.
    pub fn of(ids: &'a [String]) -> Self {
        Self {
            clip: &ids[0],
            photos: [&ids[1], &ids[2]],
            large: &ids[3],
            inbox: &ids[4..],
        }
    }

    fn of_kind(&self, kind: Kind) -> Vec<&'a str> {
        match kind {
            Kind::Clip | Kind::Doomed | Kind::Commented => vec![self.clip],
            Kind::Large => vec![self.large],
            Kind::Photos | Kind::InboxPhotos => self.photos.to_vec(),
            Kind::InboxVideo(number) => vec![&self.inbox[number]],
        }
    }
}

/// How many videos for the inbox there are among so many posts.
pub fn inbox_videos(posts: usize) -> usize {
    posts / INBOX_EVERY
}

/// The size of such a video, by which its draft is identified.
pub fn inbox_video_bytes(number: usize) -> u64 {
    INBOX_BYTES + number as u64
}

/// The posts that `seed` makes, spread over `length_ms`.
pub fn plan(seed: u64, (count, accounts): (usize, usize), length_ms: u64) -> Vec<Post> {
    // Another row of numbers than that of the kills.
    let mut chance = Chance::seeded(seed ^ 0x706f_7374);
    let mut videos = 0..inbox_videos(count);
    let mut post = |number| {
        let kind = kind(&mut chance, (number, count), &mut videos);
        let account = account(&mut chance, number, accounts);
        let is_public = chance.happens(60);
        let has_comments = kind == Kind::Commented;
        Post {
            number,
            account: if has_comments {
                accounts + number % BUSINESSES
            } else {
                account
            },
            kind,
            is_public: is_public || has_comments,
            due_ms: number as u64 * length_ms / count.max(1) as u64 + chance.below(200),
        }
    };
    (0..count).map(&mut post).collect()
}

fn is_live(number: usize) -> bool {
    number % LIVE_EVERY == LIVE_EVERY / 2
}

/// The accounts that lose their tokens get more than the others; but nothing that is created while processes die, because it is
/// refused while its account must be reconnected.
fn account(chance: &mut Chance, number: usize, accounts: usize) -> usize {
    if is_live(number) {
        return usize::try_from(chance.between(FRAIL.min(accounts - 1) as u64, accounts as u64)).unwrap_or(0);
    }
    let among = if chance.happens(20) {
        FRAIL.min(accounts)
    } else {
        accounts
    };
    usize::try_from(chance.below(among as u64)).unwrap_or(0)
}

fn kind(chance: &mut Chance, (number, count): (usize, usize), videos: &mut std::ops::Range<usize>) -> Kind {
    if number % INBOX_EVERY == INBOX_EVERY - 1
        && let Some(video) = videos.next()
    {
        return Kind::InboxVideo(video);
    }
    // Early enough that all of its pieces can be sent before the end.
    if number % 90 == 3 && number < count / 2 + 4 {
        return Kind::Large;
    }
    if number % COMMENTED_EVERY == COMMENTED_EVERY / 2 {
        return Kind::Commented;
    }
    match chance.below(100) {
        0..=54 => Kind::Clip,
        55..=93 => Kind::Photos,
        94..=97 => Kind::InboxPhotos,
        _ => Kind::Doomed,
    }
}

impl Post {
    /// The text by which it is identified at the provider.
    pub fn marker(&self) -> String {
        format!("lab{:06}end", self.number)
    }

    /// Its text.
    pub fn caption(&self) -> String {
        let word = if self.kind == Kind::Doomed {
            DOOMED
        } else {
            "#kites"
        };
        format!("Flight {} {word}", self.marker())
    }

    /// Whether it goes to the creator's inbox.
    pub fn is_for_inbox(&self) -> bool {
        matches!(self.kind, Kind::InboxVideo(_) | Kind::InboxPhotos)
    }

    /// Whether it is created while processes die.
    pub fn is_live(&self) -> bool {
        is_live(self.number)
    }

    /// Whether it is created as a draft, and then published. No post for an inbox is: what is published again there, because it waits
    /// for its creator, is in the inbox twice.
    pub fn is_drafted(&self) -> bool {
        self.is_live() && (self.number / LIVE_EVERY).is_multiple_of(2) && !self.is_for_inbox()
    }

    /// The text of a comment under it, which cannot be mistaken for the post itself.
    pub fn comment(&self, place: usize) -> String {
        format!("Comment {place} on flight {:06}", self.number)
    }

    fn comments(&self) -> Vec<Value> {
        let count = if self.kind == Kind::Commented { COMMENTS } else { 0 };
        (0..count)
            .map(|place| json!({ "content": self.comment(place) }))
            .collect()
    }

    /// The request that creates it.
    pub fn body(&self, media: &Media<'_>, platforms: &[String], first_at: i64) -> String {
        let mode = match (self.is_drafted(), self.is_live()) {
            (true, _) => "draft",
            (false, true) => "now",
            (false, false) => "schedule",
        };
        let at = self.due_at(first_at);
        self.request(media, platforms, Timing { mode, at })
    }

    /// The request that creates it to go out at another time.
    pub fn request(&self, media: &Media<'_>, platforms: &[String], timing: Timing) -> String {
        let privacy = if self.is_public {
            "PUBLIC_TO_EVERYONE"
        } else {
            "SELF_ONLY"
        };
        let settings = match self.is_for_inbox() {
            true => json!({ "post_mode": "MEDIA_UPLOAD" }),
            false if self.kind == Kind::Commented => {
                json!({ "allow_comment": true, "privacy_level": privacy })
            }
            false => json!({ "privacy_level": privacy }),
        };
        json!({
            "platformIds": [platforms[self.account]],
            "content": self.caption(),
            "mode": timing.mode,
            "scheduledFor": timestamp::written(timing.at),
            "mediaIds": media.of_kind(self.kind),
            "settings": settings,
            "comments": self.comments(),
        })
        .to_string()
    }

    /// When it is due, in microseconds since the epoch, as the API keeps it: cut to milliseconds.
    pub fn due_at(&self, first_at: i64) -> i64 {
        (first_at / 1000 + i64::try_from(self.due_ms).unwrap_or(0)) * 1000
    }
}

/// The number in a text that bears a marker.
pub fn marked(text: &str) -> Option<usize> {
    text.split_once("lab")?.1.split_once("end")?.0.parse().ok()
}

/// The post that a draft in an inbox is of: by its text, or by the size of its one video.
pub fn of_draft(draft: &Value, posts: &[Post]) -> Option<usize> {
    let by_text = draft["description"].as_str().and_then(marked);
    by_text.or_else(|| {
        let bytes = draft["media"][0]["sizeBytes"].as_u64()?;
        let is_it = |post: &&Post| matches!(post.kind, Kind::InboxVideo(n) if inbox_video_bytes(n) == bytes);
        posts.iter().find(is_it).map(|post| post.number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_the_same_posts_again_of_every_kind_and_spread_over_the_time() {
        let posts = plan(9, (400, 40), 60_000);
        assert_eq!(posts, plan(9, (400, 40), 60_000));
        for is in [
            |kind| kind == Kind::Clip,
            |kind| kind == Kind::Large,
            |kind| kind == Kind::Photos,
            |kind| kind == Kind::InboxPhotos,
            |kind| kind == Kind::Doomed,
            |kind| kind == Kind::Commented,
            |kind| matches!(kind, Kind::InboxVideo(_)),
        ] as [fn(Kind) -> bool; 7]
        {
            assert!(posts.iter().any(|post| is(post.kind)));
        }
        let commented = |post: &Post| post.kind == Kind::Commented;
        assert!(posts.iter().all(|post| post.due_ms < 60_200));
        assert!(posts.iter().all(|post| commented(post) == (post.account >= 40)));
        assert!(posts.last().is_some_and(|post| post.due_ms > 59_000));
        let mut live = posts.iter().filter(|post| post.is_live());
        assert!(
            live.all(|post| post.account >= FRAIL),
            "no account of theirs is ever refused"
        );
        let drafted = posts.iter().filter(|post| post.is_drafted()).count();
        assert!((15..=20).contains(&drafted), "half of the live ones: {drafted}");
        assert!(posts.iter().all(|post| !post.is_drafted() || post.is_live()));
    }

    #[test]
    fn a_post_is_known_again_by_its_caption_and_a_draft_of_a_video_by_its_size() {
        let posts = plan(1, (100, 40), 10_000);
        assert!(
            posts
                .iter()
                .all(|post| marked(&post.caption()) == Some(post.number))
        );
        let photos = json!({ "description": posts[7].caption(), "media": [] });
        assert_eq!(of_draft(&photos, &posts), Some(7));
        let video = json!({ "description": "", "media": [{ "sizeBytes": inbox_video_bytes(2) }] });
        assert_eq!(of_draft(&video, &posts), Some(59));
    }
}
