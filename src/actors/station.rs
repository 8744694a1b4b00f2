//! Owns what the actors of the three stages have in common: each does one piece of work, hands its product to whoever comes next, and ends.

use crate::actors::context::{Ctx, Handle, Kind, Outlet};
use crate::actors::figures::stage_actor;
use crate::actors::stage::{Line, Measured, broke};
use crate::actors::supervisor;
use crate::domain::generation::Stage;
use actix::prelude::*;
use skillkiln_document::failure::Failure;
use std::future::Future;
use std::sync::Arc;

/// The work of one stage of one run.
pub trait Work: Send + Unpin + 'static {
    /// What it begins with.
    type In: Message<Result = ()> + Send + 'static;
    /// What comes out of it.
    type Out: Measured + 'static;
    /// Which stage it is.
    const STAGE: Stage;

    /// Does it.
    fn work(self, input: Self::In) -> impl Future<Output = Result<Self::Out, Failure>> + 'static;
}

/// The actor of one stage of one run.
pub struct Station<W: Work> {
    /// Until it is begun.
    work: Option<W>,
    line: Line,
    next: Box<dyn Outlet<W::Out>>,
}

impl<W: Work> std::fmt::Debug for Station<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Station").field(&W::STAGE).finish()
    }
}

impl<W: Work> Kind for Station<W> {
    const NAME: &'static str = stage_actor(W::STAGE);
    type Shared = ();
}

impl<W: Work> Actor for Station<W> {
    type Context = Ctx<Self>;
}

impl<W: Work> Supervised for Station<W> {
    fn restarting(&mut self, ctx: &mut Ctx<Self>) {
        self.line.fail(broke(W::STAGE));
        ctx.stop();
    }
}

impl<W: Work> Station<W> {
    /// Starts the stage, which hands its product to `next`.
    #[must_use]
    pub fn start(
        arbiter: &ArbiterHandle,
        line: Line,
        work: W,
        next: impl Outlet<W::Out> + 'static,
    ) -> Handle<Self> {
        let flow = Arc::clone(&line.flow);
        let make = move |_: &mut Ctx<Self>| Self {
            work: Some(work),
            line,
            next: Box::new(next),
        };
        supervisor::start(arbiter, flow.stages.actors(W::STAGE), (), make, |_| {})
    }
}

impl<W: Work> Handler<W::In> for Station<W> {
    type Result = ();

    fn handle(&mut self, input: W::In, ctx: &mut Ctx<Self>) {
        let Some(work) = self.work.take() else {
            return;
        };
        let work = self.line.clone().work(W::STAGE, work.work(input));
        ctx.spawn(work.into_actor(self).map(|product, station, ctx| {
            if let Some(product) = product
                && station.next.hand(product).is_err()
            {
                let next = Stage::ALL.into_iter().find(|stage| *stage > W::STAGE);
                station.line.fail(broke(next.unwrap_or(W::STAGE)));
            }
            ctx.stop();
        }));
    }
}
