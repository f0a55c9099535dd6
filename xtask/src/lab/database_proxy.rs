//! A TCP proxy between the nodes and PostgreSQL that freezes, cuts and delays single connections. A frozen statement has
//! been executed and the client does not know, or the client waits for one that has not reached the server.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::chance::Chance;
use super::connection_fault::{ConnectionFault, Direction, Effect};
use crate::failure::{Doing, Outcome};
use crate::machine::now;

/// A connection that passed bytes so recently counts as busy. Faults choose the busy ones first: most connections of a
/// pool are idle.
const BUSY_WITHIN: Duration = Duration::from_millis(300);
const BUFFER_BYTES: usize = 64 * 1024;

/// The proxy. Cheap to clone; every clone is the same proxy. It listens until the program ends.
#[derive(Debug, Clone)]
pub struct DatabaseProxy {
    /// Where it listens.
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

/// How many connections met each effect.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Affected {
    /// Frozen, including those that were cut afterwards.
    pub frozen: usize,
    /// Cut, at once or after a freeze.
    pub cut: usize,
    /// Delayed.
    pub delayed: usize,
}

#[derive(Debug)]
struct Shared {
    server: SocketAddr,
    next_id: AtomicU64,
    open: Mutex<BTreeMap<u64, Arc<Link>>>,
    frozen: AtomicUsize,
    cut: AtomicUsize,
    delayed: AtomicUsize,
}

/// One connection of a client and the one to the server that belongs to it.
#[derive(Debug)]
struct Link {
    client: TcpStream,
    server: TcpStream,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    frozen_to_server_until: Instant,
    frozen_to_client_until: Instant,
    delayed_until: Instant,
    delay: Duration,
    last_bytes: Instant,
    is_cut: bool,
}

impl DatabaseProxy {
    /// Listens on a free port and passes connections on to `server`.
    ///
    /// # Errors
    /// When there is no port.
    pub fn start(server: SocketAddr) -> Outcome<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).doing("starting the database proxy")?;
        let address = listener.local_addr().doing("starting the database proxy")?;
        let shared = Arc::new(Shared {
            server,
            next_id: AtomicU64::new(0),
            open: Mutex::default(),
            frozen: AtomicUsize::new(0),
            cut: AtomicUsize::new(0),
            delayed: AtomicUsize::new(0),
        });
        let serving = Arc::clone(&shared);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let shared = Arc::clone(&serving);
                thread::spawn(move || shared.carry(client));
            }
        });
        Ok(Self { address, shared })
    }

    /// Does `fault` to connections that are open now; returns to how many.
    pub fn apply(&self, fault: ConnectionFault) -> usize {
        let chosen = self.shared.choose(fault);
        for link in &chosen {
            self.shared.affect(link, fault.effect);
        }
        chosen.len()
    }

    /// Ends all freezes and delays. Frozen connections that were going to be cut still are.
    pub fn calm(&self) {
        for link in self.shared.open().values() {
            link.calm();
        }
    }

    /// How many connections met each effect so far.
    pub fn affected(&self) -> Affected {
        Affected {
            frozen: self.shared.frozen.load(Ordering::Relaxed),
            cut: self.shared.cut.load(Ordering::Relaxed),
            delayed: self.shared.delayed.load(Ordering::Relaxed),
        }
    }
}

impl Shared {
    fn open(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Link>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Carries bytes both ways until both sides are done. A server that cannot be reached is a connection that ends at
    /// once.
    fn carry(&self, client: TcpStream) {
        let Ok(server) = TcpStream::connect(self.server) else {
            return;
        };
        // Without it small messages wait for acknowledgements; it fails only on a connection that is gone.
        let _ = client.set_nodelay(true).and(server.set_nodelay(true));
        let link = Arc::new(Link::new(client, server));
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        self.open().insert(id, Arc::clone(&link));
        thread::scope(|scope| {
            scope.spawn(|| link.pass(Direction::ToServer));
            link.pass(Direction::ToClient);
        });
        self.open().remove(&id);
    }

    fn choose(&self, fault: ConnectionFault) -> Vec<Arc<Link>> {
        let open: Vec<Arc<Link>> = self.open().values().cloned().collect();
        let (busy, idle): (Vec<_>, Vec<_>) = open.into_iter().partition(|link| link.is_busy());
        let mut chance = Chance::seeded(fault.choice);
        let mut chosen = Vec::new();
        for mut candidates in [busy, idle] {
            while chosen.len() < fault.connections && !candidates.is_empty() {
                let index = usize::try_from(chance.below(candidates.len() as u64)).unwrap_or(0);
                chosen.push(candidates.swap_remove(index));
            }
        }
        chosen
    }

    fn affect(&self, link: &Arc<Link>, effect: Effect) {
        match effect {
            Effect::Freeze { direction, lasts } => {
                self.frozen.fetch_add(1, Ordering::Relaxed);
                link.freeze(direction, lasts);
            }
            Effect::FreezeThenCut { direction, lasts } => {
                self.frozen.fetch_add(1, Ordering::Relaxed);
                self.cut.fetch_add(1, Ordering::Relaxed);
                // Longer than until the cut, so that what is held does not pass before it.
                link.freeze(direction, lasts + Duration::from_secs(1));
                let link = Arc::clone(link);
                thread::spawn(move || {
                    thread::sleep(lasts);
                    link.cut();
                });
            }
            Effect::Cut => {
                self.cut.fetch_add(1, Ordering::Relaxed);
                link.cut();
            }
            Effect::Delay { each, lasts } => {
                self.delayed.fetch_add(1, Ordering::Relaxed);
                link.delay(each, lasts);
            }
        }
    }
}

impl Link {
    fn new(client: TcpStream, server: TcpStream) -> Self {
        let begun = now();
        let state = State {
            frozen_to_server_until: begun,
            frozen_to_client_until: begun,
            delayed_until: begun,
            delay: Duration::ZERO,
            last_bytes: begun,
            is_cut: false,
        };
        Self {
            client,
            server,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_busy(&self) -> bool {
        self.state().last_bytes.elapsed() < BUSY_WITHIN
    }

    fn freeze(&self, direction: Direction, lasts: Duration) {
        let until = now() + lasts;
        let mut state = self.state();
        if direction != Direction::ToClient {
            state.frozen_to_server_until = until;
        }
        if direction != Direction::ToServer {
            state.frozen_to_client_until = until;
        }
    }

    fn delay(&self, each: Duration, lasts: Duration) {
        let mut state = self.state();
        (state.delay, state.delayed_until) = (each, now() + lasts);
    }

    fn calm(&self) {
        let mut state = self.state();
        let now = now();
        (state.frozen_to_server_until, state.frozen_to_client_until) = (now, now);
        state.delayed_until = now;
        self.changed.notify_all();
    }

    /// Ends it in both directions; what is held here is lost.
    fn cut(&self) {
        self.state().is_cut = true;
        self.changed.notify_all();
        // Both fail only when the connection is already gone.
        let _ = self.client.shutdown(Shutdown::Both);
        let _ = self.server.shutdown(Shutdown::Both);
    }

    /// Copies in one direction until its end, and then closes that direction to the side that still reads. What a client sent
    /// before it closed still reaches the server.
    fn pass(&self, direction: Direction) {
        let (mut from, mut to) = match direction {
            Direction::ToClient => (&self.server, &self.client),
            _ => (&self.client, &self.server),
        };
        let mut buffer = vec![0; BUFFER_BYTES];
        loop {
            let count = match from.read(&mut buffer) {
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => 0,
            };
            // The end of a connection is held like its bytes.
            if !self.may_pass(direction) || count == 0 || to.write_all(&buffer[..count]).is_err() {
                break;
            }
        }
        // Both fail only when that side is already gone.
        let _ = to.shutdown(Shutdown::Write);
        let _ = from.shutdown(Shutdown::Read);
    }

    /// Waits as long as `direction` is frozen or delayed; `false` if the connection was cut.
    fn may_pass(&self, direction: Direction) -> bool {
        let mut state = self.state();
        state.last_bytes = now();
        let delayed_until = if now() < state.delayed_until {
            now() + state.delay
        } else {
            now()
        };
        loop {
            if state.is_cut {
                return false;
            }
            let frozen_until = match direction {
                Direction::ToClient => state.frozen_to_client_until,
                _ => state.frozen_to_server_until,
            };
            let left = frozen_until.max(delayed_until).saturating_duration_since(now());
            if left.is_zero() {
                return true;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that sends back what it gets, and reports it as well.
    fn echo() -> (SocketAddr, std::sync::mpsc::Receiver<Vec<u8>>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (report, reported) = std::sync::mpsc::channel();
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let report = report.clone();
                thread::spawn(move || {
                    let mut buffer = [0; 100];
                    while let Ok(count) = stream.read(&mut buffer) {
                        // The receiver is gone when the test has ended.
                        let _ = report.send(buffer[..count].to_vec());
                        if count == 0 || stream.write_all(&buffer[..count]).is_err() {
                            break;
                        }
                    }
                });
            }
        });
        (address, reported)
    }

    fn connected(proxy: &DatabaseProxy) -> TcpStream {
        let mut stream = TcpStream::connect(proxy.address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.write_all(b"hello").unwrap();
        assert_eq!(next(&mut stream), b"hello");
        stream
    }

    fn next(stream: &mut TcpStream) -> Vec<u8> {
        let mut buffer = [0; 100];
        let count = stream.read(&mut buffer).unwrap_or(0);
        buffer[..count].to_vec()
    }

    fn all(effect: Effect) -> ConnectionFault {
        ConnectionFault {
            choice: 1,
            connections: 9,
            effect,
        }
    }

    /// How long a freeze lasts: what does not wait for its end has time for it on a busy machine.
    const LASTS: Duration = Duration::from_secs(5);
    const SOON: Duration = Duration::from_millis(100);
    /// Longer than anything takes on a machine that is busy.
    const PATIENCE: Duration = Duration::from_secs(120);

    #[test]
    fn a_frozen_result_comes_late_although_the_server_had_the_statement_at_once() {
        let (server, reported) = echo();
        let proxy = DatabaseProxy::start(server).unwrap();
        let mut stream = connected(&proxy);
        assert_eq!(reported.recv().unwrap(), b"hello");
        let direction = Direction::ToClient;
        assert_eq!(
            proxy.apply(all(Effect::Freeze {
                direction,
                lasts: LASTS
            })),
            1
        );
        let begun = now();
        stream.write_all(b"statement").unwrap();
        assert_eq!(reported.recv_timeout(LASTS - SOON).unwrap(), b"statement");
        assert_eq!(next(&mut stream), b"statement");
        assert!(begun.elapsed() > LASTS - SOON);
    }

    #[test]
    fn a_frozen_statement_reaches_the_server_late_although_its_client_has_gone() {
        let (server, reported) = echo();
        let proxy = DatabaseProxy::start(server).unwrap();
        let mut stream = connected(&proxy);
        assert_eq!(reported.recv().unwrap(), b"hello");
        let direction = Direction::ToServer;
        proxy.apply(all(Effect::Freeze {
            direction,
            lasts: LASTS,
        }));
        stream.write_all(b"commit").unwrap();
        drop(stream);
        assert!(reported.recv_timeout(SOON).is_err());
        assert_eq!(reported.recv_timeout(PATIENCE).unwrap(), b"commit");
        assert_eq!(reported.recv_timeout(PATIENCE).unwrap(), b"", "and then its end");
    }

    #[test]
    fn a_connection_that_is_cut_after_a_freeze_passes_nothing_that_it_held() {
        let (server, reported) = echo();
        let proxy = DatabaseProxy::start(server).unwrap();
        let mut stream = connected(&proxy);
        assert_eq!(reported.recv().unwrap(), b"hello");
        let direction = Direction::Both;
        proxy.apply(all(Effect::FreezeThenCut {
            direction,
            lasts: SOON,
        }));
        stream.write_all(b"lost").unwrap();
        assert_eq!(next(&mut stream), b"");
        assert_eq!(reported.recv_timeout(PATIENCE).unwrap(), b"", "its end alone");
        let affected = Affected {
            frozen: 1,
            cut: 1,
            delayed: 0,
        };
        assert_eq!(proxy.affected(), affected);
    }

    #[test]
    fn a_cut_ends_as_many_connections_as_it_is_to_and_the_others_go_on() {
        let (server, _reported) = echo();
        let proxy = DatabaseProxy::start(server).unwrap();
        let mut streams = [connected(&proxy), connected(&proxy), connected(&proxy)];
        let fault = ConnectionFault {
            connections: 2,
            ..all(Effect::Cut)
        };
        assert_eq!(proxy.apply(fault), 2);
        let living = streams.iter_mut().filter_map(|stream| {
            stream.write_all(b"still").ok()?;
            (next(stream) == b"still").then_some(())
        });
        assert_eq!(living.count(), 1);
    }

    #[test]
    fn a_delayed_connection_passes_everything_later_until_all_is_calm() {
        let (server, _reported) = echo();
        let proxy = DatabaseProxy::start(server).unwrap();
        let mut stream = connected(&proxy);
        let (each, lasts) = (LASTS / 2, LASTS * 100);
        proxy.apply(all(Effect::Delay { each, lasts }));
        let begun = now();
        stream.write_all(b"slow").unwrap();
        assert_eq!(next(&mut stream), b"slow");
        assert!(begun.elapsed() > each * 2 - SOON, "once in each direction");
        proxy.calm();
        let begun = now();
        stream.write_all(b"fast").unwrap();
        assert_eq!(next(&mut stream), b"fast");
        assert!(begun.elapsed() < each, "{:?}", begun.elapsed());
    }

    #[test]
    fn a_server_that_is_away_ends_connections_and_is_found_when_it_is_back() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let proxy = DatabaseProxy::start(address).unwrap();
        assert_eq!(next(&mut TcpStream::connect(proxy.address).unwrap()), b"");
        let listener = TcpListener::bind(address).unwrap();
        let mut client = TcpStream::connect(proxy.address).unwrap();
        listener.accept().unwrap().0.write_all(b"back").unwrap();
        assert_eq!(next(&mut client), b"back");
    }
}
