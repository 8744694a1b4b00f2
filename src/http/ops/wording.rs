//! Owns how figures are said to people: short, with a unit, and steady enough to be read while they change.

/// What is said where there is nothing to say.
pub(super) const NOTHING: &str = "–";

/// A whole number, with thousands apart.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut said = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            said.push(',');
        }
        said.push(digit);
    }
    said
}

/// A number that may be below zero.
pub(super) fn signed(number: i64) -> String {
    let said = count(number.unsigned_abs());
    if number < 0 {
        format!("−{said}")
    } else {
        said
    }
}

/// How much a second.
pub(super) fn rate(number: f64) -> String {
    match number {
        n if n <= 0.0 => "0".into(),
        n if n < 10.0 => format!("{n:.1}"),
        n => count(n.round() as u64),
    }
}

/// A short span of time.
pub(super) fn span(seconds: f64) -> String {
    match seconds {
        s if s < 0.000_999_5 => format!("{:.0} µs", s * 1e6),
        s if s < 0.009_95 => format!("{:.1} ms", s * 1e3),
        s if s < 0.999_5 => format!("{:.0} ms", s * 1e3),
        s if s < 99.95 => format!("{s:.1} s"),
        s => age(s),
    }
}

/// A short span, or that there is none.
pub(super) fn maybe_span(seconds: Option<f64>) -> String {
    seconds.map_or_else(|| NOTHING.to_owned(), span)
}

/// How long something has been.
pub(super) fn age(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    let (minutes, hours, days) = (whole / 60, whole / 3_600, whole / 86_400);
    match whole {
        0..60 => format!("{whole} s"),
        60..3_600 => format!("{minutes} min {:02} s", whole % 60),
        3_600..86_400 => format!("{hours} h {:02} min", minutes % 60),
        _ => format!("{days} d {} h", hours % 24),
    }
}

/// The time of day of a moment since 1970.
pub(super) fn clock(unix_s: f64) -> String {
    let minutes = unix_s.max(0.0) as u64 / 60;
    format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60)
}

/// How many bytes.
pub(super) fn bytes(number: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    let mut said = format!("{number} B");
    let mut amount = number as f64;
    for unit in units {
        amount /= 1_024.0;
        if amount < 1.0 {
            break;
        }
        said = if amount < 10.0 {
            format!("{amount:.1} {unit}")
        } else {
            format!("{amount:.0} {unit}")
        };
    }
    said
}

/// A share of a hundred.
pub(super) fn percent(share: f64) -> String {
    match share * 100.0 {
        p if p > 0.0 && p < 0.1 => "< 0.1 %".into(),
        p if p < 10.0 => format!("{p:.1} %"),
        p => format!("{p:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_said_in_few_words() {
        assert_eq!(
            [0, 999, 1_000, 1_234_567].map(count),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(signed(-1_200), "−1,200");
        assert_eq!(
            [0.0, 0.04, 9.94, 12.4, 1_240.0].map(rate),
            ["0", "0.0", "9.9", "12", "1,240"]
        );
        assert_eq!(
            [0.000_8, 0.001_4, 0.048, 0.999_6, 2.31, 125.0].map(span),
            ["800 µs", "1.4 ms", "48 ms", "1.0 s", "2.3 s", "2 min 05 s"]
        );
        assert_eq!(
            [12.7, 184.0, 7_500.0, 273_700.0].map(age),
            ["12 s", "3 min 04 s", "2 h 05 min", "3 d 4 h"]
        );
        assert_eq!(
            [12, 2_048, 50_500_000, 5 << 30].map(bytes),
            ["12 B", "2.0 KiB", "48 MiB", "5.0 GiB"]
        );
        assert_eq!(
            [0.0, 0.000_1, 0.012, 0.5].map(percent),
            ["0.0 %", "< 0.1 %", "1.2 %", "50 %"]
        );
    }
}
