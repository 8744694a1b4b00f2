//! Owns the digests that nodes leave for each other on the server that they share: one a node, which is gone when its node has not told it
//! again for a while. Each is written by its node every few seconds, and read only while somebody looks.

use crate::cluster::server;
use crate::domain::digest::Digest;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, RedisError};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// What every name of ours begins with. Digests that older nodes cannot read would begin otherwise.
const PREFIX: &str = "skillkiln:digest:";
/// How long a digest stays.
const KEPT: Duration = Duration::from_secs(10);
/// How long a connection and each answer may take.
const ANSWERED_WITHIN: Duration = Duration::from_secs(1);

/// The digests. Cheap to clone; by default nobody is there to tell or hear.
#[derive(Debug, Clone, Default)]
pub struct Digests(Option<Arc<Inner>>);

struct Inner {
    client: Client,
    /// None while the server is away: whoever looks does not wait for it then.
    joined: RwLock<Option<MultiplexedConnection>>,
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inner").finish_non_exhaustive()
    }
}

impl Digests {
    /// On the server at an address, `redis://` or `rediss://`. It is joined when something is told.
    ///
    /// # Errors
    /// When that is no address of a server.
    pub fn new(url: &str) -> Result<Self, String> {
        Ok(Self(Some(Arc::new(Inner {
            client: server::client(url)?,
            joined: RwLock::default(),
        }))))
    }

    /// Tells how a node is, by the beginning of its identity. While the server is away nobody hears it, and the next time it is tried again.
    pub async fn tell(&self, node: &str, digest: &Digest) {
        let Some(inner) = &self.0 else { return };
        if let Err(error) = inner.tell(node, digest).await {
            inner.join_with(None);
            // Whoever is away long enough is told elsewhere: see `windows`.
            tracing::debug!(%error, "other nodes do not hear now how this one is");
        }
    }

    /// What these nodes told lately, as far as they did; none where nobody knows, because the server is away.
    pub async fn of(&self, nodes: &[String]) -> Option<HashMap<String, Digest>> {
        let inner = self.0.as_ref()?;
        let mut connection = inner.joined()?;
        if nodes.is_empty() {
            return Some(HashMap::new());
        }
        let mut call = redis::cmd("MGET");
        call.arg(nodes.iter().map(|node| key_of(node)).collect::<Vec<_>>());
        let told: Vec<Option<Vec<u8>>> = match call.query_async(&mut connection).await {
            Ok(told) => told,
            Err(error) => {
                inner.join_with(None);
                tracing::debug!(%error, "how other nodes are is not heard now");
                return None;
            }
        };
        let read = |(node, told): (&String, Option<Vec<u8>>)| {
            let digest = serde_json::from_slice(&told?).ok()?;
            Some((node.clone(), digest))
        };
        Some(nodes.iter().zip(told).filter_map(read).collect())
    }
}

impl Inner {
    async fn tell(&self, node: &str, digest: &Digest) -> Result<(), RedisError> {
        let mut connection = match self.joined() {
            Some(connection) => connection,
            None => {
                let config = AsyncConnectionConfig::new()
                    .set_connection_timeout(Some(ANSWERED_WITHIN))
                    .set_response_timeout(Some(ANSWERED_WITHIN));
                let opening = self
                    .client
                    .get_multiplexed_async_connection_with_config(&config);
                opening.await?
            }
        };
        let text = serde_json::to_string(digest).unwrap_or_default();
        let mut call = redis::cmd("SET");
        call.arg(key_of(node)).arg(text);
        call.arg("PX").arg(KEPT.as_millis() as u64);
        call.query_async::<()>(&mut connection).await?;
        self.join_with(Some(connection));
        Ok(())
    }

    fn joined(&self) -> Option<MultiplexedConnection> {
        let joined = self.joined.read();
        joined.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn join_with(&self, connection: Option<MultiplexedConnection>) {
        let joined = self.joined.write();
        *joined.unwrap_or_else(PoisonError::into_inner) = connection;
    }
}

fn key_of(node: &str) -> String {
    format!("{PREFIX}{node}")
}
