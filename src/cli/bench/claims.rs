//! Owns `skillkiln bench --author`: how many true claims the checks of a model's text refuse, how many false ones they accept, and how the
//! model's cards of documents fare beside those of the source alone.

use crate::cli::Common;
use crate::cli::operator::quiet_log;
use crate::cli::output::{self, Stop};
use crate::cli::quality::cards::{self, Cards};
use crate::domain::clock::Clock;
use crate::http::block_on;
use crate::pipeline::extract::Reader;
use crate::services;
use serde::Serialize;
use skillkiln_author::evaluation::{Case, Tally};
use skillkiln_readers::markup::markdown;
use std::path::Path;
use tokio::time::Instant;

/// What was found of one file of claims.
#[derive(Debug, Serialize)]
struct Row {
    file: String,
    #[serde(rename = "true")]
    right: usize,
    refused_true: Vec<(String, String)>,
    #[serde(rename = "false")]
    wrong: usize,
    accepted_false: Vec<String>,
    tokens: u64,
    /// By the prices that are set.
    cost: f64,
}

impl Row {
    fn of(file: String, tally: Tally, (tokens, cost): (u64, f64)) -> Self {
        Self {
            file,
            right: tally.right,
            refused_true: tally.refused_right,
            wrong: tally.wrong,
            accepted_false: tally.accepted_wrong,
            tokens,
            cost,
        }
    }

    fn page(&self) -> String {
        let mut out = format!(
            "{}: {} of {} true claims refused, {} of {} false ones accepted, {} tokens, {:.4} by the prices set\n",
            self.file,
            self.refused_true.len(),
            self.right,
            self.accepted_false.len(),
            self.wrong,
            self.tokens,
            self.cost
        );
        for (text, why) in &self.refused_true {
            out.push_str(&format!("  refused, {why}: {text}\n"));
        }
        for text in &self.accepted_false {
            out.push_str(&format!("  accepted: {text}\n"));
        }
        out
    }
}

/// What is printed as JSON.
#[derive(Debug, Serialize)]
struct Measured {
    claims: Vec<Row>,
    documents: Vec<Cards>,
}

/// Measures every file of a folder, with the model of the settings or without one.
///
/// # Errors
/// [`Stop::Failed`] when the folder holds nothing that can be read.
pub fn run(
    folder: &Path,
    questions: Option<&Path>,
    is_json: bool,
    common: &Common,
) -> Result<(), Stop> {
    let settings = common.settings()?;
    quiet_log()?;
    let failed =
        |error: std::io::Error| Stop::Failed(format!("cannot read {}: {error}", folder.display()));
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            paths.push(path);
        }
    }
    paths.sort();
    let measured = block_on(async {
        let reader = Reader {
            words_min: 0,
            ..services::reader(&settings, Clock::system()).map_err(Stop::Failed)?
        };
        let author = services::author(&settings, &reader.pool, None).map_err(Stop::Failed)?;
        let mut claims = Vec::new();
        for path in &paths {
            let file = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let text = std::fs::read_to_string(path).map_err(failed)?;
            let value = serde_json::from_str(&text)
                .map_err(|error| Stop::Failed(format!("{file}: this is no JSON: {error}")))?;
            let mut case = Case::read(&value, |text| markdown::read(text.to_owned()).blocks);
            let until = Instant::now() + settings.run_deadline();
            let tokens = author.judge(&mut case, until).await;
            let tokens = tokens.map_err(|failure| Stop::Failed(failure.message))?;
            let bill = (tokens.all(), author.cost_of(tokens));
            claims.push(Row::of(file, case.tally(), bill));
        }
        let documents = cards::of(folder, questions, &settings, &reader, &author).await?;
        Ok::<_, Stop>(Measured { claims, documents })
    })?;
    if measured.claims.is_empty() && measured.documents.is_empty() {
        return Err(Stop::Failed(format!(
            "there are neither claims nor documents in {}",
            folder.display()
        )));
    }
    match is_json {
        true => output::say_json(&measured),
        false => {
            let claims = measured.claims.iter().map(Row::page);
            let documents = measured.documents.iter().map(Cards::page);
            output::say(&claims.chain(documents).collect::<String>())
        }
    }
}
