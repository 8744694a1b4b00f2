//! Shows numbers as the format codes of their cells say (ECMA-376, 18.8.31): digits, and signs and words around them. Dates and times are
//! by ISO 8601, since the order of their parts is that of a country.

use chrono::{Duration, NaiveDate, NaiveDateTime};
use skillkiln_document::text::squash;

/// A format code: a section for every number, or some for numbers of one sign or condition each.
#[derive(Debug, Clone)]
pub(crate) struct NumberFormat(Vec<Section>);

#[derive(Debug, Clone, Default)]
struct Section {
    tokens: Vec<Token>,
    /// Letters outside of quotes: of dates, times, `General`, an exponent, and the bar of a fraction.
    letters: String,
    condition: Option<(String, f64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Sign(char),
    /// Where a digit stands; `true` shows a zero too.
    Place(bool),
    Point,
    Comma,
    Percent,
}

/// Places behind the point that are shown at most.
const PLACES_MAX: usize = 15;
/// From here on numbers are shown by their exponent.
const LARGE: f64 = 1e21;

impl NumberFormat {
    /// The format that a code stands for.
    pub(crate) fn of(code: &str) -> Self {
        let mut sections = vec![Section::default()];
        let mut signs = code.chars();
        while let Some(sign) = signs.next() {
            if sign == ';' {
                sections.push(Section::default());
            }
            let Some(section) = sections.last_mut() else {
                break;
            };
            let tokens = &mut section.tokens;
            match sign {
                ';' => {}
                '"' => tokens.extend(signs.by_ref().take_while(|c| *c != '"').map(Token::Sign)),
                '\\' => tokens.extend(signs.next().map(Token::Sign)),
                // A gap as wide as the sign behind it, and a sign that fills the cell.
                '_' | '*' => tokens.extend(signs.next().map(|_| Token::Sign(' '))),
                '[' => {
                    section.bracket(&signs.by_ref().take_while(|c| *c != ']').collect::<String>())
                }
                '0' => tokens.push(Token::Place(true)),
                '#' | '?' => tokens.push(Token::Place(false)),
                '.' => tokens.push(Token::Point),
                ',' => tokens.push(Token::Comma),
                '%' => tokens.push(Token::Percent),
                '@' | '/' => section.letters.push(sign),
                letter if letter.is_ascii_alphabetic() => {
                    section.letters.push(letter.to_ascii_lowercase())
                }
                other => tokens.push(Token::Sign(other)),
            }
        }
        Self(sections)
    }

    /// A number as the format shows it; plainly where that asks for a fraction or an exponent.
    pub(crate) fn shown(&self, value: f64, from_1904: bool) -> String {
        let count = self.0.len();
        let found = self
            .0
            .iter()
            .enumerate()
            .find(|(at, section)| match &section.condition {
                Some((sign, bound)) => match sign.as_str() {
                    "<" => value < *bound,
                    "<=" => value <= *bound,
                    ">" => value > *bound,
                    ">=" => value >= *bound,
                    "<>" => value != *bound,
                    _ => value == *bound,
                },
                None => match (at, count) {
                    (0, 1) | (1, 2) | (2.., _) => true,
                    (0, 2) => value >= 0.0,
                    (0, _) => value > 0.0,
                    _ => value < 0.0,
                },
            });
        let Some((at, section)) = found else {
            return number(value);
        };
        let has = |letters: &[char]| section.letters.contains(letters);
        let has_date = has(&['y', 'd']) || section.letters.contains("mmm");
        let has_time = has(&['h', 's']);
        let is_hidden = section.tokens.is_empty() && value != 0.0;
        if has_date || has_time {
            return date(value, has_date, has_time, from_1904).unwrap_or_else(|| number(value));
        }
        if !section.letters.is_empty() || is_hidden || !value.is_finite() || value.abs() >= LARGE {
            return number(value);
        }
        let shown = squash(&section.shown(value.abs()));
        // A section for negative numbers alone has its own sign for them.
        let is_signed =
            value < 0.0 && (at != 1 || self.0.iter().any(|one| one.condition.is_some()));
        match is_signed && shown.contains(|c| matches!(c, '1'..='9')) {
            true => format!("-{shown}"),
            false => shown,
        }
    }
}

impl Section {
    /// What stands in brackets: a condition, a currency, hours that are counted on; colours say nothing here.
    fn bracket(&mut self, inner: &str) {
        let sign = inner.trim_start_matches(['<', '>', '=']);
        let operator = inner.strip_suffix(sign).unwrap_or("");
        if let (false, Ok(bound)) = (operator.is_empty(), sign.parse()) {
            self.condition = Some((operator.to_owned(), bound));
        } else if let Some(currency) = inner.strip_prefix('$') {
            let sign = currency.split('-').next().unwrap_or("");
            self.tokens.extend(sign.chars().map(Token::Sign));
        } else if inner.len() <= 2 {
            self.letters.push_str(&inner.to_lowercase());
        }
    }

    fn shown(&self, value: f64) -> String {
        let is_place = |token: &&Token| matches!(token, Token::Place(_));
        let mut tokens = self.tokens.clone();
        // Commas behind the last digit of a row stand for thousands each, the others for gaps between them.
        let mut thousands = 0;
        let mut is_grouped = false;
        for at in 0..tokens.len() {
            if tokens.get(at) == Some(&Token::Comma) {
                let next = tokens.iter().skip(at).find(|token| **token != Token::Comma);
                match next.as_ref().is_some_and(is_place) {
                    true => is_grouped = true,
                    false => thousands += 1,
                }
            }
        }
        tokens.retain(|token| *token != Token::Comma);
        if !tokens.iter().any(|token| is_place(&token)) {
            return tokens.iter().filter_map(Token::sign).collect();
        }
        let point = tokens.iter().position(|token| *token == Token::Point);
        let mut part = tokens.split_off(point.unwrap_or(tokens.len()));
        let mut whole = tokens;
        if !whole.iter().any(|token| is_place(&token)) {
            whole.push(Token::Place(false));
        }
        let places = part.iter().filter(is_place).count().min(PLACES_MAX);
        let percents = whole
            .iter()
            .chain(&part)
            .filter(|token| **token == Token::Percent)
            .count();
        let moved = 10f64.powi((places + 2 * percents) as i32 - 3 * thousands);
        let digits = format!("{:01$.0}", precise(value * moved).round(), places + 1);
        let (head, tail) = digits.split_at(digits.len() - places);
        let mut out = Vec::new();
        let mut digits = head.trim_start_matches('0').bytes().rev();
        let mut count = 0;
        let mut left = whole.iter().filter(is_place).count();
        for token in whole.iter().rev() {
            let Token::Place(is_zero) = token else {
                out.extend(token.sign());
                continue;
            };
            left -= 1;
            let own = if left == 0 { usize::MAX } else { 1 };
            let filler = is_zero.then_some('0').filter(|_| digits.len() == 0);
            for digit in digits.by_ref().take(own).map(char::from).chain(filler) {
                if is_grouped && count > 0 && count % 3 == 0 {
                    out.push(',');
                }
                out.push(digit);
                count += 1;
            }
        }
        out.reverse();
        let mut tail = tail.chars();
        while let Some(last) = part.iter().rposition(|token| is_place(&token))
            && part.get(last) == Some(&Token::Place(false))
            && tail.as_str().ends_with('0')
        {
            part.remove(last);
            tail.next_back();
        }
        if tail.as_str().is_empty() {
            part.retain(|token| *token != Token::Point);
        }
        for token in &part {
            match token {
                Token::Place(_) => out.extend(tail.next()),
                other => out.extend(other.sign()),
            }
        }
        out.into_iter().collect()
    }
}

impl Token {
    fn sign(&self) -> Option<char> {
        match self {
            Self::Sign(sign) => Some(*sign),
            Self::Point => Some('.'),
            Self::Percent => Some('%'),
            Self::Place(_) | Self::Comma => None,
        }
    }
}

/// A number in the fifteen digits that spreadsheets hold, without the noise of the last binary ones.
fn precise(value: f64) -> f64 {
    format!("{value:.14e}").parse().unwrap_or(value)
}

/// A number as it reads.
pub(crate) fn number(value: f64) -> String {
    if !value.is_finite() {
        return String::new();
    }
    let rounded = precise(value);
    if rounded.abs() >= 1e15 || rounded != 0.0 && rounded.abs() < 1e-5 {
        return format!("{rounded:e}");
    }
    format!("{rounded}")
}

/// The moment that a serial number of days stands for.
fn date(value: f64, has_date: bool, has_time: bool, from_1904: bool) -> Option<String> {
    if !(0.0..3_000_000.0).contains(&value) {
        return None;
    }
    // The first program counted a 29 February 1900 that never was.
    let start = match from_1904 {
        true => NaiveDate::from_ymd_opt(1904, 1, 1)?,
        false if value < 60.0 => NaiveDate::from_ymd_opt(1899, 12, 31)?,
        false => NaiveDate::from_ymd_opt(1899, 12, 30)?,
    };
    let seconds = (value * 86_400.0).round();
    if !has_date {
        let seconds = seconds as i64;
        return Some(format!(
            "{:02}:{:02}:{:02}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        ));
    }
    let moment: NaiveDateTime = start
        .and_hms_opt(0, 0, 0)?
        .checked_add_signed(Duration::try_seconds(seconds as i64)?)?;
    let shape = match has_time {
        true => "%Y-%m-%d %H:%M:%S",
        false => "%Y-%m-%d",
    };
    Some(moment.format(shape).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postcodes_article_numbers_shares_prices_and_units_are_shown_as_in_excel() {
        for (value, format, shown) in [
            (1067.0, "00000", "01067"),
            (12.0, "\"A-\"0000", "A-0012"),
            (123456789.0, "000-00-0000", "123-45-6789"),
            (5551234.0, "[<=9999999]###-####;(###) ###-####", "555-1234"),
            (
                2125551234.0,
                "[<=9999999]###-####;(###) ###-####",
                "(212) 555-1234",
            ),
            (12.5, "0.00", "12.50"),
            (1.005, "0.00", "1.01"),
            (2.5, "0", "3"),
            (0.125, "0.0%", "12.5%"),
            (0.07, "0%", "7%"),
            (1234.5, "#,##0.00 \"days\"", "1,234.50 days"),
            (1234567.0, "#,##0,\"k\"", "1,235k"),
            (0.5, ".00", ".50"),
            (1.5, "0.0##", "1.5"),
            (3.0, "0.##", "3"),
            (-3.5, "0.00", "-3.50"),
            (-0.001, "0.00", "0.00"),
            (-1234.5, "#,##0.00_);(#,##0.00)", "(1,234.50)"),
            (
                1234.5,
                "_-* #,##0.00 [$€-407]_-;-* #,##0.00 [$€-407]_-;_-* \"-\"?? [$€-407]_-;_-@_-",
                "1,234.50 €",
            ),
            (0.0, "_(* #,##0_);_(* \\(#,##0\\);_(* \"-\"??_);_(@_)", "-"),
            (1.0, "[=1]\"yes\";[=0]\"no\"", "yes"),
            (7.0, ";;;", "7"),
            (7.0, "@", "7"),
            (0.1 + 0.2, "General", "0.3"),
            (0.5, "# ?/?", "0.5"),
            (1.0, "[Red]0", "1"),
            (1e20, "0", "100000000000000000000"),
            (1e300, "0", "1e300"),
            (45_000.0, "yyyy\\-mm\\-dd", "2023-03-15"),
            (45_000.5, "dd/mm/yyyy hh:mm", "2023-03-15 12:00:00"),
            (0.25, "h:mm", "06:00:00"),
            (1.5, "[h]:mm", "36:00:00"),
            (1.0, "yyyy", "1900-01-01"),
        ] {
            assert_eq!(
                NumberFormat::of(format).shown(value, false),
                shown,
                "{format}"
            );
        }
        assert_eq!(NumberFormat::of("d.m.yy").shown(0.0, true), "1904-01-01");
    }
}
