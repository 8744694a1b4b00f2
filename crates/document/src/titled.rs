//! Owns how the title of a page names the project before its own heading: `kilnlib: Heat Transport` as Doxygen writes it, `GNU kiln
//! utilities: 2. Heat` as texi2html does.

use crate::text::letters;

/// A name of several words stands before the number of a section alone, and has so many words at most.
const PROJECT_WORDS_MAX: usize = 4;

/// The project that a page's title names before what heads the page.
pub fn project_before<'t>(title: &'t str, heading: &str) -> Option<&'t str> {
    let (project, own) = title.split_once(": ")?;
    let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ' ');
    let unnumbered = own.trim_start_matches(number);
    let heading = letters(heading.trim_start_matches(number));
    let is_numbered = own.starts_with(|c: char| c.is_ascii_digit());
    let words = project.split(' ').count();
    let is_name = project.chars().count() > 2
        && project.contains(char::is_alphabetic)
        && (words == 1
            || is_numbered
                && words <= PROJECT_WORDS_MAX
                && project.starts_with(char::is_uppercase));
    (is_name && !heading.is_empty() && letters(unnumbered) == heading).then_some(project)
}

#[cfg(test)]
mod tests {
    use super::project_before;

    #[test]
    fn a_project_stands_before_the_title_of_its_page() {
        for (title, heading, project) in [
            (
                "kiln_lib: Heat Transport",
                "Heat Transport",
                Some("kiln_lib"),
            ),
            (
                "GNU kiln utilities: 2. Heat",
                "2. Heat",
                Some("GNU kiln utilities"),
            ),
            (
                "GNU kiln utilities: 2. Heat",
                "Heat",
                Some("GNU kiln utilities"),
            ),
            ("Heat Transport", "Heat Transport", None),
            ("The kiln: Heat Transport", "Heat Transport", None),
            ("Heat: Pots", "Heat Transport", None),
        ] {
            assert_eq!(project_before(title, heading), project, "{title}");
        }
    }
}
