//! Owns the cookies that a site sets in the course of one fetch: they go back to the host that set them, and are forgotten afterwards.

use reqwest::header::{HeaderMap, HeaderValue, SET_COOKIE};
use url::Url;

/// Cookies that are kept in all.
const COOKIES_MAX: usize = 50;
/// Bytes of a cookie's name and value together.
const COOKIE_BYTES_MAX: usize = 4 << 10;

/// What hosts set so far.
#[derive(Debug, Default)]
pub(super) struct Cookies(Vec<Cookie>);

#[derive(Debug)]
struct Cookie {
    host: String,
    name: String,
    value: String,
    is_secure: bool,
}

impl Cookies {
    /// Takes over what an answer from `url` sets, and drops what it takes back.
    pub(super) fn learn(&mut self, url: &Url, headers: &HeaderMap) {
        let host = url.host_str().unwrap_or_default();
        for line in headers.get_all(SET_COOKIE) {
            let mut parts = line.to_str().unwrap_or_default().split(';').map(str::trim);
            let Some((name, value)) = parts.next().and_then(|pair| pair.split_once('=')) else {
                continue;
            };
            let attributes: Vec<String> = parts.map(str::to_ascii_lowercase).collect();
            let is_over = attributes.iter().any(|attribute| {
                attribute.starts_with("max-age=0")
                    || attribute.starts_with("max-age=-")
                    || attribute.starts_with("expires=") && attribute.contains("1970")
            });
            self.0.retain(|kept| kept.host != host || kept.name != name);
            let is_kept = !is_over
                && self.0.len() < COOKIES_MAX
                && name.len() + value.len() <= COOKIE_BYTES_MAX;
            if is_kept {
                self.0.push(Cookie {
                    host: host.to_owned(),
                    name: name.to_owned(),
                    value: value.to_owned(),
                    is_secure: attributes.iter().any(|attribute| attribute == "secure"),
                });
            }
        }
    }

    /// What `url` is asked with; `None` where its host set nothing.
    pub(super) fn of(&self, url: &Url) -> Option<HeaderValue> {
        let own = self.0.iter().filter(|cookie| {
            url.host_str() == Some(&cookie.host) && (!cookie.is_secure || url.scheme() == "https")
        });
        let pairs: Vec<String> = own
            .map(|cookie| format!("{}={}", cookie.name, cookie.value))
            .collect();
        let line = pairs.join("; ");
        (!pairs.is_empty())
            .then(|| HeaderValue::from_str(&line).ok())
            .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_goes_back_to_its_host_alone_until_it_is_taken_back() {
        let url = |address: &str| Url::parse(address).unwrap();
        let mut cookies = Cookies::default();
        let mut set = |address: &str, lines: &[&str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(SET_COOKIE, HeaderValue::from_str(line).unwrap());
            }
            cookies.learn(&url(address), &headers);
            [
                "http://kiln.example/b",
                "https://kiln.example/",
                "https://oven.example/",
            ]
            .map(|address| {
                let line = cookies.of(&url(address));
                line.map(|line| line.to_str().unwrap().to_owned())
            })
        };
        let both =
            |plain: &str, secure: &str| [Some(plain.to_owned()), Some(secure.to_owned()), None];
        assert_eq!(
            set(
                "https://kiln.example/a",
                &["seen=1; Path=/; HttpOnly", "id=x; Secure", "broken"]
            ),
            both("seen=1", "seen=1; id=x")
        );
        assert_eq!(
            set("https://kiln.example/a", &["seen=2"]),
            both("seen=2", "id=x; seen=2")
        );
        let past = "seen=; Expires=Thu, 01 Jan 1970 00:00:00 GMT";
        assert_eq!(
            set("https://kiln.example/a", &[past, "id=; Max-Age=0"]),
            [None, None, None]
        );
    }
}
