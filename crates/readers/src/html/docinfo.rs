//! Owns the fields that Docutils lists below the title of a document: who wrote it and where they are reached is its imprint; of when
//! it was written, and for which version, the document may go on to speak.

use dom_query::NodeRef;
use skillkiln_document::text::squash;

/// Fields that say whose a document is.
const IMPRINT: [&str; 7] = [
    "author",
    "authors",
    "contact",
    "organization",
    "organisation",
    "address",
    "copyright",
];
/// Other fields that Docutils knows.
const OTHERS: [&str; 5] = ["date", "version", "revision", "status", "release"];

/// Takes the imprint out of a list of fields, where that stands below the title of a document.
pub(super) fn mend(list: &NodeRef<'_>) {
    let names: Vec<NodeRef<'_>> = list
        .descendants_it()
        .filter(|node| node.has_name("dt") || node.has_name("th"))
        .collect();
    let named = |name: &NodeRef<'_>| {
        let words = squash(&name.text()).to_lowercase();
        words.trim_end_matches(':').trim().to_owned()
    };
    let is_known = |name: &NodeRef<'_>| {
        let name = named(name);
        IMPRINT.contains(&name.as_str()) || OTHERS.contains(&name.as_str())
    };
    let is_below_title = || {
        let before = list.prev_element_sibling();
        before.is_some_and(|before| before.has_name("h1")) && names.iter().all(is_known)
    };
    if !list.has_class("docinfo") && !is_below_title() {
        return;
    }
    let mut left = names.len();
    for name in &names {
        if !IMPRINT.contains(&named(name).as_str()) {
            continue;
        }
        left -= 1;
        let row = name.parent().filter(|row| row.has_name("tr"));
        match row {
            Some(row) => row.remove_from_parent(),
            None => {
                if let Some(value) = name
                    .next_element_sibling()
                    .filter(|value| value.has_name("dd"))
                {
                    value.remove_from_parent();
                }
                name.remove_from_parent();
            }
        }
    }
    if left == 0 {
        list.remove_from_parent();
    }
}

#[cfg(test)]
mod tests {
    use crate::html::read;
    use skillkiln_document::markdown::write;

    fn written(body: &str) -> String {
        let html = format!(
            "<meta name=generator content=sphinx><div role=main><h1>Kilns</h1>{body}<p>They are hot.</p></div>"
        );
        write(&read(&html, None).expect("a page").blocks)
    }

    #[test]
    fn who_wrote_a_document_is_no_text_of_it_and_when_is() {
        let author =
            "<dt>author<span>:</span></dt><dd><p>Ada &lt;<a href='mailto:a@b'>a@b</a>&gt;</p></dd>";
        let date = "<dt>date<span>:</span></dt><dd><p>May 2026</p></dd>";
        assert_eq!(
            written(&format!("<dl class=field-list>{author}</dl>")),
            "# Kilns\n\nThey are hot.\n"
        );
        for class in ["field-list", "docinfo"] {
            assert_eq!(
                written(&format!("<dl class={class}>{author}{date}</dl>")),
                "# Kilns\n\n- **date:** May 2026\n\nThey are hot.\n"
            );
        }
        let table = "<table class=docinfo><tr><th>Author:</th><td>Ada</td></tr></table>";
        assert_eq!(written(table), "# Kilns\n\nThey are hot.\n");
    }

    #[test]
    fn fields_of_what_is_told_are_kept() {
        let author = "<dt>author:</dt><dd>who built it</dd>";
        let list = format!("<dl class=field-list>{author}<dt>wood:</dt><dd>of oak</dd></dl>");
        assert!(written(&list).contains("who built it"));
        let list = format!("<p>A kiln has:</p><dl class=field-list>{author}</dl>");
        assert!(written(&list).contains("who built it"));
    }
}
