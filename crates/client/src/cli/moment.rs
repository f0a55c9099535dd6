//! Times as people write and read them: in the local zone, unless another is given.

use std::time::Duration;

use jiff::civil::{Date, DateTime};
use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::{AmbiguousOffset, Disambiguation, OffsetConflict, TimeZone};
use jiff::{SignedDuration, Span, SpanRelativeTo, Timestamp, ToSpan, Unit, Zoned};
use playout_client::{Error, SystemClock};
use playout_domain::time::{Clock, Time};

use super::environment::time_zone;

const FORMS: &str = "RFC 3339 (2026-12-01T09:00:00+01:00), local time (2026-12-01 09:00, tomorrow 09:00), \
    a zone's (2026-12-01 09:00[Europe/Berlin], tomorrow 09:00[Europe/Berlin]) or from now (+90m, +2h, +3d, +1w)";

/// The present time, in the local zone.
pub(super) fn here() -> Here {
    Here::new(SystemClock.now())
}

/// The present time and the local zone.
#[derive(Debug, Clone)]
pub(super) struct Here {
    now: Time,
    zone: TimeZone,
    /// The value of `TZ` if it names no known zone: then nothing is known of local times.
    unknown: Option<String>,
}

impl Here {
    /// Now, in the zone of this machine (or of `TZ`).
    #[expect(
        clippy::disallowed_methods,
        reason = "the only place that reads the local zone"
    )]
    pub(super) fn new(now: Time) -> Self {
        let zone = TimeZone::system();
        let unknown = time_zone().filter(|_| zone.is_unknown());
        Self { now, zone, unknown }
    }

    /// Reads a time.
    ///
    /// # Errors
    /// If it is invalid, or not one instant: clocks were turned back over it, or forward past it, or it is local and `TZ` names no known zone.
    pub(super) fn read(&self, text: &str) -> Result<Time, Error> {
        let text = text.trim();
        if let Ok(time) = Time::parse(text) {
            return Ok(time);
        }
        if let Some(later) = text.strip_prefix('+') {
            return self.later(later).ok_or_else(|| no_time(text));
        }
        if let Some((local, zone)) = in_zone(text) {
            let there = Self {
                now: self.now,
                zone,
                unknown: None,
            };
            return there.local(local, text);
        }
        if text.contains('[') {
            let parser = DateTimeParser::new()
                .disambiguation(Disambiguation::Reject)
                .offset_conflict(OffsetConflict::Reject);
            let zoned = parser.parse_zoned(text).map_err(|_| no_time(text))?;
            return Ok(time_of(zoned.timestamp()));
        }
        self.local(text, text)
    }

    /// Parses a time, or a day, which means its first instant.
    ///
    /// # Errors
    /// As [`Here::read`].
    pub(super) fn read_start(&self, text: &str) -> Result<Time, Error> {
        match self.day(text.trim()) {
            Some(day) => self.instant(day.at(0, 0, 0, 0), text),
            None => self.read(text),
        }
    }

    /// The time for people: in the zone, to the minute.
    pub(super) fn show(&self, time: Time) -> String {
        self.zoned(time).strftime("%Y-%m-%d %H:%M %Z").to_string()
    }

    fn zoned(&self, time: Time) -> Zoned {
        let timestamp = Timestamp::from_microsecond(time.as_micros()).unwrap_or(Timestamp::UNIX_EPOCH);
        timestamp.to_zoned(self.zone.clone())
    }

    /// A day has the hours that it has in the local zone, so that `+1d` keeps the time of the day.
    fn later(&self, by: &str) -> Option<Time> {
        let span: Span = by.trim().parse().ok()?;
        let later = self.zoned(self.now).checked_add(span).ok()?;
        Some(time_of(later.timestamp())).filter(|later| *later >= self.now && !span.is_negative())
    }

    /// Reads a length with its direction, such as `+1d` or `-2h`.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn read_shift(text: &str) -> Result<Span, Error> {
        let refuse = || Error::usage(format!("{text:?} is not a length such as +1d, +90m, -2h or -1w."));
        let (is_back, length) = match text.trim().split_at_checked(1) {
            Some(("+", length)) => (false, length),
            Some(("-", length)) => (true, length),
            _ => return Err(refuse()),
        };
        let span = match length.starts_with(|first: char| first.is_ascii_digit()) {
            true => length.parse::<Span>().map_err(|_| refuse())?,
            false => return Err(refuse()),
        };
        match (span.is_negative(), is_back) {
            (true, _) => Err(refuse()),
            (false, true) => Ok(span.negate()),
            (false, false) => Ok(span),
        }
    }

    /// A time moved by a length. A day has the hours that it has in the local zone.
    ///
    /// # Errors
    /// If there is no such time.
    pub(super) fn shifted(&self, time: Time, length: Span) -> Result<Time, Error> {
        let moved = self.zoned(time).checked_add(length);
        let moved = moved.map_err(|_| Error::usage("The planned time cannot be moved as far as that."))?;
        Ok(time_of(moved.timestamp()))
    }

    fn day(&self, text: &str) -> Option<Date> {
        let today = self.zoned(self.now).date();
        match text.to_lowercase().as_str() {
            "today" => Some(today),
            "tomorrow" => today.checked_add(1.day()).ok(),
            "yesterday" => today.checked_sub(1.day()).ok(),
            _ if text.len() == 10 => text.parse().ok(),
            _ => None,
        }
    }

    /// Reads a time in the zone; `text` is what was given.
    fn local(&self, local: &str, text: &str) -> Result<Time, Error> {
        // A word such as Tomorrow may begin with a T, or have one in it.
        let separators: &[char] = match local.starts_with(char::is_alphabetic) {
            true => &[' '],
            false => &[' ', 'T'],
        };
        let (day, clock) = local.split_once(separators).ok_or_else(|| no_time(text))?;
        let day = self.day(day).ok_or_else(|| no_time(text))?;
        let clock = two_digits(clock.trim());
        let moment = format!("{day}T{clock}");
        // With an offset it is no local time, also without seconds: 2026-12-01 09:00+01:00.
        if let Ok(stamp) = moment.parse::<Timestamp>() {
            return Ok(time_of(stamp));
        }
        let has_offset = clock.contains(['+', '-', 'Z', 'z']);
        let moment = moment.parse::<DateTime>().ok().filter(|_| !has_offset);
        self.instant(moment.ok_or_else(|| no_time(text))?, text)
    }

    fn instant(&self, moment: DateTime, text: &str) -> Result<Time, Error> {
        if let Some(unknown) = &self.unknown {
            let message = format!(
                "{text:?} is a local time, and TZ={unknown} names no known zone. Set TZ to one such as Europe/Berlin, or write the time with an \
                 offset, such as {moment}+01:00."
            );
            return Err(Error::usage(message));
        }
        let zoned = self.zone.to_ambiguous_zoned(moment);
        let problem = match zoned.offset() {
            AmbiguousOffset::Unambiguous { .. } => None,
            AmbiguousOffset::Gap { before, .. } => {
                Some(("does not exist: the clocks go forward past it", before))
            }
            AmbiguousOffset::Fold { before, .. } => {
                Some(("occurs twice: the clocks go back over it", before))
            }
        };
        if let Some((problem, before)) = problem {
            let offset = Timestamp::UNIX_EPOCH
                .to_zoned(before.to_time_zone())
                .strftime("%:z");
            let message = format!("{text:?} {problem}. Write it with an offset, such as {moment}{offset}.");
            return Err(Error::usage(message));
        }
        let zoned = zoned.unambiguous().map_err(|_| no_time(text))?;
        Ok(time_of(zoned.timestamp()))
    }
}

/// A time of the day, its hour with two digits: `9:00` is 09:00.
fn two_digits(clock: &str) -> String {
    match clock.as_bytes() {
        [b'0'..=b'9', b':', ..] => format!("0{clock}"),
        _ => clock.to_owned(),
    }
}

/// The local time and the zone of `2026-12-01 09:00[Europe/Berlin]` or `tomorrow 09:00[Europe/Berlin]`; `None` for other forms, such as one with
/// an offset too.
fn in_zone(text: &str) -> Option<(&str, TimeZone)> {
    let (local, zone) = text.strip_suffix(']')?.split_once('[')?;
    let has_offset = local.get(10..)?.contains(['+', '-', 'Z', 'z']);
    let zone = TimeZone::get(zone.trim()).ok().filter(|_| !has_offset)?;
    Some((local.trim(), zone))
}

/// Whether a time is another instant when it is read later.
pub(super) fn counts_from_now(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let is_day = |day: &str| text.starts_with(day);
    text.starts_with('+') || ["today", "tomorrow", "yesterday"].into_iter().any(is_day)
}

/// The length in a time that counts from now, such as `+3d`: the same for all times that are as far from now, a day being 24 hours; `None`
/// for any other time.
pub(super) fn length_from_now(text: &str) -> Option<String> {
    let by = text.trim().strip_prefix('+')?.trim();
    let span: Span = by.parse().ok()?;
    let micros = span.total((Unit::Microsecond, SpanRelativeTo::days_are_24_hours()));
    Some(micros.map_or_else(|_| by.to_lowercase(), |micros| micros.to_string()))
}

/// A duration such as `90s`, `10m` or `2h`.
pub(super) fn read_length(text: &str) -> Result<Duration, Error> {
    let length: Result<SignedDuration, _> = text.trim().parse();
    let length = length.ok().and_then(|length| Duration::try_from(length).ok());
    length.ok_or_else(|| Error::usage(format!("{text:?} is not a duration such as 90s, 10m or 2h.")))
}

/// An HTTP date (RFC 9110 §5.6.7), to the second.
pub(super) fn read_http_date(text: &str) -> Option<Time> {
    let zoned = jiff::fmt::rfc2822::parse(text).ok()?;
    Some(time_of(zoned.timestamp()))
}

fn time_of(timestamp: Timestamp) -> Time {
    Time::from_micros(timestamp.as_microsecond())
}

fn no_time(text: &str) -> Error {
    Error::usage(format!("{text:?} is not a time. Write it as {FORMS}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Here {
        fn in_zone(now: &str, zone: &str) -> Self {
            Self {
                now: Time::parse(now).unwrap(),
                zone: TimeZone::get(zone).unwrap(),
                unknown: None,
            }
        }
    }

    fn berlin() -> Here {
        Here::in_zone("2026-11-20T22:30:00Z", "Europe/Berlin")
    }

    fn read(text: &str) -> String {
        match berlin().read(text) {
            Ok(time) => time.to_string(),
            Err(error) => error.message,
        }
    }

    #[test]
    fn a_time_without_a_zone_is_local() {
        assert_eq!(read("2026-12-01 09:00"), "2026-12-01T08:00:00.000Z");
        assert_eq!(read("2026-07-01T09:00:30"), "2026-07-01T07:00:30.000Z");
        assert_eq!(read("today 23:59"), "2026-11-20T22:59:00.000Z");
        assert_eq!(read("tomorrow 9:00"), "2026-11-21T08:00:00.000Z");
        assert_eq!(read("2026-12-01 9:05"), "2026-12-01T08:05:00.000Z");
        assert_eq!(read("2026-12-01T9:05:30"), "2026-12-01T08:05:30.000Z");
        assert_eq!(read("2026-12-01 9:00+02:00"), "2026-12-01T07:00:00.000Z");
        assert!(read("tomorrow 9").contains("is not a time"));
        for tomorrow in ["tomorrow 09:00", "Tomorrow 09:00", "TOMORROW 09:00"] {
            assert_eq!(read(tomorrow), "2026-11-21T08:00:00.000Z");
        }
        assert_eq!(read("YESTERDAY 09:00"), "2026-11-19T08:00:00.000Z");
    }

    #[test]
    fn a_time_with_a_zone_is_taken_as_it_is() {
        assert_eq!(read("2026-12-01T09:00:00-05:00"), "2026-12-01T14:00:00.000Z");
        assert_eq!(
            read("2026-12-01 09:00[America/New_York]"),
            "2026-12-01T14:00:00.000Z"
        );
        assert_eq!(read("+90m"), "2026-11-21T00:00:00.000Z");
        assert_eq!(read("+2h"), "2026-11-21T00:30:00.000Z");
        assert_eq!(read("+3d"), "2026-11-23T22:30:00.000Z");
        assert_eq!(read("+1w2d"), "2026-11-29T22:30:00.000Z");
    }

    #[test]
    fn a_word_for_a_day_with_a_zone_is_the_day_there() {
        // It is 23:30 of the 20th in Berlin, and 07:30 of the 21st in Tokyo.
        for (text, expected) in [
            ("tomorrow 09:00[Europe/Berlin]", "2026-11-21T08:00:00.000Z"),
            ("Tomorrow 09:00 [Asia/Tokyo]", "2026-11-22T00:00:00.000Z"),
            ("tomorrow 9:00[Europe/Berlin]", "2026-11-21T08:00:00.000Z"),
            ("2026-12-01 9:00[Europe/Berlin]", "2026-12-01T08:00:00.000Z"),
            ("today 23:00[America/New_York]", "2026-11-21T04:00:00.000Z"),
            ("yesterday 09:00[Asia/Tokyo]", "2026-11-20T00:00:00.000Z"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        for wrong in [
            "tomorrow 09:00[Europe/Nowhere]",
            "tomorrow 09:00+01:00[Europe/Berlin]",
            "tomorrow[Europe/Berlin]",
            "someday 09:00[Europe/Berlin]",
        ] {
            assert!(read(wrong).contains("is not a time"), "{wrong}: {}", read(wrong));
        }
    }

    #[test]
    fn a_day_later_is_the_same_hour_on_the_wall() {
        let before = Here::in_zone("2026-10-24T10:00:00Z", "Europe/Berlin");
        assert_eq!(
            before.read("+1d").unwrap().to_string(),
            "2026-10-25T11:00:00.000Z"
        );
        assert_eq!(
            before.read("+24h").unwrap().to_string(),
            "2026-10-25T10:00:00.000Z"
        );
        before.read("+-1d").unwrap_err();
    }

    #[test]
    fn a_planned_time_is_moved_in_both_directions_and_a_day_keeps_the_hour() {
        let planned = Time::parse("2026-10-24T10:00:00Z").unwrap();
        for (by, expected) in [
            ("+1d", "2026-10-25T11:00:00.000Z"),
            ("-2h", "2026-10-24T08:00:00.000Z"),
            ("-1w", "2026-10-17T10:00:00.000Z"),
        ] {
            let length = Here::read_shift(by).unwrap();
            assert_eq!(berlin().shifted(planned, length).unwrap().to_string(), expected);
        }
        for wrong in ["1d", "", "+", "+-1d", "-+1d", "--1d", "+1d ago", "soon", "+soon"] {
            assert!(Here::read_shift(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_time_that_the_clocks_skip_or_repeat_is_asked_for_again() {
        for (text, problem, offset) in [
            ("2027-03-28 02:30", "does not exist", "2027-03-28T02:30:00+01:00."),
            ("2026-10-25 02:30", "occurs twice", "2026-10-25T02:30:00+02:00."),
            ("2027-03-28 02:30[Europe/Berlin]", "does not exist", "+01:00."),
            ("2026-10-04 02:30[Australia/Sydney]", "does not exist", "+10:00."),
        ] {
            let told = read(text);
            assert!(told.contains(problem) && told.ends_with(offset), "{told}");
        }
        assert!(read("2026-12-01T09:00:00+02:00[Europe/Berlin]").contains("is not a time"));
    }

    #[test]
    fn an_offset_counts_with_seconds_and_without() {
        let time = |text| berlin().read(text).unwrap().to_string();
        for text in [
            "2026-12-01T09:00:00+05:00",
            "2026-12-01T09:00+05:00",
            "2026-12-01 09:00+05:00",
            "2026-12-01T09:00:00+0500",
            "2026-12-01 09:00+05",
            "2026-12-01 04:00Z",
        ] {
            assert_eq!(time(text), "2026-12-01T04:00:00.000Z", "{text}");
        }
        for text in [
            "2026-12-01 09:00+30:00",
            "2026-12-01 09:00-",
            "2026-12-01 09:00+5",
        ] {
            assert!(berlin().read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_told_what_is() {
        for text in [
            "soon",
            "2026-12-01",
            "09:00",
            "2026-13-01 09:00",
            "+soon",
            "2026-12-01 25:00",
            "",
        ] {
            assert!(read(text).contains("is not a time"), "{text}: {}", read(text));
        }
    }

    #[test]
    fn a_day_begins_at_midnight_here() {
        let start = |text| berlin().read_start(text).unwrap().to_string();
        assert_eq!(start("2026-12-01"), "2026-11-30T23:00:00.000Z");
        assert_eq!(start("today"), "2026-11-19T23:00:00.000Z");
        assert_eq!(start("2026-12-01 12:00"), "2026-12-01T11:00:00.000Z");
    }

    #[test]
    fn times_are_shown_where_the_reader_is() {
        let time = Time::parse("2026-12-01T08:00:00Z").unwrap();
        assert_eq!(berlin().show(time), "2026-12-01 09:00 CET");
        let date = read_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        assert_eq!(date.to_string(), "1994-11-06T08:49:37.000Z");
    }
}
