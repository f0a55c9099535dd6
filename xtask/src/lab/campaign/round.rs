//! The plan of a round with one restore, made from the seed: its posts, when the copy is made and put back, and what happens
//! between the two.

use crate::lab::chance::Chance;
use crate::lab::copies::Way;
use crate::lab::posts::{BUSINESSES, Kind, Post};

/// One of so many rounds has a video for the inbox, as long as there are files.
const INBOX_EVERY: usize = 5;
const MOST_INBOX_VIDEOS: usize = 20;
/// One of so many rounds has a video that travels in several pieces.
const LARGE_EVERY: usize = 12;
/// The accounts that lose their access tokens.
pub const FRAIL: usize = 3;

/// A round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// Its place among all.
    pub number: usize,
    /// How the copy is made and put back.
    pub way: Way,
    /// What it creates.
    pub posts: Vec<Planned>,
    /// How slow the provider is.
    pub pace: Pace,
    /// Whether answers are lost although their work is done.
    pub loses_answers: bool,
    /// From the first request on, the time until the copy is made.
    pub copy_after_ms: u64,
    /// What happens after the copy, in order of time.
    pub steps: Vec<Step>,
    /// The time from the copy until it is put back.
    pub restore_after_ms: u64,
}

/// How slow the provider is, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// From a post's last byte until it is out.
    pub processing: u64,
    /// From then until it is listed.
    pub moderation: u64,
    /// Until it fetches.
    pub pull_delay: u64,
}

/// A post of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// What it is.
    pub post: Post,
    /// When it is to go out.
    pub when: When,
    /// Whether it is created after the copy was made.
    pub is_late: bool,
}

/// When a post is to go out, in milliseconds from the beginning of the round on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// It was due before the round began.
    Past(u64),
    /// During the round.
    Soon(u64),
    /// In one of the next rounds.
    Later(u64),
    /// After the campaign.
    Tomorrow,
    /// When a person publishes it.
    Draft,
}

/// Something that happens after the copy was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// When, in milliseconds after the copy.
    pub at_ms: u64,
    /// What.
    pub deed: Deed,
}

/// What happens after a copy was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// A person sends a post before its time, by its place in the round.
    SendEarly(usize),
    /// A client creates a post that the copy will not have.
    Create(usize),
    /// A node is killed, and another takes its place.
    Kill(usize),
    /// The access token of an account expires; its refresh token is spent when it is used, and the copy has no other.
    Expire(usize),
}

/// How many videos for the inbox so many rounds have.
pub fn inbox_videos(rounds: usize) -> usize {
    (rounds / INBOX_EVERY).min(MOST_INBOX_VIDEOS)
}

impl When {
    /// When it is due, in microseconds since the epoch; `None` for a draft.
    pub fn due_at(self, began_at: i64) -> Option<i64> {
        let micros = |ms: u64| i64::try_from(ms * 1000).unwrap_or(i64::MAX);
        match self {
            Self::Past(ms) => Some(began_at - micros(ms)),
            Self::Soon(ms) | Self::Later(ms) => Some(began_at + micros(ms)),
            Self::Tomorrow => Some(began_at + micros(86_400_000)),
            Self::Draft => None,
        }
    }

    fn any(chance: &mut Chance) -> Self {
        match chance.below(100) {
            0..=19 => Self::Past(chance.below(60_000)),
            20..=49 => Self::Soon(chance.below(6000)),
            50..=69 => Self::Later(chance.between(30_000, 50_000)),
            70..=84 => Self::Tomorrow,
            _ => Self::Draft,
        }
    }

    fn may_be_sent_early(self) -> bool {
        matches!(self, Self::Later(_) | Self::Tomorrow | Self::Draft)
    }
}

/// What a campaign consists of.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Posts of a round.
    pub posts: usize,
    /// Accounts that are not connected as a business.
    pub accounts: usize,
    /// Nodes that run at the same time.
    pub nodes: usize,
}

impl Round {
    /// The round of this number that `seed` makes.
    pub fn new(seed: u64, number: usize, size: Size) -> Self {
        let mut chance = Chance::seeded(seed ^ (number as u64 + 1).wrapping_mul(0x7265_7374_6f72_6573));
        let pace = Pace {
            processing: chance.one_of(&[0, 0, 0, 300, 300, 1000, 2500, 5000]),
            moderation: chance.one_of(&[0, 0, 0, 500, 3000]),
            pull_delay: chance.one_of(&[0, 50, 400]),
        };
        let posts: Vec<Planned> = (0..size.posts)
            .map(|place| planned(&mut chance, (number, place), size))
            .collect();
        let restore_after_ms = chance.between(200, 3500);
        let mut round = Self {
            number,
            way: Way::any(&mut chance),
            pace,
            loses_answers: chance.happens(25),
            copy_after_ms: chance.below(1500),
            steps: Vec::new(),
            restore_after_ms,
            posts,
        };
        round.plan_steps(&mut chance, size);
        round
    }

    fn plan_steps(&mut self, chance: &mut Chance, size: Size) {
        let mut deeds = Vec::new();
        for (place, planned) in self.posts.iter().enumerate() {
            if planned.is_late {
                deeds.push(Deed::Create(place));
            } else if planned.when.may_be_sent_early() && chance.happens(60) {
                deeds.push(Deed::SendEarly(place));
            }
        }
        for _ in 0..chance.below(3) {
            let node = chance.below(size.nodes as u64);
            deeds.push(Deed::Kill(usize::try_from(node).unwrap_or(0)));
        }
        if chance.happens(25) {
            let account = chance.below(FRAIL.min(size.accounts) as u64);
            deeds.push(Deed::Expire(usize::try_from(account).unwrap_or(0)));
        }
        let at = |deed| Step {
            at_ms: chance.below(self.restore_after_ms),
            deed,
        };
        self.steps = deeds.into_iter().map(at).collect();
        self.steps.sort_by_key(|step| step.at_ms);
    }
}

fn planned(chance: &mut Chance, (round, place): (usize, usize), size: Size) -> Planned {
    let number = round * size.posts + place;
    let kind = kind(chance, round, place);
    let is_commented = kind == Kind::Commented;
    let account = usize::try_from(chance.below(size.accounts as u64)).unwrap_or(0);
    let post = Post {
        number,
        account: match is_commented {
            true => size.accounts + number % BUSINESSES,
            false => account,
        },
        kind,
        is_public: chance.happens(75) || is_commented,
        due_ms: 0,
    };
    let is_late = chance.happens(12);
    let when = When::any(chance);
    Planned { post, when, is_late }
}

fn kind(chance: &mut Chance, round: usize, place: usize) -> Kind {
    let video = round / INBOX_EVERY;
    match place {
        0 if round % INBOX_EVERY == INBOX_EVERY - 1 && video < MOST_INBOX_VIDEOS => {
            return Kind::InboxVideo(video);
        }
        1 if round % LARGE_EVERY == LARGE_EVERY / 2 => return Kind::Large,
        2 => return Kind::Commented,
        _ => {}
    }
    match chance.below(100) {
        0..=49 => Kind::Clip,
        50..=81 => Kind::Photos,
        82..=87 => Kind::Commented,
        88..=94 => Kind::InboxPhotos,
        _ => Kind::Doomed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size {
        posts: 14,
        accounts: 10,
        nodes: 2,
    };

    fn rounds(seed: u64) -> Vec<Round> {
        (0..100).map(|number| Round::new(seed, number, SIZE)).collect()
    }

    #[test]
    fn a_seed_plans_the_same_rounds_again_and_each_has_other_numbers() {
        let all = rounds(7);
        assert_eq!(all, rounds(7));
        assert_ne!(all, rounds(8));
        let numbers: Vec<usize> = all
            .iter()
            .flat_map(|round| &round.posts)
            .map(|planned| planned.post.number)
            .collect();
        assert_eq!(numbers, (0..1400).collect::<Vec<_>>());
    }

    #[test]
    fn a_campaign_has_every_kind_of_post_at_every_time_and_each_deed() {
        let all = rounds(7);
        let has_post = |is: fn(&Planned) -> bool| all.iter().any(|round| round.posts.iter().any(is));
        assert!(has_post(|planned| planned.is_late));
        assert!(has_post(|planned| planned.when == When::Tomorrow));
        assert!(has_post(|planned| planned.when == When::Draft));
        assert!(has_post(|planned| matches!(planned.when, When::Past(_))));
        assert!(has_post(|planned| matches!(planned.when, When::Later(_))));
        assert!(has_post(|planned| planned.post.kind == Kind::Large));
        assert!(has_post(|planned| matches!(
            planned.post.kind,
            Kind::InboxVideo(_)
        )));
        let has_deed = |is: fn(&Deed) -> bool| {
            all.iter()
                .any(|round| round.steps.iter().any(|step| is(&step.deed)))
        };
        assert!(has_deed(|deed| matches!(deed, Deed::SendEarly(_))));
        assert!(has_deed(|deed| matches!(deed, Deed::Kill(1))));
        assert!(has_deed(|deed| matches!(deed, Deed::Expire(_))));
        assert!(all.iter().any(|round| round.pace.processing == 5000));
    }

    #[test]
    fn a_draft_is_due_when_a_person_says_so() {
        assert_eq!(When::Draft.due_at(1_000_000), None);
        assert_eq!(When::Past(500).due_at(1_000_000), Some(500_000));
        assert_eq!(When::Soon(500).due_at(1_000_000), Some(1_500_000));
    }
}
