//! Owns the connections to PostgreSQL and the runtime that drives them.
//!
//! Callers run on single-threaded runtimes that come and go, so the pool has a runtime of its own. Each call is a task
//! there: a caller that leaves cannot cancel a transaction half way, and a panic comes back as an error.

use crate::store::model::StoreError;
use crate::store::pg::Conn;
use crate::store::pg_connect;
use crate::telemetry::database::Calls;
use diesel::{ConnectionError, ConnectionResult};
use diesel_async::SimpleAsyncConnection;
use diesel_async::pooled_connection::deadpool::Pool;
use diesel_async::pooled_connection::{
    AsyncDieselConnectionManager, ManagerConfig, RecyclingMethod,
};
use futures_util::future::BoxFuture;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::{Handle, Runtime};

/// How long a call waits for a connection before the database counts as unavailable.
const CONNECTION_WAIT: Duration = Duration::from_secs(5);

/// How soon a server that went away without a word is noticed, unless the address says otherwise. In seconds, as the
/// address spells them: by default the system waits for a quarter of an hour.
const PATIENCE: [(&str, u32); 3] = [
    ("connect_timeout", 5),
    ("keepalives_idle", 30),
    ("tcp_user_timeout", 20),
];

/// How long the runtime's threads may take to end.
const ENDED_WITHIN: Duration = Duration::from_secs(1);

/// Connections and their runtime; both end when they are told to, or with the last clone and the last call.
#[derive(Clone)]
pub(crate) struct Postgres {
    pool: Pool<Conn>,
    driver: Arc<Driver>,
    figures: Arc<Calls>,
    address: Arc<str>,
}

/// A runtime that may be dropped anywhere, also inside another one.
struct Driver {
    handle: Handle,
    runtime: Mutex<Option<Runtime>>,
}

impl Driver {
    fn take(&self) -> Option<Runtime> {
        let mut runtime = self.runtime.lock().unwrap_or_else(PoisonError::into_inner);
        runtime.take()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(runtime) = self.take() {
            runtime.shutdown_background();
        }
    }
}

/// Every query of ours has its index. Until the server has gathered statistics of a young database it reads whole tables
/// instead, and goes on so on connections that planned early: charges were ten times slower. Where it has to read one whole all the
/// same, it takes that to be so dear that it compiles the statement first: more than a second of processor for a proof of small books
/// that takes less than 5 ms.
const BY_INDEX: &str = "SET enable_seqscan = off; SET jit = off";

async fn connect(url: &str) -> ConnectionResult<Conn> {
    let failed = |error: StoreError| ConnectionError::BadConnection(error.to_string());
    let (client, connection) = pg_connect::open(url).await.map_err(failed)?;
    let mut conn = Conn::try_from_client_and_connection(client, connection).await?;
    conn.batch_execute(BY_INDEX)
        .await
        .map_err(ConnectionError::CouldntSetupConfiguration)?;
    Ok(conn)
}

impl Postgres {
    /// A pool of at most so many connections, which are made when they are needed.
    pub(crate) fn new(url: &str, pool_size: usize) -> Result<Self, StoreError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("postgres")
            .enable_all()
            .build()
            .map_err(|error| StoreError::Unavailable(format!("cannot start a runtime: {error}")))?;
        let mut config = ManagerConfig::default();
        config.recycling_method = RecyclingMethod::Fast;
        config.custom_setup = Box::new(|url| Box::pin(connect(url)));
        let address = patient(url);
        let manager =
            AsyncDieselConnectionManager::<Conn>::new_with_config(address.as_str(), config);
        let pool = Pool::builder(manager)
            .max_size(pool_size)
            .build()
            .map_err(|error| StoreError::Broken(format!("cannot build a pool: {error}")))?;
        Ok(Self {
            pool,
            driver: Arc::new(Driver {
                handle: runtime.handle().clone(),
                runtime: Mutex::new(Some(runtime)),
            }),
            figures: Arc::default(),
            address: address.into(),
        })
    }

    /// What is counted about its calls.
    pub(crate) fn figures(&self) -> &Calls {
        &self.figures
    }

    /// As many connections as there can be.
    pub(crate) fn max_size(&self) -> usize {
        self.pool.status().max_size
    }

    /// A connection beside the pool, for who needs one for long. To be asked for on the runtime of [`Postgres::begin`].
    pub(crate) async fn own_connection(&self) -> Result<Conn, StoreError> {
        connect(&self.address)
            .await
            .map_err(|error| StoreError::Unavailable(error.to_string()))
    }

    /// Begins something that goes on by itself, on the connections' runtime.
    pub(crate) fn begin(&self, task: impl Future<Output = ()> + Send + 'static) {
        drop(self.driver.handle.spawn(task));
    }

    /// Ends the runtime with all connections and whatever is under way on them, and blocks until its threads have ended, a second at most.
    pub(crate) fn end(&self) {
        if let Some(runtime) = self.driver.take() {
            runtime.shutdown_timeout(ENDED_WITHIN);
        }
    }

    /// Runs a query function on a connection of the pool.
    pub(crate) async fn call<T: Send + 'static>(
        &self,
        query: impl for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>>
        + Send
        + 'static,
    ) -> Result<T, StoreError> {
        let this = self.clone();
        let task = self.driver.handle.spawn(async move {
            let mut counted = this.figures.enqueue();
            let mut conn = match tokio::time::timeout(CONNECTION_WAIT, this.pool.get()).await {
                Ok(Ok(conn)) => conn,
                Ok(Err(error)) => return Err(StoreError::Unavailable(error.to_string())),
                Err(_) => {
                    return Err(StoreError::Unavailable(
                        "no connection became free".to_owned(),
                    ));
                }
            };
            counted.begin();
            query(&mut conn).await
        });
        match task.await {
            Ok(outcome) => outcome,
            Err(error) if error.is_panic() => {
                Err(StoreError::Broken("a query panicked".to_owned()))
            }
            Err(_) => Err(StoreError::Unavailable(
                "the database's runtime ended".to_owned(),
            )),
        }
    }
}

/// The address with our patience written into it.
fn patient(url: &str) -> String {
    let mut patient = url.to_owned();
    for (name, seconds) in PATIENCE {
        if !url.contains(name) {
            patient.push(if patient.contains('?') { '&' } else { '?' });
            patient.push_str(&format!("{name}={seconds}"));
        }
    }
    patient
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_the_patience_it_names() {
        assert_eq!(
            patient("postgres://a@b/c?connect_timeout=1"),
            "postgres://a@b/c?connect_timeout=1&keepalives_idle=30&tcp_user_timeout=20"
        );
        assert_eq!(
            patient("postgres://a@b/c"),
            "postgres://a@b/c?connect_timeout=5&keepalives_idle=30&tcp_user_timeout=20"
        );
    }
}
