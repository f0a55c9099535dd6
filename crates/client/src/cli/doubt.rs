//! What is to be done where it is unknown whether a request took effect: how to send it again so that it does once, or where to look first.

use playout_client::Error;

use super::session::Session;
use super::version;

/// Sends a request; `in_doubt` is what an interruption reports, and a lost response.
///
/// # Errors
/// Those of the request.
pub(super) async fn send<T>(
    session: &Session,
    in_doubt: &str,
    request: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    session.interrupts.watch(&session.screen);
    session.interrupts.next(in_doubt.to_owned());
    request.await.map_err(|error| explained(error, in_doubt))
}

/// An error with what is to be done if the request may have taken effect.
pub(super) fn explained(error: Error, in_doubt: &str) -> Error {
    match error.may_be_done {
        true => Error {
            message: format!("{} {in_doubt}", error.message),
            ..error
        },
        false => error,
    }
}

/// Sends a change, which no key keeps from taking effect a second time. `done` says what may have been done if there is no response, and
/// `shown_by` is the command that shows it, also where the resource has another version.
///
/// # Errors
/// Those of the request.
pub(super) async fn change<T>(
    session: &Session,
    done: &str,
    shown_by: &str,
    request: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let sent = send(session, &look_first(done, shown_by), request).await;
    sent.map_err(|error| version::explained(error, shown_by))
}

/// What is to be done where something may have been done that no key keeps from being done again.
fn look_first(done: &str, shown_by: &str) -> String {
    format!("{done} Look with `{shown_by}` before you run the command again.")
}

/// What is to be done where `what` may have been created: the same command with the key.
pub(super) fn with_key(what: &str, key: &str) -> String {
    format!(
        "{what} may have been created. The same command with `--idempotency-key {key}` creates no second one."
    )
}
