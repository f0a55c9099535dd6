//! `/security`: enables and disables the second factor.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use playout_domain::error::Refusal;
use playout_domain::second_factor::{TotpSecret, in_fours};
use playout_domain::secret::Secret;
use playout_wire::second_factor::{BothFactors, ConfirmSecondFactor, SetUpSecondFactor};

use super::frame::{Page, PageError};
use super::outcome::refused;
use super::person::Person;
use super::problems::Problems;
use super::qr::{Qr, qr};
use super::sign::object;
use crate::api::auth::SignedIn;
use crate::api::form::Form;
use crate::api::session::renewed;
use crate::app::{App, AppError};

#[derive(Template)]
#[template(path = "pages/security_off.html")]
struct OffPage<'a> {
    signed_in: &'a SignedIn,
    problems: &'a Problems,
}

#[derive(Template)]
#[template(path = "pages/security_on.html")]
struct OnPage<'a> {
    signed_in: &'a SignedIn,
    codes_left: u64,
}

#[derive(Template)]
#[template(path = "pages/second_factor.html")]
struct SecretPage<'a> {
    signed_in: &'a SignedIn,
    qr: Option<Qr>,
    /// In groups of four.
    secret: &'a str,
    link: &'a str,
    problems: &'a Problems,
}

#[derive(Template)]
#[template(path = "pages/second_factor_again.html")]
struct AgainPage<'a> {
    signed_in: &'a SignedIn,
    problems: &'a Problems,
}

#[derive(Template)]
#[template(path = "pages/recovery_codes.html")]
struct RecoveryCodesPage<'a> {
    title: &'a str,
    signed_in: &'a SignedIn,
    codes: &'a [Secret],
}

#[derive(Template)]
#[template(path = "pages/renew_recovery_codes.html")]
struct RenewRecoveryCodesPage<'a> {
    signed_in: &'a SignedIn,
    problems: &'a Problems,
}

#[derive(Template)]
#[template(path = "pages/turn_off_second_factor.html")]
struct TurnOffPage<'a> {
    signed_in: &'a SignedIn,
    problems: &'a Problems,
}

/// `GET /security`.
pub async fn page(State(app): State<Arc<App>>, Person(signed_in): Person) -> Result<Response, PageError> {
    let codes_left = app.store.find_second_factor(signed_in.user().id).await?;
    Ok(match codes_left {
        Some(codes_left) => Page::new(&OnPage {
            signed_in: &signed_in,
            codes_left,
        })
        .into_response(),
        None => off_page(&signed_in, &Problems::default()).into_response(),
    })
}

/// `POST /security`: starts to enable it. The secret is shown only here.
pub async fn set_up(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    form: Form,
) -> Result<Response, PageError> {
    let body = object(&form, &["password"]);
    let begun = match SetUpSecondFactor::read(&body).map_err(Refusal::invalid) {
        Ok(request) => app.set_up_second_factor(signed_in.user(), request.password).await,
        Err(refusal) => Err(refusal.into()),
    };
    Ok(match begun {
        Ok(secret) => secret_page(&signed_in, &secret).into_response(),
        Err(AppError::Refused(refusal)) => refused(&refusal, |problems| off_page(&signed_in, problems)),
        Err(error) => return Err(error.into()),
    })
}

/// `POST /security/confirm`: enables it. The recovery codes are shown only here.
pub async fn confirm(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    form: Form,
) -> Result<Response, PageError> {
    let body = object(&form, &["code"]);
    let confirmed = match ConfirmSecondFactor::read(&body).map_err(Refusal::invalid) {
        Ok(request) => {
            app.confirm_second_factor(&signed_in.session, &request.code, &signed_in.actor)
                .await
        }
        Err(refusal) => Err(refusal.into()),
    };
    Ok(match confirmed {
        Ok(confirmed) => {
            let page = codes_page(&signed_in, "The second factor is on", &confirmed.recovery_codes);
            renewed(&app, &signed_in.presented, &confirmed.token, page)
        }
        Err(AppError::Refused(refusal)) => refused(&refusal, |problems| again_page(&signed_in, problems)),
        Err(error) => return Err(error.into()),
    })
}

/// `GET /security/recovery-codes`.
pub async fn recovery_codes_page(Person(signed_in): Person) -> Page {
    renew_page(&signed_in, &Problems::default())
}

/// `POST /security/recovery-codes`: creates new ones, and shows them only here.
pub async fn renew_recovery_codes(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    form: Form,
) -> Result<Response, PageError> {
    let made = match proof(&form) {
        Ok(proof) => {
            app.renew_recovery_codes(signed_in.user(), proof, &signed_in.actor)
                .await
        }
        Err(refusal) => Err(refusal.into()),
    };
    Ok(match made {
        Ok(codes) => codes_page(&signed_in, "New recovery codes", &codes).into_response(),
        Err(AppError::Refused(refusal)) => refused(&refusal, |problems| renew_page(&signed_in, problems)),
        Err(error) => return Err(error.into()),
    })
}

/// `GET /security/off`.
pub async fn turn_off_page(Person(signed_in): Person) -> Page {
    turn_off_form(&signed_in, &Problems::default())
}

/// `POST /security/off`.
pub async fn turn_off(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    form: Form,
) -> Result<Response, PageError> {
    let ended = match proof(&form) {
        Ok(proof) => {
            app.end_second_factor(signed_in.user(), proof, &signed_in.actor)
                .await
        }
        Err(refusal) => Err(refusal.into()),
    };
    Ok(match ended {
        Ok(()) => Redirect::to("/security").into_response(),
        Err(AppError::Refused(refusal)) => refused(&refusal, |problems| turn_off_form(&signed_in, problems)),
        Err(error) => return Err(error.into()),
    })
}

fn proof(form: &Form) -> Result<BothFactors, Refusal> {
    BothFactors::read(&object(form, &["password", "code"])).map_err(Refusal::invalid)
}

fn off_page(signed_in: &SignedIn, problems: &Problems) -> Page {
    Page::new(&OffPage { signed_in, problems })
}

fn secret_page(signed_in: &SignedIn, secret: &TotpSecret) -> Page {
    let link = secret.otpauth_url(&signed_in.user().email);
    Page::new(&SecretPage {
        signed_in,
        qr: qr(link.expose()),
        secret: &in_fours(secret.base32().expose(), ' '),
        link: link.expose(),
        problems: &Problems::default(),
    })
}

fn again_page(signed_in: &SignedIn, problems: &Problems) -> Page {
    Page::new(&AgainPage { signed_in, problems })
}

fn codes_page(signed_in: &SignedIn, title: &str, codes: &[Secret]) -> Page {
    Page::new(&RecoveryCodesPage {
        title,
        signed_in,
        codes,
    })
}

fn renew_page(signed_in: &SignedIn, problems: &Problems) -> Page {
    Page::new(&RenewRecoveryCodesPage { signed_in, problems })
}

fn turn_off_form(signed_in: &SignedIn, problems: &Problems) -> Page {
    Page::new(&TurnOffPage { signed_in, problems })
}
