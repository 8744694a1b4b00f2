//! PostgreSQL over TLS, as far as the address asks for it, against a real server with a certificate for 127.0.0.1 alone.

use crate::postgres::FreshDatabase;
use crate::service::Service;
use diesel::QueryableByName;
use diesel::sql_types::{Bool, Text};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};

#[derive(QueryableByName)]
struct Sessions {
    #[diesel(sql_type = Bool)]
    covered: bool,
}

#[derive(QueryableByName)]
struct Setting {
    #[diesel(sql_type = Text)]
    value: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn the_address_says_how_far_the_server_is_trusted() {
    let database = FreshDatabase::new().await;
    let url = database.url();
    let mut conn = AsyncPgConnection::establish(&url).await.unwrap();
    let file = diesel::sql_query("SELECT current_setting('ssl_cert_file') AS value");
    let file: Setting = file.get_result(&mut conn).await.unwrap();
    let mut service = Service::with_database(url.clone());
    let own = format!("sslrootcert={}", file.value);
    let elsewhere = url.replace("127.0.0.1", "localhost");
    for (url, query, is_covered) in [
        (&url, "", Some(true)),
        (&url, "sslmode=disable", Some(false)),
        (&url, "sslmode=require", Some(true)),
        (&url, &*format!("sslmode=verify-ca&{own}"), Some(true)),
        (&url, &*format!("sslmode=verify-full&{own}"), Some(true)),
        (&elsewhere, &*format!("sslmode=verify-ca&{own}"), Some(true)),
        // The certificate is not for this name, and no authority of the platform's issued it.
        (&elsewhere, &*format!("sslmode=verify-full&{own}"), None),
        (&url, "sslmode=verify-full", None),
        (&url, "sslmode=verify-ca", None),
    ] {
        let address = format!("{url}?{query}");
        let Some(is_covered) = is_covered else {
            let output = service.run(&["migrate", "--set", &format!("database.url={address}")]);
            let words = String::from_utf8(output.stderr).unwrap();
            assert!(
                !output.status.success() && words.contains("certificate"),
                "{query}: {words}"
            );
            continue;
        };
        service.serve_with("SKILLKILN__DATABASE__URL", &address);
        let sessions = diesel::sql_query(
            "SELECT bool_and(ssl = $1) AND count(*) > 0 AS covered FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
        );
        let sessions: Sessions = sessions
            .bind::<Bool, _>(is_covered)
            .get_result(&mut conn)
            .await
            .unwrap();
        assert!(sessions.covered, "{query}");
        service.kill();
    }
}

/// Where this is set, the pooler is not tried; `scripts/test` sets it where PgBouncer cannot be installed.
const WITHOUT_POOLER: &str = "SKILLKILN_TEST_WITHOUT_PGBOUNCER";

/// A pooler before the server, in one of its modes, as long as it is held.
struct Pooler {
    process: std::process::Child,
    _folder: tempfile::TempDir,
    url: String,
}

impl Pooler {
    fn start(url: &str, mode: &str) -> Self {
        let server = url::Url::parse(url).unwrap();
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let (name, at) = (
            server.path().trim_start_matches('/'),
            server.port().unwrap(),
        );
        let settings = format!(
            "[databases]\n{name} = host=127.0.0.1 port={at} dbname={name} user={user}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nauth_type = any\npool_mode = {mode}\nunix_socket_dir =\nignore_startup_parameters = extra_float_digits,options\n",
            user = server.username()
        );
        let file = folder.path().join("pgbouncer.ini");
        std::fs::write(&file, settings).unwrap();
        // Debian puts it where the path of most users does not lead.
        let places = ["/usr/sbin/pgbouncer", "/usr/local/sbin/pgbouncer"];
        let place = places
            .into_iter()
            .find(|place| std::fs::exists(place).unwrap());
        let mut command = std::process::Command::new(place.unwrap_or("pgbouncer"));
        // It refuses to run as root.
        if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(folder.path(), Some(65_534), None).unwrap();
            command.args(["-u", "nobody"]);
        }
        let started = command.arg("-q").arg(&file).spawn();
        let mut process = started.unwrap_or_else(|error| {
            panic!("PgBouncer does not start ({error}): install it, or set {WITHOUT_POOLER}=1 to leave this out")
        });
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            let ended = process.try_wait().unwrap();
            assert!(ended.is_none(), "PgBouncer ended: {ended:?}");
            std::thread::yield_now();
        }
        let mut own = server.clone();
        own.set_port(Some(port)).unwrap();
        Self {
            process,
            _folder: folder,
            url: own.into(),
        }
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pooler_that_shares_sessions_is_refused_and_one_that_keeps_them_is_not() {
    if std::env::var_os(WITHOUT_POOLER).is_some() {
        return;
    }
    let database = FreshDatabase::new().await;
    for (mode, is_taken) in [("transaction", false), ("session", true)] {
        let pooler = Pooler::start(&database.url(), mode);
        let service = Service::with_database(pooler.url.clone());
        let output = service.run(&["migrate"]);
        let words = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.success(), is_taken, "{mode}: {words}");
        assert_eq!(
            words.contains("pool_mode = session"),
            !is_taken,
            "{mode}: {words}"
        );
    }
}
