//! Tests of the reader of reStructuredText, on the pieces real manuals are made of.

use super::*;
use skillkiln_document::markdown::write;

fn written(text: &str) -> String {
    write(&read(text.to_owned()).blocks)
}

#[test]
fn text_is_of_no_language_and_a_note_is_called_as_its_writer_calls_it() {
    let text = ".. highlight:: cpp\n\n.. sourcecode:: text\n\n  fire it\n\n.. code-block::\n\n  int x;\n\n.. admonition:: Compatibility note\n\n   It is old.\n";
    assert_eq!(
        written(text),
        "```\nfire it\n```\n\n```cpp\nint x;\n```\n\n> **Compatibility note**\n>\n> It is old.\n"
    );
}

#[test]
fn a_sentence_that_is_set_in_from_its_second_line_on_is_no_term_and_a_directive_that_nobody_knows_no_note()
 {
    let text = "Kilns\n=====\n\nThey are hot, and they were so for a long time. In the north of\n the hill they are ``cold``. Wait\n for them.\n\nwood\n  It burns.\n\n.. ovensay:: The kiln is heated slowly and\n             opened a day after.\n";
    assert_eq!(
        written(text),
        "# Kilns\n\nThey are hot, and they were so for a long time. In the north of the hill they are `cold`. Wait for them.\n\n- **wood**: It burns.\n\nThe kiln is heated slowly and opened a day after.\n"
    );
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
fn fields_of_a_docstring_need_no_empty_line_and_say_nothing_where_they_are_empty() {
    assert_eq!(
        written(
            "Fires a pot.\n:param pot: the pot,\n  of clay\n:type pot:\n:return:\n:rtype: bool\n"
        ),
        "Fires a pot.\n\n- `pot`: the pot, of clay\n- **Return type**: bool\n"
    );
    assert_eq!(
        written("It is set by\n:kiln: as a role may be.\n"),
        "It is set by :kiln: as a role may be.\n"
    );
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
        "A kiln",
        "**words**",
        "Kept.",
    ] {
        assert!(markdown.contains(expected), "{expected} in\n{markdown}");
    }
    for absent in ["comment", "a/b.py"] {
        assert!(!markdown.contains(absent), "{absent} in\n{markdown}");
    }
}

#[test]
fn what_a_directive_only_does_is_not_said() {
    let text = "Burns.\n\n.. audit-event:: kiln.fire heat,wood kiln.fire\n\n.. include:: /a.inc.rst\n\n.. availability:: Unix.\n\n.. hotness:: Mind the heat of it.\n";
    assert_eq!(
        written(text),
        "Burns.\n\n*Availability*: Unix.\n\n**Mind the heat of it.**\n"
    );
}

#[test]
fn a_version_without_words_does_not_take_those_of_the_next() {
    let text = ".. versionadded:: 3.8\n\n   .. versionchanged:: 3.11\n      Burns hotter.\n";
    assert_eq!(
        written(text),
        "*Added in version 3.8*.\n\n*Changed in version 3.11*: Burns hotter.\n"
    );
}

#[test]
fn a_class_of_sphinx_keeps_its_name() {
    let text = ".. class:: Kiln(wood, *, heat=900)\n\n   Burns.\n\n.. py:class:: kiln\n\n   Too.\n\n.. class:: stat_result\n\n   More.\n\n.. class:: date\n   :noindex:\n\n   Again.\n";
    assert_eq!(
        written(text),
        "- `class Kiln(wood, *, heat=900)`: Burns.\n- `class kiln`: Too.\n- `class stat_result`: More.\n- `class date`: Again.\n"
    );
}

#[test]
fn a_class_of_docutils_is_a_style_and_is_not_shown() {
    let text = ".. class:: special\n\n   Of it.\n\n.. class:: small two-columns\n\nAfter.\n";
    assert_eq!(written(text), "Of it.\n\nAfter.\n");
}

#[test]
fn members_whose_values_are_elsewhere_and_that_recur_are_left_out() {
    let class =
        |name: &str| format!(".. class:: {name}\n\n   Burns.\n\n   .. autoattribute:: name\n\n");
    let text = ["Oven", "Kiln", "Stove"].map(class).concat() + ".. autofunction:: light\n";
    let markdown = written(&text);
    assert!(!markdown.contains("attribute name"), "{markdown}");
    assert!(markdown.contains("`function light`"), "{markdown}");
}

#[test]
fn columns_that_tabs_reach_to_are_those_of_a_table() {
    let text =
        written("=====\t\t=========\nHeat\t\tIt is hot\nWood\t\tIt burns\n=====\t\t=========\n");
    assert!(
        text.contains("| Heat | It is hot |") && text.contains("| Wood | It burns |"),
        "{text}"
    );
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
fn the_mark_of_a_reference_without_a_link_is_no_part_of_its_name() {
    assert_eq!(
        written("Set :envvar:`!PATH` and :option:`!--hot`, not :file:`!bang`.\n"),
        "Set `PATH` and `--hot`, not `!bang`.\n"
    );
}

#[test]
fn a_method_or_a_function_of_any_kind_keeps_its_words_below_its_name() {
    assert_eq!(
        written(
            ".. comethod:: fire(wood)\n\n   Burns it.\n\n.. kilnfunction:: heat()\n\n   Hot.\n"
        ),
        "- `fire(wood)`: Burns it.\n- `heat()`: Hot.\n"
    );
}

#[test]
fn unknown_directives_that_hold_code_show_it_as_code() {
    let text = ".. kiln:example::\n\n    class Kiln(Oven):\n        def heat(self, degrees):\n            self.hot = True\n\n            if degrees:\n                return 1\n\n.. kiln:run::\n\n    invoke(kiln, args=['hot'])\n\n.. oven:: Try it\n\n    >>> heat()\n    1\n\n.. oven:: Words\n\n    term\n        Is hot (or not).\n\n.. example-code::\n\n    .. code-block:: c\n\n       import heat;\n";
    assert_eq!(
        written(text),
        "```\nclass Kiln(Oven):\n    def heat(self, degrees):\n        self.hot = True\n\n        if degrees:\n            return 1\n```\n\n```\ninvoke(kiln, args=['hot'])\n```\n\n**Try it**\n\n```python\n>>> heat()\n1\n```\n\n**Words**\n\n- **term**: Is hot (or not).\n\n```c\nimport heat;\n```\n"
    );
}

#[test]
fn marks_that_a_generator_prints_otherwise_are_no_words() {
    let text = "- :mod:`~kiln.fire`: It is\n  hot.\n\nOf |KILN|_ and `~kiln.fire.heat()`, :paramref:`_schema.Table.heat`, :class:`_schema.Table` and :meth:`~_orm.Session.get` by :func:`_thread.exit`.\n\n.. code-block:: python\n\n    >>> heat()\n    {opensql}SELECT 1\n    {stop}1\n\n.. code-block:: c\n\n    goto {stop};\n";
    assert_eq!(
        written(text),
        "- `fire`: It is hot.\n\nOf KILN and `heat()`, `Table.heat`, `Table` and `get()` by `_thread.exit()`.\n\n```python\n>>> heat()\nSELECT 1\n1\n```\n\n```c\ngoto {stop};\n```\n"
    );
}

#[test]
fn a_section_that_is_in_another_file_has_no_heading() {
    let text = "Heat\n====\n\nHot.\n\nWood\n----\n\n.. include:: wood.rst\n\nClay\n----\n\nAsh\n---\n\nGrey.\n";
    assert_eq!(
        written(text),
        "# Heat\n\nHot.\n\n## Clay\n\n## Ash\n\nGrey.\n"
    );
}

#[test]
fn a_reference_to_a_heading_is_its_words() {
    assert_eq!(
        written("Kilns\n=====\n\nSee wood_, kiln_wood and heat_.\n\nwood\n----\n\nDry.\n"),
        "# Kilns\n\nSee wood, kiln_wood and heat_.\n\n## wood\n\nDry.\n"
    );
}

#[test]
fn sentences_of_a_directive_that_nobody_knows_are_text_and_no_note() {
    assert_eq!(
        written(
            "Heat.\n\n.. deepclay:: the second fire is hard, and *intended*\n   for old clay.  Ask Ada when it is\n   to be lit.\n\nCold.\n"
        ),
        "Heat.\n\nthe second fire is hard, and *intended* for old clay. Ask Ada when it is to be lit.\n\nCold.\n"
    );
}

#[test]
fn a_release_heads_its_changes_with_their_tags_and_tickets() {
    let source = "Changes\n=======\n\n.. changelog::\n    :version: 1.2\n\n.. changelog::\n    :version: 1.1\n    :released: March 3, 2021\n\n    .. change::\n        :tags: bug, door\n        :tickets: 61\n\n        The door closes.\n\n        It is red.\n\n    .. change::\n        :tags: wood\n\n        It burns.\n";
    assert_eq!(
        written(source),
        "# Changes\n\n## 1.1 (March 3, 2021)\n\n- **bug, door**: The door closes. (61)\n\n  It is red.\n\n- **wood**: It burns.\n"
    );
}

#[test]
fn a_title_between_lines_of_which_one_sign_slipped_is_a_title() {
    assert_eq!(
        written("=======-\nMy Kiln\n=======-\n\nIt is hot.\n\nWood\n----\n\nIt burns.\n"),
        "# My Kiln\n\nIt is hot.\n\n## Wood\n\nIt burns.\n"
    );
}

#[test]
fn all_that_a_document_says_of_itself_is_kept_and_what_is_typed_at_a_prompt_is_code() {
    let document = read("Kilns\n=====\n\n:Home: kiln.example\n:Author: Ada Lee\n:Version: 1.2\n\nIt is lit so:\n\n   $ kiln -d old.po~ new.po\n\nIt burns.\n".to_owned());
    assert_eq!(document.about.author.as_deref(), Some("Ada Lee"));
    assert_eq!(
        write(&document.blocks),
        "# Kilns\n\n- **Home**: kiln.example\n- **Author**: Ada Lee\n- **Version**: 1.2\n\nIt is lit so:\n\n```\n$ kiln -d old.po~ new.po\n```\n\nIt burns.\n"
    );
}

#[test]
fn bullets_right_below_an_item_are_a_list_in_it() {
    let text = "- Move the doors to the yard\n  - Remove the wood\n  - Remove the ash of\n    the year\n- Paint them\n\n  - red\n* Mend\n    * light it\n";
    assert_eq!(
        written(text),
        "- Move the doors to the yard\n  - Remove the wood\n  - Remove the ash of the year\n- Paint them\n  - red\n\n* Mend\n  - light it\n"
    );
    // Below a full line, one dash may stand between words.
    let text = "- The kilns of the yard are hot in the summer, in the winter too\n  - and cold in spring\n";
    assert_eq!(
        written(text),
        "- The kilns of the yard are hot in the summer, in the winter too - and cold in spring\n"
    );
}

#[test]
fn what_is_shown_is_no_quotation_however_far_it_is_set_in() {
    let text = "Example:\n\n  .. code-block:: python\n\n    fire()\n\nSo::\n\n    a\n\n  It burns::\n\n      b\n\nWood:\n\n  * ash\n  * oak\n\nThey say:\n\n  It burns.\n";
    assert_eq!(
        written(text),
        "Example:\n\n```python\nfire()\n```\n\nSo:\n\n```\n  a\n\nIt burns::\n\n    b\n```\n\nWood:\n\n- ash\n- oak\n\nThey say:\n\n> It burns.\n"
    );
    assert_eq!(
        written("Light it:\n\n  It is lit so::\n\n    light()\n\n  .. note:: Mind it.\n"),
        "Light it:\n\nIt is lit so:\n\n```\nlight()\n```\n\n> **Note:** Mind it.\n"
    );
}

#[test]
fn titles_with_the_same_adornment_are_sections_of_one_rank() {
    let levels: Vec<u8> = read("Heat\n====\n\nGas\n---\n\nBlue\n~~~~\n\nHot.\n\nWood\n----\n\nDry.\n\nClay\n====\n\nWet\n---\n\nCold.\n".into())
        .blocks
        .iter()
        .filter_map(|block| match block.kind {
            BlockKind::Heading { level, .. } => Some(level),
            _ => None,
        })
        .collect();
    assert_eq!(levels, [1, 2, 3, 2, 1, 2]);
}

#[test]
fn letters_of_items_stay_as_they_are_referred_to() {
    assert_eq!(
        written("a) Ash.\n\nb) Oak, see a).\n\n(i) Fire.\n(ii) Heat.\n\n3. Clay.\n"),
        "- a) Ash.\n- b) Oak, see a).\n\n* (i) Fire.\n* (ii) Heat.\n\n3. Clay.\n"
    );
}

#[test]
fn what_is_documented_by_its_name_alone_keeps_it_with_its_kind() {
    assert_eq!(
        written(
            ".. autoexception:: kiln.TooHot\n\n.. autodata:: kiln.HEAT\n   :annotation:\n\n.. autoattribute:: Kiln.wood\n\n   Dry.\n\n.. autoproperty:: Kiln.door\n\n.. autosummary::\n   :toctree: made\n\n   kiln.fire\n   ~kiln.light\n"
        ),
        "- `exception kiln.TooHot`\n- `data kiln.HEAT`\n- `attribute Kiln.wood`: Dry.\n- `property Kiln.door`\n\n* `kiln.fire`\n* `kiln.light`\n"
    );
}

#[test]
fn a_reference_may_name_a_field_and_a_role_names_none() {
    assert_eq!(
        written(
            "Read\n\n:`docs/HEAT`_:   How hot.\n:README_:    This.\n\nand\n\n:`door`: it.\n\n.. _docs/HEAT: HEAT\n.. _README: README\n"
        ),
        "Read\n\n- **[docs/HEAT](HEAT)**: How hot.\n- **[README](README)**: This.\n\nand\n\n:*door*: it.\n"
    );
}
