//! Owns which addresses we are willing to call: only what anybody on the public internet could reach as well.
//!
//! Two gates use it: the address as it is written ([`check`], for the request and for each redirect) and every address a name
//! resolves to ([`is_public`], inside the resolver). Both are needed: an HTTP client never asks its resolver about an address
//! that is written out in numbers.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::{Host, Url};

/// The ports that web sites use.
const PORTS: [u16; 4] = [80, 443, 8080, 8443];

/// Endings of names that belong to private networks.
const PRIVATE_SUFFIXES: [&str; 10] = [
    "localhost",
    "local",
    "internal",
    "localdomain",
    "home.arpa",
    "svc",
    "cluster.local",
    "lan",
    "corp",
    "onion",
];

/// Why an address is not called. Its words are meant for the person who sent the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The address cannot be parsed.
    Malformed,
    /// Neither http nor https.
    Scheme,
    /// It carries a user name or a password.
    UserInformation,
    /// A port on which web sites are not expected.
    Port,
    /// A host inside some private network, or the machine itself.
    Private,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "the address is not a valid web address",
            Self::Scheme => "the address must begin with http:// or https://",
            Self::UserInformation => {
                "the address contains a user name or a password; remove it and send a public address"
            }
            Self::Port => "the address names a port other than 80, 443, 8080 and 8443",
            Self::Private => {
                "the address is not on the public internet; send the content as a file or as text instead"
            }
        })
    }
}

/// Refuses an address that is blocked or malformed as it is written, before anything is charged (decision 20). The message is
/// for the user.
///
/// # Errors
/// What is wrong with the address.
pub fn refuse_literal(address: &str, allow_private: bool) -> Result<(), String> {
    Url::parse(address.trim())
        .map_err(|_| Refusal::Malformed)
        .and_then(|url| check(&url, allow_private))
        .map_err(|refusal| refusal.to_string())
}

/// Checks what can be told from the address alone. `allow_private` admits every host and every port.
///
/// # Errors
/// The first reason against calling it.
pub fn check(url: &Url, allow_private: bool) -> Result<(), Refusal> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Refusal::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Refusal::UserInformation);
    }
    let host = url.host().ok_or(Refusal::Malformed)?;
    if allow_private {
        return Ok(());
    }
    let public = match host {
        Host::Ipv4(address) => is_public(address.into()),
        Host::Ipv6(address) => is_public(address.into()),
        Host::Domain(name) => is_public_name(name),
    };
    if !public {
        return Err(Refusal::Private);
    }
    match url.port_or_known_default() {
        Some(port) if PORTS.contains(&port) => Ok(()),
        _ => Err(Refusal::Port),
    }
}

/// Whether a name could belong to a public site. The URL parser has already lowered its case and decoded it.
fn is_public_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name.contains('.')
        && !name.ends_with('.')
        && !PRIVATE_SUFFIXES.iter().any(|suffix| {
            name.strip_suffix(suffix)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        })
}

/// Whether an address is publicly routable (decision 53).
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, d] = address.octets();
    !matches!(
        (a, b, c, d),
        (0 | 10 | 127, ..)              // this network, private, loopback
            | (100, 64..=127, ..)       // shared address space; Alibaba's metadata at 100.100.100.200
            | (169, 254, ..)            // link-local; most clouds' metadata at 169.254.169.254
            | (172, 16..=31, ..)        // private
            | (192, 0, 0, _)            // protocol assignments; Oracle's metadata at 192.0.0.192
            | (192, 0, 2, _)            // documentation
            | (192, 88, 99, _)          // 6to4 relays
            | (192, 168, ..)            // private
            | (198, 18..=19, ..)        // benchmarking
            | (198, 51, 100, _)         // documentation
            | (203, 0, 113, _)          // documentation
            | (168, 63, 129, 16)        // Azure's metadata, in the middle of a public range
            | (224.., ..) // multicast, reserved, broadcast
    )
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let s = address.segments();
    let embedded = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match s {
        // IPv4 in another spelling (mapped) or behind a translator (NAT64, with its well-known prefix) is as public as it is in IPv4.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            embedded(high, low)
        }
        // 6to4 carries the IPv4 address of its gateway.
        [0x2002, high, low, ..] => embedded(high, low),
        // Protocol assignments: Teredo, benchmarking, ORCHID and their kin.
        [0x2001, 0..=0x1ff, ..] => false,
        // Documentation.
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => false,
        // Global unicast. All else is loopback, unspecified, IPv4-compatible or -translated, local NAT64, discard, segment
        // routing, unique local, link-local, site-local or multicast.
        [0x2000..=0x3fff, ..] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn public(address: &str) -> bool {
        is_public(address.parse().unwrap())
    }

    fn checked(address: &str) -> Result<(), Refusal> {
        check(&Url::parse(address).unwrap(), false)
    }

    /// A blocked range, and the public addresses next to it: first, last, the one before, the one after; `-` where that is not public either.
    const RANGES: &str = "
        0.0.0.0        0.255.255.255    -                1.0.0.0
        10.0.0.0       10.255.255.255   9.255.255.255    11.0.0.0
        100.64.0.0     100.127.255.255  100.63.255.255   100.128.0.0
        127.0.0.0      127.255.255.255  126.255.255.255  128.0.0.0
        169.254.0.0    169.254.255.255  169.253.255.255  169.255.0.0
        172.16.0.0     172.31.255.255   172.15.255.255   172.32.0.0
        192.0.0.0      192.0.0.255      191.255.255.255  192.0.1.0
        192.0.2.0      192.0.2.255      192.0.1.255      192.0.3.0
        192.88.99.0    192.88.99.255    192.88.98.255    192.88.100.0
        192.168.0.0    192.168.255.255  192.167.255.255  192.169.0.0
        198.18.0.0     198.19.255.255   198.17.255.255   198.20.0.0
        198.51.100.0   198.51.100.255   198.51.99.255    198.51.101.0
        203.0.113.0    203.0.113.255    203.0.112.255    203.0.114.0
        168.63.129.16  168.63.129.16    168.63.129.15    168.63.129.17
        224.0.0.0      255.255.255.255  223.255.255.255  -
        fc00::         fdff:ffff::1     -                -
        fe80::1        febf::1          -                -
        ff02::1        ff0e::1          -                -
        2001::         2001:1ff:ffff::  2000:ffff::      2001:200::
        2001:db8::     2001:db8:ffff::  2001:db7::1      2001:db9::1
        3fff::         3fff:fff:ffff::  3ffe:ffff::1     3fff:1000::1";

    #[test]
    fn each_range_ends_where_the_registry_says() {
        for range in RANGES.lines().skip(1) {
            let addresses: Vec<&str> = range.split_whitespace().collect();
            assert!(!public(addresses[0]) && !public(addresses[1]), "{range}");
            for outside in addresses[2..].iter().filter(|address| **address != "-") {
                assert!(public(outside), "{outside}");
            }
        }
    }

    #[test]
    fn metadata_services_are_refused_in_both_families() {
        for address in [
            "169.254.169.254",
            "100.100.100.200",
            "192.0.0.192",
            "168.63.129.16",
            "fd00:ec2::254",
            "fd20:ce::254",
            "::ffff:168.63.129.16",
            "64:ff9b::169.254.169.254",
        ] {
            assert!(!public(address), "{address}");
        }
    }

    #[test]
    fn an_ipv4_address_hidden_in_ipv6_is_found() {
        for address in [
            "::1",
            "::",
            "::127.0.0.1",               // compatible
            "::8.8.8.8",                 // compatible is refused whole: nobody routes it
            "::ffff:10.0.0.1",           // mapped
            "::ffff:0:127.0.0.1",        // translated
            "64:ff9b::10.0.0.1",         // NAT64
            "64:ff9b:1::8.8.8.8",        // NAT64 for local use
            "2002:7f00:1::",             // 6to4 of 127.0.0.1
            "2002:a9fe:a9fe::1",         // 6to4 of 169.254.169.254
            "2001:0:808:808::f5ff:fffe", // Teredo
            "fec0::1",
            "100::1",
            "5f00::1",
            "4000::1",
        ] {
            assert!(!public(address), "{address}");
        }
        for address in [
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2002:808:808::1",
            "2606:2800:220:1:248:1893:25c8:1946",
            "2a00:1450:4001:80b::200e",
        ] {
            assert!(public(address), "{address}");
        }
    }

    #[test]
    fn the_host_is_checked_in_every_spelling() {
        for address in [
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://0177.0.0.1/",
            "http://127.1/",
            "http://0/",
            "http://%31%32%37.0.0.1/",
            "http://①②⑦.0.0.1/",
            "http://127。0。0。1/",
            "http://[::1]/",
            "http://[::ffff:7f00:1]/",
            "http://[0:0:0:0:0:ffff:a9fe:a9fe]/",
            "http://169.254.169.254/latest/meta-data/",
            "http://LOCALHOST/",
            "http://localhost./",
            "http://a.localhost/",
            "http://printer/",
            "http://nas.local/",
            "http://metadata.google.internal/",
            "http://api.default.svc/",
            "http://api.default.svc.cluster.local/",
            "http://router.lan/",
            "http://wiki.corp/",
            "http://box.home.arpa/",
            "http://host.localdomain/",
            "http://example.onion/",
            "http://example.com../",
        ] {
            assert_eq!(checked(address), Err(Refusal::Private), "{address}");
        }
    }

    #[test]
    fn scheme_user_information_and_port_are_checked() {
        assert_eq!(checked("ftp://example.com/"), Err(Refusal::Scheme));
        assert_eq!(checked("file:///etc/passwd"), Err(Refusal::Scheme));
        assert_eq!(
            checked("https://user@example.com/"),
            Err(Refusal::UserInformation)
        );
        assert_eq!(
            checked("https://:secret@example.com/"),
            Err(Refusal::UserInformation)
        );
        assert_eq!(checked("http://example.com:22/"), Err(Refusal::Port));
        for address in [
            "http://example.com/",
            "https://example.com/a?b#c",
            "http://example.com:8080/",
            "https://example.com:8443/",
            "https://localhost.example.com/",
            "https://not-local.example/",
            "https://example.com./",
            "https://93.184.215.14/",
            "https://bücher.example/",
        ] {
            assert_eq!(checked(address), Ok(()), "{address}");
        }
    }

    #[test]
    fn a_private_network_may_be_allowed_but_never_other_schemes_or_passwords() {
        for address in ["http://127.0.0.1:3000/", "http://wiki/", "http://[::1]:9/"] {
            assert_eq!(refuse_literal(address, true), Ok(()));
            assert!(refuse_literal(address, false).is_err());
        }
        assert!(refuse_literal("ftp://127.0.0.1/", true).is_err());
        assert!(refuse_literal("http://a:b@127.0.0.1/", true).is_err());
        assert!(refuse_literal("http://", true).is_err());
        assert!(refuse_literal("not an address", true).is_err());
    }

    proptest! {
        #[test]
        fn no_address_makes_the_check_panic_or_admits_a_private_number(tail in "\\PC{0,60}", v4: u32, v6: u128) {
            let _ = refuse_literal(&tail, false);
            let _ = refuse_literal(&format!("http://{tail}"), false);
            let v4 = Ipv4Addr::from(v4);
            let decimal = format!("http://{}/", u32::from(v4));
            prop_assert_eq!(refuse_literal(&decimal, false).is_ok(), is_public(v4.into()));
            prop_assert_eq!(is_public(v4.to_ipv6_mapped().into()), is_public(v4.into()));
            prop_assert!(!is_public(v4.to_ipv6_compatible().into()));
            let v6 = Ipv6Addr::from(v6);
            prop_assert_eq!(refuse_literal(&format!("http://[{v6}]/"), false).is_ok(), is_public(v6.into()));
        }
    }
}
