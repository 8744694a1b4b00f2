//! The third stage: checks skills against the rules of the format and against their source.
