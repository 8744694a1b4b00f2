//! Owns the contest between the model's text and the extractive draft: the model's is delivered only when no check finds more in
//! it. What a check finds on a line costs the statement of that line its place, not the whole text.

use super::Work;
use super::verify::Statement;
use crate::pipeline::product::{Authorship, Draft, Extracted, Synthesized, Wish};
use crate::pipeline::synthesize::page::paragraph;
use crate::pipeline::synthesize::write_with;
use crate::pipeline::validate::{Judge, Standing};
use skillkiln_document::blocks::Span;
use skillkiln_document::failure::Failure;
use skillkiln_document::markdown;
use std::sync::Arc;

/// Fewer proved statements make no skill.
const STATEMENTS_MIN: usize = 3;
/// How often statements are taken out for what the checks find on their lines.
const REPAIRS_MAX: usize = 3;
/// A body that says less than one word where the extractive one says so many says too little.
const WORDS_SHARE: usize = 6;
/// An extractive body of more words is the whole source, and no measure of what has to be said.
const WORDS_OF_A_BODY: usize = 1_000;

/// For each skill the model's text where it is no worse than the extractive draft by any check, else that draft.
///
/// # Errors
/// As those of writing without a model.
pub(super) fn choose(
    mut draft: Synthesized,
    evidence: &Arc<Extracted>,
    wish: &Wish,
    mut works: Vec<Work>,
) -> Result<Synthesized, Failure> {
    let judge = Judge::of(evidence);
    let standing = |draft: &Draft| judge.standing(&draft.skill, draft.topic.is_none());
    let bars: Vec<Standing> = draft.drafts.iter().map(standing).collect();
    let mut written = Vec::new();
    for round in 0..=REPAIRS_MAX {
        let statements: Vec<Vec<Statement>> =
            works.iter().map(|work| work.statements.clone()).collect();
        written = write_with(Arc::clone(evidence), wish, &statements)?.drafts;
        let mut is_repaired = false;
        for ((draft, bar), work) in written.iter().zip(&bars).zip(&mut works) {
            let now = standing(draft);
            if round < REPAIRS_MAX && now.is_worse_than(bar) {
                is_repaired |= take_out(draft, &now, work);
            }
        }
        if !is_repaired {
            break;
        }
    }
    let contest = draft.drafts.iter_mut().zip(written).zip(&bars).zip(&works);
    for (((own, other), bar), work) in contest {
        *own = better(own.clone(), other, bar, standing, work);
    }
    Ok(draft)
}

/// Takes out the statements on whose lines something was found; `false` when there are none.
fn take_out(draft: &Draft, standing: &Standing, work: &mut Work) -> bool {
    let lines = standing.lines();
    let is_hit = |(first, last): (u32, u32)| lines.range(first..=last).next().is_some();
    let text: Vec<&str> = draft.skill.content.lines().collect();
    let between = |(first, last): (u32, u32)| {
        let lines = text.get(first.saturating_sub(1) as usize..last as usize);
        lines.unwrap_or_default().join("\n")
    };
    let hit: Vec<(&Span, String)> = draft
        .traces
        .iter()
        .filter(|trace| trace.reference.is_none() && is_hit(trace.lines))
        .map(|trace| (&trace.span, between(trace.lines)))
        .collect();
    let before = work.statements.len();
    work.statements.retain(|statement| {
        let said = markdown::write(&[paragraph(statement.text.clone())]);
        let stands = |(span, lines): &(&Span, String)| {
            let says = **span == statement.span && lines.contains(said.trim());
            says || statement
                .takes
                .iter()
                .any(|(_, block)| block.span == **span)
        };
        !hit.iter().any(stands)
    });
    let taken = before - work.statements.len();
    work.refused += taken;
    taken > 0
}

fn better(
    extractive: Draft,
    written: Draft,
    bar: &Standing,
    standing: impl Fn(&Draft) -> Standing,
    work: &Work,
) -> Draft {
    let (count, refused) = (work.statements.len(), work.refused);
    let now = standing(&written);
    let words = |draft: &Draft| markdown::word_count(&draft.skill.content);
    let why = if count < STATEMENTS_MIN {
        Some(format!(
            "only {count} of the model's {} statements could be proved",
            count + refused
        ))
    } else if now.is_worse_than(bar) {
        Some(format!(
            "the checks found more in the model's text ({})",
            now.ids().join(", ")
        ))
    } else if words(&written) * WORDS_SHARE < words(&extractive).min(WORDS_OF_A_BODY) {
        Some("the model's text says too little".to_owned())
    } else {
        None
    };
    if let Some(why) = why {
        return Draft {
            authorship: Some(Authorship {
                is_model: false,
                words: format!("the text is the extractive one, because {why}"),
            }),
            ..extractive
        };
    }
    let mut words = format!(
        "the text is made of {count} statements of the model, each proved by the parts of the source that it names; {refused} were refused"
    );
    if work.unread > 0 {
        words.push_str(&format!(
            "; {} sections that matter less stand in the references alone",
            work.unread
        ));
    }
    Draft {
        authorship: Some(Authorship {
            is_model: true,
            words,
        }),
        ..written
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::synthesize::model::claims::Use;
    use crate::pipeline::synthesize::testing::{document, extracted};
    use crate::pipeline::synthesize::write;
    use skillkiln_document::text::Inline;

    const SOURCE: &str = "# Firing\n\nRaise the temperature by 60 degrees an hour. Hold the peak for ten minutes.\n\n\
        Keep the lid closed below 200 degrees. Opening it early cracks the glaze.";

    fn contest(said: &[(&str, usize)]) -> Draft {
        let evidence = Arc::new(extracted(document(SOURCE)));
        let blocks = document(SOURCE).blocks;
        let statement = |(text, block): &(&str, usize)| Statement {
            role: Use::Rule,
            text: vec![Inline::Text((*text).to_owned())],
            takes: Vec::new(),
            span: blocks[*block].span.clone(),
            section: 0,
            block: *block,
            weight: 2,
        };
        let work = Work {
            statements: said.iter().map(statement).collect(),
            ..Work::default()
        };
        let wish = Wish::default();
        let draft = write(Arc::clone(&evidence), &wish).unwrap();
        choose(draft, &evidence, &wish, vec![work])
            .unwrap()
            .drafts
            .remove(0)
    }

    #[test]
    fn a_statement_that_a_check_finds_fault_with_loses_its_place_alone() {
        let draft = contest(&[
            ("Raise the temperature by 60 degrees an hour.", 1),
            ("Hold the peak for ten minutes.", 1),
            ("Never hold the peak above 4711 degrees.", 1),
            ("Keep the lid closed below 200 degrees.", 2),
        ]);
        let authorship = draft.authorship.unwrap();
        assert!(authorship.is_model, "{authorship:?}");
        assert!(authorship.words.contains("3 statements") && authorship.words.contains("1 were"));
        let body = draft.skill.content;
        assert!(!body.contains("4711"), "{body}");
        assert!(body.contains("Hold the peak for ten minutes."), "{body}");
    }

    #[test]
    fn what_cannot_be_repaired_gives_way_to_the_extractive_draft() {
        let draft = contest(&[
            ("Never hold the peak above 4711 degrees.", 1),
            ("Buy the glaze from Frobnicator at 4712 coins apiece.", 2),
            ("Keep the lid closed below 200 degrees.", 2),
        ]);
        let authorship = draft.authorship.unwrap();
        assert!(!authorship.is_model);
        assert!(
            authorship
                .words
                .contains("only 1 of the model's 3 statements"),
            "{authorship:?}"
        );
        assert!(
            draft
                .skill
                .content
                .contains("Opening it early cracks the glaze.")
        );
    }
}
