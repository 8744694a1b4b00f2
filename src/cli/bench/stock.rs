//! Owns what the generations are made of: the sources that were named, in turn, or texts that are made up.

use super::options::Bench;
use super::texts;
use crate::cli::output::Stop;
use crate::cli::source::SourceArgs;
use crate::pipeline::extract::Input;

/// Most texts that are made up before the clock starts; further generations take them in turn.
const TEXTS_MAX: u64 = 1_024;
/// Most bytes of them together, so that the peak of memory tells of the engine and not of its load.
const TEXTS_BYTES_MAX: usize = 32 << 20;

/// The sources, ready to be sent.
#[derive(Debug)]
pub struct Stock {
    /// The sources.
    pub inputs: Vec<Input>,
    /// What they are, for the report.
    pub words: String,
}

impl Stock {
    /// Reads the sources that were named, or makes texts up.
    ///
    /// # Errors
    /// [`Stop`] when one cannot be read.
    pub fn lay_in(bench: &Bench, file_bytes_max: u64) -> Result<Self, Stop> {
        if bench.sources.is_empty() {
            return Ok(Self::made_up(bench));
        }
        let inputs = bench
            .sources
            .iter()
            .map(|source| {
                let source = SourceArgs {
                    source: source.clone(),
                    source_type: None,
                    max_pages: 1,
                };
                // What is measured may be as short as it is.
                source.input(file_bytes_max, 0)
            })
            .collect::<Result<Vec<Input>, Stop>>()?;
        let words = match bench.sources.as_slice() {
            [one] => one.clone(),
            several => format!("{} sources in turn", several.len()),
        };
        Ok(Self { inputs, words })
    }

    fn made_up(bench: &Bench) -> Self {
        let size = bench.size_bytes as usize;
        let fitting = (TEXTS_BYTES_MAX / size.max(1)).max(1) as u64;
        let wanted = bench.generations.map_or(TEXTS_MAX, u64::from).max(2);
        let count = wanted.min(TEXTS_MAX).min(fitting);
        let text = |number| Input::Text(texts::text(bench.seed, number, size));
        Self {
            inputs: (0..count).map(text).collect(),
            words: format!("texts of {size} bytes, seed {}", bench.seed),
        }
    }

    /// Where the source of the `n`-th generation stands among `count`.
    #[must_use]
    pub fn turn(n: u64, count: usize) -> usize {
        usize::try_from(n % count.max(1) as u64).unwrap_or(0)
    }
}

/// How many bytes a source brings; 0 for what is fetched.
#[must_use]
pub fn bytes_of(input: &Input) -> u64 {
    match input {
        Input::Text(text) => text.len() as u64,
        Input::Files(files) => files.iter().map(|file| file.bytes.len() as u64).sum(),
        Input::Video(_) | Input::Address { .. } => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::options::bench;

    #[test]
    fn made_up_sources_are_no_more_than_are_needed_and_fit_into_their_room() {
        let few = Stock::lay_in(&bench(&["--generations", "6"]), 100).unwrap();
        assert_eq!(few.inputs.len(), 6);
        let many = Stock::lay_in(&bench(&["--generations", "5000"]), 100).unwrap();
        assert_eq!(many.inputs.len(), 1_024);
        let large = Stock::lay_in(&bench(&["--size-bytes", "8388608"]), 100).unwrap();
        assert_eq!(large.inputs.len(), 4);
    }

    #[test]
    fn sources_are_taken_in_turn() {
        let turns: Vec<usize> = (0..5).map(|n| Stock::turn(n, 2)).collect();
        assert_eq!(turns, [0, 1, 0, 1, 0]);
    }

    #[test]
    fn a_source_that_is_not_there_is_named() {
        let missing = bench(&["--source", "/nowhere/manual.pdf"]);
        assert!(matches!(
            Stock::lay_in(&missing, 100),
            Err(Stop::Failed(message)) if message.contains("/nowhere/manual.pdf")
        ));
    }
}
