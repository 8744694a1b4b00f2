//! Owns what an account is: an e-mail address, a plan, and whether it may act.

use crate::domain::clock::Timestamp;
use crate::domain::credits::Credits;
use crate::domain::id::UserId;
use std::fmt;

/// An e-mail address, its letters from A to Z in lower case: one `@`, something on both sides, a dot in the domain, no white space.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// Accepts what looks like an address and can be written to; its case is folded, so that one person has one account. Only that
    /// of A to Z: by the rules of Unicode the sign of the kelvin becomes a `k`, and an address that is another's at the post would be
    /// the same here.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        let (local, domain) = text.rsplit_once('@')?;
        let sound = !local.is_empty()
            && local.len() <= 64
            && text.len() <= 254
            && domain.split('.').count() >= 2
            && domain.split('.').all(|label| !label.is_empty())
            && !text
                .chars()
                .any(|c| c.is_whitespace() || c.is_control() || "<>,;:\"()[]\\".contains(c))
            && !local.contains('@');
        sound.then_some(Self(text))
    }

    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The plans (decision 43).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Plan {
    /// Nothing bought yet.
    #[default]
    Free,
    /// The last pack bought was the small one.
    Starter,
    /// The last pack bought was the large one.
    ProPack,
    /// A running subscription: generations cost nothing.
    Unlimited,
}

impl Plan {
    /// All plans.
    pub const ALL: [Self; 4] = [Self::Free, Self::Starter, Self::ProPack, Self::Unlimited];

    /// The word on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Starter => "starter",
            Self::ProPack => "pro_pack",
            Self::Unlimited => "unlimited",
        }
    }

    /// Reads [`Plan::as_str`] back.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|plan| plan.as_str() == word)
    }
}

/// An account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Its identity.
    pub id: UserId,
    /// Its address.
    pub email: Email,
    /// Its plan.
    pub plan: Plan,
    /// Whether it was shut out (decision 13).
    pub restricted: bool,
    /// What it can spend.
    pub available: Credits,
    /// What runs in flight have set aside.
    pub reserved: Credits,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What an account holds and may do, as the store last said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// What can be spent.
    pub available: Credits,
    /// What runs in flight have set aside.
    pub reserved: Credits,
    /// The plan (decision 43).
    pub plan: Plan,
    /// Paid packs so far, without those whose money went back in full.
    pub packs_purchased: u32,
    /// Credits that were taken back after they had been spent. While there are any, nothing is available.
    pub owed: Credits,
    /// Skills made so far; never falls.
    pub total_generations: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_another_letter_is_another_address() {
        let kelvin = Email::parse("\u{212a}evin@example.org");
        assert_ne!(kelvin, Email::parse("kevin@example.org"));
        let kept = kelvin.map(|email| email.to_string());
        assert_eq!(kept.as_deref(), Some("\u{212a}evin@example.org"));
        // What was kept reads back as itself.
        for text in ["Ünal@Example.ORG", "\u{130}da@example.org"] {
            let email = Email::parse(text).expect("an address");
            assert_eq!(Email::parse(email.as_str()), Some(email));
        }
    }

    #[test]
    fn an_address_is_folded_and_nonsense_is_refused() {
        assert_eq!(
            Email::parse(" Ann@Example.ORG ").map(|e| e.to_string()),
            Some("ann@example.org".into())
        );
        for bad in [
            "",
            "ann",
            "@example.org",
            "ann@",
            "ann@org",
            "a b@example.org",
            "a@b@example.org",
            "ann@example..org",
            "<a@example.org>",
        ] {
            assert_eq!(Email::parse(bad), None, "{bad}");
        }
    }
}
