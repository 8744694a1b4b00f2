//! Owns what every handler can reach: the services, the clock, the settings, and whether the service is on its way out.

use crate::domain::clock::Clock;
use crate::domain::quota::{Admission, Verdict};
use crate::http::ops::history::History;
use crate::http::request_id::RequestId;
use crate::http::settings::HttpSettings;
use crate::services::Services;
use crate::telemetry::http::HttpFigures;
use actix_web::{HttpRequest, web};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::watch;

/// Shared by all requests on all threads.
#[derive(Debug)]
pub(super) struct Context {
    /// What the service can do.
    pub(super) services: Services,
    /// What time it is.
    pub(super) clock: Clock,
    /// How the surfaces are set.
    pub(super) settings: HttpSettings,
    /// What is counted.
    pub(super) figures: Arc<HttpFigures>,
    /// Whether the service is on its way out.
    pub(super) exit: Exit,
    /// The last hour.
    pub(super) history: History,
}

impl Context {
    /// Nothing counted yet of these routes.
    pub(super) fn new(
        settings: HttpSettings,
        services: Services,
        clock: Clock,
        routes: &[&'static str],
    ) -> Self {
        Self {
            services,
            clock,
            settings,
            figures: Arc::new(HttpFigures::new(routes)),
            exit: Exit::default(),
            history: History::default(),
        }
    }

    /// The context of a request.
    pub(super) fn of(req: &HttpRequest) -> &Arc<Self> {
        req.app_data::<web::Data<Self>>()
            .expect("every application is built with its context")
    }
}

/// The way out: first no new run is taken and those who listen may hear theirs end, then every stream is ended.
#[derive(Debug)]
pub(super) struct Exit {
    draining: AtomicBool,
    closing: watch::Sender<bool>,
}

impl Default for Exit {
    fn default() -> Self {
        Self {
            draining: AtomicBool::new(false),
            closing: watch::Sender::new(false),
        }
    }
}

impl Exit {
    /// From now on no run is taken.
    pub(super) fn drain(&self) {
        self.draining.store(true, Ordering::SeqCst);
    }

    /// Whether no run is taken any more.
    pub(super) fn is_draining(&self) -> bool {
        self.draining.load(Ordering::SeqCst)
    }

    /// From now on every open stream ends.
    pub(super) fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Turns true on [`Exit::close`].
    pub(super) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }
}

/// What is noted about one request on its way in, for the headers of its answer on the way out, whatever happens between.
#[derive(Debug)]
pub(super) struct Notes {
    /// What `X-Request-Id` says.
    pub(super) request_id: RequestId,
    /// What the limit headers say; the caller's address decides when nobody else did.
    pub(super) verdict: Cell<Option<Verdict>>,
    /// What it was admitted on, if a window counted it.
    pub(super) admission: RefCell<Option<Admission>>,
    /// The index of its route among the figures.
    pub(super) route: Cell<usize>,
    /// Whether the answer tells of a failure that is not ours to mend.
    pub(super) excused: Cell<bool>,
}

tokio::task_local! {
    /// The notes on the request that is being answered.
    static CURRENT: Rc<Notes>;
}

impl Notes {
    /// Answers a request, so that whatever is done for it can name it.
    pub(super) async fn while_current<T>(self: Rc<Self>, answering: impl Future<Output = T>) -> T {
        CURRENT.scope(self, answering).await
    }

    /// The id of the request that is being answered; empty where none is.
    pub(super) fn current_id() -> String {
        let id = |notes: &Rc<Self>| notes.request_id.text().to_owned();
        CURRENT.try_with(id).unwrap_or_default()
    }

    /// Notes that the request being answered is told of a failure that is not ours to mend, whatever its status says.
    pub(super) fn excuse_current() {
        // Outside a request nothing is counted.
        let _ = CURRENT.try_with(|notes| notes.excused.set(true));
    }

    /// Notes what the request being answered was admitted on.
    pub(super) fn admit_current(admission: Admission) {
        let _ = CURRENT.try_with(|notes| notes.admission.replace(Some(admission)));
    }

    /// Notes what a window said of the request being answered.
    pub(super) fn judge_current(verdict: Verdict) {
        // Outside a request nobody asks.
        let _ = CURRENT.try_with(|notes| notes.verdict.set(Some(verdict)));
    }
}
