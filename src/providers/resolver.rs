//! Owns the look-up of host names: a name with any address off the public internet is refused as a whole.
//!
//! The check sits inside the client's resolver, on the very answer that is then connected to. A check beforehand would
//! be worth nothing: a hostile name server gives a public address to the check and a private one to the connection.

use crate::providers::public_address::is_public;
use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use url::Url;

/// Where names are looked up, so that tests can script a network.
pub(super) trait Names: fmt::Debug + Send + Sync {
    /// All addresses of a name.
    fn lookup(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;

    /// Where an admitted address is connected to. Port 0 stands for the one in the URL.
    fn socket(&self, address: IpAddr) -> SocketAddr {
        SocketAddr::new(address, 0)
    }
}

/// The machine's own resolver.
#[derive(Debug)]
pub(super) struct SystemNames;

impl Names for SystemNames {
    fn lookup(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((host.as_str(), 0)).await?;
            Ok(found.map(|socket| socket.ip()).collect())
        })
    }
}

/// Why a name was not resolved. Carries no address, so that none can reach a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameError {
    /// Nobody knows the name, or the name server does not answer.
    Unknown,
    /// At least one of its addresses is not public.
    Private,
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => "the name cannot be resolved",
            Self::Private => "the name leads to a private network",
        })
    }
}

impl std::error::Error for NameError {}

/// The resolver handed to the HTTP client.
#[derive(Debug, Clone)]
pub(super) struct GuardedResolver {
    pub(super) names: Arc<dyn Names>,
    pub(super) allow_private: bool,
    /// The name of our own proxy, which may be anywhere.
    pub(super) proxy: Option<String>,
}

/// The name of a proxy, as it is looked up.
pub(super) fn proxy_host(proxy: Option<&Url>) -> Option<String> {
    proxy?.host_str().map(str::to_owned)
}

impl GuardedResolver {
    /// The addresses of a name, of which none is private unless that is allowed.
    pub(super) async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, NameError> {
        let found = self.names.lookup(name.to_owned()).await;
        let found = found.map_err(|_| NameError::Unknown)?;
        let may_be_private = self.allow_private || self.proxy.as_deref() == Some(name);
        match found.is_empty() {
            true => Err(NameError::Unknown),
            false if !may_be_private && !found.iter().copied().all(is_public) => {
                Err(NameError::Private)
            }
            false => Ok(found),
        }
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.clone();
        Box::pin(async move {
            let found = guard.addresses(name.as_str()).await?;
            let sockets: Vec<SocketAddr> = found
                .into_iter()
                .map(|address| guard.names.socket(address))
                .collect();
            Ok(Box::new(sockets.into_iter()) as Addrs)
        })
    }
}
