//! Reads archives of documents (zip, tar, tar.gz) as one document: the tree of its files, its README, then every other file
//! as a part of its own. What is not read is named or counted, never dropped in silence.

use crate::builder::{Builder, shift};
use crate::includes::{self, Siblings};
use crate::limits::Reading;
use crate::package::{Budget, Package, damaged, unreadable};
use crate::words::{WordList, words};
use crate::{file_type, parts};
use skillkiln_document::blocks::{About, Block, BlockKind, Document};
use skillkiln_document::failure::Failure;
use skillkiln_document::text::Inline;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Unreadable files that are named one by one.
const NAMED_MAX: usize = 20;
/// Folders whose content is no document of the archive's own.
static SKIPPED_FOLDERS: WordList =
    words!("__macosx cvs node_modules __pycache__ $recycle.bin .git .svn .hg");
/// Extensions of what its owner would take for a document, and so wants to hear about when it cannot be read.
const DOCUMENTS: &[&str] = &[
    "pdf", "doc", "docx", "docm", "ppt", "pptx", "xls", "xlsx", "xlsm", "odt", "odp", "ods", "rtf",
    "epub", "zip", "tar", "gz", "tgz", "7z", "rar", "html", "htm", "md", "txt",
];

/// A file of an archive: its cleaned path and where its bytes are.
struct Member<P> {
    path: String,
    place: P,
}

/// What was not read.
#[derive(Default)]
struct Skipped {
    named: Vec<(String, String)>,
    hidden: usize,
    binary: usize,
    empty: usize,
}

/// What an archive is read within. A file in it may be of any type, an archive too, so who reads all types hands that down.
pub(crate) struct Within<'b> {
    /// How much is read.
    pub(crate) limits: &'b Reading,
    /// What may still be unpacked.
    pub(crate) budget: &'b Budget,
    /// Reads a file by its path.
    pub(crate) member: fn(&str, &[u8], &Within<'_>) -> Result<Document, Failure>,
}

/// Reads the zip that `package` is.
///
/// # Errors
/// When nothing in it can be read, or a limit is reached.
pub(crate) fn read_zip(mut package: Package<'_>, within: &Within<'_>) -> Result<Document, Failure> {
    let members = package
        .entries()
        .into_iter()
        .map(|entry| Member {
            path: entry.name,
            place: entry.index,
        })
        .collect();
    read(members, within, |index| {
        package.entry(*index).map(Cow::Owned)
    })
}

/// Reads a tar.
///
/// # Errors
/// As [`read_zip`].
pub(crate) fn read_tar(bytes: &[u8], within: &Within<'_>) -> Result<Document, Failure> {
    let mut members: Vec<Member<Range<usize>>> = Vec::new();
    let mut tar = tar::Archive::new(bytes);
    for entry in tar.entries().map_err(|_| damaged())? {
        // What comes before the damage is kept only when all is: half an archive is not what its owner sent.
        let entry = entry.map_err(|_| damaged())?;
        within.budget.count(1)?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let start = usize::try_from(entry.raw_file_position()).unwrap_or(usize::MAX);
        let size = usize::try_from(entry.size()).unwrap_or(usize::MAX);
        members.push(Member {
            path: String::from_utf8_lossy(&entry.path_bytes()).into_owned(),
            place: start..start.saturating_add(size),
        });
    }
    read(members, within, |range| {
        let found = bytes.get(range.clone()).ok_or_else(damaged)?;
        Ok(Cow::Borrowed(found))
    })
}

/// Reads what is packed with gzip: a tar, or a single file named as the packed one without `.gz`.
///
/// # Errors
/// As [`read_zip`], and what the single file's reader says.
pub(crate) fn read_gzip(
    bytes: &[u8],
    filename: Option<&str>,
    within: &Within<'_>,
) -> Result<Document, Failure> {
    let inner = within
        .budget
        .inflate(flate2::read::MultiGzDecoder::new(bytes))?;
    if file_type::is_tar(&inner) {
        return read_tar(&inner, within);
    }
    let name = filename.unwrap_or("");
    let name = match name
        .len()
        .checked_sub(3)
        .map(|at| name.split_at_checked(at))
    {
        Some(Some((stem, end))) if end.eq_ignore_ascii_case(".gz") => stem,
        _ => name,
    };
    (within.member)(name, &inner, within)
}

fn read<'b, P>(
    members: Vec<Member<P>>,
    within: &Within<'_>,
    mut open: impl FnMut(&P) -> Result<Cow<'b, [u8]>, Failure>,
) -> Result<Document, Failure> {
    let mut skipped = Skipped::default();
    let mut members = cleaned(members, &mut skipped);
    let root = common_root(&members);
    for member in &mut members {
        member.path.drain(..root.len());
    }
    members.sort_by(|a, b| in_reading_order(&a.path, &b.path));
    // The README that stands highest speaks first.
    let readme = members
        .iter()
        .enumerate()
        .filter(|(_, member)| is_readme(&member.path))
        .min_by_key(|(_, member)| member.path.matches('/').count())
        .map(|(at, _)| at);
    let tree: Vec<String> = members.iter().map(|member| member.path.clone()).collect();
    if let Some(at) = readme {
        let first = members.remove(at);
        members.insert(0, first);
    }
    let mut documents: Vec<(String, Document)> = Vec::new();
    for member in members {
        let read = open(&member.place).and_then(|bytes| {
            if bytes.is_empty() {
                return Ok(None);
            }
            let is_document = DOCUMENTS.contains(&extension(&member.path).as_str());
            match file_type::of_file(&member.path, &bytes) {
                Err(_) if !is_document => {
                    skipped.binary += 1;
                    return Ok(None);
                }
                _ => {}
            }
            (within.member)(&member.path, &bytes, within).map(Some)
        });
        match read {
            Ok(Some(document)) if document.is_blank() => skipped.empty += 1,
            Ok(Some(mut document)) => {
                document.title.get_or_insert_with(|| member.path.clone());
                documents.push((member.path, document));
            }
            Ok(None) => {}
            // A bound that is reached is reached for the whole archive.
            Err(failure) if within.budget.is_spent() => return Err(failure),
            Err(failure) => skipped.named.push((member.path, failure.message)),
        }
    }
    if documents.is_empty() {
        return Err(nothing(&skipped));
    }
    take_in(&mut documents);
    let title = documents
        .first()
        .filter(|(path, _)| is_readme(path))
        .and_then(|(_, document)| document.title.clone())
        .filter(|title| !is_readme(title))
        .or_else(|| Some(root.trim_end_matches('/').to_owned()))
        .filter(|title| !title.is_empty());
    let read: Vec<&str> = documents.iter().map(|(path, _)| path.as_str()).collect();
    let mut builder = Builder::default();
    let mut blocks = first_page(&mut builder, &tree, &read, &skipped);
    let mut document = builder.finish(title, About::default(), Vec::new());
    let joined = parts::join(documents);
    let mut rest = joined.blocks;
    shift(&mut rest, document.text.len());
    document.text.push_str(&joined.text);
    blocks.extend(rest);
    document.about = joined.about;
    document.blocks = blocks;
    Ok(document)
}

impl Siblings for HashMap<String, Document> {
    fn file(&self, path: &str) -> Option<Document> {
        self.get(path).cloned()
    }
}

/// Puts the files that others take in into these.
fn take_in(documents: &mut [(String, Document)]) {
    let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let named = documents
        .iter_mut()
        .flat_map(|(_, document)| includes::names(document));
    let wanted: HashSet<String> = named.map(|name| last(&name)).collect();
    let known = documents
        .iter()
        .filter(|(path, _)| wanted.contains(&last(path)));
    let known: HashMap<String, Document> = known.cloned().collect();
    if known.is_empty() {
        return;
    }
    let mut left = includes::TAKEN_BYTES_MAX;
    for (path, document) in documents {
        includes::resolve(document, path, &known, &mut left);
    }
}

/// The tree of what was read, and what was not.
fn first_page(
    builder: &mut Builder,
    tree: &[String],
    read: &[&str],
    skipped: &Skipped,
) -> Vec<Block> {
    let mut listing = String::new();
    let mut folders: Vec<&str> = Vec::new();
    for path in tree.iter().filter(|path| read.contains(&path.as_str())) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let steps: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
        let same = folders
            .iter()
            .zip(&steps)
            .take_while(|(a, b)| a == b)
            .count();
        for (depth, step) in steps.iter().enumerate().skip(same) {
            listing.push_str(&"  ".repeat(depth));
            listing.push_str(step);
            listing.push_str("/\n");
        }
        listing.push_str(&"  ".repeat(steps.len()));
        listing.push_str(name);
        listing.push('\n');
        folders = steps;
    }
    let mut blocks = vec![builder.leaf(BlockKind::Code {
        language: None,
        text: listing.trim_end().to_owned(),
    })];
    if let Some(says) = skipped.says() {
        blocks.push(builder.leaf(BlockKind::Paragraph(vec![Inline::Text(says)])));
    }
    blocks
}

impl Skipped {
    /// What was not read, as a sentence.
    fn says(&self) -> Option<String> {
        let mut pieces: Vec<String> = self
            .named
            .iter()
            .take(NAMED_MAX)
            .map(|(path, why)| format!("{path} ({why})"))
            .collect();
        let more = self.named.len().saturating_sub(NAMED_MAX);
        let counted = [
            (more, "more of the kind"),
            (self.binary, "binary"),
            (self.hidden, "hidden"),
            (self.empty, "empty"),
        ];
        pieces.extend(
            counted
                .iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, what)| format!("{count} {what}")),
        );
        (!pieces.is_empty()).then(|| format!("Files not read: {}.", pieces.join("; ")))
    }
}

fn nothing(skipped: &Skipped) -> Failure {
    let what = match skipped.named.as_slice() {
        [] => "there is no document in this archive".to_owned(),
        [(path, why)] => return unreadable(&format!("{path}: {why}")),
        [(path, why), ..] => {
            format!("no document in this archive can be read; the first is {path}: {why}")
        }
    };
    unreadable(&format!("{what}; supported are {}", file_type::READABLE))
}

/// Members with harmless paths, without those that are hidden or belong to no document.
fn cleaned<P>(members: Vec<Member<P>>, skipped: &mut Skipped) -> Vec<Member<P>> {
    let members: Vec<(Vec<String>, P)> = members
        .into_iter()
        .map(|member| (steps_of(&member.path), member.place))
        .collect();
    let above = above_all(&members);
    let mut kept = Vec::with_capacity(members.len());
    for (steps, place) in members {
        let is_hidden = steps.is_empty()
            || steps.iter().enumerate().any(|(at, step)| {
                let step = step.to_lowercase();
                SKIPPED_FOLDERS.contains(&step.as_str()) || at >= above && step.starts_with('.')
            });
        if is_hidden {
            skipped.hidden += 1;
            continue;
        }
        kept.push(Member {
            path: steps.join("/"),
            place,
        });
    }
    kept
}

/// The folders and the name in a path, without what leads out of the archive.
fn steps_of(path: &str) -> Vec<String> {
    path.replace('\\', "/")
        .split('/')
        .map(|step| step.chars().filter(|c| !c.is_control()).collect::<String>())
        .filter(|step| !matches!(step.trim(), "" | "." | "..") && !step.ends_with(':'))
        .collect()
}

/// How many folders stand above every member. They tell where the archive was made, so nothing is hidden because one of them is.
fn above_all<P>(members: &[(Vec<String>, P)]) -> usize {
    let mut folders = members
        .iter()
        .filter_map(|(steps, _)| steps.split_last())
        .map(|(_, folders)| folders);
    let Some(first) = folders.next() else {
        return 0;
    };
    folders.fold(first.len(), |above, folders| {
        let same = first.iter().zip(folders).take_while(|(a, b)| a == b);
        same.count().min(above)
    })
}

/// The folder that everything is in, with its slash; empty when there is none.
fn common_root<P>(members: &[Member<P>]) -> String {
    let mut root: Option<&str> = None;
    for member in members {
        let Some((first, _)) = member.path.split_once('/') else {
            return String::new();
        };
        if *root.get_or_insert(first) != first {
            return String::new();
        }
    }
    root.map(|root| format!("{root}/")).unwrap_or_default()
}

fn is_readme(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    name == "readme" || name.starts_with("readme.")
}

fn extension(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.')
        .map(|(_, extension)| extension.to_lowercase())
        .unwrap_or_default()
}

/// A folder's own files before its folders; what introduces before the rest; numbers by their value.
fn in_reading_order(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.split('/').peekable(), b.split('/').peekable());
    loop {
        match (left.next(), right.next()) {
            (Some(x), Some(y)) => {
                let (x_is_file, y_is_file) = (left.peek().is_none(), right.peek().is_none());
                let order = y_is_file
                    .cmp(&x_is_file)
                    .then_with(|| introduces(y).cmp(&introduces(x)))
                    .then_with(|| naturally(x, y));
                if order != Ordering::Equal {
                    return order;
                }
            }
            (left, right) => return left.is_some().cmp(&right.is_some()),
        }
    }
}

fn introduces(name: &str) -> bool {
    let lower = name.to_lowercase();
    let stem = lower.split('.').next().unwrap_or("");
    matches!(
        stem,
        "readme" | "index" | "_index" | "introduction" | "intro" | "summary"
    )
}

/// Compares names as people sort them: runs of digits by their value.
fn naturally(a: &str, b: &str) -> Ordering {
    let (a_low, b_low) = (a.to_lowercase(), b.to_lowercase());
    let (mut left, mut right) = (a_low.as_str(), b_low.as_str());
    while !left.is_empty() && !right.is_empty() {
        let (x, x_rest) = run(left);
        let (y, y_rest) = run(right);
        let order = match (x.parse::<u64>(), y.parse::<u64>()) {
            (Ok(x), Ok(y)) => x.cmp(&y),
            _ => x.cmp(y),
        };
        if order != Ordering::Equal {
            return order;
        }
        (left, right) = (x_rest, y_rest);
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

/// The digits, or what is none, at the start of `text`, and the rest.
fn run(text: &str) -> (&str, &str) {
    let digits = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text
        .find(|c: char| c.is_ascii_digit() != digits)
        .unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::code;
    use crate::markup::markdown;
    use skillkiln_document::markdown::write;

    #[test]
    fn files_are_read_as_people_sort_them() {
        let mut paths = [
            "b/x.md",
            "ch10.md",
            "ch2.md",
            "a/index.md",
            "a/a.md",
            "z.md",
        ];
        paths.sort_by(|a, b| in_reading_order(a, b));
        assert_eq!(
            paths,
            [
                "ch2.md",
                "ch10.md",
                "z.md",
                "a/index.md",
                "a/a.md",
                "b/x.md"
            ]
        );
    }

    #[test]
    fn paths_are_cleaned_and_what_is_hidden_is_counted() {
        let paths = [
            "../../etc/a.md",
            "C:\\docs\\b.md",
            ".git/config",
            "__MACOSX/._a.md",
            "/c.md",
            "..",
        ];
        let members = paths
            .iter()
            .map(|path| Member {
                path: (*path).to_owned(),
                place: (),
            })
            .collect();
        let mut skipped = Skipped::default();
        let kept: Vec<String> = cleaned(members, &mut skipped)
            .into_iter()
            .map(|member| member.path)
            .collect();
        assert_eq!(kept, ["etc/a.md", "docs/b.md", "c.md"]);
        assert_eq!(skipped.says().as_deref(), Some("Files not read: 3 hidden."));
    }

    #[test]
    fn an_archive_made_in_a_hidden_folder_hides_nothing_but_what_is_hidden_in_it() {
        let cleaned_paths = |paths: &[&str]| {
            let members = paths.iter().map(|path| Member {
                path: (*path).to_owned(),
                place: (),
            });
            let kept = cleaned(members.collect(), &mut Skipped::default());
            let kept: Vec<String> = kept.into_iter().map(|member| member.path).collect();
            kept.join(" ")
        };
        assert_eq!(
            cleaned_paths(&[
                "/root/.cache/kiln/a.md",
                "/root/.cache/kiln/.b/c.md",
                "/root/.cache/kiln/d/e.md"
            ]),
            "root/.cache/kiln/a.md root/.cache/kiln/d/e.md"
        );
        assert_eq!(cleaned_paths(&["kiln/.git/a", "kiln/.git/b"]), "");
        assert_eq!(cleaned_paths(&[".a.md", ".b/c.md"]), "");
    }

    #[test]
    fn a_listing_that_a_page_takes_in_from_beside_it_stands_in_it() {
        let page = markdown::read("Light it:\n\n{{#include ../src/kiln.rs}}\n".to_owned());
        let listing = code::read("fn light() {}\n".to_owned(), "rust");
        let mut documents = [
            ("docs/a.md".to_owned(), page),
            ("src/kiln.rs".to_owned(), listing),
        ];
        take_in(&mut documents);
        assert_eq!(
            write(&documents[0].1.blocks),
            "Light it:\n\n```rust\nfn light() {}\n```\n"
        );
    }
}
