//! Owns who reads a page: [`Member`] is the first argument of every page that is for somebody who is signed in.
//!
//! Whoever is not is led to the sign-in page and back. A request counts on the account's window, as one of the application surface;
//! one that generates is taken by [`MakingMember`].

use crate::domain::id::UserId;
use crate::domain::quota::Surface;
use crate::domain::user::Plan;
use crate::http::caller;
use crate::http::context::Context;
use crate::http::cookie;
use crate::http::error::{Kind, Problem};
use crate::http::pages::frame::{Flash, Frame, Who};
use crate::http::pages::refusal::OnPage;
use crate::http::throttle;
use crate::services::accounts::Unavailable;
use crate::services::members::Whence;
use crate::services::members::sessions::SignedIn;
use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest};
use futures_util::future::LocalBoxFuture;
use std::borrow::Cow;

/// Somebody who is signed in, and was admitted on the account's window.
#[derive(Debug)]
pub(in crate::http) struct Admitted<const GENERATES: bool> {
    /// Their session.
    pub(in crate::http) signed_in: SignedIn,
    /// What the header shows of them.
    pub(in crate::http) who: Who,
    /// What was just done.
    flash: Option<Flash>,
}

/// Admitted to a page that generates nothing.
pub(in crate::http) type Member = Admitted<false>;

/// Admitted to a page that generates.
pub(in crate::http) type MakingMember = Admitted<true>;

impl<const GENERATES: bool> Admitted<GENERATES> {
    /// The account.
    pub(in crate::http) fn user_id(&self) -> UserId {
        self.signed_in.user_id
    }

    async fn admit(req: &HttpRequest) -> Result<Self, OnPage> {
        let context = Context::of(req);
        let Some(signed_in) = signed_in(req).await? else {
            return Err(OnPage::sign_in_first(req));
        };
        if signed_in.restricted {
            return Err(Problem::new(
                Kind::Forbidden,
                "this account is restricted; write to the operator of the service",
            )
            .into());
        }
        let cell = signed_in.cell.clone();
        caller::counted::<GENERATES>(context, cell, Surface::Application).await?;
        let who = who(req, &signed_in).await?;
        Ok(Self {
            signed_in,
            who,
            flash: Flash::of(req),
        })
    }

    /// What is around a page for them.
    pub(in crate::http) fn frame(
        &self,
        title: impl Into<Cow<'static, str>>,
        section: &'static str,
    ) -> Frame {
        Frame::of(title, self.who.clone())
            .within(section)
            .saying(self.flash.clone())
    }
}

impl<const GENERATES: bool> FromRequest for Admitted<GENERATES> {
    type Error = OnPage;
    type Future = LocalBoxFuture<'static, Result<Self, OnPage>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let req = req.clone();
        Box::pin(async move {
            let admitted = Self::admit(&req).await;
            admitted.map_err(|refused| refused.asked_by(req.head()))
        })
    }
}

/// Who is signed in, if anybody, counted on no window and restricted or not.
pub(super) async fn signed_in(req: &HttpRequest) -> Result<Option<SignedIn>, Unavailable> {
    let context = Context::of(req);
    match cookie::token_of(req.headers(), &context.settings) {
        Some(token) => context.services.members.signed_in(token).await,
        None => Ok(None),
    }
}

/// What a header shows of somebody.
async fn who(req: &HttpRequest, signed_in: &SignedIn) -> Result<Who, Unavailable> {
    let services = &Context::of(req).services;
    let standing = services.accounts.standing(signed_in.user_id).await?;
    let packs = [Plan::Starter, Plan::ProPack];
    Ok(Who {
        email: signed_in.email.to_string(),
        credits: standing.available.0,
        is_unlimited: standing.plan == Plan::Unlimited,
        can_buy: packs.into_iter().any(|pack| services.billing.sells(pack)),
    })
}

/// What is around a page that is for anybody: with the reader's own header when they are signed in.
pub(in crate::http) async fn frame_for_anybody(
    req: &HttpRequest,
    title: impl Into<Cow<'static, str>>,
) -> Result<Frame, Unavailable> {
    let frame = match signed_in(req).await? {
        Some(signed_in) if !signed_in.restricted => Frame::of(title, who(req, &signed_in).await?),
        _ => Frame::public(title),
    };
    Ok(frame.saying(Flash::of(req)))
}

/// Where a request comes from.
pub(in crate::http) fn whence(req: &HttpRequest) -> Whence {
    let agent = req.headers().get(header::USER_AGENT);
    let agent = agent.and_then(|value| value.to_str().ok());
    let settings = &Context::of(req).settings;
    Whence {
        address: throttle::client_of(req, &settings.trusted_proxies),
        agent: agent.unwrap_or_default().to_owned(),
        device: cookie::device_of(req.headers(), settings).map(str::to_owned),
    }
}

/// The token that a request brought, whatever it is worth.
pub(in crate::http) fn token_of(req: &HttpRequest) -> Option<&str> {
    cookie::token_of(req.headers(), &Context::of(req).settings)
}

/// Where to go after signing in, as long as it is here.
pub(in crate::http) fn local(next: &str) -> Option<&str> {
    let is_path = next.starts_with('/') && !next.starts_with("//") && !next.starts_with("/\\");
    let is_plain = next.len() <= 512 && next.bytes().all(|byte| byte.is_ascii_graphic());
    (is_path && is_plain).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_led_elsewhere_after_signing_in() {
        for elsewhere in [
            "",
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "javascript:alert(1)",
            "/a\r\nSet-Cookie: x=y",
            "/a b",
            "account",
        ] {
            assert_eq!(local(elsewhere), None, "{elsewhere:?}");
        }
        assert_eq!(local("/library?q=a%20b"), Some("/library?q=a%20b"));
    }
}
