//! The third stage of one run: checks the skills against the rules and their source.

use crate::actors::context::{Ctx, Handle, Kind, Outlet};
use crate::actors::figures::KindFigures;
use crate::actors::stage::{Line, Tools, broke};
use crate::actors::supervisor;
use crate::domain::generation::Stage;
use crate::pipeline::product::{Synthesized, Validated};
use crate::pipeline::validate::validate;
use actix::prelude::*;
use std::sync::Arc;

pub(crate) static FIGURES: KindFigures = KindFigures::new("validator");

/// The checker of one run.
pub struct Validator {
    tools: Arc<Tools>,
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

impl Message for Synthesized {
    type Result = ();
}

impl Validator {
    /// Starts the stage, which hands its product to `next`.
    #[must_use]
    pub fn start(
        arbiter: &ArbiterHandle,
        tools: Arc<Tools>,
        line: Line,
        next: Box<dyn Outlet<Validated>>,
    ) -> Handle<Self> {
        supervisor::start(arbiter, 1, (), move |_| Self { tools, line, next }, || {})
    }
}

impl Handler<Synthesized> for Validator {
    type Result = ();

    fn handle(&mut self, synthesized: Synthesized, ctx: &mut Ctx<Self>) {
        let pool = self.tools.pool.clone();
        let work = async move { validate(&pool, synthesized).await };
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
