//! Tests of how lines of a printed page become items, terms, paragraphs and notes.

use crate::builder::Builder;
use crate::pdf::assemble::{Parts, blocks};
use crate::pdf::heading::Heading;
use crate::pdf::line::{Line, Piece};
use crate::pdf::outline::Outline;
use crate::pdf::prose::Vocabulary;
use crate::pdf::testing;
use skillkiln_document::markdown::write;
use std::collections::HashMap;

/// The lines of pages, each given with how far from the left and how high it stands; below `---` begins the next page.
fn page(text: &str) -> Vec<Line> {
    let pages = text.split("---").zip(1..);
    let lines = pages.flat_map(|(text, page)| {
        testing::rows(text).map(move |([left, y], mut line)| {
            let inset = left - line.left;
            for piece in &mut line.pieces {
                piece.left += inset;
                piece.right += inset;
            }
            let right = line.right + inset;
            Line {
                page,
                left,
                right,
                y,
                bounds: (72.0, 500.0),
                ..line
            }
        })
    });
    lines.collect()
}

fn parts(lines: Vec<Line>) -> Parts {
    Parts {
        vocabulary: Vocabulary::of(&lines),
        lines,
        tables: HashMap::new(),
        outline: Outline::default(),
        headings: HashMap::new(),
        links: Vec::new(),
        body: 10.0,
        are_slides: false,
    }
}

fn written(lines: Vec<Line>) -> String {
    write(&blocks(&parts(lines), &mut Builder::default()))
}

fn read(text: &str) -> String {
    written(page(text))
}

#[test]
fn items_that_are_all_code_are_a_list() {
    assert_eq!(
        read(
            "72 700 These are the types that it can read:
             86 684 • `OAK;
             86 668 • `BIT ASH;
             86 656 • `ELM.
             72 640 Nothing else burns."
        ),
        "These are the types that it can read:\n\n- `OAK;`\n- `BIT ASH;`\n- `ELM.`\n\nNothing else burns.\n"
    );
    // What a program prints may have such marks too.
    assert_eq!(
        read(
            "72 700 ● `kiln.service - Kiln
             90 688 `Loaded: yes
             72 676 ● `wood.service - Wood
             90 664 `Loaded: no"
        ),
        "```\n● kiln.service - Kiln\n   Loaded: yes\n● wood.service - Wood\n   Loaded: no\n```\n"
    );
}

#[test]
fn a_bold_term_below_a_full_line_stands_apart_from_it() {
    assert_eq!(
        read(
            "100 700 The kiln was called and has answered, and burns nothing any more.
              72 688 *running
             100 676 The kiln is hot."
        ),
        "The kiln was called and has answered, and burns nothing any more.\n\nrunning\n\nThe kiln is hot.\n"
    );
}

#[test]
fn a_numbered_paragraph_goes_on_at_the_margin() {
    assert_eq!(
        read(
            "92 700 1. In almost all cases, no wood is lost in it: what you see is all
             72 688 that the kiln knows of its own heat, and you may
             72 676 carry it home."
        ),
        "1. In almost all cases, no wood is lost in it: what you see is all that the kiln knows of its own heat, and you may carry it home.\n"
    );
}

#[test]
fn a_paragraph_behind_a_list_whose_first_line_is_set_in_is_no_part_of_its_last_item() {
    assert_eq!(
        read(
            "81 700 • The kiln burns wood.
             87 680 Each kiln has a door, and what is put into it through that door
             72 668 burns all night."
        ),
        "- The kiln burns wood.\n\nEach kiln has a door, and what is put into it through that door burns all night.\n"
    );
}

#[test]
fn a_footnote_waits_for_the_end_of_its_section() {
    // Its figure is raised, or one that stands high by itself.
    for (mark, note, shown) in [
        ("1", "1¦ Ada said so.", "¹ Ada"),
        ("⁸", "⁸Ada said so.", "⁸Ada"),
    ] {
        let mut lines = page(&format!(
            "86 100 • ¦It is hot.{mark}
             72 60 {note}
             ---
             86 700 • ¦It is dry."
        ));
        lines[1].size = 8.0;
        for piece in &mut lines[1].pieces {
            piece.size = 8.0;
        }
        lines[1].pieces[0].is_raised = mark == "1";
        assert_eq!(
            written(lines),
            format!("- It is hot.{mark}\n- It is dry.\n\n{shown} said so.\n")
        );
    }
}

#[test]
fn a_note_with_a_colon_is_an_aside_and_no_section() {
    let lines = page(
        "72 700 Note:
         72 670 It is hot.
         72 640 Warning:",
    );
    let heading = || Heading { level: 4, lines: 1 };
    let mut parts = parts(lines);
    parts.headings = HashMap::from([(0, heading()), (2, heading())]);
    assert_eq!(
        write(&blocks(&parts, &mut Builder::default())),
        "> **Note:** It is hot.\n\nWarning:\n"
    );
}

#[test]
fn a_brace_that_closes_the_listing_above_is_the_end_of_that() {
    let open = read(
        "72 700 It fires the pots that stand in it:
         72 676 `fire() {
         84 664 `burn(wood);
         72 648 `}
         72 620 Nothing else burns in there.",
    );
    assert!(open.contains("burn(wood);\n}\n```"), "{open}");
}

#[test]
fn lines_of_code_that_stand_evenly_apart_are_one_listing() {
    let text = read(
        "72 700 It fires the pots that stand in it.
         72 680 `fire(pot);
         72 668 `cool(pot);
         72 656 `wait(pot);
         72 644 `look(pot);
         72 624 It fires the pots that stand in it.
         90 609 `Kiln = kiln()
         90 594.5 `Wood = wood:oak()
         90 580 `Heat = none | integer()
         72 560 It fires the pots that stand in it.
         72 540 `ash(pot);
         72 525.5 `coal(pot);
         72 513.5 `gas(pot);",
    );
    for listing in [
        "```\nKiln = kiln()\nWood = wood:oak()\nHeat = none | integer()\n```",
        "```\nash(pot);\n```\n\n```\ncoal(pot);\ngas(pot);\n```",
    ] {
        assert!(text.contains(listing), "{text}");
    }
}

#[test]
fn a_listing_whose_brace_is_open_goes_on_whatever_room_and_indent_its_lines_have() {
    let text = read(
        "72 700 It fires the pots that stand in it.
         72 680 `int fire(int pot) {
         84 668 `while (pot)
         108 656 `;
         84 641 `return pot;
         72 626 `}
         72 600 Nothing else burns in there.",
    );
    assert!(
        text.contains("```\nint fire(int pot) {\n  while (pot)\n      ;\n")
            && text.matches("```").count() == 2,
        "{text}"
    );
}

#[test]
fn a_name_that_a_line_breaks_is_whole_without_the_mark_and_so_is_a_word_in_capitals() {
    let mut lines = page(
        "72 700 Referenced by the fire of the north and by Kiln::new←-
         72 688 Door(), and by the one that the user calls a DAE-
         72 676 MON, or the DAEMON of all kilns, on the OAK-
         72 664 ASH hill beside the oak.",
    );
    for line in &mut lines[..3] {
        line.right = 500.0;
    }
    assert_eq!(
        written(lines),
        "Referenced by the fire of the north and by Kiln::newDoor(), and by the one that the user calls a DAEMON, or the DAEMON of all kilns, on the OAK-ASH hill beside the oak.\n"
    );
}

#[test]
fn a_listing_ends_with_its_page_where_the_next_one_begins_further_out() {
    let next = |left: u8, first: &str| {
        read(&format!(
            "72 124 This is how:
             96 100 `fire(kiln).
             96 88 `cool(kiln).
             ---
             {left} 700 {first}
             {left} 688 `heat(Clay).
             72 660 It burns."
        ))
    };
    let whole = "```\nfire(kiln).\ncool(kiln).\n";
    let ended = format!("{whole}```");
    assert!(next(72, "`heat(Kiln) -> Clay").contains(&ended));
    assert!(next(96, "`*heat(Kiln) -> Clay").contains(&ended));
    for left in [96, 108] {
        let text = next(left, "`heat(Kiln) -> Clay");
        assert!(text.contains(whole) && !text.contains(&ended), "{text}");
    }
    // What closes a listing stands further out as well.
    assert!(next(72, "`}").contains("cool(kiln).\n}\n"));
}

#[test]
fn a_term_with_its_meaning_goes_on_where_it_is_set_in_below_and_the_next_one_begins_anew() {
    assert_eq!(
        read(
            "72 700 `Light` : puts dry wood into the kiln, as it was the
             90 688 day before
             72 676 `Cool` : waits until the pots and the kiln are cold
             72 664 `Open` : opens the door"
        ),
        "`Light` : puts dry wood into the kiln, as it was the day before\n\n`Cool` : waits until the pots and the kiln are cold\n\n`Open` : opens the door\n"
    );
}

#[test]
fn a_quote_of_a_font_without_a_name_is_straight_among_code() {
    assert_eq!(
        read(
            "72 700 `pots[`^’^`hot`^’^`]
             72 688 `pots[`^’^`hot`^’^`]"
        ),
        "```\npots['hot']\npots['hot']\n```\n"
    );
}

#[test]
fn a_parameter_begins_anew_though_the_line_above_it_is_full() {
    let text = read(
        "72 700 ~wood~: what the kiln burns all night until it is hot, and it is.
         72 688 ~coal~: what the kiln burns all night until it is hot, and it is
         72 676 ~ash~: what the kiln burns all night until it is hot, and it is.
         72 664 *Returns:* nothing, as the kiln is cold.",
    );
    assert_eq!(text.split("\n\n").count(), 4, "{text}");
    // What is bold may go on in the next line, and in a sentence, a name is one of its words.
    for lines in [
        "72 700 *Note:* nobody opens the door of it before the *dry wood and
         72 688 *coal*: they burn.",
        "72 700 Nobody opens the door of it before the night is over, or the
         72 688 ~wood~: it burns.",
    ] {
        assert_eq!(read(lines).lines().count(), 1);
    }
}

#[test]
fn a_hyphen_of_what_stands_for_figures_is_kept_where_no_other_line_has_it_in_one_piece() {
    for (above, below, whole) in [
        ("DDMMss-", "hh’mm’” is over.", "“DDMMss-hh’mm’”"),
        ("DDM-", "Mhhmm” is over.", "“DDMMhhmm” is over"),
        ("DDMM-", "hhmm” is over.", "“DDMMhhmm” is over"),
    ] {
        let text = read(&format!(
            "72 712 One may write “DDMMhhmm” there.
             72 700 Nobody opens it before the night of the day “{above}
             72 688 {below}"
        ));
        assert!(text.contains(whole), "{text}");
    }
}

#[test]
fn a_formula_that_goes_on_in_the_next_line_is_no_item() {
    let text = read(
        "72 700 Nobody opens the door of it before the night if the heat is !=
         72 688 0. It burns.",
    );
    assert!(text.contains("!= 0. It burns."));
}

#[test]
fn a_list_goes_on_by_its_numbers_where_pages_have_other_margins() {
    assert_eq!(
        read(
            "76 700 8. oak
             76 684 9. ash
             70 668 10. elm
             86 652 11. fir
             70 636 12. yew
             86 620 1. red yew
             86 604 2. old yew
             70 588 13. beech"
        ),
        "8. oak\n9. ash\n10. elm\n11. fir\n12. yew\n    1. red yew\n    2. old yew\n13. beech\n"
    );
}

#[test]
fn steps_within_a_step_go_on_behind_a_paragraph_and_not_with_the_steps_around() {
    let told = read(
        "72 700 1. oak
         72 684 2. ash
         90 668 1. red ash
         90 652 2. old ash
         84 624 Both are dry and burn well all night long.
         90 596 3. wet ash
         72 580 3. elm",
    );
    assert!(told.contains("\n3. elm\n"), "{told}");
    assert!(told.contains("\n   3. wet ash"), "{told}");
}

#[test]
fn a_class_at_the_margin_is_one_though_a_line_of_code_reaches_beyond_it() {
    let told = |overhang: f32| {
        let mut lines = page(
            "72 700 `burn (oak)
             72 688 `burn (oak, ash)",
        );
        for line in &mut lines {
            line.right = line.bounds.1 - overhang;
            line.pieces.push(Piece {
                left: line.right - 40.0,
                right: line.right,
                is_apart: true,
                ..testing::piece("[Function File]")
            });
        }
        written(lines)
    };
    let both = "Function File: `burn (oak)`\n\nFunction File: `burn (oak, ash)`\n";
    assert_eq!(told(0.0), both);
    assert_eq!(told(40.0), both);
    assert_ne!(told(200.0), both);
}
