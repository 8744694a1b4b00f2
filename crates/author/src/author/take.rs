//! Owns what is made of the answers of each step.

use crate::author::{Author, EDITS_LONG_MAX, EDITS_MAX, Edit, How, Lost};
use crate::brief::{Brief, TITLE_CHARS_MAX};
use crate::check;
use crate::draft::{Claim, Form, Line, Page, State};
use crate::json;
use crate::listing;
use crate::shorten::is_spare;
use crate::units::UnitId;
use crate::verdict;
use serde_json::Value;
use skillkiln_skills::lead_ins::language_of;
use skillkiln_skills::scaffold::RULES;
use std::collections::HashMap;

/// Words from which on the language of a page is told.
const PAGE_WORDS_MIN: usize = 40;

impl Author {
    pub(super) fn take_brief(&mut self, answer: &str) {
        self.brief = Brief::read(answer).unwrap_or_default();
        let count = self.source.units.sections().len();
        self.brief.sections.retain(|section| *section < count);
    }

    pub(super) fn take_notes(&mut self, answers: &[&str]) {
        for (answer, part) in answers.iter().zip(&self.parts) {
            let object = json::object(answer).unwrap_or(Value::Null);
            for fact in json::list(&object, "facts").iter().take(80) {
                let cite = json::cite(fact, "units");
                let known: Vec<UnitId> = cite
                    .ids
                    .into_iter()
                    .filter(|id| part.contains(&id.number))
                    .collect();
                let text = json::text(fact, "text");
                if text.is_empty() || known.is_empty() {
                    continue;
                }
                let ids: Vec<String> = known.iter().map(ToString::to_string).collect();
                self.notes.push(format!(
                    "- {} [{}]",
                    listing::clip(&text, 300),
                    ids.join(",")
                ));
                self.seen.extend(known.iter().map(|id| id.number));
            }
        }
    }

    pub(super) fn take_page(&mut self, answer: &str) {
        self.page = Page::read(answer, &self.source);
        self.page.check(&self.source);
        if self.speaks_otherwise() {
            self.stop("the model wrote in another language than the source");
        }
    }

    /// Whether the page is in another language than the source.
    fn speaks_otherwise(&self) -> bool {
        let texts = self.page.claims.iter().map(|claim| claim.text.as_str());
        self.is_foreign(&sentences(texts), PAGE_WORDS_MIN)
    }

    /// Whether a text of at least so many words is in another language than the source.
    pub(super) fn is_foreign(&self, text: &str, words_min: usize) -> bool {
        let units = self.source.units.all().iter();
        let source = sentences(units.map(|unit| unit.text.as_str()).take(400));
        let is_long = |text: &str, min: usize| text.split_whitespace().count() > min;
        is_long(text, words_min)
            && is_long(&source, PAGE_WORDS_MIN)
            && language_of(text) != language_of(&source)
    }

    pub(super) fn take_verdicts(&mut self, answers: &[Result<String, Lost>]) {
        let asked = std::mem::take(&mut self.asked);
        for (answer, batch) in answers.iter().zip(&asked) {
            let judged: HashMap<u64, verdict::Judged> = answer
                .as_deref()
                .map(verdict::read)
                .unwrap_or_default()
                .into_iter()
                .map(|judged| (judged.id, judged))
                .collect();
            self.has_verdicts |= !judged.is_empty();
            for (number, at) in (1..).zip(batch) {
                let Some(claim) = self.page.claims.get_mut(*at) else {
                    continue;
                };
                match judged.get(&number) {
                    Some(judged) => claim.state = verdict::weigh(&self.source, claim, judged),
                    None if claim.tries > 0 || answer.is_err() => {
                        claim.state = State::Refused("the judge said nothing of it".to_owned());
                    }
                    None => claim.tries += 1,
                }
            }
        }
    }

    /// Whether lines of an answer, taken together, are in another language than the source; that is told.
    fn speaks_otherwise_in(&mut self, lines: &[Value], member: &str, step: &str) -> bool {
        let texts: Vec<String> = lines.iter().map(|line| json::text(line, member)).collect();
        let is_foreign = self.is_foreign(&texts.join(" "), PAGE_WORDS_MIN);
        if is_foreign {
            let why = format!("{step}: the model wrote in another language than the source");
            self.skipped.push(why);
        }
        is_foreign
    }

    pub(super) fn take_repairs(&mut self, answer: &str) {
        let asked = self.asked.pop().unwrap_or_default();
        let object = json::object(answer).unwrap_or(Value::Null);
        if self.speaks_otherwise_in(json::list(&object, "lines"), "line", "mending") {
            return;
        }
        for mended in json::list(&object, "lines").iter().take(asked.len()) {
            let id = mended
                .get("id")
                .and_then(Value::as_u64)
                .and_then(|id| usize::try_from(id).ok());
            let old = id.and_then(|id| asked.get(id.checked_sub(1)?)).copied();
            let text = json::text(mended, "line");
            let (Some(old), false) = (old, text.is_empty()) else {
                continue;
            };
            let Some(line) = self
                .page
                .lines
                .iter()
                .position(|line| line.claims.contains(&old))
            else {
                continue;
            };
            let Some(form) = self.page.lines.get(line).map(|line| line.form.clone()) else {
                continue;
            };
            let lines = self.page.read_fragment(&text, Some(&form), &self.source);
            let mut lines = lines.into_iter();
            let Some(first) = lines.next().filter(|line| !line.claims.is_empty()) else {
                continue;
            };
            if let Some(line) = self.page.lines.get_mut(line)
                && let Some(at) = line.claims.iter().position(|claim| *claim == old)
            {
                line.claims.splice(at..=at, first.claims.iter().copied());
                self.mended.push((old, first.claims));
            }
            let taken = lines.filter(|line| matches!(line.form, Form::Take(..)));
            self.page.insert(line + 1, taken.collect());
        }
        self.page.check(&self.source);
    }

    /// Notes that a claim was thrown away.
    pub(super) fn throw(&mut self, at: usize) {
        if let Some(Claim {
            text,
            state: State::Refused(why),
            ..
        }) = self.page.claims.get(at)
        {
            self.thrown.push((text.clone(), why.clone()));
        }
    }

    pub(super) fn take_cover(&mut self, answer: &str) {
        let object = json::object(answer).unwrap_or(Value::Null);
        let step = "looking for what is missing";
        if self.speaks_otherwise_in(json::list(&object, "lines"), "line", step) {
            return;
        }
        for one in json::list(&object, "lines").iter().take(EDITS_MAX) {
            let text = json::text(one, "line");
            let item = Form::Item {
                is_ordered: false,
                depth: 0,
            };
            let lines = self.page.read_fragment(&text, Some(&item), &self.source);
            if lines.first().is_none_or(|line| line.claims.is_empty()) {
                continue;
            }
            let at = self.end_of_section(&json::text(one, "section"));
            self.page.insert(at, lines);
        }
        self.page.check(&self.source);
    }

    /// Where a line is added to the section of this name; one for rules is made where there is none.
    pub(super) fn end_of_section(&mut self, name: &str) -> usize {
        let is_it = |line: &Line, name: &str| {
            matches!(line.form, Form::Heading(_)) && line.words.eq_ignore_ascii_case(name)
        };
        let found = |lines: &[Line], name: &str| lines.iter().position(|line| is_it(line, name));
        let name = name.trim_matches(['#', ' ']);
        let Some(heading) =
            found(&self.page.lines, name).or_else(|| found(&self.page.lines, RULES))
        else {
            self.page.lines.push(Line {
                form: Form::Heading(2),
                words: RULES.to_owned(),
                claims: Vec::new(),
            });
            return self.page.lines.len();
        };
        let behind = self.page.lines.get(heading + 1..).unwrap_or_default();
        let length = behind
            .iter()
            .position(|line| matches!(line.form, Form::Heading(_)))
            .unwrap_or(behind.len());
        heading + 1 + length
    }

    pub(super) fn take_review(&mut self, answer: &str) {
        let object = json::object(answer).unwrap_or(Value::Null);
        let descriptions = json::list(&object, "descriptions")
            .iter()
            .filter_map(Value::as_str);
        self.descriptions = descriptions.take(5).map(str::to_owned).collect();
        let title = json::text(&object, "title");
        if !check::is_title(&self.source, &self.brief.title)
            && title.chars().count() <= TITLE_CHARS_MAX
        {
            self.brief.title = title;
        }
        if self.speaks_otherwise_in(json::list(&object, "edits"), "text", "the review") {
            return;
        }
        for edit in json::list(&object, "edits").iter().take(EDITS_LONG_MAX) {
            let line = edit
                .get("line")
                .and_then(Value::as_u64)
                .and_then(|line| usize::try_from(line).ok());
            let Some(line) = line.and_then(|line| line.checked_sub(1)) else {
                continue;
            };
            let Some(old) = self.page.lines.get(line).map(|line| line.form.clone()) else {
                continue;
            };
            let text = json::text(edit, "text");
            let how = json::text(edit, "how");
            // What was cut off before its text takes nothing out.
            if edit.get("text").is_none() && how != "remove" {
                continue;
            }
            let how = match how.as_str() {
                _ if text.is_empty() => How::Remove,
                "add" => How::Add,
                _ => How::Replace,
            };
            let form = match how {
                How::Replace if matches!(old, Form::Take(..) | Form::Head) => continue,
                How::Remove if !is_spare(&self.page, line) => continue,
                How::Replace => Some(&old),
                How::Add | How::Remove => None,
            };
            let lines = match how {
                How::Remove => Vec::new(),
                _ => self.page.read_fragment(&text, form, &self.source),
            };
            if how != How::Remove && lines.is_empty() {
                continue;
            }
            self.edits.push(Edit { line, how, lines });
        }
        self.page.check(&self.source);
        self.page.keep_verdicts();
    }

    /// Makes the edits whose claims all stand, from the last line to the first, so that the numbers of the others stay.
    pub(super) fn apply_edits(&mut self) {
        let mut edits = std::mem::take(&mut self.edits);
        edits.reverse();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.line));
        for edit in edits {
            let claims = edit.claims();
            let falls = |at: &usize| {
                let claim = self.page.claims.get(*at);
                claim.is_none_or(|claim| !claim.state.stands())
            };
            if claims.iter().any(falls) {
                claims.into_iter().for_each(|at| self.throw(at));
                continue;
            }
            if edit.how != How::Add && edit.line < self.page.lines.len() {
                self.page.lines.remove(edit.line);
            }
            let at = match edit.how {
                How::Add => self.page.below(edit.line),
                How::Replace | How::Remove => edit.line,
            };
            self.page.insert(at, edit.lines);
        }
    }
}

/// Texts that are long enough to have a language, one behind the other.
fn sentences<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let long = texts.filter(|text| text.split_whitespace().count() > 3);
    long.collect::<Vec<_>>().join(" ")
}
