//! What reading costs, format by format: about a megabyte of each, read as the service reads it. What a child process reads is read in
//! one, whose start counts.

use crate::documents;
use crate::support::{is_measured, reader};
use criterion::{BenchmarkId, Criterion, Throughput};
use skillkiln::pipeline::extract::{Input, NamedBytes, extract};

/// What is measured, and what is tried once in a test.
const BYTES: usize = 1 << 20;
const BYTES_ONCE: usize = 8 << 10;

pub(crate) fn bench(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let reader = runtime.block_on(async { reader() });
    let mut group = criterion.benchmark_group("extract");
    group.sample_size(10);
    let bytes = if is_measured() { BYTES } else { BYTES_ONCE };
    for sample in documents::all(bytes) {
        let file = NamedBytes {
            filename: sample.filename.to_owned(),
            bytes: sample.bytes.into(),
        };
        group.throughput(Throughput::Bytes(file.bytes.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(sample.filename), |bencher| {
            bencher.iter(|| {
                let input = Input::Files(vec![file.clone()]);
                let read = runtime
                    .block_on(extract(&reader, input))
                    .expect("it can be read");
                assert!(!read.document.blocks.is_empty(), "nothing was read");
                read
            });
        });
    }
    group.finish();
}
