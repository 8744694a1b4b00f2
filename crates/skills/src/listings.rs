//! Owns what listings tell of a product: the program that most commands of shells run, and the module that most listings import.

use crate::product::can_run;
use skillkiln_document::quick::{QuickMap, QuickSet};

/// Languages whose listings are commands.
const SHELLS: [&str; 5] = ["sh", "bash", "shell", "console", "zsh"];
/// A program leads which so many commands run at least, a module which so many listings import, and each so many percent of all.
const COMMANDS_MIN: u32 = 5;
const IMPORTS_MIN: u32 = 3;
const LEADING_PERCENT: u32 = 60;

/// The listings that have been looked at.
#[derive(Default)]
pub(crate) struct Listings {
    /// Programs, by how many commands run them.
    programs: QuickMap<String, u32>,
    /// Modules, by how many listings import them.
    modules: QuickMap<String, u32>,
    /// Listings that import anything.
    importing: u32,
}

impl Listings {
    /// Takes note of a listing. Returns the commands of one that is for a shell.
    pub(crate) fn note<'t>(&mut self, language: Option<&str>, text: &'t str) -> Vec<&'t str> {
        if !language.is_some_and(|one| SHELLS.contains(&one)) {
            let modules: QuickSet<&str> = text.lines().filter_map(imported).collect();
            self.importing += u32::from(!modules.is_empty());
            for module in modules {
                *self.modules.entry(module.to_lowercase()).or_default() += 1;
            }
            return Vec::new();
        }
        let commands = commands(text);
        for program in commands.iter().filter_map(|line| program(line)) {
            *self.programs.entry(program.to_owned()).or_default() += 1;
        }
        commands
    }

    /// The program that leads.
    pub(crate) fn program(&self) -> Option<&str> {
        leading(&self.programs, self.programs.values().sum(), COMMANDS_MIN)
    }

    /// The module that leads.
    pub(crate) fn module(&self) -> Option<&str> {
        leading(&self.modules, self.importing, IMPORTS_MIN)
    }
}

/// What was counted most, where that is so often at least, most of `all`, and twice as often as anything else.
fn leading(counts: &QuickMap<String, u32>, all: u32, least: u32) -> Option<&str> {
    let (name, most) = counts.iter().max_by_key(|(_, count)| **count)?;
    let is_alone = counts
        .iter()
        .all(|(other, count)| other == name || count * 2 <= *most);
    let leads = *most >= least && most * 100 >= all * LEADING_PERCENT && is_alone;
    leads.then_some(name.as_str())
}

/// The commands of a listing for a shell: of a session what stands behind its prompts, else every line.
fn commands(text: &str) -> Vec<&str> {
    let typed: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("$ "))
        .collect();
    match typed.is_empty() {
        true => text.lines().collect(),
        false => typed,
    }
}

/// The program that a command runs, behind who runs it and what is set for it.
pub(crate) fn program(command: &str) -> Option<&str> {
    let command = command.trim().trim_start_matches(['$', '#', '>', ' ']);
    let mut words = command.split(' ').filter(|word| !word.is_empty());
    let program = words.find(|word| *word != "sudo" && !word.contains('='))?;
    (can_run(program) && words.next().is_some()).then_some(program)
}

/// The module that a line of Python, JavaScript or Rust imports; of a part of one all of it.
fn imported(line: &str) -> Option<&str> {
    const STANDARD: &str = " std core alloc crate self super os sys re io abc json time typing logging datetime pathlib collections itertools \
        functools dataclasses unittest asyncio subprocess __future__ fs path node ";
    let line = line.trim().trim_start_matches(">>> ");
    let named = |rest: &'_ str| -> Option<usize> {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
        Some(end.unwrap_or(rest.len())).filter(|end| *end > 1)
    };
    let quoted = [" from ", "require("].iter().find_map(|mark| {
        let (_, rest) = line.split_once(mark)?;
        rest.strip_prefix(['"', '\''])
    });
    let rest = quoted.or_else(|| {
        let fronts = ["import ", "from ", "use "];
        let rest = fronts.iter().find_map(|front| line.strip_prefix(front))?;
        let is_statement = !line.starts_with("from ") || rest.contains(" import ");
        let is_path = !line.starts_with("use ") || rest.contains("::");
        // Of Java's the first part is of the one who wrote it.
        let is_java = line.starts_with("import ") && line.ends_with(';');
        (is_statement && is_path && !is_java).then_some(rest)
    })?;
    let module = rest.get(..named(rest)?)?;
    (!STANDARD.contains(&format!(" {module} "))).then_some(module)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_most_commands_of_a_session_run_leads() {
        let mut listings = Listings::default();
        let session =
            "$ brenn fire\nfired 3 pots\nfired 4 pots\n$ sudo brenn cool\ncooled it all\n";
        for _ in 0..3 {
            listings.note(Some("console"), session);
        }
        listings.note(Some("sh"), "tar xf pots.tar\nCLAY=1 brenn fire\n");
        assert_eq!(listings.program(), Some("brenn"));
        assert_eq!(listings.module(), None);
    }

    #[test]
    fn what_most_listings_import_leads() {
        let mut listings = Listings::default();
        for text in [
            "import brenn\nimport os",
            ">>> from brenn.doors import shut",
            "import { fire } from 'brenn/fire'",
            "const brenn = require(\"brenn\");",
            "use brenn::fire;\nuse std::fs;",
            "import clay",
        ] {
            listings.note(Some("text"), text);
        }
        assert_eq!(
            (listings.module(), listings.program()),
            (Some("brenn"), None)
        );
        assert_eq!(imported("from the kiln to the door"), None);
        assert_eq!(imported("use the door"), None);
    }
}
