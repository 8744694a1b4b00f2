//! The document that a source is read into: typed blocks, each of which knows where in the source it stands, and the Markdown that
//! is written of them. No input or output, nothing asynchronous, no format of a file.
//!
//! ```text
//! bytes ──readers──▶ blocks::Document ──skills──▶ a skill
//!                         └─ markdown::write ──▶ Markdown
//! ```
//!
//! ```
//! use skillkiln_document::blocks::{Block, BlockKind, Span};
//! use skillkiln_document::markdown;
//! use skillkiln_document::text::Inline;
//!
//! let paragraph = Block {
//!     kind: BlockKind::Paragraph(vec![Inline::Text("Fire the kiln slowly.".to_owned())]),
//!     span: Span::of(0..21),
//! };
//! assert_eq!(markdown::write(&[paragraph]).trim_end(), "Fire the kiln slowly.");
//! ```

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub mod blocks;
pub mod text;

pub mod speaker;

pub mod failure;

pub mod work;

pub mod markdown;
pub mod missing;

pub mod badge;
pub mod gap;
pub mod homes;
pub mod host_syntax;
pub mod orders;
pub mod pattern;
pub mod quick;
pub mod secret;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod titled;
pub mod unseen;
