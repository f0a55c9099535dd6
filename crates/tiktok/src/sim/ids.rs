//! Identifiers and tokens: unique, unlike those of another simulator, the same in each run of a test.

use playout_domain::time::Time;
use sha2::{Digest, Sha256};

/// Makes identifiers from a seed and a counter: no chance, so that a failing test can be repeated.
#[derive(Debug)]
pub(super) struct Ids {
    seed: String,
    counter: u32,
}

impl Ids {
    pub(super) fn new(seed: String) -> Self {
        Self { seed, counter: 0 }
    }

    fn next(&mut self) -> u32 {
        self.counter = self.counter.wrapping_add(1);
        self.counter
    }

    fn digest(&mut self) -> [u8; 32] {
        let counter = self.next();
        Sha256::digest(format!("{}:{counter}", self.seed).as_bytes()).into()
    }

    /// `prefix` and 43 letters and digits.
    pub(super) fn token(&mut self, prefix: &str) -> String {
        const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let bytes = self.digest();
        let mix =
            (0..43).map(|i| usize::from(bytes[i % 32]) + 7 * (i / 32) * usize::from(bytes[(i + 11) % 32]));
        prefix
            .chars()
            .chain(mix.map(|value| char::from(ALPHABET[value % 62])))
            .collect()
    }

    /// 32 hex digits.
    pub(super) fn hex(&mut self) -> String {
        hex::encode(&self.digest()[..16])
    }

    /// An authorization code. Contains `*` and `!`, so that a client that does not decode it fails.
    pub(super) fn code(&mut self) -> String {
        let text = self.token("");
        format!("{}*{}!{}.va", &text[..12], self.next(), &text[12..])
    }

    /// A 19-digit number beyond 2^53, as the provider numbers posts: seconds in the high half.
    pub(super) fn number(&mut self, now: Time) -> u64 {
        const GOLDEN: u32 = 2_654_435_761;
        let seconds = u64::try_from(now.as_secs())
            .unwrap_or(0)
            .clamp(1_700_000_000, 2_100_000_000);
        seconds << 32 | u64::from(self.next().wrapping_mul(GOLDEN))
    }

    /// A log id: the time in digits, then 18 hex digits.
    pub(super) fn log_id(&mut self, now: Time) -> String {
        let digits: String = now
            .to_string()
            .chars()
            .filter(char::is_ascii_digit)
            .take(14)
            .collect();
        format!("{digits}{}", hex::encode_upper(&self.digest()[..9]))
    }
}
