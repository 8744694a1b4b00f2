//! Owns how an address looks: one of http or https, one of another scheme, and one that somebody typed without its scheme or wrong.

use url::Url;

/// Endings of the files that people have beside them. Some are names of countries too, under which nobody would look for a guide first;
/// those of sites that people do type, such as `docs.rs` and `brew.sh`, are left out.
const FILE_ENDINGS: [&str; 62] = [
    "7z", "adoc", "asciidoc", "avi", "bz2", "cfg", "csv", "doc", "docm", "docx", "eml", "epub",
    "gif", "gz", "htm", "html", "ini", "ipynb", "jpeg", "jpg", "js", "json", "jsonl", "key", "log",
    "markdown", "md", "mdx", "mkv", "mov", "mp3", "mp4", "msg", "numbers", "odp", "ods", "odt",
    "pages", "pdf", "png", "pptm", "pptx", "rst", "rtf", "srt", "svg", "tar", "tex", "tgz", "toml",
    "tsv", "txt", "vtt", "wav", "webm", "webp", "xhtml", "xls", "xlsx", "xml", "yaml", "zip",
];

/// An http or https address with a host and no white space inside.
#[must_use]
pub fn web_address(value: &str) -> Option<Url> {
    let scheme = value
        .get(..8)
        .map(str::to_ascii_lowercase)
        .or_else(|| value.get(..7).map(str::to_ascii_lowercase))?;
    if !(scheme.starts_with("http://") || scheme.starts_with("https://"))
        || value.chars().any(char::is_whitespace)
    {
        return None;
    }
    Url::parse(value).ok().filter(Url::has_host)
}

/// A single `scheme://…` token, of any scheme.
#[must_use]
pub fn is_lone_address(value: &str) -> bool {
    let Some((scheme, _)) = value.split_once("://") else {
        return false;
    };
    !scheme.is_empty()
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        && !value.chars().any(char::is_whitespace)
}

/// A single token that begins as an address of http or https does, and does not go on as one.
#[must_use]
pub fn is_misspelt_address(value: &str) -> bool {
    let scheme = value.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        ["http", "https"]
            .iter()
            .any(|read| scheme.eq_ignore_ascii_case(read))
    }) && !value.chars().any(char::is_whitespace)
}

/// Whether this is the bare name of a file, told by an ending that files have and hosts have not.
#[must_use]
pub fn is_file_name(value: &str) -> bool {
    value.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && !stem.contains(['/', '\\', ':', '?', '#'])
            && FILE_ENDINGS
                .iter()
                .any(|known| ending.eq_ignore_ascii_case(known))
    })
}

/// The address that somebody typed without its scheme, as browsers show them: `example.org/guide`. None when it is no such thing,
/// or the name of a file.
#[must_use]
pub fn without_scheme(value: &str) -> Option<String> {
    let value = value.trim();
    let host = value.split(['/', '?', '#']).next()?;
    if is_file_name(value) {
        return None;
    }
    let host = match host.split_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() => host,
        Some(_) => return None,
        None => host,
    };
    let is_label =
        |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    let (rest, last) = host.rsplit_once('.')?;
    let is_host = rest.split('.').all(is_label)
        && last.len() >= 2
        && last.chars().all(|c| c.is_ascii_alphabetic());
    let address = format!("https://{value}");
    (is_host && web_address(&address).is_some()).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_was_typed_without_its_scheme_is_known() {
        for typed in [
            "www.youtube.com/watch?v=abc",
            "example.org/guide.html",
            "example.org",
            " docs.example.org:8080/a#b ",
            "example.org?q=1",
        ] {
            let address = format!("https://{}", typed.trim());
            assert_eq!(without_scheme(typed), Some(address), "{typed}");
        }
        for other in [
            "",
            "words",
            "and/or",
            "see example.org/a",
            "1.5",
            "v1.2.3",
            "/etc/passwd",
            "C:\\x.pdf",
            "a..b",
            ".org",
            "https://example.org",
            "ann@example.org",
            "example.org:x/",
            "manual.pdf",
            "README.md",
        ] {
            assert_eq!(without_scheme(other), None, "{other}");
        }
    }
}
