//! Owns what a site's robots.txt says about one page.

use bytes::Bytes;
use texting_robots::Robot;
use url::Url;

/// What is read of a robots.txt, as its standard advises (RFC 9309).
pub(super) const SIZE_BYTES_MAX: usize = 500 << 10;

/// Longer files have their tail ignored.
const LINES_MAX: usize = 10_000;
/// Rules with a `$` cost a regular expression each, so fewer of them are heeded.
const ANCHORED_MAX: usize = 500;
/// No honest rule is longer.
const LINE_BYTES_MAX: usize = 2_048;

/// Whether the file lets `agent` read the page. A file that cannot be understood allows everything, as an absent one does.
/// Runs on a thread for blocking work.
pub(super) async fn allows(text: Bytes, agent: String, url: &Url) -> bool {
    if text.is_empty() {
        return true;
    }
    let page = url.to_string();
    tokio::task::spawn_blocking(move || judge(&text, &agent, &page))
        .await
        .unwrap_or(true)
}

fn judge(text: &[u8], agent: &str, page: &str) -> bool {
    let mut anchored = 0;
    let text: Vec<&[u8]> = text
        .get(..SIZE_BYTES_MAX)
        .unwrap_or(text)
        .split(|byte| matches!(byte, b'\n' | b'\r' | 0))
        .filter(|line| !line.is_empty() && line.len() <= LINE_BYTES_MAX)
        .filter(|line| {
            anchored += usize::from(line.contains(&b'$'));
            anchored <= ANCHORED_MAX || !line.contains(&b'$')
        })
        .take(LINES_MAX)
        .collect();
    Robot::new(agent, &text.join(&b'\n')).map_or(true, |robot| robot.allowed(page))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(text: &str, page: &str) -> bool {
        judge(text.as_bytes(), "skillkiln", page)
    }

    #[test]
    fn rules_for_us_win_over_rules_for_all() {
        let text = "User-agent: *\nDisallow: /\n\nUser-agent: SkillKiln\nDisallow: /private\nAllow: /private/open\n";
        assert!(allowed(text, "https://example.com/docs"));
        assert!(!allowed(text, "https://example.com/private/a"));
        assert!(allowed(text, "https://example.com/private/open"));
        assert!(!judge(
            text.as_bytes(),
            "another",
            "https://example.com/docs"
        ));
    }

    #[test]
    fn a_file_that_is_no_robots_txt_allows_everything() {
        assert!(allowed(
            "<!DOCTYPE html><html><body>not found</body></html>",
            "https://example.com/a"
        ));
        assert!(judge(
            &[0xff, 0xfe, 0, 1, b'\n', 0xc3],
            "skillkiln",
            "https://example.com/a"
        ));
    }

    #[test]
    fn a_hostile_file_is_judged_with_bounded_work() {
        let stars = format!(
            "User-agent: *\n{}",
            "Disallow: /*a*a*a*a*a*a*a*a*a*a*b$\n".repeat(12_000)
        );
        let page = format!("https://example.com/{}", "a".repeat(2_000));
        assert!(allowed(&stars, &page));
        let long = format!(
            "User-agent: *\nDisallow: /{}\nDisallow: /x",
            "*a".repeat(200_000)
        );
        assert!(!allowed(&long, "https://example.com/x"));
    }
}
