//! Owns the form in which a skill leaves the house: the zip of its folder, the same bytes each time (decision 38).

use crate::domain::skill::FinishedSkill;
use skillkiln_document::text::file_slug;
use skillkiln_skills::skill::Reference;
use std::collections::HashSet;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// The one file that makes a folder a skill.
pub const SKILL_FILE: &str = "SKILL.md";
/// Characters of a folder's or a file's name.
const NAME_CHARS_MAX: usize = 64;

/// The name of a skill's folder: the name in its header where that can be one, else its slug.
#[must_use]
pub fn folder(skill: &FinishedSkill) -> String {
    let name = file_slug(&skill.name, NAME_CHARS_MAX);
    if name.is_empty() {
        "skill".to_owned()
    } else {
        name
    }
}

/// The path of each reference file inside the folder: one level below `references/`, whatever it was called.
fn paths(references: &[Reference]) -> Vec<String> {
    let mut taken = HashSet::new();
    references
        .iter()
        .map(|file| {
            let base = file.filename.rsplit(['/', '\\']).next().unwrap_or_default();
            let stem = base.strip_suffix(".md").unwrap_or(base);
            let stem = match file_slug(stem, NAME_CHARS_MAX) {
                slug if slug.is_empty() => "reference".to_owned(),
                slug => slug,
            };
            let numbered = |number: usize| match number {
                1 => format!("references/{stem}.md"),
                _ => format!("references/{stem}-{number}.md"),
            };
            (1..)
                .map(numbered)
                .find(|path| taken.insert(path.clone()))
                .unwrap_or_default()
        })
        .collect()
}

/// The zip of a skill's folder: `<folder>/SKILL.md`, then its reference files in their order.
///
/// # Errors
/// When it cannot be written, which memory alone could cause.
pub fn zip(skill: &FinishedSkill) -> Result<Vec<u8>, zip::result::ZipError> {
    with_files(skill, &[])
}

/// The zip of a skill's folder with further files, by their paths in the folder.
///
/// # Errors
/// As [`zip()`].
pub fn with_files(
    skill: &FinishedSkill,
    files: &[(&str, String)],
) -> Result<Vec<u8>, zip::result::ZipError> {
    packed(skill, &format!("{}/", folder(skill)), files)
}

/// The zip of what is inside a skill's folder: `SKILL.md` at its root (decision 67).
///
/// # Errors
/// As [`zip()`].
pub fn flat_zip(skill: &FinishedSkill) -> Result<Vec<u8>, zip::result::ZipError> {
    packed(skill, "", &[])
}

fn packed(
    skill: &FinishedSkill,
    before: &str,
    further: &[(&str, String)],
) -> Result<Vec<u8>, zip::result::ZipError> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let names = paths(&skill.references);
    let files = names.iter().map(String::as_str);
    let files = files.zip(skill.references.iter().map(|file| &file.content));
    let further = further.iter().map(|(path, content)| (*path, content));
    let first = std::iter::once((SKILL_FILE, &skill.content));
    for (path, content) in first.chain(files).chain(further) {
        archive.start_file(format!("{before}{path}"), options)?;
        archive.write_all(content.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_skills::report::Report;
    use std::io::Read;

    fn skill(name: &str, references: &[&str]) -> FinishedSkill {
        let file = |filename: &&str| Reference {
            filename: (*filename).to_owned(),
            content: format!("of {filename}"),
        };
        FinishedSkill {
            name: name.into(),
            filename: format!("{name}.md"),
            description: String::new(),
            category: String::new(),
            content: "---\nname: kiln\n---\n# Kiln\n".into(),
            references: references.iter().map(file).collect(),
            word_count: 1,
            report: Report::default(),
            origins: vec![],
        }
    }

    fn names(bytes: &[u8]) -> Vec<String> {
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("a zip");
        (0..archive.len())
            .map(|at| {
                let entry = archive.by_index(at).expect("an entry");
                String::from_utf8_lossy(entry.name_raw()).into_owned()
            })
            .collect()
    }

    #[test]
    fn a_skill_is_zipped_as_its_folder_and_the_same_each_time() {
        let skill = skill("kiln", &["references/glazes.md", "references/cones.md"]);
        let bytes = zip(&skill).expect("a zip");
        assert_eq!(
            names(&bytes),
            [
                "kiln/SKILL.md",
                "kiln/references/glazes.md",
                "kiln/references/cones.md"
            ]
        );
        assert_eq!(bytes, zip(&skill).expect("a zip"));
        assert_eq!(
            names(&flat_zip(&skill).expect("a zip")),
            ["SKILL.md", "references/glazes.md", "references/cones.md"]
        );
        let mut archive = zip::ZipArchive::new(Cursor::new(&bytes)).expect("a zip");
        let mut content = String::new();
        let mut entry = archive.by_index(0).expect("an entry");
        entry.read_to_string(&mut content).expect("text");
        assert_eq!(content, skill.content);
    }

    #[test]
    fn hostile_names_stay_inside_the_folder_and_apart() {
        let hostile = [
            "../../etc/passwd",
            "/etc/passwd",
            "..\\..\\passwd.md",
            "references/..",
            "C:\\x.md",
            "references/\u{202e}gpj.md",
            "",
            "\0",
            "SKILL.md",
        ];
        for entry in names(&zip(&skill("../up", &hostile)).expect("a zip"))
            .iter()
            .skip(1)
        {
            let rest = entry.strip_prefix("up/references/").expect("inside");
            assert!(
                rest.bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
                    && !rest.contains("..")
                    && rest.ends_with(".md"),
                "{entry}"
            );
        }
        let bytes = zip(&skill("☃", &hostile)).expect("a zip");
        let all: HashSet<String> = names(&bytes).into_iter().collect();
        assert_eq!(all.len(), hostile.len() + 1, "{all:?}");
    }
}
