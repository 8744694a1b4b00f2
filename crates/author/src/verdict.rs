//! Owns what the judge says of a claim, and that it is believed only with a quotation which the program finds in a unit that the claim
//! names.

use crate::check::Source;
use crate::draft::{Claim, State};
use crate::evidence::with_headings;
use crate::json;
use crate::listing;
use crate::marks::ranges;
use crate::prompt::{Question, Step};
use serde_json::Value;
use std::collections::BTreeSet;

/// Verdicts of one answer that are read.
const VERDICTS_MAX: usize = 200;

/// What the judge says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The units say it.
    Supported,
    /// It follows from them.
    Follows,
    /// A part or a condition is missing.
    Partly,
    /// They say otherwise.
    Contradicted,
    /// They do not speak of it.
    NotThere,
    /// It gives orders to whoever reads for somebody else.
    Order,
}

impl Verdict {
    fn of(word: &str) -> Option<Self> {
        let word = word.trim().to_lowercase().replace(['_', '-'], " ");
        Some(match word.as_str() {
            "supported" => Self::Supported,
            "follows" => Self::Follows,
            "partly" => Self::Partly,
            "contradicted" => Self::Contradicted,
            "not there" => Self::NotThere,
            "order" => Self::Order,
            _ => return None,
        })
    }
}

/// What is said of one claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The claim's number in the question.
    pub id: u64,
    /// What is said.
    pub verdict: Verdict,
    /// The words of a unit that decide.
    pub quote: String,
    /// What was lost.
    pub lost: String,
}

/// A claim as it is put to the judge.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'c> {
    /// It.
    pub claim: &'c Claim,
    /// The headings and the head of the table that it stands under in the text; empty where it stands alone.
    pub under: &'c str,
}

/// The question whether some claims are true.
#[must_use]
pub fn question(source: &Source, fence: &str, asked: &[Asked<'_>]) -> Question {
    let mut numbers: BTreeSet<u32> = BTreeSet::new();
    let cited = asked.iter().flat_map(|one| &one.claim.cite.ids);
    for unit in cited.filter_map(|id| source.units.get(id.number)) {
        numbers.insert(unit.number);
        numbers.extend(unit.under.iter().copied());
    }
    let listing = listing::of(&source.units, &numbers);
    let mut lines = Vec::new();
    let mut under = "";
    for (number, one) in (1..).zip(asked) {
        let number: usize = number;
        if one.under != under {
            under = one.under;
            lines.push(format!("(under: {under})"));
        }
        let flags = match one.claim.flags.is_empty() {
            true => String::new(),
            false => format!("  (look closely: {})", one.claim.flags.join("; ")),
        };
        let units = ranges(&one.claim.cite.ids);
        lines.push(format!(
            "{number}. {} — units {units}{flags}",
            one.claim.text
        ));
    }
    Question::new(
        Step::Judge,
        fence,
        &listing,
        &[("claims", &lines.join("\n"))],
    )
}

/// The verdicts of an answer.
#[must_use]
pub fn read(answer: &str) -> Vec<Judged> {
    let object = json::object(answer).unwrap_or(Value::Null);
    let one = |value: &Value| {
        Some(Judged {
            id: value.get("id")?.as_u64()?,
            verdict: Verdict::of(value.get("verdict")?.as_str()?)?,
            quote: json::text(value, "quote"),
            lost: json::text(value, "lost"),
        })
    };
    // What was cut off before its quotation is no verdict yet.
    let is_whole = |judged: &Judged| {
        let needs_quote = matches!(judged.verdict, Verdict::Supported | Verdict::Follows);
        !needs_quote || !judged.quote.is_empty()
    };
    json::list(&object, "verdicts")
        .iter()
        .filter_map(one)
        .filter(is_whole)
        .take(VERDICTS_MAX)
        .collect()
}

/// How a claim stands after a verdict.
#[must_use]
pub fn weigh(source: &Source, claim: &Claim, judged: &Judged) -> State {
    let lost = match judged.lost.is_empty() {
        true => String::new(),
        false => format!(": {}", listing::clip(&judged.lost, 200)),
    };
    let why = match judged.verdict {
        Verdict::Supported | Verdict::Follows => {
            let numbers = with_headings(&source.units, &claim.cite.ids);
            let quote = judged.quote.trim();
            return match source.evidence.quoted(&numbers, quote) {
                Some(unit) => {
                    let quote = listing::clip(quote, 240);
                    match judged.verdict == Verdict::Follows || claim.cite.is_inferred {
                        true => State::Inferred { unit, quote },
                        false => State::Said { unit, quote },
                    }
                }
                None => {
                    State::Refused("its proof does not stand in the units that it names".to_owned())
                }
            };
        }
        Verdict::Partly => "a part or a condition is not in its units",
        Verdict::Contradicted => "its units say otherwise",
        Verdict::NotThere => "its units do not speak of it",
        Verdict::Order => "it gives orders to whoever reads it for somebody else",
    };
    State::Refused(format!("{why}{lost}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marks;
    use crate::units::Units;
    use skillkiln_document::testing::document;

    fn state(verdict: &str, quote: &str, cite: &str) -> State {
        let text = "# Door\n\nNever open the lid above 200 degrees.\n\nIt locks itself.";
        let source = Source::of(Units::of("Door", &document(text).blocks));
        let claim = Claim {
            text: "Keep it shut above 200 degrees.".into(),
            cite: marks::cite(cite).unwrap(),
            state: State::Waits,
            flags: Vec::new(),
            tries: 0,
        };
        let answer = format!(
            "{{\"verdicts\":[{{\"id\":1,\"verdict\":\"{verdict}\",\"quote\":\"{quote}\",\"lost\":\"x\"}}]}}"
        );
        weigh(&source, &claim, &read(&answer)[0])
    }

    #[test]
    fn a_verdict_is_believed_with_a_quotation_that_stands_there() {
        let quote = "Never open the lid";
        assert!(matches!(
            state("supported", quote, "2"),
            State::Said { unit: 2, .. }
        ));
        assert!(matches!(
            state("supported", quote, "~2"),
            State::Inferred { .. }
        ));
        assert!(matches!(
            state("follows", quote, "2"),
            State::Inferred { .. }
        ));
        assert!(matches!(
            state("supported", "Always open the lid", "2"),
            State::Refused(_)
        ));
        assert!(
            matches!(state("supported", quote, "3"), State::Refused(_)),
            "of another unit"
        );
        assert!(matches!(state("supported", "-", "2"), State::Refused(_)));
        for verdict in ["partly", "contradicted", "not there", "not_there", "order"] {
            assert!(
                matches!(state(verdict, quote, "2"), State::Refused(_)),
                "{verdict}"
            );
        }
    }

    #[test]
    fn what_is_no_verdict_is_left_out() {
        for answer in [
            "",
            "{}",
            "{\"verdicts\":[{\"id\":1,\"verdict\":\"supported\",\"quote\":\"\"}]}",
            "{\"verdicts\":[{\"id\":-1,\"verdict\":\"supported\"},{\"id\":1,\"verdict\":\"fine\"},3]}",
        ] {
            assert_eq!(read(answer), [], "{answer}");
        }
    }
}
