//! The month of posts in the demo's workspace: `month.toml`, relative to a day.

use std::time::Duration;

use playout_domain::time::Time;
use serde::Deserialize;

use crate::open_error::OpenError;

const MONTH: &str = include_str!("month.toml");
const DAY_SECONDS: i64 = 86_400;
/// A past post must be older than this, so that no post becomes due while the demo publishes.
const AHEAD: Duration = Duration::from_secs(30 * 60);

#[derive(Deserialize)]
struct Month {
    post: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(default)]
    day: i64,
    at: Option<String>,
    to: String,
    media: Vec<String>,
    title: Option<String>,
    text: String,
    #[serde(default)]
    draft: bool,
    ended: Option<String>,
}

/// A post of the month.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Planned {
    /// The account's handle.
    pub(super) to: String,
    /// The names of its media.
    pub(super) media: Vec<String>,
    /// The title of a photo post.
    pub(super) title: Option<String>,
    /// The caption.
    pub(super) text: String,
    /// When it was written.
    pub(super) written_at: Time,
    /// Its state.
    pub(super) fate: Fate,
}

/// The state of a post on the day of the filling.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fate {
    /// A draft, with its planned date if it has one.
    Draft(Option<Time>),
    /// Waiting for its time.
    Scheduled(Time),
    /// Published at its time.
    Published(Time),
    /// Delivered to the creator's inbox.
    Inbox(Time),
    /// Rejected by the provider with this code.
    Refused(Time, String),
}

/// The month around `now`; deterministic. Earliest first, drafts by their planned date.
pub(super) fn month(now: Time) -> Result<Vec<Planned>, OpenError> {
    let month: Month = toml::from_str(MONTH)?;
    let planned = (0..)
        .zip(month.post)
        .map(|(number, entry)| entry.around(now, number));
    planned.collect()
}

impl Entry {
    fn around(self, now: Time, number: u64) -> Result<Planned, OpenError> {
        let at = match &self.at {
            Some(hour) => Some(moment(now, self.day, hour)?),
            None => None,
        };
        let fate = match (at, self.draft, self.ended) {
            (at, true, None) => Fate::Draft(at),
            (Some(at), false, None) if at.plus(AHEAD) <= now => Fate::Published(at),
            (Some(at), false, None) => Fate::Scheduled(at.max(now.plus(AHEAD))),
            (Some(at), false, Some(word)) if word == "inbox" => Fate::Inbox(at),
            (Some(at), false, Some(code)) => Fate::Refused(at, code),
            _ => return Err(format!("the demo's post {:?} is neither draft nor dated", self.text).into()),
        };
        Ok(Planned {
            to: self.to,
            media: self.media,
            title: self.title,
            text: self.text,
            written_at: written(at.map_or(now, |at| at.min(now)), number),
            fate,
        })
    }
}

/// The time `at`, such as `07:40`, on the day that many days after that of `now`.
fn moment(now: Time, day: i64, at: &str) -> Result<Time, OpenError> {
    let (hour, minute) = at.split_once(':').ok_or("a time is written as 07:40")?;
    let (hour, minute): (i64, i64) = (hour.parse()?, minute.parse()?);
    let midnight = midnight(now).as_secs() + day * DAY_SECONDS;
    Ok(Time::from_secs(midnight + hour * 3600 + minute * 60))
}

fn midnight(of: Time) -> Time {
    Time::from_secs(of.as_secs().div_euclid(DAY_SECONDS) * DAY_SECONDS)
}

/// A time in the afternoon one to four days before.
fn written(before: Time, number: u64) -> Time {
    let afternoon = Duration::from_secs(14 * 3600 + number * 7 % 60 * 60);
    let days = Duration::from_secs((1 + number % 4) * 86_400);
    midnight(before).minus(days).plus(afternoon)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::cli::demo::gallery;

    fn around(now: &str) -> Vec<Planned> {
        month(Time::parse(now).unwrap()).unwrap()
    }

    #[test]
    fn the_month_is_the_same_for_the_same_instant_and_moves_with_the_day() {
        let (one, next) = (around("2026-11-20T12:00:00Z"), around("2026-11-21T12:00:00Z"));
        assert_eq!(one, around("2026-11-20T12:00:00Z"));
        assert_eq!(one.len(), next.len());
        let written = |month: &[Planned]| month[0].written_at.as_secs();
        assert_eq!(written(&next) - written(&one), DAY_SECONDS);
    }

    #[test]
    fn at_any_hour_what_is_past_is_over_and_what_is_scheduled_leaves_time_to_look_around() {
        for hour in 0..24 {
            let now = Time::parse(&format!("2026-11-20T{hour:02}:20:00Z")).unwrap();
            let month = month(now).unwrap();
            for post in &month {
                assert!(post.written_at < now, "{post:?}");
                match &post.fate {
                    Fate::Published(at) | Fate::Inbox(at) | Fate::Refused(at, _) => {
                        assert!(*at < now && post.written_at < *at, "{post:?}");
                    }
                    Fate::Scheduled(at) => assert!(*at >= now.plus(AHEAD), "{post:?}"),
                    Fate::Draft(_) => {}
                }
            }
            let count = |wanted: fn(&Fate) -> bool| month.iter().filter(|post| wanted(&post.fate)).count();
            assert!(count(|fate| matches!(fate, Fate::Published(_))) >= 28);
            assert!(count(|fate| matches!(fate, Fate::Scheduled(_))) >= 22);
            assert_eq!(count(|fate| matches!(fate, Fate::Draft(_))), 4);
            assert_eq!(
                count(|fate| matches!(fate, Fate::Inbox(_) | Fate::Refused(..))),
                3
            );
        }
    }

    #[test]
    fn every_picture_and_clip_of_the_gallery_is_in_a_post_and_every_post_finds_its_own() {
        let month = around("2026-11-20T12:00:00Z");
        let used: HashSet<&str> = month
            .iter()
            .flat_map(|post| &post.media)
            .map(String::as_str)
            .collect();
        let kept: HashSet<&str> = gallery::FILES.iter().map(|file| file.name).collect();
        assert_eq!(used, kept);
    }

    #[test]
    fn a_post_has_one_clip_or_photos_and_no_two_captions_are_alike() {
        let month = around("2026-11-20T12:00:00Z");
        let captions: HashSet<&str> = month.iter().map(|post| post.text.as_str()).collect();
        assert_eq!(captions.len(), month.len());
        for post in month {
            let clips = post.media.iter().filter(|name| name.ends_with(".mp4")).count();
            assert!(clips == 0 || post.media.len() == 1, "{post:?}");
            assert!(post.title.is_none() || clips == 0, "{post:?}");
        }
    }
}
