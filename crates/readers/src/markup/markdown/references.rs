//! Reads the references of an Internet-Draft: `{{RFC9110}}` and `{{doors}}` as they render, the latter by the title of its section.

use crate::builder::each_words;
use crate::markup::rest::inline::said_by;
use crate::words::{WordList, words};
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Inline, anchor, plain, squash};
use std::collections::HashMap;

/// Reads the references of a draft with this front matter, whose body is `body`.
pub(super) fn read(front_matter: &str, body: &str, blocks: &mut [Block]) {
    let mut titles = HashMap::from([("SELF".to_owned(), "this document".to_owned())]);
    for line in body.lines().filter(|line| line.contains('#')) {
        // `{: #doors title="A door"}` behind a listing, `# Doors {#doors}`.
        let Some((head, attributes)) = line.rsplit_once('{') else {
            continue;
        };
        let id = attributes.split_once('#').map_or("", |(_, rest)| rest);
        let id = id.split([' ', '}']).next().unwrap_or_default();
        let title = match attributes.split_once("title=\"") {
            Some((_, rest)) => rest.split('"').next().unwrap_or_default(),
            None => head.trim_matches(['#', ' ']),
        };
        if !id.is_empty() && !title.is_empty() {
            titles.insert(id.to_owned(), quoted(title));
        }
    }
    for block in blocks.iter() {
        if let BlockKind::Heading { text, .. } = &block.kind {
            let title = squash(&plain(text));
            titles.entry(anchor(&title)).or_insert(quoted(&title));
        }
    }
    // `HTTP: RFC9110`: what the label stands for is told where it is used first.
    let labels = front_matter
        .lines()
        .filter_map(|line| line.trim().split_once(':'));
    let labels = labels.filter(|(_, of)| of.trim().starts_with("RFC"));
    let mut labels: HashMap<String, String> = labels
        .map(|(label, of)| (label.to_owned(), number(of.trim())))
        .collect();
    each_words(blocks, &mut |words| read_each(words, &titles, &mut labels));
}

fn quoted(title: &str) -> String {
    format!("\"{}\"", title.replace('"', ""))
}

fn read_each(
    words: &mut [Inline],
    titles: &HashMap<String, String>,
    labels: &mut HashMap<String, String>,
) {
    for (at, word) in words.iter_mut().enumerate() {
        match word {
            Inline::Text(text) if text.contains("{{") => {
                let mut out = String::with_capacity(text.len());
                let mut rest = text.as_str();
                while let Some((before, after)) = rest.split_once("{{") {
                    let Some((reference, after)) = after.split_once("}}") else {
                        break;
                    };
                    out.push_str(before);
                    if out.ends_with(char::is_alphanumeric) {
                        out.push(' ');
                    }
                    let said = said(reference, titles, labels);
                    let is_source = said.starts_with("RFC ") || said.starts_with("draft-");
                    match is_source && is_apart(&out, at > 0) {
                        true => out.push_str(&format!("({said})")),
                        false => out.push_str(&said),
                    }
                    rest = match after.starts_with("{:") {
                        true => after.split_once('}').map_or("", |(_, rest)| rest),
                        false => after,
                    };
                }
                out.push_str(rest);
                *text = out;
            }
            Inline::Emphasis(inner) | Inline::Strong(inner) => read_each(inner, titles, labels),
            Inline::Link(link) => read_each(&mut link.text, titles, labels),
            _ => {}
        }
    }
}

/// Whether a source stands for itself behind these words: no sentence begins with it, and none goes on with it.
fn is_apart(words: &str, goes_on: bool) -> bool {
    static LEADING: WordList = words!(
        "in of by see to with from per as and or the for than like on via using through following under both obsoletes updates a an"
    );
    let words = words.trim_end();
    let last = words
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let ends_word = words.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '"' | '\''));
    match words.is_empty() {
        true => goes_on,
        false => ends_word && !LEADING.contains(&last.to_lowercase().as_str()),
    }
}

/// What one reference says: `Section 7.4 of ?RFC9110`, `!CONNECT-UDP=RFC9298`, `doors`.
fn said(
    reference: &str,
    titles: &HashMap<String, String>,
    labels: &mut HashMap<String, String>,
) -> String {
    let words = reference.split_whitespace().map(|word| {
        let word = word.trim_start_matches(['!', '?', '&', '-', '<']);
        let (word, comma) = word
            .strip_suffix(',')
            .map_or((word, ""), |word| (word, ","));
        if let Some(title) = titles.get(word) {
            return format!("{title}{comma}");
        }
        if let Some((label, of)) = word.split_once('=') {
            return format!("{label} ({}){comma}", number(of));
        }
        match labels.remove(word) {
            Some(of) => format!("{word} ({of}){comma}"),
            None => number(word) + comma,
        }
    });
    squash(&words.collect::<Vec<_>>().join(" "))
}

/// `RFC9110` as it is written in words; the name of a draft; else what the label says.
fn number(name: &str) -> String {
    let series = ["RFC", "BCP", "STD"]
        .iter()
        .find_map(|it| Some((it, name.strip_prefix(it)?)));
    match (series, name.strip_prefix("I-D.")) {
        (Some((series, digits)), _) if digits.starts_with(|c: char| c.is_ascii_digit()) => {
            format!("{series} {digits}")
        }
        (_, Some(draft)) => format!("draft-{draft}"),
        _ if name.starts_with(|c: char| c.is_ascii_lowercase()) && name.contains('-') => {
            said_by(name)
        }
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::markup::markdown::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn the_references_of_an_internet_draft_name_what_they_lead_to() {
        let text = "---\ntitle: Kilns\nnormative:\n  HTTP: RFC9110\n\n--- abstract\n\nIt fires {{HTTP}} (see {{Section 7.4 of HTTP}}, {{!RFC8941, Section 3.1}}{{?I-D.ietf-kiln}}).\n\n\
            --- middle\n\n# How doors open {#doors}\n\nAs {{!OVEN=RFC9298}} and {{wood-fires}} say of clay {{?RFC1}}, in {{fig-door}}{:format=\"title\"} and {{fig-ash}}; {{&SELF}}. Not `{{doors}}`, see {{doors}}.\n\n\
            ~~~\na door\n~~~\n{: #fig-door title=\"A door\"}\n\n## Wood Fires\n\nHot, see [](https://kiln.example/wood){: brackets=\"angle\"}.\n";
        assert_eq!(
            write(&read(text.to_owned()).blocks),
            "# Abstract\n\nIt fires HTTP (RFC 9110) (see Section 7.4 of HTTP, RFC 8941, Section 3.1 (draft-ietf-kiln)).\n\n# How doors open\n\n\
             As OVEN (RFC 9298) and \"Wood Fires\" say of clay (RFC 1), in \"A door\" and ash; this document. Not `{{doors}}`, see \"How doors open\".\n\n\
             ```\na door\n```\n\n## Wood Fires\n\nHot, see <https://kiln.example/wood>.\n"
        );
    }
}
