//! Clients that hold connections: they send a request byte by byte, or do not read the answer.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use socket2::{Domain, Socket, Type};

use crate::failure::{Doing, Failure, Outcome};
use crate::machine::now;

/// How often all connections are looked at.
const ROUND: Duration = Duration::from_millis(100);
/// How often one that trickles sends its next byte.
const TRICKLE: Duration = Duration::from_secs(3);
/// How soon one that was closed comes back.
const AGAIN: Duration = Duration::from_secs(1);
/// How long connecting may take.
const PATIENCE: Duration = Duration::from_millis(200);

/// A way to hold a connection.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// A head of which a byte comes now and then.
    Head,
    /// A body of which a byte comes now and then.
    Body,
    /// A request whose answer is not read.
    Unread,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Head, Self::Body, Self::Unread];

    fn begins_with(self) -> &'static [u8] {
        match self {
            Self::Head => b"GET /healthz HTTP/1.1\r\nHost: playout\r\nA: ",
            Self::Body => b"POST /webhooks/tiktok HTTP/1.1\r\nHost: playout\r\nContent-Length: 60000\r\n\r\n",
            Self::Unread => b"GET /openapi.json HTTP/1.1\r\nHost: playout\r\n\r\nGET /openapi.json HTTP/1.1\r\nHost: playout\r\n\r\n",
        }
    }
}

struct Client {
    kind: Kind,
    stream: Option<Kept>,
    next: Instant,
}

/// A connection.
#[derive(Debug)]
pub struct Kept(pub TcpStream);

impl Kept {
    /// Sends all of it.
    ///
    /// # Errors
    /// When the connection is closed.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    /// Everything that comes until the end.
    ///
    /// # Errors
    /// When the connection breaks.
    pub fn read_to_end(&mut self) -> io::Result<Vec<u8>> {
        let mut answer = Vec::new();
        self.0.read_to_end(&mut answer)?;
        Ok(answer)
    }
}

/// Holds `COUNT` connections to `ADDRESS` from `SOURCE`, and opens again what is closed, until it is killed.
///
/// # Errors
/// When the arguments are not those.
pub fn run(arguments: &[String]) -> Outcome<()> {
    let [address, source, count] = arguments else {
        return Err(Failure::new("which address, source and count?"));
    };
    let address: SocketAddr = address.parse().doing("the address")?;
    let source: IpAddr = source.parse().doing("the source")?;
    let count: usize = count.parse().doing("the count")?;
    let mut clients: Vec<Client> = Kind::ALL.into_iter().cycle().take(count).map(idle).collect();
    loop {
        for client in &mut clients {
            client.go_on(address, source);
        }
        thread::sleep(ROUND);
    }
}

fn idle(kind: Kind) -> Client {
    Client {
        kind,
        stream: None,
        next: now(),
    }
}

impl Client {
    fn go_on(&mut self, address: SocketAddr, source: IpAddr) {
        let is_due = now() >= self.next;
        if self
            .stream
            .as_ref()
            .is_some_and(|stream| !is_open(stream, self.kind))
        {
            self.stream = None;
            self.next = now() + AGAIN;
            return;
        }
        match &mut self.stream {
            Some(stream) if is_due => {
                self.next = now() + TRICKLE;
                if !matches!(self.kind, Kind::Unread) {
                    // What was closed is found the next time.
                    let _ = stream.send(b"a");
                }
            }
            None if is_due => {
                self.next = now() + TRICKLE;
                self.stream = begin(self.kind, address, source).ok();
            }
            _ => {}
        }
    }
}

fn begin(kind: Kind, address: SocketAddr, source: IpAddr) -> Outcome<Kept> {
    let mut stream = Kept(connect(address, source, PATIENCE)?);
    stream.send(kind.begins_with()).doing("beginning")?;
    stream.0.set_nonblocking(true).doing("beginning")?;
    Ok(stream)
}

/// Whether the server has not closed it. An answer that is not to be read is looked at, but left where it is.
fn is_open(stream: &Kept, kind: Kind) -> bool {
    let mut piece = [0; 512];
    let read = match kind {
        Kind::Unread => stream.0.peek(&mut piece[..1]),
        Kind::Head | Kind::Body => (&stream.0).read(&mut piece),
    };
    match read {
        Ok(bytes) => bytes > 0,
        Err(error) => error.kind() == ErrorKind::WouldBlock,
    }
}

/// Connects from one of this machine's addresses.
///
/// # Errors
/// When the server does not take it in time.
pub fn connect(address: SocketAddr, source: IpAddr, patience: Duration) -> Outcome<TcpStream> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None).doing("a socket")?;
    // What is unread is to fill up soon.
    socket.set_recv_buffer_size(16 << 10).doing("a socket")?;
    socket.bind(&SocketAddr::new(source, 0).into()).doing(source)?;
    socket.connect_timeout(&address.into(), patience).doing(address)?;
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(patience)).doing(address)?;
    stream.set_write_timeout(Some(patience)).doing(address)?;
    Ok(stream)
}
