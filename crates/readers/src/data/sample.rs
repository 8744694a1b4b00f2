//! Owns how much of a long table is shown: the same sample of a spreadsheet and of separated values, never a dump.

/// Rows of a table that are taken over; the rest is counted and its columns are described, not copied.
pub(crate) const ROWS_MAX: usize = 1_000;
/// Columns that are taken over; the rest is counted.
pub(crate) const COLUMNS_MAX: usize = 60;
