//! Owns what is read together: what announces a block with it, what goes on behind one, and the half that answers another.

use crate::pipeline::synthesize::outline::block_text;
use crate::pipeline::synthesize::sentences::sentences;
use crate::pipeline::synthesize::units::{takes_back, tells_past};
use crate::pipeline::synthesize::words::words;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Inline, plain, straight};

/// An item of so many words that ends in none of a sentence's marks breaks off.
const BREAKING_WORDS_MIN: usize = 6;
/// What a paragraph is on stands among so many of its first words.
const ABOVE_WITHIN_WORDS: usize = 6;
/// A longer paragraph in bold letters is no label.
const LABEL_CHARS: usize = 60;
/// A list of so many entries whose number is told is shown as a whole or not at all.
const COUNTED_MAX: usize = 12;
/// Steps that are counted are so many at least, and stand together where they are not longer.
const STEPS_MIN: usize = 3;
const STEPS_CHARS: usize = 4_000;
/// And one of so many that is announced ("the following attributes:") and no longer.
const LISTED_MAX: usize = 6;
const LISTED_CHARS: usize = 2_400;

/// Whether what a block says is not over with it: the sentence that shows code goes on behind it, the paragraph after a list says
/// what speaks against it, or the next one takes it back.
pub(super) fn goes_on(block: &Block, next: Option<&BlockKind>) -> bool {
    let Some(BlockKind::Paragraph(text)) = next else {
        return false;
    };
    let words = plain(text);
    let words = words.trim();
    match block.kind {
        BlockKind::Code { .. } => {
            words.starts_with(char::is_lowercase)
                || is_next_step(words)
                || is_note_on(words)
                || speaks_of_above(words)
        }
        BlockKind::List { .. } => answers(words),
        BlockKind::Paragraph(ref said) => {
            let is_open = !ends_sentence(&plain(said));
            let said = plain(said);
            let last = sentences(&said).pop().and_then(|range| said.get(range));
            takes_back(words)
                || is_open && words.starts_with(char::is_lowercase)
                || last.is_some_and(tells_past)
        }
        _ => false,
    }
}

/// How far behind the first of `blocks`, where that is the first step of several that are counted one by one, the last of them
/// stands; 0 where it is none, or they are too long to stand together.
pub(super) fn behind_steps(blocks: &[Block]) -> usize {
    if blocks.first().is_some_and(is_first_step) {
        return behind_first(blocks);
    }
    if blocks.first().and_then(step) != Some(1) {
        return 0;
    }
    let (mut chars, mut told, mut last) = (0, 0, 0);
    for (at, block) in blocks.iter().enumerate() {
        chars += block_text(block).len();
        match step(block) {
            Some(number) if number == told + 1 => (told, last) = (number, at),
            Some(_) => break,
            None => {}
        }
        if chars > STEPS_CHARS {
            return 0;
        }
    }
    if told < STEPS_MIN { 0 } else { last }
}

/// The same behind "First, ...", where that shows code: who does the first step alone leaves things half done.
fn behind_first(blocks: &[Block]) -> usize {
    let is_code = |at: usize| {
        let block = blocks.get(at).map(|block| &block.kind);
        matches!(block, Some(BlockKind::Code { .. }))
    };
    let (mut chars, mut last) = (0, 0);
    for (at, block) in blocks.iter().enumerate() {
        chars += block_text(block).len();
        if chars > STEPS_CHARS {
            break;
        }
        let is_next = match &block.kind {
            BlockKind::Paragraph(text) => at > 0 && is_next_step(&plain(text)),
            BlockKind::Heading { .. } => break,
            _ => false,
        };
        if is_next {
            last = at + usize::from(is_code(at + 1));
        }
    }
    match is_code(1) && last > 1 {
        true => last,
        false => 0,
    }
}

/// Whether a paragraph opens with what is done first.
fn is_first_step(block: &Block) -> bool {
    const OPENINGS: [&str; 9] = [
        "d'abord",
        "first ",
        "first, ",
        "firstly",
        "primero",
        "tout d'abord",
        "zuerst",
        "zunächst",
        "to begin with",
    ];
    let BlockKind::Paragraph(text) = &block.kind else {
        return false;
    };
    let lower = straight(&plain(text)).to_lowercase();
    OPENINGS.iter().any(|opening| lower.starts_with(opening))
}

/// The number of a step that a paragraph opens with: "Step 2: ...".
fn step(block: &Block) -> Option<usize> {
    const CALLED: [&str; 5] = ["step", "schritt", "étape", "paso", "passo"];
    let BlockKind::Paragraph(text) = &block.kind else {
        return None;
    };
    let text = plain(text.get(..text.len().min(2))?);
    let mut words = text.split_whitespace();
    let is_called = CALLED.contains(&words.next()?.to_lowercase().as_str());
    let number = words.next().filter(|_| is_called)?;
    number
        .trim_end_matches(['.', ':', ')', '–', '—'])
        .parse()
        .ok()
}

/// Whether a paragraph behind code goes on with what was begun there: who is shown the first step alone is left half way.
fn is_next_step(text: &str) -> bool {
    const STEPS: [&str; 39] = [
        "after that",
        "afterwards",
        "again,",
        "and then ",
        "as of ",
        "at last",
        "by contrast",
        "danach ",
        "dann ",
        "después",
        "enfin,",
        "ensuite",
        "finally",
        "finalmente",
        "in contrast",
        "lastly",
        "luego ",
        "next,",
        "now add ",
        "now run ",
        "now you can ",
        "now, ",
        "once done",
        "once that is done",
        "once this is done",
        "poi ",
        "puis ",
        "remove it",
        "remove that ",
        "remove the ",
        "remove this ",
        "replace it ",
        "replace that ",
        "replace this ",
        "set the ",
        "then ",
        "then, ",
        "when done",
        "zuletzt ",
    ];
    let lower = text.chars().take(24).collect::<String>().to_lowercase();
    STEPS.iter().any(|opening| lower.starts_with(opening))
}

/// Whether a paragraph behind code says how that is to be read: "(The numbers of the lines were added.)", "Here, `PATH` is ...".
fn is_note_on(text: &str) -> bool {
    let lower = text.chars().take(12).collect::<String>().to_lowercase();
    let is_aside = text.starts_with('(') && text.trim_end_matches('.').ends_with(')');
    is_aside
        || ["here ", "here, ", "here: ", "note that "]
            .iter()
            .any(|opening| lower.starts_with(opening))
}

/// Whether blocks open with what is given: "Given this door: ...".
pub(super) fn supposes(blocks: &[Block]) -> bool {
    const SUPPOSING: [&str; 15] = [
        "assume ",
        "assuming ",
        "consider ",
        "for example, assum",
        "for example, consider ",
        "for example, given ",
        "for example, suppos",
        "given ",
        "if ",
        "imagine ",
        "let's assume ",
        "let's use ",
        "lets use ",
        "suppose ",
        "supposing ",
    ];
    let Some(BlockKind::Paragraph(text)) = blocks.first().map(|block| &block.kind) else {
        return false;
    };
    let text = plain(text);
    let last = sentences(&text).pop().and_then(|range| text.get(range));
    let lower = straight(last.unwrap_or(&text).trim()).to_lowercase();
    SUPPOSING.iter().any(|opening| lower.starts_with(opening))
}

/// Whether blocks that end in code show what is given, and what comes of it is told next.
pub(super) fn awaits_result(blocks: &[Block], next: Option<&BlockKind>) -> bool {
    let [.., before, last] = blocks else {
        return false;
    };
    let (BlockKind::Paragraph(text), BlockKind::Code { .. }) = (&before.kind, &last.kind) else {
        return false;
    };
    // "... and this wood: ..." is given too.
    let goes_on = match blocks.len() {
        2 => plain(text).trim_end().ends_with([':', '：']),
        _ => plain(text).trim().starts_with(char::is_lowercase),
    };
    goes_on && matches!(next, Some(BlockKind::Paragraph(_))) && supposes(blocks)
}

/// Whether blocks end in code under a label, and the next is the label of its counterpart: "Kiln v4:" and "Kiln v5:", "Before:" and
/// "After:". Who is shown one of them is shown what is past, or what is wrong.
pub(super) fn has_counterpart(blocks: &[Block], next: Option<&BlockKind>) -> bool {
    const PAIRS: [(&str, &str); 8] = [
        ("bad", "good"),
        ("before", "after"),
        ("from", "to"),
        ("incorrect", "correct"),
        ("instead", "use"),
        ("old", "new"),
        ("then", "now"),
        ("wrong", "right"),
    ];
    let label = |kind: &BlockKind| match kind {
        BlockKind::Paragraph(text) => {
            let words = plain(text).trim().to_lowercase();
            let is_label = words.len() <= LABEL_CHARS && words.ends_with([':', '：']);
            is_label.then_some(words)
        }
        _ => None,
    };
    let ([.., before, last], Some(next)) = (blocks, next) else {
        return false;
    };
    let (Some(one), Some(other), BlockKind::Code { .. }) =
        (label(&before.kind), label(next), &last.kind)
    else {
        return false;
    };
    let first = |label: &str| words(label).next().map(str::to_owned);
    let (one_first, other_first) = (first(&one), first(&other));
    let is_pair = PAIRS.iter().any(|(old, new)| {
        one_first.as_deref() == Some(*old) && other_first.as_deref() == Some(*new)
    });
    let differ_by_number = one_first == other_first && one.contains(|c: char| c.is_ascii_digit());
    one != other && (is_pair || differ_by_number)
}

/// Whether a paragraph announces the other half of the list above it: what is against what was told for it.
fn answers(text: &str) -> bool {
    const AGAINST: [&str; 10] = [
        "but",
        "cons",
        "disadvantages",
        "downsides",
        "drawbacks",
        "however",
        "inconvénients",
        "jedoch",
        "nachteile",
        "pero",
    ];
    let lower = text.to_lowercase();
    let announces = text.ends_with([':', '：']);
    let mut all = words(&lower);
    let is_first = all.next().is_some_and(|first| AGAINST.contains(&first));
    announces && (is_first || all.any(|word| word.len() > 4 && AGAINST.contains(&word)))
}

/// Whether code is shown as what not to do: a comment in it says so, or the paragraph after it.
pub(super) fn is_refused(code: &str, next: Option<&BlockKind>) -> bool {
    const REFUSING: [&str; 9] = [
        "bad:",
        "bad!",
        "broken:",
        "do not do",
        "don't do",
        "incorrect",
        "naive",
        "never do",
        "wrong",
    ];
    let refuses = |text: &str| {
        let lower = straight(text).to_lowercase();
        REFUSING.iter().any(|word| lower.contains(word))
    };
    let is_comment = |line: &&str| line.contains('#') || line.contains("//") || line.contains("--");
    let next = match next {
        Some(BlockKind::Paragraph(text)) => plain(text),
        _ => String::new(),
    };
    let first = sentences(&next).into_iter().next();
    let first = first.and_then(|range| next.get(range)).unwrap_or_default();
    code.lines().filter(is_comment).any(refuses)
        || first.to_lowercase().starts_with("this ") && refuses(first)
}

/// Whether a paragraph is about the block after it: it ends in a colon, is a label in bold letters, or a word such as "or" between
/// two blocks; or its last sentence speaks of what follows, and code, a list or a table does.
pub(super) fn announces(text: &[Inline], next: Option<&BlockKind>) -> bool {
    let words = plain(text);
    let words = words.trim();
    let is_called_next = matches!(next, Some(BlockKind::Paragraph(text)) if is_call(text));
    let is_shown_next = is_structure(next) || is_called_next;
    words.ends_with([':', '：'])
        || matches!(text, [Inline::Strong(_)]) && words.len() <= LABEL_CHARS
        || ["or", "and", "then", "oder", "und", "ou", "et"]
            .contains(&words.trim_end_matches([',', '.']).to_lowercase().as_str())
        || is_shown_next
            && (speaks_of_next(words) || counts(words) || !ends_sentence(words) || asks(words))
        || matches!(next, Some(BlockKind::Paragraph(_))) && speaks_of_paragraphs(words)
}

/// Whether a paragraph only says of what those below it are: "The following paragraphs describe the notation."
fn speaks_of_paragraphs(text: &str) -> bool {
    const NEXT: [&str; 3] = ["following paragraph", "next paragraph", "paragraphs below"];
    let lower = text.to_lowercase();
    sentences(text).len() == 1 && NEXT.iter().any(|next| lower.contains(next))
}

/// Whether the last sentence of a paragraph says that there are things, which the list or table below it names.
fn counts(text: &str) -> bool {
    let last = sentences(text).pop().and_then(|range| text.get(range));
    let lower = straight(last.unwrap_or(text).trim_start()).to_lowercase();
    ["there are ", "these are ", "let's ", "let us "]
        .iter()
        .any(|opening| lower.starts_with(opening))
}

/// Whether a block is one that sentences speak of: code, a list, a table.
pub(super) fn is_structure(block: Option<&BlockKind>) -> bool {
    matches!(
        block,
        Some(
            BlockKind::Code { .. }
                | BlockKind::List { .. }
                | BlockKind::Table { .. }
                | BlockKind::Definitions(_)
        )
    )
}

/// Whether a list ends in an item that is only called something.
pub(super) fn is_label(items: &[Vec<Block>]) -> bool {
    let Some(
        [
            Block {
                kind: BlockKind::Paragraph(text),
                ..
            },
        ],
    ) = items.last().map(Vec::as_slice)
    else {
        return false;
    };
    let words = plain(text);
    words.chars().count() <= LABEL_CHARS && !ends_sentence(words.trim())
}

/// Whether the last item of a list breaks off before the code below it: "Where a door is missing the kiln prints the message".
pub(super) fn leads_to_code(items: &[Vec<Block>], next: Option<&BlockKind>) -> bool {
    let last = items.last().and_then(|item| item.last());
    let Some(BlockKind::Paragraph(text)) = last.map(|block| &block.kind) else {
        return false;
    };
    let words = plain(text);
    matches!(next, Some(BlockKind::Code { .. }))
        && words.split_whitespace().count() >= BREAKING_WORDS_MIN
        && !ends_sentence(&words)
}

/// Whether a block is what is said within the item above it.
pub(super) fn is_within(block: Option<&BlockKind>) -> bool {
    matches!(block, Some(BlockKind::Quote(_)))
}

/// Whether a text ends as sentences do, in whatever marks.
pub(super) fn ends_sentence(text: &str) -> bool {
    let bare = text
        .trim_end()
        .trim_end_matches(['"', '\'', ')', '”', '’', '»', ']']);
    // An example follows.
    let leads = ["e.g.", "i.e.", "viz.", "z.B.", "p. ex."]
        .iter()
        .any(|end| bare.ends_with(end));
    !leads && bare.ends_with(['.', '!', '?', '…', '。', '！', '？', ';'])
}

/// What stands below a sentence that says so, where it is code: "is then shown with this HTML".
const SHOWN_BELOW: [&str; 10] = [
    " with this code",
    " with this command",
    " with this configuration",
    " with this css",
    " with this html",
    " with this markup",
    " with this query",
    " with this script",
    " with this snippet",
    " with this template",
];

/// Whether a paragraph begins with what stands above it: "The kiln above is the simplest there is".
fn speaks_of_above(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut first = words(&lower).take(ABOVE_WITHIN_WORDS);
    first.any(|word| word == "above")
}

/// Whether the last sentence of a paragraph speaks of what stands below it.
pub(super) fn speaks_of_next(text: &str) -> bool {
    let last = sentences(text).pop().and_then(|range| text.get(range));
    let lower = straight(last.unwrap_or(text)).to_lowercase();
    let mut words = words(&lower);
    words.any(|word| matches!(word, "following" | "below" | "follows"))
        || SHOWN_BELOW.iter().any(|shown| lower.contains(shown))
        || ["here is ", "here are ", "here's ", "for example,"]
            .iter()
            .any(|opening| lower.trim_start().starts_with(opening))
}

/// Whether a paragraph ends by promising what comes next, "Some guidelines follow.", or asks what is answered there.
pub(super) fn promises(text: &str) -> bool {
    let bare = text.trim_end().trim_end_matches(['.', ':']);
    let ends = [" follow", " follows"];
    asks(text) || ends.iter().any(|end| bare.ends_with(end))
}

/// Whether a text ends in a question.
fn asks(text: &str) -> bool {
    text.trim_end().ends_with(['?', '？', '؟'])
}

/// Whether a list is shown as a whole or not at all: what was counted before ("three ways"), and what was announced as all there is,
/// where it is so brief.
pub(super) fn is_counted(announcement: &str, block: &Block) -> bool {
    let entries = match &block.kind {
        BlockKind::List { items, .. } => items.len(),
        BlockKind::Definitions(entries) => entries.len(),
        BlockKind::Table { rows, .. } => rows.len(),
        _ => return false,
    };
    let lower = announcement.to_lowercase();
    let tells = |word: &str| {
        let number = NUMBERS.iter().position(|all| all.contains(&word));
        number.map(|number| number + 2).or(word.parse().ok()) == Some(entries)
    };
    let is_brief = || entries <= LISTED_MAX && block_text(block).len() <= LISTED_CHARS;
    let is_announced =
        || announcement.trim_end().ends_with([':', '：']) && speaks_of_next(announcement);
    entries <= COUNTED_MAX && words(&lower).any(tells) || is_announced() && is_brief()
}

/// Two to twelve, in the languages whose lists are met most.
const NUMBERS: [&[&str]; 11] = [
    &["two", "zwei", "deux", "dos", "due"],
    &["three", "drei", "trois", "tres", "tre"],
    &["four", "vier", "quatre", "cuatro", "quattro"],
    &["five", "fünf", "cinq", "cinco", "cinque"],
    &["six", "sechs", "seis", "sei"],
    &["seven", "sieben", "sept", "siete", "sette"],
    &["eight", "acht", "huit", "ocho", "otto"],
    &["nine", "neun", "neuf", "nueve", "nove"],
    &["ten", "zehn", "dix", "diez", "dieci"],
    &["eleven", "elf", "onze", "once", "undici"],
    &["twelve", "zwölf", "douze", "doce", "dodici"],
];

/// What must be is told in so many words at least.
const MUST_WORDS_MIN: usize = 7;

/// Whether a text says what must be: `FS-TYPE must be one of these`.
pub(super) fn must(text: &str) -> bool {
    const MUST: [&str; 19] = [
        " are mandatory",
        " are required",
        " can only ",
        " cannot be used",
        " has to be ",
        " have to be ",
        " is mandatory",
        " is required",
        " may not be used",
        " must be ",
        " must not ",
        " not allowed to ",
        " only if ",
        " only works ",
        " unless you ",
        " will only ",
        "you have to ",
        "you may not ",
        "you must ",
    ];
    // "The value must be a boolean." says nothing without what it is for.
    let is_brief = text.split_whitespace().nth(MUST_WORDS_MIN - 1).is_none();
    let is_empty = is_brief && !text.trim_end().ends_with(':');
    let lower = text.to_lowercase();
    !is_empty && MUST.iter().any(|turn| lower.contains(turn))
}

/// Whether a paragraph is only what something is called with, which is told behind it: ``Command: `mklabel LABEL-TYPE` ``.
pub(super) fn is_call(text: &[Inline]) -> bool {
    match text {
        [Inline::Code(_)] => true,
        [Inline::Text(kind), Inline::Code(_)] => kind.ends_with(": "),
        _ => false,
    }
}

/// Whether a sentence offers another way than the one before it does: alone, it would be the only one.
pub(super) fn offers_another(sentence: &str) -> bool {
    const OPENINGS: [&str; 16] = [
        "alternativ",
        "andernfalls",
        "ansonsten",
        "as an alternative",
        "de lo contrario",
        "en cambio",
        "if you prefer",
        "if you would rather",
        "if you'd rather",
        "in alternativa",
        "in the same way",
        "instead, ",
        "otherwise",
        "sinon",
        "stattdessen",
        "wenn sie lieber",
    ];
    let lower = sentence.to_lowercase();
    OPENINGS.iter().any(|opening| lower.starts_with(opening))
}
