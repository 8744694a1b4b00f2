//! The HTTP surface: the REST surface under `/api/v1`, the application surface under `/api`, and the operators' address.
//!
//! ```text
//! request ─▶ envelope ─▶ routes ─▶ caller + throttle ─▶ handler (v1, app, pages) ─▶ services
//!            request id    404       401 403 429          400 404 402
//!            headers       405
//!            panics
//! ```
//!
//! This room reads requests and shapes answers. It never sees the store or the actors: the services are its only doors.

mod app;
mod authored;
mod body;
mod caller;
mod context;
mod cookie;
mod disposition;
mod download;
mod envelope;
mod error;
mod form;
mod idempotency;
pub mod openapi;
mod ops;
mod origin;
mod pages;
mod plain_path;
mod query;
mod request_id;
mod room;
mod routes;
mod run;
pub mod sse;
mod throttle;
mod unread;
mod v1;
mod webhooks;

use crate::config::Settings;
use crate::config::network::Network;
use crate::domain::clock::Clock;
use crate::http::context::Context;
use crate::http::room::Room;
use crate::services::Services;
use actix_web::dev::{Server, ServerHandle};
use actix_web::middleware::from_fn;
use actix_web::{App, HttpServer, web};
use futures_util::future;
use socket2::SockRef;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroUsize;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// How the surfaces are set. Plain values: settings stop at the door.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Where the public surfaces listen; port 0 picks one.
    pub bind: SocketAddr,
    /// Where the operators' surface listens.
    pub admin_bind: SocketAddr,
    /// Names under which it is opened in a browser, beside its numbers and `localhost`.
    pub admin_names: Vec<String>,
    /// The address that users see, without a slash at its end.
    pub public_url: String,
    /// Where a weakness is reported; empty for nowhere.
    pub security_contact: String,
    /// Whether browsers reach the service by TLS, so that they are told to send its cookie in no other way. Only an `http` address
    /// of this very machine does without.
    pub is_secure: bool,
    /// Whether the address that users see is one of TLS, so that browsers are told to use no other.
    pub is_tls: bool,
    /// How long a browser keeps the cookie.
    pub session_max: Duration,
    /// What keys begin with, before `_sk_`.
    pub key_brand: String,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// Threads that answer; `None` for one a core.
    pub workers: Option<NonZeroUsize>,
    /// How long running generations get when the service stops.
    pub shutdown_grace: Duration,
    /// Most pages of a site that are read together.
    pub site_pages_max: u32,
    /// Words that a text has at least (decision 64).
    pub words_min: usize,
    /// What a request may hold.
    pub limits: BodyLimits,
}

/// What a request may hold (decisions 29 and 56).
#[derive(Debug, Clone)]
pub struct BodyLimits {
    /// Most bytes of one file.
    pub file_bytes_max: usize,
    /// Most bytes of a whole body.
    pub request_bytes_max: usize,
    /// Most bytes of a text.
    pub text_bytes_max: usize,
    /// Most bytes of a SKILL.md that its owner writes.
    pub skill_bytes_max: usize,
    /// Most characters of an address.
    pub address_chars_max: usize,
    /// Most files of an upload.
    pub files_max: usize,
    /// The room for all bodies that are read at once.
    pub(in crate::http) room: Room,
    /// Most time between two pieces of a body.
    pub idle_max: Duration,
    /// Most time for a whole body.
    pub total_max: Duration,
}

/// How many bodies of the largest size are kept in memory at once; more small ones fit in the same room.
const BODIES_AT_ONCE: usize = 4;

impl From<&Settings> for HttpSettings {
    fn from(settings: &Settings) -> Self {
        let seconds = |seconds: u32| Duration::from_secs(u64::from(seconds));
        let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        let (server, uploads) = (&settings.server, &settings.uploads);
        Self {
            bind: server.bind,
            admin_bind: server.admin_bind,
            admin_names: server.admin_names.clone(),
            public_url: server.public_url.trim_end_matches('/').to_owned(),
            security_contact: server.security_contact.clone(),
            is_secure: origin::is_secure(&server.public_url),
            is_tls: server.public_url.starts_with("https://"),
            session_max: Duration::from_secs(u64::from(settings.auth.session_h) * 3600),
            key_brand: settings.auth.key_brand.clone(),
            trusted_proxies: server.trusted_proxies.clone(),
            workers: NonZeroUsize::new(server.workers as usize),
            shutdown_grace: seconds(server.shutdown_grace_s),
            site_pages_max: settings.reading.site_pages_max,
            words_min: settings.engine.words_min as usize,
            limits: BodyLimits {
                file_bytes_max: size(uploads.file_bytes_max),
                request_bytes_max: size(uploads.request_bytes_max),
                text_bytes_max: size(uploads.text_bytes_max),
                skill_bytes_max: size(uploads.skill_bytes_max),
                address_chars_max: uploads.address_chars_max as usize,
                files_max: uploads.files_max as usize,
                room: Room::new(size(uploads.request_bytes_max).saturating_mul(BODIES_AT_ONCE)),
                idle_max: seconds(uploads.idle_s),
                total_max: seconds(uploads.total_s),
            },
        }
    }
}

/// Connections that wait to be taken, as many as Linux allows by itself.
const CONNECTIONS_WAITING_MAX: i32 = 4_096;

/// The sockets of the surfaces. They are taken before the services start, so that a port in use stops the start before runs
/// that were left behind are taken up.
#[derive(Debug)]
pub struct Sockets {
    public: TcpListener,
    admin: TcpListener,
}

impl Sockets {
    /// Takes them.
    ///
    /// # Errors
    /// When an address cannot be listened on; the message names it.
    pub fn take(settings: &HttpSettings) -> io::Result<Self> {
        let listen = |address: SocketAddr| {
            let queueing = || {
                let listener = TcpListener::bind(address)?;
                // The standard library lets 128 connections wait to be taken; of 500 that come at once the others are sent away, and
                // knock again a second later.
                SockRef::from(&listener).listen(CONNECTIONS_WAITING_MAX)?;
                Ok(listener)
            };
            queueing().map_err(|error: io::Error| {
                io::Error::new(error.kind(), format!("cannot listen on {address}: {error}"))
            })
        };
        Ok(Self {
            public: listen(settings.bind)?,
            admin: listen(settings.admin_bind)?,
        })
    }
}

/// Runs `work` to its end in the system that servers and actors need.
pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    actix_web::rt::System::new().block_on(work)
}

/// The surfaces with their sockets taken, so that their addresses are known before anything is served.
#[derive(Debug)]
pub struct Bound {
    context: Arc<Context>,
    sockets: Sockets,
}

impl Bound {
    /// Takes the sockets.
    ///
    /// # Errors
    /// When an address cannot be listened on; the message names it.
    pub fn bind(settings: HttpSettings, services: Services, clock: Clock) -> io::Result<Self> {
        let sockets = Sockets::take(&settings)?;
        Ok(Self::on(sockets, settings, services, clock))
    }

    /// Uses sockets that were taken.
    #[must_use]
    pub fn on(sockets: Sockets, settings: HttpSettings, services: Services, clock: Clock) -> Self {
        let context = Arc::new(Context::new(settings, services, clock));
        Self { context, sockets }
    }

    /// Where the public surfaces listen.
    ///
    /// # Errors
    /// When the socket does not know.
    pub fn public_address(&self) -> io::Result<SocketAddr> {
        self.sockets.public.local_addr()
    }

    /// Where the operators' surface listens.
    ///
    /// # Errors
    /// When the socket does not know.
    pub fn admin_address(&self) -> io::Result<SocketAddr> {
        self.sockets.admin.local_addr()
    }

    /// Serves until `stop` ends, then lets running generations end within the grace, ends every stream, and returns
    /// (decision 63).
    ///
    /// # Errors
    /// When a server cannot be started, or ends by itself.
    pub async fn serve(self, stop: impl Future<Output = ()>) -> io::Result<()> {
        let context = self.context;
        let public = public_server(context.clone(), self.sockets.public)?;
        let admin = admin_server(context.clone(), self.sockets.admin)?;
        let handles = [public.handle(), admin.handle()];
        actix_web::rt::spawn(ops::live::keep_history(context.clone()));
        let public = actix_web::rt::spawn(public);
        let admin = actix_web::rt::spawn(admin);
        let servers = future::try_join(public, admin);

        let leaving = async {
            stop.await;
            leave(&context, handles).await;
        };
        let (served, ()) = future::join(servers, leaving).await;
        let (public, admin) = served.map_err(io::Error::other)?;
        public.and(admin)
    }
}

/// How long requests that are no streams get to end, once the streams have been told to.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Keeps serving while those who run get their time, then closes.
async fn leave(context: &Context, [public, admin]: [ServerHandle; 2]) {
    context.exit.drain();
    context
        .services
        .drain(context.settings.shutdown_grace)
        .await;
    context.exit.close();
    future::join(public.stop(true), admin.stop(true)).await;
}

fn public_server(context: Arc<Context>, listener: TcpListener) -> io::Result<Server> {
    let workers = context.settings.workers.map(NonZeroUsize::get);
    let data = web::Data::from(context);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(data.clone())
            .app_data(Rc::new(data.clone()))
            .app_data(envelope::Public)
            .wrap(from_fn(envelope::wrap))
            .configure(routes::public)
            .default_service(web::to(routes::unknown))
    })
    .disable_signals()
    .shutdown_timeout(LAST_WORDS.as_secs());
    let server = match workers {
        Some(workers) => server.workers(workers),
        None => server,
    };
    Ok(server.listen(listener)?.run())
}

fn admin_server(context: Arc<Context>, listener: TcpListener) -> io::Result<Server> {
    let data = web::Data::from(context);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(data.clone())
            .app_data(Rc::new(data.clone()))
            .wrap(from_fn(envelope::wrap))
            .configure(routes::admin)
            .default_service(web::to(routes::unknown))
    })
    .disable_signals()
    .shutdown_timeout(LAST_WORDS.as_secs())
    .workers(1);
    Ok(server.listen(listener)?.run())
}
