//! What several benches need: a store, users with credits, runs to charge, and text to read.

use crate::postgres::FreshDatabase;
use skillkiln::config::Settings;
use skillkiln::domain::clock::Clock;
use skillkiln::domain::credits::{Credits, GrantReason};
use skillkiln::domain::generation::Order;
use skillkiln::domain::id::{GenerationId, RunId, SkillId, UserId};
use skillkiln::domain::source::{Source, SourceType};
use skillkiln::domain::user::{Email, Plan};
use skillkiln::http::Bound;
use skillkiln::http::settings::HttpSettings;
use skillkiln::pipeline::extract::Reader;
use skillkiln::services;
use skillkiln::services::admin::{Account, Admin};
use skillkiln::services::pepper::Place;
use skillkiln::store::connection::Store;
use skillkiln::store::model::{NewGeneration, NewRun, NewUser};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;
use uuid::Uuid;

/// Whether figures are wanted (`cargo bench`), and not only a proof that everything runs (`cargo test`).
pub(crate) fn is_measured() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// Reads like the service, with the real program as the worker. What is measured is how a source is worked on, not whether it is long
/// enough to be paid for.
pub(crate) fn reader() -> Reader {
    let mut reader = services::reader(&Settings::default(), Clock::system()).expect("a reader");
    reader.isolation.program = Some(env!("CARGO_BIN_EXE_skillkiln").into());
    reader.words_min = 0;
    reader
}

/// A store of its own in a folder that goes when it is dropped.
pub(crate) struct Database {
    pub(crate) store: Store,
    _folder: tempfile::TempDir,
}

pub(crate) async fn sqlite() -> Database {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("bench.db").display());
    Database {
        store: Store::open(&url).await.expect("a database"),
        _folder: folder,
    }
}

/// A database on the PostgreSQL that the test script started; none when it did not.
pub(crate) async fn postgres() -> Option<(Store, FreshDatabase)> {
    std::env::var_os("SKILLKILN_TEST_POSTGRES")?;
    let database = FreshDatabase::new().await;
    let store = Store::open(&database.url()).await.expect("it opens");
    Some((store, database))
}

/// Makes users who can pay for everything a bench asks for.
pub(crate) async fn users(store: &Store, count: usize, clock: &Clock) -> Vec<UserId> {
    let mut ids = Vec::with_capacity(count);
    for _ in 0..count {
        let id = UserId::new();
        let user = NewUser {
            id,
            email: Email::parse(&format!("{id}@example.org")).expect("an address"),
            plan: Plan::Free,
            password_hash: None,
            credits: Credits(1_000_000_000),
            reason: GrantReason::Signup,
            at: clock.now(),
        };
        store.create_user(user).await.expect("a user");
        ids.push(id);
    }
    ids
}

/// A run of one skill.
pub(crate) fn run(user_id: UserId, clock: &Clock) -> NewRun {
    let id = RunId::new();
    let now = clock.now();
    NewRun {
        id,
        user_id,
        key_id: None,
        price: Credits(1),
        idempotency: None,
        order: Order {
            source: Source::Url {
                address: "https://example.org/some/page".to_owned(),
                pages: 1,
            },
            name: Some("a skill".to_owned()),
            description: None,
            category: None,
            topics: Vec::new(),
            kind: None,
        },
        generations: vec![NewGeneration {
            id: GenerationId(id.0),
            skill_id: SkillId(id.0),
            name: "a skill".to_owned(),
            source_type: SourceType::Url,
            source: "https://example.org/some/page".to_owned(),
        }],
        catalogue_id: None,
        replaces: None,
        queued: false,
        node: Uuid::nil(),
        lease_until: now.plus(Duration::from_secs(3_600)),
        at: now,
    }
}

/// Markdown of about `bytes` bytes, the kind of page a skill is made of; different for each `seed`.
pub(crate) fn page(bytes: usize, seed: usize) -> String {
    let mut text = format!(
        "# Guide {seed} to the kiln\n\nThe kiln fires pots at a chosen heat and cools them slowly.\n\n"
    );
    let mut part = 0;
    while text.len() < bytes {
        part += 1;
        text.push_str(&format!(
            "## Firing stage {part}\n\nBefore you begin, set the vent to {part} and close the lid. You must wait until the \
             gauge shows {} degrees; opening it earlier cracks the glaze.\n\n1. Load the shelves with room between the pots.\n\
             2. Run `kiln start --stage {part}` and watch the gauge.\n3. Check the cone after {} minutes.\n\n\
             ```sh\nkiln start --stage {part} --heat {}\nkiln status --watch\n```\n\n",
            600 + part * 7,
            part + 20,
            600 + part * 7,
        ));
    }
    text
}

/// Spreads the `n`-th piece of work over the users.
pub(crate) fn pick(who: &[UserId], n: u64) -> UserId {
    let position = usize::try_from(n).unwrap_or(0).wrapping_mul(7_919) % who.len().max(1);
    who.get(position).copied().expect("there are users")
}

/// Accounts of a service under load, each with a key of its own.
const ACCOUNTS: usize = 64;

/// Starts the whole service and says its address and the keys of accounts that pay for everything and are never limited.
pub(crate) fn serve(folder: &Path) -> (SocketAddr, Vec<String>) {
    let mut settings = Settings::default();
    settings.database.url = format!("sqlite://{}", folder.join("bench.db").display());
    settings.storage.path = folder.to_owned();
    settings.limits.other_per_minute = 1_000_000;
    settings.limits.generate_per_minute = 1_000_000;
    settings.limits.running_per_account = 64;
    settings.engine.queue_max = 10_000;
    let (told, tell) = mpsc::channel();
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let clock = Clock::system();
            let services = services::start(&settings, clock.clone())
                .await
                .expect("the service starts");
            let url = &settings.database.url;
            let place = Place::of(&settings.auth.pepper_file, url, &settings.storage.path);
            let admin = Admin::open(url, &place, &settings.auth.key_brand)
                .await
                .expect("the database opens");
            let mut keys = Vec::with_capacity(ACCOUNTS);
            for number in 0..ACCOUNTS {
                let email = format!("bench{number}@example.org");
                let account = Account {
                    email: email.clone(),
                    plan: Plan::Free,
                    credits: Credits(1_000_000_000),
                    reason: GrantReason::Operator,
                    password: None,
                };
                admin.add_user(account).await.expect("a user");
                let (_, key) = admin.add_key(&email, "bench").await.expect("a key");
                keys.push(key.reveal().to_owned());
            }
            settings.server.bind = SocketAddr::from(([127, 0, 0, 1], 0));
            settings.server.admin_bind = settings.server.bind;
            let http = HttpSettings::from(&settings);
            let bound = Bound::bind(http, services, clock).expect("a port");
            let address = bound.public_address().expect("an address");
            told.send((address.expect("a public surface"), keys))
                .expect("somebody listens");
            bound
                .serve(std::future::pending())
                .await
                .expect("it serves");
        });
    });
    tell.recv().expect("the service starts")
}
