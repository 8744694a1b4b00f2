//! The third stage of one run: checks the skills against the rules and their source.

use crate::actors::context::{Ctx, Handle, Kind, Outlet};
use crate::actors::figures::KindFigures;
use crate::actors::stage::{Line, broke};
use crate::actors::supervisor;
use crate::domain::generation::Stage;
use crate::pipeline::handle::Written;
use crate::pipeline::product::Validated;
use actix::prelude::*;

pub(crate) static FIGURES: KindFigures = KindFigures::new("validator");

/// The checker of one run.
pub struct Validator {
    line: Line,
    next: Box<dyn Outlet<Validated>>,
}

impl Kind for Validator {
    const FIGURES: &'static KindFigures = &FIGURES;
    type Shared = ();
}

impl std::fmt::Debug for Validator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Validator").finish_non_exhaustive()
    }
}

impl Actor for Validator {
    type Context = Ctx<Self>;
}

impl Supervised for Validator {
    fn restarting(&mut self, ctx: &mut Ctx<Self>) {
        self.line.fail(broke(Stage::Validating));
        ctx.stop();
    }
}

impl Message for Written {
    type Result = ();
}

impl Validator {
    /// Starts the stage, which hands its product to `next`.
    #[must_use]
    pub fn start(
        arbiter: &ArbiterHandle,
        line: Line,
        next: Box<dyn Outlet<Validated>>,
    ) -> Handle<Self> {
        supervisor::start(arbiter, 1, (), move |_| Self { line, next }, |_| {})
    }
}

impl Handler<Written> for Validator {
    type Result = ();

    fn handle(&mut self, Written { handle, .. }: Written, ctx: &mut Ctx<Self>) {
        let work = handle.check();
        let work = self.line.clone().work(Stage::Validating, work);
        ctx.spawn(work.into_actor(self).map(|validated, validator, ctx| {
            if let Some(validated) = validated
                && validator.next.hand(validated).is_err()
            {
                validator.line.fail(broke(Stage::Validating));
            }
            ctx.stop();
        }));
    }
}
