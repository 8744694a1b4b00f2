//! Holds every reader to work that grows with its text and no faster: each hostile text is read at one size and at four times that.
//!
//! Work is counted, not timed: the steps of the code itself and the memory that it asks for. A loop that looks at all that came before
//! would take sixteen times as much for four times the text.

mod generators;

use generators::{GENERATORS, Generator};
use skillkiln_document::{markdown, work};
use skillkiln_readers::limits::Reading;
use skillkiln_readers::readers::{self, Task};
use skillkiln_readers::{file_type, finish, invisible};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The smaller of the two sizes: large enough that what is done once for each text weighs little.
const BYTES: usize = 8_000;
/// How much more work four times the text may be.
const GROWTH_MAX: u64 = 5;
/// Work that is done for any text, however short, and is none of its growth.
const ANY_TEXT: u64 = 20_000;
/// As deep as a reader's own thread.
const STACK_BYTES: usize = 64 << 20;

/// Reads a text as the service does, to its Markdown; whether it is refused or read, it ends.
fn read(generator: &Generator, text: &str) {
    let Ok(file_type) = file_type::of_file(generator.file, text.as_bytes()) else {
        return;
    };
    let task = Task {
        file_type,
        charset: None,
        address: None,
        filename: Some(generator.file.to_owned()),
        limits: Reading::default(),
    };
    if let Ok(mut document) = readers::read(&task, text.as_bytes().into()) {
        invisible::clear(&mut document.blocks);
        finish::finish(&mut document);
        let _ = markdown::write(&document.blocks);
    }
}

/// The work of reading `bytes` bytes of it.
fn work_of(generator: &Generator, bytes: usize) -> u64 {
    let text = generator.text(bytes);
    let before = Region::new(ALLOCATOR);
    let ((), steps) = work::counted(|| read(generator, &text));
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
                // What is made once for all texts is made before.
                read(generator, &generator.text(100));
                let (small, large) = (work_of(generator, BYTES), work_of(generator, 4 * BYTES));
                if large > GROWTH_MAX * small + ANY_TEXT {
                    let Generator { name, file, .. } = generator;
                    faults.push(format!("{file}, {name}: {small} steps, then {large}"));
                }
            }
            faults
        });
    let faults = measured
        .expect("a thread")
        .join()
        .expect("no reader panics");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
