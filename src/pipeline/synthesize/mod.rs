//! The second stage: writes skills from a document, selecting and reordering what the source says, never inventing.
