//! Owns what a person reads about their credits: what gave them and what took them, newest first.

use crate::domain::credits::Movement;
use crate::domain::id::UserId;
use crate::services::accounts::Unavailable;
use crate::services::members::{Members, unavailable};

impl Members {
    /// The newest movements of an account's credits.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn movements(
        &self,
        user_id: UserId,
        limit: u32,
    ) -> Result<Vec<Movement>, Unavailable> {
        let found = self.0.store.movements(user_id, limit).await;
        found.map_err(|error| unavailable(&error))
    }
}
