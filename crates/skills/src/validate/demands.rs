//! Owns what the checks demand of a skill: what holds when each one passes, how much it matters when it fails, and whose rule it is.
//!
//! Sources: **S** the Agent Skills specification, **R** its reference validator, **G** its best-practice guides, **A** the
//! authoring guide and upload rules of Anthropic, **X** the linter agnix, **O** ours. How each check is made stands in
//! [`crate::validate::table`].

use crate::report::Severity::{self, Error as E, Info as I, Warning as W};

/// What one check demands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// `V000` to `V108`.
    pub id: &'static str,
    /// How much it matters where skills are loaded from folders.
    pub open: Severity,
    /// How much it matters where skills are uploaded.
    pub claude: Severity,
    /// Whose rule it is.
    pub sources: &'static str,
    /// What holds when it passes.
    pub words: &'static str,
}

impl Demand {
    /// The demand of a check.
    #[must_use]
    pub fn of(id: &str) -> Option<&'static Self> {
        let at = DEMANDS.binary_search_by(|demand| demand.id.cmp(id)).ok()?;
        DEMANDS.get(at)
    }
}

macro_rules! demands {
    ($($id:ident $open:ident $claude:ident $sources:ident $words:literal;)+) => {
        &[$(Demand { id: stringify!($id), open: $open, claude: $claude, sources: stringify!($sources), words: $words }),+]
    };
}

/// Every check on one package, in the order of their ids. V046, on several skills at once, stands outside of it.
pub static DEMANDS: &[Demand] = demands! {
    V000 E E SR "there is exactly one SKILL.md";
    V001 E E SR "the header opens with `---` at the first byte";
    V002 E E SR "the header is closed";
    V003 E E SR "there is no byte-order mark";
    V004 E E SR "the header is a strict YAML mapping";
    V005 E E SR "no key is given twice";
    V006 E E G "SKILL.md is named so in exact case";
    V007 E E S "all text is UTF-8";
    V008 E E X "nothing links or leads out of the package, and it is no larger than 30 MB";
    V009 I I X "there is no clutter";
    V010 E E SR "there is a name";
    V011 E E SR "the name is text";
    V012 E E SR "the name holds only a to z, digits and hyphens";
    V013 E E SR "the name neither starts nor ends with a hyphen";
    V014 E E SR "the name holds no double hyphen";
    V015 E E SR "the name has at most 64 characters";
    V016 E E SR "the name is the folder's";
    V017 W E A "the name holds no reserved word";
    V018 W E A "the name holds no XML tag";
    V019 W W A "the name is specific";
    V020 W W R "the name has only ASCII letters";
    V021 I I A "the name is a gerund or a noun phrase";
    V030 E E SR "there is a description";
    V031 E E SR "the description is text";
    V032 E E SR "the description has at most 1,024 characters";
    V033 W E A "the description holds neither `<` nor `>`";
    V034 W W X "the description says when to use the skill";
    V035 W W A "the description speaks in the third person";
    V036 E E X "the description is finished";
    V037 W W R "values are quoted and stand on one line";
    V038 W W X "the main use stands in the description's first 250 characters";
    V039 W W X "the description says more than the name";
    V040 E E SR "there are only known fields";
    V041 E E SR "`compatibility` is text of 1 to 500 characters";
    V042 E E S "`metadata` is a flat map of text";
    V043 W W S "`allowed-tools` is one list, without an open shell";
    V044 W W X "the description lists no steps";
    V045 W W O "the description ends as a sentence";
    V047 W W S "`license` is text, and a file that it names exists";
    V050 E E S "the body is not empty";
    V051 W W S "the body has at most 500 lines";
    V052 W W SX "the body has at most 5,000 tokens";
    V053 W W X "code blocks are closed";
    V054 W W X "there is one title, first, and no heading skips a level";
    V055 W W X "code blocks name their language";
    V056 W W X "table rows match their header";
    V057 W W A "no wording ages";
    V058 I I AG "choices have a default, and each thing one term";
    V059 I I G "procedures end in a check";
    V060 E E S "links lead to files that exist";
    V061 E E S "no link leaves the folder";
    V062 W W A "paths are written with slashes";
    V063 W W S "reference files lie one level below SKILL.md";
    V064 W W X "something points at every file";
    V065 W W A "files over 100 lines have a table of contents";
    V066 E E X "no file is empty";
    V067 W W X "links lead to headings that exist";
    V068 W W G "pointers say when to read the file";
    V069 W W A "reference files are small and named after their subject";
    V070 W W X "nothing is left to be written";
    V071 W W X "no path names somebody's home";
    V072 W W OG "nothing would fit any skill";
    V073 W W X "scripts ask nothing";
    V074 W W X "commands that fetch a package name its version";
    V075 I I G "the dependencies of scripts are named";
    V076 W W A "MCP tools are named with their server";
    V080 E E X "there is no secret";
    V081 E E X "nothing overrides instructions or roles";
    V082 W W X "no comment hides instructions";
    V083 E E X "every character can be seen";
    V084 W W X "no command runs what it has not seen or destroys much without a caution above it";
    V085 W W X "there is no blob of encoded bytes";
    V086 W E X "no host runs, replaces or takes in anything of the text while it loads it";
    V087 W W X "no file or folder has the name of a Windows device";
    V090 E E O "every command, flag, path, address, number and code block is in the source";
    V091 W W O "the source supports every sentence";
    V092 W W O "at least 90 % of the source's code blocks are kept";
    V093 W W O "no paragraph says what another says";
    V094 W W O "no fragment has lost its context";
    V095 W W O "nothing is left of a web page's menus and buttons";
    V101 W W O "the description is prose that a person would write";
    V102 W W O "the description names the subject";
    V103 I I O "the description has at most 320 characters";
    V104 W W O "each reference has one subject, and no two have the same";
    V105 W W O "the body does not repeat a reference";
    V106 W W O "what the source names and does not hold is said";
    V107 W W O "no step stands without its command, and no procedure without its steps";
    V108 W W O "good and bad examples keep their marks";
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_demand_is_found_by_its_id() {
        for demand in DEMANDS {
            assert_eq!(Demand::of(demand.id), Some(demand));
        }
        assert_eq!(Demand::of("V046"), None);
    }
}
