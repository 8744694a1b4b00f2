//! The REST surface, `/api/v1`: one file a noun.

pub(super) mod credits;
