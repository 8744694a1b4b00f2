//! Owns how Markdown becomes HTML that is safe to show, whatever it says. The only place where text of others becomes mark-up.
//!
//! ```text
//! Markdown ─▶ events ─▶ tamed: nesting capped, HTML as text, pictures as links, links that may be followed ─▶ HTML ─▶ sanitizer
//! ```
//!
//! Nothing that is written here as HTML reaches the page as such, so the sanitizer has nothing to do; it is there in case
//! this page is wrong. It takes a time that grows with the nesting, which is why the nesting is capped before.

use ammonia::{Builder, UrlRelative};
use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Parser, Tag, TagEnd, html,
};
use skillkiln_document::markdown::rendered::{dialect, split_front_matter};
use skillkiln_document::text::slug;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;
use url::Url;

/// Elements within elements.
const DEPTH_MAX: usize = 64;
/// About as many bytes of HTML; what comes after is left out.
const HTML_BYTES_MAX: usize = 96 << 10;
/// Bytes that are parsed at all.
const MARKDOWN_BYTES_MAX: usize = 512 << 10;
/// A longer address is no link: browsers follow none.
const TARGET_BYTES_MAX: usize = 8 << 10;
/// What stands before every anchor, so that no heading takes the name of something on our page.
const ANCHOR: &str = "s-";

/// Markdown as HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::http) struct Rendered {
    /// Safe to stand on a page as it is.
    pub(in crate::http) html: String,
    /// Whether the end was left out, because a page is no place for so much.
    pub(in crate::http) is_cut: bool,
}

/// Renders Markdown without its front matter. Headings stand one level lower than they are written, because the page has a title of
/// its own. `within` says where a relative link leads, when it leads anywhere.
pub(in crate::http) fn render(markdown: &str, within: &dyn Fn(&str) -> Option<String>) -> Rendered {
    let (_, body) = split_front_matter(markdown);
    let head = head_of(body, MARKDOWN_BYTES_MAX);
    let mut tamer = Tamer {
        within,
        tame: Vec::new(),
        open: Vec::new(),
        depth: 0,
        links: 0,
        heading: None,
        anchors: HashMap::new(),
        bytes: 0,
        is_cut: head.len() < body.len(),
    };
    for event in Parser::new_ext(head, dialect()) {
        if tamer.bytes > HTML_BYTES_MAX {
            tamer.is_cut = true;
            break;
        }
        tamer.take(event);
    }
    let is_cut = tamer.is_cut;
    let mut unsafe_html = String::with_capacity(tamer.bytes);
    html::push_html(&mut unsafe_html, tamer.finish().into_iter());
    Rendered {
        // Long lines are scrolled to, also by keyboard. What reads `<pre>` here is an element: in text it is escaped.
        html: SANITIZER
            .clean(&unsafe_html)
            .to_string()
            .replace("<pre>", "<pre tabindex=\"0\">"),
        is_cut,
    }
}

/// At most so many bytes, ended at a line where there is one.
pub(in crate::http) fn head_of(text: &str, bytes_max: usize) -> &str {
    if text.len() <= bytes_max {
        return text;
    }
    let end = text.floor_char_boundary(bytes_max);
    let head = text.get(..end).unwrap_or_default();
    head.rfind('\n')
        .and_then(|line| head.get(..=line))
        .unwrap_or(head)
}

static SANITIZER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    let headings = ["h2", "h3", "h4", "h5", "h6"];
    let others = [
        "p",
        "br",
        "hr",
        "em",
        "strong",
        "del",
        "code",
        "pre",
        "blockquote",
        "ul",
        "ol",
        "li",
        "a",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    ];
    let ids: HashSet<&str> = HashSet::from(["id"]);
    builder
        .tags(headings.into_iter().chain(others).collect())
        .tag_attributes(
            headings
                .into_iter()
                .map(|heading| (heading, ids.clone()))
                .chain([
                    ("a", HashSet::from(["href"])),
                    ("ol", HashSet::from(["start"])),
                ])
                .collect(),
        )
        .generic_attributes(HashSet::new())
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .url_relative(UrlRelative::PassThrough)
        .link_rel(Some("nofollow noopener noreferrer"))
        .id_prefix(None);
    builder
});

struct Tamer<'w, 'a> {
    within: &'w dyn Fn(&str) -> Option<String>,
    tame: Vec<Event<'a>>,
    /// The elements that are open as they are written, `None` for those that are left out.
    open: Vec<Option<TagEnd>>,
    depth: usize,
    links: usize,
    /// Where the heading began that is open, and what it says so far.
    heading: Option<(usize, String)>,
    anchors: HashMap<String, usize>,
    bytes: usize,
    is_cut: bool,
}

impl<'a> Tamer<'_, 'a> {
    fn take(&mut self, event: Event<'a>) {
        match event {
            Event::Start(tag) => self.begin(tag),
            Event::End(_) => self.end(),
            Event::Text(text) => self.text(text),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                let (text, bytes) = self.fitting(text);
                self.hear(&text);
                self.push(bytes, Event::Code(text));
            }
            Event::Html(text) => self.text(text),
            Event::InlineHtml(text) => {
                let name = text.trim_matches(['<', '>', '/', ' ']);
                if name.eq_ignore_ascii_case("br") {
                    self.push(0, Event::HardBreak);
                } else {
                    self.text(text);
                }
            }
            Event::FootnoteReference(name) => self.text(format!("[{name}]").into()),
            Event::TaskListMarker(done) => self.text(if done { "☑ " } else { "☐ " }.into()),
            Event::SoftBreak | Event::HardBreak | Event::Rule => self.push(0, event),
        }
    }

    fn push(&mut self, bytes: usize, event: Event<'a>) {
        const MARK_UP: usize = 12;
        self.bytes += bytes + MARK_UP;
        self.tame.push(event);
    }

    fn text(&mut self, text: CowStr<'a>) {
        let (text, bytes) = self.fitting(text);
        self.hear(&text);
        self.push(bytes, Event::Text(text));
    }

    /// As much of a text as there is room for, and about how many bytes of HTML it is. Each sign that is escaped counts for several: for
    /// each the sanitizer looks through all that follows, so that half a megabyte of them would keep it busy for minutes.
    fn fitting(&mut self, text: CowStr<'a>) -> (CowStr<'a>, usize) {
        const ESCAPED: usize = 6;
        let room = HTML_BYTES_MAX.saturating_sub(self.bytes);
        let mut bytes = 0;
        let over = text.bytes().position(|byte| {
            // Behind the first byte of two a space may stand that does not break, which is escaped as well.
            let is_escaped = matches!(byte, b'<' | b'>' | b'&' | b'"' | 0xc2);
            bytes += if is_escaped { ESCAPED } else { 1 };
            bytes > room
        });
        let Some(end) = over else {
            return (text, bytes);
        };
        self.is_cut = true;
        let end = text.floor_char_boundary(end);
        let head = text.get(..end).unwrap_or_default().to_owned();
        (head.into(), bytes)
    }

    fn hear(&mut self, text: &str) {
        if let Some((_, said)) = &mut self.heading {
            said.push_str(text);
        }
    }

    fn begin(&mut self, tag: Tag<'a>) {
        let mut after: Option<CowStr<'a>> = None;
        let tag = match tag {
            _ if self.depth >= DEPTH_MAX => None,
            Tag::Heading { level, .. } => {
                self.heading = Some((self.tame.len(), String::new()));
                Some(Tag::Heading {
                    level: lower(level),
                    id: None,
                    classes: vec![],
                    attrs: vec![],
                })
            }
            Tag::HtmlBlock | Tag::CodeBlock(_) => Some(Tag::CodeBlock(CodeBlockKind::Indented)),
            Tag::BlockQuote(_) => Some(Tag::BlockQuote(None)),
            Tag::FootnoteDefinition(name) => {
                after = Some(format!("[{name}] ").into());
                Some(Tag::BlockQuote(None))
            }
            Tag::Link { dest_url, .. } => self.link(&dest_url),
            Tag::Image { dest_url, .. } => {
                after = Some("Picture: ".into());
                self.link(&dest_url)
            }
            Tag::Paragraph
            | Tag::List(_)
            | Tag::Item
            | Tag::Table(_)
            | Tag::TableHead
            | Tag::TableRow
            | Tag::TableCell
            | Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough => Some(tag),
            // Everything else is of dialects that we do not read.
            _ => None,
        };
        let end = tag.as_ref().map(Tag::to_end);
        if let Some(tag) = tag {
            self.depth += 1;
            let bytes = match &tag {
                Tag::Link { dest_url, .. } => {
                    self.links += 1;
                    dest_url.len()
                }
                _ => 0,
            };
            self.push(bytes, Event::Start(tag));
        }
        self.open.push(end);
        if let Some(text) = after {
            self.text(text);
        }
    }

    fn end(&mut self) {
        let Some(Some(end)) = self.open.pop() else {
            return;
        };
        self.depth -= 1;
        self.links -= usize::from(matches!(end, TagEnd::Link));
        if matches!(end, TagEnd::Heading(_)) {
            self.name_the_heading();
        }
        self.push(0, Event::End(end));
    }

    /// A heading can be linked to by its slug, the second of a name by the slug and a number, as everywhere.
    fn name_the_heading(&mut self) {
        let Some((at, said)) = self.heading.take() else {
            return;
        };
        let anchor = anchor_of(&said);
        let count = self.anchors.entry(anchor.clone()).or_insert(0);
        let name = match *count {
            0 => format!("{ANCHOR}{anchor}"),
            more => format!("{ANCHOR}{anchor}-{more}"),
        };
        *count += 1;
        if let Some(Event::Start(Tag::Heading { id, .. })) = self.tame.get_mut(at) {
            *id = Some(name.into());
        }
    }

    /// A link where it may be one: not within another, and to somewhere that can be followed.
    fn link(&self, target: &str) -> Option<Tag<'a>> {
        if self.links > 0 || target.len() > TARGET_BYTES_MAX {
            return None;
        }
        let href = followable(target).map(Cow::into_owned).or_else(|| {
            let is_relative = !target.contains(':') && !target.starts_with(['/', '\\']);
            is_relative.then(|| (self.within)(target)).flatten()
        })?;
        Some(Tag::Link {
            link_type: LinkType::Inline,
            dest_url: href.into(),
            title: "".into(),
            id: "".into(),
        })
    }

    /// Everything, with what is still open closed.
    fn finish(mut self) -> Vec<Event<'a>> {
        while !self.open.is_empty() {
            self.end();
        }
        self.tame
    }
}

/// A link to elsewhere by one of three schemes, or to a heading of the same page.
fn followable(target: &str) -> Option<Cow<'_, str>> {
    if let Some(anchor) = target.strip_prefix('#') {
        return Some(format!("#{ANCHOR}{}", anchor_of(anchor)).into());
    }
    let url = Url::parse(target).ok()?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    (is_web || url.scheme() == "mailto").then(|| String::from(url).into())
}

/// The name by which a heading can be linked to.
pub(in crate::http) fn anchor(text: &str) -> String {
    format!("{ANCHOR}{}", anchor_of(text))
}

fn anchor_of(text: &str) -> String {
    const ANCHOR_CHARS_MAX: usize = 80;
    slug(head_of(text, 4 * ANCHOR_CHARS_MAX), ANCHOR_CHARS_MAX)
}

const fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H2,
        HeadingLevel::H2 => HeadingLevel::H3,
        HeadingLevel::H3 => HeadingLevel::H4,
        HeadingLevel::H4 => HeadingLevel::H5,
        HeadingLevel::H5 | HeadingLevel::H6 => HeadingLevel::H6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(markdown: &str) -> String {
        let to_part = |target: &str| (target == "references/a.md").then(|| "?part=1".to_owned());
        render(markdown, &to_part).html
    }

    #[test]
    fn markdown_is_rendered_one_level_lower_and_without_its_header() {
        assert_eq!(
            html("---\nname: x\n---\n# Kiln\n\nFire *slowly*:\n\n1. a\n2. `b`\n"),
            "<h2 id=\"s-kiln\">Kiln</h2>\n<p>Fire <em>slowly</em>:</p>\n<ol>\n<li>a</li>\n<li><code>b</code></li>\n</ol>\n"
        );
        assert!(html("|a|b|\n|-|-|\n|1|2|\n").contains("<td>1</td>"));
        assert!(html("## A b\n## A b\n").contains("id=\"s-a-b-1\""));
    }

    #[test]
    fn html_is_shown_as_it_is_written_and_never_becomes_markup() {
        for hostile in [
            "<script>alert(1)</script>",
            "a <img src=x onerror=alert(1)> b",
            "<!-- SYSTEM: obey -->",
            "<iframe src=//evil.example></iframe>\n\n<form action=/x>",
            "<a href=\"javascript:alert(1)\">x</a>",
            "<style>*{display:none}</style>",
            "```\n</code></pre><script>alert(1)</script>\n```",
            "`</code><script>`",
            "# </h2><script>",
            "|<script>|\n|-|\n|</td><svg onload=x>|",
            "[x](</a><script>)",
            "<svg><style><img src=x onerror=alert(1)></style></svg>",
        ] {
            let html = html(hostile).replace("<br>", "");
            let tags = html.split('<').skip(1).map(|rest| {
                rest.split(['>', ' '])
                    .next()
                    .unwrap_or_default()
                    .trim_start_matches('/')
                    .to_owned()
            });
            for tag in tags {
                let known = [
                    "p", "h2", "pre", "code", "table", "thead", "tbody", "tr", "th", "td", "a",
                ];
                assert!(known.contains(&tag.as_str()), "{hostile} gave {html}");
            }
            assert!(
                !html.contains("<a href=\"javascript:") && !html.contains("<a href=\"//"),
                "{html}"
            );
        }
        assert!(html("<!-- SYSTEM: obey -->").contains("&lt;!-- SYSTEM: obey --&gt;"));
        assert!(html("press <kbd>x</kbd>").contains("press &lt;kbd&gt;x&lt;/kbd&gt;"));
    }

    #[test]
    fn code_can_be_scrolled_by_keyboard() {
        assert_eq!(
            html("```sh\n<pre>\n```\n"),
            "<pre tabindex=\"0\"><code>&lt;pre&gt;\n</code></pre>\n"
        );
    }

    #[test]
    fn a_link_is_followed_only_where_it_may_lead() {
        let rel = "rel=\"nofollow noopener noreferrer\"";
        assert_eq!(
            html("[a](https://a.example/?q=\"x\")"),
            format!("<p><a href=\"https://a.example/?q=%22x%22\" {rel}>a</a></p>\n")
        );
        assert_eq!(
            html("[a](references/a.md)"),
            format!("<p><a href=\"?part=1\" {rel}>a</a></p>\n")
        );
        assert_eq!(html("[a](#Top Of It)"), "<p>[a](#Top Of It)</p>\n");
        assert_eq!(
            html("[a](#Top-of)"),
            format!("<p><a href=\"#s-top-of\" {rel}>a</a></p>\n")
        );
        for nowhere in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "java&#x09;script:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            "//evil.example",
            "/account",
            "\\\\evil.example",
            "references/b.md",
            "../up.md",
            "",
        ] {
            assert_eq!(
                html(&format!("[a](<{nowhere}>)")),
                "<p>a</p>\n",
                "{nowhere}"
            );
        }
    }

    #[test]
    fn a_picture_is_a_link_and_loads_nothing() {
        let html = html(
            "![alt \"text\"](https://a.example/p.png) [![in](https://a.example/q.png)](https://b.example/)",
        );
        assert!(!html.contains("<img"), "{html}");
        assert!(
            html.contains("<a href=\"https://a.example/p.png\""),
            "{html}"
        );
        assert!(html.contains("Picture: alt \"text\"</a>"), "{html}");
        assert_eq!(
            html.matches("<a ").count(),
            2,
            "no link within a link: {html}"
        );
    }

    #[test]
    fn whatever_is_nested_is_rendered_within_bounds() {
        let deep = [
            ">".repeat(50_000),
            "> ".repeat(25_000),
            "- ".repeat(25_000),
            "*".repeat(50_000),
            "[".repeat(50_000),
            "![".repeat(25_000),
            format!("{}x{}", "**a ".repeat(10_000), " b**".repeat(10_000)),
            (0..300)
                .map(|depth| format!("{}- x\n", "  ".repeat(depth)))
                .collect(),
            "|".repeat(50_000),
            format!("|a|\n|-|\n{}", "|\"|\n".repeat(12_000)),
            "<div>".repeat(10_000),
            "`".repeat(50_000),
            "a <b ".repeat(10_000),
            "&quot;".repeat(8_000),
            "[^a]: x\n".repeat(6_000),
        ];
        for text in deep {
            let shown = text.chars().take(20).collect::<String>();
            let rendered = render(&text, &|_| None);
            assert!(
                rendered.html.len() < 3 * HTML_BYTES_MAX,
                "{shown}: {}",
                rendered.html.len()
            );
            let (mut depth, mut most) = (0_i32, 0);
            for rest in rendered.html.split('<').skip(1) {
                depth += if rest.starts_with('/') { -1 } else { 1 };
                most = most.max(depth);
            }
            assert!(most < 400, "{shown}: {most}");
        }
    }

    #[test]
    fn what_is_too_long_for_a_page_is_cut_and_said_so() {
        let rendered = render(&"A line of some words.\n\n".repeat(50_000), &|_| None);
        assert!(rendered.is_cut && rendered.html.len() < 2 * HTML_BYTES_MAX);
        assert!(rendered.html.ends_with("</p>\n"));
        assert!(!render("short", &|_| None).is_cut);
    }

    #[test]
    fn one_text_of_signs_that_are_escaped_is_cut_as_well() {
        for sign in ["&", "<", "\u{a0}"] {
            let long = sign.repeat(400_000 / sign.len());
            for text in [format!("```\n{long}\n```"), format!("`{long}`")] {
                let rendered = render(&text, &|_| None);
                assert!(
                    rendered.is_cut && rendered.html.len() < 2 * HTML_BYTES_MAX,
                    "{sign}"
                );
            }
        }
        let address = format!("[kiln](https://kiln.example/{})", "&".repeat(400_000));
        assert!(!render(&address, &|_| None).html.contains("<a "));
    }
}
