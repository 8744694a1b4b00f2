//! Owns texts that are made up: manuals with headings, paragraphs, steps, tables and code, each different from all others and the same
//! for the same seed.

use super::seeded::Dice;

const THINGS: &[&str] = &[
    "pump",
    "valve",
    "burner",
    "sensor",
    "filter",
    "gauge",
    "relay",
    "damper",
    "chimney",
    "shelf",
    "cone",
    "lid",
    "gasket",
    "fuse",
    "fan",
    "probe",
    "cable",
    "coil",
    "hinge",
    "brick",
    "tray",
    "timer",
    "panel",
    "latch",
    "nozzle",
    "regulator",
    "thermocouple",
    "manifold",
    "bearing",
    "vent",
];
const DEEDS: &[&str] = &[
    "Install",
    "Check",
    "Clean",
    "Replace",
    "Calibrate",
    "Adjust",
    "Inspect",
    "Configure",
    "Test",
    "Tighten",
    "Measure",
    "Store",
];
const QUALITIES: &[&str] = &[
    "upper", "lower", "main", "spare", "ceramic", "steel", "outer", "inner", "left", "right",
    "heavy", "sealed",
];
const REASONS: &[&str] = &[
    "because its seal softens there",
    "since the draught turns at that point",
    "so that the glaze does not crack",
    "because the reading drifts otherwise",
    "as the alarm is not heard behind the wall",
    "so that nobody is burnt by the return air",
    "because the firmware counts whole minutes only",
    "since dust settles in the lower bend",
];
const RULES: &[&str] = &["must", "must never", "should", "may", "should not"];
const HAPPENINGS: &[&str] = &[
    "run above",
    "fall below",
    "be opened over",
    "be stored at",
    "be fired past",
    "rest under",
];

/// The text with this number, of about `size_bytes`.
#[must_use]
pub fn text(seed: u64, number: u64, size_bytes: usize) -> String {
    // Seeds and numbers that are neighbours give texts that have nothing in common.
    let mut dice = Dice::new(Dice::new(seed).roll() ^ number.wrapping_mul(0xa076_1d64_78bd_642f));
    let subject = format!(
        "{} {} {}",
        dice.pick(QUALITIES),
        dice.pick(THINGS),
        dice.between(100, 10_000)
    );
    let mut text = format!(
        "# Manual of the {subject}\n\nHow to keep the {subject} in good order, for those who fire kiln {number}.\n"
    );
    let mut section = 0;
    while text.len() < size_bytes {
        section += 1;
        let part = section_of(&mut dice, section);
        // The last section is left out when that brings the length closer to what was asked for.
        if section > 1 && text.len() + part.len() / 2 > size_bytes {
            break;
        }
        text.push_str(&part);
    }
    text
}

fn section_of(dice: &mut Dice, section: u64) -> String {
    let (deed, quality, thing) = (dice.pick(DEEDS), dice.pick(QUALITIES), dice.pick(THINGS));
    let mut text = format!("\n## {section}. {deed} the {quality} {thing}\n\n");
    for _ in 0..dice.between(2, 5) {
        text.push_str(&sentence(dice, thing));
    }
    text.push('\n');
    match dice.between(0, 4) {
        0 => {
            text.push('\n');
            for step in 1..=dice.between(3, 6) {
                let line = format!(
                    "{step}. {} the {} and note the number {}.\n",
                    dice.pick(DEEDS),
                    dice.pick(THINGS),
                    dice.between(10, 1_000)
                );
                text.push_str(&line);
            }
        }
        1 => text.push_str(&format!(
            "\n```sh\nkilnctl {} --part {thing} --limit {}\nkilnctl status --section {section}\n```\n",
            deed.to_lowercase(),
            dice.between(20, 1_400)
        )),
        2 => {
            text.push_str("\n| part | limit | interval |\n|---|---|---|\n");
            for _ in 0..dice.between(2, 5) {
                let row = format!(
                    "| {} {} | {} | {} h |\n",
                    dice.pick(QUALITIES),
                    dice.pick(THINGS),
                    dice.between(20, 1_400),
                    dice.between(1, 500)
                );
                text.push_str(&row);
            }
        }
        _ => {
            text.push('\n');
            for _ in 0..dice.between(2, 5) {
                let line = format!(
                    "- The {} {} {}.\n",
                    dice.pick(QUALITIES),
                    dice.pick(THINGS),
                    dice.pick(&["stays closed", "is marked in red", "turns to the left", "is kept dry"])
                );
                text.push_str(&line);
            }
        }
    }
    text
}

fn sentence(dice: &mut Dice, thing: &str) -> String {
    format!(
        "The {} {thing} {} {} {} degrees, {}. ",
        dice.pick(QUALITIES),
        dice.pick(RULES),
        dice.pick(HAPPENINGS),
        dice.between(20, 1_400),
        dice.pick(REASONS)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_text_is_about_as_long_as_was_asked_for() {
        for size in [500, 2_048, 65_536] {
            for number in 0..20 {
                let length = text(1, number, size).len();
                assert!(
                    length > size / 2 && length < size + 600,
                    "{length} for {size}"
                );
            }
        }
    }

    #[test]
    fn texts_differ_by_seed_and_number_and_come_back_the_same() {
        let all: HashSet<String> = (0..100)
            .flat_map(|number| [text(1, number, 2_048), text(2, number, 2_048)])
            .collect();
        assert_eq!(all.len(), 200);
        assert_eq!(text(3, 9, 2_048), text(3, 9, 2_048));
    }

    #[test]
    fn a_long_text_has_everything_a_manual_has() {
        let text = text(1, 1, 20_000);
        for sign in ["\n## ", "\n1. ", "\n- ", "\n```sh\n", "\n| part |"] {
            assert!(text.contains(sign), "{sign}");
        }
    }
}
