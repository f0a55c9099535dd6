//! The second factor of signing in: codes that an authenticator app shows (TOTP, RFC 6238 on RFC 4226), and recovery
//! codes for the day it is lost.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha1::Sha1;

use crate::secret::Secret;
use crate::time::Time;

/// How many recovery codes a person gets.
pub const RECOVERY_CODES: usize = 10;

/// How long an app shows a code (RFC 6238 §5.2).
const STEP_SECONDS: i64 = 30;
/// How many steps a clock may be ahead or behind (RFC 6238 §5.2 advises one).
const DRIFT_STEPS: i64 = 1;
/// Six digits (RFC 4226 §5.3).
const MODULUS: u32 = 1_000_000;
/// A recovery code has 80 bits: its hash alone does not lead back to it.
const RECOVERY_CHARS: usize = 16;
/// All but the unreserved characters (RFC 3986 §2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// What a person's app and we share: 160 bits (RFC 4226 §4, R6).
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret([u8; 20]);

/// What a person typed as their second factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Presented {
    /// A code of the app.
    Totp(u32),
    /// A recovery code in its one normal form: sixteen letters and digits, upper case.
    Recovery(Secret),
}

impl TotpSecret {
    /// A secret of these random bytes.
    pub fn new(random: [u8; 20]) -> Self {
        Self(random)
    }

    /// Reads what [`TotpSecret::base32`] wrote.
    pub fn parse(base32: &str) -> Option<Self> {
        let bytes = BASE32_NOPAD.decode(base32.as_bytes()).ok()?;
        bytes.try_into().ok().map(Self)
    }

    /// The secret as apps take it: 32 letters and digits.
    pub fn base32(&self) -> Secret {
        Secret::new(BASE32_NOPAD.encode(&self.0))
    }

    /// The link that an app takes the secret from, for the person with this address (the `otpauth` format of the
    /// common apps).
    pub fn otpauth_url(&self, email: &str) -> Secret {
        let account = utf8_percent_encode(email, RESERVED);
        let secret = BASE32_NOPAD.encode(&self.0);
        Secret::new(format!(
            "otpauth://totp/Playout:{account}?secret={secret}&issuer=Playout&algorithm=SHA1&digits=6&period=30"
        ))
    }

    /// The step whose code this is, if it is near enough to `now` and later than `last`, the last one accepted: so that
    /// no code is good twice (RFC 6238 §5.2).
    pub fn accept(&self, code: u32, last: i64, now: Time) -> Option<i64> {
        let present = now.as_micros().div_euclid(STEP_SECONDS * 1_000_000);
        let steps = (present - DRIFT_STEPS)..=(present + DRIFT_STEPS);
        steps.fold(None, |found, step| {
            let fits = step > last && self.code_of(step) == code;
            found.or(fits.then_some(step))
        })
    }

    /// The code that an app shows in the step of `now`.
    pub fn code_at(&self, now: Time) -> u32 {
        self.code_of(now.as_micros().div_euclid(STEP_SECONDS * 1_000_000))
    }

    /// RFC 4226 §5.3, with the step as its counter.
    fn code_of(&self, step: i64) -> u32 {
        let mut mac =
            <Hmac<Sha1> as KeyInit>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(&step.to_be_bytes());
        let digest: [u8; 20] = mac.finalize().into_bytes().into();
        let at = usize::from(digest[19] & 15);
        let [a, b, c, d] = [digest[at], digest[at + 1], digest[at + 2], digest[at + 3]];
        u32::from_be_bytes([a & 0x7f, b, c, d]) % MODULUS
    }
}

impl std::fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("<secret>")
    }
}

impl Presented {
    /// Reads what a person typed, ignoring spaces and dashes; `None` where it can be neither.
    pub fn parse(text: &str) -> Option<Self> {
        let is_kept = |c: &char| !c.is_whitespace() && *c != '-';
        let text: String = text
            .chars()
            .filter(is_kept)
            .collect::<String>()
            .to_ascii_uppercase();
        if text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return text.parse().ok().map(Self::Totp);
        }
        let is_recovery = text.len() == RECOVERY_CHARS && BASE32_NOPAD.decode(text.as_bytes()).is_ok();
        is_recovery.then(|| Self::Recovery(Secret::new(text)))
    }
}

/// A recovery code of these random bytes, as it is shown: `ABCD-EFGH-IJKL-MNOP`.
pub fn recovery_code(random: [u8; 10]) -> Secret {
    Secret::new(in_fours(&BASE32_NOPAD.encode(&random), '-'))
}

/// A text in groups of four, which is easier to type.
pub fn in_fours(text: &str, between: char) -> String {
    let mut grouped = String::with_capacity(text.len() * 5 / 4);
    for (index, c) in text.chars().enumerate() {
        if index > 0 && index.is_multiple_of(4) {
            grouped.push(between);
        }
        grouped.push(c);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secret of the test vectors in RFC 4226 and RFC 6238.
    fn known() -> TotpSecret {
        TotpSecret::new(*b"12345678901234567890")
    }

    #[test]
    fn the_codes_of_the_first_steps_are_those_of_rfc_4226() {
        let codes = [
            755_224, 287_082, 359_152, 969_429, 338_314, 254_676, 287_922, 162_583, 399_871, 520_489,
        ];
        for (step, code) in (0..).zip(codes) {
            assert_eq!(known().code_of(step), code, "step {step}");
        }
    }

    #[test]
    fn the_codes_of_all_times_are_those_of_rfc_6238() {
        let codes = [
            (59, 287_082),
            (1_111_111_109, 81_804),
            (1_111_111_111, 50_471),
            (1_234_567_890, 5_924),
            (2_000_000_000, 279_037),
            (20_000_000_000, 353_130),
        ];
        for (seconds, code) in codes {
            assert_eq!(known().code_at(Time::from_secs(seconds)), code, "at {seconds}");
        }
    }

    #[test]
    fn a_code_is_good_one_step_early_or_late_and_once() {
        let (secret, now) = (known(), Time::from_secs(1_795_176_000));
        let step = 1_795_176_000 / 30;
        for (offset, is_good) in [(-2, false), (-1, true), (0, true), (1, true), (2, false)] {
            let accepted = secret.accept(secret.code_of(step + offset), 0, now);
            assert_eq!(accepted, is_good.then_some(step + offset), "{offset} steps off");
        }
        let code = secret.code_at(now);
        assert_eq!(secret.accept(code, step - 1, now), Some(step));
        assert_eq!(secret.accept(code, step, now), None, "no second time");
        assert_eq!(
            secret.accept(secret.code_of(step - 1), step, now),
            None,
            "nor an earlier one"
        );
        assert_eq!(secret.accept(code + 1, 0, now), None);
    }

    #[test]
    fn a_secret_is_base32_as_apps_take_it_and_is_read_again() {
        assert_eq!(known().base32().expose(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        let random = TotpSecret::new(std::array::from_fn(|index| (index * 37 + 200) as u8));
        assert_eq!(TotpSecret::parse(random.base32().expose()), Some(random));
        for text in [
            "",
            "GEZDGNBV",
            "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ1",
            "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQG",
        ] {
            assert_eq!(TotpSecret::parse(text), None, "{text}");
        }
        assert!(!format!("{:?}", known()).contains("12345"));
    }

    #[test]
    fn the_link_for_the_app_names_the_person_and_escapes_what_must_be() {
        let url = known().otpauth_url("ada+x@example.org");
        assert_eq!(
            url.expose(),
            "otpauth://totp/Playout:ada%2Bx%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Playout\
             &algorithm=SHA1&digits=6&period=30"
        );
    }

    #[test]
    fn codes_are_read_however_they_are_spaced() {
        assert_eq!(Presented::parse(" 081 804 "), Some(Presented::Totp(81_804)));
        let shown = recovery_code([0, 1, 2, 3, 4, 250, 251, 252, 253, 254]);
        assert_eq!(shown.expose(), "AAAQ-EAYE-7L57-Z7P6");
        let normal = Some(Presented::Recovery(Secret::new("AAAQEAYE7L57Z7P6")));
        for text in [shown.expose(), "aaaqeaye7l57z7p6", " AAAQ EAYE 7L57 Z7P6"] {
            assert_eq!(Presented::parse(text), normal, "{text}");
        }
        for text in [
            "",
            "12345",
            "1234567",
            "12345x",
            "AAAQ-EAYE-7L57-Z7P",
            "AAAQ-EAYE-7L57-Z7P1",
            "١٢٣٤٥٦",
        ] {
            assert_eq!(Presented::parse(text), None, "{text}");
        }
    }
}
