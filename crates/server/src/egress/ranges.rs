//! Which addresses are the Internet's (the special-purpose registries of IANA, RFC 6890). An address that translates or
//! embeds another one, or leads to many, does not count as public: its destination is unknown.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

/// Special IPv4 ranges.
const SPECIAL_V4: [Ipv4Net; 14] = [
    v4([0, 0, 0, 0], 8),       // this network
    v4([10, 0, 0, 0], 8),      // private
    v4([100, 64, 0, 0], 10),   // behind carriers' translators
    v4([127, 0, 0, 0], 8),     // loopback
    v4([169, 254, 0, 0], 16),  // link-local, the metadata of clouds
    v4([172, 16, 0, 0], 12),   // private
    v4([192, 0, 0, 0], 24),    // protocol assignments
    v4([192, 0, 2, 0], 24),    // documentation
    v4([192, 88, 99, 0], 24),  // 6to4 relays
    v4([192, 168, 0, 0], 16),  // private
    v4([198, 18, 0, 0], 15),   // benchmarking
    v4([198, 51, 100, 0], 24), // documentation
    v4([203, 0, 113, 0], 24),  // documentation
    v4([224, 0, 0, 0], 3),     // multicast, reserved, broadcast
];

/// All that is given out of IPv6 for single hosts.
const GLOBAL_V6: Ipv6Net = v6([0x2000, 0], 3);

/// Special ranges within it. Loopback, unique local, link-local, mapped IPv4 (`::ffff:0:0/96`) and the prefixes of NAT64
/// (`64:ff9b::/96`, `64:ff9b:1::/48`) are outside.
const SPECIAL_V6: [Ipv6Net; 4] = [
    v6([0x2001, 0], 23),      // protocol assignments: Teredo, benchmarking, ORCHID
    v6([0x2001, 0x0db8], 32), // documentation
    v6([0x2002, 0], 16),      // 6to4
    v6([0x3fff, 0], 20),      // documentation
];

/// Whether an address is the Internet's.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !SPECIAL_V4.iter().any(|range| range.contains(&address)),
        IpAddr::V6(address) => {
            GLOBAL_V6.contains(&address) && !SPECIAL_V6.iter().any(|range| range.contains(&address))
        }
    }
}

const fn v4([a, b, c, d]: [u8; 4], length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6([a, b]: [u16; 2], length: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0), length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn both_ends_of_every_special_range_are_special_and_their_neighbours_are_not() {
        for range in SPECIAL_V4 {
            assert!(
                !is_public(range.network().into()) && !is_public(range.broadcast().into()),
                "{range}"
            );
        }
        for address in [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn what_embeds_or_translates_another_address_is_not_public() {
        for address in [
            "::",
            "::1",
            "::ffff:8.8.8.8",
            "::8.8.8.8",
            "64:ff9b::808:808",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:808:808::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "2001:200::1",
            "2606:4700::1111",
            "2a00:1450::1",
            "2003::1",
            "3ffe::1",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    proptest! {
        #[test]
        fn nothing_that_the_standard_library_calls_special_is_public(bits: u32) {
            let address = Ipv4Addr::from(bits);
            let is_special = address.is_private() || address.is_loopback() || address.is_link_local()
                || address.is_broadcast() || address.is_documentation() || address.is_multicast()
                || address.is_unspecified();
            prop_assert!(!(is_special && is_public(address.into())));
        }

        #[test]
        fn no_mapped_address_is_public(bits: u32) {
            prop_assert!(!is_public(Ipv4Addr::from(bits).to_ipv6_mapped().into()));
        }

        #[test]
        fn nothing_outside_of_what_is_given_out_is_public(bits: u128) {
            let address = Ipv6Addr::from(bits);
            let is_special = address.is_loopback() || address.is_unspecified() || address.is_multicast()
                || address.segments()[0] & 0xfe00 == 0xfc00 || address.segments()[0] & 0xffc0 == 0xfe80
                || bits >> 125 != 1;
            prop_assert!(!(is_special && is_public(address.into())));
        }
    }
}
