//! Reads the text that Prometheus reads, and refuses whatever it would stumble over.

use std::collections::{HashMap, HashSet};

/// A metric with its samples, in the order of the text.
#[derive(Debug)]
pub(crate) struct Family {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) samples: Vec<Sample>,
}

/// One line.
#[derive(Debug)]
pub(crate) struct Sample {
    /// The family's name with `_bucket`, `_sum` or `_count` where it has one.
    pub(crate) name: String,
    pub(crate) labels: Vec<(String, String)>,
    pub(crate) value: f64,
}

impl Sample {
    pub(crate) fn label(&self, name: &str) -> Option<&str> {
        let found = self.labels.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Its labels without `le`, which tells buckets of one histogram apart.
    fn series(&self) -> Vec<(String, String)> {
        let mut labels = self.labels.clone();
        labels.retain(|(name, _)| name != "le");
        labels.sort();
        labels
    }
}

/// Reads a whole page; panics with what is wrong.
pub(crate) fn read(text: &str) -> Vec<Family> {
    assert!(text.ends_with('\n'), "the last line ends too");
    let mut families: Vec<Family> = Vec::new();
    let mut helped = HashSet::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let (name, help) = rest.split_once(' ').expect("a name and its help");
            assert!(helped.insert(name.to_owned()), "{name} is explained twice");
            assert!(!help.trim().is_empty(), "{name} is not explained");
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').expect("a name and its type");
            assert!(helped.contains(name), "{name} has a type before its help");
            assert!(is_name(name), "{name} is no name");
            assert!(
                ["counter", "gauge", "histogram", "summary"].contains(&kind),
                "{line}"
            );
            assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
            families.push(Family {
                name: name.to_owned(),
                kind: kind.to_owned(),
                samples: vec![],
            });
        } else {
            let sample = sample(line);
            let family = families.last_mut().expect("a heading comes first");
            let suffix = sample.name.strip_prefix(&family.name);
            let allowed: &[&str] = match family.kind.as_str() {
                "histogram" => &["_bucket", "_sum", "_count"],
                "summary" => &["_sum", "_count"],
                _ => &[""],
            };
            assert!(
                suffix.is_some_and(|suffix| allowed.contains(&suffix)),
                "{line} in {}",
                family.name
            );
            assert_eq!(
                sample.label("le").is_some(),
                suffix == Some("_bucket"),
                "{line}"
            );
            assert!(family.kind == "gauge" || sample.value >= 0.0, "{line}");
            family.samples.push(sample);
        }
    }
    for family in &families {
        check(family);
    }
    families
}

fn check(family: &Family) {
    let mut seen = HashSet::new();
    for sample in &family.samples {
        let key = (
            sample.name.clone(),
            sample.series(),
            sample.label("le").map(str::to_owned),
        );
        assert!(seen.insert(key), "{sample:?} is there twice");
    }
    if family.kind != "histogram" {
        return;
    }
    let mut buckets: HashMap<_, Vec<(f64, f64)>> = HashMap::new();
    let mut counts = HashMap::new();
    for sample in &family.samples {
        if let Some(bound) = sample.label("le") {
            let bound = if bound == "+Inf" {
                f64::INFINITY
            } else {
                bound.parse().expect("a bound")
            };
            buckets
                .entry(sample.series())
                .or_default()
                .push((bound, sample.value));
        } else if sample.name.ends_with("_count") {
            counts.insert(sample.series(), sample.value);
        }
    }
    assert_eq!(buckets.len(), counts.len(), "{}", family.name);
    for (series, buckets) in buckets {
        assert!(
            buckets.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1),
            "{} {series:?}: {buckets:?}",
            family.name
        );
        let (last, all) = buckets.last().expect("a bucket");
        assert!(last.is_infinite(), "{} {series:?} has no +Inf", family.name);
        assert_eq!(Some(all), counts.get(&series), "{} {series:?}", family.name);
    }
}

fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// `name{label="value",…} number`.
fn sample(line: &str) -> Sample {
    let cut = line.find(['{', ' ']).expect("a name and more");
    let (name, mut rest) = line.split_at(cut);
    assert!(is_name(name), "{line}");
    let mut labels = Vec::new();
    if let Some(inside) = rest.strip_prefix('{') {
        rest = inside;
        loop {
            let (label, after) = rest.split_once("=\"").expect("a label");
            assert!(is_name(label), "{line}");
            let mut value = String::new();
            let mut letters = after.char_indices();
            let end = loop {
                match letters.next().expect("a value ends") {
                    (end, '"') => break end,
                    (_, '\\') => match letters.next().expect("what is escaped").1 {
                        'n' => value.push('\n'),
                        known @ ('"' | '\\') => value.push(known),
                        other => panic!("\\{other} in {line}"),
                    },
                    (_, letter) => value.push(letter),
                }
            };
            labels.push((label.to_owned(), value));
            rest = &after[end + 1..];
            match rest.chars().next() {
                Some(',') => rest = &rest[1..],
                Some('}') => break,
                other => panic!("{other:?} in {line}"),
            }
        }
        rest = &rest[1..];
    }
    let number = rest.strip_prefix(' ').expect("a blank before the number");
    Sample {
        name: name.to_owned(),
        labels,
        value: number
            .parse()
            .unwrap_or_else(|_| panic!("{number} in {line}")),
    }
}
