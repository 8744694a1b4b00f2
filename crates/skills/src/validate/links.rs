//! Owns where links lead, and the checks on them (V060 to V062, V067, V068).

use crate::validate::finding::{Finding, Findings};
use crate::validate::page::{Link, Page, Place};
use crate::validate::subject::{Subject, is_markdown};
use crate::validate::tokens::decoded;
use skillkiln_document::patterns;
use std::collections::{HashMap, HashSet};

patterns! {
    /// An address with a scheme, which leads out of the package for good reason.
    SCHEME = r"^[A-Za-z][A-Za-z0-9+.-]+:";
    /// A path of the package written with backslashes.
    BACKSLASHED = r"\b(?:references|scripts|assets)\\[A-Za-z0-9_.\\-]+";
    /// Words that say when a file is worth reading.
    WHEN = r#"(?ix)
        \b(when|whenever|if|before|after|while|for|to|once|during|unless|until|need|needs|needed
            |whether|in\ case|zum|für|wenn|pour|quand|para|cuando|per|quando)\b
        |чтобы|когда|для|查阅|当|とき|場合|때|عند|للاطلاع"#;
    /// Words that only seem to: they fit every file.
    EMPTY = r#"(?ix)
        \b(?:(?:when(?:ever)?|if|as)\ (?:you\ |it\ is\ |it['’]s\ )?(?:need(?:ed)?|necessary|required|in\ doubt)
            (?:\ (?:it|them|this|that|more|to|(?:the\ )?(?:rest|file|reference|(?:more\ |further\ )?details?|(?:more\ )?information)))?
            |for\ (?:the\ rest|more|everything\ else|(?:the\ |more\ |further\ |all\ (?:the\ )?)?(?:details?|information|reading|reference)))
        \W*$"#;
}

/// Where a relative link leads.
pub(super) enum Goal {
    /// To this path of the package, and perhaps to an anchor there.
    Inside(String, Option<String>),
    /// Out of the package.
    Outside,
}

/// The pieces of running text of `page` that point at the package's files, a row of a table with all its cells. They are composed of
/// our words and of names, and state nothing.
pub(super) fn pointers(page: &Page<'_>) -> HashSet<usize> {
    let mut found: HashSet<usize> = page
        .links
        .iter()
        .filter(|link| matches!(goal(page, link), Some(Goal::Inside(..))))
        .map(|link| link.prose)
        .collect();
    let cells = || {
        let pieces = page.prose.iter().enumerate();
        pieces.filter(|(_, prose)| prose.place == Place::Cell)
    };
    let rows: HashSet<u32> = cells()
        .filter(|(index, _)| found.contains(index))
        .map(|(_, prose)| prose.line())
        .collect();
    found.extend(
        cells()
            .filter(|(_, prose)| rows.contains(&prose.line()))
            .map(|(index, _)| index),
    );
    found
}

/// Resolves a link of `page`; `None` for addresses on the web.
pub(super) fn goal(page: &Page<'_>, link: &Link) -> Option<Goal> {
    let target = link.target.trim();
    let lower = target.to_ascii_lowercase();
    if lower.starts_with("file:")
        || target.get(1..3) == Some(":\\")
        || target.get(1..3) == Some(":/")
    {
        return Some(Goal::Outside);
    }
    if target.is_empty() || SCHEME.is_match(target) || target.starts_with("//") {
        return None;
    }
    let (path, anchor) = target
        .split_once('#')
        .map_or((target, None), |(path, anchor)| {
            (path, Some(anchor.to_owned()))
        });
    let path = decoded(path.split('?').next().unwrap_or(path)).replace('\\', "/");
    if path.starts_with('/') || path.starts_with('~') {
        return Some(Goal::Outside);
    }
    if path.is_empty() {
        return Some(Goal::Inside(page.path.to_owned(), anchor));
    }
    let folder = page.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return Some(Goal::Outside);
                }
            }
            part => parts.push(part),
        }
    }
    Some(Goal::Inside(parts.join("/"), anchor))
}

/// The paths of all entries and of the folders they lie in.
pub(super) fn paths<'s>(subject: &'s Subject<'_>) -> HashSet<&'s str> {
    let mut paths = HashSet::from([""]);
    for entry in &subject.package.entries {
        let mut path = entry.path.trim_end_matches('/');
        while paths.insert(path) {
            let Some((folder, _)) = path.rsplit_once('/') else {
                break;
            };
            path = folder;
        }
    }
    paths
}

/// Makes a check on every link that leads somewhere in the file system.
fn each_link(
    subject: &Subject<'_>,
    mut fault: impl FnMut(&Page<'_>, &Link, &Goal) -> Option<String>,
) -> Findings {
    let mut findings = Vec::new();
    for page in &subject.pages {
        for link in &page.links {
            if let Some(goal) = goal(page, link)
                && let Some(message) = fault(page, link, &goal)
            {
                findings.push(Finding::on(page.path, link.line, message));
            }
        }
    }
    subject.skill.map(|_| findings)
}

/// V060.
pub(super) fn targets_exist(subject: &Subject<'_>) -> Findings {
    let paths = paths(subject);
    each_link(subject, |_, link, goal| match goal {
        Goal::Inside(path, _) if !paths.contains(path.as_str()) => Some(format!(
            "`{}` leads to nothing; add the file, or remove the link",
            link.target
        )),
        _ => None,
    })
}

/// V061.
pub(super) fn targets_stay_inside(subject: &Subject<'_>) -> Findings {
    each_link(subject, |_, link, goal| {
        matches!(goal, Goal::Outside).then(|| {
            format!(
                "`{}` leads out of the folder; use a path inside it",
                link.target
            )
        })
    })
}

/// V062.
pub(super) fn paths_use_slashes(subject: &Subject<'_>) -> Findings {
    let mut findings = each_link(subject, |_, link, _| {
        link.target
            .contains('\\')
            .then(|| format!("`{}` holds a backslash; use `/`", link.target))
    })?;
    for page in &subject.pages {
        for prose in &page.prose {
            for found in BACKSLASHED.find_iter(&prose.text) {
                let line = prose.line_at(found.start());
                findings.push(Finding::on(
                    page.path,
                    line,
                    format!("`{}` holds a backslash; use `/`", found.as_str()),
                ));
            }
        }
    }
    Some(findings)
}

/// V067.
pub(super) fn anchors_exist(subject: &Subject<'_>) -> Findings {
    let pages: HashMap<&str, &Page<'_>> =
        subject.pages.iter().map(|page| (page.path, page)).collect();
    each_link(subject, |_, link, goal| {
        let Goal::Inside(path, Some(anchor)) = goal else {
            return None;
        };
        let page = pages.get(path.as_str())?;
        let anchor = decoded(anchor);
        let is_known = anchor.is_empty()
            || page.anchors.contains(&anchor)
            || page.anchors.contains(&anchor.to_lowercase());
        (!is_known).then(|| {
            format!(
                "`{}` names a heading that `{path}` does not have; correct the part after `#`",
                link.target
            )
        })
    })
}

/// V068.
pub(super) fn pointers_say_when(subject: &Subject<'_>) -> Findings {
    let body = subject.body()?;
    let mut findings = Vec::new();
    let mut says_when: HashMap<usize, bool> = HashMap::new();
    for link in &body.links {
        let Some(Goal::Inside(path, _)) = goal(body, link) else {
            continue;
        };
        let Some(prose) = body.prose.get(link.prose) else {
            continue;
        };
        if !path.starts_with("references/") || !is_markdown(&path) || prose.place == Place::Cell {
            continue;
        }
        if !*says_when.entry(link.prose).or_insert_with(|| {
            let words = prose.outside();
            WHEN.is_match(&words) && !EMPTY.is_match(&words)
        }) {
            let message =
                format!("nothing says when to read `{path}`; write `Read [...]({path}) when ...`");
            findings.push(Finding::at(link.line, message));
        }
    }
    Some(findings)
}
