//! What a request to create or check a post came to, on all its platforms.

use playout_client::{CreateResult, CreateResults, Error, Kind, Reply};

use super::show;
use crate::cli::report::Report;
use crate::cli::session::Session;

/// The results, and whether any platform rejected the post.
pub(super) fn results(session: &Session, reply: Reply<CreateResults>) -> Report {
    let text = show::results(&session.screen, &reply.value);
    let error = refused(&reply.value.results);
    Report::new(reply.json, text).but(error)
}

/// The error if any platform rejected the post: one reason, and how many there are. It is [`Kind::Partial`] if another one accepted it.
pub(super) fn refused(results: &[CreateResult]) -> Option<Error> {
    let mut reasons = results.iter().filter_map(|result| result.error.as_ref());
    let first = reasons.next()?;
    let others = reasons.count();
    let (of, refused) = (results.len(), others + 1);
    let message = match (of, others) {
        (1, _) => first.message.clone(),
        _ => format!(
            "{refused} of {of} platforms refused; the first: {}",
            first.message
        ),
    };
    let error = Error::new(Kind::Refused, &first.code, message).with_done(refused < of);
    Some(match &first.details {
        Some(details) => error.with_details(details.clone()),
        None => error,
    })
}
