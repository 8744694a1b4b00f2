//! Runs of which a capable model's answers were recorded, played again through the whole flow: what an expert writes is not refused, and
//! what is delivered holds all of it that is true.
//!
//! A folder of `recorded/` has the source, the answer of each step, and a verdict for each claim by its words, so that claims may be asked
//! about in other batches.

use serde_json::{Value, json};
use skillkiln_author::author::{Author, Limits, Lost, Work};
use skillkiln_author::check::Source;
use skillkiln_author::compile::{self, Compiled, Frame};
use skillkiln_author::draft::State;
use skillkiln_author::prompt::{Question, Step};
use skillkiln_document::blocks::Document;
use skillkiln_readers::markup::markdown;
use skillkiln_skills::skill;
use skillkiln_skills::tokens::tokens;
use std::path::{Path, PathBuf};

const LIMITS: Limits = Limits {
    context_tokens: 16_384,
    answer_tokens_max: 4_096,
    body_tokens_max: 3_000,
};

/// What a replay comes to.
struct Replay {
    work: Work,
    source: Source,
    compiled: Compiled,
    asked: Vec<Step>,
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/recorded")
        .join(name)
}

fn text(name: &str, file: &str) -> String {
    let path = folder(name).join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The recorded answer to a question.
fn answer(name: &str, question: &Question) -> String {
    match question.step {
        Step::Write => text(name, "write.md"),
        Step::Judge => {
            let verdicts: Value = serde_json::from_str(&text(name, "judge.json")).expect("JSON");
            verdicts_on(&verdicts, question)
        }
        step => text(name, &format!("{}.json", step.as_str())),
    }
}

/// The verdicts on the claims of a question, each `[verdict, quote]` or `[verdict, quote, what was lost]` under the claim's words.
fn verdicts_on(recorded: &Value, question: &Question) -> String {
    let claims = question.task.lines().filter_map(|line| {
        let (id, rest) = line.split_once(". ")?;
        let (claim, _) = rest.rsplit_once(" — units ")?;
        Some((id.parse::<u64>().ok()?, claim))
    });
    let verdict = |(id, claim): (u64, &str)| {
        let own = &recorded[claim];
        assert!(
            own.is_array(),
            "no verdict on {claim:?} in\n{}\n{}",
            question.source,
            question.task
        );
        json!({ "id": id, "ask": "", "verdict": own[0], "unit": "", "quote": own[1], "lost": own[2].as_str().unwrap_or_default() })
    };
    let verdicts: Vec<Value> = claims.map(verdict).collect();
    json!({ "verdicts": verdicts }).to_string()
}

fn replay(name: &str) -> Replay {
    let markdown = text(name, "source.md");
    let document: Document = markdown::read(markdown);
    let title = document.title.clone().unwrap_or_default();
    let mut author = Author::new(&title, &document.blocks, "=== f ===".to_owned(), LIMITS);
    let estimate = author.estimate();
    let (mut input, mut output) = (0, 0);
    let mut asked = Vec::new();
    while let Some(round) = author.next_round() {
        asked.extend(round.questions.iter().map(|question| question.step));
        assert!(asked.len() < 60, "it ends");
        let answers: Vec<Result<String, Lost>> = round
            .questions
            .iter()
            .map(|question| {
                let answer = answer(name, question);
                assert!(question.accepts(&answer), "{:?}", question.step);
                for text in [&question.system, &question.source, &question.task] {
                    input += tokens(text);
                }
                output += tokens(&answer);
                Ok(answer)
            })
            .collect();
        author.answer(&answers);
    }
    // What was estimated is of the size of what was used; a judge says more than was recorded of it.
    for (estimated, used, most) in [(estimate.input, input, 2), (estimate.output, output, 3)] {
        assert!(
            estimated * 10 >= used * 8 && estimated <= used * most,
            "{name}: {estimated} estimated, {used} used"
        );
    }
    let (work, source) = author.finish().expect("a skill");
    let origin = skill::Source {
        label: "text".into(),
        source_type: "text".into(),
        ..skill::Source::default()
    };
    let frame = Frame::of(
        &document,
        &document.blocks,
        &origin,
        &skill::Wish::default(),
    );
    let frame = frame.expect("a card");
    let header = "---\nname: \"x\"\n---\n";
    let compiled = compile::write(&work.page, &source, &frame, &work.brief.title, header);
    Replay {
        work,
        source,
        compiled,
        asked,
    }
}

/// What holds of every run: nothing that an expert wrote is refused by the program, every line that stands has a quotation, and the whole
/// keeps within its bounds.
fn is_sound(replay: &Replay, refused: usize) {
    let Replay {
        work,
        source,
        compiled,
        ..
    } = replay;
    let words: Vec<&String> = work.thrown.iter().map(|(_, why)| why).collect();
    assert_eq!(work.thrown.len(), refused, "{words:?}");
    for why in words {
        assert!(
            why.starts_with("its units") || why.starts_with("a part"),
            "a judge's word, not the program's: {why}"
        );
    }
    assert!(work.skipped.is_empty(), "{:?}", work.skipped);
    for line in &work.page.lines {
        for claim in line
            .claims
            .iter()
            .filter_map(|at| work.page.claims.get(*at))
        {
            match &claim.state {
                State::Said { unit, quote } | State::Inferred { unit, quote } => {
                    assert!(!claim.cite.ids.is_empty());
                    assert_eq!(source.evidence.quoted(&[*unit], quote), Some(*unit));
                }
                state => assert_eq!(state, &State::LeadIn, "{}", claim.text),
            }
        }
    }
    let content = &compiled.content;
    assert!(content.lines().count() <= 250 && !content.contains("[[") && !content.contains("{{"));
    let described = work.brief.description.chars().count();
    assert!(
        (60..=320).contains(&described),
        "{}",
        work.brief.description
    );
    assert!(work.brief.description.contains("Use when"));
    assert!(!work.brief.title.is_empty() && !work.brief.name.is_empty());
    // Code stands as it stands in the source.
    let source_code: Vec<&str> = source
        .units
        .all()
        .iter()
        .flat_map(|unit| &unit.lines)
        .map(|line| line.text.trim())
        .collect();
    let mut is_code = false;
    for line in content.lines().map(str::trim) {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            assert!(source_code.contains(&line), "{line}");
        }
    }
}

#[test]
fn a_tool_is_told_in_steps_and_a_review_adds_the_one_that_was_missing() {
    let replay = replay("tool");
    is_sound(&replay, 0);
    let content = &replay.compiled.content;
    for part in [
        "# kilnctl: firing an electric kiln\n",
        "3. Choose one with `kilnctl use <controller>`; the choice is kept in `~/.config/kilnctl/config.toml`.\n\
         4. Check that it answers:\n   ```sh\n   kilnctl status\n   ```\n\n- A firmware older than 5.0",
        "   ```sh\n   kilnctl start bisque.fsf\n   kilnctl watch\n   ```",
        "| `peak_max` | none | 1280 | programs above this peak, in °C, are refused |",
        "- `peak_max` cannot be set by the environment.\n",
        "| `port busy` | close the other program that holds the serial port |",
    ] {
        assert!(content.contains(part), "{part}\n{content}");
    }
    assert!(
        !content.contains("an option can set"),
        "what was mended is gone"
    );
    assert!(!replay.asked.contains(&Step::Notes));
}

#[test]
fn a_step_of_a_runbook_that_cannot_stand_comes_back_in_the_source_s_own_words() {
    let replay = replay("runbook");
    is_sound(&replay, 1);
    let content = &replay.compiled.content;
    assert!(
        content.contains(
            "   kilnctl stop --hold\n   ```\n2. Close the damper of the fan that tripped before you reset it, so that the other fan \
             does not turn it backwards.\n3. Reset the thermal switch on the fan's housing.\n4. Open the damper"
        ),
        "{content}"
    );
    assert!(!content.contains("after you have reset it"));
    let inferred = replay
        .compiled
        .proofs
        .iter()
        .filter(|proof| proof.is_inferred);
    let inferred: Vec<&str> = inferred.map(|proof| proof.units.as_str()).collect();
    assert_eq!(inferred, ["37"], "what is not covered follows");
}

#[test]
fn a_specification_keeps_its_bounds_and_what_nobody_named_is_looked_for() {
    let replay = replay("spec");
    is_sound(&replay, 0);
    let content = &replay.compiled.content;
    for part in [
        "FSF 2\nunit C\nguard over 1020\n",
        "| `hold <D>` | keeps the temperature, for 48 hours at most; durations are `90m`, `2h` or `1h30m` |",
        "- Replace `soak` by `hold`: version 2 rejects `soak`.\n- The vent is kept by default; version 1 opened it.\n",
        "| `P1` | power was lost for too long | it was, and has ended |",
    ] {
        assert!(content.contains(part), "{part}\n{content}");
    }
    assert!(replay.asked.contains(&Step::Cover) && !replay.asked.contains(&Step::Repair));
    let again = replay.asked.iter().filter(|step| **step == Step::Judge);
    assert_eq!(
        again.count(),
        3,
        "two batches and what was added; an edit that changes nothing is not judged again"
    );
}
