//! Owns what a skill will take of a model, told before anything is asked: measured by runs of short and long sources, and rather too much
//! than too little.

use crate::author::{Author, CLAIMS_A_QUESTION, PARTS_MAX};
use crate::listing;
use skillkiln_skills::tokens::tokens;

/// Our own words in a question.
const QUESTION_TOKENS: usize = 900;
/// What a plan, and what a review or the additions come to.
const PLAN_TOKENS: usize = 900;
const REVIEW_TOKENS: usize = 300;
/// Notes of a part.
const NOTES_TOKENS: usize = 1_000;
/// Words of a claim, and the tokens of its verdict.
const CLAIM_WORDS: usize = 15;
const VERDICT_TOKENS: usize = 45;

/// Tokens that a skill will take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    /// Those that are read.
    pub input: usize,
    /// Those that are written.
    pub output: usize,
}

impl Author {
    /// What is left to be asked for, from the beginning.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        let whole = tokens(&listing::whole(&self.source.units));
        let room = self.room();
        // Words with their marks.
        let body = self.words() * 3 / 2;
        let claims = self.words().div_ceil(CLAIM_WORDS);
        let judged = claims.div_ceil(CLAIMS_A_QUESTION);
        let verdicts = claims * VERDICT_TOKENS;
        let written = PLAN_TOKENS + body + verdicts + REVIEW_TOKENS * 3;
        match self.is_whole {
            // The plan, the text, the proof of it, and the review see the source; so does what is mended or added, where it is.
            true => Estimate {
                input: whole * 5 + body + (judged + 6) * QUESTION_TOKENS,
                output: written,
            },
            false => {
                let parts = whole.div_ceil(room).min(PARTS_MAX);
                let notes = parts * NOTES_TOKENS;
                let read = whole.min(parts * room);
                let outline = (whole / 10).min(room);
                // The text, what is added and the review see what fits, the proof what is cited.
                let shown = room.min(whole) * 3 + body * 4 + notes;
                Estimate {
                    input: outline + read + shown + (parts + judged + 6) * QUESTION_TOKENS,
                    output: written + notes,
                }
            }
        }
    }
}
