//! Owns what of a talk is told in a body: not who paid for the recording, not how its listeners are greeted and sent off, and not
//! what a recogniser heard where nobody spoke. The references keep all of it.

use super::is_talk;
use crate::pipeline::synthesize::sentences::sentences;
use aho_corasick::AhoCorasick;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Inline, straight};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

/// A longer sentence is one that nobody punctuated: something else may stand in it.
const SENTENCE_WORDS_MAX: usize = 45;
/// A passage for a sponsor is no longer, and not more than this part of a talk, in percent.
const PASSAGE_SENTENCES_MAX: usize = 45;
const PASSAGES_PERCENT_MAX: usize = 30;
/// It goes on behind a sentence of its own for so many sentences until the next one.
const PASSAGE_GAP: usize = 12;

/// What is said for the recording's sake alone.
const CHATTER: [&str; 66] = [
    "thanks for watching",
    "thank you for watching",
    "thanks for listening",
    "thank you for listening",
    "thanks so much for watching",
    "see you next time",
    "see you in the next",
    "see you in my next",
    "see you in another",
    "see you guys",
    "catch you in the next",
    "until next time",
    "please subscribe",
    "and subscribe",
    "subscribe to my channel",
    "subscribe to our channel",
    "subscribe to the channel",
    "subscribe for more",
    "subscribe button",
    "like button",
    "notification bell",
    "hit the bell",
    "link in the description",
    "links in the description",
    "link is in the description",
    "in the description below",
    "comment down below",
    "comments down below",
    "leave a comment below",
    "keep watching keep",
    "support me on patreon",
    "support us on patreon",
    "welcome back to another",
    "welcome back to my channel",
    "welcome back to the channel",
    "welcome to my channel",
    "what's up guys",
    "what is up guys",
    "hey guys welcome",
    "hello everyone welcome back",
    "fürs zuschauen",
    "für's zuschauen",
    "danke fürs zuhören",
    "bis zum nächsten mal",
    "bis zum nächsten video",
    "abonniert den kanal",
    "abonniert meinen kanal",
    "in der videobeschreibung",
    "link in der beschreibung",
    "merci d'avoir regardé",
    "abonnez-vous",
    "à la prochaine vidéo",
    "lien dans la description",
    "gracias por ver",
    "suscríbete",
    "suscríbanse",
    "nos vemos en el próximo",
    "enlace en la descripción",
    "ご視聴ありがとうござ",
    "チャンネル登録",
    "概要欄",
    "感谢观看",
    "谢谢观看",
    "感謝觀看",
    "订阅我的频道",
    "訂閱我的頻道",
];
/// What tells of who pays for a recording, and nothing else.
const SPONSORS: [&str; 30] = [
    "video is sponsored",
    "episode is sponsored",
    "podcast is sponsored",
    "is sponsored by",
    "video sponsor",
    "video's sponsor",
    "today's sponsor",
    "episode's sponsor",
    "our sponsor",
    "my sponsor",
    "this sponsor",
    "sponsor of this video",
    "sponsor of today's",
    "sponsoring this video",
    "sponsoring this episode",
    "sponsoring today's",
    "for sponsoring",
    "brought to you by",
    "use my code",
    "use our code",
    "use code ",
    "promo code",
    "discount code",
    "use the code",
    "free trial",
    "more on them later",
    "gesponsert von",
    "rabattcode",
    "sponsorisée par",
    "patrocinado por",
];
/// How a speaker comes back to the matter.
const BACK: [&str; 12] = [
    "now, back to",
    "now back to",
    "and back to",
    "okay, back to",
    "so back to",
    "back to the video",
    "let's get back to",
    "getting back to",
    "zurück zum thema",
    "revenons à",
    "volvamos a",
    "alright, back to",
];
/// Sounds that are no words; alone they are no turn of a conversation.
const GHOSTS: &str = " mm mmm mhm hm hmm mm-hmm mm-hm uh uh-huh uh-hum um uhm ah oh huh ok okay ";

static IS_CHATTER: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(&CHATTER));
static IS_SPONSOR: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(&SPONSORS));
static IS_BACK: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(&BACK));

fn any_of(turns: &[&str]) -> AhoCorasick {
    AhoCorasick::new(turns).expect("a few dozen short constants fit any automaton")
}

/// The blocks of a talk as a body tells them: as many as there are, of which those are empty that say nothing of its matter. Those of
/// anything else as they are.
pub(in crate::pipeline::synthesize) fn told(blocks: &[Block]) -> Cow<'_, [Block]> {
    if !is_talk(blocks) {
        return Cow::Borrowed(blocks);
    }
    let said: Vec<Option<Said>> = blocks.iter().map(Said::of).collect();
    let mut all: Vec<(usize, Range<usize>)> = Vec::new();
    let mut kinds: Vec<Kind> = Vec::new();
    for (at, said) in said.iter().enumerate() {
        let Some(said) = said else { continue };
        for range in sentences(said.words()) {
            let sentence = said.words().get(range.clone()).unwrap_or_default();
            kinds.push(Kind::of(sentence));
            all.push((at, range));
        }
    }
    leave_out_passages(&mut kinds);
    let mut out = Cow::Borrowed(blocks);
    let mut rest = all.iter().zip(&kinds).peekable();
    for (at, said) in said.iter().enumerate() {
        let Some(said) = said else { continue };
        let mut kept: Vec<Range<usize>> = Vec::new();
        let mut has_lost = false;
        while let Some(((_, range), kind)) = rest.next_if(|((of, _), _)| *of == at) {
            match kind {
                Kind::Matter => kept.push(range.clone()),
                _ => has_lost = true,
            }
        }
        let is_ghost = said.is_turn && is_ghost(said.words());
        if !(has_lost || is_ghost) {
            continue;
        }
        let left = match is_ghost {
            true => Vec::new(),
            false => said.with(&kept),
        };
        if let Some(block) = out.to_mut().get_mut(at) {
            block.kind = BlockKind::Paragraph(left);
        }
    }
    out
}

/// Whether a block of a talk tells nothing of its matter, so that a body has no place for it.
pub(in crate::pipeline::synthesize) fn is_untold(block: &Block) -> bool {
    matches!(&block.kind, BlockKind::Paragraph(text) if text.is_empty())
}

/// What a paragraph says, and who says it.
struct Said<'a> {
    speaker: Option<&'a Inline>,
    text: &'a str,
    is_turn: bool,
}

impl<'a> Said<'a> {
    fn of(block: &'a Block) -> Option<Self> {
        let BlockKind::Paragraph(inlines) = &block.kind else {
            return None;
        };
        match inlines.as_slice() {
            [Inline::Text(text)] => Some(Self {
                speaker: None,
                text,
                is_turn: true,
            }),
            [speaker @ Inline::Strong(_), Inline::Text(text)] if text.starts_with(": ") => {
                Some(Self {
                    speaker: Some(speaker),
                    text,
                    is_turn: true,
                })
            }
            _ => None,
        }
    }

    /// Its words without the colon behind the speaker.
    fn words(&self) -> &'a str {
        match self.speaker {
            Some(_) => self.text.strip_prefix(": ").unwrap_or(self.text),
            None => self.text,
        }
    }

    /// The same with these sentences alone.
    fn with(&self, kept: &[Range<usize>]) -> Vec<Inline> {
        let words = self.words();
        let mut text = String::new();
        let mut last: Option<usize> = None;
        for range in kept {
            if let Some(end) = last {
                // As they stood apart.
                let between = words.get(end..range.start).unwrap_or(" ");
                text.push_str(if between.trim().is_empty() {
                    between
                } else {
                    " "
                });
            }
            text.push_str(words.get(range.clone()).unwrap_or_default());
            last = Some(range.end);
        }
        if text.trim().is_empty() {
            return Vec::new();
        }
        let lead = match self.speaker {
            Some(_) => ": ",
            None => "",
        };
        let mut out: Vec<Inline> = self.speaker.cloned().into_iter().collect();
        out.push(Inline::Text(format!("{lead}{text}")));
        out
    }
}

/// What a sentence is said for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Matter,
    Chatter,
    Sponsor,
    Back,
}

impl Kind {
    fn of(sentence: &str) -> Self {
        if sentence
            .split_whitespace()
            .nth(SENTENCE_WORDS_MAX)
            .is_some()
        {
            return Self::Matter;
        }
        let lower = straight(sentence).to_lowercase();
        if IS_BACK.is_match(&lower) {
            Self::Back
        } else if IS_SPONSOR.is_match(&lower) || is_reduction(&lower) {
            Self::Sponsor
        } else if IS_CHATTER.is_match(&lower) {
            Self::Chatter
        } else {
            Self::Matter
        }
    }
}

/// Whether a sentence offers something for less: `get 50% off your first crate`.
fn is_reduction(lower: &str) -> bool {
    let offers = ["get ", "receive ", "save ", "code "];
    lower.match_indices("% off").any(|(at, _)| {
        let before = lower.get(..at).unwrap_or_default();
        before.ends_with(|c: char| c.is_ascii_digit())
            && offers.iter().any(|offer| before.contains(offer))
    })
}

/// Takes what stands between two sentences on a sponsor for his too, up to where the speaker comes back; and no sentence of a talk that
/// is on sponsors.
fn leave_out_passages(kinds: &mut [Kind]) {
    let mut ends: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < kinds.len() {
        if kinds.get(at) != Some(&Kind::Sponsor) {
            at += 1;
            continue;
        }
        let end = passage_end(kinds, at);
        ends.push(at..end);
        at = end;
    }
    let taken: usize = ends.iter().map(ExactSizeIterator::len).sum();
    let is_on_sponsors = taken * 100 > kinds.len() * PASSAGES_PERCENT_MAX;
    for kind in kinds.iter_mut() {
        if *kind == Kind::Back || is_on_sponsors && *kind == Kind::Sponsor {
            *kind = Kind::Matter;
        }
    }
    if !is_on_sponsors {
        for passage in ends {
            kinds
                .get_mut(passage)
                .unwrap_or_default()
                .fill(Kind::Sponsor);
        }
    }
}

/// Where the passage that begins with a sentence ends: where the speaker comes back, else behind the last sentence of its kind that
/// is near the one before.
fn passage_end(kinds: &[Kind], start: usize) -> usize {
    let until = (start + PASSAGE_SENTENCES_MAX).min(kinds.len());
    let mut last = start;
    let back = (start + 1..until).find(|at| kinds.get(*at) == Some(&Kind::Back));
    for at in start + 1..back.unwrap_or(until) {
        if kinds.get(at) == Some(&Kind::Sponsor) && (back.is_some() || at - last <= PASSAGE_GAP) {
            last = at;
        }
    }
    match back {
        // The speaker comes back from the last sentence on a sponsor, not from the first one, if that is far away.
        Some(back) if back - last <= PASSAGE_GAP => back,
        _ => last + 1,
    }
}

/// Whether a turn consists of sounds alone.
fn is_ghost(words: &str) -> bool {
    let mut sounds = words.split_whitespace().map(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        bare.to_lowercase()
    });
    sounds.clone().next().is_some()
        && sounds.all(|sound| !sound.is_empty() && GHOSTS.contains(&format!(" {sound} ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::synthesize::outline::block_text;
    use skillkiln_document::blocks::{Landmark, Span};

    fn said(text: &str) -> Block {
        let landmark = Landmark {
            seconds: Some((0.0, 1.0)),
            ..Landmark::default()
        };
        let text = Inline::Text(text.to_owned());
        Block {
            kind: BlockKind::Paragraph(vec![text]),
            span: Span::at(0..1, Some(landmark.into())),
        }
    }

    fn left(texts: &[&str]) -> Vec<String> {
        let blocks: Vec<Block> = texts.iter().map(|text| said(text)).collect();
        let told = told(&blocks);
        assert_eq!(told.len(), blocks.len());
        told.iter()
            .map(|block| block_text(block).trim().to_owned())
            .collect()
    }

    /// A talk long enough that a sponsor's passage is a small part of it.
    fn talk(passage: &[&str]) -> Vec<String> {
        let matter =
            "The kiln is hot. It glows. We open it. It cools. The pot is done. We wait. It is red.";
        let mut texts = vec![matter; 3];
        texts.extend_from_slice(passage);
        texts.push(matter);
        left(&texts)[3..3 + passage.len()].to_vec()
    }

    #[test]
    fn who_pays_is_not_told_until_the_speaker_comes_back() {
        let told = talk(&[
            "What if kilns think? I was happy to partner again with this video sponsor, PotCo. PotCo makes pots.",
            "My son loves them. Use my code KILN to receive 50% off your first pot. Thanks to PotCo for sponsoring this video.",
            "Now, back to the heat. It is great.",
        ]);
        assert_eq!(
            told,
            [
                "What if kilns think?",
                "",
                "Now, back to the heat. It is great."
            ]
        );
    }

    #[test]
    fn a_sponsor_that_is_named_once_takes_nothing_along() {
        let told = talk(&[
            "This video is sponsored by PotCo. More on them later. Kilns are old. They burn wood.",
        ]);
        assert_eq!(told, ["Kilns are old. They burn wood."]);
    }

    #[test]
    fn greetings_farewells_and_sounds_are_not_told() {
        let told = talk(&[
            "Hey what's up guys welcome back to another kiln video. Today we fire it.",
            "Thanks for watching!",
            "Mm.",
            "Uh-huh.",
            "Yes.",
            "Comment down below and subscribe for more.",
        ]);
        assert_eq!(told, ["Today we fire it.", "", "", "", "Yes.", ""]);
    }

    #[test]
    fn a_talk_on_sponsors_tells_of_them() {
        let text = "Our sponsor pays. A kiln burns. Our sponsor stays.";
        assert_eq!(left(&[text]), [text]);
        let text = "A worker may subscribe to a topic. The load is 5% off the mark.";
        assert_eq!(talk(&[text]), [text]);
    }

    #[test]
    fn what_nobody_said_is_left_as_it_is() {
        let blocks = crate::pipeline::synthesize::testing::document("Thanks for watching!").blocks;
        assert_eq!(told(&blocks).as_ref(), blocks);
    }
}
