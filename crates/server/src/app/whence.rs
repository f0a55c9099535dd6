//! Where a request comes from: its network, its program, and the known devices that its cookies name.

use std::net::IpAddr;

use playout_domain::id::UserId;
use playout_domain::secret::Secret;

/// The operations that begin a session.
#[derive(Debug, Clone, Default)]
pub struct Whence {
    /// The network address, where it is known.
    pub address: Option<IpAddr>,
    /// The program, as it names itself (`User-Agent`): at most 200 characters, none of them a control character.
    pub program: Option<String>,
    /// The known devices that its cookies name.
    pub devices: Vec<KnownDevice>,
}

/// The content of a device's cookie, issued or received.
#[derive(Debug, Clone)]
pub struct KnownDevice {
    /// The user who signed in there.
    pub user: UserId,
    /// `nonce.end.signature`, in hexadecimal digits.
    pub mark: Secret,
}

/// One household has a /64 of IPv6, and all of it is one address here.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            std::net::Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::network;

    #[test]
    fn a_network_is_one_address_of_version_4_and_a_64_of_version_6() {
        let network = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    }
}
