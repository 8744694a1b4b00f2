//! Holds every reader, the writing of a skill and the checks on it to work that grows with the text and no faster: each hostile text is
//! read, written of and checked at one size and at four times that.
//!
//! Work is counted, not timed: the steps of the code itself and the memory that it asks for. A loop that looks at all that came before
//! would take sixteen times as much for four times the text.

mod generators;

use generators::{Generator, generators};
use skillkiln_document::blocks::Document;
use skillkiln_document::{markdown, work};
use skillkiln_readers::limits::Reading;
use skillkiln_readers::readers::{self, Task};
use skillkiln_readers::{file_type, finish, invisible};
use skillkiln_skills::skill::{Skill, Source, Wish};
use skillkiln_skills::validate::Judge;
use skillkiln_skills::validate::package::Package;
use skillkiln_skills::validate::profile::Profile;
use skillkiln_skills::{clean, origins, topics, validate};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::process::{Command, Stdio};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The smaller of the two sizes: large enough that what is done once for each text weighs little.
const BYTES: usize = 8_000;
/// The same for writing: a text that does not stand whole in its skill.
const WRITTEN_BYTES: usize = 10_000;
/// How much more work four times the text may be.
const GROWTH_MAX: u64 = 5;
/// Work that is done for any text, however short, and is none of its growth.
const ANY_TEXT: u64 = 20_000;
/// The same for a skill: the smaller text may stand whole, and be too short for topics.
const ANY_SKILL: u64 = 400_000;
/// As deep as a reader's own thread.
const STACK_BYTES: usize = 64 << 20;

/// Reads a text as the service does; none where it is refused.
fn document(generator: &Generator, text: &str) -> Option<Document> {
    let task = Task {
        file_type: file_type::of_file(generator.file, text.as_bytes()).ok()?,
        charset: None,
        address: None,
        filename: Some(generator.file.to_owned()),
        limits: Reading::default(),
    };
    let mut document = readers::read(&task, text.as_bytes().into()).ok()?;
    invisible::clear(&mut document.blocks);
    finish::finish(&mut document);
    Some(document)
}

/// Reads a text to its Markdown.
fn read(generator: &Generator, text: &str) {
    if let Some(document) = document(generator, text) {
        let _ = markdown::write(&document.blocks);
    }
}

/// Cleans a document, looks for its topics and writes its skill; none where that is refused.
fn write(document: &Document) -> Option<Skill> {
    let document = clean::prepare(document);
    let _ = topics::topics(&document, "text");
    skillkiln_skills::write::write(&document, &Source::default(), &Wish::default()).ok()
}

/// Checks a skill against its source and by itself, and looks where its parts come from.
fn check(skill: &Skill, document: &Document) {
    let Skill {
        name,
        content,
        references,
        traces,
        ..
    } = skill;
    let _ = origins::of(content, references, traces, document, &Source::default());
    let package = Package::of(name, content.clone(), references.clone());
    let _ = Judge::of(document, "text").standing(&package, true, &[]);
}

/// A text as the whole of somebody's SKILL.md, and as a header that is never closed.
fn check_by_hand(text: &str) {
    for skill in [
        format!("---\nname: kiln\ndescription: {text}\n---\n{text}\n"),
        format!("---\n{text}"),
    ] {
        let _ = validate::check(&Package::alone(skill.into_bytes()), Profile::Claude);
    }
}

/// The work of reading `bytes` bytes of it.
fn work_of_reading(generator: &Generator, bytes: usize) -> u64 {
    let text = generator.text(bytes);
    work_of(|| read(generator, &text))
}

/// The work of writing of `bytes` bytes of it, and of checking what was written; none where these are refused.
fn works_on(generator: &Generator, bytes: usize) -> [u64; 2] {
    let Some(document) = document(generator, &generator.text(bytes)) else {
        return [0, 0];
    };
    let mut skill = None;
    let writing = work_of(|| skill = write(&document));
    let checking = skill.map_or(0, |skill| work_of(|| check(&skill, &document)));
    [writing, checking]
}

/// The steps of some work, with the memory that it asks for.
fn work_of(work: impl FnOnce()) -> u64 {
    let before = Region::new(ALLOCATOR);
    let ((), steps) = work::counted(work);
    let change = before.change();
    let asked_for = (change.bytes_allocated / work::BYTES_A_STEP) as u64;
    steps + asked_for + change.allocations as u64
}

/// Set in each of the processes that measure together: which it is, and how many they are. Memory is counted for all threads of a process.
const PART: &str = "SKILLKILN_LINEAR_PART";
const TEST: &str = "four_times_the_text_is_at_most_five_times_the_work";

#[test]
fn four_times_the_text_is_at_most_five_times_the_work() {
    if let Ok(part) = std::env::var(PART) {
        let (part, parts) = part.split_once('/').expect("which of how many");
        let (part, parts) = (
            part.parse().expect("which"),
            parts.parse().expect("of how many"),
        );
        let measured = std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(move || faults(part, parts));
        let faults = measured
            .expect("a thread")
            .join()
            .expect("no reader panics");
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        return;
    }
    let parts = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let program = std::env::current_exe().expect("this program");
    let measuring: Vec<_> = (0..parts)
        .map(|part| {
            let mut command = Command::new(&program);
            command
                .args(["--exact", TEST])
                .env(PART, format!("{part}/{parts}"));
            let (out, err) = (Stdio::piped(), Stdio::piped());
            command.stdout(out).stderr(err).spawn().expect("it starts")
        })
        .collect();
    for process in measuring {
        let output = process.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && told.contains("1 passed"),
            "{told}"
        );
    }
}

/// What grows faster than it may in one of several parts of the generators.
fn faults(part: usize, parts: usize) -> Vec<String> {
    let mut faults = Vec::new();
    for generator in generators().iter().skip(part).step_by(parts) {
        let Generator { name, file, .. } = generator;
        let mut hold = |what: &str, any_text: u64, (small, large): (u64, u64)| {
            if large > GROWTH_MAX * small + any_text {
                faults.push(format!(
                    "{what} {file}, {name}: {small} steps, then {large}"
                ));
            }
        };
        // What is made once for all texts is made before.
        read(generator, &generator.text(100));
        let reading = |bytes| work_of_reading(generator, bytes);
        hold("reading", ANY_TEXT, (reading(BYTES), reading(4 * BYTES)));
        let _ = works_on(generator, 1_000);
        let small = works_on(generator, WRITTEN_BYTES);
        let large = works_on(generator, 4 * WRITTEN_BYTES);
        let works = small.into_iter().zip(large);
        for (what, works) in ["writing", "checking"].into_iter().zip(works) {
            hold(what, ANY_SKILL, works);
        }
        let by_hand = |bytes| {
            let text = generator.text(bytes);
            work_of(|| check_by_hand(&text))
        };
        hold(
            "checking by hand",
            ANY_TEXT,
            (by_hand(BYTES), by_hand(4 * BYTES)),
        );
    }
    faults
}
