//! Reads XML into a tree that can be walked: what office documents and e-books are made of.
//!
//! Names lose their prefix, since writers choose prefixes as they please. No entity but the five of XML and character
//! numbers is expanded, nesting is bounded, and what is not closed ends with the text.

use crate::decode;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::collections::HashSet;
use std::rc::Rc;

/// Elements nested deeper than this belong to the last one that is not; readers may recurse this far.
const DEPTH_MAX: usize = 256;

/// An XML text, read.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    name: Rc<str>,
    attributes: Vec<(Rc<str>, Box<str>)>,
    children: Vec<Child>,
}

#[derive(Debug)]
enum Child {
    Element(usize),
    Text(String),
}

/// An element of a [`Tree`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Element<'t> {
    tree: &'t Tree,
    index: usize,
}

/// What stands in an element.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Content<'t> {
    /// An element.
    Element(Element<'t>),
    /// Text as it stands, white space included.
    Text(&'t str),
}

impl Tree {
    /// The tree of `bytes`; `None` when they are no XML.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let text = decode::decode(bytes, None);
        let mut reader = Reader::from_str(&text);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_dangling_amp = true;
        config.allow_unmatched_ends = true;
        let mut tree = Self::default();
        let mut names = HashSet::new();
        let mut open = vec![tree.add("", &mut names)];
        // How many open elements have no node of their own, because they are nested too deep.
        let mut deeper = 0usize;
        loop {
            match reader.read_event().ok()? {
                Event::Start(start) => {
                    let parent = *open.last()?;
                    let index = tree.element(&start, parent, &mut names);
                    if open.len() < DEPTH_MAX {
                        open.push(index);
                    } else {
                        deeper += 1;
                    }
                }
                Event::Empty(start) => {
                    tree.element(&start, *open.last()?, &mut names);
                }
                Event::End(_) => {
                    if deeper > 0 {
                        deeper -= 1;
                    } else if open.len() > 1 {
                        open.pop();
                    }
                }
                Event::Text(text) => tree.text(*open.last()?, &text.xml10_content()),
                Event::CData(text) => tree.text(*open.last()?, &text),
                Event::GeneralRef(name) => {
                    let mut buffer = [0; 4];
                    let number = name.resolve_char_ref().ok().flatten();
                    let says = match number {
                        Some(character) => &*character.encode_utf8(&mut buffer),
                        None => predefined(&name),
                    };
                    tree.text(*open.last()?, says);
                }
                Event::Eof => break,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
        (tree.nodes.len() > 1).then_some(tree)
    }

    /// The outermost element.
    pub(crate) fn root(&self) -> Element<'_> {
        let whole = Element {
            tree: self,
            index: 0,
        };
        whole.elements().next().unwrap_or(whole)
    }

    fn add(&mut self, name: &str, names: &mut HashSet<Rc<str>>) -> usize {
        self.nodes.push(Node {
            name: interned(name, names),
            attributes: Vec::new(),
            children: Vec::new(),
        });
        self.nodes.len() - 1
    }

    fn element(
        &mut self,
        start: &BytesStart<'_>,
        parent: usize,
        names: &mut HashSet<Rc<str>>,
    ) -> usize {
        let index = self.add(start.local_name().into_inner(), names);
        let attributes: Vec<_> = start
            .attributes()
            .with_checks(false)
            .flatten()
            .map(|attribute| {
                let value = attribute
                    .normalized_value(XmlVersion::Implicit1_0)
                    .unwrap_or_else(|_| attribute.value.clone());
                (interned(attribute.key.0, names), value.as_ref().into())
            })
            .collect();
        if let Some(node) = self.nodes.get_mut(index) {
            node.attributes = attributes;
        }
        if let Some(node) = self.nodes.get_mut(parent) {
            node.children.push(Child::Element(index));
        }
        index
    }

    fn text(&mut self, parent: usize, text: &str) {
        let Some(node) = self.nodes.get_mut(parent) else {
            return;
        };
        match node.children.last_mut() {
            Some(Child::Text(before)) => before.push_str(text),
            _ if text.is_empty() => {}
            _ => node.children.push(Child::Text(text.to_owned())),
        }
    }
}

impl<'t> Element<'t> {
    fn node(self) -> Option<&'t Node> {
        self.tree.nodes.get(self.index)
    }

    /// Its name without a prefix.
    pub(crate) fn name(self) -> &'t str {
        self.node().map_or("", |node| &node.name)
    }

    /// What stands in it, in order.
    pub(crate) fn content(self) -> impl Iterator<Item = Content<'t>> {
        let tree = self.tree;
        self.node()
            .into_iter()
            .flat_map(|node| &node.children)
            .map(move |child| match child {
                Child::Element(index) => Content::Element(Element {
                    tree,
                    index: *index,
                }),
                Child::Text(text) => Content::Text(text),
            })
    }

    /// The elements directly in it.
    pub(crate) fn elements(self) -> impl Iterator<Item = Element<'t>> {
        self.content().filter_map(|content| match content {
            Content::Element(element) => Some(element),
            Content::Text(_) => None,
        })
    }

    /// The elements directly in it that have this name.
    pub(crate) fn all(self, name: &str) -> impl Iterator<Item = Element<'t>> {
        self.elements()
            .filter(move |element| element.name() == name)
    }

    /// The first element directly in it that has this name.
    pub(crate) fn child(self, name: &str) -> Option<Element<'t>> {
        self.all(name).next()
    }

    /// The element that these names lead to, each directly in the one before.
    pub(crate) fn at(self, names: &[&str]) -> Option<Element<'t>> {
        names
            .iter()
            .try_fold(self, |element, name| element.child(name))
    }

    /// What the element that these names lead to has as its `val`, in the manner of Office.
    pub(crate) fn val(self, names: &[&str]) -> Option<&'t str> {
        self.at(names)?.attribute("val")
    }

    /// Every element inside it that has this name, in order.
    pub(crate) fn inside(self, name: &str) -> Vec<Element<'t>> {
        let mut found = Vec::new();
        let mut waiting: Vec<Element<'t>> = vec![self];
        while let Some(element) = waiting.pop() {
            if element.index != self.index && element.name() == name {
                found.push(element);
            }
            let at = waiting.len();
            waiting.extend(element.elements());
            if let Some(added) = waiting.get_mut(at..) {
                added.reverse();
            }
        }
        found
    }

    /// The value of an attribute. A name with a prefix stands for any attribute that has a prefix (`r:id`), one without for
    /// the attribute that has none, or else for any.
    pub(crate) fn attribute(self, name: &str) -> Option<&'t str> {
        let attributes = &self.node()?.attributes;
        let local = name.rsplit(':').next().unwrap_or(name);
        let exact = attributes.iter().find(|(key, _)| &**key == name);
        let alike = || {
            attributes.iter().find(|(key, _)| {
                key.split_once(':')
                    .is_some_and(|(prefix, key)| prefix != "xmlns" && key == local)
            })
        };
        exact.or_else(alike).map(|(_, value)| &**value)
    }

    /// All text inside it.
    pub(crate) fn text(self) -> String {
        let mut out = String::new();
        self.write_text(&mut out);
        out
    }

    fn write_text(self, out: &mut String) {
        for content in self.content() {
            match content {
                Content::Text(text) => out.push_str(text),
                Content::Element(element) => element.write_text(out),
            }
        }
    }
}

fn interned(name: &str, names: &mut HashSet<Rc<str>>) -> Rc<str> {
    if let Some(known) = names.get(name) {
        return Rc::clone(known);
    }
    let name: Rc<str> = name.into();
    names.insert(Rc::clone(&name));
    name
}

/// What the five names stand for; others, which only a document type could define, for nothing.
pub(crate) fn predefined(name: &str) -> &'static str {
    match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_read_whatever_its_prefixes() {
        let tree = Tree::read(
            b"<?xml version=\"1.0\"?><w:a xmlns:w='u'><b id='1' r:id='x&amp;y'> one<c/>&lt;two&#65;<![CDATA[<]]></b></w:a>",
        )
        .unwrap();
        let root = tree.root();
        assert_eq!(root.name(), "a");
        let b = root.child("b").unwrap();
        assert_eq!(b.attribute("id"), Some("1"));
        assert_eq!(b.attribute("r:id"), Some("x&y"));
        assert_eq!(b.text(), " one<twoA<");
        assert_eq!(root.inside("c").len(), 1);
        assert!(Tree::read(b"no mark-up").is_none());
    }

    #[test]
    fn entities_are_not_expanded() {
        let bomb =
            "<!DOCTYPE a [<!ENTITY b 'bbbbbbbbbb'><!ENTITY c '&b;&b;&b;'>]><a k='&c;'>x&c;&c;y</a>";
        let tree = Tree::read(bomb.as_bytes()).unwrap();
        assert_eq!(tree.root().text(), "xy");
    }

    #[test]
    fn nesting_is_bounded_and_loses_no_text() {
        let deep = format!("{}x{}y", "<a>".repeat(100_000), "</a>".repeat(99_999));
        let tree = Tree::read(deep.as_bytes()).unwrap();
        assert_eq!(tree.root().text(), "xy");
    }
}
