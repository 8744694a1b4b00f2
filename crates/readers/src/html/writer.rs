//! What writes the blocks of a page: the document in the making, and what its links are relative to.

use crate::builder::Builder;
use crate::html::inline::Base;

/// Writes blocks into a document in the making.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) builder: Builder,
    pub(crate) base: Base,
}
