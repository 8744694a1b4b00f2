//! The tests of the checks as a whole: one package that passes every check, and for each check one that fails it.

mod cases;
mod hostile;
mod packages;
mod proofs;

use crate::validate::check;
use crate::validate::package::{Content, Package, PackageEntry};
use crate::validate::profile::Profile;

/// A package that makes every check which needs no source, and passes it.
pub(super) const SKILL: &str = r#"---
name: "querying-invoices"
description: "Queries the invoice archive and exports the matches as CSV. Use when the user asks for invoices of a customer or a period."
license: "MIT, see LICENSE.txt"
compatibility: "Needs Python 3.12."
allowed-tools: "Read Bash(python3:*)"
metadata:
  version: "1.0"
---
# Querying invoices

Exports the invoices of one customer as a table.

## Workflow

1. Choose the period.
2. Run the query with `Archive:search_invoices`.
3. Check that the number of rows is right.

```sh
python3 scripts/export.py --customer 17
npx csv-viewer@2.1.0 out.csv
```

| column | meaning |
|---|---|
| id | the number of the invoice |

Read [the fields of an invoice](references/invoice-fields.md#fields) when a column is unclear.
"#;

const FIELDS: &str =
    "# Invoice fields\n\n## Fields\n\nEach invoice has a number, a date and a customer.\n";
const SCRIPT: &str = "import csv\nimport sys\n\nprint(sys.argv)\n";

/// A package of text files in a folder.
pub(super) fn package(folder: &str, files: &[(&str, &str)]) -> Package {
    Package {
        folder: Some(folder.to_owned()),
        entries: files
            .iter()
            .map(|(path, text)| PackageEntry {
                path: (*path).to_owned(),
                content: Content::File(text.as_bytes().to_vec()),
            })
            .collect(),
        faults: Vec::new(),
    }
}

/// The good package with another SKILL.md.
pub(super) fn with(skill: &str) -> Package {
    package(
        "querying-invoices",
        &[
            ("LICENSE.txt", "MIT"),
            ("SKILL.md", skill),
            ("references/invoice-fields.md", FIELDS),
            ("scripts/export.py", SCRIPT),
        ],
    )
}

/// The good package with something replaced in its SKILL.md.
pub(super) fn replacing(old: &str, new: &str) -> Package {
    assert!(SKILL.contains(old), "{old}");
    with(&SKILL.replacen(old, new, 1))
}

/// The good package with lines at its body's end.
pub(super) fn saying(more: &str) -> Package {
    with(&format!("{SKILL}\n{more}\n"))
}

/// The good package with one file more, which SKILL.md points at.
pub(super) fn adding(path: &str, text: &str) -> Package {
    let mut package = saying(&format!("Read [more]({path}) when this is not enough."));
    package.entries.push(PackageEntry {
        path: path.to_owned(),
        content: Content::File(text.as_bytes().to_vec()),
    });
    package
}

/// The ids of the failed checks, each once.
pub(super) fn failed(package: &Package) -> Vec<String> {
    let mut ids: Vec<String> = check(package, Profile::Open)
        .checks
        .into_iter()
        .filter(|check| !check.passed)
        .map(|check| check.id.into_owned())
        .collect();
    ids.dedup();
    ids
}
