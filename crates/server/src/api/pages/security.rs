//! `/security`: enables and disables the second factor.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use playout_domain::error::Refusal;
use playout_domain::second_factor::{TotpSecret, in_fours};
use playout_domain::secret::Secret;
use playout_wire::second_factor::{BothFactors, ConfirmSecondFactor, SetUpSecondFactor};

use super::frame::{Page, PageError};
use super::outcome::refused;
use super::parts::{Field, Problems};
use super::person::Person;
use super::qr;
use super::sign::object;
use crate::api::auth::{SignedIn, Visitor};
use crate::api::form::Form;
use crate::api::html::Html;
use crate::api::session::renewed;
use crate::app::{App, AppError};

const EITHER: &str = "A code of your authenticator app, or a recovery code.";

/// `GET /security`.
pub async fn page(State(app): State<Arc<App>>, Person(signed_in): Person) -> Result<Response, PageError> {
    let codes_left = app.store.find_second_factor(signed_in.user().id).await?;
    Ok(match codes_left {
        Some(left) => is_on(&signed_in, left).into_response(),
        None => is_off(&signed_in, &Problems::default()).into_response(),
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
        Ok(secret) => scan(&signed_in, &secret).into_response(),
        Err(AppError::Refused(refusal)) => refused(&refusal, |problems| is_off(&signed_in, problems)),
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
            let page = new_codes(&signed_in, "The second factor is on", &confirmed.recovery_codes);
            renewed(&app, &signed_in.presented, &confirmed.token, page)
        }
        Err(AppError::Refused(refusal)) => refused(&refusal, |problems| try_again(&signed_in, problems)),
        Err(error) => return Err(error.into()),
    })
}

/// `GET /security/recovery-codes`.
pub async fn recovery_codes_page(Person(signed_in): Person) -> Response {
    recovery_codes_form(&signed_in, &Problems::default()).into_response()
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
        Ok(codes) => new_codes(&signed_in, "New recovery codes", &codes).into_response(),
        Err(AppError::Refused(refusal)) => {
            refused(&refusal, |problems| recovery_codes_form(&signed_in, problems))
        }
        Err(error) => return Err(error.into()),
    })
}

/// `GET /security/off`.
pub async fn turn_off_page(Person(signed_in): Person) -> Response {
    off_form(&signed_in, &Problems::default()).into_response()
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
        Err(AppError::Refused(refusal)) => refused(&refusal, |problems| off_form(&signed_in, problems)),
        Err(error) => return Err(error.into()),
    })
}

fn proof(form: &Form) -> Result<BothFactors, Refusal> {
    BothFactors::read(&object(form, &["password", "code"])).map_err(Refusal::invalid)
}

fn about(title: &str, signed_in: &SignedIn, html: Html) -> Page {
    Page::new(title, &Visitor(Some(signed_in.clone())), html)
}

fn is_off(signed_in: &SignedIn, problems: &Problems) -> Page {
    let mut html = Html::default();
    html.raw(
        "<p>With a second factor, signing in needs a code of an authenticator app as well as your password. ",
    )
    .raw("Turning it on signs you out everywhere else.</p>");
    html.problem(problems).form("/security", |html| {
        html.field(Field::password("current-password", None), problems)
            .button("Set up a second factor");
    });
    about("Security", signed_in, html)
}

fn is_on(signed_in: &SignedIn, codes_left: u64) -> Page {
    let mut html = Html::default();
    html.raw("<p class=\"notice\" role=\"status\">The second factor is on.</p><p>Recovery codes left: ")
        .text(&codes_left.to_string())
        .raw("</p><div class=\"actions\"><a class=\"button\" href=\"/security/recovery-codes\">New recovery codes</a>")
        .raw("<a class=\"button\" href=\"/security/off\">Turn it off</a></div>");
    about("Security", signed_in, html)
}

fn scan(signed_in: &SignedIn, secret: &TotpSecret) -> Page {
    let link = secret.otpauth_url(&signed_in.user().email);
    let mut html = Html::default();
    html.raw("<ol class=\"steps\"><li><p>Scan this with your authenticator app.</p>")
        .raw(&qr::svg(link.expose()))
        .raw("<p>Or type in this secret:</p><p class=\"code secret\">")
        .text(&in_fours(secret.base32().expose(), ' '))
        .raw("</p><p>Or open this link on the device that has the app:</p><p><a class=\"code\" href=\"")
        .text(link.expose())
        .raw("\">")
        .text(link.expose())
        .raw("</a></p></li><li><p>Type in the code that the app shows, within an hour.</p>");
    first_code(&mut html, &Problems::default());
    html.raw("</li></ol>");
    about("Set up a second factor", signed_in, html)
}

fn first_code(html: &mut Html, problems: &Problems) {
    html.form("/security/confirm", |html| {
        let hint = "Six digits.";
        html.field(Field::code(hint), problems).button("Turn it on");
    });
}

/// The secret is not shown again: a stolen session must not give access to it without the password.
fn try_again(signed_in: &SignedIn, problems: &Problems) -> Page {
    let mut html = Html::default();
    html.problem(problems);
    first_code(&mut html, problems);
    html.raw(
        "<p class=\"else\">If the app shows no code that works, <a href=\"/security\">begin again</a>.</p>",
    );
    about("Set up a second factor", signed_in, html)
}

fn new_codes(signed_in: &SignedIn, title: &str, codes: &[Secret]) -> Page {
    let lines: Vec<&str> = codes.iter().map(Secret::expose).collect();
    let rows = lines.len().to_string();
    let mut html = Html::default();
    html.raw("<p class=\"notice warn\">Store these codes where you can find them without your phone. They are not shown again.</p>")
        .raw("<label for=\"codes\">Recovery codes</label><textarea id=\"codes\" class=\"codes\" readonly rows=\"")
        .text(&rows)
        .raw("\" aria-describedby=\"codes-note\">")
        .text(&lines.join("\n"))
        .raw("</textarea><p id=\"codes-note\" class=\"hint\">Each replaces a code of the app, once.</p>")
        .raw("<p><a class=\"button primary\" href=\"/security\">I have stored them</a></p>");
    about(title, signed_in, html)
}

fn recovery_codes_form(signed_in: &SignedIn, problems: &Problems) -> Page {
    let form = ProofForm {
        title: "New recovery codes",
        action: "/security/recovery-codes",
        why: "The old ones, used or not, become invalid.",
    };
    form.page(signed_in, problems)
}

fn off_form(signed_in: &SignedIn, problems: &Problems) -> Page {
    let form = ProofForm {
        title: "Turn the second factor off",
        action: "/security/off",
        why: "Signing in will need only your password.",
    };
    form.page(signed_in, problems)
}

/// A form for both factors.
struct ProofForm {
    /// Also the button's label.
    title: &'static str,
    /// The path to which it posts.
    action: &'static str,
    why: &'static str,
}

impl ProofForm {
    fn page(&self, signed_in: &SignedIn, problems: &Problems) -> Page {
        let mut html = Html::default();
        html.raw("<p>").text(self.why).raw("</p>");
        html.problem(problems).form(self.action, |html| {
            html.field(Field::password("current-password", None), problems)
                .field(Field::code(EITHER), problems)
                .button(self.title);
        });
        html.raw("<p class=\"else\"><a href=\"/security\">Back</a></p>");
        about(self.title, signed_in, html)
    }
}
