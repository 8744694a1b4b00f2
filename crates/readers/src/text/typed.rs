//! Owns which lines of plain text are typed although nothing sets them in: commands, each on a line of its own, settings below words
//! that lead to them, and a session with what it answers.

use super::code::{self, CODE_LINES_MAX};
use super::{Line, lists, shapes};
use crate::code_like;

/// Programs that somebody runs to get, to build and to install others, and to look at files.
const PROGRAMS: [&str; 62] = [
    "apt",
    "apt-get",
    "aptitude",
    "autoconf",
    "autoreconf",
    "brew",
    "bundle",
    "cabal",
    "cargo",
    "cat",
    "cd",
    "chmod",
    "chown",
    "cmake",
    "composer",
    "cp",
    "ctest",
    "curl",
    "dnf",
    "docker",
    "dpkg",
    "echo",
    "emerge",
    "export",
    "g++",
    "gcc",
    "gem",
    "git",
    "go",
    "grep",
    "gunzip",
    "gzip",
    "hg",
    "java",
    "javac",
    "ldconfig",
    "ln",
    "ls",
    "make",
    "meson",
    "mkdir",
    "mv",
    "ninja",
    "npm",
    "pacman",
    "perl",
    "pip",
    "pip3",
    "python",
    "python2",
    "python3",
    "rm",
    "rpm",
    "ruby",
    "setenv",
    "sudo",
    "svn",
    "systemctl",
    "tar",
    "unzip",
    "wget",
    "yum",
];
/// What stands behind the name of a program in a sentence alone.
const SENTENCE_WORDS: [&str; 27] = [
    "a", "an", "and", "are", "as", "be", "but", "by", "can", "for", "has", "have", "in", "is",
    "it", "not", "of", "on", "or", "should", "sure", "that", "the", "this", "to", "was", "will",
];
/// A command has no more words, and no more of them that are letters alone.
const WORDS_MAX: usize = 14;
const PLAIN_WORDS_MAX: usize = 4;
/// A sentence has so many words.
const SENTENCE_WORDS_MIN: usize = 4;

/// Whether a line begins with the path of a program.
fn begins_with_path(words: &str) -> bool {
    let program = words.split(' ').next().unwrap_or_default();
    let path = program.strip_prefix("./").or(program.strip_prefix("../"));
    path.is_some_and(|path| path.starts_with(|c: char| c.is_alphanumeric()))
}

/// Whether a line is a command that is told by its program: `./configure --hot`, `sudo make install`.
pub(super) fn is_command(words: &str) -> bool {
    let mut parts = words.split_whitespace();
    let program = parts.next().unwrap_or_default();
    let is_program = PROGRAMS.contains(&program) || begins_with_path(words);
    // A list of paths may end as one does that leads to what is below.
    let is_path_open = words.ends_with(':')
        && words
            .rsplit(' ')
            .next()
            .is_some_and(|last| last.contains(['/', '~', '$']));
    let is_ended = words.ends_with([',', ';', ':', '!', '?', ')']) && !is_path_open
        || words.ends_with('.') && !words.ends_with(" .") && !words.ends_with("..");
    let given: Vec<&str> = parts.take(WORDS_MAX).collect();
    let is_plain = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_program
        && !is_ended
        && given.len() < WORDS_MAX
        && !given.iter().any(|word| SENTENCE_WORDS.contains(word))
        && given.iter().filter(is_plain).count() < PLAIN_WORDS_MAX
}

/// What leads to files in a sentence.
const REFERRING: [&str; 8] = [
    "ask", "cf", "consult", "edit", "look", "open", "read", "see",
];

/// Whether a line is a program of any name and nothing but files and options behind it, as beside commands it may be.
fn names_files(words: &str) -> bool {
    let mut parts = words.split_whitespace();
    let program = parts.next().unwrap_or_default();
    let is_file = |word: &str| {
        let is_named = word.split_once('.').is_some_and(|(_, kind)| {
            !kind.is_empty()
                && kind
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
        });
        let is_option = word.len() > 1 && word.starts_with('-');
        !word.contains("://") && (is_named || word.contains('/') || is_option)
    };
    let mut given = parts.take(WORDS_MAX).peekable();
    is_program_name(program)
        && !REFERRING.contains(&program)
        && given.peek().is_some()
        && given.all(is_file)
        && !words.ends_with(['.', ':', ','])
}

/// Whether a line is a program of any name that is given an option, and no sentence.
fn has_option(words: &str) -> bool {
    let given = || words.split_whitespace().skip(1).take(WORDS_MAX);
    let is_plain = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphabetic());
    code::is_command(words)
        && !words.ends_with(['!', '?', ')'])
        && given().count() < WORDS_MAX
        && !given().any(|word| SENTENCE_WORDS.contains(&word))
        && given().filter(is_plain).count() < PLAIN_WORDS_MAX
}

fn is_program_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
        && word
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_+".contains(&b))
}

/// Whether nothing but a command looks so: it begins with a path or as root, or has an option, a path or an address.
fn is_evident(words: &str) -> bool {
    let mut given = words.split_whitespace().skip(1);
    begins_with_path(words)
        || words.starts_with("sudo ")
        || given.any(|word| word.starts_with('-') || word.contains(['/', '=', '*', '$']))
}

/// How many lines from the start are commands: all up to an empty line, or, where words lead to them, those that stand right below.
pub(super) fn commands_length(lines: &[Line<'_>], is_announced: bool) -> usize {
    let group = || code::stretch(lines);
    let length_of = |is_typed: &dyn Fn(&str) -> bool| {
        // What a line leaves open goes on in the next one.
        let mut is_open = false;
        let goes_on = |words: &&str| {
            std::mem::replace(&mut is_open, words.ends_with(" \\")) || is_typed(words)
        };
        group().take_while(goes_on).count()
    };
    let mut length = length_of(&is_command);
    // Programs that nobody knows are commands where all that stands together is typed.
    if group().nth(length).is_some() {
        let is_told = |words: &str| is_command(words) || is_announced && has_option(words);
        let wider = length_of(&|words| is_told(words) || names_files(words));
        // Files alone may be where something is to be read.
        let is_all = wider > 0 && group().nth(wider).is_none();
        if is_all && group().take(wider).any(is_told) {
            length = wider;
        }
    }
    // Asked of every line, it looks no further where nothing is typed.
    if length == 0 {
        return 0;
    }
    let is_evident = group().take(length).any(is_evident);
    let is_all = group().nth(length).is_none();
    let enough = match is_announced {
        true => is_evident || is_all,
        false => is_evident && is_all && length > 1,
    };
    if enough { length } else { 0 }
}

/// How many lines from the start are settings below words at `announced` that lead to them, however few they are, with the stretches
/// of code below that are set in as far.
pub(super) fn settings_length(lines: &[Line<'_>], announced: Option<usize>) -> usize {
    let (Some(indent), Some(first)) = (announced, lines.first()) else {
        return 0;
    };
    let is_said = |line: &Line<'_>| {
        line.words.ends_with(['.', '!', '?', ','])
            && line.words.split(' ').nth(SENTENCE_WORDS_MIN - 1).is_some()
    };
    let is_set = |line: &Line<'_>| {
        line.words.contains('=') && shapes::is_setting(line.words) && !is_said(line)
    };
    if first.indent < indent || !is_set(first) {
        return 0;
    }
    let (mut length, mut from) = (0, 0);
    while let Some(rest) = lines.get(from..).filter(|rest| !rest.is_empty()) {
        let group = rest
            .iter()
            .take(CODE_LINES_MAX)
            .take_while(|line| !line.words.is_empty())
            .count();
        let group = rest.get(..group).unwrap_or_default();
        let begins = group
            .first()
            .is_some_and(|line| line.indent == first.indent && is_set(line));
        // What a line leaves open goes on in the next one.
        let mut is_open = false;
        let is_own = |line: &Line<'_>| {
            let goes_on = std::mem::replace(&mut is_open, line.words.ends_with('\\'));
            goes_on || is_set(line) || code_like::line(line.words) && !is_said(line)
        };
        if !begins || !group.iter().all(is_own) {
            break;
        }
        length = from + group.len();
        let gap = rest
            .iter()
            .skip(group.len())
            .take_while(|line| line.words.is_empty());
        from = length + gap.count();
    }
    length
}

/// How many lines from the start, up to an empty one, are a session: what is typed at a prompt, and what answers it.
pub(super) fn session_length(lines: &[Line<'_>]) -> usize {
    let first = lines.first().map_or("", |line| line.words);
    let typed = first
        .strip_prefix("% ")
        .filter(|typed| typed.starts_with(|c: char| c.is_ascii_lowercase() || "./".contains(c)))
        // So much of something is no prompt.
        .filter(|typed| {
            let first = typed.split(' ').next().unwrap_or_default();
            !SENTENCE_WORDS.contains(&first)
        });
    if typed.is_none() && !code_like::is_prompted(first) {
        return 0;
    }
    let group = || code::stretch(lines);
    if code_like::is_sentence(group().skip(1)) {
        return 0;
    }
    group().count()
}

/// How many lines from the start stand at the margin and belong to the item of a list all the same, which goes on below them: a
/// session that the words `above` lead to.
pub(super) fn set_out_length(item: &Line<'_>, above: &[Line<'_>], lines: &[Line<'_>]) -> usize {
    let leads = above.iter().rev().find(|line| !line.words.is_empty());
    if !leads.is_some_and(|line| line.words.ends_with(':')) {
        return 0;
    }
    let length = session_length(lines);
    let mut below = lines
        .iter()
        .skip(length)
        .filter(|line| !line.words.is_empty());
    let goes_on = below.next().is_some_and(|line| lists::goes_on(item, line));
    if goes_on { length } else { 0 }
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&read(source.to_owned()).blocks)
    }

    #[test]
    fn commands_at_the_margin_stand_on_lines_of_their_own() {
        assert_eq!(
            written(
                "Build it so:\n\n./configure --heat=900\nmake\nsudo make install\n\nThen wait. Fetch it with this:\ngit clone git://kiln.example/kiln.git\nor ask for a copy.\n\nmake sure that the kiln\nis cold before you open it\n"
            ),
            "Build it so:\n\n```\n./configure --heat=900\nmake\nsudo make install\n```\n\nThen wait. Fetch it with this:\n\n```\ngit clone git://kiln.example/kiln.git\n```\n\nor ask for a copy.\n\nmake sure that the kiln is cold before you open it\n"
        );
    }

    #[test]
    fn programs_that_nobody_knows_are_commands_beside_others_or_with_an_option_below_words_that_lead_to_them()
     {
        for (source, is_code) in [
            (
                "It is built.\n\n./kiln/fire oak.wood --heat 900 -o oak.ash\ncompare oak.ash elm.ash\n",
                true,
            ),
            ("Issue the command:\n\nkiln -d oak heat.kln\n", true),
            ("It is built.\n\nkiln -d oak heat.kln\n", false),
            (
                "Go there:\ncd kiln\nkiln -d\nand wait for all of it.\n",
                false,
            ),
            ("This is so:\n\nkiln -d is the heat of the oak\n", false),
            ("More of it:\n\nsee kiln/oak.ash elm/kiln\n", false),
            (
                "It is built.\n\n./configure --heat=900\nsee kiln/oak.ash elm/kiln\n",
                false,
            ),
        ] {
            let text = written(source);
            let code = text.split("```\n").nth(1).unwrap_or_default();
            assert_eq!(
                code.contains("ash elm") || code.contains("kiln -d"),
                is_code,
                "{text}"
            );
        }
    }

    #[test]
    fn settings_below_words_that_lead_to_them_are_one_listing_with_what_follows() {
        assert_eq!(
            written(
                "1. Set what the kiln is built of. On the hill it is\n   this, for example:\n\n   WOOD_ROOT = /hill/oak\n\n   WOOD_FLAGS = -I$(WOOD_ROOT)/dry\n   WOOD_LIB = $(patsubst %,$(Ash),$(WOOD_ROOT)) \\\n              ash.lib\n\n2. Fire it.\n"
            ),
            "1. Set what the kiln is built of. On the hill it is this, for example:\n\n   ```\n   WOOD_ROOT = /hill/oak\n\n   WOOD_FLAGS = -I$(WOOD_ROOT)/dry\n   WOOD_LIB = $(patsubst %,$(Ash),$(WOOD_ROOT)) \\\n              ash.lib\n   ```\n\n2. Fire it.\n"
        );
    }

    #[test]
    fn a_session_at_the_margin_does_not_end_the_item_that_leads_to_it() {
        assert_eq!(
            written(
                "1. Look at the kiln. You will see something like\n   this:\n\n\n% kiln look\nHeat: hot\n1. OAK 900\n        ash: none\n\n   It is as hot as it was, and stays so.\n\n2. Wait.\n"
            ),
            "1. Look at the kiln. You will see something like this:\n\n   ```\n   % kiln look\n   Heat: hot\n   1. OAK 900\n           ash: none\n   ```\n\n   It is as hot as it was, and stays so.\n\n2. Wait.\n"
        );
    }
}
