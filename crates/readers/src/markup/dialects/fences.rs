//! Owns fences: where they begin and end, and what they say of their code: a directive of `MyST`, frames and their options, the file
//! that the code belongs to, whether a notebook shows it.

use super::components::attribute;
use crate::markup::lines;
use std::ops::Range;

/// What a fence calls its file is no longer, in bytes.
const NAME_MAX: usize = 120;

/// The mark of the fence that a line opens, and its length.
pub(super) fn opening(words: &str) -> Option<(char, usize)> {
    let mark = words.chars().next()?;
    let run = words.chars().take_while(|c| *c == mark).count();
    let is_typed = || mark == '`' && words.get(run..).is_some_and(|info| info.contains('`'));
    (matches!(mark, '`' | '~') && run >= 3 && !is_typed()).then_some((mark, run))
}

/// Whether a line ends the fence of a mark and length.
pub(super) fn ends(words: &str, (mark, length): (char, usize)) -> bool {
    words.chars().count() >= length && words.chars().all(|c| c == mark)
}

/// Where the fences of `text` stand that are ended, in their order.
pub(crate) fn fenced(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<((char, usize), usize)> = None;
    for line in lines::lines_of(text) {
        let words = line.words();
        match open {
            Some((fence, start)) if ends(words, fence) => {
                found.push(start..line.range().end);
                open = None;
            }
            Some(_) => {}
            None => open = opening(words).map(|fence| (fence, line.start)),
        }
    }
    found
}

/// `{name} words` of MyST.
pub(super) fn directive(info: &str) -> Option<(&str, &str)> {
    let (name, rest) = info.strip_prefix('{')?.split_once('}')?;
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '_'));
    is_name.then(|| (name, rest.trim()))
}

/// Whether a directive of `MyST` is only a frame around what is Markdown again: a tab, a card, and what holds them.
pub(super) fn is_frame(name: &str) -> bool {
    matches!(
        name,
        "tab"
            | "tab-item"
            | "tab-set"
            | "tabs"
            | "card"
            | "dropdown"
            | "grid"
            | "grid-item"
            | "grid-item-card"
            | "div"
    )
}

/// Whether a line is an option of the directive above it: `:sync: pip`.
pub(super) fn is_option(words: &str) -> bool {
    let name = words
        .strip_prefix(':')
        .and_then(|rest| rest.split_once(':'));
    name.is_some_and(|(name, value)| {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        !name.is_empty()
            && name.chars().all(is_name)
            && (value.is_empty() || value.starts_with(' '))
    })
}

/// Whether a line opens a fence that may name its file, or is a chunk of a notebook.
pub(super) fn names_file(line: &str) -> bool {
    let words = line.trim_start();
    let is_fence = words.starts_with("```") || words.starts_with("~~~");
    is_fence && words.contains(['=', '[', '{'])
}

/// What a fence says of where its code belongs, as a line before it: `title="kiln.toml"`, `filename=`, `[npm]`.
pub(super) fn named_file(info: &str) -> Option<String> {
    let (_, behind) = info.split_once([' ', '\t'])?;
    let behind = behind.trim();
    let keyed = ["title", "filename", "fileName", "file"].iter();
    let keyed = keyed.filter_map(|key| {
        let quoted = attribute(behind, key);
        let bare = || {
            let (before, rest) = behind.split_once(&format!("{key}="))?;
            if before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_')) {
                return None;
            }
            let is_bare = rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '/'));
            rest.split_whitespace().next().filter(|_| is_bare)
        };
        quoted.or_else(bare)
    });
    let labelled = || {
        let (label, _) = behind.strip_prefix('[')?.split_once(']')?;
        Some(label)
    };
    let name = keyed.clone().next().or_else(labelled)?.trim();
    let is_name = name.contains(char::is_alphabetic)
        && name.len() <= NAME_MAX
        && !name.contains(['`', '*', '<']);
    let is_file = name.contains(['.', '/']) && !name.contains(' ');
    is_name.then(|| match is_file {
        true => format!("`{name}`"),
        false => format!("**{name}**"),
    })
}

/// Whether a chunk of R Markdown is not shown: `{r, echo = FALSE}`.
pub(super) fn hides(info: &str) -> bool {
    let options = info.split('}').next().unwrap_or_default();
    let packed: String = options.chars().filter(|c| !c.is_whitespace()).collect();
    let is_off = |key: &str| {
        let value = packed.split_once(key).map(|(_, value)| value);
        value.is_some_and(|value| {
            value.starts_with("FALSE") || value == "F" || value.starts_with("F,")
        })
    };
    is_off("echo=") || is_off("include=")
}

/// The same by a line of Quarto's: `#| echo: false`.
pub(super) fn hides_by_setting(words: &str) -> bool {
    let packed: String = words.chars().filter(|c| !c.is_whitespace()).collect();
    matches!(packed.as_str(), "#|echo:false" | "#|include:false")
}

#[cfg(test)]
mod tests {
    use super::fenced;
    use crate::markup::markdown::read;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&read(source.to_owned()).blocks)
    }

    #[test]
    fn tabs_of_myst_are_read_under_their_labels() {
        for source in [
            "1. One\n\n````{tab} Pip\n```bash\npip i\n```\n````\n\n````{tab} Conda\nRun *it*.\n````\n\n2. Two\n",
            "1. One\n\n`````{tab-set}\n:sync-group: a\n\n````{tab-item} Pip\n:sync: pip\n\n```bash\npip i\n```\n````\n\n````{tab-item} Conda\nRun *it*.\n````\n`````\n\n2. Two\n",
            "1. One\n\n::::{tab-set}\n\n:::{tab-item} Pip\n:sync: pip\n\n```bash\npip i\n```\n:::\n\n:::{tab-item} Conda\nRun *it*.\n:::\n::::\n\n2. Two\n",
        ] {
            assert_eq!(
                written(source),
                "1. One\n\n**Pip**\n\n```bash\npip i\n```\n\n**Conda**\n\nRun *it*.\n\n2. Two\n",
                "{source}"
            );
        }
    }

    #[test]
    fn a_fence_reaches_to_its_own_end_and_one_without_is_none() {
        let text = "```a``` b\n~~~ x\n```\n~~~\n````\n```\n";
        let whole = "~~~ x\n```\n~~~";
        let found = fenced(text).into_iter().map(|range| &text[range]);
        assert!(found.eq([whole]));
        // What such a line seems to begin parts no note from its label.
        assert_eq!(
            written("```js``` is a language.\n\n<Note>Mind it.\nAnd so.</Note>\n"),
            "`js` is a language.\n\n> **Note:** Mind it. And so.\n"
        );
    }

    #[test]
    fn options_of_a_note_of_myst_are_not_read() {
        for source in [
            "```{note}\n:class: dropdown\nMind it.\n```\n",
            ":::{note}\n:class: dropdown\nMind it.\n:::\n",
        ] {
            assert_eq!(written(source), "> **Note:** Mind it.\n");
        }
    }
}
