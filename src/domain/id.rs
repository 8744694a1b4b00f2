//! Owns the identities of things: one UUID each, never mixed up, and their spelling in both surfaces.
//!
//! The REST surface shows the UUID; the application surface shows a prefix and the same 16 bytes in lower-case
//! Crockford base32, most significant bit first, without padding: 26 characters (decisions 15 and 51).

use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Writes 16 bytes as 26 Crockford base32 characters, the first of which carries the top three bits.
#[must_use]
pub fn base32(id: Uuid) -> String {
    let value = id.as_u128();
    (0..26)
        .map(|position| {
            let five_bits = (value >> (125 - position * 5)) & 31;
            char::from(ALPHABET.get(five_bits as usize).copied().unwrap_or(b'0'))
        })
        .collect()
}

/// Reads what [`base32`] wrote. Only the canonical spelling is accepted, so one thing has one address.
#[must_use]
pub fn from_base32(text: &str) -> Option<Uuid> {
    if text.len() != 26 {
        return None;
    }
    let mut value: u128 = 0;
    for (position, byte) in text.bytes().enumerate() {
        let digit = ALPHABET.iter().position(|symbol| *symbol == byte)? as u128;
        if position == 0 && digit > 7 {
            return None;
        }
        value = value << 5 | digit;
    }
    Some(Uuid::from_u128(value))
}

macro_rules! identity {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new identity. Version 7: ordered by the time it was made, so that indexes grow at one end.
            #[must_use]
            pub fn new() -> Self {
                Self(Uuid::now_v7())
            }

            /// Reads a UUID in its hyphenated lower-case form; anything else is no identity.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                let id = Uuid::try_parse(text).ok()?;
                (id.hyphenated().to_string() == text).then_some(Self(id))
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }
    };
}

identity!(
    /// An account.
    UserId
);
identity!(
    /// An API key, as its owner sees it in a list.
    KeyId
);
identity!(
    /// One row of the generation history. A skill's first generation has the skill's own UUID.
    GenerationId
);
identity!(
    /// What one charge pays for: a generation, or all generations of one catalogue.
    RunId
);
identity!(
    /// A skill in somebody's library.
    SkillId
);
identity!(
    /// An uploaded source file.
    SourceId
);
identity!(
    /// A browser that is signed in.
    SessionId
);
identity!(
    /// A transfer of credits that is not a charge: a sign-up gift, a grant, a purchase.
    GrantId
);
identity!(
    /// A purchase: of a pack, or of a subscription.
    PaymentId
);

identity!(
    /// An address that is told what became of runs.
    EndpointId
);
identity!(
    /// An event that is told.
    DeliveryId
);

impl SkillId {
    /// The application surface's spelling, `sk_` and 26 characters.
    #[must_use]
    pub fn public(self) -> String {
        format!("sk_{}", base32(self.0))
    }

    /// Reads [`SkillId::public`] back.
    #[must_use]
    pub fn from_public(text: &str) -> Option<Self> {
        from_base32(text.strip_prefix("sk_")?).map(Self)
    }

    /// Reads either spelling of a skill's UUID: [`SkillId::public`], or that of the REST surface.
    #[must_use]
    pub fn from_either(text: &str) -> Option<Self> {
        let as_rest = || Uuid::parse_str(text).ok().map(Self);
        Self::from_public(text).or_else(|| as_rest().filter(|id| id.to_string() == text))
    }
}

impl SourceId {
    /// The application surface's spelling, `src_` and 26 characters.
    #[must_use]
    pub fn public(self) -> String {
        format!("src_{}", base32(self.0))
    }

    /// Reads [`SourceId::public`] back.
    #[must_use]
    pub fn from_public(text: &str) -> Option<Self> {
        from_base32(text.strip_prefix("src_")?).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base32_is_26_characters_most_significant_bit_first() {
        assert_eq!(base32(Uuid::nil()), "00000000000000000000000000");
        assert_eq!(base32(Uuid::max()), "7zzzzzzzzzzzzzzzzzzzzzzzzz");
        assert_eq!(base32(Uuid::from_u128(1)), "00000000000000000000000001");
    }

    #[test]
    fn a_public_id_reads_back_and_nothing_else_does() {
        for _ in 0..100 {
            let id = SkillId::new();
            assert_eq!(SkillId::from_public(&id.public()), Some(id));
        }
        let id = SkillId::new().public();
        for bad in [
            "",
            "sk_",
            "src_00000000000000000000000000",
            "sk_80000000000000000000000000",
            &id.to_uppercase(),
            &format!("{id}0"),
        ] {
            assert_eq!(SkillId::from_public(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_uuid_is_read_only_in_its_hyphenated_lower_case_form() {
        let id = SkillId::new();
        assert_eq!(SkillId::parse(&id.to_string()), Some(id));
        assert_eq!(SkillId::parse(&id.to_string().to_uppercase()), None);
        assert_eq!(SkillId::parse(&id.0.simple().to_string()), None);
    }
}
