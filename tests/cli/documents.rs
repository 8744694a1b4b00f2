//! The documentation: its commands run, the commands, flags and settings that it names are there, and its links lead somewhere.

use crate::program::Desk;
use crate::serve::Service;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A page of the documentation, and where it lies.
struct Page {
    path: PathBuf,
    text: String,
}

/// What stands between two fences.
struct Block {
    /// What stands behind the opening fence.
    info: String,
    line: usize,
    text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages at the root and those below `docs/`.
fn pages() -> Vec<Page> {
    let mut pages: Vec<Page> = [root().to_owned(), root().join("docs")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("it is there"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .map(|path| Page {
            text: std::fs::read_to_string(&path).expect("UTF-8"),
            path,
        })
        .collect();
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(pages.len() > 10);
    pages
}

impl Page {
    fn name(&self) -> std::path::Display<'_> {
        self.path.strip_prefix(root()).expect("below it").display()
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        for (at, line) in self.text.lines().enumerate() {
            match (line.trim_start().strip_prefix("```"), &mut open) {
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (Some(info), None) => {
                    open = Some(Block {
                        info: info.to_owned(),
                        line: at + 1,
                        text: String::new(),
                    });
                }
                (None, Some(block)) => block.text.extend([line, "\n"]),
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{}: a fence is not closed", self.name());
        blocks
    }

    /// The text outside of fences.
    fn prose(&self) -> String {
        self.text.split("```").step_by(2).collect()
    }
}

/// Blocks that are marked `sh test` are run, those of a page one after another in a folder with the repository's documents.
#[test]
fn the_commands_that_are_marked_run() {
    let program = Path::new(env!("CARGO_BIN_EXE_skillkiln"));
    let folder = program.parent().expect("it lies in a folder");
    let paths = std::env::var("PATH").unwrap_or_default();
    let mut marked = 0;
    for page in pages() {
        let desk = Desk::new();
        for name in ["README.md", "docs", "config.toml"] {
            let target = desk.path().join(name);
            std::os::unix::fs::symlink(root().join(name), target).expect("linked");
        }
        for block in page.blocks().iter().filter(|block| block.info == "sh test") {
            let ended = Command::new("sh")
                .args(["-eu", "-c", &block.text])
                .current_dir(desk.path())
                .env("HOME", desk.path())
                .env("PATH", format!("{}:{paths}", folder.display()))
                .output()
                .expect("there is a shell");
            assert!(
                ended.status.success(),
                "{} line {}: {}",
                page.name(),
                block.line,
                String::from_utf8_lossy(&ended.stderr)
            );
            marked += 1;
        }
    }
    assert!(marked >= 3, "{marked} blocks are marked");
}

/// The blocks of a page that are marked `sh served` are one session with a service that serves from the folder they run in.
#[test]
fn the_commands_that_ask_a_service_run() {
    let program = Path::new(env!("CARGO_BIN_EXE_skillkiln"));
    let folder = program.parent().expect("it lies in a folder");
    let paths = std::env::var("PATH").unwrap_or_default();
    let mut sessions = 0;
    for page in pages() {
        let blocks = page.blocks();
        let served = blocks.iter().filter(|block| block.info == "sh served");
        let session: String = served.map(|block| block.text.as_str()).collect();
        if session.is_empty() {
            continue;
        }
        let desk = Desk::new();
        let service = Service::start(&desk);
        let ended = Command::new("sh")
            .args([
                "-eu",
                "-c",
                &session.replace("127.0.0.1:8080", &service.public),
            ])
            .current_dir(desk.path())
            .env("HOME", desk.path())
            .env("PATH", format!("{}:{paths}", folder.display()))
            .output()
            .expect("there is a shell");
        let (out, err) = (
            String::from_utf8_lossy(&ended.stdout),
            String::from_utf8_lossy(&ended.stderr),
        );
        assert!(ended.status.success(), "{}: {err}\n{out}", page.name());
        sessions += 1;
    }
    assert!(sessions >= 1, "{sessions} pages have sessions");
}

/// What `--help` says, by the words of the command.
#[derive(Default)]
struct Help(HashMap<Vec<String>, String>);

impl Help {
    fn of(&mut self, words: &[String]) -> &str {
        self.0.entry(words.to_vec()).or_insert_with(|| {
            let mut arguments: Vec<&str> = words.iter().map(String::as_str).collect();
            arguments.push("--help");
            Desk::new().done(&arguments)
        })
    }

    fn has_command(&mut self, words: &[String], word: &str) -> bool {
        let (_, commands) = self.of(words).split_once("Commands:\n").unwrap_or_default();
        let listed = commands.lines().take_while(|line| !line.is_empty());
        listed
            .filter_map(|line| line.split_whitespace().next())
            .any(|command| command == word)
    }
}

#[test]
fn every_command_and_flag_is_there() {
    let mut help = Help::default();
    let mut looked_at = 0;
    for page in pages() {
        for block in page
            .blocks()
            .iter()
            .filter(|block| block.info.starts_with("sh"))
        {
            let lines = block.text.replace("\\\n", " ");
            for line in lines.lines() {
                let words: Vec<&str> = line.split_whitespace().collect();
                let is_program = |word: &str| word == "skillkiln" || word.ends_with("/skillkiln");
                let begins =
                    |at: &usize| is_program(words[at - 1]) && help.has_command(&[], words[*at]);
                let Some(start) = (1..words.len()).find(begins) else {
                    continue;
                };
                let mut command: Vec<String> = Vec::new();
                let mut is_command = true;
                let rest = words[start..].iter();
                let rest = rest.take_while(|word| !word.starts_with(['#', '|', '>', '&', ';']));
                for word in rest {
                    is_command &= help.has_command(&command, word);
                    let flag = word.split('=').next().unwrap_or_default();
                    if is_command {
                        command.push((*word).to_owned());
                    } else if flag.starts_with("--") {
                        let is_known = help.of(&command).contains(flag);
                        assert!(is_known, "{}: {command:?} has no {flag}", page.name());
                    }
                }
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 30, "{looked_at} commands were found");
}

/// Whether a path such as `server.bind` leads to something in the settings.
fn leads(settings: &Value, path: &str) -> bool {
    let step = |value, name| Value::get(value, name);
    path.split('.').try_fold(settings, step).is_some()
}

#[test]
fn every_setting_that_is_named_is_one() {
    let settings = Desk::new().json(&["config", "check", "--json"]);
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._".contains(c);
    let mut named = 0;
    for page in pages() {
        for span in page.prose().split('`').skip(1).step_by(2) {
            let path = span.split([' ', '=']).next().unwrap_or_default();
            let (section, _) = path.split_once('.').unwrap_or_default();
            let is_setting = settings.get(section).is_some() && path.chars().all(is_name);
            // The section of a provider has the name that an operator gives it.
            if is_setting && section != "openid" {
                assert!(leads(&settings, path), "{}: {path}", page.name());
                named += 1;
            }
        }
    }
    assert!(named > 40, "{named} settings were found");
}

#[test]
fn every_example_of_settings_is_good() {
    let mut examples = 0;
    for page in pages() {
        for block in page.blocks().iter().filter(|block| block.info == "toml") {
            let desk = Desk::new();
            std::fs::write(desk.path().join("config.toml"), &block.text).expect("written");
            let ended = desk.run(&["config", "check"]);
            let (name, line) = (page.name(), block.line);
            assert_eq!(ended.code, 0, "{name} line {line}: {}", ended.err);
            examples += 1;
        }
    }
    assert!(examples > 2, "{examples} examples were found");
}

/// The anchor of a heading, as repositories show it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase().replace(' ', "-");
    kept.chars()
        .filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_')
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut links = 0;
    for page in pages() {
        let folder = page.path.parent().expect("it lies in a folder");
        let prose = page.prose();
        for target in prose
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            if target.contains("://") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let path = match file {
                "" => page.path.clone(),
                _ => folder.join(file),
            };
            assert!(path.exists(), "{}: {target}", page.name());
            if !heading.is_empty() {
                let text = std::fs::read_to_string(&path).expect("a page");
                let has = text
                    .lines()
                    .filter(|line| line.starts_with('#'))
                    .any(|line| anchor(line.trim_start_matches('#')) == heading);
                assert!(has, "{}: {target}", page.name());
            }
            links += 1;
        }
    }
    assert!(links > 20, "{links} links were found");
}

#[test]
fn the_first_page_is_short() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("it is there");
    assert!(readme.lines().count() <= 140);
    assert!(readme.contains("scripts/test"), "it says how to test");
}
