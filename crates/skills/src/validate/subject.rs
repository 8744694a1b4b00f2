//! Owns what the checks look at: a package whose front matter and Markdown have been parsed once.

use crate::validate::evidence::Evidence;
use crate::validate::front_matter::FrontMatter;
use crate::validate::package::{Content, Package, SKILL_FILE};
use crate::validate::page::Page;
use crate::validate::profile::Profile;
use crate::validate::runs::Runs;
use std::borrow::Cow;
use std::cell::OnceCell;

/// A text file of the package.
pub(super) struct TextFile<'a> {
    /// Its path.
    pub(super) path: &'a str,
    /// Its text; bytes that are no UTF-8 are replaced.
    pub(super) text: Cow<'a, str>,
    /// Whether the bytes are UTF-8.
    pub(super) is_utf8: bool,
}

/// A package, read once for all checks.
pub(super) struct Subject<'a> {
    /// The package.
    pub(super) package: &'a Package,
    /// SKILL.md as text, when there is one.
    pub(super) skill: Option<&'a TextFile<'a>>,
    /// Its header.
    pub(super) front: FrontMatter,
    /// Every Markdown file, SKILL.md's body first.
    pub(super) pages: Vec<Page<'a>>,
    /// Every text file, Markdown or not.
    pub(super) texts: &'a [TextFile<'a>],
    /// The source that the skill was made from.
    pub(super) evidence: Option<&'a Evidence>,
    /// Whose loader it is meant for.
    pub(super) profile: Profile,
    /// Whether the skill covers the whole source, not one topic of it.
    pub(super) is_whole: bool,
    /// The runs of words of its body, once they have been counted.
    pub(super) runs: OnceCell<Runs>,
}

impl<'a> Subject<'a> {
    /// Parses what is to be checked.
    pub(super) fn of(
        package: &'a Package,
        texts: &'a [TextFile<'a>],
        evidence: Option<&'a Evidence>,
        is_whole: bool,
    ) -> Self {
        let skill = texts
            .iter()
            .find(|file| file.path == SKILL_FILE)
            .or_else(|| {
                texts
                    .iter()
                    .find(|file| file.path.eq_ignore_ascii_case(SKILL_FILE))
            });
        let front = FrontMatter::read(skill.map_or("", |file| &file.text));
        let mut pages = Vec::new();
        if let Some(file) = skill {
            pages.push(Page::parse(SKILL_FILE, &file.text, front.body_start));
        }
        for file in texts {
            if is_markdown(file.path) && !skill.is_some_and(|skill| std::ptr::eq(skill, file)) {
                pages.push(Page::parse(file.path, &file.text, 0));
            }
        }
        Self {
            package,
            skill,
            front,
            pages,
            texts,
            evidence,
            profile: Profile::Open,
            is_whole,
            runs: OnceCell::new(),
        }
    }

    /// The body of SKILL.md.
    pub(super) fn body(&self) -> Option<&Page<'a>> {
        self.skill.and(self.pages.first())
    }

    /// The other Markdown files.
    pub(super) fn references(&self) -> &[Page<'a>] {
        if self.skill.is_some() {
            self.pages.get(1..).unwrap_or_default()
        } else {
            &self.pages
        }
    }

    /// Whether the package has a file or a folder at `path`.
    pub(super) fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        path.is_empty()
            || self.package.entries.iter().any(|entry| {
                entry
                    .path
                    .strip_prefix(path)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
    }
}

/// The text files of a package: what is no text (a picture, a font) is told by a zero byte near its start.
pub(super) fn texts(package: &Package) -> Vec<TextFile<'_>> {
    let mut texts = Vec::new();
    for entry in &package.entries {
        let Content::File(bytes) = &entry.content else {
            continue;
        };
        let is_text = is_markdown(&entry.path) || !bytes.iter().take(8_192).any(|byte| *byte == 0);
        if !entry.path.ends_with('/') && is_text {
            let text = String::from_utf8_lossy(bytes);
            let is_utf8 = matches!(text, Cow::Borrowed(_));
            texts.push(TextFile {
                path: &entry.path,
                text,
                is_utf8,
            });
        }
    }
    texts
}

/// Whether a path names a Markdown file.
pub(super) fn is_markdown(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| {
        extension.eq_ignore_ascii_case("md") || extension.eq_ignore_ascii_case("markdown")
    })
}

/// Whether a path names a program.
pub(super) fn is_script(path: &str) -> bool {
    const EXTENSIONS: [&str; 12] = [
        "py", "sh", "bash", "zsh", "js", "mjs", "cjs", "ts", "rb", "pl", "ps1", "php",
    ];
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    EXTENSIONS.contains(&extension) || (path.starts_with("scripts/") && !is_markdown(path))
}
