//! Takes out of an article what its site set into it: teasers of other pages with the headings above them, what stands behind the
//! text without being any, and in news what is written under pictures.

use crate::html::container::Measure;
use crate::html::finder::{Finder, List};
use dom_query::NodeRef;
use skillkiln_document::text::is_unspaced;

/// What is written under pictures.
static CAPTIONS: List = List::new(|| Finder::of("figcaption,[class*=caption]:not(:has(img))"));
/// What an article is made of.
static PARTS: List =
    List::new(|| Finder::of("p,h1,h2,h3,h4,h5,h6,ul,ol,dl,table,pre,blockquote,figure,img"));
/// Where news say what they are.
const NEWS: &str = "NewsArticle\"";
/// Letters of the shortest teaser, and of the shortest sentence behind a text; twice as many are text whatever they end with.
const SHORT: usize = 25;
/// So many of a script without spaces between words say as much.
const SHORT_UNSPACED: usize = 8;
/// What sentences end with, and what closes behind that.
const ENDS: &str = ".!?…:;。！？»”\"’')]";
/// A line with so many digits tells something, such as a telephone.
const DIGITS: usize = 5;

/// Takes it out of the `article` of the page `html` that is found at `address`.
pub(super) fn remove(article: &NodeRef<'_>, html: &str, address: Option<&str>) {
    if html.contains(NEWS) {
        for caption in CAPTIONS.outermost(article) {
            caption.remove_from_parent();
        }
    }
    let host = address.and_then(|address| address.split('/').nth(2));
    let host = host.map(|host| host.trim_start_matches("www."));
    let parts = PARTS.outermost(article);
    let (mut heading, mut is_bare) = (None::<&NodeRef<'_>>, false);
    for part in &parts {
        if is_teaser(part, host) {
            part.remove_from_parent();
            is_bare = true;
        } else if is_heading(part) {
            if let Some(heading) = heading.filter(|_| is_bare) {
                heading.remove_from_parent();
            }
            (heading, is_bare) = (Some(part), false);
        } else {
            heading = None;
        }
    }
    let last = parts.iter().rposition(is_text).unwrap_or(parts.len());
    for part in parts.iter().skip(last + 1) {
        part.remove_from_parent();
    }
}

fn is_heading(part: &NodeRef<'_>) -> bool {
    let name = part.node_name().unwrap_or_default();
    name.len() == 2 && name.starts_with('h')
}

fn is_running(part: &NodeRef<'_>) -> bool {
    part.has_name("p") || part.has_name("ul") || part.has_name("ol")
}

/// Whether a paragraph or a list is hardly more than links to pages of the site at `host`.
fn is_teaser(part: &NodeRef<'_>, host: Option<&str>) -> bool {
    let measure = Measure::of(part);
    let leads_here = |href: &str| {
        host.is_some_and(|host| href.contains(host))
            || !href.contains(':') && !href.starts_with("//")
    };
    is_running(part)
        && measure.letters >= SHORT
        && measure.links * 10 >= measure.letters * 8
        && part
            .descendants_it()
            .filter_map(|link| link.attr("href"))
            .all(|href| leads_here(&href))
}

/// Whether a part of an article is text of it, wherever it stands.
fn is_text(part: &NodeRef<'_>) -> bool {
    let measure = Measure::of(part);
    let own = measure.own();
    let text = part.text();
    let ends = text.trim_end().ends_with(|end| ENDS.contains(end));
    let short = match text.contains(is_unspaced) {
        true => SHORT_UNSPACED,
        false => SHORT,
    };
    let is_other = !is_running(part) && !part.has_name("blockquote");
    let says = own >= short * 2 && own * 10 > measure.letters * 3 || own >= short && ends;
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    !is_heading(part) && (is_other || says || measure.links == 0 && digits >= DIGITS)
}

#[cfg(test)]
mod tests {
    use crate::html;
    use skillkiln_document::markdown::write;

    #[test]
    fn an_article_loses_teasers_captions_and_what_stands_behind_it_and_keeps_what_it_tells() {
        let told = "<p>A kiln is opened when a hand can be held at the spy hole for as long as it takes to count to ten.</p>".repeat(6);
        let page = |kind: &str, mark: &str| {
            let page = format!(
                "<head><meta property=og:type content={kind}><link rel=canonical href=https://www.kiln.example/a></head><body><article>{mark}{told}\
                 <h2>More of it</h2><p><a href=https://kiln.example/b>Who fires with wood needs a dry shed</a></p><h2>Reach</h2>{told}\
                 <figure><img src=a.png alt=Kiln><figcaption>The kiln of the valley (Photo: Ada)</figcaption></figure>{told}\
                 <p><a href=https://ash.example/>All about the ash of oak and beech</a></p><p>Tel. 555 0199 01</p><h2>Tags</h2><p>Clay</p></article></body>"
            );
            write(&html::read(&page, None).expect("a page").blocks)
        };
        let words = [
            "More of it",
            "dry shed",
            "Tags",
            "Reach",
            "ash",
            "555",
            "Ada",
        ];
        let kept = |kind, mark| words.map(|words| page(kind, mark).contains(words));
        let news = "<i data-kind='NewsArticle\"'></i>";
        let t = true;
        assert_eq!(kept("article", ""), [!t, !t, !t, t, t, t, t]);
        assert_eq!(kept("article", news), [!t, !t, !t, t, t, t, !t]);
        assert_eq!(kept("website", ""), [t; 7]);
    }
}
