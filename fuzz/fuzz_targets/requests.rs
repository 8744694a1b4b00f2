//! What comes with requests beside files: what is to be read, a browser's cookies, and what a payment provider tells, signed.

#![no_main]
#![allow(dead_code, reason = "of the service's files only the parsers are used")]

#[path = "../../src/http/cookie_value.rs"]
mod cookie_value;
mod domain;
mod providers;

use domain::address::web_address;
use domain::clock::Timestamp;
use domain::source::{Source, SourceType, resolve};
use libfuzzer_sys::fuzz_target;
use providers::payment::event;
use providers::payment::signature::WebhookSecret;

/// What is asked for, by the first byte.
const KINDS: [Option<SourceType>; 5] = [
    None,
    Some(SourceType::Text),
    Some(SourceType::Url),
    Some(SourceType::Youtube),
    Some(SourceType::File),
];

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(rest);
    match resolve(&text, KINDS[usize::from(*first) % KINDS.len()], 20) {
        Ok(Source::Url { address, .. } | Source::Youtube { address }) => {
            assert!(
                web_address(&address).is_some()
                    || web_address(&format!("https://{address}")).is_some(),
                "{address}"
            );
        }
        Ok(Source::Text { text: kept }) => assert_eq!(kept, text),
        Ok(other) => panic!("nobody sent {other:?}"),
        Err(unfit) => assert!(!unfit.0.is_empty()),
    }
    if let Some(value) = cookie_value::value_of(text.lines(), "skillkiln") {
        assert!(text.contains(&format!("skillkiln={value}")));
    }
    let now = Timestamp::from_micros(1_800_000_000_000_000);
    let secret = WebhookSecret::new("of the fuzzer".to_owned());
    assert!(secret.check(&text, rest, now).is_err(), "nobody can sign");
    assert!(secret.check(&secret.sign(rest, now), rest, now).is_ok());
    let _ = event::read(rest);
});
