//! Owns at which place a skill comes up for a request: all descriptions ranked by BM25, and the words that would bring it up.

use crate::evals::Described;
use crate::evals::bm25::Index;
use crate::evals::trigger::TriggerCase;
use crate::terms::Term;
use skillkiln_document::quick::QuickSet;

/// Words that are proposed, and those that are tried.
const WORDS_MAX: usize = 5;
const TRIED_MAX: usize = 40;

/// Words that stand in requests of any kind.
const ASKING: &str = " advice confused explain help know looking main mind missing please point points problem question quick right someone \
    step steps stuck try trying walk work works wrong matter matters mean means need should understand ";

/// Where a skill came up for one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// What was asked.
    pub query: String,
    /// Whether it should come up.
    pub should_trigger: bool,
    /// Its place, from 1; `None` where its description shares no word with the request.
    pub place: Option<usize>,
    /// The skill that came up first, where that is another one.
    pub ahead: Option<String>,
}

impl Placed {
    /// Whether it came up where it should, or did not where it should not.
    #[must_use]
    pub fn is_right(&self) -> bool {
        (self.place == Some(1)) == self.should_trigger
    }
}

/// How a description fares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    /// Each request, in its order.
    pub placed: Vec<Placed>,
    /// Requests that should bring it up first and do.
    pub hits: usize,
    /// Those that should and do not.
    pub misses: usize,
    /// Those that should not and do.
    pub false_alarms: usize,
    /// Words of the missed requests that would turn misses into hits, best first.
    pub missing_words: Vec<String>,
}

/// Ranks a skill among others for some requests.
///
/// ```
/// use skillkiln_skills::evals::{Described, common, ranking::rank, trigger::TriggerCase};
/// let own = Described { name: "firing-kilns", description: "Fires pots in a kiln. Use when pots crack." };
/// let ask = |query: &str, should_trigger| TriggerCase { query: query.into(), should_trigger };
/// let cases = [ask("my pots crack in the kiln", true), ask("which glaze melts?", true), ask("the docker image is large", false)];
/// let ranking = rank(&cases, own, &common());
/// assert_eq!((ranking.hits, ranking.misses, ranking.false_alarms), (1, 1, 0));
/// assert_eq!(ranking.missing_words, ["glaze"]);
/// ```
#[must_use]
pub fn rank(cases: &[TriggerCase], own: Described<'_>, others: &[Described<'_>]) -> Ranking {
    let others: Vec<&Described<'_>> = others.iter().filter(|one| one.name != own.name).collect();
    let all = std::iter::once(own).chain(others.iter().map(|one| **one));
    let mut index = Index::of(all);
    let scores: Vec<Vec<f64>> = cases.iter().map(|case| index.scores(&case.query)).collect();
    let placed: Vec<Placed> = cases
        .iter()
        .zip(&scores)
        .map(|(case, scores)| {
            let (mine, theirs) = scores
                .split_first()
                .map_or((0.0, &[][..]), |(m, t)| (*m, t));
            let before = theirs.iter().filter(|score| **score > mine).count();
            let mut best: Option<(usize, f64)> = None;
            for (at, score) in theirs.iter().enumerate() {
                if *score > mine && best.is_none_or(|(_, most)| *score > most) {
                    best = Some((at, *score));
                }
            }
            Placed {
                query: case.query.clone(),
                should_trigger: case.should_trigger,
                place: (mine > 0.0).then_some(before + 1),
                ahead: best.and_then(|(at, _)| Some(others.get(at)?.name.to_owned())),
            }
        })
        .collect();
    let count = |should: bool, first: bool| {
        let all = placed.iter();
        all.filter(|one| one.should_trigger == should && (one.place == Some(1)) == first)
            .count()
    };
    let (hits, misses, false_alarms) = (count(true, true), count(true, false), count(false, true));
    let missing_words = missing(&mut index, cases, &scores, &placed);
    Ranking {
        placed,
        hits,
        misses,
        false_alarms,
        missing_words,
    }
}

/// The words of missed requests which, added to the first description one after the other, make more requests come out right.
fn missing(
    index: &mut Index,
    cases: &[TriggerCase],
    scores: &[Vec<f64>],
    placed: &[Placed],
) -> Vec<String> {
    let mut counts: Vec<(Term, usize)> = Vec::new();
    let terms: Vec<QuickSet<Term>> = cases
        .iter()
        .map(|case| index.vocabulary.terms(&case.query).into_iter().collect())
        .collect();
    let own = index.documents.first().cloned().unwrap_or_default();
    for (case, terms) in placed.iter().zip(&terms) {
        for term in terms {
            let word = index.vocabulary.written(*term).to_lowercase();
            let is_asking = ASKING.contains(&format!(" {word} "));
            let is_missed = case.should_trigger && !case.is_right();
            if is_missed && !is_asking && !own.contains_key(term) {
                match counts.iter_mut().find(|(known, _)| known == term) {
                    Some((_, times)) => *times += 1,
                    None => counts.push((*term, 1)),
                }
            }
        }
    }
    counts.sort_by_key(|(term, times)| (std::cmp::Reverse(*times), *term));
    counts.truncate(TRIED_MAX);
    let right = |added: &[Term]| {
        let mut document = own.clone();
        added
            .iter()
            .for_each(|term| *document.entry(*term).or_default() += 1);
        let all = cases.iter().zip(scores).zip(&terms);
        all.filter(|((case, scores), terms)| {
            let mine: f64 = terms.iter().map(|term| index.part(*term, &document)).sum();
            let is_first = mine > 0.0 && scores.iter().skip(1).all(|score| *score <= mine);
            is_first == case.should_trigger
        })
        .count()
    };
    let mut added: Vec<Term> = Vec::new();
    let mut best = right(&added);
    while added.len() < WORDS_MAX {
        let tried = counts.iter().filter(|(term, _)| !added.contains(term));
        let tried = tried.map(|(term, times)| {
            let with: Vec<Term> = added.iter().copied().chain([*term]).collect();
            (right(&with), *times, *term)
        });
        let next =
            tried.max_by_key(|(right, times, term)| (*right, *times, std::cmp::Reverse(*term)));
        let Some((more, _, term)) = next.filter(|(more, ..)| *more > best) else {
            break;
        };
        added.push(term);
        best = more;
    }
    added
        .into_iter()
        .map(|term| index.vocabulary.written(term).to_lowercase())
        .collect()
}
