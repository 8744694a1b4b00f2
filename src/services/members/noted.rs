//! Owns what the log says of people: who came in, who was refused, and what changed about how an account is entered. One line a deed, with the
//! account's id and the network that it came from; never an address of mail, a secret, or what was typed.

use crate::domain::id::UserId;
use crate::services::attempts::neighbourhood;
use crate::services::members::{Refusal, Whence};
use std::net::IpAddr;

/// What is logged of an attempt, whose outcome it is.
pub(super) trait Noted: Sized {
    /// Logs the outcome of what an account's owner, or somebody who says so, wanted to do; `user_id` as far as it is known.
    #[must_use]
    fn noted(self, deed: &'static str, user_id: Option<UserId>, whence: Option<&Whence>) -> Self;
}

impl<T> Noted for Result<T, Refusal> {
    fn noted(self, deed: &'static str, user_id: Option<UserId>, whence: Option<&Whence>) -> Self {
        let outcome = match &self {
            Ok(_) => "done",
            Err(Refusal::Invalid(_) | Refusal::Taken(_) | Refusal::Missing) => "refused",
            Err(Refusal::TooMany { .. }) => "slowed",
            Err(Refusal::Restricted) => "restricted",
            Err(Refusal::Elsewhere(_) | Refusal::Unavailable) => "failed",
        };
        let address = whence.map(|whence| whence.address);
        match outcome {
            // Whoever is slowed down may go on at any speed.
            "slowed" => tracing::debug!(
                deed,
                outcome,
                network = address.map(neighbourhood),
                "account"
            ),
            _ => write(deed, outcome, user_id, address),
        }
        self
    }
}

/// Logs what was done.
pub(super) fn done(deed: &'static str, user_id: UserId, whence: Option<&Whence>) {
    let address = whence.map(|whence| whence.address);
    write(deed, "done", Some(user_id), address);
}

/// Logs that somebody showed a key that is nobody's or a session that has ended, or neither where one is needed. Whoever does so too often is
/// not logged each time.
pub fn caller_refused(address: IpAddr) {
    write("key or session", "refused", None, Some(address));
}

fn write(
    deed: &'static str,
    outcome: &'static str,
    user_id: Option<UserId>,
    address: Option<IpAddr>,
) {
    let user_id = user_id.map(tracing::field::display);
    let network = address.map(neighbourhood);
    tracing::info!(deed, outcome, user.id = user_id, network, "account");
}
