//! How deliveries are signed (<https://www.standardwebhooks.com>, symmetric): HMAC-SHA256 of `id.timestamp.body` under the 32
//! bytes of a secret `whsec_…`. While a secret is being replaced there is a signature of each.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use sha2::Sha256;

const PREFIX: &str = "whsec_";

/// A secret from 32 random bytes.
pub fn make_secret(random: [u8; 32]) -> Secret {
    Secret::new(format!("{PREFIX}{}", STANDARD.encode(random)))
}

/// The `webhook-signature` of what is sent at `at`, with a signature of each secret; `None` where there is no secret to sign
/// with.
pub fn signature(secrets: &[Secret], id: &str, at: Time, body: &str) -> Option<String> {
    let message = format!("{id}.{}.{body}", at.as_secs());
    let signed = secrets.iter().filter_map(|secret| sign(secret, &message));
    let signatures: Vec<String> = signed.map(|signature| format!("v1,{signature}")).collect();
    (!signatures.is_empty()).then(|| signatures.join(" "))
}

fn sign(secret: &Secret, message: &str) -> Option<String> {
    let key = STANDARD.decode(secret.expose().strip_prefix(PREFIX)?).ok()?;
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&key).ok()?;
    mac.update(message.as_bytes());
    Some(STANDARD.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_that_the_standards_libraries_share_is_signed_as_they_sign_it() {
        let secret = Secret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let at = Time::from_secs(1_614_265_330);
        let body = r#"{"test": 2432232314}"#;
        let signed = signature(&[secret], "msg_p5jXN8AQM9LWM0D4loKWxJek", at, body);
        assert_eq!(signed.unwrap(), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn two_secrets_make_two_signatures_and_none_makes_none() {
        let (new, old) = (make_secret([1; 32]), make_secret([2; 32]));
        let sign = |secrets: &[Secret]| signature(secrets, "id", Time::from_secs(5), "{}");
        let alone = |secret: &Secret| sign(std::slice::from_ref(secret)).unwrap();
        let both = sign(&[new.clone(), old.clone()]).unwrap();
        assert_eq!(both, format!("{} {}", alone(&new), alone(&old)));
        assert_eq!(sign(&[]), None);
        assert_eq!(sign(&[Secret::new("nothing of the kind")]), None);
    }
}
