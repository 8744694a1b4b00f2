//! Owns what is meant by SOURCE on the command line: an address, a path, or `-` for standard input.

use super::beside;
use super::output::Stop;
use crate::domain::address::without_scheme;
use crate::domain::not_text;
use crate::domain::source::{self, Source, SourceType};
use crate::pipeline::extract::{Input, NamedBytes};
use clap::Args;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// What to read.
#[derive(Debug, Args)]
pub struct SourceArgs {
    /// An address, the path of a file or a folder, or - for standard input
    pub source: String,
    /// What the source is, when it should not be guessed: youtube, url, file or text (then SOURCE is the text itself)
    #[arg(long, value_name = "TYPE", value_parser = source_type)]
    pub source_type: Option<SourceType>,
    /// Read up to N pages of the site below a web address, as its navigation orders them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub max_pages: u32,
}

fn source_type(word: &str) -> Result<SourceType, String> {
    SourceType::parse(word).ok_or_else(|| "the types are youtube, url, file and text".to_owned())
}

impl SourceArgs {
    /// Where it lies on this machine; none where it is an address, a text or standard input.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        let path = Path::new(&self.source);
        let is_file = matches!(self.source_type, None | Some(SourceType::File));
        (is_file && self.source != "-" && path.exists()).then_some(path)
    }

    /// Reads what lies on this machine; what lies elsewhere is left to the extract stage. A text has at least `words_min` words.
    ///
    /// # Errors
    /// [`Stop::Failed`] when there is no such file, or it is larger than `bytes_max`; [`Stop::Misused`] when it is not of the type that
    /// it is said to be.
    pub fn input(&self, bytes_max: u64, words_min: usize) -> Result<Input, Stop> {
        let is_address = matches!(self.source_type, None | Some(SourceType::Url));
        let typed = without_scheme(&self.source).filter(|_| is_address && self.path().is_none());
        let value = typed.as_deref().unwrap_or(&self.source);
        match (value, self.source_type) {
            ("-", Some(SourceType::Url | SourceType::Youtube)) => Err(Stop::Misused(
                "standard input is no address; leave out --source-type".into(),
            )),
            ("-", kind) => {
                let bytes = read_all(io::stdin().lock(), "standard input", bytes_max)?;
                standard_input(bytes, kind, words_min)
            }
            (path, Some(SourceType::File)) => file(Path::new(path), bytes_max),
            (path, None) if Path::new(path).exists() => file(Path::new(path), bytes_max),
            (_, kind) => match source::resolve(value, kind, words_min) {
                Ok(Source::Youtube { address }) => Ok(Input::Video(address)),
                Ok(Source::Url { address, .. }) => Ok(Input::Address {
                    address,
                    pages: self.max_pages,
                }),
                Ok(Source::Text { text }) if kind == Some(SourceType::Text) => {
                    Ok(Input::Text(text))
                }
                Err(unfit) if kind.is_some() => Err(Stop::Misused(unfit.0.into_owned())),
                Err(unfit) if value.contains("://") => Err(Stop::Failed(unfit.0.into_owned())),
                Ok(_) | Err(_) => Err(Stop::Failed(format!(
                    "{value} is neither an address nor a file here; --source-type text takes it as text"
                ))),
            },
        }
    }
}

fn file(path: &Path, bytes_max: u64) -> Result<Input, Stop> {
    let shown = path.display().to_string();
    let opened =
        File::open(path).map_err(|cause| Stop::Failed(format!("cannot read {shown}: {cause}")))?;
    let bytes = match opened.metadata() {
        Ok(found) if found.is_dir() => beside::packed(path, bytes_max)?,
        _ => read_all(opened, &shown, bytes_max)?,
    };
    if bytes.is_empty() {
        return Err(Stop::Failed(format!("{shown} is empty")));
    }
    let named = path.canonicalize();
    let named = named.as_deref().unwrap_or(path).file_name();
    let filename = named.map_or(shown, |name| name.to_string_lossy().into_owned());
    Ok(Input::Files(vec![NamedBytes {
        filename,
        bytes: bytes.into(),
    }]))
}

/// Text that is piped in is text; anything else, such as a PDF, is a file without a name.
fn standard_input(
    bytes: Vec<u8>,
    kind: Option<SourceType>,
    words_min: usize,
) -> Result<Input, Stop> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Stop::Failed("standard input is empty".into()));
    }
    let is_text = kind != Some(SourceType::File) && !bytes.contains(&0);
    match String::from_utf8(bytes) {
        Ok(text) if is_text => match not_text::too_short(&text, words_min) {
            Some(refusal) => Err(Stop::Failed(refusal)),
            None => Ok(Input::Text(text)),
        },
        Err(_) if kind == Some(SourceType::Text) => {
            Err(Stop::Failed("standard input is not UTF-8 text".into()))
        }
        Ok(text) => Ok(nameless(text.into_bytes())),
        Err(error) => Ok(nameless(error.into_bytes())),
    }
}

fn nameless(bytes: Vec<u8>) -> Input {
    let extension = if bytes.starts_with(b"%PDF-") {
        ".pdf"
    } else {
        ""
    };
    Input::Files(vec![NamedBytes {
        filename: format!("stdin{extension}"),
        bytes: bytes.into(),
    }])
}

fn read_all(from: impl Read, name: &str, bytes_max: u64) -> Result<Vec<u8>, Stop> {
    let mut bytes = Vec::new();
    from.take(bytes_max.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|cause| Stop::Failed(format!("cannot read {name}: {cause}")))?;
    if bytes.len() as u64 > bytes_max {
        return Err(Stop::Failed(format!(
            "{name} is larger than {bytes_max} bytes (setting uploads.file_bytes_max)"
        )));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(source: &str, kind: Option<SourceType>) -> Result<Input, Stop> {
        SourceArgs {
            source: source.into(),
            source_type: kind,
            max_pages: 1,
        }
        .input(100, 1)
    }

    #[test]
    fn an_address_is_left_to_the_extract_stage() {
        assert!(matches!(
            input("https://example.org/a", None),
            Ok(Input::Address { pages: 1, .. })
        ));
        assert!(matches!(
            input("https://youtu.be/abc", None),
            Ok(Input::Video(_))
        ));
        for (typed, kind) in [
            ("example.org/guide", None),
            ("docs.rs", Some(SourceType::Url)),
        ] {
            let found = input(typed, kind);
            let Ok(Input::Address { address, .. }) = found else {
                panic!("{typed}: {found:?}");
            };
            assert_eq!(address, format!("https://{typed}"));
        }
        for typed in ["youtu.be/abc", "www.youtube.com/watch?v=abc"] {
            assert!(matches!(input(typed, None), Ok(Input::Video(_))), "{typed}");
        }
        assert!(input("ftp://example.org", None).is_err());
    }

    #[test]
    fn a_file_is_read_and_has_a_bound() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.md");
        std::fs::write(&path, "# Notes").unwrap();
        match input(path.to_str().unwrap(), None) {
            Ok(Input::Files(files)) => {
                assert_eq!(files[0].filename, "notes.md");
                assert_eq!(&files[0].bytes[..], b"# Notes");
            }
            other => panic!("{other:?}"),
        }
        std::fs::write(&path, "x".repeat(101)).unwrap();
        assert!(input(path.to_str().unwrap(), None).is_err());
        std::fs::write(&path, "").unwrap();
        assert!(input(path.to_str().unwrap(), None).is_err());
        assert!(input(folder.path().join("none").to_str().unwrap(), None).is_err());
        std::fs::write(&path, "x").unwrap();
        let whole = input(folder.path().to_str().unwrap(), None);
        assert!(matches!(whole, Ok(Input::Files(files)) if files[0].bytes.starts_with(b"PK")));
    }

    #[test]
    fn a_mistyped_path_is_not_taken_for_text() {
        assert!(matches!(input("notse.md", None), Err(Stop::Failed(_))));
        assert!(matches!(
            input("notse.md", Some(SourceType::Text)),
            Ok(Input::Text(_))
        ));
    }

    #[test]
    fn what_is_piped_in_is_text_or_a_file() {
        let text = b"# Title".to_vec();
        assert!(matches!(
            standard_input(text.clone(), None, 1),
            Ok(Input::Text(_))
        ));
        assert!(matches!(
            standard_input(text.clone(), Some(SourceType::File), 1),
            Ok(Input::Files(_))
        ));
        match standard_input(text, None, 2) {
            Err(Stop::Failed(refusal)) => assert!(refusal.contains("at least 2"), "{refusal}"),
            other => panic!("{other:?}"),
        }
        match standard_input(b"%PDF-1.7\xff\0".to_vec(), None, 1) {
            Ok(Input::Files(files)) => assert_eq!(files[0].filename, "stdin.pdf"),
            other => panic!("{other:?}"),
        }
        assert!(standard_input(b"\xff".to_vec(), Some(SourceType::Text), 1).is_err());
        assert!(standard_input(b" \n".to_vec(), None, 1).is_err());
    }
}
