//! Owns what may be tried how often, so that passwords cannot be guessed at speed and strangers shut nobody out.
//!
//! Wrong passwords are counted where they come from: for a browser that its owner came in by before, by that browser and account; for
//! any other, by its address and account, and by its address alone. So what strangers do elsewhere costs the owner nothing. An
//! account at which very many are wrong has less patience with every browser that it does not know.

use crate::domain::attempts::{Kind, Rule};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

/// Wrong passwords for one account, by a browser that it knows or a session of it.
pub(super) const DEVICES: Kind = Kind {
    name: "devices",
    rule: Rule::Waits(10, Duration::from_secs(300)),
};
/// Wrong codes of a second factor, of those who know the password.
pub(super) const CODES: Kind = Kind {
    name: "codes",
    rule: Rule::Waits(5, Duration::from_secs(900)),
};
/// Wrong passwords for an account, whether or not there is such an account, from one address.
pub(super) const STRANGERS: Kind = Kind {
    name: "strangers",
    rule: Rule::Waits(10, Duration::from_secs(300)),
};
/// The same at an account that is being guessed.
pub(super) const STRANGERS_AT_GUESSED: Kind = Kind {
    name: "strangers",
    rule: Rule::Waits(3, Duration::from_secs(900)),
};
/// Wrong passwords from one address, whatever the account.
pub(super) const ADDRESSES: Kind = Kind {
    name: "addresses",
    rule: Rule::Waits(20, Duration::from_secs(60)),
};
/// Wrong passwords from browsers that an account does not know, wherever they are: refuses nobody, but says that it is being guessed.
pub(super) const GUESSES: Kind = Kind {
    name: "guesses",
    rule: Rule::Hour(100, 100),
};
/// Recovery codes and links from one address: none can be guessed, so this only bounds the work.
pub(super) const RECOVERIES: Kind = Kind {
    name: "recoveries",
    rule: Rule::Hour(30, 300),
};
/// Accounts asked for from one address.
pub(super) const JOINS: Kind = Kind {
    name: "joins",
    rule: Rule::Hour(10, 60),
};
/// Addresses that turn out to have an account when one is asked for without mail, from one address.
pub(super) const TAKEN: Kind = Kind {
    name: "taken",
    rule: Rule::Hour(3, 10),
};
/// Messages to one address.
pub(super) const MAILS: Kind = Kind {
    name: "mails",
    rule: Rule::Hour(2, 6),
};
/// Those about an account that was asked for, apart, so that who asks for many keeps nobody from a link to set a new password.
pub(super) const APPLICATIONS: Kind = Kind {
    name: "applications",
    rule: Rule::Hour(2, 6),
};
/// Requests from one address that make us ask somebody who vouches for people; coming in takes two.
pub(super) const JOURNEYS: Kind = Kind {
    name: "journeys",
    rule: Rule::Hour(20, 200),
};
/// Texts that an address may try without an account.
pub(super) const SAMPLES: Kind = Kind {
    name: "samples",
    rule: Rule::Hour(6, 60),
};
/// Failed authentications by key from one address (decision 46).
pub(super) const KEYS: Kind = Kind {
    name: "address",
    rule: Rule::Minute(KEYS_PER_MINUTE),
};
/// How many of them.
pub(super) const KEYS_PER_MINUTE: u32 = 60;

/// All of them, each name once.
pub(super) const KINDS: [Kind; 13] = [
    DEVICES,
    CODES,
    STRANGERS,
    ADDRESSES,
    GUESSES,
    RECOVERIES,
    JOINS,
    TAKEN,
    MAILS,
    APPLICATIONS,
    JOURNEYS,
    SAMPLES,
    KEYS,
];

/// What counts as one subscriber when tries are counted: an IPv4 address, or an IPv6 /64.
#[must_use]
pub fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 => v4,
    }
}

/// What counts as one neighbourhood when welcomes are counted: an IPv4 /24, or an IPv6 /64.
#[must_use]
pub fn neighbourhood(address: IpAddr) -> String {
    match subscriber(address) {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            format!("{}/24", Ipv4Addr::new(a, b, c, 0))
        }
        IpAddr::V6(v6) => format!("{v6}/64"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_neighbourhood_is_a_24_or_a_64() {
        let of = |text: &str| neighbourhood(text.parse().expect("an address"));
        assert_eq!(of("192.0.2.77"), "192.0.2.0/24");
        assert_eq!(of("::ffff:192.0.2.77"), "192.0.2.0/24");
        assert_eq!(of("2001:db8:1:2:3::4"), "2001:db8:1:2::/64");
    }
}
