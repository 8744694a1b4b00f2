//! What the service can do, in four rooms: run generations, keep skills, know accounts, take payments.

pub mod accounts;
pub mod admin;
pub mod engine;
pub mod library;
pub mod passwords;
pub mod pepper;

use crate::domain::observation::Observation;

/// All doors on one page. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Services {
    /// Who is calling.
    pub accounts: accounts::Accounts,
    /// What is made.
    pub engine: engine::Engine,
    /// What is kept.
    pub library: library::Library,
}

impl Services {
    /// What an operator sees of the actors now.
    #[must_use]
    pub fn observe(&self) -> Observation {
        Observation::default()
    }
}
