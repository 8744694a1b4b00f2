//! Reads tabs on web pages: every panel is content, under the label of its tab, whichever of them the page shows first.

use dom_query::NodeRef;
use skillkiln_document::text::squash;

/// Elements around a panel among which its tabs are looked for.
const AROUND_MAX: usize = 3;
/// Panels and tabs that are counted.
const TABS_MAX: usize = 40;

/// Whether `node` is the row of labels above panels that are read under them.
pub(crate) fn is_bar(node: &NodeRef<'_>) -> bool {
    let is_bar = node.attr("role").is_some_and(|role| &*role == "tablist")
        || node.has_class("tabbed-labels");
    is_bar
        && node.parent().is_some_and(|parent| {
            parent
                .descendants_it()
                .take(2_000)
                .any(|inner| is_panel(&inner))
        })
}

/// Whether `node` is what one tab shows.
pub(crate) fn is_panel(node: &NodeRef<'_>) -> bool {
    node.attr("role").is_some_and(|role| &*role == "tabpanel") || node.has_class("tabbed-block")
}

/// The label of the tab that shows the panel `node`.
pub(crate) fn label(node: &NodeRef<'_>) -> Option<String> {
    if !is_panel(node) {
        return None;
    }
    let siblings = node.parent()?.element_children();
    let at = siblings
        .iter()
        .take(TABS_MAX)
        .filter(|sibling| is_panel(sibling))
        .position(|sibling| sibling.id == node.id)?;
    let mut around = node.parent();
    for _ in 0..AROUND_MAX {
        let place = around?;
        let bar = place
            .descendants_it()
            .take(2_000)
            .find(|inner| is_bar(inner));
        if let Some(bar) = bar {
            let labels: Vec<NodeRef<'_>> = bar
                .descendants_it()
                .take(400)
                .filter(|inner| {
                    inner.has_name("label")
                        || inner.attr("role").is_some_and(|role| &*role == "tab")
                })
                .take(TABS_MAX)
                .collect();
            let label = squash(&labels.get(at)?.text());
            return Some(label).filter(|label| !label.is_empty());
        }
        around = place.parent();
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::html;
    use skillkiln_document::markdown;

    #[test]
    fn every_panel_stands_under_the_label_of_its_tab() {
        for page in [
            "<div><ul role=tablist><li role=tab>npm</li><li role=tab>yarn</li></ul><div><div role=tabpanel><pre><code class=language-bash>npm i a</code></pre></div><div role=tabpanel hidden><pre><code class=language-bash>yarn add a</code></pre></div></div></div>",
            "<div><div role=tablist><button role=tab>npm</button><button role=tab>yarn</button></div><div role=tabpanel><pre><code class=language-bash>npm i a</code></pre></div><div role=tabpanel style='display: none'><pre><code class=language-bash>yarn add a</code></pre></div></div>",
            "<div class=tabbed-set><div class=tabbed-labels><label>npm</label><label>yarn</label></div><div class=tabbed-content><div class=tabbed-block><pre><code class=language-bash>npm i a</code></pre></div><div class=tabbed-block><pre><code class=language-bash>yarn add a</code></pre></div></div></div>",
        ] {
            let page = format!(
                "<main><h1>Install</h1><p>Choose the way in which you install it, then run the command that is shown.</p>{page}</main>"
            );
            let document = html::read(&page, None).expect("text");
            let shown = markdown::write(&document.blocks);
            let order: Vec<usize> = ["**npm**", "npm i a", "**yarn**", "yarn add a"]
                .iter()
                .map(|words| shown.find(words).expect(&shown))
                .collect();
            assert!(order.is_sorted(), "{shown}");
        }
    }
}
