//! Owns who is let in: reads the bearer key, asks whose it is, and admits the request on the key's window. A page of ours needs no
//! key on the application surface: its browser's session does, on the account's own window (decision 10).
//!
//! [`Admitted`] is the first argument of every handler under `/api`, so that the route is settled before (404 and 405), and
//! nothing of the request is read or looked at before the key is good and the window has room (decision 4).

use crate::domain::clock::Timestamp;
use crate::domain::id::{KeyId, UserId};
use crate::domain::lent::Lent;
use crate::domain::quota::{Admission, Cell, Class, Surface, Verdict};
use crate::http::context::{Context, Notes};
use crate::http::cookie;
use crate::http::error::{Kind, Problem, Refused, surface_of};
use crate::http::origin;
use crate::http::throttle;
use crate::services::accounts::{self, Denied};
use crate::services::members::{Members, noted};
use actix_web::dev::Payload;
use actix_web::http::header::{self, HeaderMap};
use actix_web::{FromRequest, HttpRequest};
use futures_util::FutureExt as _;
use futures_util::future::{Either, LocalBoxFuture, Ready, ready};

/// Whoever showed a good key, and was admitted on its window.
#[derive(Debug, Clone, Copy)]
pub(super) struct Admitted<const GENERATES: bool> {
    /// The account.
    pub(super) user_id: UserId,
    /// The key; none for a browser that is signed in.
    pub(super) key_id: Option<KeyId>,
}

/// Admitted to a request that generates nothing.
pub(super) type Caller = Admitted<false>;

/// Admitted to a request that generates.
pub(super) type Maker = Admitted<true>;

impl<const GENERATES: bool> FromRequest for Admitted<GENERATES> {
    type Error = Refused;
    type Future =
        Either<Ready<Result<Self, Refused>>, LocalBoxFuture<'static, Result<Self, Refused>>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let context = Context::of(req);
        let now = context.clock.steady();
        let known = match bearer(req.headers()) {
            Some(token) => context.services.accounts.recognise(token, now),
            None if session_of(req).is_some() => {
                if origin::is_forged(req.head(), &context.settings) {
                    let refused = Refused(Surface::Application, origin::forged());
                    return Either::Left(ready(Err(refused)));
                }
                None
            }
            None => Some(Err(Denied::Unknown)),
        };
        // Nearly every key was seen a moment ago; the others have to be looked up. Where nodes share no windows, nothing else is waited for.
        let known = match known {
            Some(known) if !context.services.limits.are_shared() => {
                let done = admit(req, context, known.map(Found::from)).now_or_never();
                let waits = || Err(Refused(surface_of(req.path()), Problem::internal()));
                return Either::Left(ready(done.unwrap_or_else(waits)));
            }
            known => known,
        };
        let req = req.clone();
        Either::Right(Box::pin(async move {
            let context = Context::of(&req);
            let services = &context.services;
            let found = match (known, bearer(req.headers()), session_of(&req)) {
                (Some(known), _, _) => known.map(Found::from),
                (None, Some(token), _) => {
                    services.accounts.authenticate(token).await.map(Found::from)
                }
                (None, None, Some(token)) => by_session(&services.members, token).await,
                (None, None, None) => Err(Denied::Unknown),
            };
            admit(&req, context, found).await
        }))
    }
}

/// Whose key a request shows, where what it wants is known only once it was read; nothing is counted yet ([`counted`]).
pub(super) async fn shown(req: &HttpRequest) -> Result<accounts::Caller, Problem> {
    let context = Context::of(req);
    let accounts = &context.services.accounts;
    let known = match bearer(req.headers()) {
        None => Err(Denied::Unknown),
        Some(token) => match accounts.recognise(token, context.clock.steady()) {
            Some(known) => known,
            None => accounts.authenticate(token).await,
        },
    };
    match known {
        Ok(caller) => Ok(caller),
        Err(denied) => Err(denied_as(req, context, denied).await),
    }
}

/// Somebody who may come in when there is room.
struct Found {
    user_id: UserId,
    key_id: Option<KeyId>,
    cell: Lent<Cell>,
}

impl From<accounts::Caller> for Found {
    fn from(caller: accounts::Caller) -> Self {
        Self {
            user_id: caller.user_id,
            key_id: Some(caller.key_id),
            cell: caller.cell,
        }
    }
}

/// The token of a session, where a session does: on the application surface, from a page of ours, without an `Authorization` header,
/// however bad.
fn session_of(req: &HttpRequest) -> Option<&str> {
    let headers = req.headers();
    if headers.contains_key(header::AUTHORIZATION)
        || surface_of(req.path()) == Surface::Rest
        || !origin::may_read(headers)
    {
        return None;
    }
    cookie::token_of(headers, &Context::of(req).settings)
}

async fn by_session(members: &Members, token: &str) -> Result<Found, Denied> {
    match members.signed_in(token).await {
        Ok(Some(signed_in)) if signed_in.restricted => Err(Denied::Restricted),
        Ok(Some(signed_in)) => Ok(Found {
            user_id: signed_in.user_id,
            key_id: None,
            cell: signed_in.cell,
        }),
        Ok(None) => Err(Denied::Unknown),
        Err(accounts::Unavailable) => Err(Denied::Unavailable),
    }
}

/// Admits whoever was found, or says why not.
async fn admit<const GENERATES: bool>(
    req: &HttpRequest,
    context: &Context,
    found: Result<Found, Denied>,
) -> Result<Admitted<GENERATES>, Refused> {
    let surface = surface_of(req.path());
    let problem = match found {
        Ok(caller) => match counted::<GENERATES>(context, caller.cell, surface).await {
            Ok(()) => {
                return Ok(Admitted {
                    user_id: caller.user_id,
                    key_id: caller.key_id,
                });
            }
            Err(problem) => problem,
        },
        Err(denied) => denied_as(req, context, denied).await,
    };
    Err(Refused(surface, problem))
}

/// Counts the request being answered on a window, or says when there is room on it again.
pub(super) async fn counted<const GENERATES: bool>(
    context: &Context,
    cell: Lent<Cell>,
    surface: Surface,
) -> Result<(), Problem> {
    let class = if GENERATES {
        Class::Generate
    } else {
        Class::Other
    };
    let (verdict, at) = context.services.limits.admit(&cell, surface, class).await;
    context.figures.decided(surface, class, verdict.admitted);
    Notes::judge_current(verdict);
    if !verdict.admitted {
        return Err(Problem::rate_limited(verdict.retry_after_s));
    }
    Notes::admit_current(Admission {
        cell,
        surface,
        class,
        at,
    });
    Ok(())
}

/// What the window of a good key says of a request that was not counted on it, because nothing is where it went (decision 46). Whose
/// key it is was asked before ([`remember`]).
pub(super) fn look(req: &HttpRequest, context: &Context, now: Timestamp) -> Option<Verdict> {
    let token = bearer(req.headers())?;
    let caller = context.services.accounts.recognise(token, now)?.ok()?;
    let windows_now = context.services.limits.now();
    let surface = surface_of(req.path());
    Some(caller.cell.look(surface, Class::Other, windows_now))
}

/// Asks whose key a request shows that nothing else asks for one, so that its answer can tell of the key's window: unless it is known, or
/// its address tried too many that are nobody's. Done where the request is answered, since each connection would have room for it in the
/// envelope: an open stream took 17.8 KiB instead of 15.7.
pub(super) async fn remember(req: &HttpRequest) {
    let Some(token) = bearer(req.headers()) else {
        return;
    };
    let context = Context::of(req);
    let now = context.clock.steady();
    let accounts = &context.services.accounts;
    let address = throttle::client_of(req, &context.settings.trusted_proxies);
    let limits = &context.services.limits;
    let known = match accounts.recognise(token, now) {
        Some(known) => known,
        None if limits.failures(address).remaining == 0 => return,
        // Whoever it is, or that it is nobody, is known from now on.
        None => accounts.authenticate(token).await,
    };
    if let Ok(caller) = known
        && limits.are_shared()
    {
        let said = limits.look(&caller.cell, surface_of(req.path()), Class::Other);
        Notes::judge_current(said.await);
    }
}

async fn denied_as(req: &HttpRequest, context: &Context, denied: Denied) -> Problem {
    match denied {
        Denied::Unknown => unknown(req, context).await,
        Denied::Revoked => Problem::new(Kind::Forbidden, "this API key was revoked"),
        Denied::Restricted => Problem::new(Kind::Forbidden, "this account is restricted"),
        Denied::Unavailable => accounts::Unavailable.into(),
    }
}

/// Counts the failure towards the caller's address; too many are told to wait instead of what is wrong with the key.
async fn unknown(req: &HttpRequest, context: &Context) -> Problem {
    let address = throttle::client_of(req, &context.settings.trusted_proxies);
    let verdict = context.services.limits.count_failure(address).await;
    Notes::judge_current(verdict);
    if !verdict.admitted {
        return Problem::rate_limited(verdict.retry_after_s);
    }
    noted::caller_refused(address);
    Problem::new(
        Kind::Unauthorized,
        format!(
            "missing or invalid API key; send Authorization: Bearer {}_sk_...",
            context.settings.key_brand
        ),
    )
}

const SCHEME: &[u8] = b"bearer";

/// The token of the one `Authorization: Bearer` header there is (decision 11). Its bytes are looked at once, as a whole: as a header's
/// text each of them is compared with what a header may hold, which is more work than all the rest here.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION);
    let value = values.next()?.as_bytes();
    if values.next().is_some() {
        return None;
    }
    let (scheme, token) = value.split_at_checked(SCHEME.len())?;
    let mut token = token.strip_prefix(b" ")?;
    while let [b' ', rest @ ..] | [rest @ .., b' '] = token {
        token = rest;
    }
    let is_token = scheme.eq_ignore_ascii_case(SCHEME) && !token.is_empty() && token.is_ascii();
    str::from_utf8(token).ok().filter(|_| is_token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use crate::domain::clock::Clock;
    use crate::domain::credits::{Credits, GrantReason};
    use crate::domain::user::Plan;
    use crate::services;
    use crate::services::accounts::Accounts;
    use crate::services::admin::{Account, Admin};
    use crate::services::pepper::Place;
    use actix_web::rt::System;
    use actix_web::test::TestRequest;
    use std::time::Duration;
    use tempfile::TempDir;

    fn token_of(values: &[&str]) -> Option<String> {
        let mut request = TestRequest::default();
        for value in values {
            request = request.append_header(("Authorization", *value));
        }
        bearer(request.to_http_request().headers()).map(str::to_owned)
    }

    #[test]
    fn a_bearer_token_is_read_whatever_the_case_of_its_scheme() {
        for value in ["Bearer abc", "bearer abc", "BEARER abc", "Bearer  abc "] {
            assert_eq!(token_of(&[value]).as_deref(), Some("abc"), "{value}");
        }
    }

    #[test]
    fn anything_but_one_bearer_header_is_no_key() {
        assert_eq!(token_of(&[]), None);
        assert_eq!(token_of(&["Basic abc"]), None);
        assert_eq!(token_of(&["Bearer"]), None);
        assert_eq!(token_of(&["Bearer "]), None);
        assert_eq!(token_of(&["Bearer\tabc"]), None);
        assert_eq!(token_of(&["Bearers abc"]), None);
        assert_eq!(token_of(&[" Bearer abc"]), None);
        assert_eq!(token_of(&["abc"]), None);
        assert_eq!(token_of(&[""]), None);
        assert_eq!(token_of(&["Bearer   "]), None);
        assert_eq!(token_of(&["Bearer clé"]), None);
        assert_eq!(token_of(&["Bearer abc", "Bearer abc"]), None);
    }

    async fn started(folder: &TempDir, clock: &Clock) -> (Accounts, Admin) {
        let settings = Settings::in_folder(folder.path());
        let services = services::start(&settings, clock.clone()).await.unwrap();
        let url = &settings.database.url;
        let place = Place::of(&settings.auth.pepper_file, url, &settings.storage.path);
        let admin = Admin::open(url, &place, &settings.auth.key_brand).await;
        (services.accounts, admin.unwrap())
    }

    #[test]
    fn what_a_worker_remembers_of_a_key_lets_nobody_in_longer_than_what_all_know() {
        System::new().block_on(async {
            let (here, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
            let clock = Clock::manual(Timestamp::from_micros(1_000_000));
            let (accounts, admin) = started(&here, &clock).await;
            let (others, _) = started(&elsewhere, &clock).await;
            let account = Account {
                email: "ada@example.org".to_owned(),
                plan: Plan::Free,
                credits: Credits(1),
                reason: GrantReason::Operator,
                password: None,
            };
            let user_id = admin.add_user(account).await.unwrap().id;
            let (key_id, token) = admin.add_key("ada@example.org", "a key").await.unwrap();
            let token = token.reveal();
            let whose = |accounts: &Accounts, token: &str| {
                let known = accounts.recognise(token, clock.steady());
                known.map(|known| known.map(|caller| caller.user_id))
            };

            assert_eq!(whose(&accounts, token), None, "it was never seen");
            accounts.authenticate(token).await.unwrap();
            for _ in 0..2 {
                assert_eq!(whose(&accounts, token), Some(Ok(user_id)));
                assert_eq!(whose(&others, token), None, "a key of another house");
            }
            for nonsense in [
                token.replace("_sk_", "_ks_"),
                token.repeat(9),
                String::new(),
            ] {
                assert_eq!(whose(&accounts, &nonsense), Some(Err(Denied::Unknown)));
            }

            admin.revoke(&key_id.to_string()).await.unwrap();
            clock.advance(Duration::from_millis(399));
            assert_eq!(whose(&accounts, token), Some(Ok(user_id)));
            clock.advance(Duration::from_millis(1));
            assert_eq!(whose(&accounts, token), None, "it has to be read again");
            let read = accounts.authenticate(token).await;
            assert_eq!(read.err(), Some(Denied::Revoked));
            assert_eq!(whose(&accounts, token), Some(Err(Denied::Revoked)));
        });
    }
}
