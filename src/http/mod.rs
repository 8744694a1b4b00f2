//! The HTTP surface: the REST surface under `/api/v1`, the application surface under `/api`, tools for agents at `/mcp`, and the operators'
//! address.
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
mod compression;
mod context;
mod cookie;
mod cookie_value;
mod disposition;
mod download;
mod envelope;
mod error;
mod form;
mod idempotency;
pub mod mcp;
pub mod openapi;
mod ops;
mod origin;
mod pages;
mod paging;
mod plain_path;
mod query;
mod request_id;
mod room;
mod routes;
mod run;
pub mod settings;
pub mod sse;
mod throttle;
mod unread;
mod v1;
mod webhooks;

use crate::domain::clock::Clock;
use crate::http::context::Context;
use crate::http::settings::HttpSettings;
use crate::services::Services;
use crate::telemetry::lasting::lasting;
use actix_web::dev::{Server, ServerHandle};
use actix_web::middleware::from_fn;
use actix_web::web::ServiceConfig;
use actix_web::{App, HttpServer, web};
use futures_util::future;
use socket2::SockRef;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroUsize;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// Connections that wait to be taken, as many as Linux allows by itself.
const CONNECTIONS_WAITING_MAX: i32 = 4_096;

/// The sockets of the surfaces. They are taken before the services start, so that a port in use stops the start before runs
/// that were left behind are taken up.
#[derive(Debug)]
pub struct Sockets {
    public: Option<TcpListener>,
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
            public: settings.bind.map(listen).transpose()?,
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
        let context = Arc::new(Context::new(settings, services, clock, &routes::names()));
        Self { context, sockets }
    }

    /// Where the public surfaces listen, if there are any.
    ///
    /// # Errors
    /// When the socket does not know.
    pub fn public_address(&self) -> io::Result<Option<SocketAddr>> {
        let public = self.sockets.public.as_ref();
        public.map(TcpListener::local_addr).transpose()
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
        let mut servers = vec![admin_server(context.clone(), self.sockets.admin)?];
        if let Some(public) = self.sockets.public {
            servers.push(public_server(context.clone(), public, routes::public)?);
        }
        let handles: Vec<ServerHandle> = servers.iter().map(Server::handle).collect();
        let watched = context.clone();
        actix_web::rt::spawn(lasting("history", move || {
            ops::live::keep_history(watched.clone())
        }));
        let servers = future::try_join_all(servers.into_iter().map(actix_web::rt::spawn));

        let leaving = async {
            stop.await;
            leave(&context, &handles).await;
        };
        let (served, ()) = future::join(servers, leaving).await;
        served.map_err(io::Error::other)?.into_iter().collect()
    }
}

/// How long requests that are no streams get to end, once the streams have been told to.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Keeps serving while those who run get their time, then closes.
async fn leave(context: &Context, servers: &[ServerHandle]) {
    context.exit.drain();
    let services = &context.services;
    // Whoever balances the load gets its time to see it. A node that is lost serves nobody any more.
    let pause = async {
        tokio::select! {
            () = services.lost().wait() => {}
            () = sleep(context.settings.shutdown_pause) => {}
        }
    };
    future::join(pause, services.drain(context.settings.shutdown_grace)).await;
    context.exit.close();
    future::join_all(servers.iter().map(|server| server.stop(true))).await;
    context.services.write_down().await;
}

fn public_server(
    context: Arc<Context>,
    listener: TcpListener,
    routes: fn(&mut ServiceConfig),
) -> io::Result<Server> {
    let workers = context.settings.workers.map(NonZeroUsize::get);
    let data = web::Data::from(context);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(data.clone())
            .app_data(Rc::new(data.clone()))
            .app_data(envelope::Public)
            .app_data(data.services.beat("http"))
            .wrap(from_fn(compression::wrap))
            .wrap(from_fn(envelope::wrap))
            .configure(routes)
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
            .app_data(data.services.beat("operators"))
            .wrap(from_fn(envelope::wrap))
            .configure(routes::admin)
            .default_service(web::to(routes::unknown))
    })
    .disable_signals()
    .shutdown_timeout(LAST_WORDS.as_secs())
    .workers(1);
    Ok(server.listen(listener)?.run())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use crate::services;
    use std::io::Write;
    use std::net::TcpStream;
    use std::sync::Mutex;
    use std::sync::mpsc::{Receiver, channel};

    /// What the route that hangs waits for.
    static UNTIL: Mutex<Option<Receiver<()>>> = Mutex::new(None);

    async fn hang() -> &'static str {
        let until = UNTIL.lock().unwrap().take();
        let _ = until.map(|until| until.recv());
        "over"
    }

    #[test]
    fn a_worker_whose_handler_hangs_is_seen_by_name_and_forgotten_with_its_server() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::in_folder(folder.path());
        block_on(async {
            let clock = Clock::system();
            let services = services::start(&settings, clock.clone()).await.unwrap();
            let bound = Bound::bind(HttpSettings::from(&settings), services.clone(), clock);
            let Bound { context, sockets } = bound.unwrap();
            let address = sockets.public.as_ref().unwrap().local_addr().unwrap();
            let of_http = || {
                let hearts = services.hearts().into_iter();
                let of_http = hearts.filter(|heart| heart.arbiter.starts_with("http-"));
                of_http.collect::<Vec<_>>()
            };
            let until = async |is_so: &dyn Fn() -> bool| {
                while !is_so() {
                    sleep(Duration::from_millis(50)).await;
                }
            };
            let is_silent = || of_http().iter().any(|heart| heart.silent_s >= 2.0);
            let server = public_server(context, sockets.public.unwrap(), |app| {
                app.route("/hang", web::get().to(hang));
            });
            let server = server.unwrap();
            let handle = server.handle();
            let served = actix_web::rt::spawn(server);
            until(&|| !of_http().is_empty()).await;
            let (go_on, waits) = channel();
            *UNTIL.lock().unwrap() = Some(waits);
            let mut asking = TcpStream::connect(address).unwrap();
            asking
                .write_all(b"GET /hang HTTP/1.1\r\nHost: x\r\n\r\n")
                .unwrap();
            until(&is_silent).await;
            assert!(services.lost().name().is_none());
            drop(go_on);
            until(&|| !is_silent()).await;
            drop(asking);
            handle.stop(true).await;
            served.await.unwrap().unwrap();
            until(&|| of_http().is_empty()).await;
            services.end().await;
        });
    }
}
