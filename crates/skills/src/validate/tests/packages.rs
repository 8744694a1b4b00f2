//! Reading folders, files and zips: what is inside never makes reading fail, never is followed, never inflates without end.

use super::SKILL;
use crate::skill::Reference;
use crate::validate::check;
use crate::validate::package::{
    Content, Package, PackageError, UNPACKED_BYTES_MAX, read, read_zip,
};
use crate::validate::profile::Profile;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;

const SIMPLE: &str = "---\nname: \"counting-rows\"\ndescription: \"Counts the rows of a table. Use when the user asks how many rows a table has.\"\n---\n# Counting rows\n\nRun `wc -l`.\n";

fn folder_with(skill: &str) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("counting-rows")).unwrap();
    fs::write(place.path().join("counting-rows/SKILL.md"), skill).unwrap();
    place
}

fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in files {
        zip.start_file(*path, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn findings(package: &Package, id: &str) -> Vec<String> {
    let checks = check(package, Profile::Open).checks;
    checks
        .into_iter()
        .filter(|check| check.id == id && !check.passed)
        .map(|check| check.message.into_owned())
        .collect()
}

fn errors(package: &Package) -> u32 {
    check(package, Profile::Open).errors
}

#[test]
fn a_folder_is_read_with_its_name_and_all_its_files() {
    let place = folder_with(SIMPLE);
    fs::create_dir(place.path().join("counting-rows/references")).unwrap();
    fs::write(
        place.path().join("counting-rows/references/rows.md"),
        "# Rows\n",
    )
    .unwrap();
    let package = read(&place.path().join("counting-rows")).unwrap();
    assert_eq!(package.folder.as_deref(), Some("counting-rows"));
    let paths: Vec<&str> = package
        .entries
        .iter()
        .map(|entry| entry.path.as_str())
        .collect();
    assert_eq!(paths, ["SKILL.md", "references/rows.md"]);
    assert_eq!(errors(&package), 0);
    assert_eq!(
        read(&place.path().join("counting-rows/references/.."))
            .unwrap()
            .folder
            .as_deref(),
        Some("counting-rows")
    );
}

#[test]
fn a_link_is_reported_and_never_followed() {
    let place = folder_with(SIMPLE);
    let folder = place.path().join("counting-rows");
    std::os::unix::fs::symlink("/etc", folder.join("references")).unwrap();
    std::os::unix::fs::symlink("..", folder.join("loop")).unwrap();
    let package = read(&folder).unwrap();
    assert_eq!(package.entries.len(), 3);
    assert_eq!(findings(&package, "V008").len(), 2);
}

#[test]
fn skill_md_alone_is_read_with_the_files_that_it_may_point_at() {
    let place = folder_with(&format!(
        "{SIMPLE}\nRead [rows](references/rows.md) when they are empty.\n"
    ));
    let folder = place.path().join("counting-rows");
    fs::create_dir(folder.join("references")).unwrap();
    fs::write(folder.join("references/rows.md"), "# Rows\n\nText.\n").unwrap();
    fs::write(folder.join("other.txt"), "not of the package").unwrap();
    let package = read(&folder.join("SKILL.md")).unwrap();
    assert_eq!((package.folder.clone(), package.entries.len()), (None, 2));
    assert_eq!(errors(&package), 0);
    let downloaded = place.path().join("rows.md");
    fs::write(&downloaded, SIMPLE).unwrap();
    assert_eq!(errors(&read(&downloaded).unwrap()), 0);
    fs::rename(folder.join("SKILL.md"), folder.join("skill.md")).unwrap();
    assert_eq!(
        findings(&read(&folder.join("skill.md")).unwrap(), "V006").len(),
        1
    );
}

#[test]
fn what_cannot_be_opened_is_an_error_of_its_own() {
    assert!(matches!(
        read(Path::new("/nowhere/at/all")),
        Err(PackageError::Unreadable(..))
    ));
    assert!(matches!(
        read(Path::new("/dev/null")),
        Err(PackageError::NotAFile(..))
    ));
    assert!(matches!(
        read_zip(b"PK\x03\x04 and then nothing"),
        Err(PackageError::NotAZip(..))
    ));
}

#[test]
fn a_zip_holds_one_folder_named_as_the_skill() {
    let whole = read_zip(&zip_of(&[
        ("counting-rows/SKILL.md", SIMPLE.as_bytes()),
        ("counting-rows/LICENSE", b"MIT"),
    ]))
    .unwrap();
    assert_eq!(
        (whole.folder.as_deref(), errors(&whole)),
        (Some("counting-rows"), 0)
    );
    let flat = read_zip(&zip_of(&[("SKILL.md", SIMPLE.as_bytes())])).unwrap();
    assert_eq!(findings(&flat, "V008").len(), 1);
    assert!(findings(&flat, "V000").is_empty());
    let other = read_zip(&zip_of(&[("rows/SKILL.md", SIMPLE.as_bytes())])).unwrap();
    assert_eq!(findings(&other, "V016").len(), 1);
    let from_a_mac = read_zip(&zip_of(&[
        ("counting-rows/SKILL.md", SIMPLE.as_bytes()),
        ("__MACOSX/counting-rows/._SKILL.md", b"x"),
    ]))
    .unwrap();
    assert_eq!(errors(&from_a_mac), 0);
    assert_eq!(findings(&from_a_mac, "V009").len(), 1);
}

#[test]
fn a_zip_that_leaves_its_folder_or_inflates_without_end_is_reported() {
    let slipped = read_zip(&zip_of(&[
        ("counting-rows/SKILL.md", SIMPLE.as_bytes()),
        ("counting-rows/../../x", b"x"),
        ("/etc/x", b"x"),
        ("a\\b", b"x"),
    ]))
    .unwrap();
    assert_eq!(findings(&slipped, "V008").len(), 3);
    let zeros = vec![0; usize::try_from(UNPACKED_BYTES_MAX).unwrap() / 2 + 1];
    let bomb = zip_of(&[
        ("counting-rows/SKILL.md", SIMPLE.as_bytes()),
        ("counting-rows/a", &zeros),
        ("counting-rows/b", &zeros),
        ("counting-rows/c", &zeros),
    ]);
    assert!(bomb.len() < 1 << 20);
    let bomb = read_zip(&bomb).unwrap();
    let held: usize = bomb
        .entries
        .iter()
        .map(|entry| {
            if let Content::File(bytes) = &entry.content {
                bytes.len()
            } else {
                0
            }
        })
        .sum();
    assert!(held <= usize::try_from(UNPACKED_BYTES_MAX).unwrap());
    assert_eq!(findings(&bomb, "V008").len(), 3);
}

#[test]
fn a_symbolic_link_in_a_zip_is_reported() {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("counting-rows/SKILL.md", SimpleFileOptions::default())
        .unwrap();
    zip.write_all(SIMPLE.as_bytes()).unwrap();
    zip.add_symlink(
        "counting-rows/passwd",
        "/etc/passwd",
        SimpleFileOptions::default(),
    )
    .unwrap();
    let package = read_zip(&zip.finish().unwrap().into_inner()).unwrap();
    assert_eq!(findings(&package, "V008").len(), 1);
}

#[test]
fn a_zip_of_too_many_entries_is_read_only_so_far() {
    let names: Vec<String> = (0..2_100)
        .map(|number| format!("counting-rows/assets/{number}.txt"))
        .collect();
    let mut files: Vec<(&str, &[u8])> = vec![("counting-rows/SKILL.md", SIMPLE.as_bytes())];
    files.extend(names.iter().map(|name| (name.as_str(), b"x".as_slice())));
    let package = read_zip(&zip_of(&files)).unwrap();
    assert_eq!(package.entries.len(), 2_000);
    assert_eq!(findings(&package, "V008").len(), 1);
}

#[test]
fn a_zip_damaged_anywhere_is_read_or_refused_without_a_panic() {
    let whole = zip_of(&[
        ("counting-rows/SKILL.md", SKILL.as_bytes()),
        ("counting-rows/x", b"y"),
    ]);
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0xff;
        if let Ok(package) = read_zip(&damaged) {
            assert!(package.entries.len() <= 2);
        }
    }
}

#[test]
fn a_skill_of_ours_is_checked_as_the_folder_it_is_delivered_in() {
    let content = format!("{SIMPLE}\nRead [rows](references/rows.md) when they are empty.\n");
    let file = Reference {
        filename: "references/rows.md".to_owned(),
        content: "# Rows\n\nText.\n".to_owned(),
    };
    let errors = |files: &[Reference]| {
        let package = Package::of("counting-rows", content.clone(), files.to_vec());
        assert_eq!(
            package.clone().into_skill(),
            (content.clone(), files.to_vec())
        );
        check(&package, Profile::Open).errors
    };
    assert_eq!(errors(&[file]), 0);
    assert_eq!(errors(&[]), 1);
}
