//! Owns what a badge is: a small picture from a service that says how a project fares today, such as its build, its version or
//! its licence. It decorates a page and says nothing of its subject.

/// Services that draw badges under addresses that do not say so.
const SERVICES: [&str; 21] = [
    "api.codacy.com/",
    "app.codacy.com/",
    "app.fossa.io/",
    "badge.fury.io/",
    "ci.appveyor.com/",
    "circleci.com/",
    "codeclimate.com/",
    "codecov.io/",
    "coveralls.io/",
    "david-dm.org/",
    "deps.rs/",
    "dev.azure.com/",
    "inch-ci.org/",
    "isitmaintained.com/",
    "joss.theoj.org/papers/",
    "nodei.co/",
    "poser.pugx.org/",
    "scrutinizer-ci.com/",
    "shields.io/",
    "travis-ci.",
    "versionbadg.es/",
];

/// Whether a picture's address is that of a badge. A picture of the source itself, whose address is relative, never is.
pub fn is_badge(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    let Some((_, place)) = lower.split_once("://") else {
        return false;
    };
    let place = place.split(['?', '#']).next().unwrap_or_default();
    let names_it = place
        .split(['/', '.', '-', '_'])
        .any(|word| matches!(word, "badge" | "badges" | "badgen"));
    names_it || SERVICES.iter().any(|service| place.contains(service))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn badges_are_told_from_pictures_by_their_address() {
        for badge in [
            "https://img.shields.io/crates/v/zip",
            "https://github.com/a/b/actions/workflows/ci.yaml/badge.svg?branch=main",
            "https://www.bestpractices.dev/projects/11847/badge",
            "https://badgen.net/npm/v/x",
            "https://versionbadg.es/potter/kiln.svg",
            "https://codecov.io/gh/a/b/graph.svg",
            "https://inch-ci.org/github/a/b.svg?branch=master",
            "https://app.fossa.io/api/projects/git%2Ba.svg?type=shield",
        ] {
            assert!(is_badge(badge), "{badge}");
        }
        for picture in [
            "images/badge.png",
            "https://example.org/kiln.svg",
            "https://example.org/badgers/sett.png",
        ] {
            assert!(!is_badge(picture), "{picture}");
        }
    }
}
