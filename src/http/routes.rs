//! Owns the URL map: every path with all its methods, on one page.
//!
//! One resource a path, so that a wrong method is told from an unknown path: 405 with `Allow`, and 404 (decisions 2 and 7).

use crate::domain::id::SkillId;
use crate::domain::quota::Surface;
use crate::http::caller;
use crate::http::envelope::Place;
use crate::http::error::{Kind, Problem, Refused, surface_of};
use crate::http::pages::frame::Link;
use crate::http::pages::refusal::OnPage;
use crate::http::{app, mcp, ops, origin, pages, v1, webhooks};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderValue};
use actix_web::middleware::from_fn;
use actix_web::web::ServiceConfig;
use actix_web::{
    Error, FromRequest, Handler, HttpRequest, HttpResponse, Resource, Responder, ResponseError,
    guard, web,
};

/// What speaks a protocol that describes itself.
const MCP: &str = "/mcp";

/// The public address.
fn public_map() -> Vec<At> {
    vec![
        // The web application.
        At::page("/").get(pages::landing::get),
        At::page("/try").post(pages::landing::try_text),
        At::page("/signup")
            .get(pages::door::sign_up_form)
            .post(pages::door::sign_up),
        At::page("/join")
            .get(pages::door::join_form)
            .post(pages::door::join),
        At::page("/signin")
            .get(pages::door::sign_in_form)
            .post(pages::door::sign_in),
        At::page("/signin/code")
            .get(pages::second_factor::form)
            .post(pages::second_factor::step),
        At::page("/recover")
            .get(pages::door::recover_form)
            .post(pages::door::recover),
        At::page("/forgot")
            .get(pages::mail::forgot_form)
            .post(pages::mail::forgot),
        At::page("/reset")
            .get(pages::mail::reset_form)
            .post(pages::mail::reset),
        At::page("/verify")
            .get(pages::mail::verify_form)
            .post(pages::mail::verify),
        At::page("/account/verify").post(pages::mail::send_again),
        At::page("/signout").post(pages::door::sign_out),
        At::page("/openid/{provider}").post(pages::openid::begin),
        At::page("/openid/{provider}/callback").get(pages::openid::callback),
        At::page("/account/identities/unlink").post(pages::openid::unlink),
        At::page("/account/identities/{provider}/link").post(pages::openid::begin_link),
        At::page("/account/password/first").post(pages::openid::set_first_password),
        At::page("/account").get(pages::account::get),
        At::page("/account/buy").post(pages::account::buy),
        At::page("/account/subscription").post(pages::account::manage),
        At::page("/account/keys")
            .get(pages::account::back)
            .post(pages::account::add_key),
        At::page("/account/keys/{id}/revoke").post(pages::account::revoke_key),
        At::page("/account/sessions/end").post(pages::account::end_other_sessions),
        At::page("/account/sessions/{id}/end").post(pages::account::end_session),
        At::page("/account/password")
            .get(pages::account::back)
            .post(pages::account::change_password),
        At::page("/account/second-factor")
            .get(pages::account::back)
            .post(pages::second_factor::offer),
        At::page("/account/second-factor/confirm")
            .get(pages::account::back)
            .post(pages::second_factor::confirm),
        At::page("/account/second-factor/off")
            .get(pages::account::back)
            .post(pages::second_factor::off),
        At::page("/account/webhooks")
            .get(pages::endpoints::get)
            .post(pages::endpoints::add),
        At::page("/account/webhooks/{id}/remove").post(pages::endpoints::remove),
        At::page("/account/webhooks/events/{id}/send").post(pages::endpoints::send_again),
        At::page("/account/recovery-codes")
            .get(pages::account::back)
            .post(pages::account::new_codes),
        At::page("/new")
            .get(pages::create::get)
            .post(pages::create::post),
        At::page("/new/look").post(pages::create::look),
        At::page("/runs/{id}").get(pages::runs::get),
        At::page("/runs/{id}/index").get(pages::runs::index),
        At::page("/library").get(pages::library::get),
        At::page("/library/copy")
            .get(pages::library::copy_form)
            .post(pages::library::copy),
        At::page("/library/{id}")
            .get(pages::skill::get)
            .post(pages::skill_forms::save),
        At::page("/library/{id}/check").post(pages::skill_forms::check),
        At::page("/library/{id}/share").post(pages::skill_forms::share),
        At::page("/library/{id}/duplicate").post(pages::skill_forms::duplicate),
        At::page("/library/{id}/regenerate").post(pages::skill_forms::regenerate),
        At::page("/library/{id}/draft").post(pages::draft::post),
        At::page("/library/{id}/restore").post(pages::skill_forms::restore),
        At::page("/library/{id}/watch").post(pages::watch::post),
        At::page("/library/{id}/delete").post(pages::skill_forms::delete),
        At::page("/library/{id}/{file}").get(pages::skill::file),
        At::page("/s/{id}").get(pages::share::get),
        At::page("/s/{id}/{file}").get(pages::share::file),
        At::page("/assets/{name}").get(pages::loaded::get),
        At::page("/favicon.ico").get(pages::loaded::favicon),
        At::page("/docs").get(pages::docs::get),
        At::page("/billing/success").get(pages::billing::success),
        At::page("/billing/cancel").get(pages::billing::cancel),
        At::page("/sandbox/checkout/{session}")
            .get(pages::billing::sandbox)
            .post(pages::billing::press),
        // What machines ask.
        At::new("/healthz").get(ops::healthz),
        At::new("/readyz").get(ops::readyz),
        // What programs look for by themselves.
        At::new("/openapi.json").get(pages::well_known::openapi),
        At::new("/docs/api.md").get(pages::docs::guides),
        At::new("/llms.txt").get(pages::well_known::llms),
        At::new("/.well-known/api-catalog").get(pages::well_known::api_catalog),
        At::new("/.well-known/security.txt").get(pages::well_known::security),
        // What installers of skills ask.
        At::new("/.well-known/agent-skills/index.json").get(pages::discovery::of_all),
        At::new("/s/{id}/.well-known/agent-skills/index.json").get(pages::discovery::of_one),
        At::new("/s/{id}/.well-known/agent-skills/{file}").get(pages::discovery::archive),
        // The REST surface.
        At::new("/api/v1/credits").get(v1::credits::get),
        At::new("/api/v1/generate").post(v1::generate::post),
        At::new("/api/v1/detect-topics").post(v1::topics::detect),
        At::new("/api/v1/generate/catalogue").post(v1::catalogue::post),
        At::new("/api/v1/generations").get(v1::generations::list),
        At::new("/api/v1/generations/{id}").get(v1::standing::get),
        At::new("/api/v1/generations/{id}/skill").get(v1::generations::skill),
        // The application surface.
        At::new("/api/upload").post(app::uploads::post),
        At::new("/api/prefill").post(app::prefill::post),
        At::new("/api/generate").post(app::generate::post),
        At::new("/api/skills").get(app::skills::list),
        At::new("/api/skills/{id}")
            .get(app::skills::get)
            .put(app::skills::put)
            .delete(app::skills::delete),
        At::new("/api/skills/{id}/download").get(app::sharing::download),
        At::new("/api/skills/{id}/share").post(app::sharing::share),
        At::new("/api/skills/{id}/duplicate").post(app::sharing::duplicate),
        At::new("/api/skills/{id}/regenerate").post(app::generate::again),
        At::new("/api/skills/{id}/draft")
            .get(app::drafts::get)
            .post(app::drafts::post),
        At::new("/api/skills/{id}/watch")
            .get(app::watches::get)
            .put(app::watches::put)
            .delete(app::watches::delete)
            .post(app::watches::post),
        At::new("/api/credits").get(app::credits::get),
        At::new("/api/usage").get(app::usage::get),
        At::new("/api/checkout").post(app::checkout::post),
        // What hosts of agents call.
        At::new(MCP).post(mcp::post),
        // What the payment provider tells.
        At::new("/webhooks/stripe").post(webhooks::stripe),
    ]
}

/// The operators' address.
fn admin_map() -> Vec<At> {
    vec![
        At::new("/healthz").get(ops::healthz),
        At::new("/readyz").get(ops::readyz),
        At::operators("/metrics").get(ops::metrics),
        At::operators("/ops/observe").get(ops::observe),
        At::operators("/ops/history").get(ops::last_hour),
        At::operators("/ops").get(ops::get),
        At::operators("/").get(ops::entrance),
        At::operators("/ops/stream").get(ops::live::stream),
        At::operators("/ops/assets/{name}").get(ops::assets::get),
        At::operators("/ops/generations/{id}/cancel").post(ops::deeds::cancel),
        At::operators("/ops/generations/{id}/retry").post(ops::deeds::retry),
        At::operators("/ops/nodes/{id}/{wish}").post(ops::deeds::wish),
    ]
}

/// Registers the public address.
pub(super) fn public(config: &mut ServiceConfig) {
    register(public_map(), 0, config);
}

/// Registers the operators' address.
pub(super) fn admin(config: &mut ServiceConfig) {
    register(admin_map(), public_map().len(), config);
}

/// The names of all routes, in the order in which they are counted.
pub(super) fn names() -> Vec<&'static str> {
    let admin = admin_map();
    public_map()
        .iter()
        .chain(&admin)
        .map(|at| at.path)
        .collect()
}

/// Every path with each method that a document should describe: not the pages, not what has a protocol of
/// its own, not `HEAD` and `OPTIONS`, which every path knows.
#[cfg(test)]
pub(super) fn operations() -> Vec<(&'static str, &'static str)> {
    public_map()
        .into_iter()
        .filter(|at| !at.is_page && at.path != MCP)
        .flat_map(|at| at.methods.into_iter().map(move |method| (at.path, method)))
        .filter(|(_, method)| *method != "HEAD")
        .collect()
}

/// Registers a map. The router tries one path after another: one without parameters is compared, one with parameters is searched by
/// a regular expression. So the plain ones come first, those of machines before those of people: with the order of the map, two
/// fifths of a light request went into the patterns of pages. The REST surface is the first of all, and what is asked of it most the
/// first there: each path that is tried in vain is some 30 ns.
fn register(map: Vec<At>, first: usize, config: &mut ServiceConfig) {
    let mut placed: Vec<(usize, At)> = map.into_iter().enumerate().collect();
    placed.sort_by_key(|(_, at)| {
        let is_rest = surface_of(at.path) == Surface::Rest;
        (at.path.contains('{'), at.is_page, !is_rest)
    });
    for (position, at) in placed {
        config.service(at.resource(Place(first + position)));
    }
}

/// Whatever is not on the map: a page for browsers that look for one, else the envelope.
pub(super) async fn unknown(req: HttpRequest) -> Result<HttpResponse, Error> {
    caller::remember(&req).await;
    if wants_a_page(&req) {
        return Err(OnPage::from(Problem::not_found()).into());
    }
    Err(Refused(surface_of(req.path()), Problem::not_found()).into())
}

/// Whether it is a browser that looks for a page.
fn wants_a_page(req: &HttpRequest) -> bool {
    let accepts = req.headers().get(header::ACCEPT);
    let is_browser = accepts
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.contains("text/html"));
    is_browser && !req.path().starts_with("/api")
}

/// A path and its methods.
struct At {
    path: &'static str,
    is_page: bool,
    is_operators: bool,
    methods: Vec<&'static str>,
    resource: Resource,
}

impl At {
    fn new(path: &'static str) -> Self {
        Self {
            path,
            is_page: false,
            is_operators: false,
            methods: vec![],
            resource: web::resource(path),
        }
    }

    /// A page for people, which the document of the API does not describe.
    fn page(path: &'static str) -> Self {
        Self {
            is_page: true,
            ..Self::new(path)
        }
    }

    /// What a browser opens on the operators' address.
    fn operators(path: &'static str) -> Self {
        Self {
            is_operators: true,
            ..Self::new(path)
        }
    }

    /// `GET`, and so `HEAD` too (decision 7).
    fn get<F, Args>(mut self, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.methods.extend(["GET", "HEAD"]);
        let either = guard::Any(guard::Get()).or(guard::Head());
        let route = web::route().guard(either).to(handler);
        self.resource = if self.is_operators {
            self.resource.route(route.wrap(from_fn(ops::door::guard)))
        } else {
            self.resource.route(route)
        };
        self
    }

    fn post<F, Args>(mut self, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.methods.push("POST");
        let route = web::post().to(handler);
        self.resource = if self.is_page {
            self.resource.route(route.wrap(from_fn(origin::guard)))
        } else if self.is_operators {
            self.resource.route(route.wrap(from_fn(ops::door::guard)))
        } else {
            self.resource.route(route)
        };
        self
    }

    fn put<F, Args>(mut self, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.methods.push("PUT");
        self.resource = self.resource.route(web::put().to(handler));
        self
    }

    fn delete<F, Args>(mut self, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.methods.push("DELETE");
        self.resource = self.resource.route(web::delete().to(handler));
        self
    }

    fn resource(mut self, place: Place) -> Resource {
        self.methods.push("OPTIONS");
        let allowed = self.methods.join(", ");
        let for_options = allowed.clone();
        let is_page = self.is_page;
        self.resource
            .app_data(place)
            .route(web::method(Method::OPTIONS).to(move |req: HttpRequest| {
                let allowed = for_options.clone();
                async move {
                    caller::remember(&req).await;
                    options(&allowed)
                }
            }))
            .default_service(web::to(move |req: HttpRequest| {
                let allowed = allowed.clone();
                async move {
                    caller::remember(&req).await;
                    wrong_method(&req, &allowed, is_page)
                }
            }))
    }
}

/// The page whose form is sent to an address that is none itself.
fn page_of_form(path: &str) -> Link {
    if path.starts_with("/account") {
        return Link::new("/account", "To your account");
    }
    let mut parts = path.split('/').skip(1);
    match (parts.next(), parts.next().and_then(SkillId::from_public)) {
        (Some("library"), Some(id)) => {
            Link::new(format!("/library/{}", id.public()), "To the skill")
        }
        (Some("new"), _) => Link::new("/new", "Make a skill"),
        (Some("try"), _) => Link::new("/#try", "Try a text"),
        (Some("openid"), _) => Link::new("/signin", "Sign in"),
        _ => Link::new("/library", "To your library"),
    }
}

/// What a page elsewhere may send: what we read, and what the tracing and streaming libraries of browsers put on every request of theirs.
const ALLOWED_HEADERS: &str = "Authorization, Content-Type, Accept, Cache-Control, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, \
                               MCP-Protocol-Version, Mcp-Method, Mcp-Name, Prefer, X-Request-Id, X-Requested-With, traceparent, tracestate, baggage, sentry-trace";

/// What a browser asks before it sends a request with a key (decisions 7 and 49). The envelope adds the origin, under `/api` and at `/mcp` only.
fn options(allowed: &str) -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((header::ALLOW, allowed))
        .insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, allowed))
        .insert_header((header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS))
        .insert_header((header::ACCESS_CONTROL_MAX_AGE, "86400"))
        .finish()
}

fn wrong_method(req: &HttpRequest, allowed: &str, is_page: bool) -> HttpResponse {
    let mut response = if is_page && wants_a_page(req) {
        // Somebody opened the address of a form, from the history or by hand.
        let message =
            "this address only takes the form of a page; open the page and send the form there";
        let problem = Problem::new(Kind::MethodNotAllowed, message);
        OnPage::from(problem)
            .leading_to(page_of_form(req.path()))
            .error_response()
    } else {
        let message = format!("this resource takes {allowed} only");
        Problem::new(Kind::MethodNotAllowed, message).response(surface_of(req.path()))
    };
    if let Ok(allowed) = HeaderValue::from_str(allowed) {
        response.headers_mut().insert(header::ALLOW, allowed);
    }
    response
}
