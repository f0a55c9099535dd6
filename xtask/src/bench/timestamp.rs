//! Times as the API writes them: RFC 3339 in UTC. Inside the benches a time is microseconds since the epoch.

const MICROS_A_DAY: i64 = 86_400_000_000;

/// `2026-11-20T12:00:00.000Z`, cut to milliseconds.
pub fn written(micros: i64) -> String {
    let (year, month, day) = civil(micros.div_euclid(MICROS_A_DAY));
    let millis = micros.rem_euclid(MICROS_A_DAY) / 1000;
    let (hour, minute) = (millis / 3_600_000, millis / 60_000 % 60);
    let (second, milli) = (millis / 1000 % 60, millis % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// Reads a time in UTC with any number of decimals; `None` for anything else.
pub fn read(text: &str) -> Option<i64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let (time, decimals) = time.split_once('.').unwrap_or((time, ""));
    let date: Vec<i64> = date.split('-').map(str::parse).collect::<Result<_, _>>().ok()?;
    let time: Vec<i64> = time.split(':').map(str::parse).collect::<Result<_, _>>().ok()?;
    let ([year, month, day], [hour, minute, second]) = (date.as_slice(), time.as_slice()) else {
        return None;
    };
    let micros: i64 = format!("{decimals:0<6}").get(..6)?.parse().ok()?;
    let seconds = (hour * 60 + minute) * 60 + second;
    Some(days(*year, *month, *day) * MICROS_A_DAY + seconds * 1_000_000 + micros)
}

/// Days from the epoch to a date (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The date of a day counted from the epoch (same source).
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_times_are_read_and_written() {
        assert_eq!(read("1970-01-01T00:00:00.000Z"), Some(0));
        assert_eq!(read("2024-02-29T23:59:59.123456Z"), Some(1_709_251_199_123_456));
        assert_eq!(written(1_709_251_199_123_456), "2024-02-29T23:59:59.123Z");
        assert_eq!(read("2026-11-20T16:00:00Z"), Some(1_795_190_400_000_000));
    }

    #[test]
    fn every_day_of_two_centuries_comes_back() {
        for day in -36_500..36_500 {
            let micros = day * MICROS_A_DAY + 1000;
            assert_eq!(read(&written(micros)), Some(micros));
        }
    }

    #[test]
    fn other_texts_are_no_times() {
        for text in [
            "",
            "2026-11-20",
            "2026-11-20T16:00:00",
            "2026-11-20T16:00Z",
            "yesterday",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
