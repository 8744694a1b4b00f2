//! Owns which till the settings choose, and with which secrets.

use crate::actors::ledger::Ledgers;
use crate::config::Settings;
use crate::config::load::secret;
use crate::config::outside;
use crate::domain::clock::Clock;
use crate::domain::credits::Credits;
use crate::providers::payment::Till;
use crate::providers::payment::sandbox::Sandbox;
use crate::providers::payment::signature::WebhookSecret;
use crate::providers::payment::stripe::{Stripe, StripeSettings};
use crate::services::admin;
use crate::services::billing::{Billing, PackSizes};
use crate::store::connection::Store;
use std::path::Path;
use url::{Host, Url};

/// The till that the settings choose. Stripe without its secrets sells nothing: money is never taken that could not be credited.
///
/// # Errors
/// When a secret cannot be read, or no client be made.
pub(super) fn sell(
    settings: &Settings,
    store: &Store,
    ledgers: &Ledgers,
    clock: &Clock,
) -> Result<Billing, String> {
    let set = &settings.billing;
    let public_url = settings.server.public_url.clone();
    let read = |file: &Path| secret(file).map_err(|error| error.to_string());
    let webhook_secret = read(&set.webhook_secret_file)?.map(WebhookSecret::new);
    let (till, webhook_secret) = match set.provider {
        outside::Till::Sandbox => {
            let own = || admin::fresh_password().map(WebhookSecret::new);
            let secret = match webhook_secret {
                Some(secret) => secret,
                None => own().map_err(|error| error.to_string())?,
            };
            if !origin_is_here(&public_url) {
                tracing::warn!(
                    "payments are played, not made: anybody gets credits for pressing a button (billing.provider)"
                );
            }
            (Till::Sandbox(Sandbox { public_url }), Some(secret))
        }
        outside::Till::Stripe => match read(&set.secret_key_file)? {
            Some(key) if webhook_secret.is_some() => {
                let stripe = Stripe::new(StripeSettings {
                    base_url: set.base_url.clone(),
                    secret_key: key.into(),
                    starter: set.prices.starter.clone(),
                    pro_pack: set.prices.pro_pack.clone(),
                    unlimited: set.prices.unlimited.clone(),
                    public_url,
                })?;
                (Till::Stripe(Box::new(stripe)), webhook_secret)
            }
            _ => {
                tracing::warn!(
                    "nothing is sold: billing.secret_key_file and billing.webhook_secret_file are both needed"
                );
                (Till::Closed, webhook_secret)
            }
        },
    };
    let packs = PackSizes {
        starter: Credits(set.packs.starter),
        pro_pack: Credits(set.packs.pro_pack),
    };
    let (store, ledgers, clock) = (store.clone(), ledgers.clone(), clock.clone());
    Ok(Billing::new(
        store,
        ledgers,
        clock,
        till,
        webhook_secret,
        packs,
    ))
}

/// Whether an address leads to this very machine.
fn origin_is_here(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    })
}
