//! Owns how much of one text stands in another, in runs of five words.
//!
//! Runs are counted within a block (a paragraph, an item, a row); a shorter block is one run. They are looked for in the words
//! of the other side, from block to block. Of a skill's body, headings of ours, lines that name a source and the table of what to read
//! when state nothing and are left out of account.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use skillkiln_document::markdown::rendered;
use skillkiln_skills::lead_ins::is_routes;
use skillkiln_skills::scaffold::{SOURCE_LABEL, is_heading};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use unicode_segmentation::UnicodeSegmentation;

/// How many words make a run.
const RUN: usize = 5;
/// What a Markdown file says: the words of each block, and its code to the letter.
#[derive(Debug, Default, Clone)]
pub(super) struct Text {
    blocks: Vec<Vec<u64>>,
    /// The blocks among them that state nothing: headings of ours, and what stands under that of the routing table.
    ours: HashSet<usize>,
    /// Its code blocks.
    pub(super) codes: Vec<String>,
}

impl Text {
    /// Reads Markdown.
    pub(super) fn of(markdown: &str) -> Self {
        let mut text = Self::default();
        text.add(markdown);
        text
    }

    /// Reads more of it.
    pub(super) fn add(&mut self, markdown: &str) {
        let (_, body) = rendered::split_front_matter(markdown);
        let mut words = String::new();
        let (mut is_code, mut routes) = (false, false);
        for event in Parser::new_ext(body, rendered::dialect()) {
            match event {
                Event::Start(Tag::CodeBlock(
                    CodeBlockKind::Fenced(_) | CodeBlockKind::Indented,
                )) => {
                    self.end(&mut words, routes);
                    is_code = true;
                }
                Event::End(TagEnd::CodeBlock) => {
                    self.codes.push(words.clone());
                    self.end(&mut words, routes);
                    is_code = false;
                }
                Event::Text(part)
                | Event::Code(part)
                | Event::InlineMath(part)
                | Event::DisplayMath(part) => words.push_str(&part),
                // The moment that a paragraph is heard stands in the line above it.
                Event::SoftBreak if words.starts_with(SOURCE_LABEL) => self.end(&mut words, true),
                Event::SoftBreak | Event::HardBreak => words.push('\n'),
                Event::End(TagEnd::TableCell) => words.push(' '),
                Event::End(TagEnd::Heading(_)) => {
                    routes = is_routes(words.trim());
                    let is_ours = is_heading(words.trim());
                    self.end(&mut words, is_ours);
                }
                Event::End(TagEnd::Paragraph) => {
                    let is_ours = routes || words.starts_with(SOURCE_LABEL);
                    self.end(&mut words, is_ours);
                }
                Event::Start(
                    Tag::Paragraph | Tag::Heading { .. } | Tag::Item | Tag::List(_) | Tag::TableRow,
                )
                | Event::End(TagEnd::Item | TagEnd::TableHead | TagEnd::TableRow)
                    if !is_code =>
                {
                    self.end(&mut words, routes);
                }
                _ => {}
            }
        }
        self.end(&mut words, routes);
    }

    /// Ends a block, which may state nothing.
    fn end(&mut self, words: &mut String, is_ours: bool) {
        let block: Vec<u64> = words
            .unicode_words()
            .map(|word| digest(word.to_lowercase()))
            .collect();
        words.clear();
        if !block.is_empty() {
            if is_ours {
                self.ours.insert(self.blocks.len());
            }
            self.blocks.push(block);
        }
    }

    /// It without what states nothing.
    pub(super) fn stated(mut self) -> Self {
        let ours = std::mem::take(&mut self.ours);
        let mut number = 0;
        self.blocks.retain(|_| {
            number += 1;
            !ours.contains(&(number - 1))
        });
        self
    }

    /// The share of its runs of words that stand in `whole`.
    pub(super) fn share_in(&self, whole: &Self) -> f64 {
        let runs = whole.runs();
        let (mut found, mut all) = (0, 0);
        for block in &self.blocks {
            for run in block.windows(block.len().min(RUN)) {
                all += 1;
                found += usize::from(runs.contains(&digest(run)));
            }
        }
        share(found, all)
    }

    /// Every run of up to [`RUN`] words, from block to block.
    fn runs(&self) -> HashSet<u64> {
        let all: Vec<u64> = self.blocks.iter().flatten().copied().collect();
        (1..=RUN)
            .flat_map(|length| all.windows(length).map(digest))
            .collect()
    }
}

/// The digest of anything.
fn digest(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// How many of `codes` stand in the skill whose code blocks are `kept`: as one block, or, where no file could hold it, as
/// blocks that follow each other and leave out only empty lines between them.
pub(super) fn count_verbatim(codes: &[String], kept: &[String]) -> usize {
    let kept: Vec<&str> = kept.iter().map(|code| code.trim_end()).collect();
    let whole: HashSet<&str> = kept.iter().copied().collect();
    let in_parts = |code: &str| {
        (0..kept.len()).any(|first| {
            let mut rest = code;
            for part in kept.iter().skip(first).filter(|part| !part.is_empty()) {
                let Some(after) = rest.strip_prefix(part) else {
                    return false;
                };
                if after.is_empty() {
                    return true;
                }
                let ends_there = after
                    .lines()
                    .next()
                    .is_some_and(|line| line.trim().is_empty());
                let blank = after
                    .split_inclusive('\n')
                    .take_while(|line| line.trim().is_empty());
                let Some(next) = after
                    .get(blank.map(str::len).sum()..)
                    .filter(|_| ends_there)
                else {
                    return false;
                };
                rest = next;
            }
            false
        })
    };
    let codes = codes.iter().map(|code| code.trim_end());
    codes
        .filter(|code| whole.contains(code) || in_parts(code))
        .count()
}

/// A share from 0 to 1; the whole where there is nothing to lose.
pub(super) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 1.0;
    }
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(source: &str, skill: &str) -> f64 {
        Text::of(source).share_in(&Text::of(skill))
    }

    #[test]
    fn what_stands_in_the_skill_in_another_order_is_covered() {
        let source =
            "# Care\n\nClean the burner once every month.\n\n- Keep the door open while firing.";
        let skill = "---\nname: care\n---\n\n# Care\n\n- Keep the door open while firing.\n\nClean the *burner* once every month.";
        assert_eq!(kept(source, skill), 1.0);
    }

    #[test]
    fn a_sentence_that_is_missing_costs_its_share() {
        // Five words are one run, ten words are six.
        let source = "One two three four five.\n\nA b c d e f g h i j.";
        assert_eq!(kept(source, "One two three four five."), 1.0 / 7.0);
        assert_eq!(kept(source, "Something else"), 0.0);
    }

    #[test]
    fn front_matter_is_no_part_of_a_body() {
        assert_eq!(kept("---\nname: x\n---\n\nKiln", "Kiln"), 1.0);
    }

    #[test]
    fn a_block_shorter_than_a_run_is_one_run() {
        assert_eq!(kept("# Kiln care\n\nFire", "about kiln care"), 0.5);
    }

    #[test]
    fn code_in_a_list_is_compared_without_the_indentation_of_the_list() {
        let text = Text::of("1. Run\n\n   ```sh\n   a\n     b\n   ```\n");
        assert_eq!(text.codes, ["a\n  b\n"]);
    }

    #[test]
    fn code_in_parts_is_kept_when_only_empty_lines_are_missing() {
        let source = ["a\n  b\n\n\nc\nd\n".to_owned(), "x\ny".to_owned()];
        let count = |kept: &[&str]| {
            let kept: Vec<String> = kept.iter().map(|code| (*code).to_owned()).collect();
            count_verbatim(&source, &kept)
        };
        assert_eq!(count(&["a\n  b\n\n\nc\nd\n", "x\ny\n"]), 2);
        assert_eq!(count(&["z", "a\n  b\n", "c\nd\n", "x\ny\n"]), 2);
        assert_eq!(count(&["a\n  b", "c"]), 0, "a line is missing");
        assert_eq!(count(&["a\n  b", "z", "c\nd"]), 0, "another stands between");
        assert_eq!(count(&["a\n  b\n\n\nc", "d", "x", "y"]), 2);
        assert_eq!(count(&["x", "x\ny z"]), 0);
    }

    #[test]
    fn headings_of_ours_state_nothing_and_other_words_do() {
        let source = "# Kiln\n\nFire it slowly.\n\n## Care";
        let stated = |body: &str| Text::of(body).stated().share_in(&Text::of(source));
        let frame = "# Kiln\n\n## Key points\n\nFire it slowly.\n\n## Where to read\n\n- To care: door → [read](references/care.md)\n";
        assert_eq!(stated(frame), 1.0);
        assert_eq!(
            stated("# Kiln\n\n## Key pointers\n\nFire it slowly."),
            2.0 / 3.0
        );
        assert_eq!(stated("# Kiln\n\nKey points"), 0.5);
        let timed = "## Care\n\nSource: [3:43](https://kilns.example#t=223s)\nFire it slowly.";
        assert_eq!(stated(timed), 1.0);
    }
}
