//! Owns what is counted at the HTTP surface: answers by route, method and status, their durations, decisions of limiters, streams.

use crate::domain::observation::Spread;
use crate::domain::quota::{Class, Surface};
use crate::domain::vitals::{HttpSeen, RouteSeen};
use crate::telemetry::exposition::Page;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// Upper bounds of the request durations, in microseconds. What takes seconds is a run that somebody waits for: from half a second
/// to the longest of them each bound is at most one and a half times the one before, so that a percentile says little that is not so.
const BOUNDS_US: [u64; 27] = [
    250,
    500,
    1_000,
    2_500,
    5_000,
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    500_000,
    750_000,
    1_000_000,
    1_500_000,
    2_000_000,
    3_000_000,
    4_000_000,
    6_000_000,
    8_000_000,
    12_000_000,
    18_000_000,
    25_000_000,
    36_000_000,
    54_000_000,
    80_000_000,
    120_000_000,
    180_000_000,
];
/// Routes that answer when a run has ended: how long they take says nothing of how quickly the service answers. Whatever shows
/// durations of all routes says that it is without these.
const AFTER_A_RUN: [&str; 2] = ["/api/v1/generate", "/api/v1/generate/catalogue"];
const METHODS: [&str; 8] = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "other",
];
const STATUSES: [u16; 20] = [
    200, 204, 303, 304, 400, 401, 402, 403, 404, 405, 408, 409, 412, 413, 415, 429, 500, 502, 503,
    0,
];

/// What is counted at the HTTP surface.
#[derive(Debug)]
pub struct HttpFigures {
    routes: Vec<RouteFigures>,
    decisions: [[AtomicU64; 2]; 4],
    streams: AtomicI64,
}

#[derive(Debug)]
struct RouteFigures {
    name: &'static str,
    counts: Box<[AtomicU64]>,
    faults: AtomicU64,
    buckets: [AtomicU64; BOUNDS_US.len()],
    sum_us: AtomicU64,
    longest_us: AtomicU64,
}

impl HttpFigures {
    /// Figures for these routes, and for everything elsewhere.
    #[must_use]
    pub fn new(routes: &[&'static str]) -> Self {
        let figures = |name: &&'static str| RouteFigures {
            name,
            counts: (0..METHODS.len() * STATUSES.len())
                .map(|_| AtomicU64::new(0))
                .collect(),
            faults: AtomicU64::new(0),
            buckets: [const { AtomicU64::new(0) }; BOUNDS_US.len()],
            sum_us: AtomicU64::new(0),
            longest_us: AtomicU64::new(0),
        };
        Self {
            routes: routes.iter().chain([&"elsewhere"]).map(figures).collect(),
            decisions: Default::default(),
            streams: AtomicI64::new(0),
        }
    }

    /// The index under which unknown paths are counted.
    #[must_use]
    pub fn elsewhere(&self) -> usize {
        self.routes.len().saturating_sub(1)
    }

    /// The route at an index.
    #[must_use]
    pub fn name_of(&self, route: usize) -> &'static str {
        self.routes
            .get(route)
            .map_or("elsewhere", |figures| figures.name)
    }

    /// Counts an answer.
    pub fn answered(&self, route: usize, method: &str, status: u16, took: Duration) {
        let Some(figures) = self.routes.get(route) else {
            return;
        };
        let method = METHODS
            .iter()
            .position(|known| *known == method)
            .unwrap_or(METHODS.len() - 1);
        let status = STATUSES
            .iter()
            .position(|known| *known == status)
            .unwrap_or(STATUSES.len() - 1);
        if let Some(count) = figures.counts.get(method * STATUSES.len() + status) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS_US.iter().position(|bound| micros <= *bound);
        if let Some(bucket) = bucket.and_then(|bucket| figures.buckets.get(bucket)) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
        figures.sum_us.fetch_add(micros, Ordering::Relaxed);
        // Hardly ever the longest, so it is read before it is written.
        if micros > figures.longest_us.load(Ordering::Relaxed) {
            figures.longest_us.fetch_max(micros, Ordering::Relaxed);
        }
    }

    /// Counts that an answer was a fault of ours.
    pub fn at_fault(&self, route: usize) {
        if let Some(figures) = self.routes.get(route) {
            figures.faults.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts a decision of a window.
    pub fn decided(&self, surface: Surface, class: Class, admitted: bool) {
        let [
            rest_generate,
            rest_other,
            application_generate,
            application_other,
        ] = &self.decisions;
        let [refusals, admissions] = match (surface, class) {
            (Surface::Rest, Class::Generate) => rest_generate,
            (Surface::Rest, Class::Other) => rest_other,
            (Surface::Application, Class::Generate) => application_generate,
            (Surface::Application, Class::Other) => application_other,
        };
        let counter = if admitted { admissions } else { refusals };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a stream that opens (1) or closes (-1).
    pub fn stream(&self, change: i64) {
        self.streams.fetch_add(change, Ordering::Relaxed);
    }

    /// Streams that are open.
    #[must_use]
    pub fn streams(&self) -> u64 {
        u64::try_from(self.streams.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// What an operator sees of it.
    #[must_use]
    pub fn observe(&self) -> HttpSeen {
        let mut routes: Vec<RouteSeen> = self
            .routes
            .iter()
            .map(RouteFigures::observe)
            .filter(|route| route.requests > 0)
            .collect();
        routes.sort_by_key(|route| std::cmp::Reverse(route.requests));
        let mut all = HttpSeen {
            streams: self.streams(),
            refused: self.routes.iter().map(RouteFigures::refused).sum(),
            duration: Spread {
                buckets: BOUNDS_US.map(|bound| (bound as f64 / 1e6, 0)).into(),
                ..Spread::default()
            },
            duration_without: AFTER_A_RUN.into(),
            ..HttpSeen::default()
        };
        for route in &routes {
            all.requests += route.requests;
            all.faults += route.faults;
            if AFTER_A_RUN.contains(&route.route) {
                continue;
            }
            all.duration.count += route.duration.count;
            all.duration.sum_s += route.duration.sum_s;
            let longest = [all.duration.longest_s, route.duration.longest_s];
            all.duration.longest_s = longest.into_iter().flatten().reduce(f64::max);
            let parts = all.duration.buckets.iter_mut().zip(&route.duration.buckets);
            parts.for_each(|((_, all), (_, of_route))| *all += of_route);
        }
        all.routes = routes;
        all
    }

    /// Writes the metrics.
    pub(super) fn write(&self, page: &mut Page) {
        for route in &self.routes {
            for (method, status, count) in route.answers() {
                let status = match status {
                    0 => "other".to_owned(),
                    known => known.to_string(),
                };
                let labels = [
                    ("route", route.name),
                    ("method", method),
                    ("status", &status),
                ];
                page.sample("skillkiln_http_requests_total", &labels, count as f64);
            }
            let duration = route.duration();
            if duration.count > 0 {
                let faults = route.faults.load(Ordering::Relaxed) as f64;
                page.sample(
                    "skillkiln_http_faults_total",
                    &[("route", route.name)],
                    faults,
                );
                let name = "skillkiln_http_request_duration_seconds";
                page.spread(name, &[("route", route.name)], &duration);
            }
        }
        let windows = [
            ("rest", "generate"),
            ("rest", "other"),
            ("application", "generate"),
            ("application", "other"),
        ];
        for ((surface, class), [refusals, admissions]) in windows.into_iter().zip(&self.decisions) {
            for (decision, count) in [("admitted", admissions), ("refused", refusals)] {
                let labels = [
                    ("surface", surface),
                    ("class", class),
                    ("decision", decision),
                ];
                let count = count.load(Ordering::Relaxed) as f64;
                page.sample("skillkiln_ratelimit_decisions_total", &labels, count);
            }
        }
        page.sample("skillkiln_sse_streams", &[], self.streams() as f64);
    }
}

impl RouteFigures {
    /// Method, status and count of the answers there were.
    fn answers(&self) -> impl Iterator<Item = (&'static str, u16, u64)> {
        let counts = self.counts.iter().enumerate();
        counts.filter_map(|(position, count)| {
            let count = count.load(Ordering::Relaxed);
            let method = METHODS.get(position / STATUSES.len()).copied()?;
            let status = STATUSES.get(position % STATUSES.len()).copied()?;
            (count > 0).then_some((method, status, count))
        })
    }

    fn refused(&self) -> u64 {
        let refused = self.answers().filter(|(_, status, _)| *status == 429);
        refused.map(|(_, _, count)| count).sum()
    }

    fn duration(&self) -> Spread {
        let mut below = 0;
        let buckets = BOUNDS_US.iter().zip(&self.buckets).map(|(bound, count)| {
            below += count.load(Ordering::Relaxed);
            (*bound as f64 / 1e6, below)
        });
        let buckets: Vec<(f64, u64)> = buckets.collect();
        let answers: u64 = self.answers().map(|(_, _, count)| count).sum();
        Spread {
            // An answer may be counted between the two readings; the whole is never less than its parts.
            count: answers.max(buckets.last().map_or(0, |(_, count)| *count)),
            sum_s: self.sum_us.load(Ordering::Relaxed) as f64 / 1e6,
            longest_s: Some(self.longest_us.load(Ordering::Relaxed) as f64 / 1e6),
            buckets,
        }
    }

    fn observe(&self) -> RouteSeen {
        RouteSeen {
            route: self.name,
            requests: self.answers().map(|(_, _, count)| count).sum(),
            faults: self.faults.load(Ordering::Relaxed),
            duration: self.duration(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_seconds_is_told_to_within_half_of_it_and_never_longer_than_it_took() {
        let slow = BOUNDS_US.windows(2).filter(|pair| pair[0] >= 500_000);
        assert!(slow.clone().count() > 10);
        for pair in slow {
            assert!(pair[1] * 2 <= pair[0] * 3, "{pair:?}");
        }
        let figures = HttpFigures::new(&["/api/v1/generate"]);
        for _ in 0..8 {
            figures.answered(0, "POST", 200, Duration::from_secs(15));
        }
        let seen = figures.observe();
        let at = |q| seen.routes[0].duration.quantile(q).unwrap();
        assert!(at(0.5) > 12.0 && at(0.5) < 15.0, "{}", at(0.5));
        assert!(at(0.99) > 14.0 && at(0.99) <= 15.0, "{}", at(0.99));
    }

    #[test]
    fn the_whole_is_the_sum_of_its_routes() {
        let figures = HttpFigures::new(&["/a", "/b", "/api/v1/generate"]);
        figures.answered(2, "POST", 200, Duration::from_secs(20));
        figures.answered(0, "GET", 200, Duration::from_millis(1));
        figures.answered(0, "GET", 500, Duration::from_millis(2));
        figures.at_fault(0);
        figures.answered(2, "POST", 500, Duration::from_secs(1));
        figures.answered(1, "POST", 429, Duration::from_secs(3_600));
        figures.stream(1);
        let seen = figures.observe();
        assert_eq!(
            (seen.requests, seen.faults, seen.refused, seen.streams),
            (5, 1, 1, 1),
            "an answer that only tells of somebody's dead link is no fault"
        );
        assert_eq!(seen.duration.count, 3, "a run's time is not ours to answer");
        assert_eq!(
            seen.duration.buckets.last().map(|(_, count)| *count),
            Some(2)
        );
        let routes: Vec<_> = seen
            .routes
            .iter()
            .map(|seen| (seen.route, seen.requests))
            .collect();
        assert_eq!(seen.duration_without, AFTER_A_RUN);
        assert_eq!(routes, [("/a", 2), ("/api/v1/generate", 2), ("/b", 1)]);
    }
}
