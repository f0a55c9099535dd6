//! The memory budget of large payloads in transfer: request bodies that are being received, and responses that are being sent. A
//! client that sends its body slowly, or does not read its response, occupies that memory until it is disconnected.
//!
//! Small payloads are limited by the number of connections. Larger ones take their length from a budget, of which each user, and
//! the workspace of a key, has a share, until they are complete or aborted.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use playout_domain::error::Refusal;
use playout_domain::id::{UserId, WorkspaceId};

use super::refusals::too_many;

/// Payloads up to this length are not counted.
pub const SMALL: u64 = 64 << 10;
/// The size of the pieces in which responses are passed to the connection.
const PIECE: usize = 64 << 10;
/// The total of counted payloads.
const ALL: u64 = 256 << 20;
/// The total including the first payload of each holder, so that a few slow clients do not block everyone else.
const WITH_FIRST: u64 = 512 << 20;
/// The total of one holder: some pages of the largest kind.
const EACH: u64 = 32 << 20;

const IN_TRANSFER: &str = "Too many large requests and responses are in transfer. Complete the requests that were begun, read the responses, or make them smaller.";

/// The lengths of the larger payloads in transfer.
#[derive(Debug, Default)]
pub struct Payloads(Mutex<Lengths>);

#[derive(Debug, Default)]
struct Lengths {
    all: u64,
    by_holder: HashMap<Holder, u64>,
}

/// The holder to whom payloads are counted: a user in any workspace, because they can create several, or the workspace of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A person, in all their sessions.
    Person(UserId),
    /// A workspace, with all its keys.
    Workspace(WorkspaceId),
}

impl Holder {
    /// The same for the same holder on every node.
    pub(super) fn bytes(self) -> Vec<u8> {
        match self {
            Self::Person(user) => [b"user".as_slice(), user.0.as_bytes()].concat(),
            Self::Workspace(workspace) => [b"workspace".as_slice(), workspace.0.as_bytes()].concat(),
        }
    }
}

/// The budget for the payloads of a request; it accompanies the request to the reader of the body.
#[derive(Debug, Clone)]
pub struct Room {
    of: Arc<Payloads>,
    holder: Holder,
}

impl Room {
    /// The room of one holder.
    pub fn new(of: &Arc<Payloads>, holder: Holder) -> Self {
        let of = Arc::clone(of);
        Self { of, holder }
    }

    /// Takes a share for a payload of this length.
    ///
    /// # Errors
    ///
    /// `rate_limited`, where the holder's share or the whole budget is used up.
    pub fn take(&self, bytes: u64) -> Result<Share, Refusal> {
        let share = self.of.take(self.holder, bytes);
        share.ok_or_else(|| too_many(IN_TRANSFER, Duration::from_secs(1)))
    }

    /// Whether a change may be made whose answer may be large: once it is made its answer is sent, whatever else is in transfer.
    ///
    /// # Errors
    ///
    /// `rate_limited`, where the holder has twice their share in transfer.
    pub fn check_change(&self) -> Result<(), Refusal> {
        let own = self.of.lock().by_holder.get(&self.holder).copied();
        match own.is_some_and(|own| own > 2 * EACH) {
            true => Err(too_many(IN_TRANSFER, Duration::from_secs(1))),
            false => Ok(()),
        }
    }

    /// Takes a share for the answer to a change that is made: it is counted, and never refused.
    pub fn take_for_change(&self, bytes: u64) -> Share {
        self.of.add(&mut self.of.lock(), self.holder, bytes)
    }
}

/// A share of the budget, released when it is dropped.
#[derive(Debug)]
pub struct Share {
    of: Arc<Payloads>,
    holder: Holder,
    bytes: u64,
}

impl Share {
    /// The body, which gives this back once it is sent or given up.
    pub fn with(self, body: Body) -> Body {
        Body::new(Counted {
            body,
            rest: Bytes::new(),
            _share: self,
        })
    }
}

impl Payloads {
    fn take(self: &Arc<Self>, holder: Holder, bytes: u64) -> Option<Share> {
        let mut state = self.lock();
        let own = state.by_holder.get(&holder).copied().unwrap_or(0);
        // A payload larger than a holder's share is sent alone.
        let (is_its_part, all) = match own {
            0 => (true, WITH_FIRST),
            own => (own + bytes <= EACH, ALL),
        };
        if !is_its_part || state.all + bytes > all {
            return None;
        }
        Some(self.add(&mut state, holder, bytes))
    }

    fn add(self: &Arc<Self>, state: &mut Lengths, holder: Holder, bytes: u64) -> Share {
        state.all += bytes;
        *state.by_holder.entry(holder).or_default() += bytes;
        Share {
            of: Arc::clone(self),
            holder,
            bytes,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Lengths> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut state = self.of.lock();
        state.all -= self.bytes;
        if let Some(own) = state.by_holder.get_mut(&self.holder) {
            *own -= self.bytes;
            if *own == 0 {
                state.by_holder.remove(&self.holder);
            }
        }
    }
}

/// A body in pieces, with its share: the connection takes the next piece when it can send it, so the last piece is passed on only
/// when most of the response is sent.
struct Counted {
    body: Body,
    /// The rest of the last frame.
    rest: Bytes,
    _share: Share,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                other => return Poll::Ready(other),
            }
        }
        let length = self.rest.len().min(PIECE);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let body = self.body.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(body.lower() + rest);
        if let Some(upper) = body.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;
    use crate::chance;
    use playout_domain::time::Time;

    fn one() -> Holder {
        Holder::Workspace(chance::id(Time::from_secs(0)))
    }

    fn body_of(answers: &Arc<Payloads>, holder: Holder, bytes: usize) -> Option<Body> {
        let share = answers.take(holder, bytes as u64)?;
        Some(share.with(Body::from(vec![b'x'; bytes])))
    }

    #[tokio::test]
    async fn a_share_is_given_back_with_the_last_piece_or_when_the_answer_is_given_up() {
        let (answers, one) = (Arc::<Payloads>::default(), one());
        let most = usize::try_from(EACH).unwrap();
        let mut body = body_of(&answers, one, most).unwrap();
        assert!(body_of(&answers, one, 1).is_none(), "its part is taken");
        let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert_eq!(
            (first.len(), body.size_hint().exact()),
            (PIECE, Some(EACH - PIECE as u64))
        );
        assert!(body_of(&answers, one, 1).is_none(), "the rest is still in memory");
        assert_eq!(body.collect().await.unwrap().to_bytes().len(), most - PIECE);
        let given_up = body_of(&answers, one, most).unwrap();
        drop(given_up);
        assert_eq!(answers.lock().all, 0);
        assert!(answers.lock().by_holder.is_empty());
    }

    /// What a change has made is not answered as if it were not made.
    #[test]
    fn the_answer_to_a_change_is_sent_whatever_is_in_transfer() {
        let (answers, one) = (Arc::<Payloads>::default(), one());
        let room = Room::new(&answers, one);
        let unread = room.take(EACH).unwrap();
        assert!(room.take(1).is_err());
        room.check_change().unwrap();
        let first = room.take_for_change(EACH);
        room.check_change().unwrap();
        let second = room.take_for_change(1);
        assert!(room.check_change().is_err(), "before it is made");
        drop((unread, first));
        room.check_change().unwrap();
        drop(second);
        assert_eq!(answers.lock().all, 0);
    }

    #[test]
    fn an_answer_larger_than_a_part_is_sent_alone_and_all_parts_have_an_end() {
        let answers = Arc::<Payloads>::default();
        let id = one;
        let one = id();
        let huge = answers.take(one, EACH + 1).unwrap();
        assert!(answers.take(one, 1).is_none());
        drop(huge);
        let first: Vec<_> = (0..ALL / EACH)
            .map(|_| answers.take(id(), EACH - 1).unwrap())
            .collect();
        let another = id();
        let small = answers.take(another, 1).unwrap();
        let of_another = answers.take(another, EACH - 1);
        assert!(of_another.is_none(), "all parts are taken, and it has its first");
        let beyond: Vec<_> = std::iter::from_fn(|| answers.take(id(), EACH)).collect();
        assert_eq!(
            beyond.len() as u64,
            (WITH_FIRST - ALL) / EACH,
            "the first of others is sent"
        );
        drop((first, small, beyond));
        assert_eq!(answers.lock().all, 0);
    }
}
