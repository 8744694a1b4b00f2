//! The hard check on claims of which it is known whether they are true, where the evaluation set is beside the checkout.

use serde_json::Value;
use skillkiln_author::evaluation::Case;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::Inline;
use std::path::Path;

/// A unit's Markdown as one block.
fn read(text: &str) -> Vec<Block> {
    let kind = match text.strip_prefix("```") {
        Some(rest) => {
            let (language, code) = rest.split_once('\n').unwrap_or((rest, ""));
            BlockKind::Code {
                language: Some(language.to_owned()),
                text: code.trim_end_matches('`').trim_end().to_owned(),
            }
        }
        None => BlockKind::Paragraph(vec![Inline::Text(text.trim_start_matches("> ").to_owned())]),
    };
    vec![Block {
        kind,
        span: Span::default(),
    }]
}

fn cases() -> Vec<(String, Case)> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = own
        .ancestors()
        .find_map(|folder| std::fs::read_dir(folder.join("shared/author")).ok());
    let Some(entries) = found else {
        return Vec::new();
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("text");
            let value: Value = serde_json::from_str(&text).expect("JSON");
            (path.display().to_string(), Case::read(&value, read))
        })
        .collect()
}

#[test]
fn hardly_a_true_claim_is_refused_at_once() {
    for (name, mut case) in cases() {
        case.check();
        let tally = case.tally();
        let refused = tally.refused_right.len();
        assert!(
            refused * 20 <= tally.right,
            "{name}: {:#?}",
            tally.refused_right
        );
    }
}

#[test]
fn a_false_claim_is_accepted_only_with_a_quotation_that_stands_there() {
    for (_, mut case) in cases() {
        case.check();
        for (question, batch) in case.questions("FENCE", 20) {
            assert!(question.source.starts_with("FENCE\n") && question.task.contains("1. "));
            let verdicts: Vec<Value> = (1..=batch.len())
                .map(|id| serde_json::json!({"id": id, "verdict": "supported", "unit": "1", "quote": "words that no source has", "lost": ""}))
                .collect();
            case.answer(
                &batch,
                &serde_json::json!({ "verdicts": verdicts }).to_string(),
            );
        }
        assert_eq!(case.tally().accepted_wrong, Vec::<String>::new());
    }
}
