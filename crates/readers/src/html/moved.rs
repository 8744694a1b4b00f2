//! Refuses pages that have moved: what stands there only leads on to where the text is now, and would make a skill of nothing.

use crate::html::about::Told;
use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::text::{Inline, plain, words};

/// A page with more words than this has something to say, wherever it leads on to.
const WORDS_MAX: usize = 60;
/// The same of one that only says that it has moved.
const SAYING_WORDS_MAX: usize = 40;
/// How a page says so, in small letters.
const SAYINGS: [&str; 14] = [
    "has moved",
    "have moved",
    "has been moved",
    "have been moved",
    "is now at",
    "now lives at",
    "redirecting",
    "being redirected",
    "be redirected",
    "automatically redirected",
    "a été déplacé",
    "wurde verschoben",
    "ha sido movid",
    "è stata spostata",
];

/// The failure that says where a page leads on to that says nothing else: its whole `text` is a few words.
pub(super) fn refusal(told: &Told<'_>, text: &str, blocks: &[Block]) -> Option<Failure> {
    let count = words(text).take(WORDS_MAX + 1).count();
    if count > WORDS_MAX {
        return None;
    }
    let leads_to = told
        .leads_on_to()
        .or_else(|| said_to_lead(blocks).filter(|_| count <= SAYING_WORDS_MAX))?;
    Some(Failure::new(
        Reason::Unreadable,
        format!("this page has no text of its own and leads on to {leads_to}; send that page"),
    ))
}

/// Where the first paragraph leads to that says that the page has moved.
fn said_to_lead(blocks: &[Block]) -> Option<String> {
    let mut found = None;
    walk(blocks, &mut |block| {
        if let BlockKind::Paragraph(text) | BlockKind::Heading { text, .. } = &block.kind
            && found.is_none()
        {
            let said = plain(text).to_lowercase();
            let is_moved = SAYINGS.iter().any(|saying| said.contains(saying));
            found = first_link(text).filter(|_| is_moved);
        }
    });
    found
}

fn first_link(text: &[Inline]) -> Option<String> {
    text.iter().find_map(|inline| match inline {
        Inline::Link(link) => Some(link.href.clone()),
        Inline::Emphasis(inner) | Inline::Strong(inner) => first_link(inner),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use crate::html::read;

    fn refused(page: &str) -> Option<String> {
        read(page, None).err().map(|failure| failure.message)
    }

    #[test]
    fn a_page_that_only_leads_on_to_another_is_refused_and_names_it() {
        for page in [
            "<html><head><meta http-equiv=\"refresh\" content=\"0;URL=kiln.html\"><title>Redirection</title></head><body><p>Redirecting to <a href=\"kiln.html\">kiln.html</a>...</p></body></html>",
            "<html><head><META HTTP-EQUIV=Refresh CONTENT=\"3; url='kiln.html'\"><title>Kilns</title></head><body><p>Please wait for the kiln.</p></body></html>",
            "<html><head><title>Kilns</title></head><body><h1>The kiln guide</h1><p>This guide has moved to <a href=kiln.html>another place</a>.</p></body></html>",
        ] {
            let message = refused(page).expect("it says nothing");
            assert!(message.contains("leads on to kiln.html;"), "{message}");
        }
    }

    #[test]
    fn a_page_that_scripts_fill_with_what_was_searched_has_no_text() {
        let page = "<html><head><title></title><script src=search.js></script></head><body><div><div class=SRStatus>Loading...</div><div id=SRResults></div><div class=SRStatus>Searching...</div><div class=SRStatus>No Matches</div></div></body></html>";
        let message = refused(page).expect("it says nothing");
        assert!(message.contains("filled in by scripts"), "{message}");
    }

    #[test]
    fn a_page_with_text_is_read_wherever_it_leads_on_to() {
        let words = "<p>The kiln is heated until the clay is hard, which takes a day of dry wood and somebody who stays awake.</p>".repeat(4);
        for head in [
            "<meta http-equiv=refresh content=\"0;URL=kiln.html\">",
            // What is loaded again every five minutes has not moved.
            "<meta http-equiv=refresh content=300>",
            "",
        ] {
            let page = format!(
                "<html><head>{head}<title>Kilns</title></head><body><h1>Kilns</h1>{words}<p>The door has moved to <a href=d>the left</a>.</p></body></html>"
            );
            assert_eq!(refused(&page), None, "{head}");
        }
        let still = "<html><head><meta http-equiv=refresh content=\"300;url=a.html\"><title>Kilns</title></head><body><p>The kiln is hot, and its door is red.</p></body></html>";
        assert_eq!(refused(still), None);
    }
}
