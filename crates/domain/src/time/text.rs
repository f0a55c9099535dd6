//! A time as text. A page of a thousand posts has three thousand of them, so it is written digit by digit, without the machinery of
//! `write!`.

use jiff::Timestamp;
use jiff::tz::Offset;

/// `2026-11-20T12:00:00.000Z`. A year before 0 has a sign in place of its first digit.
pub(super) struct Text([u8; 24]);

impl Text {
    pub(super) fn of(timestamp: Timestamp) -> Self {
        let civil = Offset::UTC.to_datetime(timestamp);
        let mut text = *b"0000-00-00T00:00:00.000Z";
        let year = civil.year();
        if year < 0 {
            text[0] = b'-';
            write(&mut text[1..4], year.unsigned_abs());
        } else {
            write(&mut text[0..4], year.unsigned_abs());
        }
        write(&mut text[5..7], civil.month().unsigned_abs().into());
        write(&mut text[8..10], civil.day().unsigned_abs().into());
        write(&mut text[11..13], civil.hour().unsigned_abs().into());
        write(&mut text[14..16], civil.minute().unsigned_abs().into());
        write(&mut text[17..19], civil.second().unsigned_abs().into());
        write(&mut text[20..23], civil.millisecond().unsigned_abs());
        Self(text)
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// The last digits of a number, as many as there is room for.
fn write(digits: &mut [u8], mut number: u16) {
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
}
