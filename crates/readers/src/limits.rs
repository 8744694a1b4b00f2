//! Says how much of a source is read.

use serde::{Deserialize, Serialize};

/// Cells of a table, with those that fill its rows to one width. A longer table's caption says how many rows it has.
pub(crate) const TABLE_CELLS_MAX: usize = 200_000;

/// How much of a source is read; what goes past it is refused or counted, never read silently in part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reading {
    /// Pages of a PDF. Default 1,500.
    pub pdf_pages_max: u32,
    /// Entries of an archive, an office document or an e-book. Default 2,000.
    pub archive_entries_max: u32,
    /// Bytes of all its entries, inflated. Default 200 MiB.
    pub archive_bytes_max: u64,
    /// How many times larger than the file its entries may be. Default 200.
    pub archive_ratio_max: u32,
    /// Archives within archives. Default 2.
    pub archive_depth_max: u32,
    /// Pages of a site that may be read together when somebody asks for it. Default 50.
    pub site_pages_max: u32,
    /// Bytes of all its pages. Default 50 MiB.
    pub site_bytes_max: u64,
    /// Seconds after which no further page of it is asked for. Default 90.
    pub site_seconds_max: u32,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            pdf_pages_max: 1_500,
            archive_entries_max: 2_000,
            archive_bytes_max: 200 << 20,
            archive_ratio_max: 200,
            archive_depth_max: 2,
            site_pages_max: 50,
            site_bytes_max: 50 << 20,
            site_seconds_max: 90,
        }
    }
}
