//! Owns how a skill is written to disk: a folder of its own that appears whole, and replaces only a skill that is as it was written.
//!
//! A folder tells by itself whether somebody changed it: the header of its SKILL.md holds a digest of all its files. Without that, or
//! with another one, what is there is somebody's work (decision 70).

use crate::domain::key::to_hex;
use crate::domain::skill::Skill;
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The file that makes a folder a skill.
pub const SKILL_FILE: &str = "SKILL.md";
const REFERENCES: &str = "references";
/// What a skill is tried with.
const EVALS: &str = "evals";
/// The entry of the header's `metadata` that tells whether the folder is as it was written.
const SEAL: &str = "folder_digest";
/// Where the entries of `metadata` begin in a header.
const METADATA: &str = "\nmetadata:\n";

/// Writes a skill to `out/<name>/`, its `evals` too, and says where that is. A skill that is there already is replaced as a whole, unless somebody changed it
/// since it was written and `force` does not give that up; a folder that holds anything else is left alone.
///
/// # Errors
/// A message that names the path and what is wrong with it.
pub fn write(
    out: &Path,
    skill: &Skill,
    evals: &[(&str, String)],
    force: bool,
) -> Result<PathBuf, String> {
    let name = skill.name.as_str();
    let sound = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(sound) {
        return Err(format!("`{name}` cannot be the name of a folder"));
    }
    let folder = out.join(name);
    if let Some(foreign) =
        foreign_in(&folder).map_err(|cause| cannot("look into", &folder, &cause))?
    {
        return Err(format!(
            "{} is not a skill that may be replaced: there is {foreign}; name another folder with --out",
            folder.display()
        ));
    }
    let is_changed = is_changed(&folder).map_err(|cause| cannot("look into", &folder, &cause))?;
    if is_changed && !force {
        return Err(format!(
            "{} is not as it was written: somebody changed it, or it was made by hand; --force gives that up, --out or --name leads elsewhere",
            folder.display()
        ));
    }
    fs::create_dir_all(out).map_err(|cause| cannot("make", out, &cause))?;
    let unique = uuid::Uuid::new_v4().simple();
    let draft = out.join(format!(".{name}-{unique}"));
    let written = fill(&draft, skill, evals)
        .and_then(|()| swap(&draft, &folder, &out.join(format!(".{name}-{unique}-old"))))
        .map_err(|cause| cannot("write", &folder, &cause));
    if written.is_err() {
        let _ = fs::remove_dir_all(&draft);
    }
    written.map(|()| folder)
}

fn cannot(what: &str, path: &Path, cause: &io::Error) -> String {
    format!("cannot {what} {}: {cause}", path.display())
}

/// What in a folder is no part of a skill; `None` when it may be replaced. Links are never followed.
fn foreign_in(folder: &Path) -> io::Result<Option<String>> {
    match fs::symlink_metadata(folder) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(cause) => return Err(cause),
        Ok(found) if !found.is_dir() => return Ok(Some("a file or a link of that name".into())),
        Ok(_) => {}
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        let extension = match name.to_str() {
            Some(REFERENCES) => Some("md"),
            Some(EVALS) => Some("json"),
            _ => None,
        };
        if let Some(extension) = extension.filter(|_| kind.is_dir()) {
            for file in fs::read_dir(entry.path())? {
                let file = file?;
                let path = file.path();
                let is_ours = path.extension().is_some_and(|found| found == extension);
                if !is_ours || !file.file_type()?.is_file() {
                    return Ok(Some(path.display().to_string()));
                }
            }
        } else if name != SKILL_FILE || !kind.is_file() {
            return Ok(Some(entry.path().display().to_string()));
        }
    }
    Ok(None)
}

/// Whether the folder of a skill is there and is not as it was written.
fn is_changed(folder: &Path) -> io::Result<bool> {
    let bytes = match fs::read(folder.join(SKILL_FILE)) {
        Ok(bytes) => bytes,
        // References alone are somebody's work too; a folder without anything is nobody's.
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            return match fs::read_dir(folder) {
                Ok(mut entries) => Ok(entries.next().is_some()),
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(false),
                Err(cause) => Err(cause),
            };
        }
        Err(cause) => return Err(cause),
    };
    let Some((content, seal)) = String::from_utf8(bytes).ok().and_then(unsealed) else {
        return Ok(true);
    };
    let mut files = Vec::new();
    for inside in [REFERENCES, EVALS] {
        match fs::read_dir(folder.join(inside)) {
            Ok(entries) => {
                for entry in entries {
                    let entry = entry?;
                    let name = entry.file_name().to_string_lossy().into_owned();
                    files.push((format!("{inside}/{name}"), fs::read(entry.path())?));
                }
            }
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
            Err(cause) => return Err(cause),
        }
    }
    let files = files
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
    Ok(digest(&content, files) != seal)
}

/// SKILL.md with the digest of the whole folder in its header. A header without `metadata`, which nothing of ours is, stays without.
fn sealed(skill: &Skill, evals: &[(&str, String)]) -> String {
    let references = skill
        .references
        .iter()
        .map(|file| (file.filename.as_str(), file.content.as_bytes()));
    let evals = evals.iter().map(|(path, text)| (*path, text.as_bytes()));
    let seal = digest(&skill.content, references.chain(evals));
    match skill.content.split_once(METADATA) {
        Some((before, after)) => {
            format!("{before}{METADATA}  {SEAL}: \"sha256:{seal}\"\n{after}")
        }
        None => skill.content.clone(),
    }
}

/// What [`sealed`] was made of, and the digest that it holds.
fn unsealed(content: String) -> Option<(String, String)> {
    // Who checks a skill out with other ends of lines changes nothing.
    let content = content.replace("\r\n", "\n");
    let (before, after) = content.split_once(METADATA)?;
    let (line, rest) = after.split_once('\n')?;
    let seal = line
        .strip_prefix("  ")?
        .strip_prefix(SEAL)?
        .strip_prefix(": \"sha256:")?
        .strip_suffix('"')?
        .to_owned();
    Some((format!("{before}{METADATA}{rest}"), seal))
}

/// SHA-256 of SKILL.md and of the names and bytes of its other files, in the order of their names.
fn digest<'a>(content: &str, files: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut files: Vec<(&str, &[u8])> = files.collect();
    files.sort_unstable();
    let mut hasher = Sha256::new();
    let mut take = |bytes: &[u8]| {
        let bytes: Vec<u8> = bytes
            .iter()
            .copied()
            .filter(|byte| *byte != b'\r')
            .collect();
        // Each piece with its length, so that nothing moves from one into the next unseen.
        hasher.update(bytes.len().to_le_bytes());
        hasher.update(bytes);
    };
    take(content.as_bytes());
    for (name, bytes) in files {
        take(name.as_bytes());
        take(bytes);
    }
    to_hex(&hasher.finalize())
}

fn fill(draft: &Path, skill: &Skill, evals: &[(&str, String)]) -> io::Result<()> {
    fs::create_dir(draft)?;
    fs::write(draft.join(SKILL_FILE), sealed(skill, evals))?;
    for reference in &skill.references {
        let path = Path::new(&reference.filename);
        let mut parts = path.components();
        let inside = match (parts.next(), parts.next(), parts.next()) {
            (Some(Component::Normal(folder)), Some(Component::Normal(_)), None) => {
                folder == REFERENCES
            }
            _ => false,
        };
        if !inside {
            let message = format!("`{}` does not lie in {REFERENCES}/", reference.filename);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        fs::create_dir_all(draft.join(REFERENCES))?;
        fs::write(draft.join(path), &reference.content)?;
    }
    for (path, content) in evals {
        fs::create_dir_all(draft.join(EVALS))?;
        fs::write(draft.join(path), content)?;
    }
    Ok(())
}

/// Puts the draft where the skill belongs. What was there is moved aside first and removed last, so that a skill is there at
/// every moment but one rename.
fn swap(draft: &Path, folder: &Path, aside: &Path) -> io::Result<()> {
    let replaced = match fs::rename(folder, aside) {
        Ok(()) => true,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => false,
        Err(cause) => return Err(cause),
    };
    if let Err(cause) = fs::rename(draft, folder) {
        if replaced {
            let _ = fs::rename(aside, folder);
        }
        return Err(cause);
    }
    if replaced {
        fs::remove_dir_all(aside)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_skills::skill::Reference;

    fn skill(references: &[&str]) -> Skill {
        let reference = |filename: &&str| Reference {
            filename: (*filename).into(),
            content: "# More\n".into(),
        };
        Skill {
            name: "kiln-care".into(),
            description: "d".into(),
            content: "---\nname: kiln-care\nmetadata:\n  source: \"a.md\"\n---\n\n# Kiln\n".into(),
            references: references.iter().map(reference).collect(),
            word_count: 0,
        }
    }

    #[test]
    fn a_skill_replaces_the_skill_before_it_and_leaves_nothing_else_behind() {
        let out = tempfile::tempdir().unwrap();
        let first = skill(&["references/a.md", "references/b.md"]);
        let folder = write(out.path(), &first, &[], false).unwrap();
        assert_eq!(folder, out.path().join("kiln-care"));
        assert!(folder.join("references/b.md").is_file());
        write(out.path(), &skill(&["references/a.md"]), &[], false).unwrap();
        assert!(folder.join("SKILL.md").is_file());
        assert!(folder.join("references/a.md").is_file());
        assert!(!folder.join("references/b.md").exists());
        assert_eq!(fs::read_dir(out.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_holds_somebodys_files_is_left_alone() {
        let out = tempfile::tempdir().unwrap();
        let folder = out.path().join("kiln-care");
        fs::create_dir_all(folder.join("references")).unwrap();
        fs::write(folder.join("references/photo.jpg"), "x").unwrap();
        assert!(write(out.path(), &skill(&[]), &[], false).is_err());
        assert!(folder.join("references/photo.jpg").is_file());
        assert_eq!(fs::read_dir(out.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_in_place_of_the_folder_is_not_followed() {
        let out = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), out.path().join("kiln-care")).unwrap();
        assert!(write(out.path(), &skill(&[]), &[], false).is_err());
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    }

    #[test]
    fn no_file_is_written_outside_of_the_folder() {
        let out = tempfile::tempdir().unwrap();
        for bad in [
            "../evil.md",
            "/tmp/evil.md",
            "references/../../evil.md",
            "evil.md",
            "references/a/b.md",
        ] {
            assert!(
                write(out.path(), &skill(&[bad]), &[], false).is_err(),
                "{bad}"
            );
        }
        let nameless = Skill {
            name: "../up".into(),
            ..skill(&[])
        };
        assert!(write(out.path(), &nameless, &[], false).is_err());
        assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_somebody_changed_in_a_folder_is_not_lost_without_force() {
        type Change = fn(&Path);
        let changes: [Change; 6] = [
            |folder| fs::write(folder.join("evals/evals.json"), "mine\n").unwrap(),
            |folder| {
                let path = folder.join(SKILL_FILE);
                let own = fs::read_to_string(&path).unwrap() + "my own line\n";
                fs::write(path, own).unwrap();
            },
            |folder| fs::write(folder.join("references/my-own.md"), "mine\n").unwrap(),
            |folder| fs::write(folder.join("references/a.md"), "mine\n").unwrap(),
            |folder| fs::remove_file(folder.join("references/a.md")).unwrap(),
            |folder| fs::write(folder.join(SKILL_FILE), "---\nname: kiln-care\n---\n").unwrap(),
        ];
        for change in changes {
            let out = tempfile::tempdir().unwrap();
            let made = skill(&["references/a.md"]);
            let evals = [("evals/evals.json", "{}\n".to_owned())];
            let folder = write(out.path(), &made, &evals, false).unwrap();
            change(&folder);
            let before = fs::read_to_string(folder.join(SKILL_FILE)).unwrap();
            let refused = write(out.path(), &made, &evals, false).expect_err("it was changed");
            assert!(refused.contains("--force"), "{refused}");
            assert_eq!(
                fs::read_to_string(folder.join(SKILL_FILE)).unwrap(),
                before,
                "nothing is lost"
            );
            write(out.path(), &made, &evals, true).expect("given up");
            write(out.path(), &made, &evals, false).expect("as it was written");
        }
    }

    #[test]
    fn other_ends_of_lines_are_no_change() {
        let out = tempfile::tempdir().unwrap();
        let made = skill(&["references/a.md"]);
        let folder = write(out.path(), &made, &[], false).unwrap();
        for file in [SKILL_FILE, "references/a.md"] {
            let text = fs::read_to_string(folder.join(file)).unwrap();
            fs::write(folder.join(file), text.replace('\n', "\r\n")).unwrap();
        }
        assert!(write(out.path(), &made, &[], false).is_ok());
    }
}
