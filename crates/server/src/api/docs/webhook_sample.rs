//! The sample of `docs/webhooks.md` in Rust, which is compiled and tested here.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// `now` is the time in seconds since 1970.
fn is_genuine(secret: &str, id: &str, timestamp: &str, signatures: &str, body: &[u8], now: i64) -> bool {
    let sent = timestamp.parse::<i64>();
    let key = STANDARD.decode(secret.trim_start_matches("whsec_"));
    let (Ok(sent), Ok(key)) = (sent, key) else {
        return false;
    };
    let message = [id.as_bytes(), b".", timestamp.as_bytes(), b".", body].concat();
    let mut given = signatures
        .split(' ')
        .filter_map(|entry| STANDARD.decode(entry.strip_prefix("v1,")?).ok());
    let is_signed = given.any(|signature| {
        let mac = Hmac::<Sha256>::new_from_slice(&key);
        mac.is_ok_and(|mac| mac.chain_update(&message).verify_slice(&signature).is_ok())
    });
    now.abs_diff(sent) <= 300 && is_signed
}

#[test]
fn the_sample_in_rust_is_that_of_the_guide_and_verifies_what_the_standards_libraries_share() {
    let file = include_str!("webhook_sample.rs");
    let guide = include_str!("../../../../../docs/webhooks.md");
    let (_, sample) = file.split_once("\n\n").unwrap();
    let (sample, _) = sample.split_once("\n#[test]").unwrap();
    assert!(guide.contains(&format!("```rust\n{sample}```\n")));
    let (secret, id) = (
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
    );
    let signatures = "v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    let body = br#"{"test": 2432232314}"#;
    let at = 1_614_265_330;
    assert!(is_genuine(secret, id, "1614265330", signatures, body, at + 300));
    assert!(!is_genuine(secret, id, "1614265330", signatures, body, at + 301));
    assert!(!is_genuine(secret, id, "1614265330", signatures, b"{}", at));
    assert!(!is_genuine(
        secret,
        "msg_another",
        "1614265330",
        signatures,
        body,
        at
    ));
    assert!(!is_genuine(secret, id, "soon", signatures, body, at));
}
