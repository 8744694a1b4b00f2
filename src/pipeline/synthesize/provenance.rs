//! Owns how a place in the source is named beside what was taken from it: its section, its page, its moment, and the link that leads
//! there.

use crate::domain::source::SourceType;
use crate::pipeline::product::Origin;
use skillkiln_document::blocks::Span;

/// The address that leads to a place in the source.
pub(in crate::pipeline) fn address(origin: &Origin, span: &Span) -> String {
    let base = origin.label.split('#').next().unwrap_or(&origin.label);
    match (span.seconds(), span.fragment()) {
        // The moment stands in the fragment, so that the address stays the one that was read.
        (Some((start, _)), _) if origin.kind == SourceType::Youtube => {
            format!("{base}#t={}s", start.max(0.0).floor())
        }
        // A section of another page of the site is found under that page's own address.
        (_, Some(address)) if address.starts_with("https://") || address.starts_with("http://") => {
            address.to_owned()
        }
        (_, Some(fragment)) if !fragment.is_empty() => {
            format!("{base}#{}", fragment.trim_start_matches('#'))
        }
        _ => base.to_owned(),
    }
}

/// A time as players show it.
pub(in crate::pipeline) fn time(seconds: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to a range that fits, and whole seconds are meant"
    )]
    let total = seconds.clamp(0.0, 3_600_000.0) as u64;
    let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}
