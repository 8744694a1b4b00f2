//! Owns how a skill is written to disk: a folder of its own that appears whole, and replaces only a skill.

use crate::domain::skill::Skill;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The file that makes a folder a skill.
pub const SKILL_FILE: &str = "SKILL.md";
const REFERENCES: &str = "references";

/// Writes a skill to `out/<name>/` and says where that is. A skill that is there already is replaced as a whole; a folder
/// that holds anything else is left alone.
///
/// # Errors
/// A message that names the path and what is wrong with it.
pub fn write(out: &Path, skill: &Skill) -> Result<PathBuf, String> {
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
    fs::create_dir_all(out).map_err(|cause| cannot("make", out, &cause))?;
    let unique = uuid::Uuid::new_v4().simple();
    let draft = out.join(format!(".{name}-{unique}"));
    let written = fill(&draft, skill)
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
        if name == REFERENCES && kind.is_dir() {
            for reference in fs::read_dir(entry.path())? {
                let reference = reference?;
                let path = reference.path();
                let is_page = path.extension().is_some_and(|extension| extension == "md");
                if !is_page || !reference.file_type()?.is_file() {
                    return Ok(Some(path.display().to_string()));
                }
            }
        } else if name != SKILL_FILE || !kind.is_file() {
            return Ok(Some(entry.path().display().to_string()));
        }
    }
    Ok(None)
}

fn fill(draft: &Path, skill: &Skill) -> io::Result<()> {
    fs::create_dir(draft)?;
    fs::write(draft.join(SKILL_FILE), &skill.content)?;
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
    use crate::domain::skill::ReferenceFile;

    fn skill(references: &[&str]) -> Skill {
        let reference = |filename: &&str| ReferenceFile {
            filename: (*filename).into(),
            content: "# More\n".into(),
        };
        Skill {
            name: "kiln-care".into(),
            description: "d".into(),
            content: "---\nname: kiln-care\n---\n".into(),
            references: references.iter().map(reference).collect(),
            word_count: 0,
        }
    }

    #[test]
    fn a_skill_replaces_the_skill_before_it_and_leaves_nothing_else_behind() {
        let out = tempfile::tempdir().unwrap();
        let first = skill(&["references/a.md", "references/b.md"]);
        let folder = write(out.path(), &first).unwrap();
        assert_eq!(folder, out.path().join("kiln-care"));
        assert!(folder.join("references/b.md").is_file());
        write(out.path(), &skill(&["references/a.md"])).unwrap();
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
        assert!(write(out.path(), &skill(&[])).is_err());
        assert!(folder.join("references/photo.jpg").is_file());
        assert_eq!(fs::read_dir(out.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_in_place_of_the_folder_is_not_followed() {
        let out = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), out.path().join("kiln-care")).unwrap();
        assert!(write(out.path(), &skill(&[])).is_err());
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
            assert!(write(out.path(), &skill(&[bad])).is_err(), "{bad}");
        }
        let nameless = Skill {
            name: "../up".into(),
            ..skill(&[])
        };
        assert!(write(out.path(), &nameless).is_err());
        assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0);
    }
}
