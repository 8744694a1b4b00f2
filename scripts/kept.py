#!/usr/bin/env python3
"""How much of a source a reading keeps, measured against the raw file, and where two builds read differently.

usage: kept.py SOURCES READINGS [OTHER_READINGS] [--half 0|1] [--worst N] [--json]

SOURCES is a folder of files as users send them. READINGS holds what a build made of them, `path.md` for each `path`
(`cargo run -p skillkiln-readers --example read -- --out READINGS SOURCES`). With OTHER_READINGS both builds are measured, and the
documents on which they differ are listed with the number of lines that differ and the figures that moved.

The raw file is taken apart by its own mark-up and by no reader of ours (HTML's elements, the XML in office files, CSV's cells, the
text that `pdftotext` gives): its words, table cells, lines of code and list items, furniture left out where the mark-up names it
(`nav`, `footer`, hidden elements and their like). A share is what of them stands in the Markdown again, each as often as it stands
in the source; cells count only within rows of a table, lines only within code, items only within lists. `--half` looks at the
documents whose path has that crc32 modulo 2. Standard library only.
"""
import argparse, collections, csv, difflib, html.parser, io, json, pathlib, re, subprocess, sys, zipfile, zlib
import xml.etree.ElementTree as ET

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
LETTER = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
KINDS = ("words", "cells", "code", "items")


class Content:
    """What a document holds, counted."""

    def __init__(self):
        self.words, self.cells, self.code, self.items = (collections.Counter() for _ in KINDS)

    def say(self, text):
        self.words.update(words(text))

    def cell(self, text):
        key = squeezed(text)
        if key:
            self.cells[key] += 1

    def line(self, text):
        key = re.sub(r"\s+", "", text)
        if key:
            self.code[key] += 1

    def item(self, text):
        key = " ".join(words(text)[:6])
        if key:
            self.items[key] += 1

    def kept(self, raw):
        """(kept, of how many) by kind."""
        return {k: ((getattr(self, k) & getattr(raw, k)).total(), getattr(raw, k).total()) for k in KINDS}


def words(text):
    out = []
    for word in WORD.findall(text.lower()):
        out += list(word) if LETTER.search(word) else [word]
    return out


def squeezed(text):
    return "".join(words(text)) or re.sub(r"\s+", "", text)


# --- Markdown: the readings, and sources in it ----------------------------------------------------------------------------------

FENCE = re.compile(r"^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)*(`{3,}|~{3,})")
ITEM = re.compile(r"^[\s>]*(?:[-*+]|\d+[.)])\s+(.*)")
RULE = re.compile(r"^[\s>]*\|?\s*:?-{2,}:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")


def unmarked(text):
    text = re.sub(r"!?\[([^\]]*)\]\((?:<[^>]*>|[^)\s]*)(?:\s+\"[^\"]*\")?\)", r"\1", text)
    text = re.sub(r"<(https?://[^>]*)>", r"\1", text)
    text = re.sub(r"</?[a-zA-Z][^<>]*>", " ", text)
    text = re.sub(r"\\([\\`*_{}\[\]()#+\-.!<>|~$&])", r"\1", text)
    return html.unescape(re.sub(r"[*`]+", "", text))


def of_markdown(text):
    content, fence = Content(), None
    lines = text.split("\n")
    if lines and lines[0] == "---" and "---" in lines[1:]:
        lines = lines[lines.index("---", 1) + 1 :]
    for at, line in enumerate(lines):
        mark = FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and line.strip(" >") == mark[1]:
                fence = None
            else:
                content.line(line.lstrip("> ") if line.lstrip().startswith(">") else line)
                content.say(line)
            continue
        if mark:
            fence = mark[1]
            continue
        if RULE.match(line) and "-" in line:
            continue
        bare = unmarked(line)
        content.say(bare)
        following = lines[at + 1] if at + 1 < len(lines) else ""
        if "|" in line and (line.strip(" >").startswith("|") or (RULE.match(following) and "|" in following)):
            # A `|` within a cell is escaped, or stands in code.
            inner = re.sub(r"`[^`]*`", lambda code: code[0].replace("|", "\0"), line.strip(" >").strip("|"))
            for cell in re.split(r"(?<!\\)\|", inner):
                content.cell(unmarked(cell.replace("\0", "|")))
        item = ITEM.match(line)
        if item:
            content.item(unmarked(item[1]))
    return content


# --- HTML -----------------------------------------------------------------------------------------------------------------------

VOID = set("area base br col embed hr img input link meta param source track wbr".split())
SILENT = set("script style template noscript head svg button select nav footer aside dialog iframe canvas".split())
FURNITURE = re.compile(
    r"\b(sidebar|navbar|navigation|breadcrumbs?|headerlink|anchor-link|skip-?link|page-?nav|pagination|on-this-page|table-of-contents|"
    r"toc|sr-only|visually-hidden|linenos?|cookie|footer|edit-page|nav-wrapper|menu|copybtn|header-anchor|pagefind|search)\b", re.I)
BLOCK = set("p div section article li dt dd td th tr table ul ol h1 h2 h3 h4 h5 h6 pre blockquote br figure figcaption main details summary".split())


class Page(html.parser.HTMLParser):
    """The words of a page, with its cells, code and items; within `main` where the page has one."""

    def __init__(self, within):
        super().__init__(convert_charrefs=True)
        self.within, self.content = within, Content()
        self.open, self.silent, self.inside = [], 0, 0 if within else 1
        self.text, self.pre, self.cell, self.item = [], None, [], []

    def handle_starttag(self, tag, attributes):
        given = {name: value or "" for name, value in attributes}
        if tag in BLOCK:
            self.handle_data("\n")
        if tag in VOID:
            return
        implied = {"li": {"li"}, "p": {"p"}, "td": {"td", "th"}, "th": {"td", "th"}, "tr": {"tr", "td", "th"}, "dt": {"dt", "dd"}, "dd": {"dt", "dd"}}
        while self.open and self.open[-1][0] in implied.get(tag, ()):
            self.close()
        marks = " ".join((given.get("class", ""), given.get("id", "")))
        silent = (tag in SILENT or "hidden" in given or given.get("aria-hidden") == "true" or given.get("role") in ("navigation", "search", "contentinfo", "banner")
                  or re.search(r"display:\s*none", given.get("style", "")) is not None
                  or (tag not in ("html", "body", "main", "article", "pre", "code") and FURNITURE.search(marks) is not None))
        inside = bool(self.within) and (tag == self.within or given.get("role") == "main")
        self.open.append((tag, silent, inside))
        self.silent += silent
        self.inside += inside
        if tag == "pre" and self.pre is None:
            self.pre = []
        if tag in ("td", "th"):
            self.cell.append([])
        if tag == "li":
            self.item.append([])

    def close(self):
        tag, silent, inside = self.open.pop()
        counts = self.inside and not self.silent
        if tag == "pre" and self.pre is not None:
            for line in "".join(self.pre).split("\n"):
                if counts:
                    self.content.line(line)
            self.pre = None
        if tag in ("td", "th") and self.cell:
            cell = "".join(self.cell.pop())
            if counts:
                self.content.cell(cell)
        if tag == "li" and self.item:
            item = "".join(self.item.pop())
            if counts:
                self.content.item(item)
        self.silent -= silent
        self.inside -= inside

    def handle_endtag(self, tag):
        if tag in BLOCK:
            self.handle_data("\n")
        if any(open_[0] == tag for open_ in self.open):
            while self.open[-1][0] != tag:
                self.close()
            self.close()

    def handle_data(self, data):
        if self.silent or not self.inside:
            return
        self.text.append(data)
        if self.pre is not None:
            self.pre.append(data)
        for sink in (self.cell, self.item):
            if sink:
                sink[-1].append(data)

    def finished(self):
        while self.open:
            self.close()
        self.content.say("".join(self.text))
        # A table that sets line numbers beside code is code.
        return self.content


def of_html(text):
    within = next((tag for tag in ("main", "article") if len(re.findall(rf"<{tag}[\s>]", text)) == 1), None)
    page = Page(within)
    page.feed(text)
    return page.finished()


# --- Files with XML inside ------------------------------------------------------------------------------------------------------

def local(node):
    return node.tag.rsplit("}", 1)[-1] if isinstance(node.tag, str) else ""


def spoken(node):
    """The text of an office part: runs joined, paragraphs apart."""
    out = []
    for each in node.iter():
        name = local(each)
        if name == "t" and each.text:
            out.append(each.text)
        elif name in ("tab", "br"):
            out.append(" ")
        elif name in ("p", "tr"):
            out.append("\n")
    return "".join(out)


def of_office(bytes_, name):
    content, packed = Content(), zipfile.ZipFile(io.BytesIO(bytes_))
    parts = packed.namelist()
    root = lambda part: ET.fromstring(packed.read(part))
    if name.endswith(".xlsx"):
        shared = []
        if "xl/sharedStrings.xml" in parts:
            shared = [spoken(node) for node in root("xl/sharedStrings.xml") if local(node) == "si"]
        for part in sorted(p for p in parts if re.match(r"xl/worksheets/[^/]+\.xml$", p)):
            for cell in (n for n in root(part).iter() if local(n) == "c"):
                value = next((n.text for n in cell if local(n) == "v"), None)
                text = shared[int(value)] if cell.get("t") == "s" and value else spoken(cell) if cell.get("t") == "inlineStr" else value
                # A number is written by its format and not as it is stored.
                if text and cell.get("t") in ("s", "inlineStr", "str"):
                    content.cell(text), content.say(text)
        return content
    if name.endswith(".epub"):
        for part in parts:
            if re.search(r"\.x?html?$", part) and not re.search(r"nav|toc|cover|title", part, re.I):
                page = of_html(packed.read(part).decode("utf-8", "replace"))
                for kind in KINDS:
                    getattr(content, kind).update(getattr(page, kind))
        return content
    wanted = r"word/(document|footnotes|endnotes)\.xml$|ppt/slides/slide\d+\.xml$|content\.xml$"
    for part in (p for p in parts if re.match(wanted, p)):
        tree = root(part)
        if part == "content.xml":
            for node in tree.iter():
                if local(node) in ("p", "h"):
                    content.say("".join(node.itertext()))
                elif local(node) == "table-cell":
                    content.cell(" ".join("".join(p.itertext()) for p in node.iter() if local(p) in ("p", "h")))
                elif local(node) == "list-item":
                    content.item(" ".join("".join(p.itertext()) for p in node if local(p) == "p"))
            continue
        content.say(spoken(tree))
        for node in tree.iter():
            if local(node) == "tc":
                content.cell(spoken(node))
            elif local(node) == "p" and any(local(n) == "numPr" for n in node.iter()):
                content.item(spoken(node))
    return content


# --- Everything else ------------------------------------------------------------------------------------------------------------

LITERAL = {
    "rst": (r"^\s*\.\. (?:code-block|code|sourcecode|highlight)::.*$|^(?!\s*\.\.).*::\s*$", None),
    "adoc": (r"^(?:-{4,}|\.{4,}|```.*)$", r"^(?:-{4,}|\.{4,}|```)$"),
    "org": (r"(?i)^\s*#\+begin_(?:src|example).*$", r"(?i)^\s*#\+end_(?:src|example)"),
    "tex": (r"^\s*\\begin\{(?:verbatim|lstlisting|minted|Verbatim|Highlighting)\}.*$", r"^\s*\\end\{(?:verbatim|lstlisting|minted|Verbatim|Highlighting)\}"),
}


def of_markup(text, extension):
    """The words of a source, commands left out as far as a line shows them, and its literal blocks."""
    content, lines, at = Content(), text.split("\n"), 0
    begin, end = LITERAL[extension]
    while at < len(lines):
        line = lines[at]
        at += 1
        if re.match(begin, line):
            indent = len(line) - len(line.lstrip())
            while at < len(lines):
                inner = lines[at]
                if end is None and inner.strip() and len(inner) - len(inner.lstrip()) <= indent:
                    break
                at += 1
                if end is not None and re.match(end, inner):
                    break
                if not (end is None and re.match(r"\s+:\w[\w-]*:", inner)):
                    content.line(inner), content.say(inner)
            if end is None and not line.lstrip().startswith(".."):
                content.say(line)
            continue
        if extension == "rst" and re.match(r"\s*\.\. |\s*:[\w-]+:", line):
            continue
        if extension == "adoc" and re.match(r"^(?:\[.*\]|:[\w-]+:.*|//.*|include::.*)$", line):
            continue
        if extension == "org" and re.match(r"(?i)^\s*(?:#\+|:[\w-]+:)", line):
            continue
        if extension == "tex":
            line = re.sub(r"(?<!\\)%.*|\\(?:begin|end|label|ref|cite|usepackage|documentclass|includegraphics|input|newcommand)\b(?:\[[^\]]*\])?(?:\{[^}]*\})*|\\[a-zA-Z]+", " ", line)
        if extension == "rst":
            line = re.sub(r":[\w:+-]+:`(?:[^`<]*<)?", " ", re.sub(r"`([^`<]+)<[^>`]*>`_+", r"\1", line))
        if extension == "org":
            line = re.sub(r"\[\[[^\]]*\]\[([^\]]*)\]\]", r"\1", line)
        content.say(line)
    return content


def scalars(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from scalars(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from scalars(inner)
    elif value is not None:
        yield str(value)


def of_captions(text):
    content = Content()
    if text.lstrip().startswith("{"):
        for event in json.loads(text).get("events", []):
            content.say("".join(seg.get("utf8", "") for seg in event.get("segs", [])))
        return content
    cues = [line for line in text.split("\n") if line.strip() and "-->" not in line and not line.strip().isdigit()]
    cues = [re.sub(r"<[^>]*>", "", cue) for cue in cues if not re.match(r"WEBVTT|NOTE|Kind:|Language:|STYLE", cue)]
    # What automatic captions roll up stands there once.
    content.say("\n".join(cue for at, cue in enumerate(cues) if cue not in cues[max(0, at - 2) : at]))
    return content


def raw(path):
    """What the file at `path` holds, or None where it is not taken apart here."""
    bytes_, name = path.read_bytes(), path.name.lower()
    extension = name.rsplit(".", 1)[-1]
    if extension in ("docx", "pptx", "xlsx", "odt", "odp", "epub"):
        return of_office(bytes_, name)
    if extension == "pdf":
        done = subprocess.run(["pdftotext", str(path), "-"], capture_output=True)
        content = Content()
        content.say(re.sub(r"[-\u00ad\u2010]\n", "", done.stdout.decode("utf-8", "replace")))
        return content if done.returncode == 0 and content.words else None
    try:
        text = bytes_.decode("utf-8-sig")
    except UnicodeDecodeError:
        declared = re.search(rb"charset=[\"']?([\w-]+)", bytes_[:4096])
        text = bytes_.decode(declared[1].decode() if declared else "cp1252", "replace")
    text = text.replace("\r\n", "\n")
    if ".html" in name or extension in ("htm", "utf8") or re.match(r"\s*<(!doctype html|html)", text[:200], re.I):
        return of_html(text)
    if extension in ("md", "mdx", "markdown"):
        return of_markdown(re.sub(r"<!--.*?-->", "", text, flags=re.S))
    if extension in LITERAL:
        return of_markup(text, extension)
    if extension in ("vtt", "srt", "json3"):
        return of_captions(text)
    content = Content()
    if extension in ("csv", "tsv"):
        for row in csv.reader(io.StringIO(text), delimiter="\t" if extension == "tsv" else ","):
            for cell in row:
                content.cell(cell), content.say(cell)
    elif extension == "ipynb":
        for cell in json.loads(text)["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code":
                content.say(source)
                for line in source.split("\n"):
                    content.line(line)
            elif cell["cell_type"] == "markdown":
                inner = of_markdown(source)
                for kind in KINDS:
                    getattr(content, kind).update(getattr(inner, kind))
    elif extension == "json":
        for scalar in scalars(json.loads(text)):
            content.say(scalar)
    elif extension in ("doc", "ppt", "xls") or b"\0" in bytes_[:2048]:
        return None
    elif re.search(r"\.[1-9]$", name):
        content.say(re.sub(r"(?m)^[.'].?\\\".*$|^\.[A-Za-z]+|\\f.|\\[&|]|\\\([a-z]{2}", " ", text).replace("\\-", "-"))
    else:
        content.say(text)
    return content


def kind_of(path):
    name = path.name.lower()
    if ".html" in name:
        return "html"
    return "man" if re.search(r"\.[1-9]$", name) else name.rsplit(".", 1)[-1]


def shares(kept):
    return " ".join(f"{kept[k][0] / kept[k][1]:7.3f}" if kept[k][1] else "      –" for k in KINDS)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("readings", type=pathlib.Path)
    parser.add_argument("other", type=pathlib.Path, nargs="?")
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--worst", type=int, default=0, help="show so many documents with the lowest share of each kind")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    builds = [given.readings] + ([given.other] if given.other else [])
    sums = [collections.defaultdict(lambda: {k: [0, 0] for k in KINDS}) for _ in builds]
    rows, differing = [], []
    for path in sorted(p for p in given.sources.rglob("*") if p.is_file()):
        relative = str(path.relative_to(given.sources))
        if given.half is not None and zlib.crc32(relative.encode()) % 2 != given.half:
            continue
        texts = []
        for build in builds:
            reading = build / (relative + ".md")
            texts.append(reading.read_text("utf-8") if reading.is_file() else "")
        if len(texts) == 2 and texts[0] != texts[1]:
            changed = sum(line[0] in "+-" for line in difflib.unified_diff(texts[0].split("\n"), texts[1].split("\n"), n=0)) - 2
            differing.append((relative, changed))
        if not any(texts):
            continue
        try:
            holds = raw(path)
        except Exception as error:
            print(f"{relative}: {error!r}", file=sys.stderr)
            continue
        if holds is None:
            continue
        kept = [of_markdown(text).kept(holds) for text in texts]
        rows.append((relative, kept))
        for sums_of, kept_of in zip(sums, kept):
            for name in (kind_of(path), "all"):
                for k in KINDS:
                    sums_of[name][k][0] += kept_of[k][0]
                    sums_of[name][k][1] += kept_of[k][1]
    if given.json:
        print(json.dumps({str(build): {name: {k: v for k, v in of.items()} for name, of in s.items()} for build, s in zip(builds, sums)}, indent=1))
        return
    print(f"{'kept':12}" + "".join(f"  {'   '.join(f'{k:>5}' for k in KINDS)}" for _ in builds))
    for name in sorted(sums[0], key=lambda n: (n == "all", n)):
        print(f"{name:12}" + "  |".join(shares(s[name]) for s in sums))
    for k in KINDS if given.worst else ():
        scored = sorted((kept[0][k][0] / kept[0][k][1], name) for name, kept in rows if kept[0][k][1] > 3)
        for share, name in scored[: given.worst]:
            print(f"{k:6} {share:.3f}  {name}")
    if given.other:
        moved = dict(rows)
        print(f"{len(differing)} documents differ")
        for name, changed in sorted(differing, key=lambda d: -d[1]):
            figures = ""
            if name in moved:
                a, b = moved[name]
                figures = ", ".join(f"{k} {a[k][0]}→{b[k][0]}/{a[k][1]}" for k in KINDS if a[k][0] != b[k][0])
            print(f"  {changed:6} lines  {name}  {figures}")


if __name__ == "__main__":
    main()
