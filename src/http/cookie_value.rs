//! Owns the grammar of what a browser sends of its cookies.

/// The value of a cookie in the lines of a request's `Cookie` headers. Two of them are none: one was put there by somebody else.
pub(crate) fn value_of<'a>(lines: impl Iterator<Item = &'a str>, name: &str) -> Option<&'a str> {
    let mut values = lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(given, _)| *given == name)
        .map(|(_, value)| value);
    let value = values.next()?;
    values.next().is_none().then_some(value)
}
