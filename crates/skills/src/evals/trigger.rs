//! Owns the requests by which a description is tried, `evals/trigger-eval.json`: ten that should bring the skill up, in the words of users,
//! and ten that should not, from its neighbours and from what only sounds alike.

use crate::evals::Described;
use crate::evals::bm25::Index;
use crate::evals::needs::{Need, Needs};
use crate::evals::tasks::question;
use crate::kind::KINDS;
use crate::tasks::task;
use serde::{Deserialize, Serialize};

/// Requests of each half.
const HALF: usize = 10;
/// Ways to ask for a need.
const WAYS: usize = 4;
/// Requests of the nearest neighbours, and those that only name the subject.
const NEAR: usize = 5;
const BESIDE: usize = 2;

/// One request, in the members of `evals/trigger-eval.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriggerCase {
    /// What somebody asks.
    pub query: String,
    /// Whether the skill should come up.
    pub should_trigger: bool,
}

/// The requests for a skill among others, those that should bring it up first.
///
/// ```
/// use skillkiln_document::blocks::{Block, BlockKind, Document, Span};
/// use skillkiln_document::text::Inline;
/// use skillkiln_skills::evals::{Described, common, needs::needs, trigger::requests};
/// let said = Inline::Text("If the kiln of clay is cold, wait for one hour.".into());
/// let blocks = vec![Block { kind: BlockKind::Paragraph(vec![said]), span: Span::default() }];
/// let document = Document { blocks, ..Document::default() };
/// let own = Described { name: "firing-kilns", description: "Fires kilns. Use when clay is fired." };
/// let cases = requests(&needs(&document, "kiln.md"), own, &common());
/// assert_eq!(cases.iter().filter(|case| !case.should_trigger).count(), 10);
/// assert!(cases[0].query.contains("the kiln of clay is cold"));
/// ```
#[must_use]
pub fn requests(needs: &Needs, own: Described<'_>, others: &[Described<'_>]) -> Vec<TriggerCase> {
    let mut queries: Vec<String> = Vec::new();
    let forms = 0..needs.all.len() * WAYS;
    for round in forms {
        let Some(answered) = needs.all.get(round % needs.all.len()) else {
            break;
        };
        // Where a source has few needs each is said in several ways.
        let query = asked(
            needs,
            &answered.need,
            round % needs.all.len() + round / needs.all.len(),
        );
        if queries.len() < HALF && !queries.contains(&query) {
            queries.push(query);
        }
    }
    let yes = queries.into_iter().map(|query| TriggerCase {
        query,
        should_trigger: true,
    });
    let no = unwanted(needs, own, others);
    yes.chain(no.into_iter().map(|query| TriggerCase {
        query,
        should_trigger: false,
    }))
    .collect()
}

/// A need as a user writes it, in one of several ways.
fn asked(needs: &Needs, need: &Need, way: usize) -> String {
    let of = |text: &str| match &needs.product {
        Some(product)
            if way % WAYS != 1 && !text.to_lowercase().contains(&product.to_lowercase()) =>
        {
            format!(" with {product}")
        }
        _ => String::new(),
    };
    let pick = |ways: [String; WAYS]| ways.into_iter().nth(way % WAYS).unwrap_or_default();
    match need {
        Need::Command(deed) | Need::Steps(deed) | Need::Deed(deed) => pick([
            format!("how do i {deed}{}?", of(deed)),
            format!("i have to {deed}, can you walk me through it"),
            format!("please help me {deed}{}", of(deed)),
            format!(
                "trying to {deed}{} and it doesn't work, what am i missing?",
                of(deed)
            ),
        ]),
        Need::Name(name) => pick([
            format!("what is {name} for{}?", of(name)),
            format!("someone set {name} here and i don't know what it does"),
            format!("should i use {name}{}?", of(name)),
            format!("can you explain {name}{}", of(name)),
        ]),
        Need::Case(case) => pick([
            format!("what should i do when {case}{}?", of(case)),
            format!("{case} - what now?"),
            format!("is it a problem if {case}{}?", of(case)),
            format!("{case}{} and i'm stuck, any advice?", of(case)),
        ]),
        Need::Subject(subject) if needs.language != "en" => question(needs.language, subject),
        Need::Subject(subject) => pick([
            format!("i'm looking for advice on {subject}{}", of(subject)),
            format!("quick question about {subject}"),
            format!("what matters for {subject}{}?", of(subject)),
            format!(
                "can you give me the main points on {subject}{}",
                of(subject)
            ),
        ]),
    }
}

/// Requests that others should answer, the nearest first, and those that only name the subject.
fn unwanted(needs: &Needs, own: Described<'_>, others: &[Described<'_>]) -> Vec<String> {
    let others: Vec<&Described<'_>> = others.iter().filter(|one| one.name != own.name).collect();
    let index = Index::of(others.iter().map(|one| **one));
    let mut order: Vec<(f64, usize)> = index.scores(own.description).into_iter().zip(0..).collect();
    order.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let order: Vec<usize> = order.into_iter().map(|(_, at)| at).collect();
    let (near, rest) = order.split_at(order.len().min(NEAR));
    let far = HALF - NEAR - BESIDE;
    let step = (rest.len() / far).max(1);
    let chosen = near
        .iter()
        .chain(rest.iter().skip(step / 2).step_by(step).take(far));
    let mut out: Vec<String> = chosen
        .filter_map(|at| others.get(*at))
        .map(|one| request_of(one))
        .collect();
    let about = &needs.about;
    let beside = [
        format!("write a limerick about {about}"),
        format!("who started {about}, and in which year?"),
        format!("design a birthday card with {about} on it"),
        format!("find a conference on {about} and book a hotel near it"),
        format!("translate the name {about} into five languages"),
    ];
    let lacking = HALF - out.len().min(HALF);
    out.extend(beside.into_iter().take(lacking));
    out
}

/// What somebody asks who needs a skill of this description: the first of its tasks.
fn request_of(other: &Described<'_>) -> String {
    let text = other.description;
    let behind = text.split_once("Use when ").map(|(_, behind)| behind);
    let Some(behind) = behind else {
        let first = text.split(['.', '。']).next().unwrap_or(text);
        return format!("i need this: {first}");
    };
    let first = behind.split([',', '.']).next().unwrap_or(behind).trim();
    // "a C or C++ library" is one thing.
    let whole = first.split(" or ").next().unwrap_or(first);
    let first = if whole.contains(' ') && whole.split(' ').nth(2).is_some() {
        whole
    } else {
        first
    };
    let mut about = KINDS
        .iter()
        .filter_map(|row| first.strip_prefix(row.works_with));
    if let Some(about) = about.next() {
        return format!("i have a question about {about}");
    }
    let told = task(first, "", |_| true);
    match told.is_own {
        true => format!("how do i {}?", told.infinitive()),
        false => format!("{first} - can you help?"),
    }
}
