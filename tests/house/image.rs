//! The image is built from what `.dockerignore` leaves: every file that the program includes is among it.

use crate::source::{files, root};

/// Whether a path of the repository is left out by the patterns; the last one that fits decides.
fn is_left_out(patterns: &str, path: &str) -> bool {
    let fits = |pattern: &str| {
        if let Some(name) = pattern.strip_prefix("**/") {
            return path.split('/').any(|part| part == name);
        }
        let folder = pattern.strip_suffix("/*").unwrap_or(pattern);
        let is_inside = path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'));
        is_inside || path == pattern
    };
    let mut is_out = false;
    for line in patterns.lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix('!') {
            Some(kept) if fits(kept) => is_out = false,
            None if fits(line) => is_out = true,
            _ => {}
        }
    }
    is_out
}

/// The files that what is built includes as text or bytes, by their paths in the repository.
fn included() -> Vec<String> {
    let mut found = Vec::new();
    for file in ["src", "crates"].into_iter().flat_map(files) {
        let built = file.text.split("#[cfg(test)]\nmod tests").next();
        let end = built.unwrap_or_default().len();
        for word in ["include_str", "include_bytes"] {
            for at in file.words(word).filter(|at| *at < end) {
                let Some(name) = file.text[at..].split('"').nth(1) else {
                    continue;
                };
                let mut path: Vec<&str> = file.path.split('/').collect();
                path.pop();
                for step in name.split('/') {
                    match step {
                        ".." => drop(path.pop()),
                        step => path.push(step),
                    }
                }
                found.push(path.join("/"));
            }
        }
    }
    found
}

#[test]
fn the_guides_of_the_api_were_left_out_of_the_image_whose_program_includes_them() {
    let patterns = std::fs::read_to_string(root().join(".dockerignore")).expect("patterns");
    let included = included();
    assert!(
        included.iter().any(|path| path == "docs/api.md"),
        "{included:?}"
    );
    for path in included {
        assert!(
            !is_left_out(&patterns, &path),
            "{path} is left out by .dockerignore"
        );
    }
    for folder in ["templates", "migrations", "assets", "Cargo.lock"] {
        assert!(!is_left_out(&patterns, folder), "{folder}");
    }
}

#[test]
fn the_last_pattern_that_fits_decides() {
    let patterns = "# docs\ndocs/*\n!docs/a.md\n**/target\nops\n";
    for (path, is_out) in [
        ("docs/a.md", false),
        ("docs/b.md", true),
        ("ops/x", true),
        ("opsx", false),
        ("crates/a/target/x", true),
        ("src/a.rs", false),
    ] {
        assert_eq!(is_left_out(patterns, path), is_out, "{path}");
    }
}
