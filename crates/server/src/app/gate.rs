//! Decides who may sign up. The first user operates the service. Where the base URL is not a loopback address, the first
//! sign-up needs the setup code that the service logs at its start, so that a stranger cannot take over a new instance.

use std::net::{IpAddr, Ipv4Addr};

use playout_domain::error::{Code, Issue, IssueCode, Refusal, Violation};
use playout_domain::secret::Secret;
use playout_store::{Admission, Instance};
use playout_wire::people::SignUp;

use super::whence::Whence;
use super::{App, AppError};
use crate::config::{SignUpMode, is_loopback};

/// Digits and letters without those that look alike (I, L, O, U): 32 of them.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// 60 bits.
const SETUP_CODE_CHARS: usize = 12;

/// What a sign-up needs at present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignUpConditions {
    /// Who may sign up.
    pub mode: SignUpMode,
    /// Whether the setup code must be shown.
    pub setup_code_required: bool,
}

impl App {
    /// What a sign-up needs at present.
    pub async fn sign_up_conditions(&self) -> Result<SignUpConditions, AppError> {
        Ok(self.conditions(self.store.instance().await?))
    }

    fn conditions(&self, instance: Instance) -> SignUpConditions {
        let mode = match self.config.signup {
            Some(mode) => mode,
            None if instance.signup_open || !instance.has_users => SignUpMode::Open,
            None => SignUpMode::Invite,
        };
        let is_first = !instance.has_users && mode == SignUpMode::Open;
        SignUpConditions {
            mode,
            setup_code_required: is_first && !is_loopback(&self.config.base_url),
        }
    }

    /// Checks a sign-up against the mode and the setup code. The store checks the returned admission again in the
    /// transaction that inserts the user.
    pub(super) async fn admit(&self, request: &SignUp, from: &Whence) -> Result<Admission, AppError> {
        let instance = self.store.instance().await?;
        let conditions = self.conditions(instance);
        match conditions.mode {
            SignUpMode::Closed => return Err(closed("This service takes no new users.").into()),
            SignUpMode::Invite if request.invitation.is_none() => return Err(invitation_required().into()),
            SignUpMode::Invite | SignUpMode::Open => {}
        }
        if conditions.setup_code_required {
            self.check_setup_code(request.setup_code.as_ref(), from).await?;
        }
        let is_open_to_all = self.config.signup.is_some() || instance.signup_open;
        Ok(match (instance.has_users, is_open_to_all) {
            (true, _) => Admission::Later,
            (false, true) => Admission::Anyone,
            (false, false) => Admission::First,
        })
    }

    async fn check_setup_code(&self, shown: Option<&Secret>, from: &Whence) -> Result<(), Refusal> {
        let Some(shown) = shown else {
            return Err(setup_code(
                IssueCode::Required.with("is required: the service prints it at its start"),
            ));
        };
        let address = from.address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        self.take_from_setup_codes(address).await?;
        // Compares hashes, so that timing reveals nothing about the code.
        let hash = |code: &Secret| {
            self.store
                .keyed_hash("comparing setup codes", normal(code).as_bytes())
        };
        match hash(shown) == hash(&self.setup_code()) {
            true => Ok(()),
            false => Err(setup_code(
                IssueCode::Incorrect.with("is not the code that the service prints at its start"),
            )),
        }
    }

    /// The code that the first sign-up needs: derived from the secret key, so that all nodes agree.
    pub fn setup_code(&self) -> Secret {
        let hash = self.store.keyed_hash("setup code", b"");
        let mut bits = hash
            .iter()
            .take(8)
            .fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
        let mut code = String::new();
        for position in 0..SETUP_CODE_CHARS {
            if position > 0 && position % 4 == 0 {
                code.push('-');
            }
            code.push(char::from(ALPHABET[(bits & 31) as usize]));
            bits >>= 5;
        }
        Secret::new(code)
    }

    /// Logs the setup code and the address of the sign-up page, where the first sign-up needs the code.
    pub async fn announce_setup_code(&self) -> Result<(), AppError> {
        if self.sign_up_conditions().await?.setup_code_required {
            tracing::warn!(
                "this service has no user yet: the first one operates it, and signs up at {}/sign-up with the setup code {}",
                self.config.base_url,
                self.setup_code().expose()
            );
        }
        Ok(())
    }
}

/// Normalises a code: upper case, without separators, and O, I and L read as the digits they look like.
fn normal(code: &Secret) -> String {
    let kept = code.expose().chars().filter(char::is_ascii_alphanumeric);
    kept.map(|character| match character.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    })
    .collect()
}

/// The refusal of a sign-up that the service does not take.
pub(super) fn closed(message: &str) -> Refusal {
    Refusal::new(Code::SignupClosed, message)
}

/// The refusal of a sign-up without an invitation.
pub(super) fn invitation_required() -> Refusal {
    closed("This service takes only people who were invited.")
}

fn setup_code(violation: Violation) -> Refusal {
    Refusal::listing(
        Code::SetupCodeRequired,
        vec![Issue::field("setupCode", violation)],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setup_code_is_read_however_it_is_typed() {
        for typed in ["01AB-CDEF-GHJK", " oiab cdef ghjk ", "OLABCDEFGHJK"] {
            assert_eq!(normal(&Secret::new(typed)), "01ABCDEFGHJK", "{typed}");
        }
    }
}
