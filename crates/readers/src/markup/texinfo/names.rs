//! What a Texinfo manual gives names to: values, and macros with what they stand for.

use super::command;
use crate::markup::lines::{Line, joined};
use std::cell::Cell;
use std::collections::HashMap;

/// Most bytes that names may stand for in all: what names itself twice doubles with each step.
const BYTES_MAX: usize = 4 << 20;

/// What `@set` and `@macro` gave names to.
#[derive(Debug, Default)]
pub(super) struct Names {
    values: HashMap<String, String>,
    macros: HashMap<String, Macro>,
    /// Bytes that names were replaced with.
    spent: Cell<usize>,
}

#[derive(Debug)]
struct Macro {
    parameters: Vec<String>,
    body: String,
}

impl Names {
    /// Gives a value its name, as `@set NAME VALUE` does.
    pub(super) fn set(&mut self, words: &str) {
        let (name, value) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        self.values.insert(name.to_owned(), value.trim().to_owned());
    }

    /// Takes a value's name away, as `@clear NAME` does.
    pub(super) fn clear(&mut self, name: &str) {
        self.values.remove(name);
    }

    /// Whether there is a value of this name.
    pub(super) fn is_set(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Keeps a macro; `head` is what stands behind `@macro`: its name, and its parameters in braces.
    pub(super) fn define(&mut self, head: &str, body: &[Line<'_>]) {
        let (name, parameters) = head.split_once('{').unwrap_or((head, ""));
        let parameters = parameters.trim_end().trim_end_matches('}');
        let told: Vec<Line<'_>> = body
            .iter()
            .filter(|line| !matches!(command(line), Some(("c" | "comment", _))))
            .copied()
            .collect();
        let body = joined(&told);
        // A comment at the end keeps the line from ending.
        let body = body.trim_end().trim_end_matches("@c").to_owned();
        let macro_ = Macro {
            parameters: parameters
                .split(',')
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty())
                .collect(),
            body,
        };
        self.macros.insert(name.trim().to_owned(), macro_);
    }

    /// The value of a name; none when there is none, and when all of them became too long.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        let value = self.values.get(name)?.as_str();
        self.spend(value.len()).then_some(value)
    }

    /// Whether a macro has this name.
    pub(super) fn is_macro(&self, name: &str) -> bool {
        self.macros.contains_key(name)
    }

    /// What a macro stands for with `arguments`, between which there are commas when it takes several.
    pub(super) fn expanded(&self, name: &str, arguments: &str) -> Option<String> {
        let Macro { parameters, body } = self.macros.get(name)?;
        let mut arguments = arguments.splitn(parameters.len().max(1), ',');
        let mut out = body.clone();
        for parameter in parameters {
            let argument = arguments.next().unwrap_or("").trim();
            let mark = format!("\\{parameter}\\");
            let longer = out.matches(&mark).count().saturating_mul(argument.len());
            if !self.spend(longer) {
                return None;
            }
            out = out.replace(&mark, argument);
        }
        self.spend(out.len()).then_some(out)
    }

    fn spend(&self, bytes: usize) -> bool {
        let spent = self.spent.get().saturating_add(bytes + 1);
        let fits = spent <= BYTES_MAX;
        if fits {
            self.spent.set(spent);
        }
        fits
    }
}
