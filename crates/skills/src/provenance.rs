//! Owns how a place in the source is named beside what was taken from it: its section, its page, its moment, and the link that leads
//! there.

use crate::scaffold::SOURCE_LABEL;
use crate::skill::Source;
use skillkiln_document::blocks::{Block, Span};
use skillkiln_document::markdown;
use skillkiln_document::text::Inline;

/// After so many seconds of speech it is told again where it is heard.
const SECONDS_BETWEEN: f64 = 60.0;

/// Which moments of a recording have been told.
#[derive(Debug, Clone)]
pub struct Moments {
    source: Source,
    /// The last one, in seconds.
    last: f64,
}

impl Moments {
    /// Of a source of which nothing is told yet.
    pub fn of(source: &Source) -> Self {
        Self {
            source: source.clone(),
            last: f64::NEG_INFINITY,
        }
    }

    /// Takes note of a moment that is told elsewhere.
    pub fn note(&mut self, span: &Span) {
        if let Some((start, _)) = span.seconds() {
            self.last = start;
        }
    }

    /// The line that says when the words of `span` are heard, where a chapter begins or that was not told for a while; what is heard
    /// before what was told last is told as well.
    pub fn due(&mut self, span: &Span, is_chapter: bool) -> Option<String> {
        let (start, _) = span.seconds()?;
        let is_due = is_chapter || (start - self.last).abs() >= SECONDS_BETWEEN;
        is_due.then(|| {
            self.last = start;
            moment_line(span, start, &self.source)
        })
    }
}

/// The line that says when something is heard.
fn moment_line(span: &Span, start: f64, source: &Source) -> String {
    let told = vec![Inline::Text(time(start))];
    let place = match source.is_address() {
        true => Inline::link(address(source, span), told),
        false => Inline::Text(time(start)),
    };
    let label = Inline::Text(format!("{SOURCE_LABEL} "));
    markdown::write(&[Block::paragraph(vec![label, place])])
}

/// The line that says where a section stands in the source.
pub fn source_line(path: &str, span: &Span, source: &Source, with_label: bool) -> String {
    let mut place = if path.is_empty() {
        source.label.clone()
    } else {
        path.to_owned()
    };
    if let Some(page) = span.page() {
        place.push_str(&format!(", page {page}"));
    }
    if let Some((start, _)) = span.seconds() {
        place.push_str(&format!(", {}", time(start)));
    }
    let mut text = vec![Inline::Text(format!("{SOURCE_LABEL} "))];
    if source.is_address() {
        text.push(Inline::link(
            address(source, span),
            vec![Inline::Text(place)],
        ));
    } else if with_label && !path.is_empty() && source.source_type == "file" {
        text.push(Inline::Text(format!("{}, {place}", source.label)));
    } else {
        text.push(Inline::Text(place));
    }
    markdown::write(&[Block::paragraph(text)])
}

/// The address that leads to a place in the source.
pub fn address(source: &Source, span: &Span) -> String {
    let base = source.label.split('#').next().unwrap_or(&source.label);
    match (span.seconds(), span.fragment()) {
        // The moment stands in the fragment, so that the address stays the one that was read.
        (Some((start, _)), _) if source.source_type == "youtube" => {
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
pub fn time(seconds: f64) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(seconds: f64) -> Span {
        let span = serde_json::json!({"bytes": {"start": 0, "end": 1}, "seconds": [seconds, seconds + 1.0]});
        serde_json::from_value(span).unwrap()
    }

    #[test]
    fn a_moment_is_told_at_chapters_and_every_minute_and_leads_to_the_video() {
        let video = Source {
            source_type: "youtube".into(),
            label: "https://www.youtube.com/watch?v=kiln".into(),
            ..Source::default()
        };
        let mut moments = Moments::of(&video);
        assert!(moments.due(&heard(0.0), false).is_some());
        assert_eq!(moments.due(&heard(59.0), false), None);
        let line = "Source: [1:03](https://www.youtube.com/watch?v=kiln#t=63s)";
        assert_eq!(moments.due(&heard(63.4), false).unwrap().trim(), line);
        assert_eq!(moments.due(&heard(70.0), false), None);
        assert!(moments.due(&heard(71.0), true).is_some());
        moments.note(&heard(130.0));
        assert_eq!(moments.due(&heard(140.0), false), None);
        assert_eq!(moments.due(&Span::default(), true), None);
    }

    #[test]
    fn a_moment_of_a_file_has_no_link() {
        let mut moments = Moments::of(&Source {
            label: "text".into(),
            ..Source::default()
        });
        let line = moments.due(&heard(3_723.0), false).unwrap();
        assert_eq!(line.trim(), "Source: 1:02:03");
    }
}
