//! A TCP proxy between the nodes and a server, PostgreSQL or a bucket, that freezes, cuts and delays connections. A frozen statement has
//! been executed and the client does not know, or the client waits for one that has not reached the server. Bytes are forwarded
//! unchanged.

pub mod counts;
pub mod link;
mod requests;

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::bucket_fault::{BucketEffect, BucketFault};
use super::chance::Chance;
use super::connection_fault::{ConnectionFault, Direction, Effect};
use crate::failure::{Doing, Outcome};
use crate::machine::now;
use counts::{Affected, Counts, add};
use link::{Link, Protocol};

/// The proxy. Cheap to clone; every clone is the same proxy. It listens until the program ends.
#[derive(Debug, Clone)]
pub struct FaultProxy {
    /// Where it listens.
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    server: SocketAddr,
    protocol: Protocol,
    next_id: AtomicU64,
    connections: Mutex<Connections>,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Connections {
    open: BTreeMap<u64, Arc<Link>>,
    /// Faults that connections meet also when they are opened, and until when.
    lasting: Vec<(BucketFault, Instant)>,
}

impl FaultProxy {
    /// Listens on a free port and passes connections on to `server`.
    ///
    /// # Errors
    /// When there is no port.
    pub fn start(server: SocketAddr, protocol: Protocol) -> Outcome<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).doing("starting a proxy with faults")?;
        let address = listener.local_addr().doing("starting a proxy with faults")?;
        let shared = Arc::new(Shared {
            server,
            protocol,
            next_id: AtomicU64::new(0),
            connections: Mutex::default(),
            counts: Arc::default(),
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

    /// Does `fault` to some of the connections that are open now; returns to how many.
    pub fn apply(&self, fault: ConnectionFault) -> usize {
        let chosen = self.shared.choose(fault);
        for link in &chosen {
            self.shared.affect(link, fault.effect);
        }
        chosen.len()
    }

    /// Does `fault` to all connections, those too that are opened while it lasts; returns how many are open.
    pub fn apply_to_all(&self, fault: BucketFault) -> usize {
        let mut connections = self.shared.connections();
        connections.lasting.push((fault, now() + fault.lasts));
        for (id, link) in &connections.open {
            self.shared.affect_by_bucket(*id, link, fault);
        }
        connections.open.len()
    }

    /// Ends all faults. Frozen connections that were going to be cut still are.
    pub fn calm(&self) {
        let mut connections = self.shared.connections();
        connections.lasting.clear();
        for link in connections.open.values() {
            link.calm();
        }
    }

    /// How many connections and requests met each effect so far.
    pub fn affected(&self) -> Affected {
        self.shared.counts.read()
    }
}

impl Shared {
    fn connections(&self) -> MutexGuard<'_, Connections> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Carries bytes both ways until both sides are done. A server that cannot be reached is a connection that ends at
    /// once.
    fn carry(&self, client: TcpStream) {
        let Ok(server) = TcpStream::connect(self.server) else {
            return;
        };
        // Without it small messages wait for acknowledgements; it fails only on a connection that is gone.
        let _ = client.set_nodelay(true).and(server.set_nodelay(true));
        let link = Arc::new(Link::new(client, server, self.protocol, Arc::clone(&self.counts)));
        let id = self.open(&link);
        thread::scope(|scope| {
            scope.spawn(|| link.pass(Direction::ToServer));
            link.pass(Direction::ToClient);
        });
        self.connections().open.remove(&id);
    }

    /// Adds a connection, which meets the faults that last.
    fn open(&self, link: &Arc<Link>) -> u64 {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let mut connections = self.connections();
        connections.lasting.retain(|(_, until)| now() < *until);
        for (fault, until) in &connections.lasting {
            let lasts = until.saturating_duration_since(now());
            self.affect_by_bucket(id, link, BucketFault { lasts, ..*fault });
        }
        connections.open.insert(id, Arc::clone(link));
        id
    }

    fn choose(&self, fault: ConnectionFault) -> Vec<Arc<Link>> {
        let open: Vec<Arc<Link>> = self.connections().open.values().cloned().collect();
        // Most connections of a pool are idle.
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
                add(&self.counts.frozen);
                link.freeze(direction, lasts);
            }
            Effect::FreezeThenCut { direction, lasts } => {
                add(&self.counts.frozen);
                add(&self.counts.cut);
                // Longer than until the cut, so that what is held does not pass before it.
                link.freeze(direction, lasts + Duration::from_secs(1));
                let link = Arc::clone(link);
                thread::spawn(move || {
                    thread::sleep(lasts);
                    link.cut();
                });
            }
            Effect::Cut => {
                add(&self.counts.cut);
                link.cut();
            }
            Effect::Delay { each, lasts } => {
                add(&self.counts.delayed);
                link.delay(each, lasts);
            }
        }
    }

    fn affect_by_bucket(&self, id: u64, link: &Link, fault: BucketFault) {
        match fault.effect {
            BucketEffect::Slow { each } => {
                add(&self.counts.delayed);
                link.delay(each, fault.lasts);
            }
            BucketEffect::Cut => link.cut_within(fault.bytes_before_cut(id), fault.lasts),
            BucketEffect::Refuse => link.refuse(fault.lasts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

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

    fn started(server: SocketAddr) -> Outcome<FaultProxy> {
        FaultProxy::start(server, Protocol::Opaque)
    }

    fn connected(proxy: &FaultProxy) -> TcpStream {
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
        let proxy = started(server).unwrap();
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
        let proxy = started(server).unwrap();
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
        let proxy = started(server).unwrap();
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
            ..Affected::default()
        };
        assert_eq!(proxy.affected(), affected);
    }

    #[test]
    fn a_cut_ends_as_many_connections_as_it_is_to_and_the_others_go_on() {
        let (server, _reported) = echo();
        let proxy = started(server).unwrap();
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
        let proxy = started(server).unwrap();
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
        let proxy = started(address).unwrap();
        assert_eq!(next(&mut TcpStream::connect(proxy.address).unwrap()), b"");
        let listener = TcpListener::bind(address).unwrap();
        let mut client = TcpStream::connect(proxy.address).unwrap();
        listener.accept().unwrap().0.write_all(b"back").unwrap();
        assert_eq!(next(&mut client), b"back");
    }

    fn of_a_bucket(effect: BucketEffect) -> BucketFault {
        BucketFault {
            choice: 1,
            lasts: LASTS * 100,
            effect,
        }
    }

    #[test]
    fn a_bucket_that_is_cut_ends_open_and_new_connections_in_the_middle_until_all_is_calm() {
        let (server, reported) = echo();
        let proxy = started(server).unwrap();
        let mut open = connected(&proxy);
        assert_eq!(proxy.apply_to_all(of_a_bucket(BucketEffect::Cut)), 1);
        let mut new = TcpStream::connect(proxy.address).unwrap();
        for stream in [&mut open, &mut new] {
            let mut read = 0;
            let message = vec![7; 100];
            // Both end, the one or the other by an error.
            while stream.write_all(&message).is_ok() {
                match next(stream).len() {
                    0 => break,
                    count => read += count,
                }
            }
            assert!(read < crate::lab::bucket_fault::MOST_BEFORE_CUT, "{read}");
        }
        assert_eq!(proxy.affected().cut, 2);
        proxy.calm();
        // Fails unless it is carried.
        connected(&proxy);
        drop(reported);
    }

    #[test]
    fn a_bucket_that_refuses_answers_on_open_and_new_connections_until_all_is_calm() {
        let (server, reported) = echo();
        let proxy = FaultProxy::start(server, Protocol::Http).unwrap();
        let get = b"GET / HTTP/1.1\r\n\r\n";
        let ask = |stream: &mut TcpStream| {
            stream.write_all(get).unwrap();
            next(stream)
        };
        let mut open = TcpStream::connect(proxy.address).unwrap();
        assert_eq!(ask(&mut open), get);
        proxy.apply_to_all(of_a_bucket(BucketEffect::Refuse));
        let mut new = TcpStream::connect(proxy.address).unwrap();
        for stream in [&mut open, &mut new] {
            assert!(ask(stream).starts_with(b"HTTP/1.1 503 "));
        }
        proxy.calm();
        // The rest of the last response is still there.
        while next(&mut open).len() == 100 {}
        assert_eq!(ask(&mut open), get);
        assert_eq!(proxy.affected().refused, 2);
        assert_eq!(reported.iter().take(2).collect::<Vec<_>>(), [get, get]);
    }
}
