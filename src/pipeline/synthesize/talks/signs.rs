//! Owns what a text comes back to in a script without blanks: its runs of signs between those that only join others.

use skillkiln_document::quick::QuickMap;

/// How long a run is that may be a name.
const RUN: std::ops::RangeInclusive<usize> = 2..=10;
/// How long a piece of a run of Chinese is that may be one: its words stand together.
const PIECE: std::ops::RangeInclusive<usize> = 2..=6;
/// A run comes so often at the least.
const TIMES_MIN: usize = 3;
/// So much of a text is looked at.
const CHARS_MAX: usize = 20_000;
/// Signs of Chinese that join and point, and stand in no name. The letters of Japanese that do so are of another script.
const JOINING: &str = "的了是在和有我你他她它们們这這那哪就也都不会會能要可以把被从從到对對为為与與或但而如果因所之其个個些么麼什怎样樣很最更还還又再只让讓给給上下中里裡来來去说說看想做用当當时時后後前并並每某";

/// The runs of signs that a text comes back to, the most telling first.
pub(in crate::pipeline::synthesize) fn runs(text: &str, limit: usize) -> Vec<String> {
    let end = text.char_indices().nth(CHARS_MAX);
    let text = end.and_then(|(end, _)| text.get(..end)).unwrap_or(text);
    // Japanese parts its names by the letters between them.
    let is_japanese = text.contains(|c: char| matches!(c, '\u{3040}'..='\u{309f}'));
    let mut times: QuickMap<&str, (usize, usize)> = QuickMap::default();
    for (place, run) in text.split(|c: char| !is_of_name(c)).enumerate() {
        let names = match is_japanese {
            true if RUN.contains(&run.chars().count()) => vec![run],
            true => Vec::new(),
            false => pieces(run),
        };
        for name in names {
            times.entry(name).or_insert((0, place)).0 += 1;
        }
    }
    let worth = |name: &str, times: usize| match is_japanese {
        true => times,
        false => times * (name.chars().count() - 1),
    };
    let mut names: Vec<(usize, usize, &str)> = times
        .into_iter()
        .filter(|(_, (times, _))| *times >= TIMES_MIN)
        .map(|(name, (times, place))| (worth(name, times), place, name))
        .collect();
    names.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(b.2)));
    let mut chosen: Vec<String> = Vec::new();
    for (_, _, name) in names {
        if chosen.len() >= limit {
            break;
        }
        // What shares two signs with another is a piece of it, or of both.
        let says_again = |piece: &&str| chosen.iter().any(|own| own.contains(piece));
        if !pairs(name).iter().any(says_again) {
            chosen.push(name.to_owned());
        }
    }
    chosen
}

/// The signs of a name, two by two.
fn pairs(name: &str) -> Vec<&str> {
    pieces_of(name, 2..=2)
}

/// The pieces of a run that may be names.
fn pieces(run: &str) -> Vec<&str> {
    pieces_of(run, PIECE)
}

fn pieces_of(run: &str, lengths: std::ops::RangeInclusive<usize>) -> Vec<&str> {
    let mut borders: Vec<usize> = run.char_indices().map(|(at, _)| at).collect();
    borders.push(run.len());
    let mut out = Vec::new();
    for length in lengths {
        for ends in borders.windows(length + 1) {
            if let [start, .., end] = ends {
                out.extend(run.get(*start..*end));
            }
        }
    }
    out
}

/// Whether a sign may stand in a name: those of Chinese that name something, and the letters that Japanese writes foreign words in.
fn is_of_name(c: char) -> bool {
    matches!(c, '\u{30a1}'..='\u{30fa}' | '\u{30fc}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
        && !JOINING.contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_text_comes_back_to_is_told_without_blanks() {
        let japanese = "平面グラフの双対グラフを描く。双対グラフは平面グラフだ。窯も双対グラフだ。";
        assert_eq!(runs(japanese, 2), ["双対グラフ"]);
        let chinese = "无穷级数的和。我们发现无穷级数是这样的。收敛无穷级数也是。";
        assert_eq!(runs(chinese, 2), ["无穷级数"]);
        assert!(runs("The kiln.", 2).is_empty());
    }
}
