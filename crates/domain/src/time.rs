//! Points in time, and the clock that hands them out.
//!
//! Everything in the product is a [`Time`]: microseconds since the Unix epoch, UTC. Nothing reads the
//! operating system's clock or zone but the one [`Clock`] that the service was started with.

mod text;

use std::fmt;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt, poll_fn};
use jiff::tz::Offset;

use self::text::Text;

/// A point in time: microseconds since the Unix epoch, UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

/// Why a text is no [`Time`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseTimeError {
    /// The text names no offset, and guessing a zone would publish at the wrong hour (`docs/contract.md#timestamps`).
    #[error("must carry an explicit offset, such as Z or +02:00")]
    NoOffset,
    /// The text is no RFC 3339 date-time at all.
    #[error("must be an RFC 3339 date-time, such as 2026-11-20T12:00:00.000Z")]
    Malformed,
    /// It is earlier than other programs reckon with.
    #[error("must not be before the year 1 (UTC)")]
    TooEarly,
    /// It is later than the service reckons with.
    #[error("must be before the last day of the year 9999")]
    TooLate,
}

impl Time {
    /// From microseconds since the epoch.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// From milliseconds since the epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis.saturating_mul(1000))
    }

    /// From seconds since the epoch.
    pub const fn from_secs(secs: i64) -> Self {
        Self(secs.saturating_mul(1_000_000))
    }

    /// Microseconds since the epoch.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Whole milliseconds since the epoch, rounded down.
    pub const fn as_millis(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Whole seconds since the epoch, rounded down.
    pub const fn as_secs(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// This time rounded down to the milliseconds that the API shows.
    pub const fn to_millis_precision(self) -> Self {
        Self(self.0.div_euclid(1000) * 1000)
    }

    /// `duration` later; saturates.
    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(micros(duration)))
    }

    /// `duration` earlier; saturates.
    pub fn minus(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(micros(duration)))
    }

    /// How long it is from `earlier` to here; zero if `earlier` is later.
    pub fn since(self, earlier: Time) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0).max(0).unsigned_abs())
    }

    /// Reads an RFC 3339 date-time with an explicit offset, and no other of the forms that ISO 8601 has.
    pub fn parse(text: &str) -> Result<Self, ParseTimeError> {
        let (date_time, offset) =
            text.split_at_checked(19)
                .ok_or(match text.parse::<jiff::civil::DateTime>() {
                    Ok(_) if !text.contains('[') => ParseTimeError::NoOffset,
                    _ => ParseTimeError::Malformed,
                })?;
        let offset = offset.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
        if !looks_like(date_time, "dddd-dd-ddTdd:dd:dd") {
            return Err(ParseTimeError::Malformed);
        }
        match offset {
            "" => Err(ParseTimeError::NoOffset),
            "Z" | "z" => Self::parse_checked(text),
            offset if is_offset(offset) => Self::parse_checked(text),
            _ => Err(ParseTimeError::Malformed),
        }
    }

    fn parse_checked(text: &str) -> Result<Self, ParseTimeError> {
        match text.parse::<jiff::Timestamp>() {
            // In UTC it may be of an earlier year than in its offset. Most languages have no year 0.
            Ok(timestamp) if Offset::UTC.to_datetime(timestamp).year() < 1 => Err(ParseTimeError::TooEarly),
            Ok(timestamp) => Ok(Self(timestamp.as_microsecond())),
            // The last instant that can be reckoned with is a day before the end of that year, because any offset must fit.
            Err(_) if text.starts_with("9999-12-3") && is_date_time(text) => Err(ParseTimeError::TooLate),
            Err(_) => Err(ParseTimeError::Malformed),
        }
    }

    /// The first instant of the calendar month (UTC) that holds this time.
    pub fn month_start(self) -> Self {
        let date = self.zoned().date().first_of_month();
        Self::from_civil(date)
    }

    /// The first instant of the next calendar month (UTC).
    pub fn next_month_start(self) -> Self {
        let date = self.zoned().date().last_of_month();
        Self::from_civil(date.tomorrow().unwrap_or(date))
    }

    /// The calendar month (UTC) as `2026-11`.
    pub fn month(self) -> String {
        self.zoned().strftime("%Y-%m").to_string()
    }

    /// The calendar day (UTC) as `2026-11-20`.
    pub fn day(self) -> String {
        self.zoned().strftime("%Y-%m-%d").to_string()
    }

    /// As HTTP headers write it (RFC 9110 §5.6.7), to the second: `Sun, 06 Nov 1994 08:49:37 GMT`.
    pub fn http_date(self) -> String {
        self.zoned().strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
    }

    /// Reads what [`Time::http_date`] writes; the two obsolete forms, which senders must not generate, are rejected.
    pub fn parse_http_date(text: &str) -> Option<Self> {
        let date = jiff::civil::DateTime::strptime("%a, %d %b %Y %H:%M:%S GMT", text.trim()).ok()?;
        let instant = date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
        Some(Self(instant.as_microsecond()))
    }

    fn zoned(self) -> jiff::Zoned {
        self.timestamp().to_zoned(jiff::tz::TimeZone::UTC)
    }

    fn timestamp(self) -> jiff::Timestamp {
        jiff::Timestamp::from_microsecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
    }

    fn from_civil(date: jiff::civil::Date) -> Self {
        let start = date.to_zoned(jiff::tz::TimeZone::UTC);
        Self(start.map_or(0, |zoned| zoned.timestamp().as_microsecond()))
    }
}

/// Whether this is an offset from UTC with hours up to 23 and minutes up to 59 (RFC 3339 §5.6, `time-numoffset`).
fn is_offset(text: &str) -> bool {
    (looks_like(text, "+dd:dd") || looks_like(text, "-dd:dd")) && &text[1..3] < "24" && &text[4..6] < "60"
}

/// Whether a text begins with a date and a time of day that exist.
fn is_date_time(text: &str) -> bool {
    text.get(..19)
        .is_some_and(|text| text.parse::<jiff::civil::DateTime>().is_ok())
}

/// Whether `text` has this form, in which `d` stands for a digit and `T` also for `t` and a space (RFC 3339 §5.6).
fn looks_like(text: &str, form: &str) -> bool {
    let fits = |(byte, form): (u8, u8)| match form {
        b'd' => byte.is_ascii_digit(),
        b'T' => matches!(byte, b'T' | b't' | b' '),
        other => byte == other,
    };
    text.len() == form.len() && text.bytes().zip(form.bytes()).all(fits)
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// `2026-11-20T12:00:00.000Z`: RFC 3339, UTC, milliseconds (`docs/contract.md#timestamps`).
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Text::of(self.timestamp()).as_str())
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for Time {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(Text::of(self.timestamp()).as_str())
    }
}

impl<'de> serde::Deserialize<'de> for Time {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Time::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// The only source of the present: the system's clock, with or without a correction, or a [`ManualClock`].
pub trait Clock: Send + Sync + 'static {
    /// The present.
    fn now(&self) -> Time;

    /// Completes as soon as [`Clock::now`] is at least `at`; or soon after the clock was set back, because then what
    /// `at` was meant to be is not known. The caller checks the clock again before it acts.
    fn sleep_until(&self, at: Time) -> BoxFuture<'static, ()>;

    /// Makes [`Clock::now`] later by `by_micros` from now on, or earlier if it is negative. Returns whether it did: only the clock of a
    /// node does.
    fn correct(&self, _by_micros: i64) -> bool {
        false
    }
}

/// A clock that stands still until it is advanced: the clock of tests.
#[derive(Clone)]
pub struct ManualClock(Arc<Mutex<ManualState>>);

struct ManualState {
    now: Time,
    sleepers: Vec<(Time, Waker)>,
}

impl ManualClock {
    /// A clock that shows `now`.
    pub fn at(now: Time) -> Self {
        Self(Arc::new(Mutex::new(ManualState {
            now,
            sleepers: Vec::new(),
        })))
    }

    /// Moves on by `duration`, waking every sleeper whose time has come.
    pub fn advance(&self, duration: Duration) {
        let to = self.now().plus(duration);
        self.set(to);
    }

    /// Moves to `now`; never backwards.
    pub fn set(&self, now: Time) {
        let mut state = self.lock();
        state.now = state.now.max(now);
        let reached = state.now;
        let (due, rest) = std::mem::take(&mut state.sleepers)
            .into_iter()
            .partition(|(at, _)| *at <= reached);
        state.sleepers = rest;
        drop(state);
        let due: Vec<(Time, Waker)> = due;
        due.into_iter().for_each(|(_, waker)| waker.wake());
    }

    /// The earliest time that is waited for, so that a test can jump straight to it.
    pub fn next_wake(&self) -> Option<Time> {
        self.lock().sleepers.iter().map(|(at, _)| *at).min()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, ManualState> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Time {
        self.lock().now
    }

    fn sleep_until(&self, at: Time) -> BoxFuture<'static, ()> {
        let state = Arc::clone(&self.0);
        poll_fn(move |context| {
            let mut state = state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if state.now >= at {
                return Poll::Ready(());
            }
            state.sleepers.push((at, context.waker().clone()));
            Poll::Pending
        })
        .boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_time_without_an_offset_is_refused_rather_than_guessed() {
        assert_eq!(Time::parse("2026-11-20T12:00:00"), Err(ParseTimeError::NoOffset));
        assert_eq!(Time::parse("tomorrow"), Err(ParseTimeError::Malformed));
        assert_eq!(Time::parse("2026-11-20"), Err(ParseTimeError::NoOffset));
        assert_eq!(Time::parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT"), None);
        assert_eq!(
            Time::parse("2026-11-20T12:00:00.123"),
            Err(ParseTimeError::NoOffset)
        );
    }

    #[test]
    fn an_offset_and_a_year_that_cannot_be_reckoned_with_say_so() {
        for offset in ["+24:00", "-24:00", "+00:60", "+99:99"] {
            let text = format!("2026-11-20T12:00:00{offset}");
            assert_eq!(Time::parse(&text), Err(ParseTimeError::Malformed), "{text}");
        }
        assert!(Time::parse("2026-11-20T12:00:00+23:59").is_ok());
        for late in ["9999-12-31T23:59:59Z", "9999-12-30T23:00:00.5-14:00"] {
            assert_eq!(Time::parse(late), Err(ParseTimeError::TooLate), "{late}");
        }
        assert_eq!(
            Time::parse("9999-12-32T00:00:00Z"),
            Err(ParseTimeError::Malformed)
        );
        assert!(Time::parse("9999-12-29T00:00:00Z").is_ok());
        for early in ["0000-12-31T23:59:59Z", "0001-01-01T00:30:00+01:00"] {
            assert_eq!(Time::parse(early), Err(ParseTimeError::TooEarly), "{early}");
        }
        assert!(Time::parse("0001-01-01T00:00:00Z").is_ok());
    }

    proptest! {
        #[test]
        fn the_date_of_a_header_is_read_again(secs in -2_000_000_000i64..4_000_000_000) {
            let time = Time::from_secs(secs);
            prop_assert_eq!(Time::parse_http_date(&time.http_date()), Some(time));
        }

        #[test]
        fn an_instant_is_the_same_in_whatever_offset_it_is_written(
            millis in -2_000_000_000_000i64..4_000_000_000_000, minutes in -14 * 60i64..=14 * 60
        ) {
            let time = Time::from_millis(millis);
            let shifted = Time::from_millis(millis + minutes * 60_000).to_string();
            let (sign, minutes) = (if minutes < 0 { '-' } else { '+' }, minutes.abs());
            let text = format!("{}{sign}{:02}:{:02}", shifted.trim_end_matches('Z'), minutes / 60, minutes % 60);
            prop_assert_eq!(Time::parse(&text), Ok(time));
            prop_assert_eq!(Time::parse(&time.to_string()), Ok(time));
        }

        #[test]
        fn every_instant_is_in_one_month_which_ends_where_the_next_begins(millis in 0i64..4_000_000_000_000) {
            let time = Time::from_millis(millis);
            let (first, next) = (time.month_start(), time.next_month_start());
            prop_assert!(first <= time && time < next);
            prop_assert_eq!(next.month_start(), next);
            prop_assert_eq!(next.minus(Duration::from_micros(1)).month(), time.month());
            prop_assert_ne!(next.month(), time.month());
            prop_assert!((28..=31).contains(&(next.since(first).as_secs() / 86_400)));
        }
    }

    /// The years 0 to 9999.
    const RANGE: std::ops::Range<i64> = -62_167_219_200_000_000..253_402_207_200_000_000;

    proptest! {
        #[test]
        fn a_time_is_written_with_the_digits_of_the_calendar(micros in RANGE) {
            let civil = Time::from_micros(micros).zoned().datetime();
            let expected = civil.strftime("%Y-%m-%dT%H:%M:%S").to_string();
            let written = Time::from_micros(micros).to_string();
            prop_assert_eq!(&written[..19], expected);
            prop_assert_eq!(&written[19..], format!(".{:03}Z", civil.millisecond()));
        }
    }

    #[test]
    fn a_year_before_zero_has_a_sign() {
        let time = Time::from_micros(RANGE.start - 1);
        assert_eq!(time.to_string(), "-001-12-31T23:59:59.999Z");
    }

    #[test]
    fn the_hour_that_a_zone_has_twice_is_told_apart_by_its_offset() {
        let summer = Time::parse("2026-10-25T02:30:00+02:00").unwrap();
        let winter = Time::parse("2026-10-25T02:30:00+01:00").unwrap();
        assert_eq!(winter.since(summer), Duration::from_secs(3600));
        // The hour that the zone does not have is one like any other in its offset.
        let missing = Time::parse("2026-03-29T02:30:00+01:00").unwrap();
        assert_eq!(missing.to_string(), "2026-03-29T01:30:00.000Z");
    }

    #[test]
    fn leap_days_are_where_the_calendar_has_them() {
        let leap = Time::parse("2028-02-29T23:30:00-02:00").unwrap();
        assert_eq!(leap.to_string(), "2028-03-01T01:30:00.000Z");
        assert_eq!(leap.month(), "2028-03");
        let february = Time::parse("2028-02-29T12:00:00Z").unwrap();
        assert_eq!(
            february.next_month_start().to_string(),
            "2028-03-01T00:00:00.000Z"
        );
        for no_day in [
            "2026-02-29T12:00:00Z",
            "2027-02-29T12:00:00Z",
            "2100-02-29T12:00:00Z",
            "2028-02-30T12:00:00Z",
        ] {
            assert_eq!(Time::parse(no_day), Err(ParseTimeError::Malformed), "{no_day}");
        }
    }

    #[test]
    fn a_time_in_a_header_is_written_as_rfc_9110_wants() {
        let time = Time::parse("1994-11-06T09:49:37.999+01:00").unwrap();
        assert_eq!(time.http_date(), "Sun, 06 Nov 1994 08:49:37 GMT");
    }

    #[test]
    fn only_the_forms_of_rfc_3339_are_read() {
        for text in [
            "2026-11-20T12:00:00Z",
            "2026-11-20t12:00:00.5z",
            "2026-11-20 12:00:00+00:00",
        ] {
            assert!(Time::parse(text).is_ok(), "{text}");
        }
        for text in [
            "20261120T120000Z",
            "2026-11-20T12:00Z",
            "2026-11-20T12:00:00+0000",
            "2026-11-20T12:00:00+00",
            "2026-11-20T12:00:00,5Z",
            "2026-11-20T12:00:00Z[UTC]",
            "2026-13-20T12:00:00Z",
            "2026-11-20T12:00:00.Z",
            "+002026-11-20T12:00:00Z",
            "2026-11-20T12:00:00Zoë",
        ] {
            assert_eq!(Time::parse(text), Err(ParseTimeError::Malformed), "{text}");
        }
    }

    #[test]
    fn times_are_shown_in_utc_with_milliseconds() {
        let time = Time::parse("2026-11-20T14:00:00+02:00").unwrap();
        assert_eq!(time.to_string(), "2026-11-20T12:00:00.000Z");
        assert_eq!(time.month(), "2026-11");
        assert_eq!(time.next_month_start().to_string(), "2026-12-01T00:00:00.000Z");
        assert_eq!(time.month_start().to_string(), "2026-11-01T00:00:00.000Z");
    }
}
