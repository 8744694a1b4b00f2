//! Owns how a package (a skill's folder, its zip, or SKILL.md alone) is read for checking, without following or running anything.
//!
//! Invariant: reading never fails for what is inside. A link, a device, an entry that points out of the package or
//! that would inflate without end becomes an entry of its own kind, which the checks report (V008).

use crate::skill::Reference;
use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

/// Most entries that a package may have.
pub const ENTRIES_MAX: usize = 2_000;
/// Most bytes that a package may unpack to (V008).
pub const UNPACKED_BYTES_MAX: u64 = 30 << 20;
/// Most bytes of a zip that is opened at all.
const ZIP_BYTES_MAX: u64 = 64 << 20;
/// Folders deeper than this are not entered.
const DEPTH_MAX: usize = 16;
/// The one file that makes a folder a skill.
pub const SKILL_FILE: &str = "SKILL.md";

/// What is checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Package {
    /// The folder's name, where it has one.
    pub folder: Option<String>,
    /// Everything in it, sorted by path.
    pub entries: Vec<PackageEntry>,
    /// What is wrong with the package as a whole, for V008.
    pub faults: Vec<String>,
}

/// One entry of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageEntry {
    /// Its path inside the folder, with `/` between the parts.
    pub path: String,
    /// What it is.
    pub content: Content,
}

/// What an entry is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A file and its bytes.
    File(Vec<u8>),
    /// Something that no package may hold, and why: a link, a device, a path that leaves the folder.
    Refused(String),
}

/// Why a package could not be read at all.
#[derive(Debug)]
pub enum PackageError {
    /// The path cannot be opened or listed.
    Unreadable(PathBuf, std::io::Error),
    /// The path is neither a file nor a folder.
    NotAFile(PathBuf),
    /// The bytes are no zip.
    NotAZip(String),
    /// The file or archive is larger than anything that could be a skill.
    TooLarge(u64),
}

impl std::fmt::Display for PackageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreadable(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Self::NotAFile(path) => write!(
                f,
                "cannot read {}: it is neither a file nor a folder",
                path.display()
            ),
            Self::NotAZip(why) => write!(f, "cannot read this as a zip: {why}"),
            Self::TooLarge(max) => write!(
                f,
                "the file is larger than the {max} bytes a skill may have"
            ),
        }
    }
}

impl std::error::Error for PackageError {}

impl Package {
    /// The package that a skill of ours becomes when it is delivered: its name, SKILL.md and the files beside it.
    #[must_use]
    pub fn of(name: &str, content: String, references: Vec<Reference>) -> Self {
        let files = references
            .into_iter()
            .map(|file| PackageEntry::file(&file.filename, file.content.into_bytes()));
        Self {
            folder: Some(name.to_owned()),
            entries: std::iter::once(PackageEntry::file(SKILL_FILE, content.into_bytes()))
                .chain(files)
                .collect(),
            faults: Vec::new(),
        }
    }

    /// Gives back what [`Self::of`] took: SKILL.md and the files beside it.
    #[must_use]
    pub fn into_skill(self) -> (String, Vec<Reference>) {
        let mut files = self.entries.into_iter().map(|entry| {
            let text = match entry.content {
                Content::File(bytes) => String::from_utf8(bytes).unwrap_or_default(),
                Content::Refused(_) => String::new(),
            };
            (entry.path, text)
        });
        let content = files.next().map_or_else(String::new, |(_, text)| text);
        let references = files.map(|(filename, content)| Reference { filename, content });
        (content, references.collect())
    }

    /// The package of a SKILL.md that stands alone.
    #[must_use]
    pub fn alone(bytes: Vec<u8>) -> Self {
        Self {
            entries: vec![PackageEntry::file(SKILL_FILE, bytes)],
            ..Self::default()
        }
    }
}

impl PackageEntry {
    fn file(path: &str, bytes: Vec<u8>) -> Self {
        Self {
            path: path.to_owned(),
            content: Content::File(bytes),
        }
    }
}

/// Reads a skill's folder, a SKILL.md (with the folders beside it that it may point into) or a zip.
///
/// # Errors
/// When `path` cannot be opened, or is a zip that cannot be listed. What is wrong inside is left to the checks.
pub fn read(path: &Path) -> Result<Package, PackageError> {
    let unreadable = |error| PackageError::Unreadable(path.to_owned(), error);
    let meta = fs::metadata(path).map_err(unreadable)?;
    if meta.is_dir() {
        let mut walk = Walk::default();
        walk.folder(path, "", 0).map_err(unreadable)?;
        let name = match path.file_name() {
            Some(name) => name.to_owned(),
            // `.` and `..` have a name too, seen from above.
            None => fs::canonicalize(path)
                .map_err(unreadable)?
                .file_name()
                .unwrap_or_default()
                .to_owned(),
        };
        return Ok(walk.package(Some(name.to_string_lossy().into_owned())));
    }
    if !meta.is_file() {
        return Err(PackageError::NotAFile(path.to_owned()));
    }
    if meta.len() > ZIP_BYTES_MAX {
        return Err(PackageError::TooLarge(ZIP_BYTES_MAX));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)
        .map_err(unreadable)?
        .take(ZIP_BYTES_MAX)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return read_zip(&bytes);
    }
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    if !name.eq_ignore_ascii_case(SKILL_FILE) {
        return Ok(Package::alone(bytes));
    }
    let mut walk = Walk::default();
    for inner in ["references", "scripts", "assets"] {
        let beside = path.with_file_name(inner);
        if fs::symlink_metadata(&beside).is_ok_and(|meta| meta.is_dir()) {
            walk.folder(&beside, inner, 1).map_err(unreadable)?;
        }
    }
    walk.entries.push(PackageEntry::file(&name, bytes));
    Ok(walk.package(None))
}

/// A walk over a folder, with what it has met so far.
#[derive(Default)]
struct Walk {
    entries: Vec<PackageEntry>,
    faults: Vec<String>,
    unpacked: u64,
}

impl Walk {
    fn package(mut self, folder: Option<String>) -> Package {
        self.entries.sort_by(|a, b| a.path.cmp(&b.path));
        Package {
            folder,
            entries: self.entries,
            faults: self.faults,
        }
    }

    fn fault(&mut self, what: String) {
        if !self.faults.contains(&what) {
            self.faults.push(what);
        }
    }

    fn refuse(&mut self, path: String, why: &str) {
        self.entries.push(PackageEntry {
            path,
            content: Content::Refused(why.to_owned()),
        });
    }

    /// Whether there is room for one entry more.
    fn admits(&mut self) -> bool {
        let room = self.entries.len() < ENTRIES_MAX;
        if !room {
            self.fault(format!(
                "it holds more than {ENTRIES_MAX} entries; only the first are checked"
            ));
        }
        room
    }

    fn folder(&mut self, folder: &Path, prefix: &str, depth: usize) -> std::io::Result<()> {
        let mut names = Vec::new();
        for entry in fs::read_dir(folder)?.take(ENTRIES_MAX + 1) {
            names.push(entry?.file_name());
        }
        names.sort();
        for name in names {
            if !self.admits() {
                break;
            }
            let below = folder.join(&name);
            let name = name.to_string_lossy();
            let path = if prefix.is_empty() {
                name.into_owned()
            } else {
                format!("{prefix}/{name}")
            };
            let kind = fs::symlink_metadata(&below)?.file_type();
            if kind.is_symlink() {
                self.refuse(path, "it is a symbolic link; put the file itself here");
            } else if kind.is_dir() {
                if depth >= DEPTH_MAX {
                    self.refuse(
                        path,
                        "it lies too deep; keep files one level below SKILL.md",
                    );
                } else if !is_clutter(&path) {
                    self.folder(&below, &path, depth + 1)?;
                } else {
                    self.entries
                        .push(PackageEntry::file(&format!("{path}/"), Vec::new()));
                }
            } else if kind.is_file() {
                let file = fs::File::open(&below)?;
                self.take(path, file)?;
            } else {
                self.refuse(path, "it is neither a file nor a folder; remove it");
            }
        }
        Ok(())
    }

    /// Reads a file as far as the bound on the whole package allows.
    fn take(&mut self, path: String, file: impl Read) -> std::io::Result<()> {
        let room = UNPACKED_BYTES_MAX.saturating_sub(self.unpacked);
        let mut bytes = Vec::new();
        file.take(room + 1).read_to_end(&mut bytes)?;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.unpacked = self.unpacked.saturating_add(size).min(UNPACKED_BYTES_MAX);
        if size > room {
            self.fault(format!(
                "unpacked it is larger than {} MB; leave out what the skill does not need",
                UNPACKED_BYTES_MAX >> 20
            ));
            bytes.truncate(0);
            self.refuse(
                path,
                "there is no room left for it within the size a skill may have",
            );
        } else {
            self.entries.push(PackageEntry {
                path,
                content: Content::File(bytes),
            });
        }
        Ok(())
    }
}

/// Reads a zip: counted while it inflates, links reported instead of followed, nothing written anywhere.
///
/// # Errors
/// When the bytes are no zip.
pub fn read_zip(bytes: &[u8]) -> Result<Package, PackageError> {
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > ZIP_BYTES_MAX {
        return Err(PackageError::TooLarge(ZIP_BYTES_MAX));
    }
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes))
        .map_err(|error| PackageError::NotAZip(error.to_string()))?;
    let mut walk = Walk::default();
    if archive.has_duplicate_names() {
        walk.fault("two entries have the same name; keep one".to_owned());
    }
    for index in 0..archive.len() {
        if !walk.admits() {
            break;
        }
        let Ok(file) = archive.by_index(index) else {
            walk.fault(format!(
                "entry {} cannot be unpacked; write it again without encryption, as deflate",
                index + 1
            ));
            continue;
        };
        let path = String::from_utf8_lossy(file.name_raw()).into_owned();
        let special = file
            .unix_mode()
            .is_some_and(|mode| !matches!(mode & 0o170_000, 0 | 0o100_000 | 0o040_000));
        if leaves(&path) {
            walk.refuse(path, "its path leaves the folder; use a path inside it");
        } else if file.is_symlink() {
            walk.refuse(path, "it is a symbolic link; put the file itself here");
        } else if special {
            walk.refuse(path, "it is neither a file nor a folder; remove it");
        } else if !file.is_dir() && walk.take(path.clone(), file).is_err() {
            walk.refuse(path, "its bytes are damaged; write the zip again");
        }
    }
    Ok(unwrap_top(walk))
}

/// Whether a path would land outside of the folder it is unpacked into.
fn leaves(path: &str) -> bool {
    path.starts_with('/')
        || path.contains('\\')
        || path.contains('\0')
        || path.get(1..2) == Some(":")
        || path.split('/').any(|part| part == "..")
}

/// A zip holds one folder, whose name the skill bears; its content is the package.
fn unwrap_top(mut walk: Walk) -> Package {
    let top = |entry: &PackageEntry| entry.path.split_once('/').map(|(top, _)| top.to_owned());
    let tops: std::collections::BTreeSet<Option<String>> = walk
        .entries
        .iter()
        .filter(|entry| matches!(entry.content, Content::File(_)) && !is_clutter(&entry.path))
        .map(top)
        .collect();
    let folder = match (tops.len(), tops.into_iter().next().flatten()) {
        (1, Some(folder)) => Some(folder),
        _ => None,
    };
    if let Some(folder) = &folder {
        for entry in &mut walk.entries {
            if let Some(inner) = entry
                .path
                .strip_prefix(folder.as_str())
                .and_then(|rest| rest.strip_prefix('/'))
            {
                entry.path = inner.to_owned();
            }
        }
    } else {
        walk.fault(
            "a zip holds exactly one top folder, named as the skill; put everything into it"
                .to_owned(),
        );
    }
    walk.package(folder)
}

/// Whether a path names what tools leave behind or what serves people, not agents (V009).
pub(super) fn is_clutter(path: &str) -> bool {
    const PARTS: [&str; 10] = [
        "__pycache__",
        "node_modules",
        ".DS_Store",
        "Thumbs.db",
        ".git",
        ".idea",
        ".vscode",
        "__MACOSX",
        ".pytest_cache",
        ".venv",
    ];
    const STEMS: [&str; 5] = [
        "readme",
        "changelog",
        "contributing",
        "installation_guide",
        "quick_reference",
    ];
    let path = path.trim_end_matches('/');
    let last = path.rsplit('/').next().unwrap_or(path);
    let (stem, extension) = last.split_once('.').unwrap_or((last, ""));
    path.split('/').any(|part| PARTS.contains(&part))
        || last.ends_with(".pyc")
        || last.ends_with('~')
        || (!path.contains('/')
            && ["", "md", "txt", "rst"].contains(&extension)
            && STEMS.contains(&stem.to_ascii_lowercase().as_str()))
}
