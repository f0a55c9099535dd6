//! Where the requests of an HTTP/1.1 connection begin and end, so that a proxy can answer some of them itself. The bytes of all others
//! are forwarded unchanged: a signature covers them.

/// What a storage answers when it gets too many requests (Amazon S3, "Error responses").
const SLOW_DOWN: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>SlowDown</Code>\
    <Message>Please reduce your request rate.</Message></Error>";
/// No head of a client is longer; what has no end by then is no HTTP.
const LONGEST_HEAD: usize = 64 * 1024;

/// The requests of one connection. A client that sends the next one before it has the response to the last is not supported.
#[derive(Debug, Default)]
pub(super) struct Requests {
    at: At,
}

/// What came next on a connection.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Taken {
    /// What the server gets.
    pub(super) forward: Vec<u8>,
    /// What the client gets instead, for each request that ended here and is not for the server.
    pub(super) answers: Vec<String>,
}

#[derive(Debug)]
enum At {
    /// The head, as far as it has come.
    Head(Vec<u8>),
    /// The body, of which so many bytes are missing.
    Body { left: u64, refusal: Option<String> },
    /// Something that this module cannot follow, such as a chunked body.
    Unknown,
}

impl Default for At {
    fn default() -> Self {
        Self::Head(Vec::new())
    }
}

impl Requests {
    /// Takes what the client sent. Requests whose head ends in `bytes` are kept from the server if `is_refusing`.
    pub(super) fn take(&mut self, mut bytes: &[u8], is_refusing: bool) -> Taken {
        let mut taken = Taken::default();
        while !bytes.is_empty() {
            match &mut self.at {
                At::Unknown => {
                    taken.forward.extend_from_slice(bytes);
                    return taken;
                }
                At::Head(head) => {
                    let already = head.len();
                    head.extend_from_slice(bytes);
                    let Some(end) = end_of_head(head, already) else {
                        if head.len() > LONGEST_HEAD {
                            taken.forward.append(head);
                            self.at = At::Unknown;
                        }
                        return taken;
                    };
                    bytes = &bytes[end - already..];
                    head.truncate(end);
                    let head = std::mem::take(head);
                    self.begin_body(&head, is_refusing, &mut taken);
                }
                At::Body { left, refusal } => {
                    let count = usize::try_from(*left).map_or(bytes.len(), |left| left.min(bytes.len()));
                    if refusal.is_none() {
                        taken.forward.extend_from_slice(&bytes[..count]);
                    }
                    *left -= count as u64;
                    bytes = &bytes[count..];
                }
            }
            self.end_body(&mut taken);
        }
        taken
    }

    fn begin_body(&mut self, head: &[u8], is_refusing: bool, taken: &mut Taken) {
        let text = String::from_utf8_lossy(head).to_ascii_lowercase();
        let left = content_length(&text);
        let refusal = (is_refusing && left.is_some()).then(|| answer(text.starts_with("head ")));
        if refusal.is_none() {
            taken.forward.extend_from_slice(head);
        }
        self.at = match left {
            Some(left) => At::Body { left, refusal },
            None => At::Unknown,
        };
    }

    /// The next request begins where a body has ended.
    fn end_body(&mut self, taken: &mut Taken) {
        if let At::Body { left: 0, refusal } = &mut self.at {
            taken.answers.extend(refusal.take());
            self.at = At::default();
        }
    }
}

/// How long the head is, with its empty line. Only what came after the first `already` bytes can hold its end.
fn end_of_head(head: &[u8], already: usize) -> Option<usize> {
    let from = already.saturating_sub(3);
    let found = head[from..].windows(4).position(|four| four == b"\r\n\r\n")?;
    Some(from + found + 4)
}

/// The length of the body of a request, by its head in lower case. `None`: the head does not name it.
fn content_length(head: &str) -> Option<u64> {
    let mut fields = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    if fields.clone().any(|(name, _)| name == "transfer-encoding") {
        return None;
    }
    match fields.find(|(name, _)| *name == "content-length") {
        Some((_, value)) => value.trim().parse().ok(),
        None => Some(0),
    }
}

/// A response to HEAD has no body.
fn answer(is_head: bool) -> String {
    let body = if is_head { "" } else { SLOW_DOWN };
    format!(
        "HTTP/1.1 503 Slow Down\r\ncontent-type: application/xml\r\ncontent-length: {}\r\n\r\n{body}",
        SLOW_DOWN.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUT: &[u8] = b"PUT /media/a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
    const GET: &[u8] = b"GET /media/a HTTP/1.1\r\nHost: x\r\n\r\n";

    fn forwarded(bytes: &[u8], piece: usize) -> Vec<u8> {
        let mut requests = Requests::default();
        let pieces = bytes.chunks(piece).map(|piece| requests.take(piece, false));
        pieces
            .inspect(|taken| assert_eq!(taken.answers, [""; 0]))
            .flat_map(|taken| taken.forward)
            .collect()
    }

    #[test]
    fn forwards_every_byte_however_the_requests_are_cut() {
        let bytes = [PUT, GET, PUT].concat();
        for piece in 1..bytes.len() {
            assert_eq!(forwarded(&bytes, piece), bytes, "{piece}");
        }
    }

    #[test]
    fn answers_a_refused_request_after_its_body_and_forwards_the_next() {
        let mut requests = Requests::default();
        let (head, body) = PUT.split_at(PUT.len() - 3);
        assert_eq!(requests.take(head, true), Taken::default());
        let taken = requests.take(body, true);
        assert!(taken.forward.is_empty());
        assert_eq!(taken.answers.len(), 1);
        let (_, sent) = taken.answers[0].split_once("\r\n\r\n").unwrap();
        assert!(taken.answers[0].starts_with("HTTP/1.1 503 Slow Down\r\n"));
        assert_eq!(sent, SLOW_DOWN);
        assert_eq!(requests.take(GET, false).forward, GET);
    }

    #[test]
    fn a_request_that_began_before_the_refusals_is_forwarded_to_its_end() {
        let mut requests = Requests::default();
        let (head, body) = PUT.split_at(PUT.len() - 3);
        assert_eq!(requests.take(head, false).forward, head);
        assert_eq!(requests.take(body, true).forward, body);
        let taken = requests.take(GET, true);
        assert_eq!((taken.forward.len(), taken.answers.len()), (0, 1));
    }

    #[test]
    fn a_refused_head_request_gets_no_body() {
        let taken = Requests::default().take(b"HEAD /media/a HTTP/1.1\r\n\r\n", true);
        assert!(taken.answers[0].ends_with("\r\n\r\n"), "{:?}", taken.answers);
    }

    #[test]
    fn a_chunked_body_is_forwarded_as_it_is() {
        let bytes = b"PUT /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n";
        assert_eq!(Requests::default().take(bytes, true).forward, bytes);
    }
}
