//! Owns the words by which a page leads to those before and after it, above it and to the list of them all, in the languages of
//! documentation; and tells the lists that do nothing else.

use dom_query::NodeRef;
use skillkiln_document::text::squash;

/// What leads to the page before or after: such a link is about the pages, and hardly ever about what they say.
const TURNS: &[&str] = &[
    "previous",
    "prev",
    "next",
    // French, German, Spanish, Portuguese, Italian, Dutch, Polish.
    "précédent",
    "précédente",
    "suivant",
    "suivante",
    "zurück",
    "weiter",
    "vorherige",
    "nächste",
    "anterior",
    "siguiente",
    "próximo",
    "próxima",
    "seguinte",
    "precedente",
    "indietro",
    "successivo",
    "successiva",
    "avanti",
    "vorige",
    "volgende",
    "poprzedni",
    "poprzednia",
    "następny",
    "następna",
    "wstecz",
    "dalej",
    // Russian, Arabic, Hebrew.
    "назад",
    "вперёд",
    "вперед",
    "далее",
    "предыдущая",
    "следующая",
    "пред",
    "след",
    "السابق",
    "التالي",
    "הקודם",
    "הבא",
    // Japanese, Chinese, Korean.
    "前",
    "次",
    "前へ",
    "次へ",
    "前のページ",
    "次のページ",
    "戻る",
    "上一页",
    "下一页",
    "上一章",
    "下一章",
    "上一节",
    "下一节",
    "上一頁",
    "下一頁",
    "前一页",
    "后一页",
    "后退",
    "前进",
    "이전",
    "다음",
];
/// What leads above a page, or to the list of them all. A link may be called so for other reasons.
const PLACES: &[&str] = &[
    "up",
    "home",
    "contents",
    "table of contents",
    "toc",
    "index",
    "accueil",
    "sommaire",
    "niveau supérieur",
    "table des matières",
    "nach oben",
    "inhalt",
    "inhaltsverzeichnis",
    "startseite",
    "inicio",
    "arriba",
    "índice",
    "contenido",
    "início",
    "acima",
    "conteúdo",
    "inizio",
    "su",
    "indice",
    "omhoog",
    "begin",
    "inhoud",
    "spis treści",
    "w górę",
    "содержание",
    "оглавление",
    "наверх",
    "начало",
    "أعلى",
    "البداية",
    "المحتويات",
    "למעלה",
    "תוכן",
    "目次",
    "上へ",
    "ホーム",
    "目录",
    "首页",
    "上一级",
    "起始页",
    "目錄",
    "首頁",
    "목차",
    "위로",
    "처음으로",
];
/// What is turned to: `Next chapter`.
const TURNED: &[&str] = &["article", "chapter", "page", "post", "section", "topic"];
/// Words of one link of a list that leads about, with the title of the page it leads to, and without it.
const TITLED_WORDS_MAX: usize = 14;
const WORDS_MAX: usize = 4;
/// A list with more links than this is no list of the pages around.
const LINKS_MAX: usize = 12;

/// How a link leads about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leads {
    /// To the page before or after.
    Turns,
    /// Above the page, or to the list of them all.
    Up,
    /// Nowhere that its words tell.
    Unsaid,
}

/// How a link of these words leads about. The title of the page it leads to may follow what it says: `Next: Firing`.
pub(super) fn leads(words: &str) -> Leads {
    let is_mark = |c: char| !c.is_alphanumeric();
    let bare = squash(words.trim_matches(is_mark));
    let lower = bare.to_lowercase();
    if PLACES.contains(&lower.as_str()) {
        return Leads::Up;
    }
    let turns = TURNS.iter().any(|turn| {
        // Capitals and small letters are of the same length in each of these words.
        bare.get(..turn.len())
            .filter(|start| start.to_lowercase() == **turn)
            .and_then(|_| bare.get(turn.len()..))
            .is_some_and(is_turned_to)
    });
    match turns {
        true => Leads::Turns,
        false => Leads::Unsaid,
    }
}

/// Whether this may follow the word that turns a page: nothing, what is turned to, or a title that is set off or run into it.
fn is_turned_to(rest: &str) -> bool {
    let Some(first) = rest.chars().next() else {
        return true;
    };
    let words = rest.trim().to_lowercase();
    first.is_uppercase()
        || first.is_ascii_digit()
        || TURNED.contains(&words.as_str())
        || words.starts_with([':', '>', '<', '|', '»', '«', '→', '←', '›', '‹'])
}

/// How many links of a list turn pages, and how many lead up; none where it does more than lead about, so that it is text.
pub(super) fn of_list(list: &NodeRef<'_>) -> Option<(usize, usize)> {
    let (mut turns, mut ups, mut links) = (0, 0, 0);
    for item in list.element_children() {
        if !item.has_name("li") {
            return None;
        }
        let inside = || item.descendants_it();
        let words = squash(&item.text());
        let mut linked = String::new();
        for link in inside().filter(|node| node.has_name("a")) {
            links += 1;
            linked.push_str(&link.text());
        }
        let is_more = inside().any(|node| {
            ["code", "pre", "table", "ul", "ol", "p", "img"]
                .iter()
                .any(|name| node.has_name(name))
        });
        let leads = leads(&words);
        let count = words.split(' ').count();
        // What leads nowhere here is said without a link: the first page has none before it.
        let is_said = squash(&linked) == words || leads != Leads::Unsaid && linked.is_empty();
        let words_max = match leads {
            Leads::Turns => TITLED_WORDS_MAX,
            _ => WORDS_MAX,
        };
        if is_more || !is_said || count > words_max {
            return None;
        }
        turns += usize::from(leads == Leads::Turns);
        ups += usize::from(leads == Leads::Up);
    }
    (links <= LINKS_MAX && links > 0).then_some((turns, ups))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_link_is_known_to_turn_pages_in_each_language_and_one_to_something_else_is_not() {
        for words in [
            "Next",
            "<-previous",
            "next->",
            "Previous Chapter",
            "Next: Firing a kiln",
            "Précédent",
            "PrécédentChapitre 12. Fours",
            "Suivant12.3. Argile",
            "السابق14.2. الجدار الناري",
            "次へ",
            "前",
            "上一页",
            "Weiter »",
        ] {
            assert_eq!(leads(words), Leads::Turns, "{words}");
        }
        for words in ["Home", "Table of Contents", "Sommaire", "目录", "[ Up ]"] {
            assert_eq!(leads(words), Leads::Up, "{words}");
        }
        for words in [
            "Next steps",
            "Next.js",
            "Previous versions",
            "nextest",
            "Kiln",
            "",
        ] {
            assert_eq!(leads(words), Leads::Unsaid, "{words}");
        }
    }

    fn written(body: &str) -> String {
        let html = format!(
            "<html><head><meta name=generator content=Docutils></head><body>{body}</body></html>"
        );
        write(&read(&html, None).unwrap().blocks)
    }

    const WORDS: &str = "The kiln is heated until the clay is hard, which takes a day of dry wood and somebody who stays awake.";

    #[test]
    fn what_leads_to_the_pages_around_stands_neither_above_the_text_nor_below_it() {
        let list = "<hr><ul><li><a href=c>Table of Contents</a><li><a href=p>Previous Chapter</a><li><a href=n>Next Chapter</a></ul><hr>";
        let body = format!("{list}<h1>Kilns</h1><p>{WORDS}</p><h2>Ash</h2><p>{WORDS}</p>{list}");
        let expected = format!("# Kilns\n\n{WORDS}\n\n## Ash\n\n{WORDS}\n");
        assert_eq!(written(&body), expected);
        let row = "<a class=previous_page href=p>&lt;-previous</a><a class=toc_page href=c>Table of Contents</a><a class=next_page href=n>next-&gt;</a>";
        let foot =
            "<ul><li><a href=h>Home</a></li><li><a href=n>Suivant<b>12.3. Argile</b></a></li></ul>";
        let menu =
            "<div class='menu main'><ul><li><a href=h>Pots</a><li><a href=a>Shop</a></ul></div>";
        let body = format!(
            "{menu}<div id=content>{row}<h1>Kilns</h1><p>{WORDS}</p><h2>Ash</h2><p>{WORDS}</p>{row}</div>{foot}"
        );
        assert_eq!(written(&body), expected);
    }

    #[test]
    fn a_list_of_links_that_says_something_of_the_subject_is_text_wherever_it_stands() {
        for list in [
            "<ul><li><a href=a>Next steps</a></li><li><a href=b>Clay</a></li></ul>",
            "<ul><li><a href=a>Clay</a></li><li><a href=b>Glaze</a></li></ul>",
            "<ul><li><a href=a>Home</a> is where it burns</li><li><a href=b>Next</a></li></ul>",
        ] {
            for body in [
                format!("{list}<h1>Kilns</h1><p>{WORDS}</p>"),
                format!("<h1>Kilns</h1><p>{WORDS}</p>{list}"),
            ] {
                assert!(written(&body).contains("](b)"), "{}", written(&body));
            }
        }
        // Below a heading or an announcement, one link home is one of several that the text names.
        let list = "<ul><li><a href=a>Home</a></li><li><a href=b>Clay</a></li></ul>";
        let body = format!("<h1>Kilns</h1><p>{WORDS}</p><h2>Links</h2>{list}");
        assert!(written(&body).contains("[Home](a)"));
    }
}
