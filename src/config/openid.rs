//! Owns the settings for who vouches for people, so that they need no password here (OpenID Connect).

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use url::{Host, Url};

/// Who vouches for people (OpenID Connect), by the name that stands in the address to which they send them back:
/// `[openid.NAME]`. None by default.
pub type OpenId = BTreeMap<String, OpenIdProvider>;

/// Somebody who vouches for people. Register `<server.public_url>/openid/<NAME>/callback` there as the address to return to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpenIdProvider {
    /// What stands on the button; empty for the name. Default empty.
    pub label: String,
    /// The provider's address, exactly as its tokens name it.
    pub issuer: String,
    /// Our name there.
    pub client_id: String,
    /// The file that holds our secret there; none for a client without one. Default none.
    pub client_secret_file: PathBuf,
    /// What is asked for. Default `openid` and `email`.
    pub scopes: Vec<String>,
}

impl Default for OpenIdProvider {
    fn default() -> Self {
        Self {
            label: String::new(),
            issuer: String::new(),
            client_id: String::new(),
            client_secret_file: PathBuf::new(),
            scopes: vec!["openid".into(), "email".into()],
        }
    }
}

/// Refuses providers that cannot work, in words that name what is wrong.
pub(super) fn check(providers: &OpenId) -> Result<(), String> {
    for (name, provider) in providers {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
        if name.is_empty() || name.len() > 32 || !name.chars().all(plain) {
            return Err(format!(
                "`{name}` is not 1 to 32 of a-z, 0-9, - and _; it is part of an address"
            ));
        }
        if !is_issuer(&provider.issuer) {
            return Err(format!(
                "{name}.issuer must be the https address of the provider, exactly as it names itself"
            ));
        }
        let same = |other: &&OpenIdProvider| other.issuer == provider.issuer;
        if providers.values().filter(same).count() > 1 {
            return Err(format!("{name}.issuer is there twice"));
        }
        if provider.client_id.trim().is_empty() {
            return Err(format!(
                "{name}.client_id is missing: our name at the provider"
            ));
        }
        let is_scope =
            |scope: &String| !scope.is_empty() && scope.bytes().all(|byte| byte.is_ascii_graphic());
        let scopes = &provider.scopes;
        if !scopes.iter().all(is_scope) || !scopes.iter().any(|scope| scope == "openid") {
            return Err(format!(
                "{name}.scopes must be words, and `openid` one of them"
            ));
        }
    }
    Ok(())
}

/// Whether an address can be trusted to say who somebody is: by TLS, or on this very machine.
fn is_issuer(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else {
        return false;
    };
    let is_here = match url.host() {
        Some(Host::Ipv4(v4)) => v4.is_loopback(),
        Some(Host::Ipv6(v6)) => v6.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => return false,
    };
    let is_safe = url.scheme() == "https" || url.scheme() == "http" && is_here;
    is_safe && url.query().is_none() && url.fragment().is_none() && url.username().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(change: impl FnOnce(&mut OpenIdProvider)) -> Result<(), String> {
        let mut provider = OpenIdProvider {
            issuer: "https://id.example.org".into(),
            client_id: "kiln".into(),
            ..OpenIdProvider::default()
        };
        change(&mut provider);
        check(&OpenId::from([("example".to_owned(), provider)]))
    }

    #[test]
    fn a_provider_is_trusted_by_tls_or_on_this_very_machine_only() {
        for good in [
            "https://id.example.org",
            "https://id.example.org/",
            "https://id.example.org/realms/kiln",
            "http://127.0.0.1:9000",
            "http://localhost:9000",
        ] {
            assert_eq!(checked(|one| one.issuer = good.into()), Ok(()), "{good}");
        }
        for bad in [
            "",
            "id.example.org",
            "http://id.example.org",
            "http://10.0.0.1",
            "ftp://127.0.0.1",
            "https://id.example.org?x=1",
            "https://id.example.org#x",
            "https://ann@id.example.org",
        ] {
            assert!(checked(|one| one.issuer = bad.into()).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_a_provider_needs_is_asked_for() {
        assert!(checked(|one| one.client_id = " ".into()).is_err());
        assert!(checked(|one| one.scopes = vec!["email".into()]).is_err());
        assert!(checked(|one| one.scopes.push("a b".into())).is_err());
        let sound = OpenIdProvider {
            issuer: "https://id.example.org".into(),
            client_id: "kiln".into(),
            ..OpenIdProvider::default()
        };
        for name in ["", "A", "a/b", "..", &"a".repeat(33)] {
            let one = OpenId::from([(name.to_owned(), sound.clone())]);
            assert!(check(&one).is_err(), "{name}");
        }
        let two = OpenId::from([("a".into(), sound.clone()), ("b".into(), sound)]);
        assert!(check(&two).is_err(), "one issuer is one provider");
    }
}
