//! What a frame of an event stream costs, beside the JSON that it carries.

use actix_web::body::to_bytes;
use actix_web_lab::sse::Sse;
use criterion::{Criterion, Throughput};
use futures_util::{FutureExt as _, stream};
use serde_json::json;
use skillkiln::http::sse::event;

pub(crate) fn bench(criterion: &mut Criterion) {
    let progress = json!({ "stage": "extracting", "message": "Reading the source" });
    let complete = json!({
        "skill": { "id": "sk_0199", "name": "kiln-care", "content": crate::support::page(16 << 10, 1) },
        "validation": { "errors": 0, "warnings": 0 }
    });
    let mut group = criterion.benchmark_group("stream");
    for (name, data) in [("progress", &progress), ("complete, 16 KB", &complete)] {
        group.throughput(Throughput::Bytes(data.to_string().len() as u64));
        group.bench_function(format!("frame of {name}"), |bencher| {
            bencher.iter(|| {
                let events = stream::iter([event(name, data)]);
                to_bytes(Sse::from_infallible_stream(events)).now_or_never()
            });
        });
        group.bench_function(format!("JSON of {name}"), |bencher| {
            bencher.iter(|| serde_json::to_string(data).expect("it is JSON"));
        });
    }
    group.finish();
}
