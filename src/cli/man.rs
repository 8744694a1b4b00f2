//! `skillkiln man`: prints the manual page, with a section for each command.

use super::Cli;
use super::output::{self, Stop};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::io;

/// Runs the command.
///
/// # Errors
/// [`Stop`] when the result cannot be written.
pub fn run() -> Result<(), Stop> {
    output::write_all(&page().map_err(Stop::failed)?)
}

fn page() -> io::Result<Vec<u8>> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    let whole = Man::new(command.clone());
    whole.render_title(&mut page)?;
    whole.render_name_section(&mut page)?;
    whole.render_synopsis_section(&mut page)?;
    whole.render_description_section(&mut page)?;
    whole.render_options_section(&mut page)?;
    of_commands(&command, "skillkiln", &mut page)?;
    Ok(page)
}

/// A section for each command, and for each of its own.
fn of_commands(command: &Command, before: &str, page: &mut Vec<u8>) -> io::Result<()> {
    let shown = |command: &&Command| !command.is_hide_set() && command.get_name() != "help";
    for one in command.get_subcommands().filter(shown) {
        let name = format!("{before} {}", one.get_name());
        page.extend_from_slice(format!(".SH {}\n", name.to_uppercase()).as_bytes());
        let man = Man::new(one.clone().bin_name(name.clone()));
        man.render_description_section(page)?;
        man.render_synopsis_section(page)?;
        if one.get_arguments().next().is_some() {
            man.render_options_section(page)?;
        }
        of_commands(one, &name, page)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_every_command_and_its_flags() {
        let page = String::from_utf8(page().unwrap()).unwrap();
        for part in [
            ".TH skillkiln",
            "SKILLKILN USER ADD",
            "evals",
            "SKILLKILN SERVE",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(
            !page.contains("ISOLATED"),
            "what the service starts for itself is nobody's"
        );
    }
}
