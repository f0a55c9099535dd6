//! Requests whose clients close the connection while the request is sent or worked on. It may be done or not; what it was to do must
//! never be done twice or by halves, and the writes of others must not be lost with it.

pub mod clients;
pub mod own_posts;
pub mod upload;

use std::fmt;
use std::io::Write;
use std::net::TcpStream;
use std::ops::AddAssign;
use std::thread;
use std::time::Duration;

use socket2::SockRef;

use super::chance::Chance;
use super::stage::Stage;
use crate::bench::http::{Answer, Body, Connection};
use crate::failure::Outcome;
use crate::machine::now;

/// How long a client stays at most after it has sent its request, in microseconds.
const LONGEST_US: u64 = 30_000;
/// The same for every other client: while its request is most likely worked on.
const SHORTEST_US: u64 = 4000;

/// A request of the API with a JSON body, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `POST`, …
    pub method: &'static str,
    /// Path and query.
    pub path: String,
    /// `Idempotency-Key`
    pub idempotency_key: Option<String>,
    /// JSON, or nothing.
    pub json: String,
}

impl Request {
    /// Sends it by way of any node, and waits for the answer.
    ///
    /// # Errors
    /// When there is none.
    pub fn send(&self, stage: &Stage) -> Outcome<Answer> {
        let mut connection = Connection::open(stage.proxy.address, &stage.seeded.key)?;
        connection.send_stream(&self.head(), &mut [Body::Text(self.json.clone())])
    }

    /// The head without its end.
    fn head(&self) -> String {
        let key = self.idempotency_key.as_ref();
        let key = key.map_or_else(String::new, |key| format!("idempotency-key: {key}\r\n"));
        let content = match self.json.len() {
            0 => String::new(),
            length => format!("content-type: application/json\r\ncontent-length: {length}\r\n"),
        };
        format!(
            "{} {} HTTP/1.1\r\nhost: localhost\r\n{key}{content}",
            self.method, self.path
        )
    }

    fn bytes(&self, api_key: &str) -> Vec<u8> {
        format!(
            "{}authorization: Bearer {api_key}\r\n\r\n{}",
            self.head(),
            self.json
        )
        .into_bytes()
    }
}

/// How a client closes its connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disconnect {
    /// How long after it has sent what it sends.
    pub after: Duration,
    /// Whether it sends only half of the request.
    pub is_half_sent: bool,
    /// With a reset (RST) instead of an orderly end (FIN).
    pub is_reset: bool,
}

impl Disconnect {
    /// In any way.
    pub fn any(chance: &mut Chance) -> Self {
        let longest = chance.one_of(&[SHORTEST_US, LONGEST_US]);
        Self {
            after: Duration::from_micros(chance.below(longest)),
            is_half_sent: chance.happens(10),
            is_reset: chance.happens(50),
        }
    }
}

/// How many clients went away, and how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DisconnectCount {
    /// All of them.
    pub clients: usize,
    /// With half of the request sent.
    pub half_sent: usize,
    /// With a reset.
    pub reset: usize,
}

impl AddAssign for DisconnectCount {
    fn add_assign(&mut self, other: Self) {
        self.clients += other.clients;
        self.half_sent += other.half_sent;
        self.reset += other.reset;
    }
}

impl fmt::Display for DisconnectCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            clients,
            half_sent,
            reset,
        } = self;
        write!(
            f,
            "{clients} clients went away without waiting for an answer, {half_sent} with half of the request sent, {reset} with a reset"
        )
    }
}

/// Sends requests at the same time, each on a connection of its own to any node, and closes each connection as chance has it.
pub fn send_and_disconnect(stage: &Stage, requests: &[Request], chance: &mut Chance) -> DisconnectCount {
    let began = now();
    let mut count = DisconnectCount::default();
    let mut open: Vec<(Duration, TcpStream)> = Vec::new();
    for request in requests {
        let disconnect = Disconnect::any(chance);
        let Some(stream) = stage.proxy.connect() else {
            continue;
        };
        if begin(&stream, &request.bytes(&stage.seeded.key), disconnect).is_ok() {
            count += DisconnectCount {
                clients: 1,
                half_sent: usize::from(disconnect.is_half_sent),
                reset: usize::from(disconnect.is_reset),
            };
            open.push((began.elapsed() + disconnect.after, stream));
        }
    }
    open.sort_by_key(|(at, _)| *at);
    for (at, stream) in open {
        thread::sleep(at.saturating_sub(began.elapsed()));
        drop(stream);
    }
    count
}

/// Sends a request or half of it; dropping the stream then ends the connection as wanted.
fn begin(mut stream: &TcpStream, request: &[u8], disconnect: Disconnect) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    if disconnect.is_reset {
        SockRef::from(stream).set_linger(Some(Duration::ZERO))?;
    }
    let sent = match disconnect.is_half_sent {
        true => request.len() / 2,
        false => request.len(),
    };
    stream.write_all(&request[..sent])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{ErrorKind, Read};
    use std::net::TcpListener;

    fn request() -> Request {
        Request {
            method: "PATCH",
            path: "/public/v1/posts/7".to_owned(),
            idempotency_key: Some("key".to_owned()),
            json: "{\"content\":\"a\"}".to_owned(),
        }
    }

    #[test]
    fn a_request_has_its_key_and_the_length_of_its_body() {
        let bytes = request().bytes("k");
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(
            head.starts_with("PATCH /public/v1/posts/7 HTTP/1.1\r\n"),
            "{head}"
        );
        assert!(head.contains("\r\nidempotency-key: key\r\n"), "{head}");
        assert!(head.contains("\r\ncontent-length: 15\r\n"), "{head}");
        assert!(head.ends_with("authorization: Bearer k"), "{head}");
        assert_eq!(body, request().json);
    }

    /// What a server reads of a request of four bytes, and how the connection ends.
    fn seen(disconnect: Disconnect) -> (Vec<u8>, Option<ErrorKind>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        begin(&client, b"abcd", disconnect).unwrap();
        let mut read = vec![0; if disconnect.is_half_sent { 2 } else { 4 }];
        server.read_exact(&mut read).unwrap();
        drop(client);
        let end = server.read(&mut [0; 8]);
        (read, end.err().map(|error| error.kind()))
    }

    #[test]
    fn a_client_leaves_half_of_a_request_and_an_orderly_end_or_a_reset() {
        let disconnect = |is_half_sent, is_reset| Disconnect {
            after: Duration::ZERO,
            is_half_sent,
            is_reset,
        };
        assert_eq!(seen(disconnect(false, false)), (b"abcd".to_vec(), None));
        let reset = Some(ErrorKind::ConnectionReset);
        assert_eq!(seen(disconnect(true, true)), (b"ab".to_vec(), reset));
    }

    #[test]
    fn clients_leave_in_every_way_and_within_thirty_milliseconds() {
        let mut chance = Chance::seeded(1);
        let all: Vec<Disconnect> = (0..200).map(|_| Disconnect::any(&mut chance)).collect();
        assert!(
            all.iter()
                .all(|one| one.after < Duration::from_micros(LONGEST_US))
        );
        let short = all
            .iter()
            .filter(|one| one.after < Duration::from_micros(SHORTEST_US));
        assert!(short.count() > 90);
        for (is_half_sent, is_reset) in [(false, false), (false, true), (true, false), (true, true)] {
            let is_it = |one: &&Disconnect| (one.is_half_sent, one.is_reset) == (is_half_sent, is_reset);
            assert!(all.iter().any(|one| is_it(&one)), "{is_half_sent} {is_reset}");
        }
    }

    #[test]
    fn every_client_that_went_away_is_counted_in_words() {
        let mut count = DisconnectCount::default();
        for _ in 0..2 {
            count += DisconnectCount {
                clients: 20,
                half_sent: 3,
                reset: 11,
            };
        }
        let text = count.to_string();
        assert!(
            ["40", "6", "22"].iter().all(|count| text.contains(count)),
            "{text}"
        );
    }
}
