//! Tests of how lines of a printed page become items, terms, paragraphs and notes.

use crate::builder::Builder;
use crate::pdf::assemble::{Parts, blocks};
use crate::pdf::faces::Face;
use crate::pdf::heading::Heading;
use crate::pdf::line::{Line, Piece};
use crate::pdf::outline::Outline;
use crate::pdf::prose::Vocabulary;
use crate::pdf::testing;
use skillkiln_document::markdown::write;
use std::collections::HashMap;

const FIXED: Face = Face {
    is_fixed: true,
    is_bold: false,
    is_italic: false,
    is_symbols: false,
    is_nameless: false,
};
const BOLD: Face = Face {
    is_fixed: false,
    is_bold: true,
    is_italic: false,
    is_symbols: false,
    is_nameless: false,
};

/// A line of such words, each stretch in its face and as wide as its letters.
fn line(left: f32, y: f32, words: &[(&str, Face)]) -> Line {
    let mut right = left;
    let pieces: Vec<Piece> = words
        .iter()
        .map(|(text, face)| {
            let left = right;
            right += 6.0 * text.chars().count() as f32;
            Piece {
                face: *face,
                left,
                right,
                ..testing::piece(text)
            }
        })
        .collect();
    Line {
        left,
        right,
        y,
        bounds: (72.0, 500.0),
        ..testing::line(pieces)
    }
}

fn written(lines: Vec<Line>) -> String {
    let parts = Parts {
        vocabulary: Vocabulary::of(&lines),
        lines,
        tables: HashMap::new(),
        outline: Outline::default(),
        headings: HashMap::new(),
        links: Vec::new(),
        body: 10.0,
        are_slides: false,
    };
    write(&blocks(&parts, &mut Builder::default()))
}

#[test]
fn items_that_are_all_code_are_a_list() {
    let plain = Face::default();
    assert_eq!(
        written(vec![
            line(
                72.0,
                700.0,
                &[("These are the types that it can read:", plain)]
            ),
            line(86.0, 684.0, &[("• ", plain), ("OAK;", FIXED)]),
            line(86.0, 668.0, &[("• ", plain), ("BIT ASH;", FIXED)]),
            line(86.0, 656.0, &[("• ", plain), ("ELM.", FIXED)]),
            line(72.0, 640.0, &[("Nothing else burns.", plain)]),
        ]),
        "These are the types that it can read:\n\n- `OAK;`\n- `BIT ASH;`\n- `ELM.`\n\nNothing else burns.\n"
    );
    // What a program prints may have such marks too.
    assert_eq!(
        written(vec![
            line(
                72.0,
                700.0,
                &[("● ", plain), ("kiln.service - Kiln", FIXED)]
            ),
            line(90.0, 688.0, &[("Loaded: yes", FIXED)]),
            line(
                72.0,
                676.0,
                &[("● ", plain), ("wood.service - Wood", FIXED)]
            ),
            line(90.0, 664.0, &[("Loaded: no", FIXED)]),
        ]),
        "```\n● kiln.service - Kiln\n   Loaded: yes\n● wood.service - Wood\n   Loaded: no\n```\n"
    );
}

#[test]
fn a_bold_term_below_a_full_line_stands_apart_from_it() {
    let plain = Face::default();
    let full = "The kiln was called and has answered, and burns nothing any more.";
    assert_eq!(
        written(vec![
            line(100.0, 700.0, &[(full, plain)]),
            line(72.0, 688.0, &[("running", BOLD)]),
            line(100.0, 676.0, &[("The kiln is hot.", plain)]),
        ]),
        format!("{full}\n\nrunning\n\nThe kiln is hot.\n")
    );
}

#[test]
fn a_numbered_paragraph_goes_on_at_the_margin() {
    let plain = Face::default();
    let full = "1. In almost all cases, no wood is lost in it: what you see is all";
    assert_eq!(
        written(vec![
            line(92.0, 700.0, &[(full, plain)]),
            line(
                72.0,
                688.0,
                &[("that the kiln knows of its own heat, and you may", plain)]
            ),
            line(72.0, 676.0, &[("carry it home.", plain)]),
        ]),
        format!("{full} that the kiln knows of its own heat, and you may carry it home.\n")
    );
}

#[test]
fn a_paragraph_behind_a_list_whose_first_line_is_set_in_is_no_part_of_its_last_item() {
    let plain = Face::default();
    let lines = vec![
        line(81.0, 700.0, &[("• The kiln burns wood.", plain)]),
        line(
            87.0,
            680.0,
            &[(
                "Each kiln has a door, and what is put into it through that door",
                plain,
            )],
        ),
        line(72.0, 668.0, &[("burns all night.", plain)]),
    ];
    assert_eq!(
        written(lines).trim(),
        "- The kiln burns wood.\n\nEach kiln has a door, and what is put into it through that door burns all night."
    );
}

#[test]
fn a_footnote_waits_for_the_end_of_its_section() {
    let plain = Face::default();
    let mut note = line(72.0, 60.0, &[("1", plain), (" Ada said so.", plain)]);
    note.size = 8.0;
    for piece in &mut note.pieces {
        piece.size = 8.0;
    }
    note.pieces[0].is_raised = true;
    let mut next = line(86.0, 700.0, &[("• ", plain), ("It is dry.", plain)]);
    next.page = 2;
    assert_eq!(
        written(vec![
            line(86.0, 100.0, &[("• ", plain), ("It is hot.1", plain)]),
            note,
            next,
        ]),
        "- It is hot.1\n- It is dry.\n\n¹ Ada said so.\n"
    );
}

#[test]
fn a_footnote_may_begin_with_a_figure_that_stands_high_by_itself() {
    let plain = Face::default();
    let mut note = line(72.0, 60.0, &[("⁸Ada said so.", plain)]);
    note.size = 8.0;
    note.pieces.iter_mut().for_each(|piece| piece.size = 8.0);
    let mut next = line(86.0, 700.0, &[("• ", plain), ("It is dry.", plain)]);
    next.page = 2;
    assert_eq!(
        written(vec![
            line(86.0, 100.0, &[("• ", plain), ("It is hot.⁸", plain)]),
            note,
            next,
        ]),
        "- It is hot.⁸\n- It is dry.\n\n⁸Ada said so.\n"
    );
}

#[test]
fn a_note_with_a_colon_is_an_aside_and_no_section() {
    let plain = |words: &str, y: f32| line(72.0, y, &[(words, Face::default())]);
    let lines = vec![
        plain("Note:", 700.0),
        plain("It is hot.", 670.0),
        plain("Warning:", 640.0),
    ];
    let heading = || Heading { level: 4, lines: 1 };
    let parts = Parts {
        vocabulary: Vocabulary::of(&lines),
        lines,
        tables: HashMap::new(),
        outline: Outline::default(),
        headings: HashMap::from([(0, heading()), (2, heading())]),
        links: Vec::new(),
        body: 10.0,
        are_slides: false,
    };
    assert_eq!(
        write(&blocks(&parts, &mut Builder::default())),
        "> **Note:** It is hot.\n\nWarning:\n"
    );
}

#[test]
fn a_brace_that_closes_the_listing_above_is_the_end_of_that() {
    let plain = Face::default();
    let shown = |first: &str| {
        written(vec![
            line(
                72.0,
                700.0,
                &[("It fires the pots that stand in it:", plain)],
            ),
            line(72.0, 676.0, &[(first, FIXED)]),
            line(84.0, 664.0, &[("burn(wood);", FIXED)]),
            line(72.0, 648.0, &[("}", FIXED)]),
            line(72.0, 620.0, &[("Nothing else burns in there.", plain)]),
        ])
    };
    let open = shown("fire() {");
    assert!(open.contains("burn(wood);\n}\n```"), "{open}");
}

#[test]
fn lines_of_code_that_stand_evenly_apart_are_one_listing() {
    let plain = Face::default();
    let told = |y: f32| line(72.0, y, &[("It fires the pots that stand in it.", plain)]);
    let text = written(vec![
        told(700.0),
        line(72.0, 680.0, &[("fire(pot);", FIXED)]),
        line(72.0, 668.0, &[("cool(pot);", FIXED)]),
        line(72.0, 656.0, &[("wait(pot);", FIXED)]),
        line(72.0, 644.0, &[("look(pot);", FIXED)]),
        told(624.0),
        line(90.0, 609.0, &[("Kiln = kiln()", FIXED)]),
        line(90.0, 594.5, &[("Wood = wood:oak()", FIXED)]),
        line(90.0, 580.0, &[("Heat = none | integer()", FIXED)]),
        told(560.0),
        line(72.0, 540.0, &[("ash(pot);", FIXED)]),
        line(72.0, 525.5, &[("coal(pot);", FIXED)]),
        line(72.0, 513.5, &[("gas(pot);", FIXED)]),
    ]);
    for listing in [
        "```\nKiln = kiln()\nWood = wood:oak()\nHeat = none | integer()\n```",
        "```\nash(pot);\n```\n\n```\ncoal(pot);\ngas(pot);\n```",
    ] {
        assert!(text.contains(listing), "{text}");
    }
}

#[test]
fn a_listing_whose_brace_is_open_goes_on_whatever_room_and_indent_its_lines_have() {
    let plain = Face::default();
    let text = written(vec![
        line(
            72.0,
            700.0,
            &[("It fires the pots that stand in it.", plain)],
        ),
        line(72.0, 680.0, &[("int fire(int pot) {", FIXED)]),
        line(84.0, 668.0, &[("while (pot)", FIXED)]),
        line(108.0, 656.0, &[(";", FIXED)]),
        line(84.0, 641.0, &[("return pot;", FIXED)]),
        line(72.0, 626.0, &[("}", FIXED)]),
        line(72.0, 600.0, &[("Nothing else burns in there.", plain)]),
    ]);
    assert!(
        text.contains("```\nint fire(int pot) {\n  while (pot)\n      ;\n")
            && text.matches("```").count() == 2,
        "{text}"
    );
}

#[test]
fn a_name_that_a_line_breaks_is_whole_without_the_mark_and_so_is_a_word_in_capitals() {
    let plain = Face::default();
    let full = |words: &str, y: f32| {
        let mut line = line(72.0, y, &[(words, plain)]);
        line.right = 500.0;
        line
    };
    let text = written(vec![
        full(
            "Referenced by the fire of the north and by Kiln::new←-",
            700.0,
        ),
        full("Door(), and by the one that the user calls a DAE-", 688.0),
        full("MON, or the DAEMON of all kilns, on the OAK-", 676.0),
        line(72.0, 664.0, &[("ASH hill beside the oak.", plain)]),
    ]);
    assert_eq!(
        text,
        "Referenced by the fire of the north and by Kiln::newDoor(), and by the one that the user calls a DAEMON, or the DAEMON of all kilns, on the OAK-ASH hill beside the oak.\n"
    );
}

#[test]
fn a_listing_ends_with_its_page_where_the_next_one_begins_further_out() {
    let page = |left: f32, face: Face, words: &str| {
        let mut first = line(left, 700.0, &[(words, face)]);
        first.page = 2;
        let mut second = line(left, 688.0, &[("heat(Clay).", FIXED)]);
        second.page = 2;
        let mut plain = line(72.0, 660.0, &[("It burns.", Face::default())]);
        plain.page = 2;
        written(vec![
            line(72.0, 124.0, &[("This is how:", Face::default())]),
            line(96.0, 100.0, &[("fire(kiln).", FIXED)]),
            line(96.0, 88.0, &[("cool(kiln).", FIXED)]),
            first,
            second,
            plain,
        ])
    };
    let whole = "```\nfire(kiln).\ncool(kiln).\n";
    let bold = Face {
        is_bold: true,
        ..FIXED
    };
    assert!(page(72.0, FIXED, "heat(Kiln) -> Clay").contains(&format!("{whole}```")));
    assert!(page(96.0, bold, "heat(Kiln) -> Clay").contains(&format!("{whole}```")));
    for left in [96.0, 108.0] {
        let text = page(left, FIXED, "heat(Kiln) -> Clay");
        assert!(
            text.contains(whole) && !text.contains(&format!("{whole}```")),
            "{text}"
        );
    }
    // What closes a listing stands further out as well.
    assert!(page(72.0, FIXED, "}").contains("cool(kiln).\n}\n"));
}

#[test]
fn a_term_with_its_meaning_goes_on_where_it_is_set_in_below_and_the_next_one_begins_anew() {
    let lines = vec![
        line(
            72.0,
            700.0,
            &[
                ("Light", FIXED),
                (
                    " : puts dry wood into the kiln, as it was the",
                    Face::default(),
                ),
            ],
        ),
        line(90.0, 688.0, &[("day before", Face::default())]),
        line(
            72.0,
            676.0,
            &[
                ("Cool", FIXED),
                (
                    " : waits until the pots and the kiln are cold",
                    Face::default(),
                ),
            ],
        ),
        line(
            72.0,
            664.0,
            &[("Open", FIXED), (" : opens the door", Face::default())],
        ),
    ];
    assert_eq!(
        written(lines),
        "`Light` : puts dry wood into the kiln, as it was the day before\n\n`Cool` : waits until the pots and the kiln are cold\n\n`Open` : opens the door\n"
    );
}

#[test]
fn a_quote_of_a_font_without_a_name_is_straight_among_code() {
    let drawn = Face {
        is_nameless: true,
        ..Face::default()
    };
    let code = |y: f32| {
        let words = [
            ("pots[", FIXED),
            ("’", drawn),
            ("hot", FIXED),
            ("’", drawn),
            ("]", FIXED),
        ];
        line(72.0, y, &words)
    };
    assert_eq!(
        written(vec![code(700.0), code(688.0)]),
        "```\npots['hot']\npots['hot']\n```\n"
    );
}

#[test]
fn a_parameter_begins_anew_though_the_line_above_it_is_full() {
    let plain = Face::default();
    let slanted = Face {
        is_italic: true,
        ..plain
    };
    let told = ": what the kiln burns all night until it is hot, and it is.";
    let lines = vec![
        line(72.0, 700.0, &[("wood", slanted), (told, plain)]),
        line(
            72.0,
            688.0,
            &[("coal", slanted), (&told.replace(".", ""), plain)],
        ),
        line(72.0, 676.0, &[("ash", slanted), (told, plain)]),
        line(
            72.0,
            664.0,
            &[
                ("Returns:", BOLD),
                (" nothing, as the kiln is cold.", plain),
            ],
        ),
    ];
    let text = written(lines);
    assert_eq!(text.split("\n\n").count(), 4, "{text}");
    // What is bold may go on in the next line.
    let lines = vec![
        line(
            72.0,
            700.0,
            &[
                ("Note:", BOLD),
                (" nobody opens the door of it before the ", plain),
                ("dry wood and", BOLD),
            ],
        ),
        line(72.0, 688.0, &[("coal", BOLD), (": they burn.", plain)]),
    ];
    assert_eq!(written(lines).lines().count(), 1);
    // In a sentence, a name is one of its words.
    let lines = vec![
        line(
            72.0,
            700.0,
            &[(
                "Nobody opens the door of it before the night is over, or the",
                plain,
            )],
        ),
        line(72.0, 688.0, &[("wood", slanted), (": it burns.", plain)]),
    ];
    assert_eq!(written(lines).lines().count(), 1);
}

#[test]
fn a_hyphen_of_what_stands_for_figures_is_kept_where_no_other_line_has_it_in_one_piece() {
    let plain = Face::default();
    let text = |above: &str, below: &str| {
        let lines = vec![
            line(72.0, 712.0, &[("One may write “DDMMhhmm” there.", plain)]),
            line(
                72.0,
                700.0,
                &[(
                    &format!("Nobody opens it before the night of the day “{above}"),
                    plain,
                )],
            ),
            line(72.0, 688.0, &[(below, plain)]),
        ];
        written(lines)
    };
    assert!(text("DDMMss-", "hh’mm’” is over.").contains("“DDMMss-hh’mm’”"));
    assert!(text("DDM-", "Mhhmm” is over.").contains("“DDMMhhmm” is over"));
    assert!(text("DDMM-", "hhmm” is over.").contains("“DDMMhhmm” is over"));
}

#[test]
fn a_formula_that_goes_on_in_the_next_line_is_no_item() {
    let plain = Face::default();
    let lines = vec![
        line(
            72.0,
            700.0,
            &[(
                "Nobody opens the door of it before the night if the heat is !=",
                plain,
            )],
        ),
        line(72.0, 688.0, &[("0. It burns.", plain)]),
    ];
    assert!(written(lines).contains("!= 0. It burns."));
}

/// A line in the plain face.
fn item(left: f32, y: f32, words: &str) -> Line {
    line(left, y, &[(words, Face::default())])
}

#[test]
fn a_list_goes_on_by_its_numbers_where_pages_have_other_margins() {
    let lines = vec![
        item(76.0, 700.0, "8. oak"),
        item(76.0, 684.0, "9. ash"),
        item(70.0, 668.0, "10. elm"),
        item(86.0, 652.0, "11. fir"),
        item(70.0, 636.0, "12. yew"),
        item(86.0, 620.0, "1. red yew"),
        item(86.0, 604.0, "2. old yew"),
        item(70.0, 588.0, "13. beech"),
    ];
    assert_eq!(
        written(lines),
        "8. oak\n9. ash\n10. elm\n11. fir\n12. yew\n    1. red yew\n    2. old yew\n13. beech\n"
    );
}

#[test]
fn steps_within_a_step_go_on_behind_a_paragraph_and_not_with_the_steps_around() {
    let lines = vec![
        item(72.0, 700.0, "1. oak"),
        item(72.0, 684.0, "2. ash"),
        item(90.0, 668.0, "1. red ash"),
        item(90.0, 652.0, "2. old ash"),
        item(84.0, 624.0, "Both are dry and burn well all night long."),
        item(90.0, 596.0, "3. wet ash"),
        item(72.0, 580.0, "3. elm"),
    ];
    let told = written(lines);
    assert!(told.contains("\n3. elm\n"), "{told}");
    assert!(told.contains("\n   3. wet ash"), "{told}");
}

#[test]
fn a_class_at_the_margin_is_one_though_a_line_of_code_reaches_beyond_it() {
    let defined = |y: f32, words: &str, overhang: f32| {
        let mut line = line(72.0, y, &[(words, FIXED)]);
        line.right = line.bounds.1 - overhang;
        line.pieces.push(Piece {
            left: line.right - 40.0,
            right: line.right,
            is_apart: true,
            ..testing::piece("[Function File]")
        });
        line
    };
    let told = |overhang: f32| {
        written(vec![
            defined(700.0, "burn (oak)", overhang),
            defined(688.0, "burn (oak, ash)", overhang),
        ])
    };
    let both = "Function File: `burn (oak)`\n\nFunction File: `burn (oak, ash)`\n";
    assert_eq!(told(0.0), both);
    assert_eq!(told(40.0), both);
    assert_ne!(told(200.0), both);
}
