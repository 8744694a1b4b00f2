//! Opens what is packed (zip, gzip) safely: it counts entries and bytes while it inflates, whatever the headers claim, and stops at
//! the settings' bounds.

use crate::decode;
use crate::limits::Reading;
use crate::xml_tree::Tree;
use skillkiln_document::failure::{Failure, Reason};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::io::{Cursor, Read};
use zip::ZipArchive;
use zip::result::ZipError;

/// A small file may inflate to this much, whatever its ratio: an empty spreadsheet does.
const FREE_BYTES: u64 = 8 << 20;

/// What may still be inflated out of one file, shared by everything that is packed inside it.
#[derive(Debug)]
pub(crate) struct Budget {
    bytes: Cell<u64>,
    entries: Cell<u32>,
    depth: Cell<u32>,
    spent: Cell<bool>,
}

impl Budget {
    /// What `limits` allow for a file of `size_bytes`.
    pub(crate) fn new(limits: &Reading, size_bytes: usize) -> Self {
        let by_ratio = (size_bytes as u64).saturating_mul(u64::from(limits.archive_ratio_max));
        Self {
            bytes: Cell::new(by_ratio.max(FREE_BYTES).min(limits.archive_bytes_max)),
            entries: Cell::new(limits.archive_entries_max),
            // The outermost archive is in none.
            depth: Cell::new(limits.archive_depth_max.saturating_add(1)),
            spent: Cell::new(false),
        }
    }

    /// Does `work` one archive deeper, if that is not too deep.
    pub(crate) fn deeper<T>(
        &self,
        work: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let depth = self.depth.get();
        let Some(left) = depth.checked_sub(1) else {
            return Err(unreadable(
                "archives are packed into archives too often here; unpack the inner ones first",
            ));
        };
        self.depth.set(left);
        let result = work();
        self.depth.set(depth);
        result
    }

    /// Whether a bound was reached.
    pub(crate) fn is_spent(&self) -> bool {
        self.spent.get()
    }

    /// Counts `entries` entries.
    pub(crate) fn count(&self, entries: usize) -> Result<(), Failure> {
        let left = u32::try_from(entries)
            .ok()
            .and_then(|entries| self.entries.get().checked_sub(entries));
        let Some(left) = left else {
            return Err(
                self.too_large("this file packs more entries than are read; send a part of it")
            );
        };
        self.entries.set(left);
        Ok(())
    }

    fn too_large(&self, message: &str) -> Failure {
        self.spent.set(true);
        Failure::new(Reason::TooLarge, message)
    }

    /// Reads `packed` to its end, which must come before the budget's.
    pub(crate) fn inflate(&self, packed: impl Read) -> Result<Vec<u8>, Failure> {
        let left = self.bytes.get();
        let mut bytes = Vec::new();
        let read = packed.take(left + 1).read_to_end(&mut bytes);
        let count = bytes.len() as u64;
        self.bytes.set(left.saturating_sub(count));
        if count > left {
            return Err(self.too_large(
                "this file unpacks to far more than it holds packed; send its documents themselves, or fewer of them",
            ));
        }
        match read {
            Ok(_) => Ok(bytes),
            Err(_) => Err(damaged()),
        }
    }
}

/// What a format keeps at the top of its packages, as keys: e-books, OpenDocument, office. Both, since folders of other files have
/// one of them now and then.
const AT_THE_TOP: [[&str; 2]; 3] = [
    ["mimetype", "meta-inf/container.xml"],
    ["mimetype", "meta-inf/manifest.xml"],
    ["[content_types].xml", "_rels/.rels"],
];

/// A zip, opened.
pub(crate) struct Package<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// The names of the entries as their packer meant them; `None` for one that is not told.
    told: Vec<Option<String>>,
    names: HashMap<String, usize>,
    /// The folder that was packed in place of what is in it, with its slash; empty as a rule.
    root: String,
    budget: &'a Budget,
}

/// An entry that is no folder.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Where it stands in the zip.
    pub(crate) index: usize,
    /// Its name as written there, `/` between folders.
    pub(crate) name: String,
}

impl<'a> Package<'a> {
    /// Opens the zip `bytes`.
    ///
    /// # Errors
    /// When it is damaged or holds too many entries.
    pub(crate) fn open(bytes: &'a [u8], budget: &'a Budget) -> Result<Self, Failure> {
        // Counted by what the zip says of itself before the reader makes anything of it; a lie only shortens what is read.
        if let Some(entries) = entries_told(bytes)
            && entries > budget.entries.get() as usize
        {
            budget.count(entries)?;
        }
        let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|_| damaged())?;
        budget.count(zip.len())?;
        let told: Vec<Option<String>> = (0..zip.len())
            .map(|index| name_of(&mut zip, index))
            .collect();
        let mut names: HashMap<String, usize> = told
            .iter()
            .enumerate()
            .filter_map(|(index, name)| Some((key(name.as_deref()?), index)))
            .collect();
        let root = root_of(&names);
        if !root.is_empty() {
            names = names
                .into_iter()
                .filter_map(|(name, index)| Some((name.strip_prefix(&root)?.to_owned(), index)))
                .collect();
        }
        Ok(Self {
            zip,
            told,
            names,
            root,
            budget,
        })
    }

    /// The entries that are no folders, in the order they were packed.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.told
            .iter()
            .enumerate()
            .filter_map(|(index, told)| {
                let name = match told {
                    Some(name) => name.replace('\\', "/"),
                    None => format!("unnamed {}", index + 1),
                };
                let path = name.trim_start_matches("./").trim_start_matches('/');
                let inner = self.root.strip_suffix('/').and_then(|root| {
                    let (folder, inner) = path.split_once('/')?;
                    (key(folder) == root).then(|| inner.to_owned())
                });
                let name = inner.unwrap_or(name);
                (!name.ends_with('/')).then_some(Entry { index, name })
            })
            .collect()
    }

    /// Whether there is an entry of this name.
    pub(crate) fn holds(&self, name: &str) -> bool {
        self.names.contains_key(&key(name))
    }

    /// The bytes of an entry.
    ///
    /// # Errors
    /// When it is locked, damaged, packed in a way that is not read, or larger than what may still be unpacked.
    pub(crate) fn entry(&mut self, index: usize) -> Result<Vec<u8>, Failure> {
        match self.zip.by_index(index) {
            Ok(entry) => self.budget.inflate(entry),
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => Err(locked()),
            Err(ZipError::UnsupportedArchive(_)) => Err(unreadable(
                "this is packed in an unusual way; pack it again as a plain zip",
            )),
            Err(_) => Err(damaged()),
        }
    }

    /// The bytes of the entry of this name, when there is one.
    ///
    /// # Errors
    /// As [`Package::entry`].
    pub(crate) fn part(&mut self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        match self.names.get(&key(name)) {
            Some(index) => self.entry(*index).map(Some),
            None => Ok(None),
        }
    }

    /// The entry of this name as XML; `None` when there is none or it is no XML.
    ///
    /// # Errors
    /// As [`Package::entry`].
    pub(crate) fn xml(&mut self, name: &str) -> Result<Option<Tree>, Failure> {
        Ok(self.part(name)?.and_then(|bytes| Tree::read(&bytes)))
    }
}

impl std::fmt::Debug for Package<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Package")
            .field("entries", &self.zip.len())
            .finish_non_exhaustive()
    }
}

/// The folder in which all entries stand, with its slash, when what a format keeps at the top stands in that: some pack the folder
/// of a book instead of what is in it, and readers open it all the same. Empty otherwise. What a Mac notes beside is no entry.
fn root_of(names: &HashMap<String, usize>) -> String {
    let mut own = names.keys().filter(|name| !name.starts_with("__macosx/"));
    let Some((folder, _)) = own.next().and_then(|name| name.split_once('/')) else {
        return String::new();
    };
    let root = format!("{folder}/");
    let is_packed = AT_THE_TOP.iter().any(|both| {
        both.iter()
            .all(|name| names.contains_key(&format!("{root}{name}")))
    });
    match is_packed && own.all(|name| name.starts_with(&root)) {
        true => root,
        false => String::new(),
    }
}

/// The name of an entry: in the character set of the system that packed it, where that is neither UTF-8 nor the one of zips.
fn name_of(zip: &mut ZipArchive<Cursor<&[u8]>>, index: usize) -> Option<String> {
    let told = zip.name_for_index(index)?.ok().map(Cow::into_owned);
    if told.as_ref().is_some_and(|name| name.is_ascii()) {
        return told;
    }
    let raw = zip.by_index_raw(index).ok();
    let raw = raw.map(|entry| entry.name_raw().to_vec());
    raw.and_then(|raw| foreign(&raw)).or(told)
}

/// A name in a script that is not Latin, as texts are guessed, or in the Cyrillic letters of DOS.
fn foreign(raw: &[u8]) -> Option<String> {
    if std::str::from_utf8(raw).is_ok() {
        return None;
    }
    let guessed = decode::decode(raw, None);
    let is_letter = |c: char| {
        c > '\u{370}' && c.is_alphabetic() && !('\u{ff00}'..='\u{ffef}').contains(&c)
            || ('\u{3000}'..='\u{303f}').contains(&c)
    };
    if guessed.chars().all(|c| c.is_ascii() || is_letter(c)) {
        return Some(guessed);
    }
    let (cyrillic, _) = encoding_rs::IBM866.decode_without_bom_handling(raw);
    let is_cyrillic = |c: char| ('\u{400}'..='\u{45f}').contains(&c);
    // A Latin word with one accent has Latin letters beside it.
    let mut words = cyrillic.split(|c: char| !c.is_alphabetic());
    let is_dos = cyrillic.chars().all(|c| c.is_ascii() || is_cyrillic(c))
        && words.all(|word| word.is_ascii() || word.chars().all(is_cyrillic));
    is_dos.then(|| cyrillic.into_owned())
}

/// How many entries a zip says that it has, in the record at its end.
fn entries_told(bytes: &[u8]) -> Option<usize> {
    let tail = bytes.get(bytes.len().saturating_sub(66_000)..)?;
    let at = tail.windows(4).rposition(|mark| mark == b"PK\x05\x06")?;
    match tail.get(at + 10..at + 12)? {
        [low, high] => Some(usize::from(u16::from_le_bytes([*low, *high]))),
        _ => None,
    }
}

/// Names are looked up as their writers mean them: without regard to case, leading slashes and the kind of slash.
fn key(name: &str) -> String {
    name.replace('\\', "/")
        .trim_start_matches("./")
        .trim_start_matches('/')
        .to_lowercase()
}

/// The path of `target` as seen from the entry `from`: `..` and `.` are walked, nothing leads out.
pub(crate) fn joined(from: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let mut path: Vec<&str> = match target.starts_with('/') {
        true => Vec::new(),
        false => from
            .rsplit_once('/')
            .map_or(Vec::new(), |(folder, _)| folder.split('/').collect()),
    };
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                path.pop();
            }
            step => path.push(step),
        }
    }
    path.join("/")
}

/// A file that is locked.
pub(crate) fn locked() -> Failure {
    unreadable("this file is locked with a password; remove the password and send it again")
}

/// A file that is broken.
pub(crate) fn damaged() -> Failure {
    unreadable(
        "this file is damaged or cut short; send it again, or save it anew from the program that made it",
    )
}

/// A failure to read.
pub(crate) fn unreadable(message: &str) -> Failure {
    Failure::new(Reason::Unreadable, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_joined_and_never_leads_out() {
        assert_eq!(
            joined("word/document.xml", "media/a.png"),
            "word/media/a.png"
        );
        assert_eq!(
            joined("ppt/slides/s.xml", "../notes/n.xml"),
            "ppt/notes/n.xml"
        );
        assert_eq!(joined("a/b", "/word/x.xml"), "word/x.xml");
        assert_eq!(joined("a/b", "../../../../etc/passwd"), "etc/passwd");
    }

    #[test]
    fn the_folder_of_a_package_is_its_root_and_that_of_a_project_is_not() {
        let root = |names: &[&str]| {
            let keys = names.iter().enumerate();
            root_of(&keys.map(|(at, name)| (key(name), at)).collect())
        };
        let container = "k/META-INF/container.xml";
        assert_eq!(root(&["k/mimetype", container, "k/OEBPS/a.opf"]), "k/");
        assert_eq!(root(&["k/mimetype", "k/META-INF/manifest.xml"]), "k/");
        assert_eq!(root(&["k/[Content_Types].xml", "k/_rels/.rels"]), "k/");
        assert_eq!(root(&["k/mimetype", container, "__MACOSX/k/._a"]), "k/");
        assert_eq!(root(&["k/README.md", "k/src/a.md", container]), "");
        assert_eq!(root(&["k/README.md", "k/src/a.md", "k/mimetype"]), "");
        assert_eq!(root(&["k/[Content_Types].xml", "k/notes.md"]), "");
        assert_eq!(root(&["k/mimetype", container, "b/a.md"]), "");
        assert_eq!(root(&["mimetype", "META-INF/container.xml"]), "");
    }

    #[test]
    fn names_of_other_systems_are_read_and_those_of_zips_are_left() {
        let japanese = encoding_rs::SHIFT_JIS.encode("窯の手入れ.md").0;
        let chinese = encoding_rs::GBK.encode("窑炉维护.md").0;
        for (raw, name) in [
            (&*japanese, Some("窯の手入れ.md")),
            (&*chinese, Some("窑炉维护.md")),
            (b"\x8f\xa5\xe7\xec.md", Some("Печь.md")),
            (b"caf\x82.md", None),
            ("Печь.md".as_bytes(), None),
        ] {
            assert_eq!(foreign(raw).as_deref(), name, "{raw:x?}");
        }
    }

    #[test]
    fn a_budget_is_shared_and_ends() {
        let limits = Reading {
            archive_bytes_max: 10,
            archive_entries_max: 3,
            archive_depth_max: 1,
            ..Reading::default()
        };
        let budget = Budget::new(&limits, 1);
        assert_eq!(budget.inflate(&b"123456"[..]).unwrap(), b"123456");
        assert!(budget.inflate(&b"12345"[..]).is_err());
        assert!(budget.count(2).is_ok());
        assert!(budget.count(2).is_err());
        let nested = budget.deeper(|| budget.deeper(|| budget.deeper(|| Ok(()))));
        assert!(
            nested
                .unwrap_err()
                .message
                .contains("unpack the inner ones")
        );
        assert!(budget.deeper(|| Ok(())).is_ok());
    }
}
