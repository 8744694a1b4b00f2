//! Reads e-mail: its headers as what the document says of itself, its words from the plain part or the HTML part, and
//! the names of what is attached.

use crate::builder::Builder;
use crate::words::{WordList, words};
use crate::{html, text};
use mail_parser::{Address, MessageParser, MimeHeaders};
use skillkiln_document::blocks::{Block, BlockKind, Document};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::text::{Inline, squash};

/// Parts that are attached and named.
const ATTACHMENTS_MAX: usize = 100;

/// Headers that messages have.
static HEADERS: WordList = words!(
    "from: to: subject: date: message-id: mime-version: received: return-path: content-type:"
);

/// Whether `head` begins with the headers of a message.
pub(crate) fn is_mail(head: &str) -> bool {
    let mut known = 0;
    for line in head.lines().take(60) {
        if line.is_empty() {
            break;
        }
        let lower = line.to_ascii_lowercase();
        known += usize::from(HEADERS.iter().any(|name| lower.starts_with(name)));
    }
    known >= 3
}

/// Reads a message.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, Failure> {
    let refuse = || {
        Failure::new(
            Reason::Unreadable,
            "this file is called an e-mail but holds none; save it again from the mail program",
        )
    };
    let message = MessageParser::default().parse(bytes).ok_or_else(refuse)?;
    let mut builder = Builder::default();
    let mut blocks: Vec<Block> = Vec::new();
    let title = message
        .subject()
        .map(squash)
        .filter(|subject| !subject.is_empty());
    if let Some(title) = &title {
        blocks.push(builder.leaf(BlockKind::Heading {
            level: 1,
            text: vec![Inline::Text(title.clone())],
        }));
    }
    let from = message
        .from()
        .map(people)
        .filter(|people| !people.is_empty());
    let to = message.to().map(people).filter(|people| !people.is_empty());
    let date = message.date().map(mail_parser::DateTime::to_rfc3339);
    for (name, value) in [("From", &from), ("To", &to), ("Date", &date)] {
        if let Some(value) = value {
            blocks.push(builder.leaf(BlockKind::Paragraph(vec![
                Inline::Strong(vec![Inline::Text(format!("{name}:"))]),
                Inline::Text(format!(" {value}")),
            ])));
        }
    }
    // A message in both forms says the same twice: the plain one is shorter, the HTML one keeps tables and links.
    let has_html = message
        .html_body
        .first()
        .and_then(|part| message.part(*part))
        .is_some_and(mail_parser::MessagePart::is_text_html);
    let page = has_html.then(|| message.body_html(0)).flatten();
    let body = match page {
        Some(page) => html::read(&page, None).ok(),
        None => None,
    };
    let body = body.or_else(|| {
        message
            .body_text(0)
            .map(|words| text::read(words.replace("\r\n", "\n")))
    });
    if let Some(body) = body {
        blocks.extend(builder.append(body));
    }
    let names: Vec<String> = message
        .attachments()
        .take(ATTACHMENTS_MAX)
        .map(|part| {
            part.attachment_name()
                .map_or_else(|| "a part without a name".to_owned(), squash)
        })
        .collect();
    if !names.is_empty() {
        let told = format!("Attached, not read: {}.", names.join(", "));
        blocks.push(builder.leaf(BlockKind::Paragraph(vec![Inline::Text(told)])));
    }
    let mut document = builder.finish(title, Default::default(), blocks);
    document.about.author = from;
    document.about.date = date;
    Ok(document)
}

/// Names with their addresses.
fn people(address: &Address<'_>) -> String {
    let people: Vec<String> = address
        .iter()
        .take(50)
        .filter_map(|one| match (one.name(), one.address()) {
            (Some(name), Some(address)) => Some(format!("{} <{address}>", squash(name))),
            (Some(name), None) => Some(squash(name)),
            (None, address) => address.map(str::to_owned),
        })
        .collect();
    people.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_message_is_read_in_its_character_set_and_names_what_is_attached() {
        let message = "From: =?utf-8?q?J=C3=BCrgen?= <j@x.org>\r\nTo: a@b.c\r\nSubject: Kiln\r\nDate: Fri, 1 May 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nDie Gr=F6=DFe ist gut,\r\nsagt er.\r\n--b\r\nContent-Type: application/pdf; name=plan.pdf\r\nContent-Disposition: attachment; filename=plan.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--b--\r\n";
        assert!(is_mail(message));
        let document = read(message.as_bytes()).unwrap();
        assert_eq!(document.title.as_deref(), Some("Kiln"));
        assert_eq!(document.about.author.as_deref(), Some("Jürgen <j@x.org>"));
        let markdown = write(&document.blocks);
        assert!(
            markdown.contains("Die Größe ist gut, sagt er.")
                && markdown.contains("Attached, not read: plan.pdf."),
            "{markdown}"
        );
    }
}
