//! The provider's entry point: records every request, applies its faults, and answers it.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use super::answer::{Answer, Refusal, gateway};
use super::call::Call;
use super::core::Core;
use super::fault::{Endpoint, FaultAction, take};
use super::hold::HoldPoint;
use super::journal::{JournalEntry, Misunderstood};
use super::socket::Cut;
use super::world::World;
use super::{api, oauth, upload};

/// Bodies of JSON and forms are never longer.
const BODY_LIMIT: usize = 1024 * 1024;
/// What the journal keeps of a body.
const KEPT_BODY: usize = 8_192;

/// Answers a request to any of the provider's endpoints, and dates the answer.
pub(super) async fn serve(
    State(core): State<Arc<Core>>,
    ConnectInfo(connection): ConnectInfo<Cut>,
    request: Request,
) -> Response {
    let mut response = answer_to(&core, &connection, request).await;
    let date = UNIX_EPOCH + Duration::from_micros(core.with(|world| world.now.as_micros()).unsigned_abs());
    if let Ok(date) = HeaderValue::try_from(httpdate::fmt_http_date(date)) {
        response.headers_mut().insert(header::DATE, date);
    }
    response
}

async fn answer_to(core: &Arc<Core>, connection: &Cut, request: Request) -> Response {
    let (parts, stream) = request.into_parts();
    let is_upload = parts.uri.path() == "/upload";
    let (body, stream) = match is_upload {
        true => (Bytes::new(), stream),
        false => match axum::body::to_bytes(stream, BODY_LIMIT).await {
            Ok(body) => (body, Body::empty()),
            // The client went away in the middle of its request, or sends far too much.
            Err(_) => return axum::http::StatusCode::PAYLOAD_TOO_LARGE.into_response(),
        },
    };
    let call = Call::new(parts.method, parts.uri, parts.headers, body);
    let (sequence, log_id) = record(core, &call);
    let Some(endpoint) = call.endpoint else {
        note_misunderstood(core, &call, sequence, "no such endpoint");
        note(core, sequence, 404, "not_found".to_owned());
        return Answer::Nowhere.into_response(&log_id);
    };
    let visit = Visit {
        core,
        call: &call,
        endpoint,
        sequence,
        log_id: &log_id,
    };
    visit.answer(stream, connection).await
}

/// A request on its way through the door.
struct Visit<'a> {
    core: &'a Arc<Core>,
    call: &'a Call,
    endpoint: Endpoint,
    sequence: u64,
    log_id: &'a str,
}

impl Visit<'_> {
    async fn answer(&self, stream: Body, connection: &Cut) -> Response {
        self.wait(HoldPoint::Before).await;
        let fault = self.core.with(|world| {
            let account = account_of(world, self.call);
            take(&mut world.faults, self.endpoint, account.as_deref())
        });
        let answer = match &fault {
            _ if self.core.cancel.is_cancelled() => None,
            Some(FaultAction::Drop) => None,
            Some(action) if !action.works() => {
                upload::drain(stream).await;
                None
            }
            _ => Some(self.work(stream).await),
        };
        self.delay().await;
        self.wait(HoldPoint::After).await;
        if self.core.cancel.is_cancelled() {
            connection.cut();
            return Response::default();
        }
        match (fault, answer) {
            (None, Some(answer)) => self.send(answer),
            (
                Some(FaultAction::Answer {
                    status,
                    code,
                    message,
                }),
                _,
            )
            | (
                Some(FaultAction::AnswerAfter {
                    status,
                    code,
                    message,
                }),
                _,
            ) => self.send(shaped(
                self.endpoint,
                Refusal {
                    status,
                    code,
                    message,
                },
            )),
            (Some(FaultAction::Html { status }), _) => {
                note(self.core, self.sequence, status, "gateway".to_owned());
                gateway(status)
            }
            (Some(FaultAction::Drop | FaultAction::DropAfter), _) | (None, None) => {
                note(self.core, self.sequence, 0, "dropped".to_owned());
                connection.cut();
                Response::default()
            }
        }
    }

    /// Waits while requests like this one are held, but not beyond the end of the simulator.
    async fn wait(&self, point: HoldPoint) {
        tokio::select! {
            () = self.core.cancel.cancelled() => {}
            () = self.core.holds.pass(self.endpoint, point) => {}
        }
    }

    /// Waits as long as the provider takes to respond.
    async fn delay(&self) {
        let (now, delay_ms) = self.core.with(|world| (world.now, world.knobs.response_delay_ms));
        if delay_ms > 0 {
            tokio::select! {
                () = self.core.cancel.cancelled() => {}
                () = self.core.sleep_until(now.plus(Duration::from_millis(delay_ms))) => {}
            }
        }
    }

    async fn work(&self, stream: Body) -> Answer {
        match self.endpoint {
            Endpoint::Upload | Endpoint::UploadLast => upload::receive(self.core, self.call, stream).await,
            endpoint => {
                let (answer, complaint) = self.core.with(|world| dispatch(world, self.call, endpoint));
                if let Some(why) = complaint {
                    note_misunderstood(self.core, self.call, self.sequence, &why);
                }
                answer
            }
        }
    }

    fn send(&self, answer: Answer) -> Response {
        let (status, code) = answer.outcome();
        note(self.core, self.sequence, status, code);
        answer.into_response(self.log_id)
    }
}

/// The answer, and what was not understood at all.
fn dispatch(world: &mut World, call: &Call, endpoint: Endpoint) -> (Answer, Option<String>) {
    match endpoint {
        Endpoint::Authorize => (oauth::authorize(world, call), None),
        Endpoint::Token | Endpoint::TokenRefresh => {
            let complaint = (!call.is_form()).then(|| "the token endpoint takes forms only".to_owned());
            (Answer::OAuth(oauth::token(world, call)), complaint)
        }
        Endpoint::Revoke => (Answer::OAuth(oauth::revoke(world, call)), None),
        endpoint => {
            let unread = serde_json::from_slice::<serde_json::Value>(&call.body).err();
            let complaint = unread
                .filter(|_| !call.body.is_empty())
                .map(|error| format!("body is no JSON: {error}"));
            (api::answer(world, call, endpoint), complaint)
        }
    }
}

/// An injected error in the shape that the endpoint's errors have.
fn shaped(endpoint: Endpoint, refusal: Refusal) -> Answer {
    match endpoint {
        Endpoint::Token | Endpoint::TokenRefresh | Endpoint::Revoke => Answer::OAuth(Err(refusal)),
        endpoint if endpoint.is_business() && refusal.status == 200 => {
            Answer::Business(Err((refusal.code.parse().unwrap_or(50_000), refusal.message)))
        }
        Endpoint::Upload | Endpoint::UploadLast => Answer::Upload {
            status: refusal.status,
            progress: None,
            code: "injected",
            is_complete: false,
        },
        _ => Answer::Api(Err(refusal)),
    }
}

/// Whose request it is, by its token or its upload URL.
fn account_of(world: &World, call: &Call) -> Option<String> {
    if let Some(upload_id) = call.query("upload_id") {
        let publish_id = world.uploads.get(&upload_id)?;
        return world.tasks.get(publish_id).map(|task| task.open_id.clone());
    }
    let token = call.any_token()?;
    world.grants.owner(&token).map(str::to_owned)
}

fn record(core: &Core, call: &Call) -> (u64, String) {
    let (at, limit, account, log_id) = core.with(|world| {
        let now = world.now;
        (
            now,
            world.knobs.journal_limit,
            account_of(world, call),
            world.ids.log_id(now),
        )
    });
    let kept = &call.body[..call.body.len().min(KEPT_BODY)];
    let entry = JournalEntry {
        sequence: 0,
        at,
        method: call.method.to_string(),
        path: call.path_and_query(),
        endpoint: call.endpoint,
        account,
        status: 0,
        code: String::new(),
        log_id: log_id.clone(),
        content_type: call.header(header::CONTENT_TYPE).unwrap_or("").to_owned(),
        body: String::from_utf8_lossy(kept).into_owned(),
    };
    (core.journal().arrive(entry, limit), log_id)
}

fn note(core: &Core, sequence: u64, status: u16, code: String) {
    core.journal()
        .answer(sequence, |entry| (entry.status, entry.code) = (status, code));
}

fn note_misunderstood(core: &Core, call: &Call, sequence: u64, why: &str) {
    let misunderstood = Misunderstood {
        sequence,
        at: core.now(),
        method: call.method.to_string(),
        path: call.path_and_query(),
        why: why.to_owned(),
    };
    core.journal().note_misunderstood(misunderstood, sequence);
}
