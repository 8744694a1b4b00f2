//! Owns what a section is for, by its title: what everybody needs in every task, or what is looked up once.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// How much a section matters for whoever has a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SectionRole {
    /// Usage, quick start, examples, warnings.
    Core,
    /// Anything.
    Plain,
    /// Installation, compatibility, editors, contributing: looked up once.
    Once,
    /// History, credits, licence, sponsors: nobody's task.
    Aside,
}

/// The words of titles by role; a title has a role when one of its words is listed.
const TITLES: [(SectionRole, &str); 3] = [
    (
        SectionRole::Core,
        "usage use quickstart quick start basic basics example examples warning warnings caution gotchas pitfalls important rules \
        getting started overview essential common tips troubleshooting faq best practices recommended \
        verwendung beispiel beispiele utilisation exemple exemples uso ejemplo ejemplos exemplo exemplos использование пример \
        примеры 使用 示例 快速 注意 使い方 例 사용 예제",
    ),
    (
        SectionRole::Once,
        "install installation installing compatibility editors editor requirements prerequisites building \
        build upgrade supported platforms docker homebrew packages download installieren instalación instalar установка 安装 インストール \
        설치",
    ),
    (
        SectionRole::Aside,
        "history credits credit license licence licensing authors author acknowledgements acknowledgments acknowledgement thanks endnotes uncopyright \
        sponsors sponsor backers donate contributors bibliography changelog copyright colophon memo foreword preface translations iana contributing \
        contribute volunteers attendees sponsorship lizenz danksagung remerciements licencia créditos agradecimientos licença лицензия благодарности \
        许可证 致谢 ライセンス 謝辞 라이선스",
    ),
];

/// Words of a title that are [`SectionRole::Aside`] where no others stand beside them: "Symbol references" are a task.
const ASIDE_ALONE: &str = "references related links status abstract contents community contact feedback support editor's wrapup wrap-up conclusion \
    conclusions further reading resources fazit involved changes present apologies";

/// The listed words, each with its role.
static ROLES: LazyLock<HashMap<&str, SectionRole>> = LazyLock::new(|| {
    let of_role = |&(role, words): &(SectionRole, &'static str)| {
        words.split_whitespace().map(move |word| (word, role))
    };
    TITLES.iter().flat_map(of_role).collect()
});

static ALONE: LazyLock<HashSet<&str>> = LazyLock::new(|| ASIDE_ALONE.split_whitespace().collect());

/// The role of a section with this title.
#[must_use]
pub fn role_of(title: &str) -> SectionRole {
    let lower = title.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    let is_log = words == ["change", "log"];
    if words.first() == Some(&"copyright") || is_log || is_aside_alone(&words) {
        return SectionRole::Aside;
    }
    // A long title says what its section is about, whatever words are in it.
    if words.len() > 5 {
        return SectionRole::Plain;
    }
    for (role, _) in TITLES.iter().rev() {
        let is_listed = |word: &&&str| ROLES.get(**word) == Some(role);
        let count = words.iter().filter(is_listed).count();
        if count > 0 && (words.len() <= 2 || count * 2 >= words.len()) {
            return *role;
        }
    }
    SectionRole::Plain
}

/// Whether all words of a title are of those that tell of nobody's task.
fn is_aside_alone(words: &[&str]) -> bool {
    !words.is_empty() && words.iter().all(|word| ALONE.contains(word))
}

/// Titles that say nothing without the one above them.
const GENERIC: &str = " usage example examples options option overview introduction intro description details general basics notes note \
    summary syntax parameters parameter arguments returns return values see also synopsis name methods method properties property \
    fields field constructor constructors exceptions functions types settings configuration setup quick start quickstart getting \
    started reference background motivation commands command advanced other misc miscellaneous more basic features feature faq faqs frequently \
    asked questions \
    definition definitions context consequences status decision meaning impact diagnosis mitigation about agenda announcements attendees \
    discussion discussions conclusion conclusions operations schemas \
    beispiel beispiele übersicht einführung verwendung einleitung uso introducción utilisation exemple exemples ejemplo ejemplos exemplo exemplos введение 概述 简介 示例 例 개요 예제 ";

/// Whether a title says nothing without the one above it.
#[must_use]
pub fn is_generic(title: &str) -> bool {
    let lower = title.to_lowercase();
    lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .all(|word| {
            word.chars().all(|c| c.is_ascii_digit()) || GENERIC.contains(&format!(" {word} "))
        })
}

/// The methods by which a title is that of a request.
const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/// The method, the path and what else is said of it, of a title that names a request: "GET /pots List pots".
#[must_use]
pub fn request(title: &str) -> Option<(&str, &str, &str)> {
    let (method, rest) = title.trim_start_matches('`').split_once(' ')?;
    let (path, behind) = rest.split_once(' ').unwrap_or((rest, ""));
    (is_method(method) && path.starts_with('/'))
        .then(|| (method, path.trim_matches('`'), behind.trim()))
}

/// Whether a word is the method of a request.
pub(crate) fn is_method(word: &str) -> bool {
    METHODS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_tells_what_its_section_is_for() {
        assert_eq!(role_of("Quick start"), SectionRole::Core);
        assert_eq!(role_of("Installation"), SectionRole::Once);
        assert_eq!(role_of("License"), SectionRole::Aside);
        assert_eq!(role_of("References"), SectionRole::Aside);
        assert_eq!(role_of("Change Log"), SectionRole::Aside);
        assert_eq!(role_of("Log"), SectionRole::Plain);
        assert_eq!(role_of("Symbol references"), SectionRole::Plain);
        assert_eq!(role_of("Fire the kiln"), SectionRole::Plain);
    }

    #[test]
    fn a_request_is_told_by_its_method_and_its_path() {
        assert_eq!(
            request("GET /pots List pots"),
            Some(("GET", "/pots", "List pots"))
        );
        assert_eq!(request("`POST /pots`"), Some(("POST", "/pots", "")));
        assert_eq!(request("GET started"), None);
    }

    #[test]
    fn titles_of_every_text_say_nothing_alone() {
        assert!(is_generic("Options") && is_generic("2. Quick start"));
        assert!(!is_generic("Kiln options"));
    }
}
