//! Owns the checks on the package as a whole: which files there are, what they are called, and what they are (V000, V006 to V009, V087).

use crate::validate::finding::{Finding, Findings};
use crate::validate::package::{Content, SKILL_FILE, is_clutter};
use crate::validate::subject::Subject;
use skillkiln_document::text::is_device_name;
use std::collections::BTreeSet;

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// V000.
pub(super) fn has_one_skill_file(subject: &Subject<'_>) -> Findings {
    let found: Vec<&str> = subject
        .package
        .entries
        .iter()
        .filter(|entry| matches!(entry.content, Content::File(_)))
        .map(|entry| entry.path.as_str())
        .filter(|path| last_part(path).eq_ignore_ascii_case(SKILL_FILE))
        .collect();
    let at_the_top = found.iter().filter(|path| !path.contains('/')).count();
    Some(match (at_the_top, found.len()) {
        (1, 1) => Vec::new(),
        (0, _) => vec![Finding::whole("there is no SKILL.md at the top; add one")],
        _ => vec![Finding::whole(format!(
            "there are {} files named SKILL.md; keep the one at the top",
            found.len()
        ))],
    })
}

/// V087.
pub(super) fn names_no_device(subject: &Subject<'_>) -> Findings {
    let folder = subject.package.folder.as_deref();
    let parts = subject
        .package
        .entries
        .iter()
        .flat_map(|entry| entry.path.split('/'));
    let names: BTreeSet<&str> = folder
        .into_iter()
        .chain(parts)
        .filter(|name| is_device_name(name))
        .collect();
    let finding = |name: &str| {
        Finding::whole(format!(
            "Windows takes the name {name} for a device and can neither unpack nor check it out; call it otherwise"
        ))
    };
    Some(names.into_iter().map(finding).collect())
}

/// V006.
pub(super) fn has_the_exact_name(subject: &Subject<'_>) -> Findings {
    subject.skill.map(|file| {
        let wrong = (file.path != SKILL_FILE).then(|| {
            Finding::whole(format!(
                "the file is named {}; rename it to SKILL.md",
                file.path
            ))
        });
        wrong.into_iter().collect()
    })
}

/// V007.
pub(super) fn is_utf8(subject: &Subject<'_>) -> Findings {
    let broken = subject
        .texts
        .iter()
        .filter(|file| !file.is_utf8)
        .map(|file| {
            let line = file
                .text
                .lines()
                .position(|line| line.contains('\u{fffd}'))
                .unwrap_or(0);
            let line = u32::try_from(line).unwrap_or(u32::MAX).saturating_add(1);
            Finding::on(
                file.path,
                line,
                "these bytes are no UTF-8; save the file as UTF-8",
            )
        });
    Some(broken.collect())
}

/// V008.
pub(super) fn stays_inside(subject: &Subject<'_>) -> Findings {
    let mut findings: Vec<Finding> = subject
        .package
        .faults
        .iter()
        .map(|fault| Finding::whole(format!("the package is not sound: {fault}")))
        .collect();
    for entry in &subject.package.entries {
        if let Content::Refused(why) = &entry.content {
            findings.push(Finding::whole(format!(
                "`{}` may not be in a package: {why}",
                entry.path
            )));
        }
    }
    Some(findings)
}

/// V009.
pub(super) fn has_no_clutter(subject: &Subject<'_>) -> Findings {
    let clutter = subject
        .package
        .entries
        .iter()
        .filter(|entry| is_clutter(&entry.path))
        .map(|entry| Finding::whole(format!("`{}` serves no agent; remove it", entry.path)));
    Some(clutter.collect())
}
