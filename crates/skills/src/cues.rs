//! Owns the words that tell what a sentence is for: a rule, a default, what fails, how to check; and those that lean on what stands
//! elsewhere.

use skillkiln_document::homes::somebodys;
use skillkiln_document::patterns;
use skillkiln_document::quick::QuickMap;
use skillkiln_document::text::Inline;
use std::sync::LazyLock;

/// What a cue tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cue {
    /// It must be so, or never.
    Must,
    /// It had better be so.
    Should,
    /// It is so unless somebody says otherwise.
    Default,
    /// Something goes wrong.
    Failure,
    /// How to tell that it worked.
    Verify,
    /// It is meant for a case.
    Condition,
}

/// Words by cue; a word is found as a whole in scripts with blanks.
const WORDS: [(Cue, &str); 6] = [
    (
        Cue::Must,
        "must never always cannot can't mustn't required requires mandatory forbidden prohibited shall only don't won't \
        muss müssen musst niemals nie immer nur darf dürfen erforderlich zwingend \
        doit doivent devez devrez jamais toujours obligatoire interdit uniquement seulement \
        debe deben debes debería nunca siempre obligatorio prohibido únicamente \
        deve devem sempre obrigatório somente apenas \
        должен должна должно должны нельзя никогда всегда обязательно только необходимо нужно",
    ),
    (
        Cue::Should,
        "should recommend recommended recommends prefer preferred preferable avoid instead important note warning caution beware \
        careful ensure remember better discouraged deprecated unless except \
        sollte sollten empfohlen empfiehlt vermeiden wichtig achtung stattdessen hinweis \
        recommandé recommande éviter évitez important attention préférez devrait plutôt \
        recomienda recomendado evite evitar importante atención preferible \
        recomendado evite importante cuidado prefira \
        следует рекомендуется важно внимание избегайте лучше",
    ),
    (
        Cue::Default,
        "default defaults implicitly otherwise standardmäßig voreingestellt défaut predeterminado omisión padrão умолчанию",
    ),
    (
        Cue::Failure,
        "error errors fail fails failed failure fatal crash exception broken wrong invalid refuses refused ignored missing lost \
        corrupt deadlock timeout unsafe danger vulnerable fehler schlägt fehlgeschlagen erreur échoue échec error falla fallo erro \
        falha ошибка ошибки сбой",
    ),
    (
        Cue::Verify,
        "verify verifies check checks confirm validate test inspect prüfen prüfe überprüfen vérifier vérifiez verificar compruebe \
        verifique проверьте проверить",
    ),
    (
        Cue::Condition,
        "if when whenever unless until while before after wenn falls sobald bevor si lorsque quand avant après cuando antes quando \
        se если когда",
    ),
];

/// Parts of words by cue, in scripts without blanks.
const PARTS: [(Cue, &str); 16] = [
    (Cue::Must, "必须"),
    (Cue::Must, "不得"),
    (Cue::Must, "禁止"),
    (Cue::Must, "不可"),
    (Cue::Must, "强制"),
    (Cue::Must, "なければ"),
    (Cue::Must, "해야"),
    (Cue::Should, "推荐"),
    (Cue::Should, "建议"),
    (Cue::Should, "注意"),
    (Cue::Should, "推奨"),
    (Cue::Should, "べき"),
    (Cue::Default, "默认"),
    (Cue::Default, "デフォルト"),
    (Cue::Failure, "错误"),
    (Cue::Failure, "エラー"),
];

static KNOWN: LazyLock<QuickMap<&'static str, Cue>> = LazyLock::new(|| {
    let mut known = QuickMap::default();
    for (cue, words) in WORDS {
        for word in words.split_whitespace() {
            known.entry(word).or_insert(cue);
        }
    }
    known
});

/// How often each cue stands in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cues {
    /// [`Cue::Must`].
    pub must: u8,
    /// [`Cue::Should`].
    pub should: u8,
    /// [`Cue::Default`].
    pub default: u8,
    /// [`Cue::Failure`].
    pub failure: u8,
    /// [`Cue::Verify`].
    pub verify: u8,
    /// [`Cue::Condition`].
    pub condition: u8,
}

impl Cues {
    /// The cues of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut cues = Self::default();
        let mut before = String::new();
        for word in text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’')) {
            if word.is_empty() {
                continue;
            }
            let lower = word.to_lowercase().replace('’', "'");
            match KNOWN.get(lower.as_str()) {
                Some(cue) => cues.add(*cue),
                None if lower == "not"
                    && matches!(before.as_str(), "do" | "does" | "is" | "are" | "may") =>
                {
                    cues.add(Cue::Must);
                }
                None => {}
            }
            before = lower;
        }
        if !text.is_ascii() {
            for (cue, part) in PARTS {
                if text.contains(part) {
                    cues.add(cue);
                }
            }
        }
        cues
    }

    fn add(&mut self, cue: Cue) {
        let count = match cue {
            Cue::Must => &mut self.must,
            Cue::Should => &mut self.should,
            Cue::Default => &mut self.default,
            Cue::Failure => &mut self.failure,
            Cue::Verify => &mut self.verify,
            Cue::Condition => &mut self.condition,
        };
        *count = count.saturating_add(1);
    }
}

/// Words with which a sentence begins that leans on the one before it.
const LEANING: &str = " this that these those it they he she such however therefore thus hence also then otherwise instead moreover \
    furthermore additionally similarly likewise conversely consequently namely but and so or both here there its their \
    dies diese dieser dieses das es sie jedoch außerdem daher deshalb aber und \
    cela ceci ce cette ces il elle ils elles cependant toutefois ainsi donc mais et \
    esto eso esta este estos estas sin además pero y \
    isso isto este esta ele ela mas e \
    это этот эта эти он она они однако поэтому но и также ";

/// Whether a sentence leans on the one before it: it begins with a pronoun or a connective.
#[must_use]
pub fn leans(sentence: &str) -> bool {
    let first: String = sentence
        .chars()
        .skip_while(|c| !c.is_alphanumeric())
        .take_while(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    let starts = |marks: &[&str]| marks.iter().any(|mark| sentence.starts_with(mark));
    let contrasts = [
        "In contrast",
        "By contrast",
        "On the other hand",
        "In this case",
    ];
    starts(&contrasts)
        || (!first.is_empty() && LEANING.contains(&format!(" {first} ")))
        || starts(&[
            "これ",
            "それ",
            "この",
            "その",
            "また",
            "しかし",
            "这",
            "该",
            "但",
            "因此",
            "此",
            "이 ",
            "그 ",
        ])
}

patterns! {
    /// A pointer to something that stood elsewhere in the source.
    pub POINTER = r#"(?ix)
        \b(?:as\ (?:we\ (?:have\ )?)?(?:shown|mentioned|described|discussed|noted|explained|seen
            |stated|illustrated|outlined|defined|said|indicated)\ (?:(?:in\ the\ )?(?:above|below
            |earlier|before|previously)\b|in\ (?:the\ )?(?:figure
            |fig\.?|table|chapter|section|listing|example)\ ?\d)|(?:shown|see|illustrated
            |depicted)\ in\ (?:the\ )?(?:figure|fig\.|table|listing|screenshot|diagram|image
            |picture)\ ?(?:\d|above|below)|(?:see|refer\ to|in)\ (?:figure|fig\.|listing|chapter)\ \d
            |the\ (?:above|preceding|previous|aforementioned|foregoing)\ (?:example|section|code|figure
            |table|command|commands|step|paragraph|snippet|listing|screenshot|chapter|diagram)
            |the\ (?:example|code|figure|table|command|snippet|screenshot|diagram|image)\ (?:above
            |below)|(?:in|from)\ the\ (?:previous|preceding|last|next)\ (?:section|chapter|page|step
            |part|article|post|video|lesson|tutorial)|(?:see|described|mentioned|shown|listed
            |discussed)\ (?:above|below)\b|in\ this\ (?:chapter|article|blog\ post|post|video|lesson
            |tutorial)|later\ in\ this\ (?:chapter|article|guide|tutorial|section|document))"#;
}

/// Phrases that point at what stands elsewhere.
const POINTING: [&str; 34] = [
    "above",
    "below",
    "as follows",
    "the following",
    "following example",
    "previous section",
    "next section",
    "this section",
    "this chapter",
    "this document",
    "this article",
    "this page",
    "this guide",
    "this post",
    "see figure",
    "in figure",
    "see table",
    "shown in",
    "as shown",
    "earlier",
    "here is",
    "here are",
    "here's",
    "let's",
    "we'll",
    "we will",
    "unten",
    "oben",
    "folgende",
    "ci-dessous",
    "ci-dessus",
    "suivant",
    "a continuación",
    "siguiente",
];

/// Whether a text announces what stands behind it.
#[must_use]
pub fn announces(text: &str) -> bool {
    let end = text.trim_end().trim_end_matches('.');
    end.ends_with([':', '：', '…'])
        || [
            " following",
            " as follows",
            " like this",
            " like so",
            " below",
        ]
        .iter()
        .any(|words| end.ends_with(words))
}

/// Whether a sentence points at what stands elsewhere, and says too little alone.
#[must_use]
pub fn points_elsewhere(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let ends_open = lower
        .trim_end_matches(['*', '_', '`', ' '])
        .ends_with([':', '：', ',']);
    ends_open || POINTING.iter().any(|phrase| lower.contains(phrase))
}

/// Phrases that a card does not take over, whatever else is said beside them: what ages, what is unfinished, what any text could say,
/// what points at a place that is not there.
const UNFIT: [&str; 46] = [
    "currently",
    "nowadays",
    "recently",
    "at the moment",
    "at present",
    "as of now",
    "as of today",
    "as of this writing",
    "this year",
    "next year",
    "last year",
    "near future",
    "coming soon",
    "available soon",
    "latest version",
    "newest version",
    "upcoming version",
    "current version",
    "latest release",
    "current release",
    "upcoming release",
    "feel free to",
    "worth noting",
    "it should be noted",
    "needless to say",
    "dive in",
    "delve into",
    "seamless",
    "cutting-edge",
    "in conclusion",
    "todo",
    "fixme",
    "tbd",
    "lorem ipsum",
    "skip to content",
    "subscribe to our",
    "in section",
    "see section",
    "all rights reserved",
    "see the license",
    "edit on github",
    "edit this page",
    "s important to note",
    "s important to remember",
    "s important to understand",
    "s important to mention",
];

/// What a sentence may open with that says nothing.
const FILLERS: [&str; 11] = [
    "it is important to note that ",
    "it is important to understand that ",
    "it's important to note that ",
    "it is worth noting that ",
    "it's worth noting that ",
    "it should be noted that ",
    "please note that ",
    "note that ",
    "needless to say, ",
    "as has been mentioned, ",
    "as mentioned above, ",
];

/// Takes the opening that says nothing off a sentence.
pub fn strip_filler(sentence: &mut [Inline]) {
    let Some(Inline::Text(text)) = sentence.first_mut() else {
        return;
    };
    let begins = |filler: &&&str| {
        let head = text.get(..filler.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(filler))
    };
    let Some(filler) = FILLERS.iter().find(begins) else {
        return;
    };
    let rest = text.get(filler.len()..).unwrap_or_default();
    let mut chars = rest.chars();
    if let Some(first) = chars.next() {
        *text = first.to_uppercase().chain(chars).collect();
    }
}

/// Whether a text says what a card does not take over.
#[must_use]
pub fn is_unfit(text: &str) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    UNFIT.iter().any(|phrase| lower.contains(phrase))
        || somebodys(text).next().is_some()
        || lower.contains("as of ") && lower.contains("20")
}

/// Whether a text is a note of whoever has not written it to its end, or names a folder of somebody's own.
#[must_use]
pub fn is_unfinished(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| matches!(word, "TODO" | "FIXME" | "TBD")) || somebodys(text).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_tell_what_a_sentence_is_for() {
        let cues = Cues::of("You must never open the door; do not even touch it.");
        assert_eq!((cues.must, cues.should), (3, 0));
        assert_eq!(Cues::of("The default is 4, otherwise it fails.").default, 2);
        assert_eq!(Cues::of("窯の扉は開けなければならない。").must, 1);
    }

    #[test]
    fn an_opening_that_says_nothing_is_taken_off() {
        let mut sentence = [Inline::Text(
            "It is important to note that clay shrinks.".into(),
        )];
        strip_filler(&mut sentence);
        assert_eq!(sentence, [Inline::Text("Clay shrinks.".into())]);
    }

    #[test]
    fn a_sentence_that_leans_or_points_does_not_stand_alone() {
        assert!(leans("This opens the door."));
        assert!(!leans("The kiln opens."));
        assert!(points_elsewhere("Run the following:"));
        assert!(points_elsewhere("It is shown in the picture."));
        assert!(!points_elsewhere("Run `fire`."));
    }
}
