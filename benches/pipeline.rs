//! What the three stages and their parts cost per byte of the source, and how that grows with its length.

use crate::support::{page, reader};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput};
use skillkiln::pipeline::extract::{Input, NamedBytes, extract};
use skillkiln::pipeline::product::Wish;
use skillkiln::pipeline::synthesize::{detect, suggest, synthesize, write};
use skillkiln::pipeline::validate::validate;
use std::sync::Arc;

fn html(markdown: &str) -> String {
    let mut html =
        String::from("<!doctype html><html><head><title>Guide</title></head><body><main><article>");
    pulldown_cmark::html::push_html(&mut html, pulldown_cmark::Parser::new(markdown));
    html.push_str("</article></main></body></html>");
    html
}

pub(crate) fn bench(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let reader = runtime.block_on(async { reader() });
    let mut group = criterion.benchmark_group("pipeline");
    group.sample_size(20);
    for kilobytes in [2usize, 64] {
        let text = page(kilobytes << 10, 1);
        group.throughput(Throughput::Bytes(text.len() as u64));
        let inputs = [
            ("text", Input::Text(text.clone())),
            (
                "html",
                Input::Files(vec![NamedBytes {
                    filename: "page.html".to_owned(),
                    bytes: html(&text).into(),
                }]),
            ),
        ];
        for (kind, input) in &inputs {
            group.bench_function(
                BenchmarkId::new(format!("extract {kind}"), format!("{kilobytes} KB")),
                |bencher| {
                    bencher.iter(|| {
                        runtime
                            .block_on(extract(&reader, input.clone()))
                            .expect("it can be read")
                    });
                },
            );
        }
        let extracted = runtime
            .block_on(extract(&reader, Input::Text(text)))
            .expect("it can be read");
        let ranked = BenchmarkId::new("rank the topics", format!("{kilobytes} KB"));
        group.bench_function(ranked, |bencher| bencher.iter(|| detect(&extracted)));
        let suggested = BenchmarkId::new("suggest metadata", format!("{kilobytes} KB"));
        group.bench_function(suggested, |bencher| {
            bencher.iter(|| suggest(&extracted));
        });
        let evidence = Arc::new(extracted.clone());
        let composed = BenchmarkId::new("compose", format!("{kilobytes} KB"));
        group.bench_function(composed, |bencher| {
            bencher.iter(|| write(Arc::clone(&evidence), &Wish::default()).expect("a skill"));
        });
        group.bench_function(
            BenchmarkId::new("synthesize", format!("{kilobytes} KB")),
            |bencher| {
                bencher.iter_batched(
                    || extracted.clone(),
                    |extracted| {
                        runtime
                            .block_on(synthesize(&reader.pool, extracted, Wish::default()))
                            .expect("a skill")
                    },
                    BatchSize::SmallInput,
                );
            },
        );
        let synthesized = runtime
            .block_on(synthesize(&reader.pool, extracted, Wish::default()))
            .expect("a skill");
        group.bench_function(
            BenchmarkId::new("validate", format!("{kilobytes} KB")),
            |bencher| {
                bencher.iter_batched(
                    || synthesized.clone(),
                    |synthesized| {
                        runtime
                            .block_on(validate(&reader.pool, synthesized))
                            .expect("a report")
                    },
                    BatchSize::SmallInput,
                );
            },
        );
    }
    group.finish();
}
