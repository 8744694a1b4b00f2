//! Owns what is counted at the HTTP surface: answers by route, method and status, their durations, decisions of limiters, streams.

use crate::domain::quota::{Class, Surface};
use crate::domain::spread::Spread;
use crate::domain::vitals::{HttpSeen, RouteSeen};
use crate::telemetry::page::Page;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
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

/// Parts in which is counted, at most; each takes some 150 KB.
const PARTS_MAX: usize = 8;

/// What is counted at the HTTP surface. Each thread counts in a part of its own as far as there are so many, because a counter that
/// two threads write travels between their cores; whoever looks adds the parts up.
#[derive(Debug)]
pub struct HttpFigures {
    names: Vec<&'static str>,
    parts: Vec<Part>,
    streams: AtomicI64,
}

/// What some threads counted.
#[derive(Debug)]
#[repr(align(128))]
struct Part {
    decisions: [[AtomicU64; 2]; 4],
    routes: Vec<RouteFigures>,
}

#[derive(Debug)]
struct RouteFigures {
    counts: Box<[AtomicU64]>,
    faults: AtomicU64,
    buckets: [AtomicU64; BOUNDS_US.len()],
    sum_us: AtomicU64,
    longest_us: AtomicU64,
}

/// What all threads counted of a route.
#[derive(Debug)]
struct Counted {
    name: &'static str,
    counts: Vec<u64>,
    faults: u64,
    buckets: [u64; BOUNDS_US.len()],
    sum_us: u64,
    longest_us: u64,
}

impl HttpFigures {
    /// Figures for these routes, and for everything elsewhere.
    #[must_use]
    pub fn new(routes: &[&'static str]) -> Self {
        let names: Vec<_> = routes.iter().copied().chain(["elsewhere"]).collect();
        // One thread a core answers on the public address, and one on the operators'.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let part = |_| Part {
            decisions: Default::default(),
            routes: names.iter().map(|_| RouteFigures::default()).collect(),
        };
        Self {
            parts: (0..(cores + 1).min(PARTS_MAX)).map(part).collect(),
            names,
            streams: AtomicI64::new(0),
        }
    }

    /// The part in which this thread counts.
    fn part(&self) -> Option<&Part> {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local! {
            static THREAD: usize = THREADS.fetch_add(1, Ordering::Relaxed);
        }
        let thread = THREAD.with(|thread| *thread);
        self.parts.get(thread % self.parts.len().max(1))
    }

    /// The index under which unknown paths are counted.
    #[must_use]
    pub fn elsewhere(&self) -> usize {
        self.names.len().saturating_sub(1)
    }

    /// The route at an index.
    #[must_use]
    pub fn name_of(&self, route: usize) -> &'static str {
        self.names.get(route).copied().unwrap_or("elsewhere")
    }

    /// Counts an answer.
    pub fn answered(&self, route: usize, method: &str, status: u16, took: Duration) {
        let Some(figures) = self.part().and_then(|part| part.routes.get(route)) else {
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
        if let Some(figures) = self.part().and_then(|part| part.routes.get(route)) {
            figures.faults.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts a decision of a window.
    pub fn decided(&self, surface: Surface, class: Class, admitted: bool) {
        let Some(part) = self.part() else {
            return;
        };
        let [
            rest_generate,
            rest_other,
            application_generate,
            application_other,
        ] = &part.decisions;
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

    /// The routes, each with what all threads counted of it.
    fn counted(&self) -> impl Iterator<Item = Counted> {
        let names = self.names.iter().enumerate();
        names.map(|(route, name)| {
            let parts = self.parts.iter();
            let of_route = parts.filter_map(move |part| part.routes.get(route));
            of_route.fold(Counted::nothing(name), Counted::and)
        })
    }

    /// What an operator sees of it.
    #[must_use]
    pub fn observe(&self) -> HttpSeen {
        let counted: Vec<Counted> = self.counted().collect();
        let mut routes: Vec<RouteSeen> = counted
            .iter()
            .map(Counted::observe)
            .filter(|route| route.requests > 0)
            .collect();
        routes.sort_by_key(|route| std::cmp::Reverse(route.requests));
        let mut all = HttpSeen {
            streams: self.streams(),
            refused: counted.iter().map(Counted::refused).sum(),
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
        for route in self.counted() {
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
                page.sample(
                    "skillkiln_http_faults_total",
                    &[("route", route.name)],
                    route.faults as f64,
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
        for (window, (surface, class)) in windows.into_iter().enumerate() {
            for (outcome, decision) in [(1, "admitted"), (0, "refused")] {
                let parts = self.parts.iter();
                let counts = parts.filter_map(|part| part.decisions.get(window)?.get(outcome));
                let count: u64 = counts.map(|count| count.load(Ordering::Relaxed)).sum();
                let labels = [
                    ("surface", surface),
                    ("class", class),
                    ("decision", decision),
                ];
                page.sample("skillkiln_ratelimit_decisions_total", &labels, count as f64);
            }
        }
        page.sample("skillkiln_sse_streams", &[], self.streams() as f64);
    }
}

impl Default for RouteFigures {
    fn default() -> Self {
        Self {
            counts: (0..METHODS.len() * STATUSES.len())
                .map(|_| AtomicU64::new(0))
                .collect(),
            faults: AtomicU64::new(0),
            buckets: [const { AtomicU64::new(0) }; BOUNDS_US.len()],
            sum_us: AtomicU64::new(0),
            longest_us: AtomicU64::new(0),
        }
    }
}

impl Counted {
    fn nothing(name: &'static str) -> Self {
        Self {
            name,
            counts: vec![0; METHODS.len() * STATUSES.len()],
            faults: 0,
            buckets: [0; BOUNDS_US.len()],
            sum_us: 0,
            longest_us: 0,
        }
    }

    /// What some more threads counted.
    fn and(mut self, figures: &RouteFigures) -> Self {
        let add = |(all, some): (&mut u64, &AtomicU64)| *all += some.load(Ordering::Relaxed);
        // The parts of a whole before the whole, for an answer may be counted between the readings.
        self.buckets.iter_mut().zip(&figures.buckets).for_each(add);
        self.counts.iter_mut().zip(&figures.counts).for_each(add);
        add((&mut self.faults, &figures.faults));
        add((&mut self.sum_us, &figures.sum_us));
        let longest_us = figures.longest_us.load(Ordering::Relaxed);
        self.longest_us = self.longest_us.max(longest_us);
        self
    }

    /// Method, status and count of the answers there were.
    fn answers(&self) -> impl Iterator<Item = (&'static str, u16, u64)> {
        let counts = self.counts.iter().enumerate();
        counts.filter_map(|(position, count)| {
            let method = METHODS.get(position / STATUSES.len()).copied()?;
            let status = STATUSES.get(position % STATUSES.len()).copied()?;
            (*count > 0).then_some((method, status, *count))
        })
    }

    fn refused(&self) -> u64 {
        let refused = self.answers().filter(|(_, status, _)| *status == 429);
        refused.map(|(_, _, count)| count).sum()
    }

    fn duration(&self) -> Spread {
        let mut below = 0;
        let buckets = BOUNDS_US.iter().zip(&self.buckets).map(|(bound, count)| {
            below += count;
            (*bound as f64 / 1e6, below)
        });
        let buckets: Vec<(f64, u64)> = buckets.collect();
        let answers: u64 = self.answers().map(|(_, _, count)| count).sum();
        Spread {
            // An answer may be counted between the two readings; the whole is never less than its parts.
            count: answers.max(buckets.last().map_or(0, |(_, count)| *count)),
            sum_s: self.sum_us as f64 / 1e6,
            longest_s: Some(self.longest_us as f64 / 1e6),
            buckets,
        }
    }

    fn observe(&self) -> RouteSeen {
        RouteSeen {
            route: self.name,
            requests: self.answers().map(|(_, _, count)| count).sum(),
            faults: self.faults,
            duration: self.duration(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::observation::Observation;
    use crate::telemetry::exposition::render;

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
    fn what_many_threads_counted_is_added_up() {
        let figures = HttpFigures::new(&["/a"]);
        std::thread::scope(|scope| {
            for seconds in 1..=20 {
                let figures = &figures;
                scope.spawn(move || {
                    figures.answered(0, "GET", 200, Duration::from_secs(seconds));
                    figures.at_fault(0);
                    figures.decided(Surface::Rest, Class::Other, true);
                });
            }
        });
        let seen = figures.observe();
        assert_eq!((seen.requests, seen.faults), (20, 20));
        assert_eq!(
            (seen.duration.count, seen.duration.longest_s),
            (20, Some(20.0))
        );
        assert_eq!(seen.duration.sum_s, 210.0);
        let page = render(&figures, &Observation::default());
        let decided = r#"skillkiln_ratelimit_decisions_total{surface="rest",class="other",decision="admitted"} 20"#;
        assert!(page.contains(decided), "{page}");
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
