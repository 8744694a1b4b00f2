//! Skills: what a text is made into, and what somebody has written by hand, as SKILL.md and as a zip, under every check.

#![no_main]

mod shared;

use libfuzzer_sys::fuzz_target;
use skillkiln_skills::skill::{Source, Wish};
use skillkiln_skills::validate::package::{self, Package};
use skillkiln_skills::validate::profile::Profile;
use skillkiln_skills::validate::{Judge, check, header_of};
use skillkiln_skills::{clean, topics, write};

/// Writes of a text as a Markdown file, and checks what is written.
fn make(bytes: &[u8]) {
    let Some(document) = shared::document("a.md", bytes) else {
        return;
    };
    let document = clean::prepare(&document);
    let _ = topics::topics(&document, "text");
    if let Ok(skill) = write::write(&document, &Source::default(), &Wish::default()) {
        let package = Package::of(&skill.name, skill.content, skill.references);
        let _ = Judge::of(&document, "text").standing(&package, true, &[]);
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else {
        return;
    };
    match choice % 3 {
        0 => make(bytes),
        1 => {
            if let Ok(package) = package::read_zip(bytes) {
                let _ = check(&package, Profile::Open);
            }
        }
        _ => {
            let _ = check(&Package::alone(bytes.to_vec()), Profile::Claude);
            if let Ok(text) = std::str::from_utf8(bytes) {
                let _ = header_of(text);
            }
        }
    }
});
