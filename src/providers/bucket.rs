//! Owns how we reach S3-compatible storage: whose bucket it is, with which keys, over the same TLS as everything else.

use crate::providers::client;
use object_store::aws::AmazonS3Builder;
use object_store::client::{ClientOptions, HttpClient, HttpConnector};
use object_store::{ObjectStore, RetryConfig};
use std::sync::Arc;
use std::time::Duration;

/// How often a request is repeated that was not answered, or answered with a fault of the storage's own.
const RETRIES: usize = 3;

/// Where a bucket is and how it is opened.
#[derive(Clone)]
pub struct BucketSettings {
    /// The storage's address; empty for Amazon's own.
    pub endpoint: String,
    /// Its region.
    pub region: String,
    /// The bucket's name.
    pub bucket: String,
    /// The public part of the key.
    pub access_key: String,
    /// The secret part.
    pub secret_key: String,
    /// Whether the bucket's name stands in the path, as most storage other than Amazon's wants it, and not in the host.
    pub path_style: bool,
    /// How long a request may take, its body and its repetitions included.
    pub timeout: Duration,
}

impl std::fmt::Debug for BucketSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BucketSettings")
            .field("endpoint", &self.endpoint)
            .field("bucket", &self.bucket)
            .finish_non_exhaustive()
    }
}

/// The bucket.
///
/// # Errors
/// When the settings cannot be those of a bucket.
pub fn bucket(settings: BucketSettings) -> Result<Arc<dyn ObjectStore>, String> {
    let client = client::builder()
        .timeout(settings.timeout)
        .build()
        .map_err(|error| format!("cannot make a client for the bucket: {error}"))?;
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(settings.bucket)
        .with_region(settings.region)
        .with_access_key_id(settings.access_key)
        .with_secret_access_key(settings.secret_key)
        .with_virtual_hosted_style_request(!settings.path_style)
        // One request an object: what is removed at once is little, and not all storage knows the other way.
        .with_disable_bulk_delete(true)
        .with_retry(RetryConfig {
            max_retries: RETRIES,
            retry_timeout: settings.timeout,
            ..RetryConfig::default()
        })
        .with_http_connector(Ours(client));
    if !settings.endpoint.is_empty() {
        let is_plain = settings.endpoint.starts_with("http://");
        builder = builder
            .with_endpoint(settings.endpoint)
            .with_allow_http(is_plain);
    }
    let bucket = builder
        .build()
        .map_err(|error| format!("cannot open the bucket: {error}"))?;
    Ok(Arc::new(bucket))
}

/// Speaks through a client of ours.
#[derive(Debug)]
struct Ours(reqwest::Client);

impl HttpConnector for Ours {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.0.clone()))
    }
}
