//! The tags of components that MDX and its kin mix into Markdown: their names, their attributes, and what they hold on a line.

/// Whether a line begins with the tag of a component.
pub(super) fn begins_component(words: &str) -> bool {
    let inner = words.strip_prefix('<').unwrap_or_default();
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    inner.starts_with(|c: char| c.is_ascii_uppercase())
}

/// A tag of a component, alone on its line: its name, its attributes, and whether it ends at once.
pub(super) fn component(words: &str) -> Option<(&str, &str, bool)> {
    let inner = words.strip_prefix('<')?.strip_suffix('>')?;
    let begin = inner.strip_prefix('/').unwrap_or(inner);
    if !begin.starts_with(|c: char| c.is_ascii_uppercase()) || inner.contains('<') {
        return None;
    }
    let length = inner
        .find(|c: char| c.is_whitespace())
        .unwrap_or(inner.len());
    let (name, attributes) = inner.split_at(length);
    let ends = inner.ends_with('/');
    let name = name.trim_end_matches('/');
    let name = if name.is_empty() { inner } else { name };
    let is_name = name
        .trim_start_matches('/')
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'));
    is_name.then_some((name, attributes, ends))
}

/// `<Note type="tip">words</Note>`: its name, its attributes and the words.
pub(super) fn component_around(words: &str) -> Option<(&str, &str, &str)> {
    let (tag, rest) = words.split_at(words.find('>')? + 1);
    let (name, attributes, ends) = component(tag)?;
    let said = rest.strip_suffix('>')?.strip_suffix(name)?;
    let said = said.strip_suffix("</")?.trim();
    (!ends && !name.starts_with('/') && !said.is_empty()).then_some((name, attributes, said))
}

/// What an attribute of a component says.
pub(crate) fn attribute<'a>(attributes: &'a str, key: &str) -> Option<&'a str> {
    let (before, rest) = attributes.split_once(&format!("{key}="))?;
    if before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_')) {
        return None;
    }
    let rest = rest.trim_start_matches('{');
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    rest.get(1..)?.split(quote).next()
}
