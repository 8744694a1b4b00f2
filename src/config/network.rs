//! Owns what a network is in the settings: an address and how many of its leading bits count.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

/// A range of addresses, such as `10.0.0.0/8`, or a single one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Network {
    address: IpAddr,
    prefix_bits: u8,
}

impl Network {
    /// Whether `address` lies in it. An IPv4 address that arrives mapped into IPv6 is looked at as IPv4.
    #[must_use]
    pub fn contains(self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let differing = u32::from(own) ^ u32::from(other);
                differing.leading_zeros() >= u32::from(self.prefix_bits)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let differing = bits(own) ^ bits(other);
                differing.leading_zeros() >= u32::from(self.prefix_bits)
            }
            _ => false,
        }
    }
}

fn bits(address: Ipv6Addr) -> u128 {
    u128::from(address)
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || format!("`{text}` is no network; write it like 10.0.0.0/8 or 192.0.2.7");
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.trim().parse().map_err(|_| wrong())?;
        let bits_max = if address.is_ipv4() { 32 } else { 128 };
        let prefix_bits = match prefix {
            Some(digits) => digits.trim().parse().map_err(|_| wrong())?,
            None => bits_max,
        };
        if prefix_bits > bits_max {
            return Err(wrong());
        }
        Ok(Self {
            address,
            prefix_bits,
        })
    }
}

impl TryFrom<String> for Network {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Network> for String {
    fn from(network: Network) -> Self {
        network.to_string()
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(network: &str, address: &str) -> bool {
        network
            .parse::<Network>()
            .unwrap()
            .contains(address.parse().unwrap())
    }

    #[test]
    fn a_network_holds_the_addresses_that_share_its_leading_bits() {
        assert!(holds("10.0.0.0/8", "10.255.0.1"));
        assert!(!holds("10.0.0.0/8", "11.0.0.1"));
        assert!(holds("10.1.2.3", "10.1.2.3"));
        assert!(!holds("10.1.2.3", "10.1.2.2"));
        assert!(holds("0.0.0.0/0", "203.0.113.9"));
        assert!(holds("2001:db8::/32", "2001:db8:1::1"));
        assert!(!holds("2001:db8::/32", "2001:db9::1"));
        assert!(!holds("0.0.0.0/0", "::1"));
        assert!(holds("10.0.0.0/8", "::ffff:10.0.0.1"));
    }

    #[test]
    fn nonsense_is_no_network() {
        for bad in [
            "",
            "ten",
            "10.0.0.0/33",
            "::/129",
            "10.0.0.0/-1",
            "10.0.0.0/",
            "10.0.0.0/8/8",
        ] {
            assert!(bad.parse::<Network>().is_err(), "{bad}");
        }
    }
}
