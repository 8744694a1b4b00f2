//! Puts right how Haddock lays out a module of Haskell: what leads about is no text, its name is the title, and signatures are code.

use crate::html::furniture::is_heading;
use dom_query::{Document, NodeRef};
use skillkiln_document::text::squash;

/// What only leads about, tells again what is told below, or says how the module was compiled.
const FURNITURE: &str = "#package-header,#table-of-contents,#synopsis,#module-header table.info,#description > p.caption,.src a.link,a.selflink,summary.hide-when-js-enabled";
/// Where an instance is written, and how its methods are called, which the class says as well: folded away below each.
const INSTANCES: &str = ".instances table details";
/// How deep headings stand at most.
const LEVEL_MAX: u8 = 6;

/// Mends the page whose module this is the header of.
pub(super) fn mend(page: &Document, header: &NodeRef<'_>) {
    for node in page.select(FURNITURE).nodes() {
        node.remove_from_parent();
    }
    for told in page.select(INSTANCES).nodes() {
        let row = told.ancestors_it(None).find(|it| it.has_name("tr"));
        row.unwrap_or(*told).remove_from_parent();
    }
    let sections: Vec<_> = page.select("#interface").nodes().to_vec();
    let headings: Vec<_> = sections
        .iter()
        .flat_map(|section| section.descendants_it())
        .filter(is_heading)
        .collect();
    // They begin as high as the title of a page.
    for heading in headings {
        let name = heading.node_name().unwrap_or_default();
        let level = name.as_bytes().get(1).map_or(2, |digit| digit - b'0' + 1);
        heading.rename(&format!("h{}", level.min(LEVEL_MAX)));
    }
    let name = header
        .children_it(false)
        .find(|child| child.has_class("caption"));
    if let Some(name) = name {
        name.rename("h1");
    }
    for fixity in page.select("p.src .fixity").nodes() {
        fixity.set_text(format!("\n{}", fixity.text()));
    }
    for signature in page.select("p.src").nodes() {
        signature.rename("pre");
        signature.set_attr("class", "language-haskell");
    }
    for cell in page.select("td.src").nodes() {
        let code = page.tree.new_element("code");
        code.set_text(squash(&cell.text()));
        cell.set_text("");
        cell.append_child(&code);
    }
}

#[cfg(test)]
mod tests {
    use crate::html::read_whole;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_module_is_called_by_its_name_and_its_signatures_are_code() {
        let page = "<div id=package-header><span class=caption>kilns-2.0</span></div><div id=content><div id=module-header><table class=info><tr><th>Safe Haskell</th><td>Safe</td></tr></table><p class=caption>Data.Kiln</p></div>\
            <div id=table-of-contents><p class=caption>Contents</p></div><div id=description><p class=caption>Description</p><div class=doc><p>It is hot.</p></div></div>\
            <div id=synopsis><details><summary>Synopsis</summary><ul><li class='src short'>fire :: Wood</li></ul></details></div>\
            <div id=interface><a href='#g:1' id='g:1'><h1>Firing.</h1></a><div class=top><p class=src><a id='v:fire' class=def>fire</a> :: (f <a href=b>:-&gt;</a> a) -&gt; f <span class=fixity>infix 7</span><a href=src class=link>Source</a> <a href='#v:fire' class=selflink>#</a></p><div class=doc><p>Fires it.</p></div>\
            <div class='subs instances'><h4>Instances</h4><details open><summary class=hide-when-js-enabled>Instances details</summary><table><tr><td class=src><a href=e>Eq</a> Kiln <a href=src class=link>Source</a></td><td class=doc>By heat.</td></tr>\
            <tr><td colspan=2><details><summary class=hide-when-js-enabled>Instance details</summary><p>Defined in Kiln</p></details></td></tr></table></details></div></div></div></div>";
        assert_eq!(
            write(&read_whole(page).blocks),
            "# Data.Kiln\n\nIt is hot.\n\n## Firing.\n\n```haskell\nfire :: (f :-> a) -> f\ninfix 7\n```\n\nFires it.\n\n##### Instances\n\n| | |\n| --- | --- |\n| `Eq Kiln` | By heat. |\n"
        );
    }
}
