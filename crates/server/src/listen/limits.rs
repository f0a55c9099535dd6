//! What clients may take of connections and time.

use std::time::Duration;

use ipnet::IpNet;

use super::descriptors;
use crate::concurrency::slots::most_descriptors;
use crate::config::Config;

/// What clients may take of connections and time: `docs/security.md` lists the limits.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Connections in all.
    pub connections: usize,
    /// Connections of one client address, or one /64 network of IPv6.
    pub per_address: usize,
    /// Whose connections are not counted by address.
    pub exempt: Vec<IpNet>,
    /// From the first byte of a head, or the start of a connection, to its last.
    pub head: Duration,
    /// From a response to the first byte of the next request.
    pub idle: Duration,
    /// How long a client may be waited for while it moves less than 1 KiB of a body or a response.
    pub stall: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096,
            per_address: 128,
            exempt: Vec::new(),
            head: Duration::from_secs(15),
            idle: Duration::from_secs(75),
            stall: Duration::from_secs(15),
        }
    }
}

impl Limits {
    /// The configured limits, as far as descriptors allow.
    pub fn of(config: &Config) -> Self {
        Self {
            connections: descriptors::affordable(
                config.max_connections,
                most_descriptors(config.worker_concurrency),
            ),
            per_address: config.connections_per_address,
            exempt: config.connections_exempt.clone(),
            ..Self::default()
        }
    }
}
