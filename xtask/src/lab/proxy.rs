//! One address for several nodes: hands each connection to a node that takes it, as a load balancer does, and waits a
//! while when there is none. So the provider can fetch media although the process that sent it the address has ended.

use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::failure::{Doing, Outcome};
use crate::machine::now;

/// How long a connection waits for a node to come up.
const PATIENCE: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(5);

/// The address, and the nodes behind it.
#[derive(Debug, Clone)]
pub struct Proxy {
    /// Where it listens, until the program ends.
    pub address: SocketAddr,
    nodes: Arc<Mutex<Vec<SocketAddr>>>,
    turn: Arc<AtomicUsize>,
}

impl Proxy {
    /// Listens on a free port, with no node behind it.
    ///
    /// # Errors
    /// When there is no port.
    pub fn start() -> Outcome<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).doing("starting a proxy")?;
        let address = listener.local_addr().doing("starting a proxy")?;
        let proxy = Self {
            address,
            nodes: Arc::default(),
            turn: Arc::default(),
        };
        let serving = proxy.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let proxy = serving.clone();
                thread::spawn(move || proxy.carry(&client));
            }
        });
        Ok(proxy)
    }

    /// Puts a node behind it.
    pub fn add(&self, node: SocketAddr) {
        self.nodes().push(node);
    }

    /// Takes a node away; what it is at goes on.
    pub fn remove(&self, node: SocketAddr) {
        self.nodes().retain(|known| *known != node);
    }

    fn nodes(&self) -> MutexGuard<'_, Vec<SocketAddr>> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Carries bytes both ways until either side is done. An error on either is passed on by closing.
    fn carry(&self, client: &TcpStream) {
        let Some(node) = self.connect() else { return };
        thread::scope(|scope| {
            scope.spawn(|| pass(client, &node));
            pass(&node, client);
        });
    }

    /// A connection to a running node, in turns. `None`: there was none for a while.
    pub fn connect(&self) -> Option<TcpStream> {
        self.connect_to_other(None).map(|(_, stream)| stream)
    }

    /// A connection to a running node, in turns, and to `last` only if no other runs. `None`: there was none for a while.
    pub fn connect_to_other(&self, last: Option<SocketAddr>) -> Option<(SocketAddr, TcpStream)> {
        let began = now();
        while began.elapsed() < PATIENCE {
            let mut nodes = self.addresses();
            let turn = self.turn.fetch_add(1, Ordering::Relaxed);
            let first = turn.checked_rem(nodes.len()).unwrap_or(0);
            nodes.rotate_left(first);
            nodes.sort_by_key(|node| Some(*node) == last);
            let connected = |node: &SocketAddr| Some((*node, TcpStream::connect(node).ok()?));
            if let Some(connected) = nodes.iter().find_map(connected) {
                return Some(connected);
            }
            thread::sleep(PAUSE);
        }
        None
    }

    /// The nodes behind it.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes().clone()
    }
}

/// Copies until the end, then shuts down this direction on both sides.
fn pass(mut from: &TcpStream, mut to: &TcpStream) {
    // Whatever went wrong, the other side sees a connection that ends.
    let ended = std::io::copy(&mut from, &mut to);
    let how = if ended.is_ok() {
        Shutdown::Write
    } else {
        Shutdown::Both
    };
    let _ = to.shutdown(how);
    let _ = from.shutdown(Shutdown::Read);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    /// A node that answers each connection with its name and closes.
    fn node(name: &'static str) -> SocketAddr {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                stream.write_all(name.as_bytes()).unwrap();
            }
        });
        address
    }

    fn heard(proxy: &Proxy) -> String {
        let mut text = String::new();
        TcpStream::connect(proxy.address)
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        text
    }

    #[test]
    fn nodes_take_turns_and_dead_ones_are_passed_over() {
        let proxy = Proxy::start().unwrap();
        let (one, two) = (node("one"), node("two"));
        proxy.add(one);
        proxy.add(two);
        let mut both = [heard(&proxy), heard(&proxy)];
        both.sort();
        assert_eq!(both, ["one", "two"]);
        proxy.remove(two);
        let dead = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap();
        proxy.add(dead);
        assert_eq!([heard(&proxy), heard(&proxy)], ["one", "one"]);
    }

    #[test]
    fn a_client_moves_to_another_node_and_stays_where_there_is_none() {
        let proxy = Proxy::start().unwrap();
        let (one, two) = (node("one"), node("two"));
        proxy.add(one);
        proxy.add(two);
        for (last, next) in [(one, two), (two, one), (one, two)] {
            assert_eq!(proxy.connect_to_other(Some(last)).unwrap().0, next);
        }
        proxy.remove(two);
        assert_eq!(proxy.connect_to_other(Some(one)).unwrap().0, one);
    }

    #[test]
    fn a_connection_waits_for_a_node_to_come_up() {
        let proxy = Proxy::start().unwrap();
        let waiting = {
            let proxy = proxy.clone();
            thread::spawn(move || heard(&proxy))
        };
        thread::sleep(Duration::from_millis(30));
        proxy.add(node("late"));
        assert_eq!(waiting.join().unwrap(), "late");
    }
}
