//! Owns the words for a page that could not be fetched: what happened, and what the user can do about it.
//!
//! Nothing a remote server sent and no address a name resolved to goes into a message: both could tell a stranger about
//! networks that only we can see.

use crate::providers::public_address::Refusal;
use crate::providers::resolver::NameError;
use reqwest::StatusCode;
use skillkiln_document::failure::{Failure, Reason};
use std::error::Error;
use std::io;
use std::time::Duration;
use url::Url;

/// The host as a message names it.
fn site(url: &Url) -> &str {
    url.host_str()
        .filter(|host| host.len() <= 100)
        .unwrap_or("the site")
}

fn unreachable(message: String) -> Failure {
    Failure::new(Reason::Unreachable, message)
}

/// An address that is not called at all. `redirected` tells whether the user wrote it or a site led there.
pub(super) fn refused(refusal: Refusal, redirected: bool) -> Failure {
    unreachable(if redirected {
        "the page redirects to an address that is not a public web page; send the address of the final page, or its content as a file"
            .to_owned()
    } else {
        refusal.to_string()
    })
}

/// More redirects than we follow.
pub(super) fn too_many_redirects(url: &Url) -> Failure {
    unreachable(format!(
        "{} redirects again and again; open the page in a browser and send the address that it ends at",
        site(url)
    ))
}

/// A redirect that cannot be followed.
pub(super) fn lost_redirect(url: &Url) -> Failure {
    unreachable(format!(
        "{} redirects, but does not say where to; open the page in a browser and send the address that it ends at",
        site(url)
    ))
}

/// The site asks programs to stay away.
pub(super) fn disallowed(url: &Url) -> Failure {
    unreachable(format!(
        "{} asks programs not to read this page (robots.txt); save the page in a browser and send it as a file",
        site(url)
    ))
}

/// The queue for one host is longer than a run can wait.
pub(super) fn crowded(url: &Url) -> Failure {
    unreachable(format!(
        "many pages of {} are being read at the moment; try again in a minute",
        site(url)
    ))
}

/// The time for the page ran out.
pub(super) fn timed_out(url: &Url, timeout: Duration) -> Failure {
    unreachable(format!(
        "{} did not deliver the page within {} s; try again later, or send the page as a file",
        site(url),
        timeout.as_secs().max(1)
    ))
}

/// More bytes than we read.
pub(super) fn too_large(url: &Url, bytes_max: usize) -> Failure {
    Failure::new(
        Reason::TooLarge,
        format!(
            "the page at {} is larger than {}; send the address of a part of it, or that part as a file",
            site(url),
            size(bytes_max)
        ),
    )
}

fn size(bytes: usize) -> String {
    match bytes {
        b if b >= 1 << 20 => format!("{} MiB", b >> 20),
        b if b >= 1 << 10 => format!("{} KiB", b >> 10),
        b => format!("{b} bytes"),
    }
}

/// A kind of content in which there is no text. `kind` is one of our own words.
pub(super) fn not_text(kind: &str) -> Failure {
    Failure::new(
        Reason::Unreadable,
        format!(
            "the address leads to {kind}, in which there is no text to read; send a page or a document, or a transcript as text"
        ),
    )
}

/// A check for robots in the place of the page.
pub(super) fn puzzled(url: &Url) -> Failure {
    unreachable(format!(
        "{} checks whether a person is asking, and shows programs a puzzle instead of the page; open the page in a browser, save it and send it as a file",
        site(url)
    ))
}

/// A status other than success.
pub(super) fn status(url: &Url, status: StatusCode, retry_after: Option<Duration>) -> Failure {
    let site = site(url);
    let code = status.as_u16();
    unreachable(match code {
        401 | 403 | 407 => format!(
            "{site} refuses to show this page to us ({code}): it wants a login or keeps programs out; save the page in a browser and send it as a file"
        ),
        404 | 410 => format!(
            "there is no page at this address ({code} from {site}); check the address for a mistake"
        ),
        429 => format!("{site} asks for a pause (429); {}", again(retry_after)),
        451 => format!("{site} may not show this page for legal reasons (451)"),
        400..=499 => format!(
            "{site} refuses the request for this page ({code}); check the address, or save the page in a browser and send it as a file"
        ),
        503 => format!("{site} is not available (503); {}", again(retry_after)),
        500..=599 => format!(
            "{site} has a fault of its own ({code}); try again later, or send the page as a file"
        ),
        _ => format!("{site} gave an answer that holds no page ({code}); check the address"),
    })
}

fn again(after: Option<Duration>) -> String {
    match after.map(|pause| pause.as_secs()) {
        Some(seconds @ 1..=86_400) if seconds < 120 => format!("try again in {seconds} s"),
        Some(seconds @ 1..=86_400) => format!("try again in {} minutes", seconds.div_ceil(60)),
        _ => "try again later, or send the page as a file".to_owned(),
    }
}

/// A name that leads nowhere we may go.
pub(super) fn name(url: &Url, error: NameError) -> Failure {
    let host = site(url);
    unreachable(match error {
        NameError::Unknown => {
            format!("the name {host} is not known on the internet; check the address for a mistake")
        }
        NameError::Private => format!(
            "{host} leads to a network that is not public; send the content as a file or as text instead"
        ),
    })
}

/// A request that got no answer, or an answer that broke off.
pub(super) fn transport(url: &Url, error: &reqwest::Error, timeout: Duration) -> Failure {
    let host = site(url);
    if let Some(error) = cause::<NameError>(error) {
        return name(url, *error);
    }
    if cause::<rustls::Error>(error).is_some() {
        return unreachable(format!(
            "no secure connection to {host} is possible: its certificate is not valid or not trusted; tell its owner, or send the page as a file"
        ));
    }
    if error.is_connect() && error.is_timeout() {
        return unreachable(format!(
            "{host} does not answer; check the address, or try again later"
        ));
    }
    if error.is_timeout() {
        return timed_out(url, timeout);
    }
    if error.is_connect() {
        return unreachable(format!(
            "{host} cannot be reached; check the address, or try again later"
        ));
    }
    broken_off(url)
}

/// An answer that cannot be read to its end.
pub(super) fn broken_off(url: &Url) -> Failure {
    unreachable(format!(
        "{} broke off its answer; try again, or send the page as a file",
        site(url)
    ))
}

/// Looks for an error of one type among the causes of another. `io::Error` hides what it wraps from `source`, so it is opened.
fn cause<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<T>() {
            return Some(found);
        }
        next = match error
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref)
        {
            Some(inner) => Some(inner as &(dyn Error + 'static)),
            None => error.source(),
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_tells_the_user_something_else_to_do() {
        let url = Url::parse("https://example.com/a").unwrap();
        for (code, words) in [
            (401, "login"),
            (403, "login"),
            (404, "no page at this address"),
            (410, "no page at this address"),
            (418, "refuses"),
            (429, "pause"),
            (451, "legal"),
            (500, "fault of its own"),
            (503, "not available"),
        ] {
            let failure = status(&url, StatusCode::from_u16(code).unwrap(), None);
            assert_eq!(failure.reason, Reason::Unreachable);
            assert!(failure.message.contains(words), "{}", failure.message);
            assert!(failure.message.contains(&code.to_string()));
        }
        let pause = |seconds| {
            status(
                &url,
                StatusCode::TOO_MANY_REQUESTS,
                Some(Duration::from_secs(seconds)),
            )
            .message
        };
        assert!(pause(30).ends_with("try again in 30 s"));
        assert!(pause(121).ends_with("try again in 3 minutes"));
        assert!(pause(u64::MAX).contains("later"));
    }

    #[test]
    fn a_cause_is_found_inside_an_io_error() {
        let inner = io::Error::other(NameError::Private);
        let outer = io::Error::other(inner);
        assert_eq!(cause::<NameError>(&outer), Some(&NameError::Private));
        assert_eq!(cause::<rustls::Error>(&outer), None);
    }

    #[test]
    fn a_host_of_absurd_length_stays_out_of_messages() {
        let url = Url::parse(&format!("https://{}.example/", "a".repeat(5_000))).unwrap();
        assert!(too_many_redirects(&url).message.len() < 200);
    }
}
