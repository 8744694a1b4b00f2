//! The REST surface, `/api/v1`: one file a noun. Bodies are forms, errors are those of interface part 7.

pub(super) mod catalogue;
pub(super) mod credits;
pub(super) mod generate;
pub(super) mod generations;
pub(super) mod source;
pub(super) mod standing;
pub(super) mod topics;
