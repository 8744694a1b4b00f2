//! Owns the checks on scripts and on the commands of SKILL.md (V073 to V076). Nothing is ever run.

use crate::validate::finding::{Finding, Findings};
use crate::validate::page::Prose;
use crate::validate::subject::{Subject, TextFile, is_script};
use skillkiln_document::pattern::AnyOf;
use skillkiln_document::patterns;
use std::collections::BTreeSet;

patterns! {
    /// A question that waits for somebody at the keyboard.
    PROMPT = r#"(?x)
        (?: ^ | [^\w.] ) (?: raw_)? input \s* \(
        | \b getpass \s* \(
        | \b read \s+ (?: -[a-z]+ \s+ )* -[a-z]*p
        | \b Read-Host \b
        | \b readline \s* \( \s* \)
        | \.question \s* \(
        | \b (?: inquirer | prompts ) \b
        | \b click\.(?: prompt | confirm ) \b
        | \b select \s+ \w+ \s+ in \b .* ; \s* do
        | \$stdin\.gets | \b gets\.chomp"#;
    /// A package that is fetched and run.
    RUNNER = r#"(?x)
        (?:^|[\s;&|(`$])(npx|uvx|bunx|pnpm\ dlx|yarn\ dlx
            |pipx\ run)((?:\s+-{1,2}[A-Za-z][\w-]*(?:=\S+)?)*)\s+([@A-Za-z][^\s;&|)`]*)"#;
    /// A tool of an MCP server by its internal name.
    INTERNAL = r"\bmcp__([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)__([A-Za-z0-9_-]+)";
    /// A tool of an MCP server without its server.
    UNQUALIFIED = r"(?i)`([a-z0-9]+(?:_[a-z0-9]+)+)`\s+(?:MCP\s+)tool|\bMCP tool\s+`([a-z0-9]+(?:_[a-z0-9]+)+)`";
    /// An import of Python.
    PYTHON = r"(?m)^[ \t]*(?:import|from)[ \t]+([A-Za-z_][\w[^\x00-\x7f]]*)";
    /// An import of JavaScript.
    JAVASCRIPT = r#"(?:require\(|from\s+|import\s+)["']((?:@[\w.-]+/)?[\w-][\w.-]*)"#;
}

// Few bodies speak of a tool's server, and are read line by line.
static MAY_BE_UNQUALIFIED: AnyOf = AnyOf::new(&[&UNQUALIFIED]);

/// What comes with Python and Node, of what scripts usually import.
const BUILT_IN: [&str; 92] = [
    "__future__",
    "abc",
    "argparse",
    "ast",
    "asyncio",
    "base64",
    "bisect",
    "builtins",
    "calendar",
    "collections",
    "concurrent",
    "configparser",
    "contextlib",
    "copy",
    "csv",
    "ctypes",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "email",
    "enum",
    "errno",
    "fnmatch",
    "fractions",
    "functools",
    "gc",
    "getpass",
    "glob",
    "gzip",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "http",
    "importlib",
    "inspect",
    "io",
    "ipaddress",
    "itertools",
    "json",
    "locale",
    "logging",
    "math",
    "mimetypes",
    "multiprocessing",
    "operator",
    "os",
    "pathlib",
    "pickle",
    "platform",
    "pprint",
    "queue",
    "random",
    "re",
    "secrets",
    "select",
    "shlex",
    "shutil",
    "signal",
    "socket",
    "sqlite3",
    "ssl",
    "stat",
    "statistics",
    "string",
    "struct",
    "subprocess",
    "sys",
    "tarfile",
    "tempfile",
    "textwrap",
    "threading",
    "time",
    "timeit",
    "tomllib",
    "traceback",
    "types",
    "typing",
    "unicodedata",
    "unittest",
    "urllib",
    "uuid",
    "warnings",
    "xml",
    "zipfile",
    "zlib",
    "fs",
    "path",
    "util",
    "crypto",
    "child_process",
];

fn scripts<'s>(subject: &'s Subject<'_>) -> impl Iterator<Item = &'s TextFile<'s>> {
    subject.texts.iter().filter(|file| is_script(file.path))
}

fn has_scripts(subject: &Subject<'_>) -> bool {
    scripts(subject).next().is_some()
}

/// V073.
pub(super) fn ask_nothing(subject: &Subject<'_>) -> Findings {
    let mut findings = Vec::new();
    for file in scripts(subject) {
        for (number, line) in (1..).zip(file.text.lines()) {
            if let Some(found) = PROMPT
                .find(line)
                .filter(|_| !line.trim_start().starts_with(['#', '/']))
            {
                let message = format!(
                    "`{}` waits for an answer that nobody gives; take it as an argument",
                    found.as_str().trim()
                );
                findings.push(Finding::on(file.path, number, message));
            }
        }
    }
    has_scripts(subject).then_some(findings)
}

/// V074.
pub(super) fn pin_what_they_fetch(subject: &Subject<'_>) -> Findings {
    let body = subject.body()?;
    let mut findings = Vec::new();
    let mut look = |path: &str, line: u32, text: &str| {
        for found in RUNNER.captures_iter(text) {
            let package = found.get(3).map_or("", |package| package.as_str());
            let is_pinned = package
                .get(1..)
                .is_some_and(|rest| rest.contains('@') || rest.contains("=="));
            let is_chosen = found
                .get(2)
                .is_some_and(|flags| flags.as_str().contains("no-install"));
            if !is_pinned && !is_chosen {
                let runner = found.get(1).map_or("", |runner| runner.as_str());
                findings.push(Finding::on(path, line, format!("`{runner} {package}` fetches whatever is newest; name the version (`{package}@1.2.3`)")));
            }
        }
    };
    for file in scripts(subject) {
        for (number, line) in (1..).zip(file.text.lines()) {
            look(file.path, number, line);
        }
    }
    for code in &body.codes {
        for (number, line) in (code.line + u32::from(code.is_fenced)..).zip(code.text.lines()) {
            if !subject.says(body, number, line) {
                look(body.path, number, line);
            }
        }
    }
    for prose in &body.prose {
        for range in prose.code() {
            let line = prose.line_at(range.start);
            let code = prose.text.get(range.clone()).unwrap_or_default();
            if !subject.says(body, line, code) {
                look(body.path, line, code);
            }
        }
    }
    Some(findings)
}

/// V075.
pub(super) fn name_their_dependencies(subject: &Subject<'_>) -> Findings {
    if !has_scripts(subject) {
        return None;
    }
    let stated: String = subject
        .texts
        .iter()
        .filter(|file| !is_script(file.path))
        .map(|file| file.text.to_lowercase())
        .chain(
            subject
                .front
                .field("compatibility")
                .and_then(|field| field.value.as_text())
                .map(str::to_lowercase),
        )
        .collect();
    let stated: BTreeSet<&str> = stated
        .split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '@' | '/'))
        .collect();
    let own: BTreeSet<&str> = scripts(subject)
        .filter_map(|file| file.path.rsplit('/').next())
        .filter_map(|base| base.split('.').next())
        .collect();
    let mut findings = Vec::new();
    for file in scripts(subject) {
        let pattern = if file.path.ends_with(".py") {
            &PYTHON
        } else {
            &JAVASCRIPT
        };
        if file.text.contains("# dependencies = [") || file.path.ends_with(".sh") {
            continue;
        }
        let imported: BTreeSet<&str> = pattern
            .captures_iter(&file.text)
            .filter_map(|found| found.get(1))
            .map(|name| name.as_str())
            .collect();
        for name in imported {
            let lower = name.to_lowercase();
            let spellings = [lower.clone(), lower.replace('_', "-")];
            let is_known =
                BUILT_IN.contains(&name) || own.contains(name) || name.starts_with("node:");
            if !is_known
                && !spellings
                    .iter()
                    .any(|spelling| stated.contains(spelling.as_str()))
            {
                findings.push(Finding::whole(format!(
                    "`{}` imports `{name}`, which nothing says to install; name it in SKILL.md",
                    file.path
                )));
            }
        }
    }
    Some(findings)
}

/// V076.
pub(super) fn name_tools_with_their_server(subject: &Subject<'_>) -> Findings {
    let body = subject.body()?;
    let mut findings = Vec::new();
    let may_name_one = |prose: &&Prose<'_>| prose.text.contains("mcp__");
    for prose in body.prose.iter().filter(may_name_one) {
        for found in INTERNAL.captures_iter(&prose.text) {
            let part = |index| {
                found
                    .get(index)
                    .map_or("", |part: regex::Match<'_>| part.as_str())
            };
            let line = prose.line_at(found.get(0).map_or(0, |whole| whole.start()));
            findings.push(Finding::at(
                line,
                format!(
                    "`{}` is a tool's internal name; write `{}:{}`",
                    part(0),
                    part(1),
                    part(2)
                ),
            ));
        }
    }
    if !MAY_BE_UNQUALIFIED.is_match(body.text) {
        return Some(findings);
    }
    let first = body.line_at(0);
    for (number, line) in (first..).zip(body.text.lines()) {
        if let Some(found) = UNQUALIFIED.captures(line) {
            let tool = found
                .get(1)
                .or_else(|| found.get(2))
                .map_or("", |tool| tool.as_str());
            findings.push(Finding::at(
                number,
                format!("`{tool}` does not name its server; write `Server:{tool}`"),
            ));
        }
    }
    Some(findings)
}
