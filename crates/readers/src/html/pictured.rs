//! Owns pictures that are read as what they show, and those that say nothing: a formula, whose TeX is the words for its picture, and
//! a picture that is but the face of a link.

use crate::html::finder::is_of_one;
use dom_query::NodeRef;
use skillkiln_document::text::{is_ideographic, squash};

/// How pictures of formulas are called.
const MATH: [&str; 4] = ["math", "tex", "latex", "mathimg"];
/// Commands of TeX by which words for a picture are known for a formula.
const COMMANDS: [&str; 22] = [
    "frac", "sqrt", "sum", "int", "mathrm", "mathbf", "begin", "left", "times", "cdot", "partial",
    "alpha", "beta", "gamma", "delta", "theta", "lambda", "mu", "pi", "sigma", "omega", "infty",
];
/// Words for a picture with so many words say something.
const SAID_WORDS_MIN: usize = 4;
/// How the addresses of pictures end.
const ENDINGS: [&str; 6] = [".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"];

/// The TeX of a picture that shows a formula.
pub(super) fn formula(picture: &NodeRef<'_>) -> Option<String> {
    if !picture.has_name("img") {
        return None;
    }
    let words = squash(&picture.attr("alt")?);
    let inside = [("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]")]
        .iter()
        .find_map(|(open, close)| words.strip_prefix(open)?.strip_suffix(close));
    let tex = inside.unwrap_or(&words).trim();
    let is_called = is_of_one(picture, &MATH) && (inside.is_some() || !is_prose(tex));
    let is_tex = is_called || is_tex(tex);
    (is_tex && !tex.is_empty()).then(|| tex.to_owned())
}

/// Whether the words for a picture that is called a formula are none: several, one of which is of letters.
fn is_prose(words: &str) -> bool {
    let is_word = |word: &str| {
        let mut runs = word.split(|c: char| !c.is_alphabetic());
        !word.contains('\\') && runs.any(|run| run.chars().nth(2).is_some())
    };
    words.contains(is_ideographic) || words.contains(' ') && words.split(' ').any(is_word)
}

/// Whether words are TeX: they have a command of it, and what sets something above, below or together. A path may have the one.
fn is_tex(words: &str) -> bool {
    let is_command = |rest: &str| {
        let name = rest.split(|c: char| !c.is_ascii_alphabetic()).next();
        name.is_some_and(|name| COMMANDS.contains(&name))
    };
    words.contains(['{', '^', '_', '=']) && !words.contains(":\\") && {
        let mut commands = words.split('\\').skip(1);
        commands.any(is_command)
    }
}

/// Whether a formula is all that the paragraph around its picture says.
pub(super) fn stands_alone(picture: &NodeRef<'_>) -> bool {
    picture.parent().is_some_and(|around| {
        let pictures = around.children_it(false).filter(NodeRef::is_element);
        (around.has_name("p") || around.has_name("div"))
            && pictures.count() == 1
            && around.text().trim().is_empty()
    })
}

/// Whether a picture is but the face of a link: all that the link shows, with words that are no sentence. One that leads to a larger
/// picture is none.
pub(super) fn is_face(picture: &NodeRef<'_>, alternative: &str) -> bool {
    let Some(link) = picture.parent().filter(|around| around.has_name("a")) else {
        return false;
    };
    let leads_to_picture = link.attr("href").is_some_and(|href| {
        let href = href.to_ascii_lowercase();
        ENDINGS.iter().any(|ending| href.ends_with(ending))
    });
    let says = alternative.split_whitespace().nth(SAID_WORDS_MIN - 1);
    link.has_attr("href") && says.is_none() && !leads_to_picture && link.text().trim().is_empty()
}

#[cfg(test)]
mod tests {
    use crate::html::read_whole;
    use skillkiln_document::markdown::write;

    fn told(paragraph: &str) -> String {
        let page = format!(
            "<main><h1>Kilns</h1><p>A kiln is heated slowly for a day.</p>{paragraph}</main>"
        );
        let text = write(&read_whole(&page).blocks);
        let text = text.strip_prefix("# Kilns\n\nA kiln is heated slowly for a day.");
        text.unwrap_or_default().trim().to_owned()
    }

    #[test]
    fn a_picture_of_a_formula_is_the_formula() {
        let picture = "<img class=math src=f.png alt='\\frac{1}{C}'>";
        let line = told(&format!("<p>Take {picture} of it.</p>"));
        assert_eq!(line, "Take $\\frac{1}{C}$ of it.");
        assert_eq!(
            told(&format!("<p>{picture}</p>")),
            told("<div class=math>\\[\\frac{1}{C}\\]</div>")
        );
        assert_eq!(
            told("<p>Take <img alt='$\\sqrt{2}$' src=f.png> of it.</p>"),
            "Take $\\sqrt{2}$ of it."
        );
    }

    #[test]
    fn prose_for_a_picture_that_is_called_a_formula_is_prose() {
        let text =
            told("<p>See <img class=tex src=x.png alt='The curve of heat over a day'> of it.</p>");
        assert!(!text.contains('$'), "{text}");
        for tex in ["a + b", "x=y", "\\alpha + \\beta"] {
            let line = told(&format!(
                "<p>Take <img class=math src=f.png alt='{tex}'> of it.</p>"
            ));
            assert_eq!(line, format!("Take ${tex}$ of it."));
        }
    }

    #[test]
    fn words_for_a_picture_are_no_formula_because_of_their_signs() {
        let text = told("<p><img alt='The folder C:\\kilns\\new_ones is open' src=f.png></p>");
        assert!(text.contains("The folder"), "{text}");
        assert!(!text.contains('$'), "{text}");
    }

    #[test]
    fn the_name_of_a_picture_that_is_the_face_of_a_link_is_no_text() {
        assert_eq!(
            told(
                "<figure><a href='https://kiln.example'><img alt='Build status' src=f.svg></a></figure>"
            ),
            ""
        );
        let shown = told("<figure><a href='big.png'><img alt='Red kiln' src=f.png></a></figure>");
        assert!(shown.contains("Red kiln"), "{shown}");
    }
}
