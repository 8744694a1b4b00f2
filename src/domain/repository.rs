//! Owns which addresses name a Git repository, or a folder of one, and where the archive is that its host makes of it.

use url::Url;

/// What kind of host keeps repositories, which decides where its archives are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forge {
    /// GitHub, and GitHub Enterprise.
    GitHub,
    /// GitLab.
    GitLab,
    /// Gitea and Forgejo.
    Gitea,
    /// Bitbucket.
    Bitbucket,
}

/// The hosts that everybody knows.
const KNOWN: [(&str, Forge); 4] = [
    ("github.com", Forge::GitHub),
    ("gitlab.com", Forge::GitLab),
    ("codeberg.org", Forge::Gitea),
    ("bitbucket.org", Forge::Bitbucket),
];
/// What a host has beside repositories, where an owner's name would stand.
const NO_OWNERS: [&str; 16] = [
    "about",
    "blog",
    "collections",
    "contact",
    "customer-stories",
    "enterprise",
    "explore",
    "features",
    "login",
    "marketplace",
    "orgs",
    "search",
    "settings",
    "sponsors",
    "topics",
    "users",
];

impl Forge {
    /// Reads a word of the settings.
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "github" => Self::GitHub,
            "gitlab" => Self::GitLab,
            "gitea" => Self::Gitea,
            "bitbucket" => Self::Bitbucket,
            _ => return None,
        })
    }
}

/// Reads a host of the settings, such as `git.example.org=gitlab`.
#[must_use]
pub fn host_of(setting: &str) -> Option<(String, Forge)> {
    let (host, word) = setting.split_once('=')?;
    let is_host = !host.is_empty() && !host.contains(['/', '@', ' ']);
    Some((host.to_ascii_lowercase(), Forge::parse(word)?)).filter(|_| is_host)
}

/// A repository, or a folder of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// Where its archive is.
    pub archive: String,
    /// The folder that is asked for, with a slash at its end; empty for all of it.
    pub below: String,
    /// What it is called.
    pub name: String,
}

impl Repository {
    /// The repository that an address names, with `more` hosts beside those that everybody knows; `None` when it names none, or a file in
    /// one.
    #[must_use]
    pub fn of(address: &str, more: &[(String, Forge)]) -> Option<Self> {
        let url = Url::parse(address.trim()).ok()?;
        let host = url.host_str()?.trim_start_matches("www.");
        let host = match url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        };
        let own = more.iter().map(|(name, forge)| (name.as_str(), *forge));
        let (_, forge) = own.chain(KNOWN).find(|(name, _)| *name == host)?;
        let parts: Vec<&str> = url
            .path()
            .split('/')
            .filter(|part| !part.is_empty())
            .collect();
        let (project, tree) = split(forge, &parts)?;
        let [.., name] = project else { return None };
        let name = name.strip_suffix(".git").unwrap_or(name);
        let owner = project.split_last().map(|(_, owner)| owner.join("/"))?;
        let is_owner = !owner.is_empty() && !NO_OWNERS.contains(&owner.as_str());
        if !is_owner || name.is_empty() {
            return None;
        }
        let (reference, folder) = match tree {
            Some([reference, folder @ ..]) => (*reference, folder.join("/")),
            _ => ("HEAD", String::new()),
        };
        let origin = url.origin().ascii_serialization();
        let archive = match forge {
            Forge::GitHub if host == "github.com" => {
                format!("https://codeload.github.com/{owner}/{name}/zip/{reference}")
            }
            Forge::GitHub | Forge::Gitea => {
                format!("{origin}/{owner}/{name}/archive/{reference}.zip")
            }
            Forge::GitLab => {
                format!("{origin}/{owner}/{name}/-/archive/{reference}/{name}-{reference}.zip")
            }
            Forge::Bitbucket => format!("{origin}/{owner}/{name}/get/{reference}.zip"),
        };
        Some(Self {
            archive,
            below: if folder.is_empty() {
                folder
            } else {
                format!("{folder}/")
            },
            name: name.to_owned(),
        })
    }
}

/// The parts of a project, and of what stands after these words.
type Split<'p> = (&'p [&'p str], Option<&'p [&'p str]>);

/// An owner and a name, then words of the host's before a reference.
fn two<'p>(parts: &'p [&'p str], after: &[&'p str]) -> Option<Split<'p>> {
    let (project, rest) = parts.split_at_checked(2)?;
    match rest {
        [] => Some((project, None)),
        rest => Some((project, Some(rest.strip_prefix(after)?))),
    }
}

/// The parts of a path that name a project, and those that name a reference with a folder, if any.
fn split<'p>(forge: Forge, parts: &'p [&'p str]) -> Option<Split<'p>> {
    let found = match forge {
        Forge::GitHub => two(parts, &["tree"])?,
        Forge::Gitea => two(parts, &["src", "branch"])?,
        Forge::Bitbucket => two(parts, &["src"])?,
        // Groups lie in groups, and a dash ends their names.
        Forge::GitLab => match parts.iter().position(|part| *part == "-") {
            None => (parts, None),
            Some(dash) => {
                let (project, rest) = parts.split_at_checked(dash)?;
                (project, Some(rest.strip_prefix(&["-", "tree"])?))
            }
        },
    };
    match found {
        (_, Some([])) => None,
        (project, _) if project.len() < 2 => None,
        found => Some(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive_of(address: &str) -> Option<(String, String)> {
        let own = [("git.example.org:8443".to_owned(), Forge::Gitea)];
        let found = Repository::of(address, &own)?;
        Some((found.archive, found.below))
    }

    #[test]
    fn a_host_of_ones_own_is_named_with_its_kind() {
        let named = host_of("Git.example.org:8443=gitlab");
        assert_eq!(
            named,
            Some(("git.example.org:8443".to_owned(), Forge::GitLab))
        );
        for wrong in [
            "git.example.org",
            "=gitlab",
            "git.example.org=cvs",
            "https://a.b=gitea",
        ] {
            assert_eq!(host_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_address_of_a_repository_or_of_a_folder_in_one_leads_to_its_archive() {
        for (address, archive, below) in [
            (
                "https://github.com/kiln/care",
                "https://codeload.github.com/kiln/care/zip/HEAD",
                "",
            ),
            (
                "https://www.github.com/kiln/care.git",
                "https://codeload.github.com/kiln/care/zip/HEAD",
                "",
            ),
            (
                "https://github.com/kiln/care/tree/v2/docs/use",
                "https://codeload.github.com/kiln/care/zip/v2",
                "docs/use/",
            ),
            (
                "https://gitlab.com/pots/kilns/care",
                "https://gitlab.com/pots/kilns/care/-/archive/HEAD/care-HEAD.zip",
                "",
            ),
            (
                "https://gitlab.com/pots/care/-/tree/main/doc",
                "https://gitlab.com/pots/care/-/archive/main/care-main.zip",
                "doc/",
            ),
            (
                "https://codeberg.org/pots/care/src/branch/main",
                "https://codeberg.org/pots/care/archive/main.zip",
                "",
            ),
            (
                "https://bitbucket.org/pots/care/src/main/",
                "https://bitbucket.org/pots/care/get/main.zip",
                "",
            ),
            (
                "https://git.example.org:8443/pots/care",
                "https://git.example.org:8443/pots/care/archive/HEAD.zip",
                "",
            ),
        ] {
            let found = (archive.to_owned(), below.to_owned());
            assert_eq!(archive_of(address), Some(found), "{address}");
        }
        for other in [
            "https://github.com/kiln",
            "https://github.com/topics/kiln",
            "https://github.com/kiln/care/blob/main/README.md",
            "https://github.com/kiln/care/issues/7",
            "https://github.com/kiln/care/tree",
            "https://gitlab.com/pots/care/-/issues/1",
            "https://codeberg.org/pots/care/issues",
            "https://example.org/kiln/care",
            "https://github.com.example.org/kiln/care",
            "not an address",
        ] {
            assert_eq!(archive_of(other), None, "{other}");
        }
    }
}
