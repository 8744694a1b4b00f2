//! Owns whether an ID token is believed: by its signature first, then by everything that it must say (OpenID Connect Core 3.1.3.7).

use crate::domain::clock::Timestamp;
use crate::domain::user::Email;
use crate::providers::openid::trouble::Trouble;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::{Jwk, KeyAlgorithm};
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, decode_header};
use serde::Deserialize;
use sha2::{Digest, Sha256, Sha384, Sha512};

/// How much a provider's clock may differ from ours.
const SKEW_S: i64 = 60;
/// Longest token that is looked at.
const TOKEN_BYTES_MAX: usize = 64 << 10;
/// Longest name of a person at a provider (OpenID Connect Core 2).
const SUBJECT_LEN_MAX: usize = 255;

/// What a token must say.
#[derive(Debug)]
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
    /// What came beside the token; its digest may be in it.
    pub(super) access_token: Option<&'a str>,
    pub(super) now: Timestamp,
}

/// Why a token is not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    /// None of the keys is the one that it names; a newer one may be.
    UnknownKey,
    /// It names no key, and none of them has signed it; a newer one may have.
    Unsigned,
    /// What is wrong.
    Said(&'static str),
}

/// What a token says.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Claims {
    iss: String,
    pub(super) sub: String,
    aud: Audience,
    azp: Option<String>,
    exp: f64,
    iat: Option<f64>,
    nbf: Option<f64>,
    nonce: Option<String>,
    at_hash: Option<String>,
    email: Option<String>,
    email_verified: Option<Flag>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

/// A truth value, which some providers spell as a word.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Flag {
    Plain(bool),
    Word(String),
}

/// What the provider tells beside the token.
#[derive(Deserialize)]
struct UserInfo {
    sub: String,
    email: Option<String>,
    email_verified: Option<Flag>,
}

/// The digest of a text as it travels in addresses: SHA-256 in the alphabet of addresses (RFC 7636).
pub(super) fn digest_of(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(text.as_bytes()))
}

/// Checks a token with the provider's keys.
pub(super) fn check(token: &str, keys: &[Jwk], expected: &Expected<'_>) -> Result<Claims, Wrong> {
    if token.len() > TOKEN_BYTES_MAX {
        return Err(Wrong::Said("it is too long"));
    }
    let header = decode_header(token).map_err(|_| Wrong::Said("its header cannot be read"))?;
    if header.crit.is_some() {
        return Err(Wrong::Said(
            "it wants something to be understood that is not",
        ));
    }
    let claims = signed(token, &header, keys)?;
    said(&claims, header.alg, expected).map_err(Wrong::Said)?;
    Ok(claims)
}

/// The claims, once one of the keys is the one that they were signed with.
fn signed(token: &str, header: &Header, keys: &[Jwk]) -> Result<Claims, Wrong> {
    let mut validation = Validation::new(header.alg);
    // Everything that is said is checked below, by our own clock.
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_aud = false;
    let fits = |key: &&Jwk| {
        let same_name = header.kid.is_none() || key.common.key_id == header.kid;
        let same_kind = key
            .common
            .key_algorithm
            .is_none_or(|named| named == KeyAlgorithm::from(header.alg));
        same_name && same_kind
    };
    let mut is_known = false;
    let is_named = header.kid.is_some();
    for key in keys.iter().filter(fits) {
        let Ok(decoding) = DecodingKey::from_jwk(key) else {
            continue;
        };
        if decoding.family() != header.alg.family() {
            continue;
        }
        is_known = true;
        if let Ok(data) = decode::<Claims>(token, &decoding, &validation) {
            return Ok(data.claims);
        }
    }
    Err(match (is_named, is_known) {
        (true, true) => Wrong::Said("its signature or its form is wrong"),
        (true, false) => Wrong::UnknownKey,
        (false, _) => Wrong::Unsigned,
    })
}

fn said(
    claims: &Claims,
    algorithm: Algorithm,
    expected: &Expected<'_>,
) -> Result<(), &'static str> {
    let now = expected.now.micros() / 1_000_000;
    let (earliest, latest) = ((now - SKEW_S) as f64, (now + SKEW_S) as f64);
    if claims.iss != expected.issuer {
        return Err("it is of another issuer");
    }
    let ours = |name: &String| name == expected.client_id;
    let (is_for_us, is_for_others) = match &claims.aud {
        Audience::One(name) => (ours(name), false),
        Audience::Several(names) => (names.iter().any(ours), !names.iter().all(ours)),
    };
    if !is_for_us {
        return Err("it is for somebody else");
    }
    match &claims.azp {
        Some(party) if !ours(party) => return Err("it was given to somebody else"),
        None if is_for_others => {
            return Err("it is for several and does not say to whom it was given");
        }
        _ => {}
    }
    if claims.exp <= earliest {
        return Err("it has expired");
    }
    if claims.nbf.is_some_and(|begins| begins > latest) {
        return Err("it is not good yet");
    }
    if claims.iat.is_some_and(|made| made > latest) {
        return Err("it was made in the future");
    }
    if claims.nonce.as_deref() != Some(expected.nonce) {
        return Err("it was not made for this sign-in");
    }
    if let Some(hash) = &claims.at_hash
        && expected
            .access_token
            .map(|access| half_digest(access, algorithm))
            .as_ref()
            != Some(hash)
    {
        return Err("it belongs to another access token");
    }
    let subject = &claims.sub;
    if subject.is_empty() || subject.len() > SUBJECT_LEN_MAX || subject.contains('\0') {
        return Err("it names nobody");
    }
    Ok(())
}

/// The left half of an access token's digest, by the digest of the signature (OpenID Connect Core 3.1.3.6).
fn half_digest(access_token: &str, algorithm: Algorithm) -> String {
    let bytes = access_token.as_bytes();
    let digest = match algorithm {
        Algorithm::RS384 | Algorithm::PS384 | Algorithm::ES384 => Sha384::digest(bytes).to_vec(),
        Algorithm::RS512 | Algorithm::PS512 | Algorithm::EdDSA => Sha512::digest(bytes).to_vec(),
        _ => Sha256::digest(bytes).to_vec(),
    };
    let half = digest.get(..digest.len() / 2).unwrap_or_default();
    URL_SAFE_NO_PAD.encode(half)
}

impl Claims {
    /// Whether nothing more need be asked.
    pub(super) fn tells_the_address(&self) -> bool {
        self.email.is_some() && self.email_verified.is_some()
    }

    /// Adds what was told beside the token, if it is about the same person.
    pub(super) fn add(&mut self, told: &[u8]) -> Result<(), Trouble> {
        let told: UserInfo = serde_json::from_slice(told)
            .map_err(|_| Trouble::Unanswered("what it tells of a person cannot be read".into()))?;
        if told.sub != self.sub {
            return Err(Trouble::Untrusted("it tells of another person".into()));
        }
        self.email = told.email;
        self.email_verified = told.email_verified;
        Ok(())
    }

    /// The person's address, if the provider has found it to be theirs.
    pub(super) fn own_address(&self) -> Option<Email> {
        let is_theirs = match self.email_verified.as_ref()? {
            Flag::Plain(is_theirs) => *is_theirs,
            Flag::Word(word) => word == "true",
        };
        let email = self.email.as_deref().filter(|_| is_theirs)?;
        Email::parse(email)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::openid::ring_signatures;
    use ring::rand::SystemRandom;
    use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
    use serde_json::{Value, json};

    const NOW_S: i64 = 1_795_166_100;

    struct Signer {
        pair: EcdsaKeyPair,
        kid: &'static str,
    }

    impl Signer {
        fn new(kid: &'static str) -> Self {
            ring_signatures::install();
            let random = SystemRandom::new();
            let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
            let pkcs8 = EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("a key");
            let pair = EcdsaKeyPair::from_pkcs8(algorithm, pkcs8.as_ref(), &random);
            let pair = pair.expect("a key");
            Self { pair, kid }
        }

        fn jwk(&self) -> Jwk {
            let point = self.pair.public_key().as_ref();
            serde_json::from_value(json!({
                "kty": "EC", "crv": "P-256", "kid": self.kid, "alg": "ES256",
                "x": URL_SAFE_NO_PAD.encode(&point[1..33]), "y": URL_SAFE_NO_PAD.encode(&point[33..]),
            }))
            .expect("a key")
        }

        fn sign(&self, header: &Value, claims: &Value) -> String {
            let spelt = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
            let message = format!("{}.{}", spelt(header), spelt(claims));
            let mark = self.pair.sign(&SystemRandom::new(), message.as_bytes());
            let mark = URL_SAFE_NO_PAD.encode(mark.expect("signed"));
            format!("{message}.{mark}")
        }

        fn token(&self, change: impl FnOnce(&mut Value)) -> String {
            let mut claims = claims();
            change(&mut claims);
            self.sign(&json!({"alg": "ES256", "kid": self.kid}), &claims)
        }
    }

    fn claims() -> Value {
        json!({
            "iss": "https://id.example.org", "sub": "ann-1", "aud": "kiln", "exp": NOW_S + 300, "iat": NOW_S, "nonce": "n",
            "email": "Ann@Example.org", "email_verified": true,
        })
    }

    fn checked(token: &str, keys: &[Jwk]) -> Result<Claims, Wrong> {
        let expected = Expected {
            issuer: "https://id.example.org",
            client_id: "kiln",
            nonce: "n",
            access_token: Some("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"),
            now: Timestamp::from_micros(NOW_S * 1_000_000),
        };
        check(token, keys, &expected)
    }

    #[test]
    fn a_sound_token_says_who_somebody_is() {
        let signer = Signer::new("1");
        let keys = [signer.jwk()];
        let person = checked(&signer.token(|_| {}), &keys).expect("believed");
        assert_eq!(person.sub, "ann-1");
        assert_eq!(person.own_address(), Email::parse("ann@example.org"));
        for also in [
            signer.token(|claims| claims["aud"] = json!(["kiln"])),
            signer.token(|claims| {
                claims["aud"] = json!(["kiln", "other"]);
                claims["azp"] = json!("kiln");
            }),
            signer.token(|claims| claims["exp"] = json!(NOW_S - 59)),
            signer.token(|claims| claims["iat"] = json!(NOW_S + 59)),
            // From the example of OpenID Connect Core A.3.
            signer.token(|claims| claims["at_hash"] = json!("77QmUPtjPfzWtF2AnpK9RQ")),
            signer.sign(&json!({"alg": "ES256"}), &claims()),
        ] {
            assert!(checked(&also, &keys).is_ok(), "{also}");
        }
    }

    #[test]
    fn a_token_that_says_anything_else_is_not_believed() {
        let signer = Signer::new("1");
        let keys = [signer.jwk()];
        for (name, value) in [
            ("iss", json!("https://id.example.org/")),
            ("aud", json!("other")),
            ("aud", json!([])),
            ("aud", json!(["kiln", "other"])),
            ("azp", json!("other")),
            ("exp", json!(NOW_S - 60)),
            ("exp", json!("tomorrow")),
            ("exp", Value::Null),
            ("nbf", json!(NOW_S + 61)),
            ("iat", json!(NOW_S + 61)),
            ("nonce", json!("m")),
            ("nonce", Value::Null),
            ("at_hash", json!("77QmUPtjPfzWtF2AnpK9RR")),
            ("sub", json!("")),
            ("sub", Value::Null),
            ("sub", json!("a".repeat(256))),
        ] {
            let token = signer.token(|claims| claims[name] = value.clone());
            let wrong = checked(&token, &keys).expect_err(name);
            assert_ne!(wrong, Wrong::UnknownKey, "{name} {value}");
        }
    }

    #[test]
    fn a_token_that_the_provider_did_not_sign_is_not_believed() {
        let (signer, mallory) = (Signer::new("1"), Signer::new("1"));
        let keys = [signer.jwk()];
        let sound = signer.token(|_| {});
        let spelt = |text: &str| URL_SAFE_NO_PAD.encode(text);
        let parts: Vec<&str> = sound.split('.').collect();
        let other = spelt(&claims().to_string().replace("ann-1", "eve-1"));
        for forged in [
            mallory.token(|_| {}),
            format!("{}.{other}.{}", parts[0], parts[2]),
            format!("{}.{}.", parts[0], parts[1]),
            format!("{}.{}.", spelt(r#"{"alg":"none"}"#), parts[1]),
            format!("{}.{}", spelt(r#"{"alg":"none"}"#), parts[1]),
            format!(
                "{}.{}.{}",
                spelt(r#"{"alg":"HS256","kid":"1"}"#),
                parts[1],
                parts[2]
            ),
            format!(
                "{}.{}.{}",
                spelt(r#"{"alg":"ES384","kid":"1"}"#),
                parts[1],
                parts[2]
            ),
            format!(
                "{}.{}.{}",
                spelt(r#"{"alg":"RS256","kid":"1"}"#),
                parts[1],
                parts[2]
            ),
            signer.sign(
                &json!({"alg": "ES256", "kid": "1", "crit": ["exp"]}),
                &claims(),
            ),
            String::new(),
            "a.b.c".to_owned(),
            "x".repeat(TOKEN_BYTES_MAX + 1),
        ] {
            assert!(checked(&forged, &keys).is_err(), "{forged}");
        }
    }

    #[test]
    fn a_key_that_is_not_known_is_told_from_a_wrong_signature() {
        let (old, new) = (Signer::new("1"), Signer::new("2"));
        let token = new.token(|_| {});
        assert_eq!(checked(&token, &[old.jwk()]).err(), Some(Wrong::UnknownKey));
        assert!(checked(&token, &[old.jwk(), new.jwk()]).is_ok());
        let nameless = new.sign(&json!({"alg": "ES256"}), &claims());
        assert_eq!(
            checked(&nameless, &[old.jwk()]).err(),
            Some(Wrong::Unsigned)
        );
    }

    #[test]
    fn an_address_counts_only_when_the_provider_says_that_it_is_the_persons() {
        let signer = Signer::new("1");
        let address = |flag: Value| {
            let token = signer.token(|claims| claims["email_verified"] = flag);
            let person = checked(&token, &[signer.jwk()]).expect("believed");
            person.own_address().is_some()
        };
        assert!(address(json!(true)) && address(json!("true")));
        assert!(!address(json!(false)) && !address(json!("false")) && !address(Value::Null));
    }

    #[test]
    fn what_is_told_beside_the_token_is_about_the_same_person_or_refused() {
        let signer = Signer::new("1");
        let token = signer.token(|claims| claims["email"] = Value::Null);
        let mut person = checked(&token, &[signer.jwk()]).expect("believed");
        assert!(!person.tells_the_address());
        let other = br#"{"sub":"eve-1","email":"ann@example.org","email_verified":true}"#;
        assert!(person.add(other).is_err() && person.own_address().is_none());
        let same = br#"{"sub":"ann-1","email":"ann@example.org","email_verified":true}"#;
        assert_eq!(person.add(same), Ok(()));
        assert!(person.own_address().is_some());
    }

    #[test]
    fn a_digest_is_spelt_as_the_standard_spells_it() {
        // From RFC 7636, appendix B.
        assert_eq!(
            digest_of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }
}
