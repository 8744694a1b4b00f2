//! Reads code on web pages: to the letter, without line numbers and buttons, with its language.

use crate::{code_like, languages};
use dom_query::NodeRef;
use skillkiln_document::text::squash;

/// Elements around code that are looked at for what Sphinx calls it.
const AROUND_MAX: usize = 3;
/// Deepest nesting of marks inside code that is followed.
const DEPTH_MAX: usize = 100;
/// Classes of line numbers and buttons inside code, and of the lines that mdBook hides: they only make an example complete.
const NO_CODE: &[&str] = &[
    "lineno",
    "linenos",
    "line-numbers",
    "line-numbers-rows",
    "gutter",
    "linenodiv",
    "jxr_linenumber",
    "copy",
    "rouge-gutter",
    "lnt",
    "ln",
    "copybtn",
    "blob-num",
    "boring",
];
/// Class prefixes before a language.
const PREFIXES: &[&str] = &[
    "language-",
    "lang-",
    "highlight-source-",
    "highlight-",
    "brush:",
    "sourceCode-",
];
/// Words in that place which are no language.
const NO_LANGUAGE: &[&str] = &[
    "wrapper",
    "block",
    "source",
    "text-html",
    "container",
    "toolbar",
    "line",
    "lines",
    "area",
];

/// The code in `node`, without line breaks at its ends.
pub(crate) fn text(node: &NodeRef<'_>) -> String {
    let mut out = String::new();
    write_text(node, 0, &mut out);
    let text = out
        .replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace('\u{a0}', " ")
        // Where a page may break a long line is no part of that.
        .replace('\u{200b}', "");
    let text = match text.contains(" \n") || text.contains("\t\n") {
        // What stands behind the last sign of a line is not seen.
        true => text
            .lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n"),
        false => text,
    };
    let text = text.trim_end();
    // Only whole empty lines go: the indentation of the first line is code.
    let start = text
        .find(|c: char| !c.is_whitespace())
        .and_then(|first| text.get(..first))
        .and_then(|lead| lead.rfind('\n'))
        .map_or(0, |at| at + 1);
    undented(text.get(start..).unwrap_or(""))
}

/// Code without the tabs that all of its lines begin with: they set it in where it stands in the page's source.
fn undented(text: &str) -> String {
    let tabs = |line: &str| line.len() - line.trim_start_matches('\t').len();
    let filled = text.lines().filter(|line| !line.trim().is_empty());
    match filled.map(tabs).min() {
        None | Some(0) => text.to_owned(),
        Some(shared) => {
            let lines = text
                .split('\n')
                .map(|line| line.get(shared.min(tabs(line))..).unwrap_or(""));
            lines.collect::<Vec<_>>().join("\n")
        }
    }
}

/// The listings that stand side by side in `node`, of which a page shows one at a time: the same in several dialects. None where it
/// is one listing.
pub(crate) fn listings<'a>(node: &NodeRef<'a>) -> Vec<NodeRef<'a>> {
    let mut out: Vec<NodeRef<'a>> = Vec::new();
    let mut classes: Vec<String> = Vec::new();
    for child in node.children_it(false) {
        if child.has_name("code") {
            let class = child
                .class()
                .map(|class| class.to_string())
                .unwrap_or_default();
            if class.is_empty() || classes.contains(&class) {
                return Vec::new();
            }
            classes.push(class);
            out.push(child);
        } else if !child.has_name("input")
            && !child.has_name("button")
            && !child.text().trim().is_empty()
        {
            return Vec::new();
        }
    }
    if out.len() > 1 { out } else { Vec::new() }
}

/// The name of a file that stands over its `text` inside of `node`, set apart by its face and a line of its own, and what is below.
pub(crate) fn captioned<'t>(node: &NodeRef<'_>, text: &'t str) -> Option<(&'t str, &'t str)> {
    let mut children = node
        .children_it(false)
        .filter(|child| child.is_element() || !child.text().trim().is_empty());
    let first = children.next()?;
    let is_apart = first.has_name("strong") || first.has_name("b");
    if !is_apart || !children.next()?.has_name("br") {
        return None;
    }
    let (name, below) = text.split_once('\n')?;
    let (stem, extension) = name.rsplit_once('.')?;
    let is_file = !stem.is_empty()
        && stem
            .chars()
            .all(|c| c.is_alphanumeric() || "-_./".contains(c))
        && (1..=5).contains(&extension.len())
        && extension.chars().all(char::is_alphanumeric);
    let below = below.trim_start_matches('\n');
    (is_file && name == first.text().trim() && !below.trim().is_empty()).then_some((name, below))
}

fn write_text(node: &NodeRef<'_>, depth: usize, out: &mut String) {
    if depth > DEPTH_MAX {
        out.push_str(&node.text());
        return;
    }
    for child in node.children_it(false) {
        if child.is_text() {
            out.push_str(&child.text());
        } else if child.has_name("br") {
            out.push('\n');
        } else if child.is_element() {
            let classes = child.class().unwrap_or_default();
            let skipped = child.has_name("button")
                || (out.is_empty() || out.ends_with('\n')) && is_line_number(&child)
                || classes
                    .split_whitespace()
                    .any(|class| NO_CODE.contains(&class));
            if skipped {
                continue;
            }
            let is_line = child.has_name("div")
                || child.has_name("p")
                || child.has_name("li")
                || child.has_name("tr");
            if is_line && !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            write_text(&child, depth + 1, out);
        }
    }
}

/// Whether a link is the number of the line it stands at, and leads there.
fn is_line_number(node: &NodeRef<'_>) -> bool {
    let leads = |number: &str| {
        node.attr("href")
            .is_some_and(|href| href.strip_prefix('#') == Some(number))
    };
    node.has_name("a") && {
        let words = node.text();
        let number = words.trim();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && leads(number)
    }
}

/// The language that `node`, a `code` inside it or one of seven elements around it names.
pub(crate) fn language(node: &NodeRef<'_>) -> Option<String> {
    let inner = node
        .descendants_it()
        .take(3)
        .find(|inner| inner.has_name("code"));
    let around = std::iter::successors(Some(*node), |node| node.parent())
        .take(8)
        .take_while(|node| {
            !["body", "article", "main"]
                .iter()
                .any(|name| node.has_name(name))
        });
    inner
        .into_iter()
        .chain(around)
        .find_map(|node| named(&node))
}

/// The language of the `text` in `node`: what the page names, and what the highlighter of Sphinx read it as where it was told none,
/// which is Python. What somebody typed into its shell is not a file of it.
pub(crate) fn language_of(node: &NodeRef<'_>, text: &str) -> Option<String> {
    let told = language(node);
    match told.as_deref() {
        Some("python") if text.trim_start().starts_with(">>> ") => Some("pycon".to_owned()),
        None if is_read_as_python(node) && languages::is_statements(text) => {
            Some("python".to_owned())
        }
        _ => told,
    }
}

/// Whether Sphinx coloured code for which no language is named: it does so where its parts are Python's.
fn is_read_as_python(node: &NodeRef<'_>) -> bool {
    let mut around = node.ancestors_it(Some(AROUND_MAX));
    let is_coloured = |inner: &NodeRef<'_>| inner.has_name("span") && inner.has_attr("class");
    around.any(|around| around.has_class("highlight-default"))
        && node.descendants_it().any(|inner| is_coloured(&inner))
}

/// Whether a quote is no quote but one call or command that the words before it lead to: what is set in is shown as a quote.
pub(crate) fn is_quoted(node: &NodeRef<'_>) -> bool {
    let leads = |before: &NodeRef<'_>| before.has_name("p") && before.text().trim().ends_with(':');
    let mut paragraphs = 0;
    let is_frame = |inner: NodeRef<'_>| {
        paragraphs += usize::from(inner.has_name("p"));
        inner.has_name("p") || inner.has_name("div")
    };
    node.prev_element_sibling()
        .is_some_and(|before| leads(&before))
        && node
            .descendants_it()
            .filter(NodeRef::is_element)
            .all(is_frame)
        && paragraphs < 2
        && {
            let text = squash(&node.text());
            code_like::is_call(&text) || code_like::is_command(&text)
        }
}

fn named(node: &NodeRef<'_>) -> Option<String> {
    if let Some(language) = node
        .attr("data-lang")
        .or_else(|| node.attr("data-language"))
    {
        return known(&language);
    }
    let classes = node.class()?;
    let classes: Vec<&str> = classes.split_whitespace().collect();
    for class in &classes {
        for prefix in PREFIXES {
            if let Some(word) = class.strip_prefix(prefix)
                && !word.is_empty()
                && !NO_LANGUAGE.contains(&word)
            {
                return known(word);
            }
        }
    }
    if classes.contains(&"sourceCode") {
        return classes
            .iter()
            .find(|class| **class != "sourceCode")
            .and_then(|class| known(class));
    }
    if node.has_name("pre") && classes.contains(&"rust") {
        return Some("rust".to_owned());
    }
    if node.has_name("pre")
        && classes
            .iter()
            .any(|class| matches!(*class, "programlisting" | "screen"))
    {
        return classes
            .iter()
            .find(|class| !matches!(**class, "programlisting" | "screen" | "literallayout"))
            .and_then(|class| known(class));
    }
    None
}

/// A language's one name; words for "no language" are none.
fn known(word: &str) -> Option<String> {
    let word = word.to_ascii_lowercase();
    let word = word.split([',', ';', ' ']).next().unwrap_or("");
    // What a project calls its own dialect of a language: `fish-docs-samples`.
    let word = ["-docs-samples", "-samples", "-example"]
        .iter()
        .find_map(|tail| word.strip_suffix(tail))
        .unwrap_or(word);
    let name = match word {
        "" | "default" | "text" | "none" | "plaintext" | "plain" | "txt" | "notranslate"
        | "nohighlight" | "output" | "pytest" => return None,
        "python3" | "pycon" | "pycon3" | "ipython3" | "ipython" | "py" => "python",
        "rs" => "rust",
        "js" => "javascript",
        "ts" => "typescript",
        "yml" => "yaml",
        "sh" => "shell",
        other => other,
    };
    (name.len() <= 30).then(|| name.to_owned())
}

/// Whether a page sets a stretch as it stands in the source, by a class that says so: `<span class="pre-in-pp">`.
fn is_preformatted(node: &NodeRef<'_>) -> bool {
    node.has_name("span")
        && node.attr("class").is_some_and(|classes| {
            let mut classes = classes.split_whitespace();
            classes.any(|class| class == "pre" || class.starts_with("pre-"))
        })
}

/// The lines of code that is no block by its element, but parted into lines all the same: `<code>fire<br>cool</code>`.
pub(crate) fn broken(node: &NodeRef<'_>) -> Option<String> {
    if is_preformatted(node) {
        let text = text(node);
        return (text.lines().count() > 1).then_some(text);
    }
    fn write(node: &NodeRef<'_>, depth: usize, out: &mut String) {
        for child in node.children_it(false) {
            if child.has_name("br") {
                out.push('\n');
            } else if child.is_element() && depth < DEPTH_MAX {
                write(&child, depth + 1, out);
            } else if child.is_text() {
                let folded = |c: char| if c.is_whitespace() { ' ' } else { c };
                out.extend(child.text().chars().map(folded));
            }
        }
    }
    let is_code = ["code", "kbd", "samp", "tt"]
        .iter()
        .any(|name| node.has_name(name));
    if !is_code || !node.descendants_it().any(|inner| inner.has_name("br")) {
        return None;
    }
    let mut text = String::new();
    write(node, 0, &mut text);
    let lines: Vec<String> = text
        .lines()
        .map(squash)
        .filter(|line| !line.is_empty())
        .collect();
    (lines.len() > 1).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use crate::html;
    use skillkiln_document::blocks::BlockKind;

    #[test]
    fn what_is_blank_at_the_end_of_a_line_of_code_is_none_of_it() {
        let page =
            "<main><h1>Kilns</h1><p>It burns.</p><pre>  fire() \t\n\n  wait()  \n</pre></main>";
        let text =
            skillkiln_document::markdown::write(&html::read(page, None).expect("a page").blocks);
        assert!(text.contains("\n  fire()\n\n  wait()\n"), "{text}");
    }

    #[test]
    fn tabs_that_set_in_all_of_a_listing_are_none_of_it() {
        let page =
            "<main><h1>Kilns</h1><p>It burns.</p><pre>\n\tfire()\n\n\t\twait()\n</pre></main>";
        let text =
            skillkiln_document::markdown::write(&html::read(page, None).expect("a page").blocks);
        assert!(text.contains("\nfire()\n\n\twait()\n"), "{text}");
    }

    #[test]
    fn a_number_within_a_line_of_code_that_leads_somewhere_is_code() {
        let page =
            "<main><h1>Kilns</h1><p>It burns.</p><pre>x[<a href='#0'>0</a>] = 3</pre></main>";
        let text =
            skillkiln_document::markdown::write(&html::read(page, None).expect("a page").blocks);
        assert!(text.contains("x[0] = 3"), "{text}");
    }

    #[test]
    fn the_name_of_a_file_over_its_code_is_no_code() {
        let written = |first: &str| {
            let page = format!(
                "<main><p>It burns.</p><pre class=lang-lua>\n{first}<br>\n-- Fires.\nfire()\n</pre></main>"
            );
            skillkiln_document::markdown::write(&html::read(&page, None).expect("a page").blocks)
        };
        assert_eq!(
            written("<strong>kiln.lua</strong>"),
            "It burns.\n\n`kiln.lua`\n\n```lua\n-- Fires.\nfire()\n```\n"
        );
        assert!(written("<b>return</b>").contains("```lua\nreturn\n"));
    }

    #[test]
    fn code_that_is_broken_into_lines_is_a_listing() {
        let page = "<main><p>It burns. <code>kilnctl open<br />\nkilnctl <i>fire</i><br>\n</code></p><p>Type <code>kilnctl shut<br></code> then.</p></main>";
        assert_eq!(
            skillkiln_document::markdown::write(&html::read(page, None).expect("a page").blocks),
            "It burns.\n\n```\nkilnctl open\nkilnctl fire\n```\n\nType `kilnctl shut` then.\n"
        );
    }

    #[test]
    fn a_stretch_that_is_set_as_it_stands_is_a_listing() {
        let page = "<main><p>It burns so: <span class=pre-in-pp>\n  .FIRE\n  wood\n</span>and <span class=pre>cools</span>.</p></main>";
        assert_eq!(
            skillkiln_document::markdown::write(&html::read(page, None).expect("a page").blocks),
            "It burns so:\n\n```\n  .FIRE\n  wood\n```\n\nand cools.\n"
        );
    }

    #[test]
    fn a_link_that_is_the_number_of_its_line_is_no_code() {
        let page = "<main><p>It burns.</p><pre><a name=1 href='#1'>1</a>  <em class=comment>// fire</em>\n<a name=2 href='#2'>2</a>  heat(<a href='#9'>7</a>);\n</pre></main>";
        assert_eq!(
            skillkiln_document::markdown::write(&html::read(page, None).expect("a page").blocks),
            "It burns.\n\n```\n  // fire\n  heat(7);\n```\n"
        );
    }

    #[test]
    fn what_stands_in_a_list_without_being_an_item_is_said() {
        let page = "<main><p>It has options:</p><ul><code>-3d&nbsp;&nbsp;</code>fires wide<br><code>-4d</code> fires long<br></ul>\
            <ul>Above all:<li>wood</li> and ash</ul><dl>Parts:<dt>door</dt><dd>It opens.</dd><p>It shuts.</p></dl></main>";
        let written =
            skillkiln_document::markdown::write(&html::read(page, None).expect("a page").blocks);
        for said in [
            "- `-3d` fires wide",
            "- `-4d` fires long",
            "Above all:",
            "and ash",
            "Parts:",
            "It shuts.",
        ] {
            assert!(written.contains(said), "{said}: {written}");
        }
    }

    #[test]
    fn listings_side_by_side_are_one_each() {
        let page = "<main><p>It burns.</p><pre><input type=checkbox><code class='language-js mjs'>import kiln from 'kiln';</code><code class='language-js cjs'>const kiln = require('kiln');</code><button>copy</button></pre><pre><code class=line>a()</code><code class=line>b()</code></pre></main>";
        assert_eq!(
            skillkiln_document::markdown::write(&html::read(page, None).expect("a page").blocks),
            "It burns.\n\n```javascript\nimport kiln from 'kiln';\n```\n\n```javascript\nconst kiln = require('kiln');\n```\n\n```\na()b()\n```\n"
        );
    }

    #[test]
    fn a_folded_history_of_versions_is_not_shown() {
        let page = "<main><h2>fire</h2><details><summary>History</summary><table><tr><th>Version<th>Changes<tr><td>9<td>Hotter</table></details><p>Lights the kiln.</p><details><summary>Heat</summary><p>It is hot.</p></details></main>";
        let text =
            skillkiln_document::markdown::write(&html::read(page, None).expect("a page").blocks);
        assert!(
            !text.contains("Hotter") && !text.contains("History"),
            "{text}"
        );
        assert!(
            text.contains("Lights the kiln.") && text.contains("It is hot."),
            "{text}"
        );
    }

    #[test]
    fn code_is_in_a_language_that_there_is_and_without_the_lines_that_its_page_hides() {
        for (class, language) in [
            ("highlight-fish-docs-samples", Some("fish")),
            ("highlight-pytest", None),
            ("language-rust", Some("rust")),
        ] {
            let page = format!(
                "<main><p>It burns.</p><div class='{class}'><pre><span class=boring>extern crate ash;\n</span>fi\u{200b}re();\n</pre></div></main>"
            );
            let document = html::read(&page, None).expect("a page");
            let code = document.blocks.iter().find_map(|block| match &block.kind {
                BlockKind::Code { language, text } => Some((language.as_deref(), text.as_str())),
                _ => None,
            });
            assert_eq!(code, Some((language, "fire();")));
        }
    }

    fn written(body: &str) -> String {
        let page = format!(
            "<meta name=generator content=sphinx><div role=main><h1>Kilns</h1><p>It burns.</p>{body}</div>"
        );
        skillkiln_document::markdown::write(&html::read(&page, None).expect("a page").blocks)
    }

    #[test]
    fn code_that_sphinx_coloured_without_a_language_is_python_where_it_looks_so() {
        let shown = |class: &str, code: &str| {
            written(&format!(
                "<div class='highlight-{class} notranslate'><div class=highlight><pre>{code}</pre></div></div>"
            ))
        };
        let text = shown(
            "default",
            "<span class=n>kiln</span>.fire(\n    heat=900)\n",
        );
        assert!(text.contains("```python\nkiln.fire("), "{text}");
        let text = shown("default", "kiln.fire(heat=900)\n");
        assert!(text.contains("```\nkiln.fire("), "{text}");
        let text = shown("default", "<span class=n>make</span> kiln\n");
        assert!(text.contains("```\nmake kiln"), "{text}");
        let text = shown("pycon", "&gt;&gt;&gt; kiln.fire()\n");
        assert!(text.contains("```pycon\n>>> kiln"), "{text}");
    }

    #[test]
    fn a_quote_that_is_one_call_behind_a_colon_is_code() {
        let quoted = |lead: &str, words: &str| {
            written(&format!(
                "<p>{lead}</p><blockquote>\n<div><p>{words}</p></div></blockquote>"
            ))
        };
        let text = quoted("Light it with:", "kiln.fire(Heat.high, True)");
        assert!(
            text.contains("```\nkiln.fire(Heat.high, True)\n```"),
            "{text}"
        );
        let text = quoted("Install it:", "pip install kiln");
        assert!(text.contains("```\npip install kiln\n```"), "{text}");
        for (lead, words) in [
            ("She said:", "Fire the kiln (and wait)"),
            ("Light it.", "kiln.fire()"),
            ("Light it:", "kiln.fire() <em>slowly</em>"),
        ] {
            let text = quoted(lead, words);
            assert!(text.contains("\n> "), "{text}");
        }
    }
}
