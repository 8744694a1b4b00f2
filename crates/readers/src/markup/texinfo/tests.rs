//! Tests of the reader of Texinfo.

use super::*;
use skillkiln_document::markdown::write;

fn written(text: &str) -> String {
    let document = read(text.to_owned());
    for block in &document.blocks {
        assert!(document.text.get(block.span.bytes.clone()).is_some());
    }
    write(&document.blocks)
}

const MANUAL: &str = "\\input texinfo @c -*-texinfo-*-
@setfilename kiln.info
@settitle The Kiln Manual
@set VERSION 1.2
@copying
This manual is for Kiln, version @value{VERSION}.

Copyright @copyright{} 2024 A. Potter.
@end copying
@titlepage
@title Kiln
@author A. Potter
@end titlepage
@contents
@ifnottex
@node Top
@top The Kiln Manual
@insertcopying
@end ifnottex

@ifinfo
The first part of this master menu lists the
nodes.
@end ifinfo

@menu
* Firing::  How to fire.
@end menu

@node Firing
@chapter Firing
@cindex firing
Kiln fires pots.
@cindex pots
It is hot.
@section Options
@table @option
@item -n
@itemx --number=@var{n}
How often.
@item -q
Quietly.
@end table
@bye
Nothing.
";

#[test]
fn a_manual_has_its_title_its_chapters_and_what_it_is_of() {
    assert_eq!(
        written(MANUAL),
        "# The Kiln Manual\n\nThis manual is for Kiln, version 1.2.\n\n## Firing\n\nKiln fires pots. It is hot.\n\n### Options\n\n\
         - `-n`, `--number=n`: How often.\n- `-q`: Quietly.\n"
    );
    let document = read(MANUAL.to_owned());
    assert_eq!(document.title.as_deref(), Some("The Kiln Manual"));
    assert_eq!(document.about.author.as_deref(), Some("A. Potter"));
}

#[test]
fn examples_are_kept_with_the_signs_that_commands_stand_for() {
    assert_eq!(
        written(
            "@example\n@group\nif (n) @{\n  fire (@var{n}); @c hot\n@}\n@end group\n@result{} 3\n@end example\n"
        ),
        "```\nif (n) {\n  fire (n);\n}\n⇒ 3\n```\n"
    );
    assert_eq!(
        written("@verbatim\n@node is -- a command\n@end verbatim\n"),
        "```\n@node is -- a command\n```\n"
    );
    assert_eq!(
        written("@lisp\n(fire)\n@end lisp\n"),
        "```lisp\n(fire)\n```\n"
    );
}

#[test]
fn lists_stand_within_lists() {
    assert_eq!(
        written(
            "@itemize @bullet\n@item\nHot.\n@enumerate\n@item One\n@item Two\n@end enumerate\n@item Cold.\n@end itemize\n"
        ),
        "- Hot.\n  1. One\n  2. Two\n- Cold.\n"
    );
}

#[test]
fn tables_and_notes_are_read() {
    assert_eq!(
        written(
            "@multitable @columnfractions .5 .5\n@headitem Kiln @tab Heat\n@item Big\n@tab 900\n@end multitable\n"
        ),
        "| Kiln | Heat |\n| --- | --- |\n| Big | 900 |\n"
    );
    let note = written("@quotation Warning\nIt is hot.\n@end quotation\n");
    assert!(
        note.contains("It is hot.") && note.to_lowercase().contains("warning"),
        "{note}"
    );
}

#[test]
fn what_is_defined_is_told_of_with_all_its_names() {
    let markdown = written(
        "@deftypefun int fire (int @var{n})\n@deftypefunx int cool (void)\nFires @var{n} kilns.\n@end deftypefun\n",
    );
    for expected in [
        "`int fire (int n)`",
        "`int cool (void)`",
        "Fires *n* kilns.",
    ] {
        assert!(markdown.contains(expected), "{markdown}");
    }
}

#[test]
fn manuals_made_from_others_keep_their_options_together() {
    assert_eq!(
        written(
            "@table @asis\n@item @strong{-h}\n\n@item @strong{--hot}\n\nFires.\n@item Cold\n@end table\n"
        ),
        "- **-h**, **--hot**: Fires.\n- **Cold**\n"
    );
    assert_eq!(
        written("@deftypefun int fire (void);\n\n@deftypefunx int cool (void);\n\nHot.\n@end deftypefun\n")
            .matches("(Function)")
            .count(),
        2
    );
}

#[test]
fn a_manual_is_called_by_its_name_without_what_its_first_section_tells_of_it() {
    let page = "@settitle kiln - fires clay\n@node Top\n@top kiln\n@node NAME\n@chapter NAME\nkiln - fires clay\n";
    assert_eq!(written(page), "# kiln\n\n## NAME\n\nkiln - fires clay\n");
    let told_nowhere_else = page.replace("NAME\nkiln - fires clay", "USE\nFire it.");
    assert_eq!(
        written(&told_nowhere_else),
        "# kiln - fires clay\n\n## USE\n\nFire it.\n"
    );
}

#[test]
fn what_is_for_tex_and_for_the_index_of_manuals_is_no_text() {
    let head = "%%% -*-texinfo-*-\n\\input texinfo\n\\tolerance=2000\n@settitle kiln\n@titlepage\n@title The Kiln Manual\n@end titlepage\n";
    let entry =
        "@format\nSTART-INFO-DIR-ENTRY\n* Kiln: (kiln).  Fires.\nEND-INFO-DIR-ENTRY\n@end format\n";
    assert_eq!(
        written(&format!("{head}{entry}It is 5 % hot.\n")),
        "# The Kiln Manual\n\nIt is 5 % hot.\n"
    );
}

#[test]
fn rights_before_the_first_chapter_are_left_out() {
    let rights = "Copyright (C) 1989 A. Potter.\n\nPermission is granted to copy this.\n";
    let manual =
        format!("@ifinfo\nThis tells of kilns.\n\n{rights}@end ifinfo\n@chapter Heat\nHot.\n");
    assert_eq!(written(&manual), "This tells of kilns.\n\n# Heat\n\nHot.\n");
}

#[test]
fn what_is_meant_for_other_outputs_is_left_out() {
    for text in [
        "@ignore\nNot this.\n@end ignore\nHot.\n",
        "@iftex\nNot this.\n@end iftex\nHot.\n",
        "@ifset COLD\nNot this.\n@end ifset\nHot.\n",
        "@set COLD\n@ifclear COLD\nNot this.\n@end ifclear\n@ifset COLD\nHot.\n@end ifset\n",
        "@macro fire{n}\nNot this.\n@end macro\nHot.\n",
        "@c Not this.\nHot. @comment Not this.\n",
    ] {
        assert_eq!(written(text), "Hot.\n", "{text}");
    }
}

#[test]
fn what_has_no_end_loses_no_words() {
    for text in [
        "@itemize\n@item Hot.\n",
        "@quotation\nHot.\n",
        "@table @code\nHot.\n",
        "@end example\nHot.\n",
    ] {
        assert!(written(text).contains("Hot."), "{text}");
    }
    let deep = format!(
        "{}Hot.\n{}",
        "@quotation\n".repeat(5_000),
        "@end quotation\n".repeat(5_000)
    );
    assert!(written(&deep).contains("Hot."));
}

#[test]
fn a_text_is_told_by_its_commands() {
    assert!(is_texinfo(MANUAL));
    assert!(is_texinfo("@node Heat\n@section Heat\n\nHot.\n"));
    for other in [
        "Write @node before it.\n",
        "a@b.org\n@chapter\n",
        "% @node x\n\\section{x}\n",
    ] {
        assert!(!is_texinfo(other), "{other}");
    }
}
