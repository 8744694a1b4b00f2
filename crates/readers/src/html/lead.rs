//! Finds the paragraph that leads an article, between its heading and its text, which a judge of articles takes for none of it: sites
//! describe their pages in its words.

use crate::html::container;
use crate::html::finder::{Finder, List};
use dom_query::{Document, NodeRef};

/// What a page is described by in its head: sites quote their text for it.
static DESCRIPTIONS: List =
    List::new(|| Finder::of("meta[name=description],meta[property='og:description']"));
/// So many of its words are looked for in the text.
const LEAD_WORDS: usize = 10;
/// The longest paragraph that an article is led by, in letters.
const LEAD_LETTERS_MAX: usize = 400;

/// The paragraph before an article that a page is described by in its head, where the judge of articles took it for none of it.
pub(super) fn lost<'a>(page: &'a Document, article: &NodeRef<'_>) -> Option<NodeRef<'a>> {
    let described = DESCRIPTIONS.find(page);
    let described = described.iter().filter_map(|meta| meta.attr("content"));
    let described = beginning(&folded(&described.max_by_key(|words| words.len())?))?;
    let told = folded(&article.text());
    let mut lead = container::longest(page, "body").filter(|_| !told.contains(&described))?;
    let whole = folded(&lead.text());
    if whole.find(&described)? > whole.find(&beginning(&told)?)? {
        return None;
    }
    let holds = |inner: &NodeRef<'_>| {
        inner.is_element()
            && !inner.has_name("script")
            && folded(&inner.text()).contains(&described)
    };
    while let Some(inner) = lead.children_it(false).find(holds) {
        lead = inner;
    }
    (lead.normalized_char_count() <= LEAD_LETTERS_MAX).then_some(lead)
}

/// The first words of a text, if it has so many.
fn beginning(folded: &str) -> Option<String> {
    let words: Vec<&str> = folded.split(' ').take(LEAD_WORDS).collect();
    (words.len() == LEAD_WORDS).then(|| words.join(" "))
}

/// The words of a text in lower case, with a space between them.
fn folded(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use crate::html;
    use skillkiln_document::markdown::write;

    #[test]
    fn the_paragraph_that_leads_an_article_is_part_of_it_and_one_behind_it_is_not() {
        let told = "<p>A kiln is opened when a hand can be held at the spy hole for as long as it takes to count to ten, and not before.</p>".repeat(6);
        let lead = "Two villages quarrel over who may open a kiln in the night, and why.";
        let head = format!("<title>Who opens it</title><meta name=description content=\"{lead}\">");
        let box_of = |words: &str| format!("<div><div><h1>Who opens it</h1>{words}</div></div>");
        let written = |body: &str| {
            let page = format!("<html><head>{head}</head><body>{body}</body></html>");
            write(&html::read(&page, None).expect("a page").blocks)
        };
        let before = written(&format!(
            "{}<div class=story>{told}</div>",
            box_of(&format!("<p>{lead}</p>"))
        ));
        assert!(
            before.starts_with(&format!("# Who opens it\n\n{lead}\n\nA kiln")),
            "{before}"
        );
        let behind = written(&format!(
            "{}<div class=story>{told}</div><div class=footer><p>{lead}</p></div>",
            box_of("")
        ));
        assert!(!behind.contains(lead), "{behind}");
    }
}
