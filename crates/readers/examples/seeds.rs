//! Writes what the fuzz targets begin with: the hostile texts on which the work of every reader is counted. `seeds CORPUS`

#[path = "../../../fuzz/fuzz_targets/files.rs"]
mod files;
#[path = "../tests/linear/generators.rs"]
mod generators;

use files::FILES;
use generators::{Generator, generators};
use std::path::PathBuf;

/// As long as an input of the targets may be.
const BYTES: usize = 4_000;

/// The name of a seed: what is hostile about it.
fn name(generator: &Generator, choice: u8) -> String {
    let name = generator.name.replace(|c: char| !c.is_alphanumeric(), "-");
    format!("{choice}-{name}-{}", generator.file)
}

fn main() -> std::io::Result<()> {
    let corpus = PathBuf::from(
        std::env::args_os()
            .nth(1)
            .unwrap_or_else(|| "corpus".into()),
    );
    let ending = |file: &str| file.rsplit('.').next().map(str::to_owned);
    for generator in &generators() {
        let text = generator.text(BYTES);
        let put = |target: &str, choice: u8| {
            let mut seed = vec![choice];
            seed.extend(text.bytes());
            std::fs::write(corpus.join(target).join(name(generator, choice)), seed)
        };
        let reader = FILES
            .iter()
            .position(|file| ending(file) == ending(generator.file));
        if let Some(choice) = reader.and_then(|reader| u8::try_from(reader).ok()) {
            put("readers", choice)?;
        }
        put("skills", 0)?;
        put("skills", 2)?;
    }
    Ok(())
}
