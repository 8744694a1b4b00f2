//! Owns `/account`: credits and their history, API keys, browsers that are signed in, the password and the recovery codes.

use crate::domain::id::{KeyId, SessionId};
use crate::domain::key::{Key, LIVE_KEYS_MAX};
use crate::domain::usage::{MonthOfUse, Usage};
use crate::domain::user::Plan;
use crate::http::context::Context;
use crate::http::error::{Kind, Problem};
use crate::http::pages::entrance::{Button, again, buttons, told};
use crate::http::pages::fields::{self, Fields};
use crate::http::pages::frame::{self, Frame};
use crate::http::pages::history::Line;
use crate::http::pages::moment::Moment;
use crate::http::pages::press;
use crate::http::pages::qr::Qr;
use crate::http::pages::refusal::{OnPage, sentence};
use crate::http::pages::session::Member;
use crate::services::billing::Billing;
use crate::services::members::second_factor::Enrolment;
use crate::services::members::sessions::Browser;
use crate::services::members::ways::Way;
use crate::services::passwords::CHARS_MIN;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;

/// Lines of the history that are shown at first, and when all are asked for.
const LINES: u32 = 25;
const LINES_MAX: u32 = 500;

#[derive(Template)]
#[template(path = "account.html")]
pub(super) struct Account<'a> {
    frame: Frame,
    email: String,
    plan: &'static str,
    credits: u32,
    reserved: u32,
    is_unlimited: bool,
    made: u32,
    lines: Vec<Line>,
    is_cut: bool,
    /// What a model took, in all and month by month; nothing where none was asked.
    used: Vec<UsedLine>,
    keys: Vec<KeyLine>,
    room: usize,
    browsers: Vec<BrowserLine>,
    codes_left: u64,
    second_since: Option<Moment>,
    has_password: bool,
    ways: Vec<WayLine>,
    buttons: Vec<Button>,
    offers: Vec<Offer>,
    has_subscription: bool,
    is_sandbox: bool,
    waiting: u32,
    is_verified: bool,
    has_post: bool,
    public_url: &'a str,
    chars_min: usize,
    /// What tells one rendering of the form for a key from another.
    press: String,
    fresh: Fresh,
}

/// What is on the page once, because something was just done or did not work.
#[derive(Debug, Clone, Default)]
pub(super) struct Fresh {
    /// A key in plain text.
    pub(super) key: Option<String>,
    /// Recovery codes in plain text.
    pub(super) codes: Vec<String>,
    /// What was wrong with the new key.
    pub(super) key_wrong: Option<String>,
    /// What an authenticator is told.
    pub(super) enrol: Option<Enrol>,
    /// Whether the second factor was just turned on.
    pub(super) is_second_on: bool,
    /// What was wrong with the second factor.
    pub(super) second_wrong: Option<String>,
    /// What was wrong with the recovery codes.
    pub(super) codes_wrong: Option<String>,
    /// What was wrong with the new password.
    pub(super) password_wrong: Option<String>,
    /// What was wrong with linking an identity, or taking one away.
    pub(super) way_wrong: Option<String>,
}

/// What an authenticator is told, in the ways it can be.
#[derive(Debug, Clone)]
pub(super) struct Enrol {
    /// In groups of four letters.
    secret: String,
    address: String,
    qr: Option<Qr>,
}

impl Enrol {
    pub(super) fn of(enrolment: &Enrolment) -> Self {
        let letters: Vec<char> = enrolment.secret.chars().collect();
        let groups: Vec<String> = letters
            .chunks(4)
            .map(|group| group.iter().collect())
            .collect();
        Self {
            secret: groups.join(" "),
            qr: Qr::of(&enrolment.address),
            address: enrolment.address.clone(),
        }
    }
}

/// Something that can be bought.
struct Offer {
    plan: &'static str,
    name: &'static str,
    gives: String,
}

/// What is offered to somebody on a plan: packs always, the subscription to those who have none.
fn offers(billing: &Billing, plan: Plan) -> Vec<Offer> {
    let on_sale = [Plan::Starter, Plan::ProPack, Plan::Unlimited].into_iter();
    let wanted = on_sale.filter(|offer| billing.sells(*offer) && plan != Plan::Unlimited);
    let offer = |offer: Plan| Offer {
        plan: offer.as_str(),
        name: plan_name(offer),
        gives: match offer {
            Plan::Unlimited => "as many skills as you like, by the month".to_owned(),
            pack => format!("{} credits, good for ever", billing.packs().of(pack).0),
        },
    };
    wanted.map(offer).collect()
}

/// What a model took in some time.
struct UsedLine {
    when: String,
    usage: Usage,
}

impl UsedLine {
    fn all(months: Vec<MonthOfUse>) -> Vec<Self> {
        if months.is_empty() {
            return Vec::new();
        }
        let usage = months.iter().map(|one| one.usage).sum();
        let month = |MonthOfUse { month, usage }| Self { when: month, usage };
        let mut lines: Vec<Self> = months.into_iter().map(month).collect();
        lines.push(Self {
            when: "In all".to_owned(),
            usage,
        });
        lines
    }
}

struct KeyLine {
    id: String,
    name: String,
    last_four: String,
    created: Moment,
    used: Option<Moment>,
    revoked: Option<Moment>,
}

impl From<Key> for KeyLine {
    fn from(key: Key) -> Self {
        Self {
            id: key.id.to_string(),
            name: key.name,
            last_four: key.last_four,
            created: Moment::at(key.created_at),
            used: key.last_used_at.map(Moment::at),
            revoked: key.revoked_at.map(Moment::at),
        }
    }
}

/// An identity at somebody who vouches.
struct WayLine {
    label: String,
    email: String,
    issuer: String,
    subject: String,
    since: Moment,
    is_known: bool,
}

impl From<Way> for WayLine {
    fn from(way: Way) -> Self {
        Self {
            is_known: way.label.is_some(),
            label: way.label.unwrap_or_else(|| way.issuer.clone()),
            email: way.email,
            issuer: way.issuer,
            subject: way.subject,
            since: Moment::at(way.since),
        }
    }
}

struct BrowserLine {
    id: String,
    name: &'static str,
    system: &'static str,
    network: String,
    since: Moment,
    seen: Moment,
    is_this: bool,
}

/// The first of these words that a browser's name for itself holds. Many claim to be others, so the order matters.
fn first_of(agent: &str, words: &[(&str, &'static str)], otherwise: &'static str) -> &'static str {
    let found = words.iter().find(|(word, _)| agent.contains(word));
    found.map_or(otherwise, |(_, name)| name)
}

fn browser_line(browser: Browser, this: SessionId) -> BrowserLine {
    const NAMES: [(&str, &str); 7] = [
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("CriOS/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    const SYSTEMS: [(&str, &str); 7] = [
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ];
    BrowserLine {
        id: browser.id.to_string(),
        name: first_of(&browser.agent, &NAMES, "A browser"),
        system: first_of(&browser.agent, &SYSTEMS, "an unknown system"),
        network: browser.network,
        since: Moment::at(browser.created_at),
        seen: Moment::at(browser.seen_at),
        is_this: browser.id == this,
    }
}

fn plan_name(plan: Plan) -> &'static str {
    match plan {
        Plan::Free => "Free",
        Plan::Starter => "Starter",
        Plan::ProPack => "Pro pack",
        Plan::Unlimited => "Unlimited",
    }
}

/// The page, with what is on it once.
pub(super) async fn page<'a>(
    req: &'a HttpRequest,
    member: &Member,
    fresh: Fresh,
) -> Result<Account<'a>, OnPage> {
    let context = Context::of(req);
    let (members, user_id) = (&context.services.members, member.user_id());
    let standing = context.services.accounts.standing(user_id).await?;
    let used = context.services.accounts.usage(user_id).await?;
    let wants_all = req
        .query_string()
        .split('&')
        .any(|pair| pair == "history=all");
    let most = if wants_all { LINES_MAX } else { LINES };
    // One more than is shown says whether there are more.
    let mut movements = members.movements(user_id, most + 1).await?;
    let is_cut = movements.len() > most as usize;
    movements.truncate(most as usize);
    let library = &context.services.library;
    let (history, _) = library.generations(user_id, most, 0).await?;
    let keys = members.keys(user_id).await?;
    let live = keys.iter().filter(|key| key.revoked_at.is_none()).count();
    let this = member.signed_in.session_id;
    let verification = members.verification(user_id).await?;
    let browsers = members.browsers(user_id).await?;
    let ways = members.ways(user_id).await?;
    // Whoever is known to a provider already is not offered to link another identity there.
    let linked: Vec<&str> = ways.iter().filter_map(|way| way.label.as_deref()).collect();
    let mut buttons = buttons(req);
    buttons.retain(|button| !linked.contains(&button.label.as_str()));
    Ok(Account {
        frame: member.frame("Account", "/account"),
        email: member.who.email.clone(),
        plan: plan_name(standing.plan),
        credits: standing.available.0,
        reserved: standing.reserved.0,
        is_unlimited: standing.plan == Plan::Unlimited,
        made: standing.total_generations,
        lines: movements
            .into_iter()
            .map(|movement| Line::of(movement, &history))
            .collect(),
        is_cut,
        used: UsedLine::all(used),
        keys: keys.into_iter().map(KeyLine::from).collect(),
        room: LIVE_KEYS_MAX.saturating_sub(live),
        browsers: browsers
            .into_iter()
            .map(|browser| browser_line(browser, this))
            .collect(),
        has_password: members.has_password(user_id).await?,
        buttons,
        ways: ways.into_iter().map(WayLine::from).collect(),
        codes_left: members.recovery_codes_left(user_id).await?,
        second_since: members.second_factor_since(user_id).await?.map(Moment::at),
        has_subscription: context.services.billing.has_subscription(user_id).await?,
        offers: offers(&context.services.billing, standing.plan),
        is_sandbox: context.services.billing.is_sandbox(),
        waiting: verification.waiting.0,
        is_verified: verification.verified_at.is_some(),
        has_post: members.has_post(),
        public_url: &context.settings.public_url,
        chars_min: CHARS_MIN,
        press: press::token(),
        fresh,
    })
}

/// Answers `GET /account`.
pub(in crate::http) async fn get(member: Member, req: HttpRequest) -> Result<HttpResponse, OnPage> {
    Ok(frame::page(&page(&req, &member, Fresh::default()).await?))
}

/// Answers `GET /account/keys` and its like: whoever loads the address of a form again is led to the page it is on.
pub(in crate::http) async fn back(req: HttpRequest) -> HttpResponse {
    let part = match req.path() {
        "/account/keys" => "keys",
        "/account/recovery-codes" => "recovery",
        path if path.starts_with("/account/second-factor") => "second",
        _ => "password",
    };
    frame::see_other(&format!("/account#{part}"))
}

/// Answers `POST /account/keys` with the page that shows the key: it is in this answer alone, and travels in no cookie. The same form
/// sent again makes no other key.
pub(in crate::http) async fn add_key(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let members = &Context::of(&req).services.members;
    let (name, form) = (fields.text("name")?, fields.text("press")?);
    let problem = match members.add_key(member.user_id(), name, form).await {
        Ok(Some(key)) => {
            let fresh = Fresh {
                key: Some(key.reveal().to_owned()),
                ..Fresh::default()
            };
            return Ok(frame::page(&page(&req, &member, fresh).await?));
        }
        Ok(None) => Problem::new(
            Kind::Conflict,
            "this key was made and shown before, and is in the list below; if you did not keep it, revoke it and make another",
        ),
        Err(refusal) => told(refusal)?,
    };
    let fresh = Fresh {
        key_wrong: Some(sentence(problem.message())),
        ..Fresh::default()
    };
    Ok(again(&problem, &page(&req, &member, fresh).await?))
}

/// Answers `POST /account/keys/{id}/revoke`.
pub(in crate::http) async fn revoke_key(
    member: Member,
    req: HttpRequest,
) -> Result<HttpResponse, OnPage> {
    let id = req.match_info().get("id").and_then(KeyId::parse);
    let id = id.ok_or_else(Problem::not_found)?;
    let members = &Context::of(&req).services.members;
    if !members.revoke_key(member.user_id(), id).await? {
        return Err(Problem::not_found().into());
    }
    Ok(frame::see_other("/account?said=key-revoked#keys"))
}

/// Answers `POST /account/sessions/{id}/end`.
pub(in crate::http) async fn end_session(
    member: Member,
    req: HttpRequest,
) -> Result<HttpResponse, OnPage> {
    let id = req.match_info().get("id").and_then(SessionId::parse);
    let id = id.ok_or_else(Problem::not_found)?;
    let members = &Context::of(&req).services.members;
    if !members.end_session(member.user_id(), id).await? {
        return Err(Problem::not_found().into());
    }
    Ok(frame::see_other("/account?said=browser-out#browsers"))
}

/// Answers `POST /account/sessions/end`: all but this one.
pub(in crate::http) async fn end_other_sessions(
    member: Member,
    req: HttpRequest,
) -> Result<HttpResponse, OnPage> {
    let members = &Context::of(&req).services.members;
    let this = member.signed_in.session_id;
    members
        .sign_out_everywhere(member.user_id(), Some(this))
        .await?;
    Ok(frame::see_other(
        "/account?said=signed-out-everywhere#browsers",
    ))
}

/// Answers `POST /account/password`.
pub(in crate::http) async fn change_password(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let changed = Context::of(&req).services.members.change_password(
        (member.user_id(), &member.signed_in.email),
        member.signed_in.session_id,
        fields.text("current")?.to_owned(),
        fields.text("password")?.to_owned(),
    );
    match changed.await {
        Ok(()) => Ok(frame::see_other("/account?said=password-changed#password")),
        Err(refusal) => {
            let problem = told(refusal)?;
            let fresh = Fresh {
                password_wrong: Some(sentence(problem.message())),
                ..Fresh::default()
            };
            Ok(again(&problem, &page(&req, &member, fresh).await?))
        }
    }
}

/// Answers `POST /account/buy`: leads to the page where it is paid.
pub(in crate::http) async fn buy(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let billing = &Context::of(&req).services.billing;
    let page = billing.checkout(member.user_id(), fields.text("plan")?);
    Ok(frame::see_other(&page.await?))
}

/// Answers `POST /account/subscription`: leads to the page where the subscription is managed.
pub(in crate::http) async fn manage(
    member: Member,
    req: HttpRequest,
) -> Result<HttpResponse, OnPage> {
    let billing = &Context::of(&req).services.billing;
    Ok(frame::see_other(&billing.manage(member.user_id()).await?))
}

/// Answers `POST /account/recovery-codes` with the page that shows the codes: they are in this answer alone.
pub(in crate::http) async fn new_codes(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let (user_id, session) = (member.user_id(), member.signed_in.session_id);
    let password = fields.text("current")?.to_owned();
    let members = &Context::of(&req).services.members;
    match members.new_recovery_codes(user_id, session, password).await {
        Ok(codes) => {
            let fresh = Fresh {
                codes,
                ..Fresh::default()
            };
            Ok(frame::page(&page(&req, &member, fresh).await?))
        }
        Err(refusal) => {
            let problem = told(refusal)?;
            let fresh = Fresh {
                codes_wrong: Some(sentence(problem.message())),
                ..Fresh::default()
            };
            Ok(again(&problem, &page(&req, &member, fresh).await?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::clock::Timestamp;

    fn browser(agent: &str) -> (&'static str, &'static str) {
        let line = browser_line(
            Browser {
                id: SessionId::new(),
                agent: agent.into(),
                network: String::new(),
                created_at: Timestamp::from_micros(0),
                seen_at: Timestamp::from_micros(0),
            },
            SessionId::new(),
        );
        (line.name, line.system)
    }

    #[test]
    fn a_browser_is_told_by_what_it_is_and_not_by_what_it_claims() {
        let chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";
        assert_eq!(browser(chrome), ("Chrome", "Linux"));
        assert_eq!(browser(&format!("{chrome} Edg/140.0")), ("Edge", "Linux"));
        assert_eq!(
            browser("Mozilla/5.0 (Linux; Android 16) Firefox/140.0"),
            ("Firefox", "Android")
        );
        assert_eq!(browser("curl/8"), ("A browser", "an unknown system"));
    }
}
