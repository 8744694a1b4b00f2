//! A fresh database on the PostgreSQL that the test script started; it goes when the test is over.

use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};

/// A database of its own.
pub(crate) struct FreshDatabase {
    server: String,
    name: String,
}

impl FreshDatabase {
    /// Makes one.
    pub(crate) async fn new() -> Self {
        let server = std::env::var("SKILLKILN_TEST_POSTGRES").expect(
            "this needs a PostgreSQL server: export SKILLKILN_TEST_POSTGRES=$(scripts/postgres.sh), or run scripts/test",
        );
        let name = format!("test_{}", uuid::Uuid::new_v4().simple());
        run(&server, &format!("CREATE DATABASE {name}")).await;
        Self { server, name }
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        let mut url = url::Url::parse(&self.server).expect("an address");
        url.set_path(&self.name);
        url.into()
    }
}

impl Drop for FreshDatabase {
    /// Removes it, whoever is still connected to it.
    fn drop(&mut self) {
        let server = self.server.clone();
        let removal = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        // A thread of its own: a test's runtime cannot be waited for from within.
        let removing = std::thread::spawn(move || {
            tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime")
                .block_on(run(&server, &removal));
        });
        drop(removing.join());
    }
}

async fn run(server: &str, sql: &str) {
    let mut conn = AsyncPgConnection::establish(server)
        .await
        .expect("the server answers");
    diesel::sql_query(sql)
        .execute(&mut conn)
        .await
        .expect("the server does it");
}
