//! Owns how the server is reached that nodes share.

use redis::io::tcp::TcpSettings;
use redis::{Client, IntoConnectionInfo};

/// The client of the server at an address, `redis://` or `rediss://`.
///
/// # Errors
/// When that is no address of a server.
pub(super) fn client(url: &str) -> Result<Client, String> {
    // Another may have been installed before, which does as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = url.into_connection_info().and_then(|server| {
        // What is asked and told is small, and each is waited for: nothing may be held back to travel with the next.
        let at_once = TcpSettings::default().set_nodelay(true);
        Client::open(server.set_tcp_settings(at_once))
    });
    // The address may hold a password, so nothing of it is repeated.
    client.map_err(|_| "it is no address of a Redis server".to_owned())
}
