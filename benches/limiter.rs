//! What admitting a request costs, under a calm and a full window.

use criterion::Criterion;
use skillkiln::domain::clock::{Clock, Timestamp};
use skillkiln::domain::id::KeyId;
use skillkiln::domain::quota::{Cell, Class, Rates, Surface};
use std::hint::black_box;

pub(crate) fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("limiter");
    let rates = Rates {
        generate_per_minute: 10,
        other_per_minute: 60,
    };
    let cell = Cell::new(KeyId::new(), rates);
    let mut micros = 0;
    group.bench_function("admit, one a second", |bencher| {
        bencher.iter(|| {
            micros += 1_000_000;
            black_box(cell.admit(Surface::Rest, Class::Other, Timestamp::from_micros(micros)))
        });
    });
    let full = Cell::new(KeyId::new(), rates);
    group.bench_function("refuse", |bencher| {
        bencher
            .iter(|| black_box(full.admit(Surface::Rest, Class::Other, Timestamp::from_micros(1))));
    });
    let clock = Clock::system();
    group.bench_function("admit, by the system's clock", |bencher| {
        bencher.iter(|| black_box(cell.admit(Surface::Rest, Class::Other, clock.now())));
    });
    group.finish();
}
