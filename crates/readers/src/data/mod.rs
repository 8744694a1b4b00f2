//! Readers of data: separated values, source code and structured text, notebooks, descriptions of interfaces, e-mail.

pub mod code;
pub mod mail;
pub mod notebook;
pub mod openapi;
pub mod separated;
pub mod source;
