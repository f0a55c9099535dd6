//! The second factor: set up with the password, active from its first code on. Codes are counted with wrong passwords,
//! and the right password alone sets nothing back; so an attacker who knows the password still has ten guesses at a
//! code, and then one a minute.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::audit::Actor;
use playout_domain::error::{Code, Issue, IssueCode, Refusal};
use playout_domain::second_factor::{Presented, RECOVERY_CODES, TotpSecret, recovery_code};
use playout_domain::secret::Secret;
use playout_domain::workspace::User;
use playout_store::{Confirming, FoundSession, Renewal, SecondFactorCode, TakeCode};
use playout_wire::people::SignIn;
use playout_wire::second_factor::BothFactors;

use super::mail_notices::About;
use super::opaque_token::{hash_of, new_token};
use super::sessions::Begun;
use super::whence::Whence;
use super::{App, AppError};
use crate::chance;
use crate::mail::Mail;

/// How long a second factor may be set up.
const SET_UP_LASTS: Duration = Duration::from_secs(3600);
/// How long a page waits for the code after the right password.
const SIGN_IN_LASTS: Duration = Duration::from_secs(600);

/// The state of a sign-in.
pub enum SignInStep {
    /// They are in.
    In(Begun),
    /// The password is right; the code follows with this token.
    CodeAwaited(Secret),
}

/// A second factor that has just become active.
pub struct Confirmed {
    /// Shown this once.
    pub recovery_codes: Vec<Secret>,
    /// Opens the session from now on.
    pub token: Secret,
}

impl App {
    /// Begins to set a second factor up; returns what the authenticator app needs.
    pub async fn set_up_second_factor(&self, user: &User, password: Secret) -> Result<TotpSecret, AppError> {
        self.check_password(user, "password", password).await?;
        let (secret, now) = (TotpSecret::new(chance::bytes()), self.now());
        let ends = now.plus(SET_UP_LASTS);
        match self
            .store
            .begin_second_factor(user.id, &secret, (now, ends))
            .await?
        {
            true => Ok(secret),
            false => {
                let message = "The second factor is on already. Turn it off before you set up another.";
                Err(Refusal::new(Code::SecondFactorActive, message).into())
            }
        }
    }

    /// Makes it active with the app's first code. All other sessions end, and this one gets another token.
    pub async fn confirm_second_factor(
        self: &Arc<Self>,
        session: &FoundSession,
        code: &Secret,
        by: &Actor,
    ) -> Result<Confirmed, AppError> {
        let user = &session.user;
        self.take_from_session(user.id).await?;
        let Some(Presented::Totp(code)) = Presented::parse(code.expose()) else {
            return Err(wrong_code().into());
        };
        let (token, recovery_codes) = (new_token(), new_recovery_codes());
        let renewal = Renewal {
            session: session.id,
            hash: hash_of(&token),
        };
        let hashes = hashes_of(&recovery_codes);
        let who = Confirming {
            user: user.id,
            renewal: &renewal,
            by,
        };
        let confirmed = self
            .store
            .confirm_second_factor(who, code, &hashes, self.now())
            .await?;
        taken(confirmed, no_set_up())?;
        self.tell_of_sign_in(user, "Your second factor was turned on");
        Ok(Confirmed {
            recovery_codes,
            token,
        })
    }

    /// Turns it off.
    pub async fn end_second_factor(
        self: &Arc<Self>,
        user: &User,
        proof: BothFactors,
        by: &Actor,
    ) -> Result<(), AppError> {
        self.check_both_factors(user, proof, by).await?;
        self.store.delete_second_factor(user.id, by, self.now()).await?;
        self.tell_of_sign_in(user, "Your second factor was turned off");
        Ok(())
    }

    /// Gives a person other recovery codes.
    pub async fn renew_recovery_codes(
        self: &Arc<Self>,
        user: &User,
        proof: BothFactors,
        by: &Actor,
    ) -> Result<Vec<Secret>, AppError> {
        self.check_both_factors(user, proof, by).await?;
        let codes = new_recovery_codes();
        match self
            .store
            .replace_recovery_codes(user.id, &hashes_of(&codes), by, self.now())
            .await?
        {
            true => {
                self.tell_of_sign_in(user, "You have new recovery codes");
                Ok(codes)
            }
            false => Err(is_off().into()),
        }
    }

    /// Signs a user in, with the code asked for in a second step.
    pub async fn sign_in_by_steps(
        self: &Arc<Self>,
        request: SignIn,
        from: Whence,
    ) -> Result<SignInStep, AppError> {
        let proven = self
            .check_credentials(&request.email, request.password, &from)
            .await?;
        if !proven.has_second_factor {
            return self.begin_session(&proven, from).await.map(SignInStep::In);
        }
        let (token, now) = (new_token(), self.now());
        let ends = now.plus(SIGN_IN_LASTS);
        self.store
            .create_sign_in(hash_of(&token), proven.user.id, (now, ends))
            .await?;
        Ok(SignInStep::CodeAwaited(token))
    }

    /// The second step: the code, with the token of the first.
    pub async fn finish_sign_in(
        self: &Arc<Self>,
        token: &Secret,
        code: &Secret,
        from: Whence,
    ) -> Result<Begun, AppError> {
        let hash = hash_of(token);
        let proven = self.store.find_sign_in(hash, self.now()).await?;
        let proven = proven.ok_or_else(too_late)?;
        self.take_from_account(&proven.user.email, Some(&proven), &from)
            .await?;
        if proven.has_second_factor {
            self.take_sign_in_code(&proven.user, code, &from).await?;
        }
        let begun = self.begin_session(&proven, from).await?;
        self.store.delete_sign_in(hash).await?;
        Ok(begun)
    }

    /// Takes a code of the app, or a recovery code, once; refuses with `off` where no second factor is active. The try
    /// must have been counted with those at the password.
    pub(super) async fn take_code(
        &self,
        user: &User,
        code: &Secret,
        off: Refusal,
        by: &Actor,
    ) -> Result<(), AppError> {
        let user = user.id;
        self.take_from_codes(user).await?;
        let presented = Presented::parse(code.expose()).ok_or_else(wrong_code)?;
        let code = match &presented {
            Presented::Totp(code) => SecondFactorCode::Totp(*code),
            Presented::Recovery(code) => SecondFactorCode::Recovery(hash_of(code)),
        };
        taken(self.store.take_code(user, code, by, self.now()).await?, off)?;
        self.forgive_codes(user).await;
        if matches!(presented, Presented::Recovery(_)) {
            tracing::info!("user {user} has used a recovery code");
        }
        Ok(())
    }

    /// Notifies a user by mail of a change to how they sign in, and logs it; their activity has it, too.
    pub(super) fn tell_of_sign_in(self: &Arc<Self>, user: &User, what: &str) {
        tracing::info!("{what}: user {}", user.id);
        let mail = Mail {
            to: user.email.clone(),
            subject: what.to_owned(),
            text: format!(
                "{what}, for {}.\n\nIf it was not you, choose a new password at once:\n\n{}/forgot-password\n",
                user.email, self.config.base_url
            ),
        };
        self.notify(user, About::Security, mail);
    }

    async fn check_both_factors(&self, user: &User, proof: BothFactors, by: &Actor) -> Result<(), AppError> {
        self.check_password(user, "password", proof.password).await?;
        self.take_code(user, &proof.code, is_off(), by).await?;
        self.forgive_session(user.id).await;
        Ok(())
    }
}

fn new_recovery_codes() -> Vec<Secret> {
    let codes = (0..RECOVERY_CODES).map(|_| recovery_code(chance::bytes()));
    codes.collect()
}

/// Of their normal form, so that it does not matter how they are typed.
fn hashes_of(codes: &[Secret]) -> Vec<[u8; 32]> {
    let normal = codes
        .iter()
        .filter_map(|code| match Presented::parse(code.expose())? {
            Presented::Recovery(normal) => Some(normal),
            Presented::Totp(_) => None,
        });
    normal.map(|code| hash_of(&code)).collect()
}

fn taken(outcome: TakeCode, off: Refusal) -> Result<(), Refusal> {
    match outcome {
        TakeCode::Taken => Ok(()),
        TakeCode::Wrong => Err(wrong_code()),
        TakeCode::Off => Err(off),
    }
}

pub(super) fn wrong_code() -> Refusal {
    let issue = Issue::field("code", IssueCode::Incorrect.with("is wrong, or was used before"));
    Refusal::listing(Code::InvalidCredentials, vec![issue])
}

fn no_set_up() -> Refusal {
    let message = "No second factor is being set up, or it took more than an hour. Begin again.";
    Refusal::new(Code::NotFound, message)
}

fn is_off() -> Refusal {
    Refusal::new(Code::NotFound, "The second factor is off.")
}

fn too_late() -> Refusal {
    let message = "That took too long, or your password has changed meanwhile. Begin again.";
    Refusal::new(Code::InvalidSession, message)
}
