//! Owns the home of blobs in S3-compatible storage: one object a digest, below a prefix.

use crate::domain::key::{from_hex, to_hex};
use crate::store::model::StoreError;
use crate::telemetry::providers::FILES;
use bytes::Bytes;
use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt, PutPayload};
use std::sync::Arc;

/// A bucket. Clones share its connections.
#[derive(Debug, Clone)]
pub(super) struct Bucket {
    objects: Arc<dyn ObjectStore>,
    prefix: Arc<str>,
}

impl Bucket {
    /// Asks the bucket for what it holds, so that a wrong name or key is known at the start.
    pub(super) async fn open(
        objects: Arc<dyn ObjectStore>,
        prefix: &str,
    ) -> Result<Self, StoreError> {
        let bucket = Self {
            objects,
            prefix: prefix.trim_matches('/').into(),
        };
        bucket.probe().await?;
        Ok(bucket)
    }

    /// Asks for the first of what it holds.
    pub(super) async fn probe(&self) -> Result<(), StoreError> {
        let below = Path::from(format!("{}/", self.prefix));
        let first = counted(self.objects.list(Some(&below)).try_next()).await;
        first.map(drop).map_err(|error| failed("list", &error))
    }

    /// Keeps bytes under their digest, unless they are here.
    pub(super) async fn put(&self, digest: &str, bytes: Bytes) -> Result<(), StoreError> {
        let place = self
            .place(digest)
            .ok_or_else(|| StoreError::Broken("not a digest".to_owned()))?;
        match counted(self.objects.head(&place)).await {
            Ok(about) if about.size == bytes.len() as u64 => return Ok(()),
            Ok(_) | Err(Error::NotFound { .. }) => {}
            Err(error) => return Err(failed("look for", &error)),
        }
        let put = counted(self.objects.put(&place, PutPayload::from_bytes(bytes))).await;
        put.map(drop).map_err(|error| failed("write", &error))
    }

    pub(super) async fn get(&self, digest: &str) -> Result<Option<Bytes>, StoreError> {
        let Some(place) = self.place(digest) else {
            return Ok(None);
        };
        let read = async { self.objects.get(&place).await?.bytes().await };
        match counted(read).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed("read", &error)),
        }
    }

    /// Removes the bytes of a digest. Such storage does not say whether they were there.
    pub(super) async fn remove(&self, digest: &str) -> Result<bool, StoreError> {
        let Some(place) = self.place(digest) else {
            return Ok(false);
        };
        match counted(self.objects.delete(&place)).await {
            Ok(()) => Ok(true),
            Err(Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(failed("remove", &error)),
        }
    }

    /// Where a digest lies. Only a digest names a place, never a path.
    fn place(&self, digest: &str) -> Option<Path> {
        let bytes = from_hex(digest)?;
        let shelf = digest.get(..2)?;
        let prefix = &self.prefix;
        (to_hex(&bytes) == digest).then(|| Path::from(format!("{prefix}/{shelf}/{digest}")))
    }
}

/// Asks the storage, and counts how it went. That something is not there is an answer.
async fn counted<T>(asking: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let call = FILES.begin();
    let answer = asking.await;
    call.ended(matches!(answer, Ok(_) | Err(Error::NotFound { .. })));
    answer
}

/// The cause may hold the bucket's address; it goes to the log, never to a user.
fn failed(what: &str, error: &Error) -> StoreError {
    StoreError::Files(format!("cannot {what} an object: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::blobs::digest_of;
    use object_store::memory::InMemory;

    #[tokio::test]
    async fn bytes_come_back_by_their_digest_and_only_a_digest_names_a_place() {
        let objects: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let bucket = Bucket::open(objects.clone(), "/kiln/blobs/")
            .await
            .expect("opened");
        let digest = digest_of(b"abc");
        for _ in 0..2 {
            let put = bucket.put(&digest, Bytes::from_static(b"abc")).await;
            assert_eq!(put, Ok(()));
        }
        assert_eq!(
            bucket.get(&digest).await,
            Ok(Some(Bytes::from_static(b"abc")))
        );
        let place = Path::from(format!("kiln/blobs/ba/{digest}"));
        assert!(objects.head(&place).await.is_ok());
        assert_eq!(bucket.remove(&digest).await, Ok(true));
        assert_eq!(bucket.get(&digest).await, Ok(None));
        for name in ["", "../secret", "é", "/etc/passwd", &"A".repeat(64)] {
            assert_eq!(bucket.get(name).await, Ok(None), "{name}");
            assert_eq!(bucket.remove(name).await, Ok(false), "{name}");
            assert!(bucket.put(name, Bytes::new()).await.is_err(), "{name}");
        }
    }

    #[tokio::test]
    async fn an_object_that_broke_off_is_written_again() {
        let objects: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let bucket = Bucket::open(objects.clone(), "").await.expect("opened");
        let digest = digest_of(b"abc");
        let place = bucket.place(&digest).expect("a place");
        objects
            .put(&place, PutPayload::from_static(b"ab"))
            .await
            .expect("put");
        bucket
            .put(&digest, Bytes::from_static(b"abc"))
            .await
            .expect("kept");
        assert_eq!(
            bucket.get(&digest).await,
            Ok(Some(Bytes::from_static(b"abc")))
        );
    }
}
