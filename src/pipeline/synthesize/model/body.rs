//! Owns SKILL.md as it is made of statements: those that matter most as far as there is room, under the same headings as an
//! extractive one, and pointers at the references, which hold the whole source.

use super::claims::Use;
use super::verify::Statement;
use crate::pipeline::scaffold::{
    EXAMPLES, KEY_POINTS, OPTIONS, OVERVIEW, PREREQUISITES, RULES, TERMS, TROUBLESHOOTING, VERIFY,
    WHEN_TO_USE, WORKFLOW,
};
use crate::pipeline::synthesize::outline::{Outline, block_text, is_generic};
use crate::pipeline::synthesize::page::{Page, bullet, paragraph, tokens};
use crate::pipeline::synthesize::pointers::{point_at, pointers};
use crate::pipeline::synthesize::references::Reference;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::markdown;
use skillkiln_document::text::{plain, squash};
use std::collections::HashSet;

/// Where the body stops, short of the allowed 5,000 tokens and 500 lines.
const BODY_TOKENS_MAX: usize = 4_300;
const BODY_LINES_MAX: usize = 420;
/// The share of two statements' words, in percent, from which they say the same.
const SAME_PERCENT: usize = 75;

/// The sections in their order, and the most statements of each.
const SECTIONS: [(Use, &str, usize); 11] = [
    (Use::Overview, OVERVIEW, 3),
    (Use::When, WHEN_TO_USE, 6),
    (Use::Prerequisite, PREREQUISITES, 8),
    (Use::Step, WORKFLOW, 24),
    (Use::Rule, RULES, 20),
    (Use::Example, EXAMPLES, 10),
    (Use::Setting, OPTIONS, 6),
    (Use::Term, TERMS, 8),
    (Use::Trouble, TROUBLESHOOTING, 10),
    (Use::Verify, VERIFY, 6),
    (Use::Point, KEY_POINTS, 24),
];

/// Writes SKILL.md.
pub(in crate::pipeline::synthesize) fn write(
    header: &str,
    title: &str,
    blocks: &[Block],
    outline: &Outline,
    statements: &[Statement],
    references: &[Reference],
) -> Page {
    let mut page = Page::new(None);
    page.add(header, None);
    page.add_heading(1, title, blocks.first().map(|block| &block.span));
    let pointers = pointers(references);
    let chosen = choose(
        statements,
        BODY_TOKENS_MAX.saturating_sub(tokens(&pointers)),
        BODY_LINES_MAX.saturating_sub(pointers.lines().count()),
    );
    let mut writer = Writer {
        page,
        outline,
        headings: HashSet::from([title.to_lowercase()]),
        taken: HashSet::new(),
    };
    for (role, heading, _) in SECTIONS {
        let those = chosen.iter().filter(|one| one.role == role);
        writer.section(role, heading, &those.copied().collect::<Vec<_>>());
    }
    let mut page = writer.page;
    point_at(&mut page, references);
    page
}

/// The statements that matter most, none twice, within the bounds, in source order.
fn choose(statements: &[Statement], tokens_max: usize, lines_max: usize) -> Vec<&Statement> {
    let mut order: Vec<usize> = (0..statements.len()).collect();
    let rank = |number: &usize| {
        statements.get(*number).map(|one| {
            let bonus = match one.role {
                Use::Overview | Use::When => 6,
                Use::Step | Use::Rule | Use::Example | Use::Prerequisite => 4,
                Use::Trouble | Use::Verify => 3,
                Use::Setting | Use::Term => 2,
                Use::Point => 0,
            };
            u32::from(one.weight) * 3 + bonus
        })
    };
    order.sort_by_key(|number| (std::cmp::Reverse(rank(number)), *number));
    let mut chosen: Vec<(usize, &Statement, HashSet<String>)> = Vec::new();
    let mut taken: HashSet<usize> = HashSet::new();
    let (mut spent, mut lines) = (0, 0);
    for number in order {
        let Some(one) = statements.get(number) else {
            continue;
        };
        let most = SECTIONS.iter().find(|(role, _, _)| *role == one.role);
        let most = most.map_or(0, |(_, _, most)| *most);
        let words = words(one);
        let brings_new = one.takes.iter().any(|(place, _)| !taken.contains(place));
        let is_said = !words.is_empty() && chosen.iter().any(|(_, _, said)| is_same(&words, said));
        let is_empty = words.is_empty() || is_said;
        if (is_empty && !brings_new)
            || chosen
                .iter()
                .filter(|(_, other, _)| other.role == one.role)
                .count()
                >= most
        {
            continue;
        }
        let (size, height) = cost(one, &taken);
        if spent + size > tokens_max || lines + height > lines_max {
            continue;
        }
        spent += size;
        lines += height;
        taken.extend(one.takes.iter().map(|(place, _)| *place));
        chosen.push((number, one, words));
    }
    chosen.sort_by_key(|(number, one, _)| (one.block, *number));
    chosen.into_iter().map(|(_, one, _)| one).collect()
}

/// Tokens and lines of a statement with what it brings.
fn cost(statement: &Statement, taken: &HashSet<usize>) -> (usize, usize) {
    let blocks = statement
        .takes
        .iter()
        .filter(|(place, _)| !taken.contains(place));
    let (mut size, mut height) = (tokens(&plain(&statement.text)) + 12, 3);
    for (_, block) in blocks {
        let text = markdown::write(std::slice::from_ref(block));
        size += tokens(&text) + 8;
        height += text.lines().count() + 2;
    }
    (size, height)
}

fn words(statement: &Statement) -> HashSet<String> {
    plain(&statement.text)
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn is_same(one: &HashSet<String>, other: &HashSet<String>) -> bool {
    let shared = one.intersection(other).count();
    shared * 100 >= one.len().min(other.len()).max(1) * SAME_PERCENT
        && shared * 100 >= one.len().max(other.len()) * (SAME_PERCENT - 20)
}

struct Writer<'a> {
    page: Page,
    outline: &'a Outline,
    /// Headings that stand already; a second one of the same words would have no anchor of its own.
    headings: HashSet<String>,
    /// Blocks that stand already.
    taken: HashSet<usize>,
}

impl Writer<'_> {
    fn section(&mut self, role: Use, heading: &str, statements: &[&Statement]) {
        let Some(first) = statements.first() else {
            return;
        };
        self.headings.insert(heading.to_lowercase());
        self.page.add_heading(2, heading, None);
        let is_grouped = matches!(role, Use::Step | Use::Point | Use::Example)
            && statements.len() > 4
            && statements.iter().any(|one| one.section != first.section);
        let mut section = usize::MAX;
        let mut count = 0;
        for statement in statements {
            let mut starts = count == 0;
            if is_grouped && statement.section != section {
                section = statement.section;
                starts |= self.subheading(statement);
            }
            count = if starts { 1 } else { count + 1 };
            match role {
                Use::Overview => {
                    let block = paragraph(statement.text.clone());
                    let text = markdown::write(&[block]);
                    self.page.add(&text, Some(&statement.span));
                }
                Use::Example | Use::Setting if !statement.takes.is_empty() => {
                    self.blocks(statement);
                }
                Use::Step => self.item(Some(count), starts, statement),
                _ => self.item(None, starts, statement),
            }
        }
    }

    /// A block of the source, with the sentence about it before it.
    fn blocks(&mut self, statement: &Statement) {
        if !statement.text.is_empty() {
            let text = markdown::write(&[paragraph(statement.text.clone())]);
            self.page.add(&text, Some(&statement.span));
        }
        for (place, block) in &statement.takes {
            if self.taken.insert(*place) {
                self.page.add_block(block);
            }
        }
    }

    /// A bullet or a step, with the code that belongs to it.
    fn item(&mut self, number: Option<u64>, starts: bool, statement: &Statement) {
        let mut blocks = vec![paragraph(statement.text.clone())];
        for (place, block) in &statement.takes {
            // Code that the sentence itself holds is not shown twice.
            let is_said = plain(&statement.text).contains(squash(&block_text(block)).trim());
            if !is_said && self.taken.insert(*place) {
                blocks.push(block.clone());
            }
        }
        let text = match number {
            Some(_) => markdown::write(&[Block {
                kind: BlockKind::List {
                    start: number,
                    items: vec![blocks],
                },
                span: statement.span.clone(),
            }]),
            None => bullet(blocks),
        };
        if starts {
            self.page.add(&text, Some(&statement.span));
        } else {
            self.page.add_line(&text, Some(&statement.span));
        }
    }

    /// The title of a section, with its parent's when it says nothing alone; `false` when there is none to write.
    fn subheading(&mut self, statement: &Statement) -> bool {
        let path = self.outline.path(statement.section);
        let words = match path.as_slice() {
            [.., parent, last]
                if is_generic(last) || self.headings.contains(&last.to_lowercase()) =>
            {
                format!("{parent}: {last}")
            }
            [.., last] => (*last).to_owned(),
            [] => return false,
        };
        let words = squash(&words);
        if !self.headings.insert(words.to_lowercase()) {
            return false;
        }
        self.page.add_heading(3, &words, Some(&statement.span));
        true
    }
}
