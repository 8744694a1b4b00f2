//! The third stage of one run: checks the skills against the rules and their source.

use crate::actors::station::Work;
use crate::domain::generation::Stage;
use crate::pipeline::handle::Written;
use crate::pipeline::product::Validated;
use actix::prelude::*;
use skillkiln_document::failure::Failure;

/// The checking of one run.
#[derive(Debug)]
pub struct Validator;

impl Message for Written {
    type Result = ();
}

impl Work for Validator {
    type In = Written;
    type Out = Validated;
    const STAGE: Stage = Stage::Validating;

    async fn work(self, Written { handle, .. }: Written) -> Result<Validated, Failure> {
        handle.check().await
    }
}
