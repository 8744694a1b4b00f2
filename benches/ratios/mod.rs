//! What the service must reach, as ratios within one run: `cargo bench --bench kiln -- ratios [NAME]... [--json] [--pages DIR]
//! [--peer COMMAND]`.
//!
//! Each figure is measured in many short turns with what it is compared with. Its ratio is the median over neighbouring turns: a
//! machine that becomes slow for a while slows both of them. `--pages` names a folder of HTML pages of real documentation for the row
//! that reads a hundred, and `--peer` what else makes something of them: `{}` in it is a folder that holds them.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the command line"
)]

mod books;
mod metrics;
mod nodes;
mod pages;
mod server;
mod streams;
mod surface;

use rustix::time::{ClockId, clock_gettime};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// How much is measured.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scale {
    /// Whether it is but a proof that everything runs.
    is_trial: bool,
    /// Pages of real documentation.
    pages: Option<PathBuf>,
    /// A command of the shell that reads the same pages.
    peer: Option<String>,
}

impl Scale {
    /// `full` when figures are wanted, else `trial`.
    fn of<T>(&self, full: T, trial: T) -> T {
        if self.is_trial { trial } else { full }
    }

    /// How often each side is measured, where one time takes seconds.
    fn rounds(&self) -> usize {
        self.of(5, 1)
    }
}

/// What is to be reached.
#[derive(Debug, Clone, Copy)]
enum Goal {
    /// The figure, divided by what it is beside.
    RatioAtLeast(f64),
    /// The same, where less is better.
    RatioAtMost(f64),
    /// The figure itself.
    AtMost(f64),
}

/// A figure beside what it is compared with.
#[derive(Debug, Clone)]
struct Row {
    what: String,
    unit: &'static str,
    figure: f64,
    beside: Option<Beside>,
    goal: Goal,
}

/// What a figure is compared with.
#[derive(Debug, Clone, Copy)]
struct Beside {
    what: &'static str,
    figure: f64,
    /// The figure divided by this one, turn by turn, the median of it.
    ratio: f64,
}

impl Row {
    fn ratio(&self) -> Option<f64> {
        self.beside.map(|beside| beside.ratio)
    }

    fn is_met(&self) -> bool {
        match self.goal {
            Goal::RatioAtLeast(goal) => self.ratio().is_some_and(|ratio| ratio >= goal),
            Goal::RatioAtMost(goal) => self.ratio().is_some_and(|ratio| ratio <= goal),
            Goal::AtMost(goal) => self.figure <= goal,
        }
    }

    fn line(&self) -> String {
        let beside = self.beside.map_or(String::new(), |beside| {
            format!(" beside {:.1} ({})", beside.figure, beside.what)
        });
        let ratio = self
            .ratio()
            .map_or(String::new(), |ratio| format!(": {ratio:.3}"));
        let goal = match self.goal {
            Goal::RatioAtLeast(goal) => format!("at least {goal}"),
            Goal::RatioAtMost(goal) => format!("at most {goal}"),
            Goal::AtMost(goal) => format!("at most {goal} {}", self.unit),
        };
        let met = if self.is_met() { "met" } else { "NOT MET" };
        format!(
            "{}: {:.2} {}{beside}{ratio} [{goal}: {met}]",
            self.what, self.figure, self.unit
        )
    }

    fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "what": self.what, "figure": self.figure, "unit": self.unit,
            "beside": self.beside.map(|beside| serde_json::json!({ "what": beside.what, "figure": beside.figure })),
            "ratio": self.ratio(), "goal": format!("{:?}", self.goal), "met": self.is_met(),
        })
    }
}

type Measure = fn(&Scale) -> Vec<Row>;

/// What is measured, each by its name.
const ALL: [(&str, Measure); 11] = [
    ("credits", surface::credits),
    ("charges", books::charges),
    ("durable", surface::durable),
    ("waiting", surface::waiting),
    ("light", surface::light),
    ("first-event", streams::first_event),
    ("open-streams", streams::open),
    ("metrics", metrics::cost),
    ("nodes", nodes::nodes),
    ("pages", pages::hundred),
    ("flat", pages::flat),
];

/// What is measured, the names of those that are wanted, and whether JSON is.
pub(crate) type Asked = (Scale, Vec<String>, bool);

/// What is asked for, when the command line asks for ratios.
pub(crate) fn asked() -> Option<Asked> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let at = arguments.iter().position(|word| word == "ratios")?;
    let mut scale = Scale::default();
    let (mut names, mut json) = (Vec::new(), false);
    let mut words = arguments.into_iter().skip(at + 1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--bench" => {}
            "--json" => json = true,
            "--trial" => scale.is_trial = true,
            "--pages" => scale.pages = words.next().map(PathBuf::from),
            "--peer" => scale.peer = words.next(),
            _ => names.push(word),
        }
    }
    Some((scale, names, json))
}

/// Measures those that are named, or all, and says what was reached. Exits with 1 when something was not.
pub(crate) fn run(scale: &Scale, names: &[String], json: bool) -> ExitCode {
    let unknown = names
        .iter()
        .find(|name| ALL.iter().all(|(known, _)| known != name));
    if let Some(name) = unknown {
        let known: Vec<&str> = ALL.iter().map(|(known, _)| *known).collect();
        eprintln!("there is no {name}; there are {}", known.join(", "));
        return ExitCode::from(2);
    }
    let mut rows = Vec::new();
    for (name, measure) in ALL {
        if names.is_empty() || names.iter().any(|wanted| wanted == name) {
            let measured = measure(scale);
            if !json {
                measured
                    .iter()
                    .for_each(|row| println!("{name}: {}", row.line()));
            }
            rows.extend(measured);
        }
    }
    if json {
        println!(
            "{:#}",
            rows.iter().map(Row::json).collect::<serde_json::Value>()
        );
    }
    if rows.iter().all(Row::is_met) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs every measurement with tiny numbers, so that each is known to work. What is reached is not looked at.
pub(crate) fn trial() {
    let scale = Scale {
        is_trial: true,
        ..Scale::default()
    };
    for (name, measure) in ALL {
        for row in measure(&scale) {
            assert!(row.figure.is_finite(), "{name}: {}", row.line());
        }
    }
}

/// The processor time that this process took so far, in seconds.
fn processor_s() -> f64 {
    let took = Duration::try_from(clock_gettime(ClockId::ProcessCPUTime));
    took.unwrap_or_default().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Two things that were measured in turns: the median of each, and of the first divided by the second in the same turn.
struct Turns {
    one: f64,
    other: f64,
    ratio: f64,
}

impl Turns {
    fn beside(&self, what: &'static str) -> Option<Beside> {
        Some(Beside {
            what,
            figure: self.other,
            ratio: self.ratio,
        })
    }
}

/// Measures two things in turns. Which of them begins alternates, so that neither always comes after the other.
fn in_turns(rounds: usize, mut one: impl FnMut() -> f64, mut other: impl FnMut() -> f64) -> Turns {
    let turns: Vec<(f64, f64)> = (0..rounds)
        .map(|round| {
            if round % 2 == 0 {
                let first = one();
                (first, other())
            } else {
                let first = other();
                (one(), first)
            }
        })
        .collect();
    let ratios = turns.iter().map(|(one, other)| one / other.max(1e-12));
    Turns {
        ratio: median(ratios.collect()),
        one: median(turns.iter().map(|turn| turn.0).collect()),
        other: median(turns.iter().map(|turn| turn.1).collect()),
    }
}
