//! Owns how a token's signature is checked: by ring, which TLS uses here anyway, behind the interface of the token library.
//!
//! Only signatures with a public key exist here. `none` has no spelling, and a public key can never be taken for the shared secret of
//! an HMAC, because no HMAC is known.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::signature::{self, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use ring::signature as of_ring;
use ring::signature::{RsaPublicKeyComponents, UnparsedPublicKey};

static RING: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(Error::from(ErrorKind::InvalidAlgorithm)),
    verifier_factory: |algorithm, key| Ok(Box::new(Check::with(*algorithm, key)?)),
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes ring the one that checks, for this process. A second call changes nothing.
pub(super) fn install() {
    let _ = RING.install_default();
}

/// How a signature is checked with one key.
struct Check {
    algorithm: Algorithm,
    key: Key,
}

enum Key {
    Rsa {
        parameters: &'static of_ring::RsaParameters,
        modulus: Vec<u8>,
        exponent: Vec<u8>,
    },
    Point {
        parameters: &'static dyn of_ring::VerificationAlgorithm,
        bytes: Vec<u8>,
    },
}

impl Check {
    fn with(algorithm: Algorithm, key: &DecodingKey) -> Result<Self, Error> {
        if key.family() != algorithm.family() {
            return Err(Error::from(ErrorKind::InvalidAlgorithm));
        }
        let rsa = match algorithm {
            Algorithm::RS256 => Some(&of_ring::RSA_PKCS1_2048_8192_SHA256),
            Algorithm::RS384 => Some(&of_ring::RSA_PKCS1_2048_8192_SHA384),
            Algorithm::RS512 => Some(&of_ring::RSA_PKCS1_2048_8192_SHA512),
            Algorithm::PS256 => Some(&of_ring::RSA_PSS_2048_8192_SHA256),
            Algorithm::PS384 => Some(&of_ring::RSA_PSS_2048_8192_SHA384),
            Algorithm::PS512 => Some(&of_ring::RSA_PSS_2048_8192_SHA512),
            _ => None,
        };
        let point: Option<&'static dyn of_ring::VerificationAlgorithm> = match algorithm {
            Algorithm::ES256 => Some(&of_ring::ECDSA_P256_SHA256_FIXED),
            Algorithm::ES384 => Some(&of_ring::ECDSA_P384_SHA384_FIXED),
            Algorithm::EdDSA => Some(&of_ring::ED25519),
            _ => None,
        };
        let key = match (key.kind(), rsa, point) {
            (DecodingKeyKind::RsaModulusExponent { n, e }, Some(parameters), _) => Key::Rsa {
                parameters,
                modulus: n.clone(),
                exponent: e.clone(),
            },
            (DecodingKeyKind::SecretOrDer(bytes), None, Some(parameters)) => Key::Point {
                parameters,
                bytes: bytes.clone(),
            },
            _ => return Err(Error::from(ErrorKind::InvalidAlgorithm)),
        };
        Ok(Self { algorithm, key })
    }
}

/// A number as ring takes it, without the zeros that some providers put in front.
fn bare(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    number.get(zeros..).unwrap_or_default()
}

impl Verifier<Vec<u8>> for Check {
    fn verify(&self, message: &[u8], mark: &Vec<u8>) -> Result<(), signature::Error> {
        let checked = match &self.key {
            Key::Rsa {
                parameters,
                modulus,
                exponent,
            } => RsaPublicKeyComponents {
                n: bare(modulus),
                e: bare(exponent),
            }
            .verify(parameters, message, mark),
            Key::Point { parameters, bytes } => {
                UnparsedPublicKey::new(*parameters, bytes).verify(message, mark)
            }
        };
        checked.map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for Check {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}
