//! Owns what an operator sees around the actors: the nodes, the process, the database, the services called outside, HTTP.

use crate::domain::digest::{ActorDigest, Hanging};
use crate::domain::spread::Spread;
use serde::Serialize;

/// Whether a node takes new work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It does.
    #[default]
    Working,
    /// An operator wants none of it there: it claims no runs and tells whoever balances the load to leave it out.
    Cordoned,
    /// It stops.
    Leaving,
}

impl Standing {
    /// Every standing.
    pub const ALL: [Self; 3] = [Self::Working, Self::Cordoned, Self::Leaving];

    /// The word that it has in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::Cordoned => "cordoned",
            Self::Leaving => "leaving",
        }
    }
}

/// What an operator wants of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// No new work.
    Cordon,
    /// That, and what has not begun there goes to other nodes.
    Drain,
    /// New work again.
    Uncordon,
}

impl Wish {
    /// Every wish.
    pub const ALL: [Self; 3] = [Self::Cordon, Self::Drain, Self::Uncordon];

    /// Its word in addresses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cordon => "cordon",
            Self::Drain => "drain",
            Self::Uncordon => "uncordon",
        }
    }

    /// Reads [`Wish::as_str`] back.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|wish| wish.as_str() == word)
    }
}

/// One node.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Node {
    /// The beginning of its identity, which is drawn anew at each start.
    pub id: String,
    /// Whether it is the one that answers.
    pub is_this: bool,
    /// The version it runs, where that is known.
    pub version: Option<String>,
    /// What it does of the work, where that is known.
    pub role: Option<String>,
    /// How long it has run, where that is known.
    pub uptime_s: Option<f64>,
    /// When it began, in ISO 8601, where that is known.
    pub started_at: Option<String>,
    /// Whether it takes new work, where that is known.
    pub standing: Option<Standing>,
    /// How many cores it kept busy over the last second or more, where that is known.
    pub cores: Option<f64>,
    /// Runs that are held there, those that wait among them, where that is known.
    pub held: Option<u64>,
    /// Runs whose lease it has.
    pub runs: u64,
    /// When it was cordoned, in ISO 8601, where it is and told so.
    pub cordoned_at: Option<String>,
    /// For how long it has been.
    pub cordoned_for_s: Option<f64>,
    /// Its actors, one entry a kind, where it told of them lately.
    pub actors: Option<Vec<ActorDigest>>,
    /// Its threads that hang, where it told of them lately.
    pub hanging: Option<Vec<Hanging>>,
}

/// What the process takes of its machine. What the system does not tell is 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Usage {
    /// When it began, in seconds since 1970.
    pub started_unix_s: f64,
    /// Memory that it occupies.
    pub resident_bytes: u64,
    /// The most it ever occupied.
    pub resident_bytes_max: u64,
    /// Processor time it has taken.
    pub cpu_s: f64,
    /// Threads it has.
    pub threads: u64,
    /// Files and sockets it has open.
    pub open_files: u64,
}

/// How the database is doing.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DatabaseFigures {
    /// `sqlite` or `postgres`.
    pub engine: &'static str,
    /// Connections that work now.
    pub busy: u64,
    /// Calls that wait for a connection.
    pub waiting: u64,
    /// As many connections as there can be.
    pub connections_max: u64,
    /// Calls that failed because the database did not answer or broke.
    pub errors: u64,
    /// How long calls waited for a connection.
    pub wait: Spread,
    /// How long calls took then.
    pub call: Spread,
    /// The queries that were asked, by name, those that took longest in all first.
    pub queries: Vec<QueryFigures>,
}

/// One query.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct QueryFigures {
    /// Its name in our code.
    pub name: &'static str,
    /// How often it was asked.
    pub count: u64,
    /// How long it took in all.
    pub sum_s: f64,
}

/// How a circuit breaker stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Circuit {
    /// Calls go through.
    #[default]
    Closed,
    /// None goes through until the other side had time to recover.
    Open,
    /// The next one decides.
    HalfOpen,
}

/// How somebody outside is doing whom we call.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ProviderFigures {
    /// `web`, `video`, `model`, `payment` or `mail`.
    pub provider: &'static str,
    /// Requests that were answered.
    pub answered: u64,
    /// Requests that were not, or with an error of theirs.
    pub failed: u64,
    /// Requests that were sent again.
    pub retried: u64,
    /// How the circuit breaker stands, where there is one.
    pub circuit: Option<Circuit>,
    /// How long requests took.
    pub duration: Spread,
}

/// What is asked over HTTP, since the start.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct HttpSeen {
    /// Requests answered.
    pub requests: u64,
    /// Those answered with a fault of ours: 500 and above, but for answers that tell of a failure of the source, or of a run that
    /// somebody ended.
    pub faults: u64,
    /// Those refused because somebody asked too often: 429.
    pub refused: u64,
    /// Streams that are open.
    pub streams: u64,
    /// How long it took to the head of the answer; for streams that is their beginning.
    pub duration: Spread,
    /// The routes whose answers are not in that duration: they wait for a run to end.
    pub duration_without: Vec<&'static str>,
    /// The routes that were asked, the most asked first.
    pub routes: Vec<RouteSeen>,
}

/// One route.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RouteSeen {
    /// Its pattern, such as `/api/skills/{id}`.
    pub route: &'static str,
    /// Requests answered.
    pub requests: u64,
    /// Those with a fault of ours.
    pub faults: u64,
    /// How long it took.
    pub duration: Spread,
}

/// What became of the spans of traces, since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct TraceFigures {
    /// Sent to the collector.
    pub sent: u64,
    /// Dropped, because the collector does not answer or keep up.
    pub dropped: u64,
}
