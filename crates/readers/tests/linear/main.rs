//! Holds every reader, and the writing of a skill, to work that grows with the text and no faster: each hostile text is read and written of
//! at one size and at four times that.
//!
//! Work is counted, not timed: the steps of the code itself and the memory that it asks for. A loop that looks at all that came before
//! would take sixteen times as much for four times the text.

mod generators;

use generators::{GENERATORS, Generator};
use skillkiln_document::blocks::Document;
use skillkiln_document::{markdown, work};
use skillkiln_readers::limits::Reading;
use skillkiln_readers::readers::{self, Task};
use skillkiln_readers::{file_type, finish, invisible};
use skillkiln_skills::skill::{Source, Wish};
use skillkiln_skills::{clean, topics};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

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

/// Cleans a document, looks for its topics and writes its skill.
fn write(document: &Document) {
    let document = clean::prepare(document);
    let _ = topics::topics(&document, "text");
    let _ = skillkiln_skills::write::write(&document, &Source::default(), &Wish::default());
}

/// The work of reading `bytes` bytes of it.
fn work_of_reading(generator: &Generator, bytes: usize) -> u64 {
    let text = generator.text(bytes);
    work_of(|| read(generator, &text))
}

/// The work of writing of `bytes` bytes of it; none where these are refused.
fn work_of_writing(generator: &Generator, bytes: usize) -> u64 {
    let read = document(generator, &generator.text(bytes));
    read.map_or(0, |document| work_of(|| write(&document)))
}

/// The steps of some work, with the memory that it asks for.
fn work_of(work: impl FnOnce()) -> u64 {
    let before = Region::new(ALLOCATOR);
    let ((), steps) = work::counted(work);
    let change = before.change();
    let asked_for = (change.bytes_allocated / work::BYTES_A_STEP) as u64;
    steps + asked_for + change.allocations as u64
}

#[test]
fn four_times_the_text_is_at_most_five_times_the_work() {
    let measured = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(|| {
            let mut faults = Vec::new();
            for generator in GENERATORS {
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
                let _ = work_of_writing(generator, 1_000);
                let writing = |bytes| work_of_writing(generator, bytes);
                let works = (writing(WRITTEN_BYTES), writing(4 * WRITTEN_BYTES));
                hold("writing", ANY_SKILL, works);
            }
            faults
        });
    let faults = measured
        .expect("a thread")
        .join()
        .expect("no reader panics");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
