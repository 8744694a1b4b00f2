//! Tests of the reader of reStructuredText, on the pieces real manuals are made of.

use super::*;
use skillkiln_document::markdown::write;

fn written(text: &str) -> String {
    write(&read(text.to_owned()).blocks)
}

#[test]
fn sections_have_levels_by_the_order_of_their_adornments() {
    let document = read(
        "=====\nGuide\n=====\n\nIntro\n-----\n\nOne.\n\nDeep\n~~~~\n\nMore\n----\n\nTwo.\n".into(),
    );
    assert_eq!(document.title.as_deref(), Some("Guide"));
    assert_eq!(
        write(&document.blocks),
        "# Guide\n\n## Intro\n\nOne.\n\n### Deep\n\n## More\n\nTwo.\n"
    );
    assert_eq!(
        document.evidence(&document.blocks[0].span),
        "=====\nGuide\n====="
    );
}

#[test]
fn code_is_to_the_letter_with_its_language() {
    let text = "Run::\n\n    $ make\n\n      all\n\nThen:\n\n.. code-block:: python\n   :linenos:\n\n   def f():\n       return 1\n\n>>> f()\n1\n\n.. highlight:: c\n\nAgain ::\n\n  int x;\n";
    assert_eq!(
        written(text),
        "Run:\n\n```\n$ make\n\n  all\n```\n\nThen:\n\n```python\ndef f():\n    return 1\n```\n\n```python\n>>> f()\n1\n```\n\nAgain\n\n```c\nint x;\n```\n"
    );
}

#[test]
fn lists_terms_fields_and_options_keep_their_bodies() {
    let text = "- one\n\n  more\n- two\n\n  - in\n\n3. c\n#. d\n\nterm : kind\n    Meaning.\n\n:param x: The\n  thing.\n\n-a, --all   Show all.\n--long=N\n            Later.\n";
    let markdown = written(text);
    for expected in [
        "- one\n\n  more",
        "  - in",
        "3. c",
        "- **term : kind**: Meaning.",
        "`x`: The thing.",
        "- `-a, --all`: Show all.",
        "- `--long=N`: Later.",
    ] {
        assert!(markdown.contains(expected), "{expected} in\n{markdown}");
    }
}

#[test]
fn directives_are_what_they_render_as() {
    let text = ".. note:: Mind\n   this.\n\n.. warning::\n\n   Hot.\n\n.. versionadded:: 3.2\n   The *x* one.\n\n.. function:: f(a, b=1)\n              g(a)\n\n   Does it.\n\n   .. code-block:: c\n\n      f();\n\n.. method:: h()\n   :async:\n\n   Too.\n\n.. literalinclude:: a/b.py\n   :language: python\n\n.. a comment\n   over lines\n\n.. image:: a.png\n   :alt: A kiln\n\n.. unknown:: words\n\n   Kept.\n";
    let markdown = written(text);
    for expected in [
        "> **Note:** Mind this.",
        "> **Warning:** Hot.",
        "*Added in version 3.2*: The *x* one.",
        "- `f(a, b=1)`, `g(a)`: Does it.",
        "```c\n  f();\n  ```",
        "- `h()`: Too.",
        "Included here: `a/b.py`",
        "A kiln",
        "**words**",
        "Kept.",
    ] {
        assert!(markdown.contains(expected), "{expected} in\n{markdown}");
    }
    assert!(!markdown.contains("comment"));
}

#[test]
fn tables_of_every_drawing_keep_their_rows() {
    let grid = "+-----+--------+\n| A   | B      |\n+=====+========+\n| 1   | x      |\n|     | y      |\n+-----+--------+\n| wide         |\n+-----+--------+\n";
    assert_eq!(
        written(grid),
        "| A | B |\n| --- | --- |\n| 1 | x y |\n| wide | |\n"
    );
    let simple = "===== =====\nKey   Value\n===== =====\na     b\n      c\n\\     d\ne     ``f`` over\n===== =====\n\nAfter.\n";
    assert_eq!(
        written(simple),
        "| Key | Value |\n| --- | --- |\n| a | b c |\n| | d |\n| e | `f` over |\n\nAfter.\n"
    );
    let list =
        ".. list-table:: Title\n   :header-rows: 1\n\n   * - A\n     - B\n   * - 1\n     -\n";
    assert!(
        written(list).contains("| A | B |\n| --- | --- |\n| 1 | |"),
        "{}",
        written(list)
    );
    let separated = ".. csv-table::\n   :header: \"A\", \"B\"\n\n   \"x, y\", 2\n";
    assert_eq!(
        written(separated),
        "| A | B |\n| --- | --- |\n| x, y | 2 |\n"
    );
}

#[test]
fn links_footnotes_and_substitutions_lead_where_they_say() {
    let text = "See `the docs`_, `home <https://h.org>`__ and |v| [1]_.\n\n.. _the docs: https://d.org\n.. |v| replace:: 3.1\n.. [1] A *note*.\n";
    let markdown = written(text);
    assert!(
        markdown.starts_with("See [the docs](https://d.org), [home](https://h.org) and 3.1 [1]."),
        "{markdown}"
    );
    assert!(markdown.contains("A *note*."), "{markdown}");
}

#[test]
fn a_log_of_changes_names_its_issues_and_a_reference_the_title_it_leads_to() {
    let text = "- :issue:`77`: Mended, see :ref:`ref_param_wood_max`, :ref:`doors` and :ref:`dry-ash`.\n\n:meta private:\n\n.. _doors:\n\nHow doors open\n==============\n\nWide.\n";
    assert_eq!(
        written(text),
        "- #77: Mended, see wood_max, How doors open and dry ash.\n\n# How doors open\n\nWide.\n"
    );
}
