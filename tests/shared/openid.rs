//! An OpenID Connect provider of our own: it is as strict as the real ones, signs with real keys, and can lie, forget and be ill.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
};
use ring::{digest, rsa};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

pub(crate) const CLIENT_ID: &str = "kiln & co";
pub(crate) const CLIENT_SECRET: &str = "hush: a s3cret%";

type Fields = BTreeMap<String, String>;
type Change = Box<dyn FnOnce(&mut Value, &mut Value) + Send>;

/// How tokens are signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signing {
    /// RS256, with a key that stays.
    Rsa,
    /// ES256, with the newest key.
    Curve,
    /// Not at all: `alg` is `none`.
    None,
    /// ES256, with a key that is nobody's, under the newest key's name.
    Forged,
}

/// The provider; it ends with the test.
pub(crate) struct Issuer {
    address: SocketAddr,
    memory: Arc<Mutex<Memory>>,
    task: tokio::task::JoinHandle<()>,
}

struct Memory {
    now_s: i64,
    redirect_uri: String,
    person: Value,
    userinfo: Value,
    signing: Signing,
    rsa: RsaKeyPair,
    curves: Vec<(String, EcdsaKeyPair)>,
    change: Option<Change>,
    codes: HashMap<String, Fields>,
    issued: usize,
    ill: bool,
    denies: bool,
    requests: Vec<String>,
}

fn curve() -> EcdsaKeyPair {
    let (random, algorithm) = (SystemRandom::new(), &ECDSA_P256_SHA256_FIXED_SIGNING);
    let pkcs8 = EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("a key");
    EcdsaKeyPair::from_pkcs8(algorithm, pkcs8.as_ref(), &random).expect("a key")
}

impl Issuer {
    pub(crate) async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let text: String = include_str!("openid_rsa.txt").split_whitespace().collect();
        let der = STANDARD.decode(text).expect("base64");
        let memory = Arc::new(Mutex::new(Memory {
            now_s: 0,
            redirect_uri: String::new(),
            person: json!({}),
            userinfo: Value::Null,
            signing: Signing::Curve,
            rsa: RsaKeyPair::from_pkcs8(&der).expect("a key"),
            curves: vec![("curve-0".to_owned(), curve())],
            change: None,
            codes: HashMap::new(),
            issued: 0,
            ill: false,
            denies: false,
            requests: vec![],
        }));
        let of_task = Arc::clone(&memory);
        let task = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                tokio::spawn(serve(connection, address, Arc::clone(&of_task)));
            }
        });
        let issuer = Self {
            address,
            memory,
            task,
        };
        issuer.knows("ann-1", "ann@example.org", true);
        issuer
    }

    fn with<T>(&self, change: impl FnOnce(&mut Memory) -> T) -> T {
        change(&mut self.memory.lock().expect("sound"))
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where people come back to, and what time it is there.
    pub(crate) fn serves(&self, public_url: &str, now_s: i64) {
        self.with(|memory| {
            memory.now_s = now_s;
            memory.redirect_uri = format!("{public_url}/openid/acme/callback");
        });
    }

    /// Who comes by from now on.
    pub(crate) fn knows(&self, subject: &str, email: &str, verified: bool) {
        let person = json!({"sub": subject, "email": email, "email_verified": verified});
        self.with(|memory| memory.person = person);
    }

    /// Tokens say nothing of the person but a name; the rest is told when it is asked for.
    pub(crate) fn tells_apart(&self, userinfo: Value) {
        self.with(|memory| {
            memory.person = json!({"sub": memory.person["sub"]});
            memory.userinfo = userinfo;
        });
    }

    pub(crate) fn signs(&self, signing: Signing) {
        self.with(|memory| memory.signing = signing);
    }

    /// Changes the header and the claims of the next token before it is signed.
    pub(crate) fn lies(&self, change: impl FnOnce(&mut Value, &mut Value) + Send + 'static) {
        self.with(|memory| memory.change = Some(Box::new(change)));
    }

    /// Takes a new key; the old one is gone.
    pub(crate) fn rotates(&self) {
        self.with(|memory| {
            let name = format!("curve-{}", memory.issued + 1_000);
            memory.curves = vec![(name, curve())];
        });
    }

    /// From now on every answer is an error, or good again.
    pub(crate) fn is_ill(&self, ill: bool) {
        self.with(|memory| memory.ill = ill);
    }

    /// People do not agree there.
    pub(crate) fn denies(&self) {
        self.with(|memory| memory.denies = true);
    }

    /// How often a path was asked for.
    pub(crate) fn asked(&self, path: &str) -> usize {
        self.with(|memory| {
            memory
                .requests
                .iter()
                .filter(|asked| *asked == path)
                .count()
        })
    }

    /// What a browser does there: opens the address, and is sent back. The path and query where it comes back.
    pub(crate) async fn visit(&self, address: &str) -> String {
        let url = Url::parse(address).expect("an address");
        let mut connection = TcpStream::connect(self.address).await.expect("there");
        let target = &url[url::Position::BeforePath..];
        let request = format!("GET {target} HTTP/1.1\r\nHost: id\r\n\r\n");
        connection
            .write_all(request.as_bytes())
            .await
            .expect("asked");
        let mut answer = String::new();
        connection
            .read_to_string(&mut answer)
            .await
            .expect("answered");
        let to = answer
            .lines()
            .find_map(|line| line.strip_prefix("Location: "))
            .unwrap_or_else(|| panic!("sent back: {answer}"));
        let back = Url::parse(to).expect("an address");
        back[url::Position::BeforePath..].to_owned()
    }
}

impl Drop for Issuer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn fields(text: &str) -> Fields {
    url::form_urlencoded::parse(text.as_bytes())
        .into_owned()
        .collect()
}

async fn serve(mut connection: TcpStream, address: SocketAddr, memory: Arc<Mutex<Memory>>) {
    let mut bytes = vec![];
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if connection.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let header = |name: &str| {
        head.lines()
            .filter_map(|line| line.split_once(": "))
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.to_owned())
    };
    let length = header("content-length").map_or(0, |length| length.parse().expect("a length"));
    while bytes.len() < end + 4 + length {
        if connection.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return;
        }
    }
    let body = String::from_utf8_lossy(&bytes[end + 4..]).into_owned();
    let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let (status, location, answer) = {
        let mut memory = memory.lock().expect("sound");
        memory.requests.push(path.to_owned());
        if memory.ill {
            (503, None, json!({"error": "temporarily_unavailable"}))
        } else {
            memory.answer(address, path, &fields(query), &fields(&body), &header)
        }
    };
    let location = location.map_or(String::new(), |to| format!("Location: {to}\r\n"));
    let body = answer.to_string();
    let answer = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n{location}\r\n{body}",
        body.len()
    );
    let _ = connection.write_all(answer.as_bytes()).await;
    let _ = connection.shutdown().await;
}

type Reply = (u16, Option<String>, Value);

impl Memory {
    fn answer(
        &mut self,
        address: SocketAddr,
        path: &str,
        query: &Fields,
        form: &Fields,
        header: &dyn Fn(&str) -> Option<String>,
    ) -> Reply {
        let me = format!("http://{address}");
        match path {
            "/.well-known/openid-configuration" => (
                200,
                None,
                json!({
                    "issuer": me, "authorization_endpoint": format!("{me}/authorize"), "token_endpoint": format!("{me}/token"),
                    "jwks_uri": format!("{me}/jwks"), "userinfo_endpoint": format!("{me}/userinfo"),
                    "response_types_supported": ["code"], "subject_types_supported": ["public"],
                    "id_token_signing_alg_values_supported": ["RS256", "ES256"], "code_challenge_methods_supported": ["S256"],
                    "authorization_response_iss_parameter_supported": true,
                }),
            ),
            "/jwks" => (200, None, json!({"keys": self.jwks()})),
            "/authorize" => self.authorize(&me, query),
            "/token" => match self.token(&me, form, header) {
                Ok(tokens) => (200, None, tokens),
                Err(error) => (400, None, json!({ "error": error })),
            },
            "/userinfo" if header("authorization").as_deref() == Some("Bearer access") => {
                (200, None, self.userinfo.clone())
            }
            _ => (404, None, json!({})),
        }
    }

    fn authorize(&mut self, me: &str, query: &Fields) -> Reply {
        let asked = |name: &str| query.get(name).map(String::as_str).unwrap_or_default();
        let sound = asked("response_type") == "code"
            && asked("client_id") == CLIENT_ID
            && asked("scope") == "openid email"
            && asked("code_challenge_method") == "S256"
            && asked("code_challenge").len() == 43
            && asked("state").len() >= 32
            && asked("nonce").len() >= 32
            && asked("redirect_uri") == self.redirect_uri;
        if !sound {
            return (
                400,
                None,
                json!({"error": "invalid_request", "asked": query}),
            );
        }
        let mut back = Url::parse(asked("redirect_uri")).expect("an address");
        let mut pairs = back.query_pairs_mut();
        pairs.append_pair("state", asked("state"));
        pairs.append_pair("iss", me);
        if self.denies {
            pairs.append_pair("error", "access_denied");
            pairs.append_pair("error_description", "<b>no</b>");
        } else {
            self.issued += 1;
            let code = format!("code-{}", self.issued);
            pairs.append_pair("code", &code);
            self.codes.insert(code, query.clone());
        }
        drop(pairs);
        (302, Some(back.into()), Value::Null)
    }

    /// A code is good once, for who asked for it, with what it was asked for by.
    fn token(
        &mut self,
        me: &str,
        form: &Fields,
        header: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Value, &'static str> {
        let spelt =
            |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let basic = format!("{}:{}", spelt(CLIENT_ID), spelt(CLIENT_SECRET));
        if header("authorization") != Some(format!("Basic {}", STANDARD.encode(basic))) {
            return Err("invalid_client");
        }
        let sent = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
        if sent("grant_type") != "authorization_code" {
            return Err("unsupported_grant_type");
        }
        let asked = self.codes.remove(sent("code")).ok_or("invalid_grant")?;
        let challenge = digest::digest(&digest::SHA256, sent("code_verifier").as_bytes());
        if asked["code_challenge"] != URL_SAFE_NO_PAD.encode(challenge)
            || asked["redirect_uri"] != sent("redirect_uri")
        {
            return Err("invalid_grant");
        }
        let access = digest::digest(&digest::SHA256, b"access");
        let mut claims = json!({
            "iss": me, "aud": CLIENT_ID, "exp": self.now_s + 300, "iat": self.now_s, "nonce": asked["nonce"],
            "at_hash": URL_SAFE_NO_PAD.encode(&access.as_ref()[..16]),
        });
        let person = self.person.as_object().expect("an object").clone();
        claims.as_object_mut().expect("an object").extend(person);
        let newest = self.curves.last().expect("a key").0.clone();
        let mut head = match self.signing {
            Signing::Rsa => json!({"alg": "RS256", "kid": "rsa"}),
            Signing::Curve | Signing::Forged => json!({"alg": "ES256", "kid": newest}),
            Signing::None => json!({"alg": "none"}),
        };
        if let Some(change) = self.change.take() {
            change(&mut head, &mut claims);
        }
        Ok(json!({
            "id_token": self.signed(&head, &claims), "access_token": "access", "token_type": "Bearer", "expires_in": 60,
        }))
    }

    fn signed(&self, head: &Value, claims: &Value) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let message = format!("{}.{}", part(head), part(claims));
        let random = SystemRandom::new();
        let by_curve = |pair: &EcdsaKeyPair| {
            let mark = pair.sign(&random, message.as_bytes()).expect("signed");
            mark.as_ref().to_vec()
        };
        let mark = match self.signing {
            Signing::Rsa => {
                let mut mark = vec![0; self.rsa.public().modulus_len()];
                self.rsa
                    .sign(&RSA_PKCS1_SHA256, &random, message.as_bytes(), &mut mark)
                    .expect("signed");
                mark
            }
            Signing::Curve => by_curve(&self.curves.last().expect("a key").1),
            Signing::Forged => by_curve(&curve()),
            Signing::None => vec![],
        };
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(mark))
    }

    fn jwks(&self) -> Vec<Value> {
        let public = rsa::PublicKeyComponents::<Vec<u8>>::from(self.rsa.public());
        let mut keys = vec![json!({
            "kty": "RSA", "kid": "rsa", "use": "sig", "alg": "RS256",
            "n": URL_SAFE_NO_PAD.encode(public.n), "e": URL_SAFE_NO_PAD.encode(public.e),
        })];
        keys.extend(self.curves.iter().map(|(name, pair)| {
            let point = pair.public_key().as_ref();
            json!({
                "kty": "EC", "crv": "P-256", "kid": name,
                "x": URL_SAFE_NO_PAD.encode(&point[1..33]), "y": URL_SAFE_NO_PAD.encode(&point[33..]),
            })
        }));
        keys
    }
}
