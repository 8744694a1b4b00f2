//! Tells links that are marks and buttons from links that say where they lead: what they say is no text of the page.

use dom_query::NodeRef;

/// What a link says that only leads to the place it stands at.
const MARKS: [&str; 6] = ["¶", "#", "§", "🔗", "\u{f0c1}", "Permalink"];
/// What a link says that leads to what is told in full elsewhere on the page.
const MORE: [&str; 2] = ["More...", "More…"];
/// What a link says that leads to the file which the page tells of, or to where code is shown.
const SOURCES: [&str; 2] = ["[source]", "Go to the source code of this file."];
/// What a link says that leads nowhere: a button for a script.
const BUTTONS: [&str; 6] = [
    "collapse",
    "expand",
    "show all",
    "hide all",
    "expand all",
    "collapse all",
];

/// Whether a link says nothing: it is a mark, a button, or has neither words nor a picture.
pub(super) fn is_mark(link: &NodeRef<'_>) -> bool {
    if says_more_than_a_mark(link) {
        return false;
    }
    let text = link.text();
    let text = text.trim();
    let leads = |so: &dyn Fn(&str) -> bool| link.attr("href").is_some_and(|href| so(&href));
    let has_picture = || link.descendants_it().any(|inner| inner.has_name("img"));
    SOURCES.contains(&text)
        || (MARKS.contains(&text) || MORE.contains(&text)) && leads(&|href| href.contains('#'))
        || BUTTONS.contains(&text) && leads(&|href| href == "#") && stands_apart(link)
        || text.is_empty() && !has_picture() && link.id_attr().is_none()
}

/// Whether no words stand beside a link, so that it is none of a sentence.
fn stands_apart(link: &NodeRef<'_>) -> bool {
    let says = |node: NodeRef<'_>| node.is_text() && node.text().contains(char::is_alphanumeric);
    !link.prev_sibling().is_some_and(says) && !link.next_sibling().is_some_and(says)
}

/// Whether the first words of a link show that it is no mark: most links are told by them alone.
fn says_more_than_a_mark(link: &NodeRef<'_>) -> bool {
    let first = link.first_child().filter(NodeRef::is_text);
    first.is_some_and(|first| {
        let words = first.text();
        let words = words.trim();
        let mut all = MARKS.iter().chain(&MORE).chain(&SOURCES).chain(&BUTTONS);
        !words.is_empty() && !all.any(|mark| mark.starts_with(words))
    })
}

#[cfg(test)]
mod tests {
    use crate::html::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_button_in_a_sentence_is_one_of_its_words() {
        let page = "<body><main><h1>Kilns</h1><p>Press <a href='#'>expand all</a> to see each of them.</p></main></body>";
        let text = write(&read(page, None).expect("a page").blocks);
        assert!(text.contains("expand all"), "{text}");
    }

    #[test]
    fn a_button_and_what_leads_to_more_of_the_same_page_say_nothing() {
        let page = "<head><meta name=generator content=Doxygen></head><body><main><h1>Kilns <small><a href='#'>collapse</a></small></h1>\
            <p>A kiln is heated slowly, and opened a day after. <a href='kiln.html#details'>More...</a></p>\
            <p><a href='kiln_source.html'>Go to the source code of this file.</a></p><ul><li>Oven</ul><a href='#'>show all</a>\
            <p>There is <a href='wood.html'>More...</a> of it, and a way to <a href='ash.html'>collapse</a>.</p></main></body>";
        assert_eq!(
            write(&read(page, None).expect("a page").blocks),
            "# Kilns\n\nA kiln is heated slowly, and opened a day after.\n\n- Oven\n\nThere is [More...](wood.html) of it, and a way to [collapse](ash.html).\n"
        );
    }
}
