//! Reads a stream of server-sent events, as the HTML standard interprets it.

use std::time::Duration;

/// The most bytes of one line; an event's data is one line.
const LONGEST_LINE: usize = 4 * 1024 * 1024;

/// An event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Event {
    /// Its ID: that of the last event that had one.
    pub id: Option<String>,
    /// Such as `post.published`.
    pub name: String,
    /// Its body.
    pub data: String,
}

impl Event {
    /// The event's own ID. What follows it in `id` is for the service, when the stream is opened again.
    pub fn own_id(&self) -> Option<&str> {
        let id = self.id.as_deref()?;
        Some(id.split_once(' ').map_or(id, |(own, _)| own))
    }
}

/// What was received of the stream.
#[derive(Debug, Default)]
pub(super) struct Parser {
    line: Vec<u8>,
    /// Whether the last byte was a CR, after which a LF belongs to the same end of a line.
    after_cr: bool,
    has_begun: bool,
    last_id: Option<String>,
    name: String,
    data: Vec<String>,
    /// The wait that the stream asks for.
    pub(super) retry: Option<Duration>,
}

impl Parser {
    /// Takes a piece of the stream; returns the events that it completes.
    pub(super) fn read(&mut self, piece: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for byte in piece {
            match byte {
                b'\n' if self.after_cr => self.after_cr = false,
                b'\n' | b'\r' => {
                    self.after_cr = *byte == b'\r';
                    let line = std::mem::take(&mut self.line);
                    events.extend(self.end_line(&line));
                }
                _ => {
                    self.after_cr = false;
                    if self.line.len() < LONGEST_LINE {
                        self.line.push(*byte);
                    }
                }
            }
        }
        events
    }

    fn end_line(&mut self, line: &[u8]) -> Option<Event> {
        let text = String::from_utf8_lossy(line);
        let text = match std::mem::replace(&mut self.has_begun, true) {
            false => text.strip_prefix('\u{feff}').unwrap_or(&text),
            true => &text,
        };
        if text.is_empty() {
            return self.dispatch();
        }
        let (field, value) = text.split_once(':').unwrap_or((text, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => self.data.push(value.to_owned()),
            "id" if !value.contains('\0') => self.last_id = Some(value.to_owned()),
            "retry" => self.retry = value.parse().ok().map(Duration::from_millis).or(self.retry),
            // A comment, which keeps the connection alive, or a field of a later version.
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event> {
        let (name, data) = (std::mem::take(&mut self.name), std::mem::take(&mut self.data));
        if data.is_empty() {
            return None;
        }
        Some(Event {
            id: self.last_id.clone(),
            name: if name.is_empty() {
                "message".to_owned()
            } else {
                name
            },
            data: data.join("\n"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: Option<&str>, name: &str, data: &str) -> Event {
        Event {
            id: id.map(str::to_owned),
            name: name.to_owned(),
            data: data.to_owned(),
        }
    }

    #[test]
    fn a_stream_is_read_however_it_is_cut_into_pieces() {
        let stream = "\u{feff}: hello\r\nid: 1\r\nevent: post.published\r\ndata: {\"a\":\"ä\"}\r\n\r\n: alive\n\nretry: 2000\rdata:one\rdata: two\r\r\
                      id\ndata\n\nevent: lost\n\nevent: open\ndata: never ended\n";
        let expected = [
            event(Some("1"), "post.published", "{\"a\":\"ä\"}"),
            event(Some("1"), "message", "one\ntwo"),
            event(Some(""), "message", ""),
        ];
        for size in 1..stream.len() {
            let mut parser = Parser::default();
            let events: Vec<Event> = stream
                .as_bytes()
                .chunks(size)
                .flat_map(|piece| parser.read(piece))
                .collect();
            assert_eq!(events, expected, "in pieces of {size} bytes");
            assert_eq!(parser.retry, Some(Duration::from_secs(2)));
        }
    }
}
