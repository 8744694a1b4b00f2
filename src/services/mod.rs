//! What the service can do, in rooms: run generations, keep skills, know accounts and the people behind them, sell credits, tell what
//! became of runs, watch sources. This page holds all the wiring.

pub mod accounts;
pub mod admin;
mod answers;
pub mod attempts;
pub mod backup;
pub mod billing;
mod change_log;
mod digests;
pub mod engine;
pub mod health;
pub mod library;
pub mod limits;
pub mod looks;
pub mod members;
mod memory;
pub mod operations;
pub mod passwords;
pub mod pepper;
mod till;
pub mod watches;
pub mod webhooks;

use crate::actors::planted::Lost;
use crate::actors::pulse::Beat;
use crate::actors::queue::Queue;
use crate::actors::rescuer::{Claims, Ordered, Sweep};
use crate::actors::slots::Slots;
use crate::actors::stage::Tools;
use crate::actors::threads::joined;
use crate::actors::{Bounds, Tree};
use crate::cluster::digests::Digests;
use crate::cluster::relay::Relay;
use crate::cluster::windows::Windows;
use crate::config::load::secret;
use crate::config::openid::OpenIdProvider;
use crate::config::outside::{BlobHome, MailSecurity, OnFailure, Writer};
use crate::config::{Role, Settings, SignUp};
use crate::domain::clock::Clock;
use crate::domain::observation::{Heart, Observation};
use crate::domain::quota::Rates;
use crate::domain::repository;
use crate::domain::vitals::Standing;
use crate::pipeline::author::Author;
use crate::pipeline::author::terms::{Prices, Terms};
use crate::pipeline::extract::Reader;
use crate::pipeline::pool::{NICENESS_OF_LOOKS, Pool};
use crate::providers::bucket::{self, BucketSettings};
use crate::providers::callback::Callback;
use crate::providers::collector::Collector;
use crate::providers::mail::{MailSettings, Mailer, Privacy};
use crate::providers::model::{Model, ModelSettings, Protocol, Shelf};
use crate::providers::openid::{OpenId, OpenIdSettings};
use crate::providers::video::clients::Client;
use crate::providers::video::{Video, VideoSettings};
use crate::providers::web::{Web, WebSettings};
use crate::services::accounts::Accounts;
use crate::services::answers::Answers;
use crate::services::billing::Billing;
use crate::services::engine::{Engine, EngineBounds};
use crate::services::health::{Ailment, Health, Watched};
use crate::services::library::Library;
use crate::services::limits::Limits;
use crate::services::looks::{LookBounds, Looks};
use crate::services::members::mail::Post;
use crate::services::members::openid::Voucher;
use crate::services::members::{Admission, Members, Rules};
use crate::services::memory::Memory;
use crate::services::operations::Operations;
use crate::services::watches::{WatchRules, Watches};
use crate::services::webhooks::Webhooks;
use crate::store::blobs::Blobs;
use crate::store::connection::{Options, Store};
use crate::store::presence::{Name, Presence};
use crate::telemetry::lasting::lasting;
use crate::telemetry::traces::Parcel;
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, join};
use secrecy::SecretString;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::Receiver;
use tokio::sync::{Mutex, Semaphore};
use tokio::time::timeout;
use url::Url;
use uuid::Uuid;

/// Pieces of heavy work that may wait for a thread for each run at once: every run has at most one, and other work a few.
const HEAVY_WAITING_PER_RUN: usize = 4;
/// Pieces of free work that may wait for their thread.
const LOOKS_WAITING_MAX: usize = 64;
/// How often uses are written down and idle actors retired (decision 12 allows 30 s).
const HOUSEKEEPING: Duration = Duration::from_secs(10);
/// Rounds of housekeeping between two sweeps of what ended: five minutes.
const ROUNDS_BETWEEN_SWEEPS: u64 = 30;
/// How long the store of files may take to be opened.
const FILES_OPENED_WITHIN: Duration = Duration::from_secs(15);
/// How long refunds may take once the grace is over.
const ABORT_GRACE: Duration = Duration::from_secs(5);
/// How long work on threads beside the actors may take when the node ends: its answer interests nobody any more.
const ENDED_WITHIN: Duration = Duration::from_secs(2);

/// All doors on one page. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Services {
    /// Who is calling.
    pub accounts: Accounts,
    /// What is made.
    pub engine: Engine,
    /// What is kept.
    pub library: Library,
    /// Who is signed in.
    pub members: Members,
    /// What is bought.
    pub billing: Billing,
    /// What operators see and may do.
    pub operations: Operations,
    /// What keeps the node from its work.
    pub health: Health,
    /// How requests are counted.
    pub limits: Limits,
    /// What is told outside of requests.
    pub webhooks: Webhooks,
    /// Whose sources are looked at again.
    pub watches: Watches,
    answers: Answers,
    memory: Memory,
    tree: Arc<Tree>,
    beside: Arc<Beside>,
    /// Held while the service runs, so that no second one takes over the same SQLite file and its runs.
    _only_one: Option<Arc<File>>,
    /// Tells other nodes on the same PostgreSQL that this one lives.
    _presence: Arc<Presence>,
}

/// What has threads of its own beside the actors.
#[derive(Debug)]
struct Beside {
    pools: [Pool; 2],
    store: Store,
}

/// Opens the store, plants the actors, and takes care of every run that an earlier process left behind: when this returns, each of
/// them is resumed or refunded. Must be called inside an actix system.
///
/// # Errors
/// In words for an operator: what was attempted and why it failed.
pub async fn start(settings: &Settings, clock: Clock) -> Result<Services, String> {
    let (services, relay) = open(settings, clock).await?;
    services.keep(relay);
    Ok(services)
}

/// [`start`], but for what goes on beside the actors.
async fn open(settings: &Settings, clock: Clock) -> Result<(Services, Relay), String> {
    let database_url = settings.database_url().map_err(|error| error.to_string())?;
    let only_one = lock_database(&database_url)?;
    let options = Options {
        pool_size: settings.database.pool_size as usize,
        ..Options::default()
    };
    let store = Store::open_with(&database_url, options)
        .await
        .map_err(|error| format!("cannot open the database: {error}"))?;
    let place = pepper::Place::of(
        &settings.auth.pepper_file,
        &database_url,
        &settings.storage.path,
    );
    let pepper = pepper::load(&place)?;
    pepper::fit(&store, &pepper, &place).await?;
    let node = Uuid::new_v4();
    let name = Name {
        id: operations::short(node),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        role: settings.server.role.as_str().to_owned(),
        started_at: clock.now(),
        standing: Standing::Working,
        centicores: 0,
        held: 0,
    };
    let mut presence = store
        .attend(&clock, name)
        .await
        .map_err(|error| format!("cannot tell other nodes of this one: {error}"))?;
    if !presence.is_alone() && settings.blobs.home == BlobHome::Folder {
        return Err("another node is at work on this database, and would not find uploaded files in a folder of this one: set blobs.home to database or s3 on all nodes".to_owned());
    }
    let clock = presence.clock(&clock);
    let blobs = timeout(
        FILES_OPENED_WITHIN,
        blobs(settings, async { Ok(store.clone()) }),
    )
    .await
    .map_err(|_| "the store of uploaded files (setting blobs) does not answer".to_owned())??;
    let reader = reader(settings, clock.clone())?;
    let pool = reader.pool.clone();
    let answers = Answers::new(store.clone(), clock.clone(), settings.model.kept_bytes_max);
    let shelf: Option<Arc<dyn Shelf>> = match settings.model.kept_bytes_max {
        0 => None,
        _ => Some(Arc::new(answers.clone())),
    };
    let author = author(settings, &reader.pool, shelf)?;
    let looker = looker(settings, &reader)?;
    let beside = Beside {
        pools: [pool.clone(), looker.pool.clone()],
        store: store.clone(),
    };
    let looks = Looks::new(looker, look_bounds(settings));
    let misnamed = |error| format!("setting cluster.url: {error}");
    let (relay, digests) = match &*settings.cluster.url {
        "" => (Relay::default(), Digests::default()),
        url => (
            Relay::new(url).map_err(misnamed)?,
            Digests::new(url).map_err(misnamed)?,
        ),
    };
    let tools = Arc::new(Tools {
        author: author.clone(),
        pool: reader.pool.clone(),
        reader,
        blobs: blobs.clone(),
        store: store.clone(),
        clock: clock.clone(),
        relay: relay.clone(),
    });
    let seconds = |count: u32| Duration::from_secs(u64::from(count));
    let bounds = Bounds {
        mailbox_capacity: settings.engine.mailbox_capacity as usize,
        batch_max: settings.engine.settlement_batch_max as usize,
        rates: rates(settings),
        running_per_account: settings.limits.running_per_account as usize,
        running_per_node: settings.engine.running_max as usize,
        fetching_per_node: settings.engine.fetching_max as usize,
        lease: seconds(settings.engine.lease_s),
        deadline: settings.run_deadline(),
        attempts_max: settings.engine.attempts_max,
        claims: match settings.server.role {
            Role::All => Claims::Shared,
            Role::Api => Claims::Nothing,
            Role::Worker => Claims::AsOrdered,
        },
    };
    let shared = match &*settings.cluster.url {
        "" => None,
        url => Some(Windows::new(url, clock.clone()).map_err(misnamed)?),
    };
    let queue = Queue::of(presence.others(Role::Api.as_str()));
    let slots = match shared.clone() {
        None => Slots::own(queue),
        Some(windows) => {
            let per_account = settings.limits.running_per_account;
            Slots::shared(queue, windows, presence.nodes(), per_account, bounds.lease)
        }
    };
    let tree = Arc::new(Tree::plant(&tools, bounds, node, slots));
    let health = Health::new(
        store.clone(),
        blobs.clone(),
        &pepper,
        watched(settings, &database_url),
        settings.storage.free_bytes_min,
        tree.lost.clone(),
    );
    let engine_bounds = EngineBounds {
        waiting_max: settings.engine.queue_max as usize,
        deadline: bounds.deadline,
        lease: bounds.lease,
        allow_private_addresses: settings.fetch.allow_private_addresses,
        carries_out: settings.server.role != Role::Api,
    };
    let engine = Engine::new(
        tools,
        tree.ledgers.clone(),
        tree.runs.clone(),
        node,
        engine_bounds,
        looks,
        tree.lost.clone(),
    );
    let limits = Limits::start(shared, &tree.limiters, presence.nodes(), clock.clone()).await;
    let memory = Memory::take_up(&settings.storage.path, limits.clone(), clock.clone());
    let members = Members::new(
        store.clone(),
        (tree.ledgers.clone(), tree.limiters.clone()),
        pepper.clone(),
        clock.clone(),
        limits.clone(),
        rules(settings),
        (post(settings)?, vouchers(settings)?),
    );
    let webhooks = Webhooks::new(
        store.clone(),
        pepper.clone(),
        clock.clone(),
        Callback::new(settings.fetch.allow_private_addresses)?,
    );
    let accounts = Accounts::new(
        store.clone(),
        tree.ledgers.clone(),
        tree.limiters.clone(),
        pepper,
        settings.auth.key_brand.clone(),
        clock.clone(),
    );
    let billing = till::sell(settings, &store, &tree.ledgers, &clock)?;
    let operations = Operations::new(
        tree.clone(),
        store.clone(),
        clock.clone(),
        author,
        (node, presence.says(), presence.nodes()),
        (engine.clone(), relay.clone(), digests),
        limits.clone(),
    );
    let watches = Watches::new(
        store.clone(),
        clock.clone(),
        engine.clone(),
        watch_rules(settings),
    );
    let library = Library::new(store, blobs, pool, clock, engine.clone());
    if !limits.are_shared() {
        match presence.is_alone() {
            true => tracing::info!("limits are counted by this node alone"),
            false => tracing::warn!(
                "another node is at work on this database, and cluster.url is not set: limits hold on each of them by itself"
            ),
        }
    }
    rescue(&tree, presence.is_alone()).await?;
    presence.let_others_in();
    let services = Services {
        accounts,
        engine,
        library,
        members,
        billing,
        operations,
        health,
        limits,
        webhooks,
        watches,
        answers,
        memory,
        tree,
        beside: Arc::new(beside),
        _only_one: only_one,
        _presence: Arc::new(presence),
    };
    // Whoever starts it reads the log; whoever balances the load asks `/readyz`.
    let _ = services.health.ailment().await;
    services.engine.open();
    Ok((services, relay))
}

/// Begins something, whenever it is called.
type Begin = Box<dyn FnMut() -> BoxFuture<'static, ()> + Send>;

fn kept<S, F>(name: &'static str, state: S, begin: fn(S) -> F) -> (&'static str, Begin)
where
    S: Clone + Send + 'static,
    F: Future<Output = ()> + Send + 'static,
{
    (name, Box::new(move || begin(state.clone()).boxed()))
}

impl Services {
    /// Begins what goes on beside the actors.
    fn keep(&self, relay: Relay) {
        for (name, begin) in self.kept(relay) {
            tokio::spawn(lasting(name, begin));
        }
    }

    /// What goes on beside the actors: by which name it is seen, and how it is begun, also after it has panicked.
    fn kept(&self, relay: Relay) -> Vec<(&'static str, Begin)> {
        let operations = || self.operations.clone();
        let claims = (relay.clone(), self.tree.clone());
        vec![
            kept("watch", operations(), Operations::keep_watch),
            kept("vitals", operations(), Operations::tell_how_it_goes),
            kept("wishes", operations(), Operations::heed_wishes),
            kept("webhooks", self.webhooks.clone(), Webhooks::make_rounds),
            kept("watches", self.watches.clone(), Watches::make_rounds),
            kept("windows", self.memory.clone(), Memory::keep),
            kept("housekeeping", self.clone(), keep_house),
            kept("relay", relay, Relay::keep),
            kept("claims", claims, claim_what_is_ordered),
            kept("sharing", self.engine.clone(), Engine::share_with_who_comes),
        ]
    }

    /// What an operator sees now, but for what only the surfaces know.
    #[must_use]
    pub fn observe(&self) -> Observation {
        self.operations.observe()
    }

    /// Admits requests at the rates of other settings from now on.
    pub fn take_rates(&self, settings: &Settings) {
        self.tree.limiters.set_rates(rates(settings));
    }

    /// Whether the threads of actors and the workers of HTTP go on.
    #[must_use]
    pub fn hearts(&self) -> Vec<Heart> {
        self.tree.pulse.observe()
    }

    /// Lets a worker of HTTP, on whose thread this is called, beat as the threads of actors do, until what is answered is dropped.
    #[must_use]
    pub fn beat(&self, kind: &'static str) -> Beat {
        self.tree.pulse.join(kind)
    }

    /// What of the node is lost for good, so that the process has to end.
    #[must_use]
    pub fn lost(&self) -> &Lost {
        &self.tree.lost
    }

    /// Accepts no more orders and waits for the runs. Where other nodes are at work, those that have not begun are handed over to them at
    /// once, and those that outlast `grace` then; alone, a node ends these with their refunds (decision 63). A node that is lost waits for
    /// nothing: what it cannot end itself is left to the next start, or to another node.
    pub async fn drain(&self, grace: Duration) {
        self.engine.close();
        let draining = async {
            self.operations.leave().await;
            if self.operations.has_others() {
                self.engine.hand_over(true).await;
            } else {
                self.operations.take_back().await;
            }
            if timeout(grace, self.engine.runs_end()).await.is_ok() {
                return;
            }
            let runs = self.engine.unfinished();
            if self.operations.has_others() {
                tracing::warn!(runs, "runs outlast the grace and are handed over");
                self.engine.hand_over(false).await;
            } else {
                tracing::warn!(runs, "runs outlast the grace and are ended");
                self.engine.abort_all();
            }
            let _ = timeout(ABORT_GRACE, self.engine.runs_end()).await;
        };
        tokio::select! {
            () = self.tree.lost.wait() => {}
            () = draining => {}
        }
    }

    /// Writes down what only this process knows, once nobody is served any more.
    pub async fn write_down(&self) {
        self.accounts.note_uses().await;
        self.memory.write().await;
    }

    /// Ends the threads of the actors, then those of the pipeline and of the database, and waits for them, though not for one that hangs.
    /// Whatever has not been settled is taken up by the next start.
    pub async fn end(&self) {
        self.tree.fell().await;
        let (pools, store) = (Arc::clone(&self.beside), Arc::clone(&self.beside));
        let pools = joined(move || pools.pools.iter().for_each(Pool::end));
        let store = joined(move || store.store.end());
        let (pools, store) = join(timeout(ENDED_WITHIN, pools), timeout(ENDED_WITHIN, store)).await;
        for (what, ended) in [("the pipeline", pools), ("the database", store)] {
            if ended.is_err() {
                tracing::warn!(what, "a thread does not end; the process ends without it");
            }
        }
    }
}

/// How many requests a key may send, by the settings.
fn rates(settings: &Settings) -> Rates {
    Rates {
        generate_per_minute: settings.limits.generate_per_minute,
        other_per_minute: settings.limits.other_per_minute,
    }
}

/// Takes up what was left behind. Where this node is alone, whoever held a lease is dead, and everything unfinished is ours; else only
/// what has outlived its lease.
async fn rescue(tree: &Tree, is_alone: bool) -> Result<(), String> {
    let sweep = Sweep {
        everything: is_alone,
    };
    let count = tree
        .rescuer
        .ask(sweep)
        .await
        .map_err(|_| "the rescuer broke while it took up what was left behind".to_owned())?
        .map_err(|error| format!("cannot take up what was left behind: {error}"))?;
    if count > 0 {
        tracing::info!(
            runs = count,
            "runs that were left behind are resumed or refunded"
        );
    }
    Ok(())
}

/// Tells the rescuer at once of runs that wait for whichever node has a place, and of places that become free while some do, for ever.
async fn claim_what_is_ordered((relay, tree): (Relay, Arc<Tree>)) {
    let queue = tree.runs.queue();
    let mut ended = tree.runs.one_ends();
    loop {
        let is_new = tokio::select! {
            () = relay.ordered() => true,
            () = ended => false,
            () = queue.changed() => false,
        };
        // Before anything is claimed, so that a place which becomes free meanwhile is not missed.
        ended = tree.runs.one_ends();
        if is_new {
            queue.note_waiting(true);
        }
        if queue.is_waiting() {
            let _ = tree.rescuer.ask(Ordered { is_new }).await;
        }
    }
}

/// Begins to send traces to the collector that the settings name.
///
/// # Errors
/// When its address cannot be used.
pub fn export_traces(settings: &Settings, parcels: Receiver<Parcel>) -> Result<(), String> {
    let node = Uuid::new_v4().simple().to_string();
    let set = &settings.telemetry;
    let collector = Collector::new(&set.otlp_url, set.service_name.clone(), node)
        .map_err(|cause| format!("setting telemetry.otlp_url: {cause}"))?;
    let serving = Arc::new((collector, Mutex::new(parcels)));
    tokio::spawn(lasting("traces", move || {
        let serving = Arc::clone(&serving);
        async move { serving.0.serve(&mut *serving.1.lock().await).await }
    }));
    Ok(())
}

/// Where uploaded files are kept, by the settings.
pub(in crate::services) async fn blobs(
    settings: &Settings,
    store: impl Future<Output = Result<Store, String>>,
) -> Result<Blobs, String> {
    let set = &settings.blobs;
    match set.home {
        BlobHome::Folder => Blobs::open(settings.storage.path.join("blobs"))
            .await
            .map_err(|error| format!("cannot open the folder of files: {error}")),
        BlobHome::Database => store.await.map(Blobs::in_database),
        BlobHome::S3 => {
            let secret_key = secret(&set.secret_key_file)
                .map_err(|error| error.to_string())?
                .unwrap_or_default();
            let bucket = bucket::bucket(BucketSettings {
                endpoint: set.endpoint.clone(),
                region: set.region.clone(),
                bucket: set.bucket.clone(),
                access_key: set.access_key.clone(),
                secret_key,
                path_style: set.path_style,
                timeout: Duration::from_secs(u64::from(set.timeout_s)),
            })?;
            Blobs::in_bucket(bucket, &set.prefix)
                .await
                .map_err(|error| format!("cannot open the bucket of files: {error}"))
        }
    }
}

/// Where there must be room for what is written, by the settings.
fn watched(settings: &Settings, database_url: &str) -> Vec<Watched> {
    let data = Watched {
        folder: settings.storage.path.clone(),
        ailment: Ailment::DataDisk,
    };
    let database = pepper::sqlite_file(database_url).map(|file| Watched {
        folder: match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => Path::new(".").to_owned(),
        },
        ailment: Ailment::DatabaseDisk,
    });
    database.into_iter().chain([data]).collect()
}

/// What the extract stage reads with, by the settings.
///
/// # Errors
/// When a client or a thread cannot be made.
pub fn reader(settings: &Settings, clock: Clock) -> Result<Reader, String> {
    let pool = Pool::start(
        settings.engine.workers as usize,
        heavy_waiting_max(settings),
    )
    .map_err(|error| format!("cannot start the pipeline's threads: {error}"))?;
    let proxy = match settings.fetch.proxy.as_str() {
        "" => None,
        proxy => Some(Url::parse(proxy).map_err(|error| format!("setting fetch.proxy: {error}"))?),
    };
    let web = Web::new(WebSettings {
        allow_private_addresses: settings.fetch.allow_private_addresses,
        timeout: Duration::from_secs(u64::from(settings.fetch.timeout_s)),
        body_bytes_max: settings.fetch.body_bytes_max as usize,
        user_agent: settings.fetch.user_agent.clone(),
        proxy: proxy.clone(),
    })?;
    let video = Video::new(VideoSettings {
        base_url: settings.video.base_url.clone(),
        yt_dlp: (!settings.video.yt_dlp.as_os_str().is_empty())
            .then(|| settings.video.yt_dlp.clone()),
        timeout: Duration::from_secs(u64::from(settings.fetch.timeout_s)),
        body_bytes_max: settings.fetch.body_bytes_max as usize,
        language: Some(settings.video.language.clone()).filter(|tag| !tag.is_empty()),
        proxy,
        clients: settings.video.clients.iter().map(video_client).collect(),
    })?;
    let mut reader = Reader::new(pool, clock, web, video);
    let hosts = settings.fetch.git_hosts.iter();
    reader.git_hosts = hosts.filter_map(|host| repository::host_of(host)).collect();
    reader.isolation.timeout = Duration::from_secs(u64::from(settings.isolation.timeout_s));
    reader.isolation.processor_s = u64::from(settings.isolation.processor_s);
    let set = &settings.isolation;
    reader.isolation.memory_bytes = set.memory_bytes;
    reader.isolation.answer_bytes_max = set.answer_bytes_max;
    reader.isolation.inside_bytes_max = set.inside_bytes_max as usize;
    reader.isolation.uid = set.uid;
    if set.workers_max > 0 {
        reader.isolation.places = Arc::new(Semaphore::new(set.workers_max as usize));
    }
    reader.limits = settings.reading.clone();
    reader.words_min = settings.engine.words_min as usize;
    Ok(reader)
}

/// How many pieces of heavy work may wait for a thread.
pub(crate) fn heavy_waiting_max(settings: &Settings) -> usize {
    HEAVY_WAITING_PER_RUN * settings.engine.running_max as usize
}

/// What looks that nobody pays for read with: one thread and one worker, both politer than all others.
fn looker(settings: &Settings, reader: &Reader) -> Result<Reader, String> {
    let mut looker = reader.clone();
    looker.pool = Pool::start_for_looks(LOOKS_WAITING_MAX)
        .map_err(|error| format!("cannot start the thread for looks: {error}"))?;
    let isolation = &mut looker.isolation;
    isolation.places = Arc::new(Semaphore::new(1));
    isolation.niceness = NICENESS_OF_LOOKS;
    isolation.processor_s = isolation
        .processor_s
        .min(u64::from(settings.looks.processor_s));
    Ok(looker)
}

/// How much is looked at, by the settings.
fn look_bounds(settings: &Settings) -> LookBounds {
    LookBounds {
        bytes_max: settings.looks.bytes_max,
        at_once: settings.looks.at_once as usize,
        deadline: Duration::from_secs(u64::from(settings.looks.deadline_s)),
    }
}

/// How much is watched, by the settings.
fn watch_rules(settings: &Settings) -> WatchRules {
    let set = &settings.watches;
    WatchRules {
        least: Duration::from_secs(u64::from(set.least_interval_h) * 3600),
        per_account: set.per_account,
    }
}

/// The way out for mail, by the settings; none where no server is named.
fn post(settings: &Settings) -> Result<Option<Post>, String> {
    let mail = &settings.mail;
    if mail.host.is_empty() {
        return Ok(None);
    }
    let password = secret(&mail.password_file).map_err(|error| error.to_string())?;
    let mailer = Mailer::new(MailSettings {
        host: mail.host.clone(),
        port: mail.port,
        privacy: match mail.security {
            MailSecurity::StartTls => Privacy::StartTls,
            MailSecurity::Tls => Privacy::Tls,
            MailSecurity::None => Privacy::Open,
        },
        account: (!mail.user.is_empty()).then(|| (mail.user.clone(), password.unwrap_or_default())),
        from: mail.from.clone(),
    })?;
    let public_url = settings.server.public_url.trim_end_matches('/').to_owned();
    Ok(Some(Post::new(mailer, public_url)))
}

/// Who vouches for people, by the settings.
fn vouchers(settings: &Settings) -> Result<Vec<Voucher>, String> {
    let public_url = settings.server.public_url.trim_end_matches('/');
    let voucher = |(name, set): (&String, &OpenIdProvider)| {
        let client_secret = secret(&set.client_secret_file).map_err(|error| error.to_string())?;
        let openid = OpenId::new(OpenIdSettings {
            issuer: set.issuer.clone(),
            client_id: set.client_id.clone(),
            client_secret: client_secret.map(SecretString::from),
            scopes: set.scopes.clone(),
            redirect_uri: format!("{public_url}/openid/{name}/callback"),
        })?;
        let label = if set.label.is_empty() {
            name
        } else {
            &set.label
        };
        Ok(Voucher {
            name: name.clone(),
            label: label.clone(),
            openid,
        })
    };
    settings.openid.iter().map(voucher).collect()
}

/// How accounts are handled, by the settings.
fn rules(settings: &Settings) -> Rules {
    let hours = |hours: u32| Duration::from_secs(u64::from(hours) * 3600);
    let auth = &settings.auth;
    Rules {
        brand: auth.key_brand.clone(),
        admission: match auth.signup {
            SignUp::Open => Admission::Open,
            SignUp::Invite => Admission::Invited,
            SignUp::Closed => Admission::Nobody,
        },
        welcome: settings.billing.signup_credits,
        welcomes_per_network: auth.welcomes_per_network,
        is_at_home: is_at_home(&settings.server.public_url),
        session_idle: hours(auth.session_idle_h),
        session_max: hours(auth.session_h),
    }
}

/// Whether an address is one of this machine itself.
fn is_at_home(public_url: &str) -> bool {
    let url = Url::parse(public_url).ok();
    url.is_some_and(|url| match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    })
}

/// Who writes the skills, by the settings; a model's answers are kept on this shelf beside memory.
///
/// # Errors
/// When the key cannot be read or no client be made.
pub fn author(
    settings: &Settings,
    pool: &Pool,
    shelf: Option<Arc<dyn Shelf>>,
) -> Result<Author, String> {
    let set = &settings.model;
    let terms = Terms {
        fails: set.on_failure == OnFailure::Fail,
        tokens_max: set.tokens_max,
        cost_max: set.cost_max,
        prices: Prices {
            input: set.prices.input,
            cached: set.prices.cached,
            output: set.prices.output,
        },
    };
    let protocol = match set.provider {
        Writer::Extractive => return Ok(Author::new(pool.clone(), None, terms)),
        Writer::OpenAi => Protocol::OpenAi,
        Writer::Azure => Protocol::Azure,
        Writer::Anthropic => Protocol::Anthropic,
        Writer::Gemini => Protocol::Gemini,
        Writer::Ollama => Protocol::Ollama,
    };
    let key = secret(&set.api_key_file).map_err(|error| error.to_string())?;
    let model = Model::new(ModelSettings {
        protocol,
        base_url: set.base_url.trim_end_matches('/').to_owned(),
        model: match set.writer.is_empty() {
            true => set.model.clone(),
            false => set.writer.clone(),
        },
        judge: match set.judge.is_empty() {
            true => set.model.clone(),
            false => set.judge.clone(),
        },
        key: key.map(SecretString::from),
        context_tokens: set.context_tokens as usize,
        answer_tokens_max: set.answer_tokens_max as usize,
        temperature: Some(set.temperature).filter(|temperature| *temperature >= 0.0),
        seed: Some(set.seed).filter(|seed| *seed > 0),
        reasoning_effort: set.reasoning_effort.clone(),
        api_version: set.api_version.clone(),
        headers: set.headers.clone().into_iter().collect(),
        timeout: Duration::from_secs(u64::from(set.timeout_s)),
        attempts_max: set.attempts_max as usize,
        at_once: set.requests_at_once as usize,
        cache_bytes_max: usize::try_from(set.cache_bytes_max).unwrap_or(usize::MAX),
        shelf,
    })?;
    Ok(Author::new(pool.clone(), Some(model), terms))
}

fn video_client(set: &crate::config::outside::VideoClient) -> Client {
    Client {
        name: set.name.clone(),
        number: set.number,
        version: set.version.clone(),
        user_agent: set.user_agent.clone(),
        device: set.device.clone(),
    }
}

/// Two services on one SQLite file would each take the other for dead and its runs for left behind.
fn lock_database(url: &str) -> Result<Option<Arc<File>>, String> {
    let Some(path) = url.strip_prefix("sqlite://") else {
        return Ok(None);
    };
    let lock = format!("{}.lock", path.split('?').next().unwrap_or(path));
    if let Some(folder) = Path::new(&lock)
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
    }
    let file = File::create(&lock).map_err(|error| format!("cannot write {lock}: {error}"))?;
    file.try_lock().map_err(|_| {
        format!("another skillkiln serves from this database already ({lock} is held)")
    })?;
    Ok(Some(Arc::new(file)))
}

async fn keep_house(services: Services) {
    let mut rounds = tokio::time::interval(HOUSEKEEPING);
    rounds.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    for round in 0u64.. {
        rounds.tick().await;
        services.accounts.note_uses().await;
        services.tree.retire_idle(services.limits.now());
        if round % ROUNDS_BETWEEN_SWEEPS == 0 {
            services.members.forget_ended().await;
            services.billing.keep_house().await;
            services.webhooks.keep_house().await;
            // Why it failed is in the log already; the next round tries again.
            let _ = services.library.sweep().await;
            services.answers.sweep().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actors::threads::in_a_system;
    use tokio::sync::watch;

    #[test]
    fn a_node_that_died_is_outlived_by_its_runs_for_ten_seconds_at_most() {
        let lease = Duration::from_secs(Settings::default().engine.lease_s.into());
        let [looks, claims] = [Claims::Shared, Claims::AsOrdered].map(|it| it.every(lease));
        assert_eq!(lease + looks.unwrap_or_default(), Duration::from_secs(10));
        assert!(claims < looks, "of 15 s that are promised");
    }

    /// Whatever goes on beside the actors of a node with these settings panics twice: as soon as it has begun, and in the middle. Answers
    /// the names of what has ended by itself instead, since there is nothing for it to do.
    async fn idle_when_all_break(settings: Settings) -> Vec<&'static str> {
        const MIDDLE: Duration = Duration::from_millis(20);
        let (services, relay) = open(&settings, Clock::system()).await.unwrap();
        let seen = |name: &str| {
            let mut kinds = services.observe().actors.into_iter();
            let tasks = kinds.find(|kind| kind.kind == "task").unwrap();
            let one = tasks.instances.into_iter().find(|one| one.key == name);
            one.map_or(("unknown", 0), |one| (one.state, one.restarts))
        };
        let mut tasks = Vec::new();
        for (name, mut begin) in services.kept(relay) {
            let (begins, begun) = watch::channel(0);
            let going_on = lasting(name, move || {
                let mut going_on = begin();
                let (begins, time) = (begins.clone(), *begins.borrow());
                async move {
                    let ended = match time {
                        0 => (&mut going_on).now_or_never(),
                        1 => timeout(MIDDLE, &mut going_on).await.ok(),
                        _ => None,
                    };
                    begins.send_replace(time + 1);
                    match ended {
                        Some(()) => {}
                        None if time < 2 => panic!("asked to break"),
                        None => going_on.await,
                    }
                }
            });
            let (_, restarts) = seen(name);
            tasks.push((name, begun, restarts, tokio::spawn(going_on)));
        }
        let mut idle = Vec::new();
        for (name, begun, restarts, task) in &mut tasks {
            if begun.wait_for(|time| *time == 3).await.is_ok() {
                assert_eq!(seen(name), ("running", *restarts + 2), "{name}");
                assert!(!task.is_finished(), "{name} goes on");
            } else {
                assert_eq!(*begun.borrow(), 1, "{name} ends as it began");
                idle.push(*name);
            }
        }
        tasks.iter().for_each(|(.., task)| task.abort());
        services.end().await;
        idle
    }

    #[test]
    fn whatever_goes_on_beside_the_actors_is_begun_again_when_it_panics_and_is_seen() {
        in_a_system(async {
            let folder = tempfile::tempdir().unwrap();
            let alone = Settings::in_folder(&folder.path().join("alone"));
            assert_eq!(idle_when_all_break(alone).await, ["relay"]);
            let mut shared = Settings::in_folder(&folder.path().join("shared"));
            // Nobody answers there: it is asked again and again.
            shared.cluster.url = "redis://127.0.0.1:9".to_owned();
            assert_eq!(idle_when_all_break(shared).await, ["windows"]);
        });
    }
}
