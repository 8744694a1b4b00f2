//! Owns whose home a path names: `/home/potter/plans` is a folder of somebody's machine, and `/home/user/plans` of nobody's.

use crate::patterns;

patterns! {
    /// A folder of one person's machine.
    HOME = r"(?:/Users/|/home/|[A-Za-z]:\\{1,2}Users\\{1,2})([A-Za-z0-9_.-]+)(?:[/\\]|\b)";
}

/// Users of examples, not of anybody's machine.
const NOBODY: [&str; 27] = [
    "tmp",
    "group",
    "groupname",
    "login",
    "loginname",
    "user",
    "username",
    "you",
    "yourname",
    "your-name",
    "your_name",
    "your-username",
    "your_username",
    "yourusername",
    "me",
    "name",
    "someone",
    "foo",
    "bar",
    "example",
    "shared",
    "public",
    "runner",
    "ubuntu",
    "node",
    "app",
    "vscode",
];
/// A path that names somebody's home.
pub struct Home<'t> {
    /// As it stands in the text, up to the name.
    pub path: &'t str,
}

/// The homes of somebody that a text names.
pub fn somebodys(text: &str) -> impl Iterator<Item = Home<'_>> {
    // Most texts name none, and a search for these words is faster than one for the pattern.
    let may_name = ["/home/", "/Users/", "\\Users\\"]
        .iter()
        .any(|home| text.contains(home));
    let homes = may_name.then(|| HOME.captures_iter(text));
    homes.into_iter().flatten().filter_map(|home| {
        let user = home.get(1)?.as_str();
        let path = home.get(0)?.as_str();
        let is_somebody = user.len() > 1
            && user.contains(char::is_alphanumeric)
            && !NOBODY.contains(&user.to_ascii_lowercase().as_str());
        is_somebody.then_some(Home { path })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_is_somebodys_unless_its_owner_is_a_word_for_anybody() {
        let own = |text: &str| somebodys(text).count();
        assert_eq!(own("cd /home/potter/plans && ls C:\\Users\\hanna"), 2);
        assert_eq!(
            own("A partition for /home/ and one for /home/user or /home/$USER."),
            0
        );
    }
}
