//! Turns the trees in which editors keep rich text (Contentful, ProseMirror, Slate, Lexical, Portable Text, Nuxt Content) into
//! the mark-up they stand for.

use serde_json::Value;

/// Nesting that is followed.
const DEPTH_MAX: usize = 48;
/// Mark-up that is written at most.
const BYTES_MAX: usize = 4 << 20;

/// The mark-up of `value`, when it is such a tree.
pub(crate) fn html(value: &Value) -> Option<String> {
    let nodes = match value {
        Value::Object(_) => {
            let kind = kind(value)?;
            let is_root = matches!(kind, "document" | "doc" | "root");
            children(value).filter(|nodes| is_root && nodes.iter().any(kind_of_block))?
        }
        Value::Array(nodes) => {
            let blocks = nodes.iter().filter(|node| is_portable(node)).count();
            (blocks > 0 && blocks * 2 >= nodes.len()).then_some(nodes)?
        }
        _ => return None,
    };
    let mut out = String::new();
    nodes.iter().for_each(|node| write(node, 0, &mut out));
    Some(out).filter(|html| !html.trim().is_empty())
}

/// Text as it stands between tags.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn kind(node: &Value) -> Option<&str> {
    ["nodeType", "_type", "tag", "tagName", "type"]
        .iter()
        .filter_map(|name| node.get(*name)?.as_str())
        .find(|kind| *kind != "element")
}

fn children(node: &Value) -> Option<&Vec<Value>> {
    ["content", "children"]
        .iter()
        .find_map(|name| node.get(*name)?.as_array())
}

fn is_portable(node: &Value) -> bool {
    node.get("_type").and_then(Value::as_str) == Some("block")
        && node.get("children").is_some_and(Value::is_array)
}

fn kind_of_block(node: &Value) -> bool {
    kind(node).is_some_and(|kind| element(kind, node).is_some())
}

/// The element that a kind of node stands for.
fn element(kind: &str, node: &Value) -> Option<&'static str> {
    let level = || {
        let attribute = |name: &str| node.get(name).or_else(|| node.get("attrs")?.get(name));
        match attribute("level")
            .or_else(|| attribute("depth"))?
            .as_u64()?
        {
            1 => Some("h1"),
            2 => Some("h2"),
            3 => Some("h3"),
            4 => Some("h4"),
            5 => Some("h5"),
            _ => Some("h6"),
        }
    };
    Some(match kind {
        "block" => match node.get("style").and_then(Value::as_str).unwrap_or("") {
            "h1" => "h1",
            "h2" => "h2",
            "h3" => "h3",
            "h4" => "h4",
            "blockquote" => "blockquote",
            _ if node.get("listItem").is_some() => "li",
            _ => "p",
        },
        "heading" => level()
            .or_else(|| named(node.get("tag")?.as_str()?))
            .unwrap_or("h2"),
        "heading-1" => "h1",
        "heading-2" => "h2",
        "heading-3" => "h3",
        "heading-4" => "h4",
        "heading-5" => "h5",
        "heading-6" => "h6",
        "paragraph" => "p",
        "bulletList" | "bullet_list" | "unordered-list" | "bulleted-list" => "ul",
        "orderedList" | "ordered_list" | "ordered-list" | "numbered-list" => "ol",
        "listItem" | "list_item" | "list-item" | "listitem" => "li",
        "codeBlock" | "code_block" | "code-block" => "pre",
        "quote" => "blockquote",
        "tableRow" | "table_row" | "table-row" => "tr",
        "tableCell" | "table_cell" | "table-cell" => "td",
        "tableHeader" | "table_header" | "table-header-cell" => "th",
        "hyperlink" | "link" => "a",
        "list" => match node.get("listType").and_then(Value::as_str) {
            Some("number") => "ol",
            _ => "ul",
        },
        other => named(other)?,
    })
}

fn named(name: &str) -> Option<&'static str> {
    [
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "li",
        "pre",
        "code",
        "strong",
        "em",
        "a",
        "blockquote",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "dl",
        "dt",
        "dd",
        "section",
    ]
    .into_iter()
    .find(|known| *known == name)
}

fn write(node: &Value, depth: usize, out: &mut String) {
    if depth > DEPTH_MAX || out.len() > BYTES_MAX {
        return;
    }
    let text = match node {
        Value::String(text) => Some(text.as_str()),
        _ => ["text", "value"]
            .iter()
            .find_map(|name| node.get(*name)?.as_str()),
    };
    if let (Some(text), None) = (text, children(node)) {
        let marks: Vec<&str> = node
            .get("marks")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|mark| mark.as_str().or_else(|| mark.get("type")?.as_str()))
            .collect();
        let has = |names: &[&str]| {
            marks.iter().any(|mark| names.contains(mark))
                || names
                    .iter()
                    .any(|name| node.get(*name) == Some(&Value::Bool(true)))
        };
        let mut wrapped = escaped(text);
        for (names, tag) in [
            (&["code", "inlineCode"][..], "code"),
            (&["italic", "em", "emphasis"], "em"),
            (&["bold", "strong"], "strong"),
        ] {
            if has(names) {
                wrapped = format!("<{tag}>{wrapped}</{tag}>");
            }
        }
        if matches!(kind(node), Some("code" | "codeBlock")) && text.contains('\n') {
            wrapped = format!("<pre>{}</pre>", escaped(text));
        }
        out.push_str(&wrapped);
        return;
    }
    let tag = kind(node).and_then(|kind| element(kind, node));
    if let Some(tag) = tag {
        out.push('<');
        out.push_str(tag);
        let attribute = |names: &[&str]| {
            ["attrs", "props", "data", ""].iter().find_map(|place| {
                let place = if place.is_empty() {
                    Some(node)
                } else {
                    node.get(*place)
                }?;
                names.iter().find_map(|name| place.get(*name)?.as_str())
            })
        };
        let shown = match tag {
            "a" => attribute(&["href", "uri", "url"]).map(|href| ("href", href.to_owned())),
            "pre" => attribute(&["language", "lang"])
                .map(|language| ("class", format!("language-{language}"))),
            _ => None,
        };
        if let Some((name, value)) = shown {
            let value = value.replace('&', "&amp;").replace('"', "&quot;");
            out.push_str(&format!(" {name}=\"{value}\""));
        }
        out.push('>');
    }
    children(node)
        .into_iter()
        .flatten()
        .for_each(|child| write(child, depth + 1, out));
    if let Some(tag) = tag {
        out.push_str(&format!("</{tag}>"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn trees_of_several_editors_become_the_same_markup() {
        let prose = json!({ "type": "doc", "content": [
            { "type": "heading", "attrs": { "level": 2 }, "content": [{ "type": "text", "text": "A" }] },
            { "type": "codeBlock", "attrs": { "language": "rust" }, "content": [{ "type": "text", "text": "a < b" }] },
        ]});
        let nuxt = json!({ "type": "root", "children": [
            { "type": "element", "tag": "h2", "props": {}, "children": [{ "type": "text", "value": "A" }] },
            { "type": "element", "tag": "pre", "props": { "language": "rust" }, "children": [{ "type": "text", "value": "a < b" }] },
        ]});
        let expected = "<h2>A</h2><pre class=\"language-rust\">a &lt; b</pre>";
        assert_eq!(html(&prose).as_deref(), Some(expected));
        assert_eq!(html(&nuxt).as_deref(), Some(expected));
        let portable = json!([
            { "_type": "block", "style": "h2", "children": [{ "_type": "span", "text": "A", "marks": [] }] },
            { "_type": "block", "style": "normal", "children": [{ "_type": "span", "text": "b", "marks": ["strong"] }] },
        ]);
        assert_eq!(
            html(&portable).as_deref(),
            Some("<h2>A</h2><p><strong>b</strong></p>")
        );
    }

    #[test]
    fn other_data_is_no_rich_text() {
        for value in [
            json!({ "type": "doc" }),
            json!([1, 2]),
            json!({ "type": "document", "content": [{ "id": 1 }] }),
        ] {
            assert_eq!(html(&value), None);
        }
    }
}
