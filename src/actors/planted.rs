//! Owns the actors of which a node has one. Such an actor that was given up is planted anew, since what matters of it is in the store;
//! when it is given up again soon, it is lost, and the node with it: whoever waits for [`Lost`] ends the process.

use crate::actors::context::{Handle, Kind, Undelivered};
use crate::actors::figures::KindFigures;
use crate::actors::supervisor::{self, End};
use crate::domain::observation::ActorKind;
use actix::prelude::*;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// An actor that is given up so soon after it was planted anew is lost.
pub const LASTS: Duration = Duration::from_secs(60);

/// What the node has lost for good, so that it cannot work any more. Clones share it.
#[derive(Debug, Clone)]
pub struct Lost(watch::Sender<Option<&'static str>>);

impl Default for Lost {
    fn default() -> Self {
        Self(watch::Sender::new(None))
    }
}

impl Lost {
    /// The name of the actor that is lost; `None` while the node can work.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        *self.0.borrow()
    }

    /// Waits until an actor is lost.
    pub async fn wait(&self) {
        // It cannot end otherwise: what tells it is held here.
        let _ = self.0.subscribe().wait_for(Option::is_some).await;
    }

    /// From now on the node cannot work, because of what has this name.
    pub(crate) fn tell(&self, name: &'static str) {
        self.note(name);
        log(name);
    }

    /// The same without a word in the log, for whoever must not wait for its reader.
    pub(super) fn note(&self, name: &'static str) {
        self.0.send_replace(Some(name));
    }
}

/// Says in the log what is lost.
pub(super) fn log(name: &'static str) {
    tracing::error!(
        actor = name,
        "an actor of the node is lost; the process ends, to be started again"
    );
}

/// The one actor of its kind on this node, whichever was planted last. Cheap to clone.
pub struct Planted<A: Kind>(Arc<Plot<A>>);

impl<A: Kind> Clone for Planted<A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<A: Kind> std::fmt::Debug for Planted<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Planted").field(&A::NAME).finish()
    }
}

/// Where it stands, and what a new one is made of.
struct Plot<A: Kind> {
    arbiter: ArbiterHandle,
    /// Of all that are planted here, one after the other.
    figures: Arc<KindFigures>,
    make: Arc<dyn Fn() -> A + Send + Sync>,
    lost: Lost,
    stand: RwLock<Stand<A>>,
}

struct Stand<A: Kind> {
    handle: Handle<A>,
    /// When it was planted anew; `None` for the first.
    renewed_at: Option<Instant>,
}

impl<A: Kind<Shared = ()>> Planted<A> {
    /// Plants it on `arbiter`, and anew whenever it was given up.
    #[must_use]
    pub fn new(
        arbiter: &ArbiterHandle,
        capacity: usize,
        lost: &Lost,
        make: impl Fn() -> A + Send + Sync + 'static,
    ) -> Self {
        let make: Arc<dyn Fn() -> A + Send + Sync> = Arc::new(make);
        let figures = KindFigures::new(A::NAME, capacity);
        Self(Arc::new_cyclic(|plot| Plot {
            stand: RwLock::new(Stand {
                handle: start(arbiter, &figures, &make, plot.clone()),
                renewed_at: None,
            }),
            arbiter: arbiter.clone(),
            figures,
            make,
            lost: lost.clone(),
        }))
    }

    /// Leaves a message without waiting for it to be handled.
    ///
    /// # Errors
    /// [`Undelivered`], as [`Handle::tell`].
    pub fn tell<M>(&self, message: M) -> Result<(), Undelivered>
    where
        A: Handler<M>,
        M: Message + Send + 'static,
        M::Result: Send,
    {
        self.0.read().handle.tell(message)
    }

    /// Leaves a message and waits for the answer.
    ///
    /// # Errors
    /// [`Undelivered`], as [`Handle::ask`].
    pub async fn ask<M>(&self, message: M) -> Result<M::Result, Undelivered>
    where
        A: Handler<M>,
        M: Message + Send + 'static,
        M::Result: Send,
    {
        let handle = self.0.read().handle.clone();
        handle.ask(message).await
    }

    /// What an operator sees of it.
    #[must_use]
    pub fn observe(&self) -> ActorKind {
        ActorKind {
            instances: vec![supervisor::instance(&"node", &self.0.read().handle.gauge)],
            ..self.0.figures.observe()
        }
    }
}

fn start<A: Kind<Shared = ()>>(
    arbiter: &ArbiterHandle,
    figures: &Arc<KindFigures>,
    make: &Arc<dyn Fn() -> A + Send + Sync>,
    plot: Weak<Plot<A>>,
) -> Handle<A> {
    let make = Arc::clone(make);
    let ended = move |end| {
        if let (End::GivenUp, Some(plot)) = (end, plot.upgrade()) {
            plot.given_up();
        }
    };
    supervisor::start(arbiter, figures, (), move |_| make(), ended)
}

impl<A: Kind<Shared = ()>> Plot<A> {
    /// Plants it anew, or tells that it is lost.
    fn given_up(self: Arc<Self>) {
        let mut stand = self.stand.write().unwrap_or_else(PoisonError::into_inner);
        if stand.renewed_at.is_some_and(|at| at.elapsed() < LASTS) {
            self.lost.tell(A::NAME);
            return;
        }
        tracing::warn!(actor = A::NAME, "an actor of the node is planted anew");
        *stand = Stand {
            handle: start(
                &self.arbiter,
                &self.figures,
                &self.make,
                Arc::downgrade(&self),
            ),
            renewed_at: Some(Instant::now()),
        };
    }
}

impl<A: Kind> Plot<A> {
    fn read(&self) -> RwLockReadGuard<'_, Stand<A>> {
        self.stand.read().unwrap_or_else(PoisonError::into_inner)
    }
}
