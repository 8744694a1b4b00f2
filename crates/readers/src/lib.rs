//! Readers: the bytes of a file, a page or a transcript become a document whose blocks know where they stand. A folder a format. Pure
//! functions: nothing asynchronous, no network, no settings but the limits that they are handed.
//!
//! ```text
//! bytes ─▶ file_type ─▶ readers ─┬─▶ html · markup · text · data · pdf · office · epub · archive ─▶ finish ─▶ Document
//! captions ─▶ transcript ────────┘
//! ```
//!
//! ```
//! use skillkiln_document::text::plain;
//!
//! let document = skillkiln_readers::readers::plain("# Kilns\n\nFire slowly.\n".to_owned());
//! assert_eq!(document.blocks.len(), 2);
//! ```

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub mod limits;

pub mod readers;

pub mod archive;
pub mod builder;
pub mod captions;
pub mod code_like;
pub mod data;
pub mod decode;
pub mod derived;
pub mod epub;
mod example_marks;
pub mod extension;
pub mod file_type;
pub mod finish;
pub mod html;
pub mod hyphens;
pub mod includes;
pub mod invisible;
pub mod line_ends;
pub mod markup;
pub mod office;
pub mod package;
mod page;
pub mod paragraphs;
pub mod parts;
pub mod pdf;
mod pictures;
pub mod pointers;
pub mod sentences;
pub mod spoken;
pub mod terminal;
mod tex_signs;
pub mod text;
pub mod transcript;
mod words;
pub mod xml_tree;

#[cfg(test)]
mod hostile;
