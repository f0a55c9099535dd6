//! HTTP/1.1 over one kept connection, as little of it as measuring takes: whatever the client spends is taken from the server on a
//! small machine, so it spends next to nothing.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use crate::failure::{Doing, Failure, Outcome};

/// Nothing that is measured takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// A connection to a server.
#[derive(Debug)]
pub struct Connection {
    stream: BufReader<TcpStream>,
    authorization: String,
}

/// What a server answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// Where it sends us, if anywhere.
    pub location: Option<String>,
    /// The whole body.
    pub body: Vec<u8>,
}

/// A request.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// `GET`, `POST`, …
    pub method: &'a str,
    /// Path and query.
    pub path: &'a str,
    /// JSON, or nothing.
    pub json: &'a str,
}

impl Connection {
    /// Connects; `key` is sent as Bearer with every request, unless it is empty.
    ///
    /// # Errors
    /// When nothing listens there.
    pub fn open(address: SocketAddr, key: &str) -> Outcome<Self> {
        let stream = TcpStream::connect(address).doing(address)?;
        stream.set_nodelay(true).doing(address)?;
        stream.set_read_timeout(Some(PATIENCE)).doing(address)?;
        let authorization = if key.is_empty() {
            String::new()
        } else {
            format!("authorization: Bearer {key}\r\n")
        };
        Ok(Self {
            stream: BufReader::new(stream),
            authorization,
        })
    }

    /// Sends a request, and waits for the whole answer.
    ///
    /// # Errors
    /// When the connection breaks or what comes is not HTTP.
    pub fn send(&mut self, request: Request<'_>) -> Outcome<Answer> {
        let Request { method, path, json } = request;
        let content = if json.is_empty() {
            String::new()
        } else {
            format!(
                "content-type: application/json\r\ncontent-length: {}\r\n",
                json.len()
            )
        };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\n{}{content}\r\n{json}",
            self.authorization
        );
        self.write(head.as_bytes())
            .and_then(|()| self.answer())
            .doing(format!("{method} {path}"))
    }

    /// Sends a head and a body that is read from `parts`, without looking at it: files go straight from the page cache to the
    /// socket.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub fn send_stream(&mut self, head: &str, parts: &mut [Body<'_>]) -> Outcome<Answer> {
        let end = head.find("\r\n").unwrap_or(head.len());
        let head = format!("{head}{}\r\n", self.authorization);
        self.write(head.as_bytes())?;
        for part in parts {
            match part {
                Body::Text(text) => self.write(text.as_bytes())?,
                Body::Bytes(bytes) => self.write(bytes)?,
                Body::File(file) => {
                    std::io::copy(*file, self.stream.get_mut()).doing("sending a file")?;
                }
            }
        }
        self.answer().doing(&head[..end])
    }

    fn write(&mut self, bytes: &[u8]) -> Outcome<()> {
        self.stream.get_mut().write_all(bytes).doing("sending")
    }

    fn answer(&mut self) -> Outcome<Answer> {
        let status_line = self.line()?;
        let status = status_line.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.ok_or_else(|| Failure::new(format!("no status line: {status_line:?}")))?;
        let mut length = 0;
        let (mut is_chunked, mut location) = (false, None);
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else {
                break;
            };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().doing("content-length")?,
                "transfer-encoding" => is_chunked = value.eq_ignore_ascii_case("chunked"),
                "location" => location = Some(value.to_owned()),
                _ => {}
            }
        }
        let body = if is_chunked {
            self.chunks()?
        } else {
            self.bytes(length)?
        };
        Ok(Answer {
            status,
            location,
            body,
        })
    }

    fn chunks(&mut self) -> Outcome<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let line = self.line()?;
            let length = usize::from_str_radix(line.trim(), 16).doing("the length of a chunk")?;
            body.extend(self.bytes(length)?);
            self.line()?;
            if length == 0 {
                return Ok(body);
            }
        }
    }

    fn bytes(&mut self, length: usize) -> Outcome<Vec<u8>> {
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).doing("reading an answer")?;
        Ok(body)
    }

    fn line(&mut self) -> Outcome<String> {
        let mut line = String::new();
        match self.stream.read_line(&mut line).doing("reading an answer")? {
            0 => Err(Failure::new("the connection was closed")),
            _ => Ok(line.trim_end().to_owned()),
        }
    }
}

/// A part of a body.
#[derive(Debug)]
pub enum Body<'a> {
    /// Text, sent as it is.
    Text(String),
    /// Bytes, sent as they are.
    Bytes(&'a [u8]),
    /// A file, from where it is to its end.
    File(&'a mut std::fs::File),
}

impl Answer {
    /// The body as JSON, if the status is `expected`.
    ///
    /// # Errors
    /// When it is another status or not JSON; the failure holds the body.
    pub fn json(&self, expected: u16) -> Outcome<serde_json::Value> {
        if self.status != expected {
            return Err(Failure::new(format!(
                "status {} instead of {expected}: {}",
                self.status,
                self.text()
            )));
        }
        serde_json::from_slice(&self.body).doing(self.text())
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::thread;

    /// A server that reads one head and answers with `text`.
    fn server(text: &'static str) -> (SocketAddr, thread::JoinHandle<String>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let handle = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut head = String::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            while !head.ends_with("\r\n\r\n") {
                reader.read_line(&mut head).unwrap();
            }
            stream.write_all(text.as_bytes()).unwrap();
            head
        });
        (address, handle)
    }

    fn get(path: &str) -> Request<'_> {
        Request {
            method: "GET",
            path,
            json: "",
        }
    }

    #[test]
    fn an_answer_with_a_length_is_read() {
        let (address, server) = server("HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nhello");
        let answer = Connection::open(address, "k").unwrap().send(get("/a")).unwrap();
        assert_eq!((answer.status, answer.text().as_str()), (404, "hello"));
        let head = server.join().unwrap();
        assert!(head.starts_with("GET /a HTTP/1.1\r\n"), "{head}");
        assert!(head.contains("authorization: Bearer k\r\n"), "{head}");
    }

    #[test]
    fn an_answer_in_chunks_is_put_together() {
        let (address, _server) =
            server("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
        let answer = Connection::open(address, "").unwrap().send(get("/")).unwrap();
        assert_eq!(answer.text(), "abcde");
    }

    #[test]
    fn a_closed_connection_is_a_failure() {
        let (address, _server) = server("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc");
        assert!(Connection::open(address, "").unwrap().send(get("/")).is_err());
    }

    #[test]
    fn an_unexpected_status_shows_the_body() {
        let answer = Answer {
            status: 400,
            location: None,
            body: b"{\"code\":\"invalid_request\"}".to_vec(),
        };
        let failure = answer.json(201).unwrap_err().to_string();
        assert!(
            failure.contains("400") && failure.contains("invalid_request"),
            "{failure}"
        );
    }
}
