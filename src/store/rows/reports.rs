//! Owns how a report lies in its column: a check that passed and says no more than its demand is kept by its id alone.
//!
//! Nearly all of a report is that, and written out it would be most of what a small skill takes on the disk. Such a check
//! reads in the words that the demand has now; a finding stands as it was made. Rows in which every check is written out read as well.

use crate::store::model::StoreError;
use crate::store::rows::{from_json, to_json, unreadable};
use serde::{Deserialize, Serialize};
use skillkiln_skills::report::{Bill, Check, Report};
use skillkiln_skills::validate::demands::{DEMANDS, Demand};
use std::borrow::Cow;

#[derive(Serialize)]
struct Written<'a> {
    errors: u32,
    warnings: u32,
    checks: Vec<Line<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bill: Option<Bill>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Line<'a> {
    Held(&'a str),
    Told(&'a Check),
}

#[derive(Deserialize)]
struct Kept<'a> {
    errors: u32,
    warnings: u32,
    #[serde(borrow)]
    checks: Vec<Found<'a>>,
    #[serde(default)]
    bill: Option<Bill>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Found<'a> {
    #[serde(borrow)]
    Held(Cow<'a, str>),
    Told(Check),
}

/// Demands in a row that a report most likely passes over.
const GAP_MAX: usize = 4;

impl<'a> Line<'a> {
    /// Checks stand in the order of the demands, with a gap now and then: `next` is where this one is looked for first.
    fn of(check: &'a Check, next: &mut usize) -> Self {
        let mut ahead = DEMANDS.iter().enumerate().skip(*next).take(GAP_MAX);
        let demand = match ahead.find(|(_, demand)| demand.id == check.id) {
            Some((place, demand)) => {
                *next = place + 1;
                Some(demand)
            }
            None => Demand::of(&check.id),
        };
        match demand {
            Some(demand) if *check == held(demand) => Self::Held(demand.id),
            _ => Self::Told(check),
        }
    }
}

/// As a demand says it that is met.
fn held(demand: &'static Demand) -> Check {
    Check {
        id: demand.id.into(),
        severity: demand.open,
        passed: true,
        message: demand.words.into(),
        line: None,
    }
}

pub(crate) fn write(report: &Report) -> Result<String, StoreError> {
    let mut next = 0;
    let written = Written {
        errors: report.errors,
        warnings: report.warnings,
        checks: report
            .checks
            .iter()
            .map(|check| Line::of(check, &mut next))
            .collect(),
        bill: report.bill,
    };
    to_json("a report", &written)
}

pub(crate) fn read(text: &str) -> Result<Report, StoreError> {
    let kept: Kept<'_> = from_json("a report", text)?;
    let check = |found| match found {
        Found::Told(check) => Ok(check),
        Found::Held(id) => Demand::of(&id)
            .map(held)
            .ok_or_else(|| unreadable("a check", &id)),
    };
    Ok(Report {
        errors: kept.errors,
        warnings: kept.warnings,
        checks: kept
            .checks
            .into_iter()
            .map(check)
            .collect::<Result<_, _>>()?,
        bill: kept.bill,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_skills::report::Severity;

    fn report() -> Report {
        let mut checks: Vec<Check> = DEMANDS.iter().map(held).collect();
        checks[3].passed = false;
        checks[3].message = "a mark stands first; take it away".into();
        checks[20].severity = Severity::Error;
        checks[70].message = "412 of 412 words were found".into();
        checks[71].line = Some(7);
        checks.insert(
            40,
            Check {
                id: "V046".into(),
                ..checks[40].clone()
            },
        );
        Report::of(checks)
    }

    #[test]
    fn a_report_reads_as_it_was_written_and_takes_little_room() {
        let report = report();
        let text = write(&report).expect("it is written");
        assert_eq!(read(&text), Ok(report));
        assert!(text.len() < 1_500, "{}: {text}", text.len());
    }

    #[test]
    fn a_report_that_is_written_out_reads_as_well() {
        let report = report();
        let text = serde_json::to_string(&report).expect("it is JSON");
        assert_eq!(read(&text), Ok(report));
    }

    #[test]
    fn a_check_that_nobody_knows_is_said_to_be_unreadable() {
        let text = r#"{"errors":0,"warnings":0,"checks":["V999"]}"#;
        assert!(matches!(read(text), Err(StoreError::Broken(_))));
    }
}
