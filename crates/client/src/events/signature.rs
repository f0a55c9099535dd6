//! Signs deliveries as webhooks are signed (<https://www.standardwebhooks.com>): HMAC-SHA256 of `id.timestamp.body`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use playout_domain::time::Time;
use sha2::Sha256;

use crate::chance;
use crate::error::Error;

const PREFIX: &str = "whsec_";

/// A secret that signs deliveries: `whsec_` and base64.
#[derive(Clone)]
pub struct WebhookSecret {
    text: String,
    mac: Hmac<Sha256>,
}

impl WebhookSecret {
    /// A new one, from 32 random bytes.
    ///
    /// # Errors
    /// Never, because 32 bytes are a key.
    pub fn random() -> Result<Self, Error> {
        Self::parse(&format!("{PREFIX}{}", STANDARD.encode(chance::bytes::<32>())))
    }

    /// Reads one.
    ///
    /// # Errors
    /// If it is not `whsec_` and base64.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let refuse = || Error::usage("A secret of a webhook is whsec_ and base64.");
        let key = text.strip_prefix(PREFIX).ok_or_else(refuse)?;
        let key = STANDARD.decode(key).map_err(|_| refuse())?;
        let mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&key).map_err(|_| refuse())?;
        let text = text.to_owned();
        Ok(Self { text, mac })
    }

    /// Its text.
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// The `webhook-signature` of a delivery.
    pub(super) fn sign(&self, id: &str, at: Time, body: &str) -> String {
        let mut mac = self.mac.clone();
        mac.update(format!("{id}.{}.{body}", at.as_secs()).as_bytes());
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

impl std::fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WebhookSecret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delivery_is_signed_as_in_the_example_of_the_standards_libraries() {
        let secret = WebhookSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signed = secret.sign(
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            Time::from_secs(1_614_265_330),
            r#"{"test": 2432232314}"#,
        );
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        WebhookSecret::parse("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap_err();
        assert_eq!(WebhookSecret::random().unwrap().expose().len(), 6 + 44);
    }
}
