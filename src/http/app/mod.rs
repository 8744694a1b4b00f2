//! The application surface, `/api`: one file a noun. Bodies are JSON; errors may use the codes of decision 3 too.

pub(super) mod checkout;
pub(super) mod credits;
pub(super) mod drafts;
pub(super) mod generate;
pub(super) mod prefill;
pub(super) mod progress;
pub(super) mod sharing;
pub(super) mod skills;
pub(super) mod uploads;
pub(super) mod usage;
pub(super) mod watches;
