//! Reads what a Git repository says of itself: its README, its folders of documentation and its skills, out of the archive that its host
//! makes of it. No Git is needed, and nothing of the archive is unpacked here: the chosen files go packed to where archives are read.

use crate::domain::key::to_hex;
use crate::domain::repository::Repository;
use crate::pipeline::assembly::Parts;
use crate::pipeline::extract::Reader;
use crate::pipeline::handle::{JobHandle, Piece};
use crate::pipeline::job::Material;
use bytes::Bytes;
use sha2::{Digest, Sha256};
use std::io::Cursor;
use zip::{ZipArchive, ZipWriter};

/// Folders of documentation, wherever they stand.
const DOCUMENTATION: [&str; 4] = ["docs", "doc", "documentation", "guides"];
/// Endings of what is read of them; pictures and styles are left out.
const TEXTS: [&str; 14] = [
    "md", "mdx", "markdown", "rst", "adoc", "asciidoc", "txt", "org", "html", "htm", "ipynb",
    "pdf", "1", "tex",
];

/// A repository, read.
pub(super) struct Found {
    pub(super) handle: JobHandle,
    pub(super) piece: Piece,
    /// What was chosen of it.
    pub(super) parts: Parts,
    /// The digest of that.
    pub(super) digest: String,
}

/// What was chosen of a repository.
struct Chosen {
    /// An archive of it.
    packed: Bytes,
    /// A digest of it that does not depend on how it was packed.
    digest: String,
    /// How many files were too many.
    left_out: usize,
}

/// Reads the repository at `address`; `None` when that is none, or its archive cannot be had or has nothing of what is looked for: its page
/// tells something all the same.
pub(super) async fn read(reader: &Reader, address: &str) -> Option<Found> {
    let Repository {
        archive,
        below,
        name,
    } = Repository::of(address, &reader.git_hosts)?;
    // Whatever becomes of the archive, its page is read as if nothing had been.
    let handle = reader.open();
    let page = match handle.away(reader.web.fetch(&archive)).await {
        Ok(page) => page,
        Err(failure) => {
            let reason = failure.reason.as_str();
            tracing::debug!(reason, "a repository has no archive for us");
            return None;
        }
    };
    let most = reader.limits.archive_entries_max as usize;
    let choosing = move || chosen(&page.bytes, &below, most);
    let chosen = reader.pool.run(choosing).await.ok().flatten()?;
    let material = Material::File {
        filename: format!("{name}.zip"),
        limits: reader.limits.clone(),
    };
    handle.go_there(chosen.packed.len()).await.ok()?;
    let piece = handle.read(material, chosen.packed).await.ok()?;
    Some(Found {
        handle,
        piece,
        parts: Parts::Chosen {
            left_out: chosen.left_out,
        },
        digest: chosen.digest,
    })
}

/// The files of an archive that say what a repository is about, in an archive of their own. They are copied as they are packed, `most` of
/// them, those of the outer folders first.
fn chosen(archive: &[u8], below: &str, most: usize) -> Option<Chosen> {
    let mut archive = ZipArchive::new(Cursor::new(archive)).ok()?;
    let mut wanted: Vec<(String, usize)> = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).ok()?;
        // All of it lies in one folder, named after the repository and the commit.
        let Ok(name) = entry.name() else { continue };
        let path = name.split_once('/').map_or("", |(_, path)| path);
        let path = match path.strip_prefix(below) {
            Some(path) if entry.is_file() && !path.is_empty() => path,
            _ => continue,
        };
        if is_wanted(path, !below.is_empty()) {
            wanted.push((path.to_owned(), index));
        }
    }
    wanted.sort_by_key(|(path, _)| (path.matches('/').count(), path.clone()));
    let left_out = wanted.len().saturating_sub(most);
    wanted.truncate(most);
    if wanted.is_empty() {
        return None;
    }
    let mut hasher = Sha256::new();
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, index) in wanted {
        let entry = archive.by_index_raw(index).ok()?;
        hasher.update(format!("{path}\0{:08x}\0{}\n", entry.crc32(), entry.size()));
        zip.raw_copy_file_rename(entry, path).ok()?;
    }
    // What is left out is part of what its skill says.
    if left_out > 0 {
        hasher.update(format!("{left_out} more\n"));
    }
    Some(Chosen {
        packed: zip.finish().ok()?.into_inner().into(),
        digest: to_hex(&hasher.finalize()),
        left_out,
    })
}

/// Whether a file says what a repository is about; of a folder that was asked for all texts do.
fn is_wanted(path: &str, is_asked_for: bool) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_text = TEXTS.contains(&ending.to_ascii_lowercase().as_str());
    let is_readme = stem.eq_ignore_ascii_case("readme") && (is_text || ending.is_empty());
    let folders: Vec<&str> = folder.split('/').collect();
    if folders
        .iter()
        .any(|part| part.starts_with('.') && *part != ".claude" && *part != ".agents")
    {
        return false;
    }
    let is_documentation = folders
        .first()
        .is_some_and(|part| DOCUMENTATION.contains(&part.to_ascii_lowercase().as_str()));
    let is_of_a_skill = name == "SKILL.md"
        || folders.contains(&"skills") && folders.last() == Some(&"references") && is_text;
    match is_asked_for {
        true => is_text || is_readme,
        false => {
            is_readme && folder.is_empty()
                || is_of_a_skill
                || is_documentation && (is_text || is_readme)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use zip::write::SimpleFileOptions;

    fn packed(files: &[&str]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for path in files {
            zip.start_file(format!("care-1a2b/{path}"), SimpleFileOptions::default())
                .unwrap();
            zip.write_all(format!("# {path}\n").as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn names(archive: &[u8], below: &str, most: usize) -> Option<Vec<String>> {
        let chosen = chosen(archive, below, most)?;
        let mut zip = ZipArchive::new(Cursor::new(chosen.packed.as_ref())).unwrap();
        let mut text = String::new();
        zip.by_index(0).unwrap().read_to_string(&mut text).unwrap();
        assert!(text.starts_with("# "), "{text}");
        Some(
            zip.file_names()
                .map(|name| name.unwrap().into_owned())
                .collect(),
        )
    }

    #[test]
    fn what_a_repository_says_of_itself_is_chosen_and_its_code_is_not() {
        let archive = packed(&[
            "src/main.rs",
            "README.md",
            "src/README.md",
            "docs/logo.png",
            "docs/use/fire.md",
            "docs/index.rst",
            ".github/docs/x.md",
            "skills/care/SKILL.md",
            "skills/care/references/cones.md",
            "skills/care/scripts/run.py",
            ".claude/skills/glaze/SKILL.md",
            "Cargo.toml",
        ]);
        let all = names(&archive, "", 100).unwrap();
        assert_eq!(
            all,
            [
                "README.md",
                "docs/index.rst",
                "docs/use/fire.md",
                "skills/care/SKILL.md",
                ".claude/skills/glaze/SKILL.md",
                "skills/care/references/cones.md",
            ]
        );
        assert_eq!(
            names(&archive, "", 2).unwrap(),
            ["README.md", "docs/index.rst"]
        );
        assert_eq!(chosen(&archive, "", 2).unwrap().left_out, 4);
        assert_eq!(chosen(&archive, "", 6).unwrap().left_out, 0);
        assert_eq!(names(&archive, "docs/use/", 100).unwrap(), ["fire.md"]);
        assert_eq!(names(&archive, "none/", 100), None);
        assert_eq!(names(b"no archive", "", 100), None);
    }

    #[test]
    fn the_digest_is_that_of_the_files_however_they_were_packed() {
        let digest = |files: &[&str]| chosen(&packed(files), "", 100).unwrap().digest;
        assert_eq!(
            digest(&["README.md", "a.rs"]),
            digest(&["b.rs", "README.md"])
        );
        assert_ne!(digest(&["README.md"]), digest(&["README.md", "docs/a.md"]));
    }
}
