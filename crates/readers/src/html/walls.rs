//! Recognises a page that stands in the way of the one that was asked for: a check for robots, a login, a question about
//! cookies, a paywall, or the news that there is no such page, sent as if it were one.

use crate::html::{about, first_heading};
use crate::words::{WordList, phrases, words};
use skillkiln_document::blocks::Document;
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::text::word_count;
use url::Url;

/// A page with more words than this is what was asked for, whatever else is on it.
const WORDS_MAX: usize = 400;
/// A page that says "not found" in more words than this is about that.
const GONE_WORDS_MAX: usize = 120;
/// A page with a field for a password and more words than this has something to say.
const LOGIN_WORDS_MAX: usize = 150;
/// How much of a page is searched.
const SEARCHED_BYTES_MAX: usize = 1 << 20;

/// Marks of programs that keep programs out, in the page itself.
static PUZZLES: WordList = words!(
    "/cdn-cgi/challenge-platform/ cf-browser-verification challenges.cloudflare.com _incapsula_resource px-captcha captcha-delivery.com \
     awswafcookiedomainlist g-recaptcha h-captcha ddos-guard /.within.website/ /.well-known/vercel/security/ /.well-known/sgcaptcha/ \
     haproxy-challenge geo.captcha-delivery cf-turnstile kasada /_sec/cp_challenge anubis_challenge"
);
/// Titles of such pages.
static PUZZLE_TITLES: WordList = phrases!(
    "just a moment | attention required | robot check | are you a robot | are you human | human verification | verify you are human | \
     verifying you are human | security check | checking your browser | pardon our interruption | access to this page has been denied | \
     making sure you're not a bot | bot verification | ddos-guard | vercel security checkpoint | client challenge | \
     performing security verification | one moment, please | checking that you are not a | checking if the site connection is secure | \
     please verify you are a human | verify you're not a | are you not a robot | prüfung, dass sie kein bot sind | \
     nous vérifions que vous n'êtes pas un robot | comprobando que no eres un | un momento | einen moment"
);
static GONE: WordList = phrases!(
    "404 | 404 not found | 404 error | error 404 | page not found | not found | 404 page not found | page not found (404) | \
     404: page not found | 404 - page not found | 404: this page could not be found | this page could not be found | seite nicht gefunden | \
     page introuvable | página no encontrada | pagina non trovata | sorry, page not found | oops! page not found"
);
static LOGINS: WordList = phrases!(
    "log in | login | sign in | signin | anmelden | einloggen | connexion | se connecter | iniciar sesión | accedi"
);
static CONSENT_WORDS: WordList = words!(
    "cookie cookies consent privacy partners vendors personalised personalized tracking einwilligung datenschutz zustimmung consentement \
     confidentialité partenaires privacidad"
);
static CONSENT_BUTTONS: WordList = phrases!(
    "accept all | reject all | i agree | accept cookies | manage options | alle akzeptieren | alle ablehnen | zustimmen | tout accepter | \
     tout refuser | aceptar todo | accetta tutt"
);

/// The failure that says what stands in the way, when something does. `title` is what the page calls itself.
pub(crate) fn in_the_way(
    html: &str,
    address: &str,
    title: Option<&str>,
    document: Option<&Document>,
) -> Option<Failure> {
    let text = document.map_or("", |document| document.text.as_str());
    let words = word_count(text);
    if words > WORDS_MAX {
        return None;
    }
    let end = html.floor_char_boundary(SEARCHED_BYTES_MAX);
    let page = html.get(..end).unwrap_or(html).to_ascii_lowercase();
    let heading = document.and_then(|document| first_heading(&document.blocks));
    let names: Vec<String> = [
        title.map(str::to_owned),
        about::title(html),
        heading,
        about::text_of_first(html, "h1"),
    ]
    .into_iter()
    .flatten()
    .map(|name| name.trim().to_lowercase().replace('’', "'"))
    .collect();
    let host = Url::parse(address)
        .ok()
        .and_then(|url| url.host_str().map(str::to_ascii_lowercase))
        .unwrap_or_default();
    let named = |titles: &[&str]| {
        names
            .iter()
            .any(|name| titles.iter().any(|title| name.starts_with(title)))
    };
    let message = if named(&PUZZLE_TITLES)
        || (words < 80 && PUZZLES.iter().any(|mark| page.contains(mark)))
    {
        "this site checks whether a person is asking, and shows programs a puzzle instead of the page; open the page in a browser, save it and send it as a file"
    } else if is_consent(&page, &host, text, words, &named) {
        "this site shows its question about cookies instead of the page; answer it in a browser, save the page and send it as a file"
    } else if page.contains("type=\"password\"")
        || page.contains("type=password")
        || page.contains("type='password'")
    {
        if words > LOGIN_WORDS_MAX || (words > 60 && !named(&LOGINS)) {
            return None;
        }
        "this page is shown only after signing in; sign in with a browser, save the page and send it as a file"
    } else if words <= GONE_WORDS_MAX
        && names.iter().any(|name| {
            let bare = [" | ", " · ", " — ", " – "]
                .iter()
                .find_map(|mark| name.split_once(mark))
                .map_or(name.as_str(), |(bare, _)| bare);
            GONE.contains(&bare.trim_end_matches(['.', '!']))
        })
    {
        "the site says that there is no such page; check the address for a mistake"
    } else if !holds_whole_body(&page, words)
        && (page.contains("\"isaccessibleforfree\":false")
            || page.contains("\"isaccessibleforfree\": false")
            || page.contains("\"isaccessibleforfree\":\"false\"")
            || page.contains("\"isaccessibleforfree\": \"false\""))
    {
        "only the beginning of this page is shown to those who do not subscribe; when you may read it, save it in a browser and send it as a file"
    } else {
        return None;
    };
    Some(Failure::new(Reason::Unreadable, message))
}

/// Whether the page shows all of the article that its structured data repeats: `words` are nine in ten of that at least.
fn holds_whole_body(page: &str, words: usize) -> bool {
    let Some((_, behind)) = page.split_once("\"articlebody\"") else {
        return false;
    };
    let body = behind.trim_start_matches([':', ' ', '"']);
    let mut is_escaped = false;
    let end = body.find(|c: char| {
        let ends = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    });
    let count = word_count(body.get(..end.unwrap_or(0)).unwrap_or_default());
    count > 0 && words * 10 >= count * 9
}

fn is_consent(
    page: &str,
    host: &str,
    text: &str,
    words: usize,
    named: &dyn Fn(&[&str]) -> bool,
) -> bool {
    if host.starts_with("consent.") || host.starts_with("guce.") {
        return true;
    }
    if !CONSENT_BUTTONS.iter().any(|button| page.contains(button)) {
        return false;
    }
    let talks = text
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| CONSENT_WORDS.contains(&word.to_lowercase().as_str()))
        .count();
    named(&[
        "before you continue",
        "bevor sie fortfahren",
        "cookie consent",
        "we value your privacy",
    ]) || (words > 0 && talks >= 4 && talks * 100 >= words * 5)
}

#[cfg(test)]
mod tests {
    use crate::html;

    fn told(page: &str) -> String {
        html::read(page, Some("https://example.com/docs/a"))
            .map_err(|failure| failure.message)
            .expect_err(page)
    }

    #[test]
    fn what_stands_in_the_way_is_told_apart() {
        for (page, words) in [
            (
                "<title>Just a moment...</title><body><h1>example.com</h1><p>Verifying you are human. This may take a few seconds.</p><script src=/cdn-cgi/challenge-platform/h/b/x.js></script>",
                "puzzle",
            ),
            (
                "<title>Making sure you&rsquo;re not a bot!</title><main><h1>Making sure you&rsquo;re not a bot!</h1><p>Loading...</p><p>You see this because the owner of this site has set up a guard against programs that fetch every page of it.</p></main>",
                "puzzle",
            ),
            (
                "<title>kiln.example</title><body><h1>Checking your browser before accessing kiln.example.</h1><p>This process is automatic. Your browser will redirect shortly.</p>",
                "puzzle",
            ),
            (
                "<html><head><title>Just a moment...</title></head><body><div><h1>kiln.example</h1><h2>Checking the connection</h2><noscript><p>Enable JavaScript and cookies to continue</p></noscript><p>kiln.example needs to review the security of your connection before proceeding.</p></div></body></html>",
                "puzzle",
            ),
            (
                "<title>Sign in · Site</title><body><h1>Sign in</h1><form><label>Name</label><input name=u><input type=\"password\"></form><p>Forgot your password? Create an account to read our pages and much more.</p>",
                "signing in",
            ),
            (
                "<title>Before you continue</title><body><h1>Before you continue</h1><p>We use cookies and data to deliver services. If you choose to accept all, we will also use cookies to develop new services.</p><button>Reject all</button><button>Accept all</button>",
                "cookies",
            ),
            (
                "<title>Page not found | Docs</title><body><main><h1>Page not found</h1><p>We could not find what you were looking for. Please contact the owner of the site that linked you to the original URL and let them know their link is broken.</p></main>",
                "no such page",
            ),
            (
                "<title>A story</title><script type=\"application/ld+json\">{\"@type\":\"NewsArticle\",\"isAccessibleForFree\":false}</script><article><h1>A story</h1><p>The first lines of the story are here for everybody to read, but what comes after them is kept for those who pay for it every month.</p></article>",
                "subscribe",
            ),
        ] {
            let message = told(page);
            assert!(message.contains(words), "{message}");
        }
    }

    #[test]
    fn a_page_about_such_things_is_read() {
        let body = "The status 404 tells that a server found nothing under an address. ".repeat(20);
        for (title, extra) in [
            ("404 Not Found", ""),
            (
                "Sign in with passkeys",
                "<form><input type=\"password\"></form>",
            ),
            ("Cookies", "<button>Accept all</button>"),
        ] {
            let page =
                format!("<title>{title}</title><main><h1>{title}</h1><p>{body}</p>{extra}</main>");
            assert!(
                html::read(&page, Some("https://example.com/a")).is_ok(),
                "{title}"
            );
        }
    }

    #[test]
    fn an_article_that_is_whole_is_read_whoever_may_read_others() {
        let body =
            "A kiln shelf wants a wash on its upper side only, as thick as cream. ".repeat(6);
        let page = |shown: &str| {
            format!(
                "<title>Shelves</title><script type=\"application/ld+json\">{{\"@type\": \"NewsArticle\", \"articleBody\": \"{body}\", \"isAccessibleForFree\": false}}</script><main><article><h1>Shelves</h1><p>{shown}</p></article></main>"
            )
        };
        let read = |page: &str| html::read(page, Some("https://example.com/a"));
        assert!(read(&page(&body)).is_ok());
        assert!(
            read(&page(
                &"A kiln shelf wants a wash on its upper side only, as thick as cream. ".repeat(2)
            ))
            .is_err()
        );
    }

    #[test]
    fn a_saved_page_is_not_judged() {
        let page = "<title>Not found</title><body><h1>Not found</h1><p>This is the text of our page for missing pages.</p>";
        assert!(html::read(page, None).is_ok());
    }
}
