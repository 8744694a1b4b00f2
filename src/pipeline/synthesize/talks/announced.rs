//! Owns what a talk says of itself in its first minutes: "today we'll talk about kilns" tells what it is on, where its file tells
//! nothing.
//!
//! The words are the speaker's own, cut at the next border of speech; none is added.

use crate::pipeline::synthesize::describe::capitalised;
use crate::pipeline::synthesize::headlines::is_personal;
use crate::pipeline::synthesize::sentences::sentences;
use crate::pipeline::synthesize::words::is_english_stop;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Inline, is_unspaced, plain, straight};

/// A talk announces its subject among its first words, or not at all.
const WORDS: usize = 250;
/// The same where no blanks part words.
const SIGNS: usize = 800;
/// What is announced is told in so many words at the most.
const OBJECT_WORDS_MAX: usize = 8;
/// And in so many signs of a script without blanks.
const OBJECT_SIGNS: std::ops::RangeInclusive<usize> = 2..=24;
/// So many words before a verb tell who is to do what it says.
const CONTEXT_WORDS: usize = 6;

/// How surely a subject is announced; the figures only order the ways of doing so.
const TOLD: u8 = 4;
const ASKED_FOR: u8 = 3;
const GREETED: u8 = 2;
const SUPPOSED: u8 = 1;

/// What announces a subject by itself, as words that follow each other.
const SURE: &[&str] = &[
    "talk is about",
    "video is about",
    "lecture is about",
    "tutorial is about",
    "session is about",
    "talk is on",
    "topic is",
    "subject is",
    "today's topic is",
    "sprechen wir über",
    "reden wir über",
    "geht es um",
    "geht's um",
    "spreche ich über",
    "zeige ich euch wie",
    "zeige ich dir wie",
    "zeige ich euch",
    "zeige ich dir",
    "beschäftigen wir uns mit",
    "thema ist",
    "parler de",
    "parler du",
    "parler des",
    "vous montrer comment",
    "hablar de",
    "hablar sobre",
    "hablaremos de",
    "hablaremos sobre",
    "aprenderemos a",
    "enseñarte a",
    "parlare di",
    "parleremo di",
    "falar sobre",
    "falar de",
    "hebben we het over",
    "gaat het over",
    "praten over",
];
/// What does so where the speaker says who is to do it.
const ASKED: &[&str] = &[
    "talk about",
    "talking about",
    "speak about",
    "speaking about",
    "talk on",
    "learn about",
    "learning about",
    "learn how to",
    "learning how to",
    "teach you how to",
    "teach you",
    "show you how to",
    "showing you how to",
    "show how to",
    "introduce you to",
    "discuss",
    "discussing",
    "walk you through",
];
/// What does so less surely: it may be the first step of many.
const PERHAPS: &[&str] = &[
    "look at",
    "looking at",
    "see how to",
    "explain",
    "explore",
    "exploring",
    "cover",
    "covering",
    "dive into",
    "start with",
    "go over",
    "focus on",
];
/// What greets, and names what the course or the talk is on.
const GREETING: &[&str] = &[
    "welcome to",
    "willkommen zum",
    "willkommen zur",
    "willkommen zu",
    "bienvenue dans",
    "bienvenidos a",
    "bienvenido a",
    "benvenuti a",
    "welkom bij",
];
/// Who is to do something, or when.
const WHO: &str = " today i i'm i'll we we're we'll you'll let's let going gonna want video tutorial lecture lesson talk episode session how ";
/// What comes behind a subject, and is none of it.
const BORDERS: &str = " today tonight so because but which that where when if before then hope okay ok alright now i i'm i'll i've we we're we'll \
    we've you you'll you're it it's he she they here let's let hey uh um thanks please is are was were while since heute weil dass aber wir \
    ich du aujourd'hui parce hoy porque pero oggi perché hoje vandaag ";
/// What comes behind "and" where another sentence begins.
const SENTENCES: &str = " i i'm we we're we'll you it it's it'll this that these then so what how why let's also wir ich du on nous vous ";
/// What stands before a subject, and is none of it.
const BEFORE: &str = " a an the some of all about on basically actually really just this these those our your my is are to kind sort bit little \
    um uh like der die das den dem ein eine einen einem le la les un une des el los las una unos unas il lo gli uno o os as um uma het een de ";
/// How it is done stands before what is done.
const HOW: &[&str] = &[
    "how you can",
    "how we can",
    "how you could",
    "how do you",
    "how do we",
    "how to",
    "how you",
    "how we",
    "how i",
    "what",
    "what's",
    "wie man",
    "wie ihr",
    "wie du",
    "wie wir",
    "comment",
    "cómo",
];
/// With what no subject ends.
const OPEN: &str = " of to the a an and or in on at by for with from as than into about instead how what your our my very using is are \
    means does do und oder von mit der die das den dem für im in et ou de du des la le les y o del el los las con para e di da do ";
/// What a series and its parts are called, and who listens: it tells no subject.
const FRAMES: &str = " channel class course episode everybody everyone lecture lesson part podcast season series session show stream talk tutorial \
    video webinar workshop ";
/// What tells no subject either.
const EMPTY: &str = " another back final first last little new next one second stuff thing things topic today tomorrow ";

/// What a talk announces at its beginning, as a title.
pub(in crate::pipeline::synthesize) fn announced(blocks: &[Block]) -> Option<String> {
    let text = beginning(blocks);
    if text.chars().filter(|c| is_unspaced(*c)).count() * 4 > text.chars().count() {
        return in_signs(&text);
    }
    let mut best: Option<(u8, String)> = None;
    for range in sentences(&text) {
        let said: Vec<Word<'_>> = text
            .get(range)
            .unwrap_or_default()
            .split_whitespace()
            .map(Word::of)
            .collect();
        for at in 0..said.len() {
            let Some((sureness, length)) = cue(&said, at) else {
                continue;
            };
            if best.as_ref().is_some_and(|(most, _)| *most >= sureness) {
                continue;
            }
            let behind = said.get(at + length..).unwrap_or_default();
            let named = match sureness {
                GREETED => subject_of_talk(behind),
                _ => Some(behind),
            };
            if let Some(object) = named.and_then(object) {
                best = Some((sureness, object));
            }
        }
    }
    best.map(|(_, object)| capitalised(&object))
}

/// What is said first, without who says it.
fn beginning(blocks: &[Block]) -> String {
    let mut text = String::new();
    let (mut words, mut signs) = (0, 0);
    for block in blocks {
        let BlockKind::Paragraph(inlines) = &block.kind else {
            continue;
        };
        let said = match inlines.as_slice() {
            [Inline::Strong(_), rest @ ..] if !rest.is_empty() => plain(rest),
            all => plain(all),
        };
        let said = said.trim_start_matches([':', ' ']);
        for word in said.split_whitespace() {
            words += 1;
            signs += word.chars().filter(|c| is_unspaced(*c)).count();
            if words > WORDS || signs > SIGNS {
                return text;
            }
            text.push_str(word);
            text.push(' ');
        }
        text.push('\n');
    }
    text
}

/// A word as it stands, and as it is looked up.
struct Word<'a> {
    text: &'a str,
    lower: String,
}

impl<'a> Word<'a> {
    fn of(text: &'a str) -> Self {
        let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
        let lower = straight(bare).to_lowercase();
        Self { text, lower }
    }

    fn is_in(&self, list: &str) -> bool {
        !self.lower.is_empty() && list.contains(&format!(" {} ", self.lower))
    }

    /// Whether speech breaks off behind it.
    fn ends(&self) -> bool {
        self.text
            .ends_with(['.', ',', '!', '?', ';', ':', '…', '—', '–'])
    }
}

/// How surely the words at a place announce something, and how many they are.
fn cue(said: &[Word<'_>], at: usize) -> Option<(u8, usize)> {
    let stands = |phrases: &[&str]| {
        phrases
            .iter()
            .filter_map(|phrase| {
                let length = phrase.split(' ').count();
                let own = said.get(at..at + length)?;
                let same = own.iter().map(|word| word.lower.as_str());
                (same.eq(phrase.split(' ')) && !own.iter().rev().skip(1).any(Word::ends))
                    .then_some(length)
            })
            .max()
    };
    let before = said
        .get(at.saturating_sub(CONTEXT_WORDS)..at)
        .unwrap_or_default();
    let is_asked = before.iter().any(|word| word.is_in(WHO));
    stands(SURE)
        .map(|length| (TOLD, length))
        .or_else(|| {
            stands(ASKED)
                .filter(|_| is_asked)
                .map(|length| (ASKED_FOR, length))
        })
        .or_else(|| stands(GREETING).map(|length| (GREETED, length)))
        .or_else(|| {
            stands(PERHAPS)
                .filter(|_| is_asked)
                .map(|length| (SUPPOSED, length))
        })
}

/// The words behind a greeting from where they name a subject: "this talk about kilns" is on kilns.
fn subject_of_talk<'a, 'w>(words: &'a [Word<'w>]) -> Option<&'a [Word<'w>]> {
    let end = words.iter().position(Word::ends);
    let until = words.get(..end.map_or(words.len(), |at| at + 1))?;
    let Some(frame) = until.iter().position(|word| word.is_in(FRAMES)) else {
        return Some(words);
    };
    let is_on = |word: &Word<'_>| word.is_in(" about on über sur sobre ");
    let on = until.get(frame..)?.iter().position(is_on)?;
    words.get(frame + on + 1..)
}

/// The subject that words begin with.
fn object(words: &[Word<'_>]) -> Option<String> {
    let mut words = words;
    loop {
        let start = HOW.iter().find_map(|how| {
            let length = how.split(' ').count();
            let own = words.get(..length)?.iter().map(|word| word.lower.as_str());
            own.eq(how.split(' ')).then_some(length)
        });
        let start = start.or_else(|| words.first().filter(|word| word.is_in(BEFORE)).map(|_| 1));
        match start {
            // What ends with an article or "it" is none.
            Some(start) if !words.get(..start)?.iter().any(Word::ends) => {
                words = words.get(start..)?;
            }
            Some(_) => return None,
            None => break,
        }
    }
    let mut length = 0;
    for (at, word) in words.iter().enumerate().take(OBJECT_WORDS_MAX) {
        let next = words.get(at + 1);
        let opens_sentence = matches!(word.lower.as_str(), "and" | "und" | "et" | "y")
            && next.is_none_or(|next| next.is_in(SENTENCES));
        let opens_frame =
            word.lower == "in" && next.is_some_and(|next| next.is_in(" this today's diesem der "));
        if word.is_in(BORDERS) || opens_sentence || opens_frame {
            break;
        }
        length = at + 1;
        if word.ends() {
            break;
        }
    }
    let mut chosen = words.get(..length)?;
    while let Some((_, shorter)) = chosen.split_last().filter(|(last, _)| last.is_in(OPEN)) {
        chosen = shorter;
    }
    let tells = |word: &Word<'_>| {
        !word.is_in(FRAMES)
            && !word.is_in(EMPTY)
            && !is_english_stop(&word.lower)
            && word.lower.chars().count() > 1
    };
    if !chosen.iter().any(tells) {
        return None;
    }
    let object: Vec<&str> = chosen.iter().map(|word| word.text).collect();
    let object = object.join(" ");
    let object = object.trim_matches(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '.' | ',' | '!' | '?' | ';' | ':' | '…' | '—' | '–' | '"' | '“' | '”'
            )
    });
    (!object.is_empty() && !is_personal(object)).then(|| object.to_owned())
}

/// What opens an announcement where no blanks part words, and what stands between it and the subject.
const OPENINGS: &[&str] = &[
    "今日は",
    "今回は",
    "本日は",
    "この動画では",
    "このビデオでは",
    "この講義では",
    "今天",
    "本期视频",
    "这期视频",
    "这个视频",
    "本视频",
    "这节课",
    "本节课",
    "這個影片",
    "這部影片",
    "本影片",
];
/// What stands behind the subject in Japanese.
const BEHIND: &[&str] = &[
    "について",
    "に関して",
    "を紹介",
    "をご紹介",
    "を説明",
    "を解説",
    "を学",
    "を見て",
    "を作",
    "の話を",
    "のお話",
];
/// What stands before the subject in Chinese.
const VERBS: &[&str] = &[
    "聊聊",
    "聊一聊",
    "谈谈",
    "談談",
    "讲讲",
    "讲解",
    "讲一下",
    "介绍一下",
    "介紹一下",
    "介绍",
    "介紹",
    "学习",
    "學習",
    "讨论",
    "討論",
    "了解",
    "看看",
    "分享",
    "讲",
    "講",
];

/// The same in a script without blanks.
fn in_signs(text: &str) -> Option<String> {
    text.split(['。', '！', '？', '\n']).find_map(|sentence| {
        let rest = OPENINGS
            .iter()
            .find_map(|opening| sentence.split_once(opening))
            .map(|(_, rest)| rest)?;
        let behind = BEHIND.iter().filter_map(|verb| rest.find(verb)).min();
        let before = VERBS
            .iter()
            .filter_map(|verb| rest.find(verb).map(|at| at + verb.len()))
            .filter(|end| {
                rest.get(..*end)
                    .is_some_and(|head| head.chars().count() <= 10)
            })
            .min();
        let object = match (behind, before) {
            (Some(end), _) => rest.get(..end)?.rsplit('、').next()?,
            (None, Some(start)) => rest.get(start..)?.split(['，', '、', ',']).next()?,
            (None, None) => return None,
        };
        let object = object.trim_matches(|c: char| !c.is_alphanumeric());
        OBJECT_SIGNS
            .contains(&object.chars().count())
            .then(|| object.replace(' ', ""))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::synthesize::testing::document;

    #[test]
    fn a_talk_is_called_by_what_it_announces() {
        for (said, title) in [
            (
                "Thanks for coming. I'm going to talk about kiln doors today. They are hot.",
                "Kiln doors",
            ),
            (
                "hey what's up guys today we'll talk about how you can use the kiln door instead of a brick wall with fire and it will be easy",
                "Use the kiln door instead of a brick",
            ),
            (
                "Welcome to ceramics, the art of fire. It is old.",
                "Ceramics",
            ),
            ("Hello. Let's talk about Glaze32. All right.", "Glaze32"),
            (
                "Because kilns burn, it's important to understand how to talk about kiln performance. Good.",
                "Kiln performance",
            ),
            (
                "Hi and welcome to this video on wood firing. I am Kim.",
                "Wood firing",
            ),
            (
                "In this video I will show you how to build a small kiln from bricks.",
                "Build a small kiln from bricks",
            ),
            (
                "Hallo. Heute geht es um den Bau von Öfen. Los.",
                "Bau von Öfen",
            ),
            (
                "Hoy vamos a hablar de los hornos de leña porque calientan.",
                "Hornos de leña",
            ),
            ("Aujourd'hui on va parler des fours à bois.", "Fours à bois"),
            (
                "こんにちは。今日は窯の作り方について説明します。",
                "窯の作り方",
            ),
            ("大家好，今天我们来聊聊柴窑的历史，很有意思。", "柴窑的历史"),
        ] {
            assert_eq!(
                announced(&document(said).blocks).as_deref(),
                Some(title),
                "{said}"
            );
        }
    }

    #[test]
    fn a_greeting_announces_nothing() {
        for said in [
            "Welcome back to another kiln video. It is hot.",
            "Welcome to my channel. It is hot.",
            "Okay. Well, that's what we're going to talk about today. It is hot.",
            "Today we'll talk about it.",
            "The kiln is hot. It glows.",
        ] {
            assert_eq!(announced(&document(said).blocks), None, "{said}");
        }
    }
}
