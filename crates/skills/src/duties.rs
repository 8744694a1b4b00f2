//! Owns whom the rules of a specification bind: its clients, its servers.

use crate::units::Unit;

/// Of so many rules one role has a list of its own.
const ROLE_RULES_MIN: usize = 3;

/// Takes the rules of those parties of a specification of which there are several: what stands before the word of duty of each, "server" of
/// "The server MUST wait".
#[must_use]
pub fn roles<'u>(units: &mut Vec<&'u Unit>) -> Vec<(String, Vec<&'u Unit>)> {
    let mut found: Vec<(String, Vec<&Unit>)> = Vec::new();
    for unit in units.iter() {
        let Some(role) = role_of_rule(&unit.text) else {
            continue;
        };
        match found.iter_mut().find(|(one, _)| *one == role) {
            Some((_, own)) => own.push(unit),
            None => found.push((role, vec![unit])),
        }
    }
    found.retain(|(_, own)| own.len() >= ROLE_RULES_MIN);
    let has_role = |unit: &&Unit| {
        role_of_rule(&unit.text).is_some_and(|role| found.iter().any(|(one, _)| *one == role))
    };
    units.retain(|unit| !has_role(unit));
    found
}

/// Whom a rule binds.
fn role_of_rule(text: &str) -> Option<String> {
    let mut before = "";
    let mut article = "";
    for word in text.split_whitespace() {
        let is_article = matches!(article, "The" | "the" | "A" | "a" | "An" | "an");
        let is_duty = matches!(word, "MUST" | "SHALL" | "SHOULD" | "MAY");
        if is_duty && is_article && before.len() > 2 && before.chars().all(char::is_alphabetic) {
            return Some(before.to_lowercase());
        }
        article = before;
        before = word;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Outline;
    use crate::units::extract;
    use skillkiln_document::testing::document;

    #[test]
    fn rules_are_told_by_whom_they_bind() {
        let text = "The server MUST wait for the bird.\n\nA server MUST NOT sing to clients.\n\nThe server SHOULD close the door then.\n\n\
            The client MUST fly once a day.\n\nNobody MUST open the old cage.";
        let document = document(text);
        let outline = Outline::of(&document.blocks);
        let units = extract(&document.blocks, &outline);
        let mut others: Vec<&Unit> = units.iter().collect();
        let found = roles(&mut others);
        let told: Vec<(&str, usize)> = found
            .iter()
            .map(|(role, own)| (&**role, own.len()))
            .collect();
        assert_eq!((told, others.len()), (vec![("server", 3)], 2));
    }
}
