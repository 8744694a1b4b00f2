//! Owns where settings come from: defaults, then the file, then the environment, then flags; and says plainly which line or
//! variable is wrong.

use super::Settings;
use super::openid::OpenIdProvider;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use toml::Value;

/// Environment variables that begin so are settings: `SKILLKILN__SERVER__BIND` is `server.bind`.
pub const VARIABLE_PREFIX: &str = "SKILLKILN__";
/// The file that is read when it lies in the current folder and no other is named.
pub const FILE_NAME: &str = "config.toml";
/// Longest file that a `*_file` setting may name; every secret is far shorter.
const SECRET_BYTES_MAX: u64 = 64 << 10;

/// Why the settings cannot be used. Each says what to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigError {
    /// A file that was named cannot be read.
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// A line of the settings file is wrong.
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// An environment variable or a flag is wrong.
    Override {
        /// The variable, or the flag as it was written.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// A setting is out of its range, or does not go together with another one.
    Refused {
        /// The setting, such as `server.public_url`.
        setting: &'static str,
        /// What is wrong.
        message: String,
    },
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, cause } => {
                write!(f, "cannot read {}: {cause}", path.display())
            }
            Self::Line {
                path,
                line,
                message,
            } => write!(f, "{} line {line}: {message}", path.display()),
            Self::Override { name, message } => write!(f, "{name}: {message}"),
            Self::Refused { setting, message } => write!(f, "setting {setting}: {message}"),
        }
    }
}

impl std::error::Error for ConfigError {}

impl Settings {
    /// Reads the settings: defaults, overruled by the file, overruled by the variables of `env`: those of OpenTelemetry that mean one of ours,
    /// then those that begin with [`VARIABLE_PREFIX`]. Without `path`, [`FILE_NAME`] in the current folder is read when it exists.
    ///
    /// # Errors
    /// [`ConfigError`], naming the file and line, or the variable.
    pub fn load(
        path: Option<&Path>,
        env: impl Iterator<Item = (OsString, OsString)>,
    ) -> Result<Self, ConfigError> {
        let mut settings = match path {
            Some(path) => Self::from_file(path)?,
            None if Path::new(FILE_NAME).exists() => Self::from_file(Path::new(FILE_NAME))?,
            None => Self::default(),
        };
        // In the order of their names, so that of two mistakes always the same one is reported.
        let mut variables: Vec<(String, OsString)> = env
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
            .filter(|(name, _)| name.starts_with(VARIABLE_PREFIX) || name.starts_with("OTEL_"))
            .collect();
        // Which is also the order in which they overrule each other.
        variables.sort();
        for (name, value) in variables {
            let wrong = |message: String| ConfigError::Override {
                name: name.clone(),
                message,
            };
            let value = value
                .into_string()
                .map_err(|_| wrong("its value is not UTF-8".into()))?;
            let meant = match name.strip_prefix(VARIABLE_PREFIX) {
                Some(name) => Some((name.to_ascii_lowercase().replace("__", "."), value)),
                None => of_opentelemetry(&name, value),
            };
            if let Some((setting, value)) = meant {
                settings = settings.with(&setting, &value).map_err(wrong)?;
            }
        }
        Ok(settings)
    }

    /// Overrules settings by flags, each written `section.field=value`.
    ///
    /// # Errors
    /// [`ConfigError::Override`], naming the flag.
    pub fn with_flags(mut self, flags: &[String]) -> Result<Self, ConfigError> {
        for flag in flags {
            let wrong = |message| ConfigError::Override {
                name: format!("--set {flag}"),
                message,
            };
            let (setting, value) = flag
                .split_once('=')
                .ok_or_else(|| wrong("write it like section.field=value".into()))?;
            self = self.with(setting.trim(), value).map_err(wrong)?;
        }
        Ok(self)
    }

    /// The database's URL: the file's, when `database.url_file` names one.
    ///
    /// # Errors
    /// [`ConfigError::Unreadable`].
    pub fn database_url(&self) -> Result<String, ConfigError> {
        Ok(secret(&self.database.url_file)?.unwrap_or_else(|| self.database.url.clone()))
    }

    fn from_file(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|cause| ConfigError::Unreadable {
            path: path.to_owned(),
            cause: cause.to_string(),
        })?;
        Self::from_toml(&text).map_err(|(line, message)| ConfigError::Line {
            path: path.to_owned(),
            line,
            message,
        })
    }

    /// Reads the text of a settings file; an error names its line.
    fn from_toml(text: &str) -> Result<Self, (usize, String)> {
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let start = error.span().map_or(0, |span| span.start);
            let before = text.as_bytes().get(..start).unwrap_or_default();
            let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
            (line, error.message().to_owned())
        })
    }

    /// These settings with one of them changed. The default's type tells how `text` is read.
    fn with(&self, setting: &str, text: &str) -> Result<Self, String> {
        let mut root = Value::try_from(self).map_err(|error| error.to_string())?;
        // A provider begins to be when the first of its settings is named.
        if let ["openid", name, _] = setting.split('.').collect::<Vec<_>>().as_slice()
            && let Some(providers) = root.get_mut("openid").and_then(Value::as_table_mut)
            && !providers.contains_key(*name)
        {
            let new = Value::try_from(OpenIdProvider::default());
            providers.insert((*name).to_owned(), new.map_err(|error| error.to_string())?);
        }
        let mut place = &mut root;
        for name in setting.split('.') {
            place = place
                .as_table_mut()
                .and_then(|table| table.get_mut(name))
                .ok_or_else(|| format!("there is no setting {setting}"))?;
        }
        *place = match place {
            Value::Table(_) => return Err(format!("{setting} is a section, not a setting")),
            Value::String(_) => Value::String(text.to_owned()),
            Value::Array(_) => Value::Array(
                text.split(',')
                    .map(str::trim)
                    .filter(|item| !item.is_empty())
                    .map(|item| Value::String(item.to_owned()))
                    .collect(),
            ),
            Value::Boolean(_) => Value::Boolean(
                text.trim()
                    .parse()
                    .map_err(|_| format!("`{text}` is neither true nor false"))?,
            ),
            _ => Value::Integer(
                text.trim()
                    .replace('_', "")
                    .parse()
                    .map_err(|_| format!("`{text}` is not a whole number"))?,
            ),
        };
        root.try_into()
            .map_err(|error: toml::de::Error| error.message().to_owned())
    }
}

/// The setting that a variable of OpenTelemetry means, and its value; an empty one means nothing, as there.
fn of_opentelemetry(name: &str, value: String) -> Option<(String, String)> {
    let (setting, value) = match name {
        _ if value.is_empty() => return None,
        "OTEL_EXPORTER_OTLP_ENDPOINT" => {
            let base = value.trim_end_matches('/');
            ("telemetry.otlp_url", format!("{base}/v1/traces"))
        }
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" => ("telemetry.otlp_url", value),
        "OTEL_SDK_DISABLED" if value.eq_ignore_ascii_case("true") => {
            ("telemetry.otlp_url", String::new())
        }
        "OTEL_SERVICE_NAME" => ("telemetry.service_name", value),
        _ => return None,
    };
    Some((setting.to_owned(), value))
}

/// Reads the secret that a `*_file` setting names; `None` when it names none. White space around it is ignored.
///
/// # Errors
/// [`ConfigError::Unreadable`]: missing, not text, empty or far too long.
pub fn secret(path: &Path) -> Result<Option<String>, ConfigError> {
    if path.as_os_str().is_empty() {
        return Ok(None);
    }
    let unreadable = |cause: String| ConfigError::Unreadable {
        path: path.to_owned(),
        cause,
    };
    let length = std::fs::metadata(path)
        .map_err(|cause| unreadable(cause.to_string()))?
        .len();
    if length > SECRET_BYTES_MAX {
        return Err(unreadable("it is too long for a secret".into()));
    }
    let text = std::fs::read_to_string(path).map_err(|cause| unreadable(cause.to_string()))?;
    match text.trim() {
        "" => Err(unreadable("it is empty".into())),
        secret => Ok(Some(secret.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::LogFormat;
    use std::collections::BTreeSet;
    use toml::Table;

    const SHIPPED: &str = include_str!("../../config.toml");

    fn variables(pairs: &[(&str, &str)]) -> impl Iterator<Item = (OsString, OsString)> {
        pairs
            .iter()
            .map(|(name, value)| (OsString::from(name), OsString::from(value)))
            .collect::<Vec<_>>()
            .into_iter()
    }

    fn file(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    /// The dotted names of all settings in a table.
    fn names(prefix: &str, table: &Table, into: &mut BTreeSet<String>) {
        for (name, value) in table {
            let dotted = format!("{prefix}{name}");
            match value {
                Value::Table(inner) => names(&format!("{dotted}."), inner, into),
                _ => {
                    into.insert(dotted);
                }
            }
        }
    }

    #[test]
    fn the_shipped_file_shows_every_setting_with_its_default() {
        assert_eq!(Settings::from_toml(SHIPPED), Ok(Settings::default()));
        let (mut shown, mut known) = (BTreeSet::new(), BTreeSet::new());
        names("", &SHIPPED.parse().unwrap(), &mut shown);
        names(
            "",
            &Table::try_from(Settings::default()).unwrap(),
            &mut known,
        );
        assert_eq!(shown, known);
    }

    #[test]
    fn the_shipped_file_says_something_about_every_setting() {
        let lines: Vec<&str> = SHIPPED.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let is_setting = line.contains(" = ") && !line.starts_with('#');
            let explained = line.contains(" # ") || at > 0 && lines[at - 1].starts_with('#');
            assert!(!is_setting || explained, "line {}: {line}", at + 1);
        }
    }

    #[test]
    fn an_unknown_setting_is_named_with_its_line() {
        for (text, line, word) in [
            ("[server]\nbind = \"127.0.0.1:1\"\nbnd = 1\n", 3, "bnd"),
            ("\n\n[sever]\n", 3, "sever"),
            ("top = 1", 1, "top"),
            ("[billing.packs]\nstarter = 1\nhuge = 2", 3, "huge"),
        ] {
            let file = file(text);
            let error = Settings::load(Some(file.path()), variables(&[])).unwrap_err();
            let shown = error.to_string();
            assert!(shown.contains(&format!("line {line}: ")), "{shown}");
            assert!(shown.contains(word), "{shown}");
        }
    }

    #[test]
    fn a_wrong_value_is_named_with_its_line() {
        for (text, line) in [
            ("[engine]\ndeadline_s = \"long\"", 2),
            ("[engine]\n\nlease_s = -1", 3),
            ("[server]\nbind = \"nowhere\"", 2),
            ("[server]\ntrusted_proxies = [\"ten\"]", 2),
            ("[model]\nprovider = \"oracle\"", 2),
            ("[engine]\nlease_s = 1\nlease_s = 2", 3),
            ("[engine\n", 1),
        ] {
            let file = file(text);
            match Settings::load(Some(file.path()), variables(&[])) {
                Err(ConfigError::Line { line: told, .. }) => assert_eq!(told, line, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn the_variables_of_opentelemetry_are_honoured() {
        let file = file("[telemetry]\notlp_url = \"http://file\"\n");
        let told = |pairs: &[(&str, &str)]| {
            let settings = Settings::load(Some(file.path()), variables(pairs)).unwrap();
            (settings.telemetry.otlp_url, settings.telemetry.service_name)
        };
        let of = |url: &str, name: &str| (url.to_owned(), name.to_owned());
        let base = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://base:4318/");
        let traces = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://traces/in");
        let service = ("OTEL_SERVICE_NAME", "kiln");
        let off = ("OTEL_SDK_DISABLED", "true");
        let ours = ("SKILLKILN__TELEMETRY__OTLP_URL", "http://ours");
        let empty = ("OTEL_EXPORTER_OTLP_ENDPOINT", "");
        let other = ("OTEL_PROPAGATORS", "b3");
        assert_eq!(told(&[empty, other]), of("http://file", "skillkiln"));
        assert_eq!(told(&[base]), of("http://base:4318/v1/traces", "skillkiln"));
        assert_eq!(
            told(&[traces, base, service]),
            of("http://traces/in", "kiln")
        );
        assert_eq!(told(&[off, base]), of("", "skillkiln"));
        assert_eq!(told(&[ours, off, base]), of("http://ours", "skillkiln"));
    }

    #[test]
    fn the_environment_overrules_the_file_and_flags_overrule_both() {
        let file = file("[limits]\ngenerate_per_minute = 5\nother_per_minute = 6\n");
        let settings = Settings::load(
            Some(file.path()),
            variables(&[
                ("SKILLKILN__LIMITS__OTHER_PER_MINUTE", "7"),
                ("SKILLKILN__FETCH__ALLOW_PRIVATE_ADDRESSES", "true"),
                ("SKILLKILN__SERVER__TRUSTED_PROXIES", "10.0.0.0/8, ::1"),
                ("SKILLKILN__SERVER__BIND", "[::1]:0"),
                ("SKILLKILN__BILLING__PACKS__STARTER", "11"),
                ("SKILLKILN__LOG__FORMAT", "json"),
                ("SKILLKILN_TEST_POSTGRES", "not a setting"),
                ("PATH", "/bin"),
            ]),
        )
        .unwrap()
        .with_flags(&["billing.packs.starter=12".into(), "log.level=a=b".into()])
        .unwrap();
        assert_eq!(settings.limits.generate_per_minute, 5);
        assert_eq!(settings.limits.other_per_minute, 7);
        assert!(settings.fetch.allow_private_addresses);
        assert_eq!(settings.server.trusted_proxies.len(), 2);
        assert_eq!(settings.server.bind.to_string(), "[::1]:0");
        assert_eq!(settings.billing.packs.starter, 12);
        assert_eq!(settings.log.format, LogFormat::Json);
        assert_eq!(settings.log.level, "a=b");
    }

    #[test]
    fn a_provider_of_identities_is_named_by_a_section_or_by_variables() {
        let file =
            file("[openid.acme]\nissuer = \"https://id.acme.example\"\nclient_id = \"kiln\"\n");
        let settings = Settings::load(
            Some(file.path()),
            variables(&[
                ("SKILLKILN__OPENID__ACME__SCOPES", "openid, email, profile"),
                ("SKILLKILN__OPENID__OTHER__CLIENT_ID", "kiln"),
                ("SKILLKILN__OPENID__OTHER__ISSUER", "https://other.example"),
            ]),
        )
        .unwrap();
        assert_eq!(settings.check(), Ok(()));
        assert_eq!(settings.openid["acme"].scopes.len(), 3);
        assert_eq!(settings.openid["other"].issuer, "https://other.example");
        for wrong in ["SKILLKILN__OPENID__ACME__ISUER", "SKILLKILN__OPENID__ACME"] {
            assert!(Settings::load(None, variables(&[(wrong, "x")])).is_err());
        }
    }

    #[test]
    fn a_wrong_variable_is_named() {
        for (name, value) in [
            ("SKILLKILN__SERVER__BNID", "127.0.0.1:1"),
            ("SKILLKILN__SERVER", "x"),
            ("SKILLKILN__", "x"),
            ("SKILLKILN__ENGINE__LEASE_S", "soon"),
            ("SKILLKILN__ENGINE__LEASE_S", "-1"),
            ("SKILLKILN__ENGINE__LEASE_S", "1\nworkers = 2"),
            ("SKILLKILN__SERVER__BIND", "here"),
            ("SKILLKILN__MODEL__PROVIDER", "oracle"),
        ] {
            match Settings::load(None, variables(&[(name, value)])) {
                Err(ConfigError::Override { name: told, .. }) => assert_eq!(told, name),
                other => panic!("{name}={value}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_file_that_was_named_must_exist() {
        let error = Settings::load(Some(Path::new("/nowhere/at/all.toml")), variables(&[]));
        assert!(matches!(error, Err(ConfigError::Unreadable { .. })));
    }

    #[test]
    fn a_secret_is_read_from_its_file_without_the_line_end() {
        let kept = file("s3cret\n");
        assert_eq!(secret(kept.path()), Ok(Some("s3cret".into())));
        assert_eq!(secret(Path::new("")), Ok(None));
        assert!(secret(file(" \n").path()).is_err());
        assert!(secret(Path::new("/nowhere")).is_err());
    }
}
