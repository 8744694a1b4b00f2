//! Reads what tests write below a heading of a manual page.

use crate::markup::man::read;
use skillkiln_document::markdown::write;

/// `body` as the section `title` of a page, as Markdown without the page's name and that heading.
pub(super) fn below(title: &str, body: &str) -> String {
    let markdown = write(&read(format!(".TH X 1\n.SH {title}\n{body}")).blocks);
    let head = format!("# x(1)\n\n## {title}\n\n");
    markdown.trim_start_matches(head.as_str()).to_owned()
}
