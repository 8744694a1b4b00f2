//! Writes skills of documents that were read before: `write OUT DOCUMENT.json...`; each goes to `OUT/<file without .json>/<name>/`.

use skillkiln_document::blocks::Document;
use skillkiln_skills::chunk::chunked;
use skillkiln_skills::lift::lifted;
use skillkiln_skills::outline::Outline;
use skillkiln_skills::skill::{Source, Wish};
use skillkiln_skills::write::{Sizes, write_part};
use skillkiln_skills::{naming, salience, units};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let out = arguments
        .next()
        .ok_or("usage: write OUT DOCUMENT.json...")?;
    let mut sizes = Sizes::default();
    for (name, field) in [
        ("CARD_PERCENT", &mut sizes.card_percent),
        ("CARD_MIN", &mut sizes.card_min),
        ("CARD_MAX", &mut sizes.card_max),
        ("ROUTES_MAX", &mut sizes.routes_max),
        ("FILES_MAX", &mut sizes.files_max),
    ] {
        if let Some(value) = std::env::var(name)
            .ok()
            .and_then(|value| value.parse().ok())
        {
            *field = value;
        }
    }
    for path in arguments {
        let document: Document = serde_json::from_str(&std::fs::read_to_string(&path)?)?;
        let key = Path::new(&path)
            .file_stem()
            .and_then(|stem| stem.to_str())
            .ok_or("no file name")?;
        let label = key.rsplit("__").next().unwrap_or(key);
        let source = Source {
            label: label.to_owned(),
            source_type: "file".into(),
            digest: "1a2b3c4d".into(),
            read_on: "2026-11-20".into(),
            generator: "example".into(),
        };
        if std::env::var("FEATURES").is_ok() {
            dump_features(
                &document,
                label,
                &Path::new(&out).join(format!("{key}.features")),
            )?;
            continue;
        }
        match write_part(
            &document,
            &document.blocks,
            &source,
            &Wish::default(),
            &sizes,
        ) {
            Ok(skill) => {
                let folder = Path::new(&out).join(key).join(&skill.name);
                std::fs::create_dir_all(folder.join("references"))?;
                std::fs::write(folder.join("SKILL.md"), &skill.content)?;
                for reference in &skill.references {
                    std::fs::write(folder.join(&reference.filename), &reference.content)?;
                }
                std::fs::write(Path::new(&out).join(key).join("kind"), skill.kind.as_str())?;
            }
            Err(refusal) => {
                std::fs::write(Path::new(&out).join(format!("{key}.refused")), &refusal.0)?
            }
        }
    }
    Ok(())
}

/// Writes what is known of each unit, a line each, for whoever fits the weights.
fn dump_features(document: &Document, label: &str, to: &Path) -> Result<(), Box<dyn Error>> {
    let flat = lifted(&document.blocks);
    let blocks = flat.as_deref().unwrap_or(&document.blocks);
    let cut = chunked(blocks);
    let blocks = cut.as_deref().unwrap_or(blocks);
    let outline = Outline::of(blocks);
    let title = naming::title(document, label);
    let all = units::extract(blocks, &outline);
    let features = salience::features(&all, &outline, &title);
    let mut lines = String::new();
    for (unit, features) in all.iter().zip(features) {
        let line = serde_json::json!({
            "text": unit.text, "tokens": unit.tokens, "section": outline.path(unit.section),
            "kind": format!("{:?}", unit.kind), "features": features.to_vec(),
        });
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    std::fs::write(to, lines)?;
    Ok(())
}
