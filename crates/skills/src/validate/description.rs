//! Owns the checks on the description of a skill (V030 to V039, V044, V045): an agent decides by it alone whether to load the skill.

use crate::validate::finding::{Finding, Findings};
use crate::validate::required;
use crate::validate::subject::Subject;
use skillkiln_document::patterns;
use skillkiln_document::text::{is_ideographic, letters, squash};

/// Longest description, in characters.
const CHARS_MAX: usize = 1_024;
/// Shortest description that can say anything.
const CHARS_MIN: usize = 40;
/// What a list of skills shows of it.
const SHOWN_CHARS: usize = 250;

patterns! {
    /// A statement of when the skill applies, in the languages that descriptions are written in.
    TRIGGER = r#"(?ix)
        \b(when|whenever|use\ (this|it|for|to|if|while|before|after|in)|used\ (for|to|when)
            |useful\ (for|if|to)|for\ use\ (in|with)|invoke\ (for|if)|triggers?(\ on|\ for)?
            |if\ the\ user
            |wenn|falls|zu\ verwenden|verwende[nt]?|benutzen|quand|lorsque|utiliser|cuando|usar|quando|usare
            |da\ usare|wanneer|gebruiken|kiedy|gdy)\b
        |do\ użycia|użyj|k\ použití|na\ použitie|використовувати|да\ се\ използва|kullanılır|används|bruges|brukes|käytetään
        |használandó|de\ folosit|per\ utilitzar|για\ χρήση|dùng\ khi|digunakan|برای\ استفاده|उपयोग|использовать|используй|когда|使用时机|使用時機|适用于|適用於|用于|用於|使用場面|とき|場合|使う|사용|때|يُستخدم|عند|לשימוש|כאשר"#;
    /// The writer or the reader speaks or is spoken to.
    PERSON = r#"(?x)
        \<( I \s [a-z] | I['’](m|ll|ve|d) \> | (?i: we | we['’](ll|re|ve) | my | our | ours | me ) \> (?: [^-] | $ ) | us \>
            | (?i: let['’]s | you \s (can|could|may|will|should|must|want) | (helps?|lets?|allows?
            |enables?) \s you ) \> )
        | (?: ^ | [.!?] \s ) (?i: you | your ) \b"#;
    /// Something still to be written.
    PLACEHOLDER = r#"(?x)
        (?: ^
            | [.!?:;(\[] \s* ) (TODO|FIXME|TBD|XXX)\> | \<(TODO|FIXME|TBD|XXX) (?: : | \s* [.)\]]* \s* $ )
        | (?i: lorem \s ipsum )
        | \[ \s* (?i: add | insert | describe | your | todo | fill | enter | replace | description
            | what | when ) \b [^\]]* \]
        | (?i: \b (your | insert | add | enter) \s (a \s | the \s)? description \s here \b )
        | \{\{
        | < (?i: your | insert | description | add | todo ) [^>]* >"#;
    /// Numbered or chained steps.
    STEPS = r#"(?ix)
        \bstep\ (\d|one|two|three)\b
        |→|->
        |\bfirst\b[^.]*\b(then|next)\b
        |\bthen\b[^.]*\b(then|finally|lastly)\b
        |(^|[:;,.(-]\s*)1\.\s.*[:;,.(-]\s*2\.\s
        |(^|\s)1\)\s.*\s2\)\s"#;
}

/// The description and its line, when it is text that is not blank.
pub(super) fn description<'s>(subject: &'s Subject<'_>) -> Option<(&'s str, u32)> {
    let field = subject.front.field("description")?;
    let text = field.value.as_text()?;
    (!text.trim().is_empty()).then_some((text, field.line))
}

/// Makes a check that a description fails with a message.
pub(super) fn described(
    subject: &Subject<'_>,
    fault: impl FnOnce(&str) -> Option<String>,
) -> Findings {
    let (text, line) = description(subject)?;
    Some(
        fault(text)
            .map(|message| Finding::at(line, message))
            .into_iter()
            .collect(),
    )
}

/// V030.
pub(super) fn is_present(subject: &Subject<'_>) -> Findings {
    required::is_present(
        subject,
        "description",
        "the description is missing; add `description: \"What it does. Use when ...\"` to the header",
    )
}

/// V031.
pub(super) fn is_text(subject: &Subject<'_>) -> Findings {
    required::is_text(
        subject,
        "description",
        "the description reads as a number or a truth value; write a sentence",
        "the description is empty or no text; write what the skill does and when to use it",
    )
}

/// V032.
pub(super) fn is_short_enough(subject: &Subject<'_>) -> Findings {
    described(subject, |text| {
        let chars = text.chars().count();
        (chars > CHARS_MAX)
            .then(|| format!("the description has {chars} characters; use at most {CHARS_MAX}"))
    })
}

/// V033.
pub(super) fn has_no_angle_bracket(subject: &Subject<'_>) -> Findings {
    described(subject, |text| {
        text.contains(['<', '>'])
            .then(|| "the description holds `<` or `>`; write it in words".to_owned())
    })
}

/// V034.
pub(super) fn says_when_to_use_it(subject: &Subject<'_>) -> Findings {
    described(subject, |text| {
        (!TRIGGER.is_match(text)).then(|| {
            "the description does not say when to use the skill; add a sentence `Use when ...`"
                .to_owned()
        })
    })
}

/// V035.
pub(super) fn speaks_in_the_third_person(subject: &Subject<'_>) -> Findings {
    described(subject, |text| {
        let found = PERSON.find(text)?;
        let word = found.as_str().trim_matches(|c: char| !c.is_alphanumeric());
        Some(format!(
            "the description says `{word}`; speak of the skill in the third person (`Extracts ...`)"
        ))
    })
}

/// V036.
pub(super) fn is_finished(subject: &Subject<'_>) -> Findings {
    described(subject, |text| {
        let found = PLACEHOLDER.find(text)?;
        Some(format!(
            "the description still holds `{}`; write what belongs there",
            squash(found.as_str())
        ))
    })
}

/// V038.
pub(super) fn leads_with_the_main_use(subject: &Subject<'_>) -> Findings {
    described(subject, |text| {
        let shown = text.char_indices().nth(SHOWN_CHARS).map(|(cut, _)| cut)?;
        let main = match TRIGGER.find(text) {
            Some(trigger) => trigger.start(),
            None => text.find(". ").unwrap_or(text.len()),
        };
        (main >= shown).then(|| {
            format!("lists show the first {SHOWN_CHARS} characters, and the main use comes after them; move it to the front")
        })
    })
}

/// V039.
pub(super) fn says_more_than_the_name(subject: &Subject<'_>) -> Findings {
    described(subject, |text| {
        let chars = text.trim().chars().count();
        // A sign of Chinese or Japanese says as much as three letters.
        let wide = text.chars().filter(|c| is_ideographic(*c)).count();
        if chars + 2 * wide < CHARS_MIN {
            return Some(format!(
                "the description has {chars} characters; use at least {CHARS_MIN} to say what the skill does and when"
            ));
        }
        let name = subject
            .front
            .field("name")
            .and_then(|field| field.value.as_text())
            .map(letters)?;
        (letters(text) == name).then(|| {
            "the description only repeats the name; say what the skill does and when".to_owned()
        })
    })
}

/// V044.
pub(super) fn lists_no_steps(subject: &Subject<'_>) -> Findings {
    described(subject, |text| {
        // "First Door, then …" is a name where it stands within a sentence.
        let is_name = |at: usize, found: &str| {
            let before = text.get(..at).unwrap_or_default().trim_end();
            found.starts_with("First ")
                && before.ends_with(|c: char| c.is_alphanumeric() || c == ',')
        };
        let mut steps = STEPS.find_iter(text);
        let found = steps.find(|found| !is_name(found.start(), found.as_str()))?;
        let found: String = found.as_str().trim().chars().take(40).collect();
        Some(format!(
            "the description lists steps (`{found}`); say what it is for, and leave the steps to the body"
        ))
    })
}

/// V045.
pub(super) fn ends_as_a_sentence(subject: &Subject<'_>) -> Findings {
    described(subject, |text| {
        let end = text
            .trim_end()
            .trim_end_matches(['"', '\'', ')', '”', '’', '»', '`']);
        let is_cut = end.ends_with("..") || end.ends_with('…');
        (is_cut || !end.ends_with(['.', '!', '?', '。', '！', '？', '।', '؟']))
            .then(|| "the description breaks off; end it with a full sentence".to_owned())
    })
}
