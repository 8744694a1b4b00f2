//! Follows the conditions of manual pages as a terminal would.

use crate::markup::lines::Line;
use crate::markup::man::{DEPTH_MAX, Reader};

impl<'a> Reader<'a> {
    /// `.if`: only what a terminal would show is read.
    pub(super) fn condition(
        &mut self,
        name: &str,
        after: &str,
        line: Line<'a>,
        rest: &[Line<'a>],
    ) -> usize {
        let after = after.trim_start();
        let (negated, test) = match after.strip_prefix('!') {
            Some(test) => (true, test),
            None => (false, after),
        };
        let end = test.find([' ', '\t']).unwrap_or(test.len());
        let (condition, body) = test.split_at(end);
        let (condition, body) = match condition.find("\\{") {
            Some(at) => (
                condition.get(..at).unwrap_or(""),
                test.get(at..).unwrap_or(""),
            ),
            None => (condition, body),
        };
        let holds = (condition == "n"
            || condition.starts_with("\\n(.g")
            || condition.starts_with("\\n[.g"))
            != negated;
        if name == "ie" && self.decided.len() < DEPTH_MAX {
            self.decided.push(holds);
        }
        self.branch(holds, body, line, rest)
    }

    /// Reads or skips the branch that begins in `body`.
    pub(super) fn branch(
        &mut self,
        holds: bool,
        body: &str,
        line: Line<'a>,
        rest: &[Line<'a>],
    ) -> usize {
        let body = body.trim_start();
        let Some(inner) = body.strip_prefix("\\{") else {
            if holds && !body.is_empty() {
                let cut = line.text.len() - body.len();
                let part = line.after(cut);
                // A condition inside the branch of a condition on the same line is not followed.
                if !part.text.starts_with(".if")
                    && !part.text.starts_with(".ie")
                    && !part.text.starts_with(".el")
                {
                    return self.line(part, rest);
                }
            }
            return 0;
        };
        if holds {
            if let Some(part) = inner
                .strip_prefix('.')
                .filter(|part| part.starts_with("ds "))
            {
                self.macro_line("ds", part.get(2..).unwrap_or(""), line, &[]);
            }
            return 0;
        }
        let mut depth = 1 + inner.matches("\\{").count();
        depth = depth.saturating_sub(inner.matches("\\}").count());
        let mut taken = 0;
        for line in rest {
            if depth == 0 {
                break;
            }
            depth += line.text.matches("\\{").count();
            depth = depth.saturating_sub(line.text.matches("\\}").count());
            taken += 1;
        }
        taken
    }
}

/// How many lines go by until after the one that begins with `end`; all when none does.
pub(super) fn until(lines: &[Line<'_>], end: &str) -> usize {
    lines
        .iter()
        .position(|line| line.text.starts_with(end))
        .map_or(lines.len(), |at| at + 1)
}
