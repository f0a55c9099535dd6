//! HAProxy in front of the nodes, with the settings of `docs/nodes.md`.

use std::fmt::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use crate::bench::process::Process;
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{free_port, program};

/// A running balancer. It ends when dropped.
#[derive(Debug)]
pub(super) struct Balancer {
    /// Where it listens.
    pub(super) address: SocketAddr,
    _process: Process,
}

impl Balancer {
    /// Starts one in front of these nodes, which need not run yet.
    ///
    /// # Errors
    /// When it is not installed or does not start.
    pub(super) fn start(nodes: &[SocketAddr], folder: &Path) -> Outcome<Self> {
        let haproxy = program("haproxy").ok_or_else(|| Failure::new("haproxy is missing"))?;
        std::fs::create_dir_all(folder).doing(folder.display())?;
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        let config = folder.join("haproxy.cfg");
        std::fs::write(&config, settings(address, nodes)).doing(config.display())?;
        let mut command = Command::new(haproxy);
        command.arg("-db").arg("-f").arg(&config);
        let process = Process::start(&mut command, &folder.join("haproxy.log"))?;
        Ok(Self {
            address,
            _process: process,
        })
    }
}

/// A request goes to a node that is ready. One that could not be sent, or that a node rejects as not ready, goes to another; nothing else is
/// sent twice, and nothing at all of what creates.
fn settings(address: SocketAddr, nodes: &[SocketAddr]) -> String {
    let mut text = format!(
        "global\n    maxconn 2000\n    log stdout format raw local0\n\ndefaults\n    mode http\n    log global\n    option httplog\n    option http-server-close\n    timeout check 2s\n    timeout connect 2s\n    timeout client 1h\n    timeout server 1h\n    \
         timeout http-keep-alive 60s\n    retries 3\n    retry-on conn-failure 503\n    option redispatch 1\n\nlisten playout\n    \
         bind {address}\n    balance roundrobin\n    http-request disable-l7-retry if {{ method POST PATCH }}\n    option httpchk GET /readyz\n    http-request del-header X-Forwarded-For\n    option forwardfor\n    \
         default-server check inter 300ms fall 2 rise 1\n"
    );
    for (number, node) in nodes.iter().enumerate() {
        // Writing to a text does not fail.
        let _ = writeln!(text, "    server node{number} {node}");
    }
    text
}
