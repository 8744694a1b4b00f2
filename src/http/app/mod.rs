//! The application surface, `/api`: one file a noun.

pub(super) mod credits;
