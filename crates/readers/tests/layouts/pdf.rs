//! PDFs: forms that are filled in, and columns.

use crate::pdf_file::{Pdf, pdf, text};
use crate::shown;

/// A page with these words, and annotations with these entries.
fn form(page: &str, annotations: &[&str]) -> String {
    let annotations: Vec<String> = annotations
        .iter()
        .map(|entries| format!("<< /Type /Annot {entries} >>"))
        .collect();
    let file = Pdf {
        catalogue: "",
        information: "",
        page: &format!("/Annots [{}]", annotations.join(" ")),
        // The seventh object: what follows the only page.
        objects: &["<< /FT /Tx /T (street) /V (12 Mill Lane) >>"],
        pages: &[page],
    };
    shown("form.pdf", &file.bytes())
}

#[test]
fn a_filled_form_is_read_with_the_values_that_its_fields_hold() {
    let page = [
        text("F1", 18, 72, 740, "Order of flour"),
        text("F1", 11, 72, 700, "Name:"),
        text("F1", 11, 72, 670, "Street:"),
        text("F1", 11, 72, 640, "Kinds"),
        text("F1", 11, 92, 610, "Deliver to the door"),
        text("F1", 11, 92, 580, "Deliver by boat"),
        text("F1", 11, 72, 550, "Wishes:"),
    ];
    let read = form(
        &page.concat(),
        &[
            "/Subtype /Widget /FT /Tx /V <FEFF0041006E006E00610020005700F3> /Rect [160 696 400 714]",
            "/Subtype /Widget /Parent 7 0 R /Rect [160 666 400 684]",
            "/Subtype /Widget /FT /Ch /V [(r) (w)] /Opt [[(r) (Rye)] [(w) (Wheat)]] /Rect [160 636 400 654]",
            "/Subtype /Widget /FT /Btn /AS /Yes /Rect [72 608 84 620]",
            "/Subtype /Widget /FT /Btn /AS /Off /Rect [72 578 84 590]",
            "/Subtype /Widget /FT /Tx /V (In two bags, tied well, and please ring the bell twice before anybody carries them up the stairs) /Rect [160 490 400 562]",
            "/Subtype /Widget /FT /Tx /Ff 8192 /V (secret) /Rect [160 466 400 484]",
            "/Subtype /Widget /FT /Btn /Ff 65536 /V /Send /Rect [160 436 400 454]",
            "/Subtype /FreeText /Contents (Paid in June) /Rect [72 396 300 414]",
            "/Subtype /Text /Contents (a remark of the editor) /Rect [72 366 300 384]",
        ],
    );
    assert_eq!(
        read,
        "# Order of flour\n\nName: Anna Wó\n\nStreet: 12 Mill Lane\n\nKinds Rye, Wheat\n\n☑ Deliver to the door\n\n☐ Deliver by boat\n\nWishes: In two bags, tied well, and please ring the bell twice before anybody carries them up the stairs\n\nPaid in June\n"
    );
}

#[test]
fn what_is_filled_into_a_table_stands_in_its_cells() {
    let row = |y: i32, words: [&str; 3]| -> String {
        [72, 200, 330]
            .iter()
            .zip(words)
            .map(|(x, words)| text("F1", 11, *x, y, words))
            .collect()
    };
    let rules: String = (0..4)
        .map(|line| format!("70 {0} m 460 {0} l S ", 715 - 20 * line))
        .collect();
    let uprights: String = [70, 195, 325, 460]
        .iter()
        .map(|x| format!("{x} 715 m {x} 655 l S "))
        .collect();
    let page = [
        row(700, ["Flour", "Bags", "Price"]),
        row(680, ["Rye", "", ""]),
        row(660, ["Wheat", "", ""]),
        rules,
        uprights,
    ];
    let cell = |x: i32, y: i32, value: &str| {
        format!(
            "/Subtype /Widget /FT /Tx /V ({value}) /Rect [{x} {y} {} {}]",
            x + 100,
            y + 16
        )
    };
    let cells = [
        cell(200, 676, "2"),
        cell(330, 676, "9.50"),
        cell(200, 656, "14"),
        cell(330, 656, "21.00"),
    ];
    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
    assert_eq!(
        form(&page.concat(), &cells),
        "| Flour | Bags | Price |\n| --- | --- | --- |\n| Rye | 2 | 9.50 |\n| Wheat | 14 | 21.00 |\n"
    );
}

/// Lines of a column from its top, at `x`.
fn column(x: i32, lines: &[&str]) -> String {
    let lines = lines.iter().zip(0..);
    lines
        .map(|(words, at)| text("F1", 10, x, 660 - 14 * at, words))
        .collect()
}

/// A page whose two columns stand below text that goes across it.
fn below_text(left: &[&str], right: &[&str]) -> String {
    let page = [
        text("F1", 18, 72, 740, "How bread is kept"),
        text(
            "F1",
            10,
            72,
            710,
            "This leaflet says how bread is kept fresh over a week, and what has to be done with the loaves that",
        ),
        text(
            "F1",
            10,
            72,
            696,
            "nobody has eaten by the end of it, whether they are sliced or still whole on their board.",
        ),
        column(72, left),
        column(310, right),
    ];
    shown("bread.pdf", &pdf(&[&page.concat()]))
}

#[test]
fn two_short_columns_below_text_across_the_page_are_read_one_after_the_other() {
    let read = below_text(
        &[
            "A loaf keeps best in a box of wood that has",
            "a few holes, on its cut side, and wrapped in",
            "nothing at all. Linen is good for rolls, and",
            "paper for flat breads. Whoever has only a",
            "bag takes one of cotton, and hangs it where",
            "no sun reaches it and the air can move.",
        ],
        &[
            "Old bread is grated and dried on a tray in the",
            "oven when it cools. Crumbs keep for months in",
            "a jar. What is grated too coarse goes through",
            "the mill again, and the dust at the bottom is",
            "saved for soups. Mouldy bread is thrown away,",
            "since what can be seen of it is never all.",
        ],
    );
    assert!(
        read.contains("where no sun reaches it and the air can move.\n\nOld bread is grated"),
        "{read}"
    );
    assert!(
        read.ends_with("what can be seen of it is never all.\n"),
        "{read}"
    );
}

#[test]
fn names_beside_what_is_told_of_them_below_text_stay_beside_it() {
    let read = below_text(
        &[
            "A whole dark rye loaf of two pounds",
            "",
            "",
            "Rolls of wheat baked with butter",
            "",
            "",
            "Flat bread from the iron plate",
            "",
            "",
            "Crumbs dried on a tray in the oven",
            "",
            "",
            "Slices of a long white loaf",
            "",
            "",
            "Buns with raisins for the feast",
        ],
        &[
            "keeps for a week in a box of wood that has",
            "a few holes, when it stands on its cut side",
            "and nobody wraps it in anything at all.",
            "are best on the day that they were baked, and",
            "may be made crisp again on the second one if",
            "they are sprinkled with a little water.",
            "dries within an hour, keeps for a month then,",
            "and is broken into soups by whoever likes it",
            "soft and warm, or eaten dry on a journey.",
            "keep for many months in a jar that is closed",
            "well, and may be grated finer at any time",
            "when something is to be fried in them.",
            "are toasted on both sides on the fourth day",
            "and given to the geese after the seventh, as",
            "long as no mould can be seen on them.",
            "are all gone by the evening of the feast.",
        ],
    );
    assert!(
        read.contains("Flat bread from the iron plate") && !read.contains("iron plate\n\nCrumbs"),
        "{read}"
    );
}

#[test]
fn a_form_in_boxes_is_read_box_by_box() {
    let pair = |x: i32, y: i32, label: &str, value: &str| {
        text("F1", 10, x, y, label) + &text("F1", 10, x + 100, y, value)
    };
    let page = [
        "72 600 220 100 re S 292 600 220 100 re S 72 560 440 40 re S ".to_owned(),
        text("F1", 18, 72, 740, "Loan of a bicycle"),
        pair(80, 680, "Lent to", "Piet Maas"),
        pair(80, 660, "Street", "Canal row 4"),
        pair(80, 640, "Town", "Delft"),
        pair(300, 680, "Frame", "Green"),
        pair(300, 660, "Lock", "Number 12"),
        pair(300, 640, "Bell", "None"),
        text("F1", 10, 80, 580, "To be brought back before noon."),
    ];
    let read = shown("loan.pdf", &pdf(&[&page.concat()]));
    let places: Vec<Option<usize>> = [
        "Piet", "Canal", "Delft", "Green", "Number", "None", "brought",
    ]
    .iter()
    .map(|word| read.find(word))
    .collect();
    assert!(
        places.is_sorted() && places.iter().all(Option::is_some),
        "{read}"
    );
    let rows = read
        .lines()
        .filter(|line| line.contains("Street") || line.contains("Lock"));
    assert!(
        rows.clone().count() == 2
            && rows
                .clone()
                .all(|row| row.contains("Canal") != row.contains("Number")),
        "{read}"
    );
}

#[test]
fn a_table_whose_cells_hold_lists_stays_a_table() {
    let item = |y: i32, words: &str| text("F1", 10, 230, y, "-") + &text("F1", 10, 260, y, words);
    let rules = "72 700 m 512 700 l S 72 640 m 512 640 l S 72 580 m 512 580 l S 72 720 m 512 720 l S \
        72 580 m 72 720 l S 220 580 m 220 720 l S 512 580 m 512 720 l S ";
    let page = [
        rules.to_owned(),
        text("F1", 10, 80, 706, "Version"),
        text("F1", 10, 230, 706, "Changes"),
        text("F1", 10, 80, 686, "One"),
        item(686, "The saddle is of leather."),
        item(670, "The bell is louder."),
        item(654, "The lamp is brighter."),
        text("F1", 10, 80, 626, "Two"),
        item(626, "The chain is covered."),
        item(610, "The basket is wider."),
        item(594, "The brake is softer."),
    ];
    let read = shown("bicycle.pdf", &pdf(&[&page.concat()]));
    assert!(
        read.starts_with("| Version | Changes |\n") && read.contains("| Two | "),
        "{read}"
    );
}
