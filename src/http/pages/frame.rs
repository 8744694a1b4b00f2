//! Owns what every page has around it: the header with its links and the reader's credits, the title, a message of what was
//! just done, and the headers that keep a page safe.
//!
//! A page is a struct with a field `frame: Frame` and a template that extends `layout.html`; [`page`] makes the answer.

use crate::http::pages::assets::Assets;
use crate::http::pages::headers::{self, Choice};
use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;
use std::borrow::Cow;

/// What a page may load and do: its own files, and forms that end here or at the payment provider's door. Nothing inline.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self' https://checkout.stripe.com https://billing.stripe.com; frame-ancestors 'none'; base-uri 'none'";

const HEADERS: Choice = Choice {
    policy: POLICY,
    referrer: "same-origin",
};

/// Who reads the page, as its header shows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::http) struct Who {
    /// Their address.
    pub(in crate::http) email: String,
    /// What they can spend.
    pub(in crate::http) credits: u32,
    /// Whether they spend nothing.
    pub(in crate::http) is_unlimited: bool,
    /// Whether more credits can be bought here.
    pub(in crate::http) can_buy: bool,
}

/// A link with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::http) struct Link {
    /// Where it leads.
    pub(in crate::http) href: Cow<'static, str>,
    /// What it says.
    pub(in crate::http) text: Cow<'static, str>,
    /// Whether it leads to the page it is on.
    pub(in crate::http) is_here: bool,
}

impl Link {
    /// A link to another page.
    pub(in crate::http) fn new(
        href: impl Into<Cow<'static, str>>,
        text: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            href: href.into(),
            text: text.into(),
            is_here: false,
        }
    }
}

/// The sound of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) enum Tone {
    /// It is done.
    Ok,
    /// It is to be known.
    Info,
    /// It did not go as wished.
    Warn,
}

impl Tone {
    const fn class(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Info => "info",
            Self::Warn => "warn",
        }
    }
}

/// What was just done, at the top of the page that follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::http) struct Flash {
    /// The class of the box.
    pub(in crate::http) tone: &'static str,
    /// The words.
    pub(in crate::http) text: Cow<'static, str>,
}

impl Flash {
    /// A message.
    pub(in crate::http) fn new(tone: Tone, text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            tone: tone.class(),
            text: text.into(),
        }
    }

    /// What the address of a request asks to be said: a word of [`SAID`] after `said=`. Nothing else can be put on a page so.
    pub(in crate::http) fn of(req: &HttpRequest) -> Option<Self> {
        let asked = req
            .query_string()
            .split('&')
            .find_map(|pair| pair.strip_prefix("said="))?;
        let (_, tone, text) = SAID.iter().find(|(word, _, _)| *word == asked)?;
        Some(Self::new(*tone, *text))
    }
}

/// What a page may say at its top after something was done, by the word in its address.
const SAID: &[(&str, Tone, &str)] = &[
    ("made", Tone::Ok, "Done: it is in your library."),
    (
        "ordered",
        Tone::Ok,
        "They are being made, one after the other; load this page again to see them.",
    ),
    (
        "regenerated",
        Tone::Ok,
        "Made again from its source; what it said before is under Versions.",
    ),
    (
        "drafted",
        Tone::Ok,
        "Made again from its source; the new text waits beside yours.",
    ),
    ("kept", Tone::Ok, "Your text stays as it is."),
    (
        "saved",
        Tone::Ok,
        "Saved and checked; what it said before is under Versions.",
    ),
    (
        "watched",
        Tone::Ok,
        "Its source is watched as you chose; the first look is under way.",
    ),
    ("unwatched", Tone::Ok, "Its source is watched no more."),
    (
        "looking",
        Tone::Ok,
        "Its source is looked at, at most once a minute; load this page again in a moment.",
    ),
    (
        "accepted",
        Tone::Ok,
        "The new text took its place; what it said before is under Versions.",
    ),
    (
        "dismissed",
        Tone::Ok,
        "It stays as it is; the next change of its source is told.",
    ),
    (
        "put-back",
        Tone::Ok,
        "It says what it said before again; what stood in between is under Versions.",
    ),
    (
        "copied",
        Tone::Ok,
        "This is your copy: private, and yours to change.",
    ),
    (
        "shared",
        Tone::Ok,
        "Everybody who has the address can read it now.",
    ),
    ("taken-back", Tone::Ok, "Only you can read it now."),
    ("deleted", Tone::Info, "The skill is gone."),
    ("confirmed", Tone::Ok, "Your address is confirmed."),
    ("sent", Tone::Ok, "The message is on its way."),
    ("welcome", Tone::Ok, "Welcome! Your account is ready."),
    (
        "too-slow",
        Tone::Warn,
        "That took too long, or your password was changed meanwhile. Sign in again.",
    ),
    (
        "second-off",
        Tone::Ok,
        "The second factor is off: your password alone lets you in.",
    ),
    ("signed-out", Tone::Info, "You are signed out."),
    (
        "signed-out-meanwhile",
        Tone::Warn,
        "You were signed out meanwhile, and nothing was sent. Sign in, and you come back to where you were.",
    ),
    (
        "signed-out-everywhere",
        Tone::Ok,
        "All your other browsers are signed out.",
    ),
    ("browser-out", Tone::Ok, "That browser is signed out."),
    (
        "key-revoked",
        Tone::Ok,
        "The key is revoked; nobody gets in with it any more.",
    ),
    (
        "password-changed",
        Tone::Ok,
        "Your password is changed, and all your other browsers are signed out.",
    ),
    (
        "password-set",
        Tone::Ok,
        "Your password is set. You can come in with it and your address.",
    ),
    (
        "linked",
        Tone::Ok,
        "Linked: you can come in that way from now on.",
    ),
    (
        "unlinked",
        Tone::Ok,
        "Unlinked: nobody comes in that way any more.",
    ),
    (
        "recovered",
        Tone::Ok,
        "Your new password is set, and all your other browsers are signed out.",
    ),
];

/// The sections that the header leads to.
const SECTIONS: [(&str, &str); 3] = [
    ("/new", "New skill"),
    ("/library", "Library"),
    ("/account", "Account"),
];

/// What is around a page.
#[derive(Debug, Clone)]
pub(in crate::http) struct Frame {
    /// The title, in the browser's tab.
    pub(in crate::http) title: Cow<'static, str>,
    /// Who reads; nobody on public pages and before signing in.
    pub(in crate::http) who: Option<Who>,
    /// Whether a reader who is not signed in is offered to.
    pub(in crate::http) is_public: bool,
    /// The section that the page belongs to, such as `/library`.
    pub(in crate::http) section: &'static str,
    /// What was just done.
    pub(in crate::http) flash: Option<Flash>,
    /// What the page loads.
    pub(in crate::http) assets: &'static Assets,
}

impl Frame {
    /// Around a page for anybody.
    pub(in crate::http) fn public(title: impl Into<Cow<'static, str>>) -> Self {
        Self {
            title: title.into(),
            who: None,
            is_public: true,
            section: "",
            flash: None,
            assets: Assets::get(),
        }
    }

    /// Around a page that does not know who reads it.
    pub(in crate::http) fn bare(title: impl Into<Cow<'static, str>>) -> Self {
        Self {
            is_public: false,
            ..Self::public(title)
        }
    }

    /// Around a page for somebody.
    pub(in crate::http) fn of(title: impl Into<Cow<'static, str>>, who: Who) -> Self {
        Self {
            who: Some(who),
            ..Self::public(title)
        }
    }

    /// On a section's page.
    pub(in crate::http) fn within(self, section: &'static str) -> Self {
        Self { section, ..self }
    }

    /// With a message.
    pub(in crate::http) fn saying(self, flash: Option<Flash>) -> Self {
        Self { flash, ..self }
    }

    /// Whether the reader pays with credits: on the unlimited plan none is taken, so none comes back.
    pub(in crate::http) fn spends(&self) -> bool {
        self.who.as_ref().is_none_or(|who| !who.is_unlimited)
    }

    /// What the reader can spend; `None` when they spend nothing, or nobody is known.
    pub(in crate::http) fn purse(&self) -> Option<u32> {
        let who = self.who.as_ref().filter(|who| !who.is_unlimited);
        who.map(|who| who.credits)
    }

    /// Whether the reader can buy credits here.
    pub(in crate::http) fn can_buy(&self) -> bool {
        self.who.as_ref().is_some_and(|who| who.can_buy)
    }

    /// The links of the header.
    pub(in crate::http) fn links(&self) -> Vec<Link> {
        let link = |(href, text): (&'static str, &'static str)| Link {
            is_here: href == self.section,
            ..Link::new(href, text)
        };
        SECTIONS.into_iter().map(link).collect()
    }
}

/// A page as an answer.
pub(in crate::http) fn page(template: &impl Template) -> HttpResponse {
    page_as(StatusCode::OK, template)
}

/// A page as an answer with a status.
pub(in crate::http) fn page_as(status: StatusCode, template: &impl Template) -> HttpResponse {
    match template.render() {
        Ok(text) => {
            let mut response = HttpResponse::build(status).body(text);
            headers::put_on(&mut response, HEADERS);
            response
        }
        Err(error) => {
            tracing::error!(%error, "a page cannot be written");
            HttpResponse::InternalServerError().finish()
        }
    }
}

/// Answers a form: the browser gets another page, so that loading it again does nothing again.
pub(in crate::http) fn see_other(to: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, to))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Template)]
    #[template(
        source = r#"{% extends "layout.html" %}{% block content %}<p>{{ text }}</p>{% endblock %}"#,
        ext = "html"
    )]
    struct Plain {
        frame: Frame,
        text: &'static str,
    }

    fn who() -> Who {
        Who {
            email: "ann@example.org".into(),
            credits: 1,
            is_unlimited: false,
            can_buy: true,
        }
    }

    fn rendered(frame: Frame, text: &'static str) -> String {
        Plain { frame, text }.render().expect("a page")
    }

    #[test]
    fn a_page_shows_where_one_is_and_what_one_has() {
        let page = rendered(Frame::of("Library", who()).within("/library"), "x");
        assert!(page.contains(r#"<a href="/library" aria-current="page">Library</a>"#));
        assert!(page.contains("<strong>1</strong> credit<"), "{page}");
        assert!(page.contains("<title>Library · skillkiln</title>"));
        assert!(!page.contains("/signin"));
        assert!(rendered(Frame::public("Home"), "x").contains("/signin"));
    }

    #[test]
    fn no_page_has_script_or_style_of_its_own() {
        let frame = Frame::of("<b>\"'", who()).saying(Some(Flash::new(Tone::Warn, "<i>no</i>")));
        let page = rendered(frame, "<img src=x onerror=alert(1)>");
        assert!(!page.contains(" style=") && !page.contains("<style"));
        assert!(!page.contains("<b>") && !page.contains("<i>") && !page.contains("<img src=x"));
        let scripts = page.matches("<script").count();
        assert_eq!(scripts, page.matches(r#"<script src="/assets/"#).count());
    }

    #[test]
    fn a_page_is_kept_by_nobody_and_framed_by_nobody() {
        let response = page(&Plain {
            frame: Frame::public("Home"),
            text: "x",
        });
        let header = |name| response.headers().get(name).expect("present");
        assert_eq!(header("cache-control"), "no-store");
        assert_eq!(header("x-content-type-options"), "nosniff");
        let policy = header("content-security-policy").to_str().expect("ASCII");
        assert!(policy.starts_with("default-src 'none';"));
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"));
    }
}
