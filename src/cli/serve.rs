//! `skillkiln serve`: runs the service until it is told to stop, and says at the start where it is and what to do next.

use super::Common;
use super::operator::keep_files_private;
use super::output::{self, Stop};
use super::signals::Signals;
use crate::config::{LogFormat, Settings};
use crate::domain::clock::Clock;
use crate::http::settings::HttpSettings;
use crate::http::{self, Bound, Sockets};
use crate::services::{self, Services};
use crate::telemetry::log::{self, Lines};
use crate::telemetry::traces::{Parcel, Tracer};
use clap::Args;
use std::time::Duration;
use tokio::sync::mpsc::Receiver;

/// The command.
#[derive(Debug, Args)]
pub struct Serve {
    /// What this node does, as the setting server.role says: all, api or worker
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// [`Stop::Failed`] when a setting, the database or a port cannot be used, or the servers break.
pub fn run(command: &Serve, common: &Common) -> Result<(), Stop> {
    let role = command
        .role
        .iter()
        .map(|role| format!("server.role={role}"));
    let common = &Common {
        config: common.config.clone(),
        overrides: common.overrides.iter().cloned().chain(role).collect(),
    };
    let settings = common.settings()?;
    let lines = match settings.log.format {
        LogFormat::Auto => Lines::Fitting,
        LogFormat::Text => Lines::Text,
        LogFormat::Json => Lines::Json,
    };
    let traces = (!settings.telemetry.otlp_url.is_empty()).then(Tracer::new);
    let tracer = traces.as_ref().map(|(tracer, _)| tracer.clone());
    log::start(&settings.log.level, lines, tracer).map_err(Stop::Failed)?;
    keep_files_private();
    http::block_on(serve(&settings, common, traces))
}

/// How long the last spans may take to end, and then to leave. Those of runs that are left for the next start do not end.
const SPANS_END: Duration = Duration::from_secs(1);
const SPANS_LEAVE: Duration = Duration::from_secs(3);

async fn serve(
    settings: &Settings,
    common: &Common,
    traces: Option<(Tracer, Receiver<Parcel>)>,
) -> Result<(), Stop> {
    // Asked for first, so that a signal during the start stops it in order too.
    let signals = Signals::listen()?;
    let http_settings = HttpSettings::from(settings);
    let sockets = Sockets::take(&http_settings).map_err(Stop::failed)?;
    let clock = Clock::system();
    let tracer = match traces {
        Some((tracer, parcels)) => {
            services::export_traces(settings, parcels).map_err(Stop::Failed)?;
            Some(tracer)
        }
        None => None,
    };
    let services = services::start(settings, clock.clone())
        .await
        .map_err(Stop::Failed)?;
    let bound = Bound::on(sockets, http_settings, services.clone(), clock);
    let (public, admin) = (
        bound.public_address().map_err(Stop::failed)?,
        bound.admin_address().map_err(Stop::failed)?,
    );
    let admin = format!("http://{admin}");
    // A service goes on when nobody reads what it prints.
    let _ = output::say(&match public {
        Some(public) => greeting(&format!("http://{public}"), &admin, &own_name(), common),
        None => format!("skillkiln carries out runs\noperators: {admin}"),
    });
    let read_again = || take_settings(settings, common, &services);
    let served = until_the_end(bound, &services, signals, read_again).await;
    services.end().await;
    if let Some(tracer) = tracer {
        let _ = tokio::time::timeout(SPANS_END, tracer.rest()).await;
        let _ = tokio::time::timeout(SPANS_LEAVE, tracer.flush()).await;
    }
    served
}

/// Reads the settings again and takes what can change while the service runs: how many requests a minute keys may send.
fn take_settings(now: &Settings, common: &Common, services: &Services) {
    let mut wanted = match common.settings() {
        Ok(wanted) => wanted,
        Err(error) => {
            tracing::error!(?error, "the settings cannot be used and stay as they were");
            return;
        }
    };
    services.take_rates(&wanted);
    let limits = &wanted.limits;
    tracing::info!(
        generate_per_minute = limits.generate_per_minute,
        other_per_minute = limits.other_per_minute,
        "the settings were read again"
    );
    wanted.limits.generate_per_minute = now.limits.generate_per_minute;
    wanted.limits.other_per_minute = now.limits.other_per_minute;
    if wanted != *now {
        tracing::warn!(
            "other settings than the requests a minute have changed; they wait for the next start"
        );
    }
}

/// Serves until a signal comes, or until an actor is lost that the node cannot work without.
async fn until_the_end(
    bound: Bound,
    services: &Services,
    mut signals: Signals,
    read_again: impl Fn(),
) -> Result<(), Stop> {
    let lost = services.lost().clone();
    let stop = async {
        tokio::select! {
            () = signals.next_but(read_again) => {}
            () = lost.wait() => return,
        }
        output::note("stopping: running generations get their time; a second signal ends at once");
        tokio::spawn(async move {
            signals.next().await;
            output::note("stopped at once: the next start takes up what was left behind");
            std::process::exit(1);
        });
    };
    bound.serve(stop).await.map_err(Stop::failed)?;
    match services.lost().name() {
        Some(name) => Err(Stop::Failed(format!(
            "an actor is gone for good: {name}; the next start takes up what was left behind"
        ))),
        None => Ok(()),
    }
}

/// How the program was called, so that what is printed can be typed.
fn own_name() -> String {
    std::env::args()
        .next()
        .unwrap_or_else(|| "skillkiln".into())
}

fn greeting(public: &str, admin: &str, program: &str, common: &Common) -> String {
    let mut flags = String::new();
    if let Some(file) = &common.config {
        flags.push_str(&format!(" --config {}", file.display()));
    }
    for setting in &common.overrides {
        flags.push_str(&format!(" --set {setting}"));
    }
    format!(
        "skillkiln serves {public}\n\
         operators: {admin}\n\
         \n\
         Make an account and a key, in another terminal:\n\
         \x20 {program} user add you@example.org{flags}\n\
         \x20 {program} key add you@example.org --name laptop{flags}\n\
         Then turn something you want to be remembered into a skill:\n\
         \x20 curl {public}/api/v1/generate -H \"Authorization: Bearer KEY\" -F source=@manual.pdf\n\
         The API is described at {public}/docs; Ctrl-C stops the service."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::credits::{Credits, GrantReason};
    use crate::domain::user::Plan;
    use crate::services::admin::{Account, Admin};
    use crate::services::pepper::Place;
    use std::net::SocketAddr;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    const EMAIL: &str = "ann@example.org";

    /// An account with a key, made beside the service that runs.
    async fn customer(settings: &Settings) -> (Admin, String) {
        let url = settings.database_url().unwrap();
        let place = Place::of(&settings.auth.pepper_file, &url, &settings.storage.path);
        let admin = Admin::open(&url, &place, &settings.auth.key_brand).await;
        let admin = admin.unwrap();
        let account = Account {
            email: EMAIL.to_owned(),
            plan: Plan::Free,
            credits: Credits(3),
            reason: GrantReason::Signup,
            password: None,
        };
        admin.add_user(account).await.unwrap();
        let (_, key) = admin.add_key(EMAIL, "laptop").await.unwrap();
        (admin, key.reveal().to_owned())
    }

    /// Sends a request on a connection of its own.
    async fn ask(address: SocketAddr, key: &str, path: &str, kind: &str, body: &str) -> TcpStream {
        let mut connection = TcpStream::connect(address).await.unwrap();
        let length = body.len();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {key}\r\nConnection: close\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        connection.write_all(head.as_bytes()).await.unwrap();
        connection
    }

    async fn rest(connection: &mut TcpStream) -> String {
        let mut bytes = Vec::new();
        connection.read_to_end(&mut bytes).await.unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[test]
    fn a_node_that_lost_an_actor_ends_its_streams_with_their_event_and_fails_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings::in_folder(folder.path());
        // A site that says nothing keeps the account's only place, so that what is ordered next waits as long as the node lives.
        settings.limits.running_per_account = 1;
        settings.fetch.allow_private_addresses = true;
        http::block_on(async {
            let clock = Clock::system();
            let services = services::start(&settings, clock.clone()).await.unwrap();
            let bound = Bound::bind(HttpSettings::from(&settings), services.clone(), clock);
            let bound = bound.unwrap();
            let address = bound.public_address().unwrap().unwrap();
            let signals = Signals::listen().unwrap();
            let ending = until_the_end(bound, &services, signals, || {});
            let listening = async {
                let (admin, key) = customer(&settings).await;
                let kind = "multipart/form-data; boundary=edge";
                let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                let page = format!("http://{}/", silent.local_addr().unwrap());
                let form = format!(
                    "--edge\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n{page}\r\n--edge--\r\n"
                );
                let first = ask(address, &key, "/api/v1/generate", kind, &form);
                let (_first, fetch) = futures_util::future::join(first, silent.accept()).await;
                let _fetch = fetch.unwrap();
                let text = "Fire the pots slowly, and keep the lid of the kiln closed. ".repeat(9);
                let form = format!(
                    "--edge\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.md\"\r\n\r\n# Kiln\n\n{text}\r\n--edge--\r\n"
                );
                let uploaded = ask(address, &key, "/api/upload", kind, &form);
                let uploaded = rest(&mut uploaded.await).await;
                let id = uploaded.split("\"id\":\"").nth(1);
                let id = id.and_then(|id| id.split('"').next()).expect(&uploaded);
                let order = format!("{{\"source_ids\":[\"{id}\"]}}");
                let mut stream =
                    ask(address, &key, "/api/generate", "application/json", &order).await;
                let mut head = [0; 15];
                stream.read_exact(&mut head).await.unwrap();
                assert_eq!(&head, b"HTTP/1.1 200 OK");
                services.lost().tell("settlement");
                (admin, rest(&mut stream).await)
            };
            let both = futures_util::future::join(ending, listening);
            let both = tokio::time::timeout(Duration::from_secs(60), both).await;
            let (ended, (admin, heard)) = both.unwrap();
            let Err(Stop::Failed(words)) = ended else {
                panic!("{ended:?}");
            };
            assert!(words.contains("settlement"), "{words}");
            assert_eq!(heard.matches("event: error").count(), 1, "{heard}");
            assert!(!heard.contains("event: complete"), "{heard}");
            services.end().await;
            let books = admin.verify_books().await.unwrap();
            assert!(books.faults.is_empty(), "{:?}", books.faults);
            // A credit came back with the run's own end, or the next start gives it back.
            assert_eq!((books.granted, books.available + books.reserved), (3, 3));
        });
    }

    #[test]
    fn a_node_that_ends_has_closed_its_database_and_leaves_no_log_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::in_folder(folder.path());
        let open = || -> Vec<String> {
            let open = std::fs::read_dir("/proc/self/fd").unwrap();
            let paths = open.filter_map(|open| std::fs::read_link(open.ok()?.path()).ok());
            let ours = paths.filter(|path| path.starts_with(folder.path()));
            let names = ours.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
            names.filter(|name| name.contains(".db")).collect()
        };
        http::block_on(async {
            let services = services::start(&settings, Clock::system()).await.unwrap();
            let names = open();
            assert!(names.iter().any(|name| name.ends_with("-wal")), "{names:?}");
            services.drain(Duration::ZERO).await;
            services.end().await;
            let names = open();
            let locked = names.iter().filter(|name| !name.ends_with(".lock"));
            assert_eq!(locked.count(), 0, "{names:?}");
            let left = std::fs::read_dir(folder.path()).unwrap();
            let left = left.map(|file| file.unwrap().file_name().into_string().unwrap());
            let logs: Vec<String> = left
                .filter(|name| name.ends_with("-wal") || name.ends_with("-shm"))
                .collect();
            assert!(logs.is_empty(), "{logs:?}");
        });
    }

    #[test]
    fn the_greeting_names_the_address_first_and_repeats_the_settings_that_were_chosen() {
        let common = Common {
            config: Some("my.toml".into()),
            overrides: vec!["server.bind=127.0.0.1:0".into()],
        };
        let text = greeting(
            "http://127.0.0.1:4711",
            "http://127.0.0.1:4712",
            "skillkiln",
            &common,
        );
        assert!(text.starts_with("skillkiln serves http://127.0.0.1:4711\n"));
        assert!(text.contains(
            "skillkiln user add you@example.org --config my.toml --set server.bind=127.0.0.1:0\n"
        ));
    }
}
