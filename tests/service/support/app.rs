//! Starts the real service on free ports, with a database and a clock of its own, and makes accounts in it.

use crate::support::client::Request;
use skillkiln::config::Settings;
use skillkiln::domain::clock::{Clock, Timestamp};
use skillkiln::domain::credits::{Books, Credits, GrantReason};
use skillkiln::domain::user::Plan;
use skillkiln::http::Bound;
use skillkiln::http::settings::HttpSettings;
use skillkiln::services;
use skillkiln::services::admin::{Account, Admin};
use skillkiln::services::library::Library;
use skillkiln::services::pepper::Place;
use skillkiln::store::connection::Store;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use tempfile::TempDir;
use tokio::sync::oneshot;

/// The service, stopped and cleaned away when dropped.
pub(crate) struct App {
    pub(crate) public: SocketAddr,
    pub(crate) operators: SocketAddr,
    /// The service's clock: it stands still until a test turns it.
    pub(crate) clock: Clock,
    pub(crate) admin: Admin,
    library: Library,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    users: AtomicU32,
    folder: TempDir,
}

/// An account with one key.
pub(crate) struct Someone {
    pub(crate) email: String,
    pub(crate) key: String,
    pub(crate) key_id: String,
}

impl App {
    /// As it is shipped.
    pub(crate) async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// With some settings changed.
    pub(crate) async fn with(change: impl FnOnce(&mut Settings)) -> Self {
        let folder = TempDir::new().expect("a folder");
        let mut settings = Settings::default();
        settings.server.bind = SocketAddr::from(([127, 0, 0, 1], 0));
        settings.server.admin_bind = SocketAddr::from(([127, 0, 0, 1], 0));
        settings.server.workers = 1;
        settings.server.shutdown_pause_s = 0;
        settings.server.shutdown_grace_s = 0;
        settings.engine.workers = 1;
        settings.fetch.allow_private_addresses = true;
        settings.database.url = format!("sqlite://{}", folder.path().join("test.db").display());
        settings.storage.path = folder.path().to_path_buf();
        change(&mut settings);

        // 2026-11-20T09:15:00Z, so that a test knows what the answers say.
        let clock = Clock::manual(Timestamp::from_micros(1_795_166_100_000_000));
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, told) = mpsc::channel();
        let (of_service, clock_of_service) = (settings.clone(), clock.clone());
        let thread = std::thread::spawn(move || {
            actix_rt::System::new().block_on(async move {
                let services = services::start(&of_service, clock_of_service.clone())
                    .await
                    .expect("the service starts");
                let library = services.library.clone();
                let bound =
                    Bound::bind(HttpSettings::from(&of_service), services, clock_of_service)
                        .expect("free ports");
                let addresses = (bound.public_address(), bound.admin_address(), library);
                tell.send(addresses).expect("the test waits");
                let stop = async {
                    let _ = stopped.await;
                };
                bound.serve(stop).await.expect("it serves");
            });
        });
        let (public, operators, library) = told.recv().expect("the service starts");
        let operators = operators.expect("an address");
        let place = Place::of(
            &settings.auth.pepper_file,
            &settings.database.url,
            &settings.storage.path,
        );
        let admin = Admin::open(&settings.database.url, &place, &settings.auth.key_brand)
            .await
            .expect("the operator's hands");
        Self {
            // A worker answers operators alone.
            public: public.expect("an address").unwrap_or(operators),
            operators,
            clock,
            admin,
            library,
            stop: Some(stop),
            thread: Some(thread),
            users: AtomicU32::new(0),
            folder,
        }
    }

    /// A new account with so many credits, and a key.
    pub(crate) async fn someone(&self, credits: u32) -> Someone {
        let count = self.users.fetch_add(1, Ordering::Relaxed);
        let email = format!("user{count}@example.org");
        let account = Account {
            email: email.clone(),
            plan: Plan::Free,
            credits: Credits(credits),
            reason: GrantReason::Operator,
            password: None,
        };
        self.admin.add_user(account).await.expect("an account");
        let (key, key_id) = self.key_of(&email).await;
        Someone { email, key, key_id }
    }

    /// Another key of an account, and its id.
    pub(crate) async fn key_of(&self, email: &str) -> (String, String) {
        let (id, key) = self.admin.add_key(email, "test").await.expect("a key");
        (key.reveal().to_owned(), id.to_string())
    }

    /// The service's database, as another node has it in its hands.
    pub(crate) async fn store(&self) -> Store {
        let file = self.folder.path().join("test.db");
        let store = Store::open(&format!("sqlite://{}", file.display())).await;
        store.expect("the database")
    }

    /// What the books say; a test that moved credits ends with it.
    pub(crate) async fn books(&self) -> Books {
        let books = self.admin.verify_books().await.expect("the books");
        assert_eq!(books.faults, Vec::<String>::new(), "the books balance");
        books
    }

    /// Lets go of what nothing needs any more, as the service does every few minutes.
    pub(crate) async fn sweep(&self) {
        self.library.sweep().await.expect("it is swept");
    }

    /// How many files are kept.
    pub(crate) fn blobs(&self) -> usize {
        let shelves = std::fs::read_dir(self.folder.path().join("blobs")).expect("a folder");
        shelves
            .map(|shelf| shelf.expect("a shelf").path())
            .map(|shelf| std::fs::read_dir(shelf).expect("a shelf").count())
            .sum()
    }

    pub(crate) fn get(&self, target: &str) -> Request {
        self.request("GET", target)
    }

    pub(crate) fn post(&self, target: &str) -> Request {
        self.request("POST", target)
    }

    pub(crate) fn request(&self, method: &str, target: &str) -> Request {
        Request::new(self.public, method, target).described()
    }

    /// Tells the service to stop; [`App::ended`] waits until it has.
    pub(crate) fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Waits until the service has ended, and says whether it ended well.
    pub(crate) fn ended(&mut self) -> bool {
        self.thread
            .take()
            .is_none_or(|thread| thread.join().is_ok())
    }
}

impl Drop for App {
    fn drop(&mut self) {
        self.stop();
        let well = self.ended();
        assert!(well || std::thread::panicking(), "the service ended badly");
    }
}
