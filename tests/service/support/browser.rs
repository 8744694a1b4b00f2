//! A browser, as far as the pages can tell: it keeps the cookie, says where its posts come from, and sends forms.

use crate::support::app::App;
use crate::support::client::{Answer, Request};

pub(crate) const PASSWORD: &str = "a kiln of my own";

pub(crate) struct Browser<'a> {
    app: &'a App,
    /// The session's cookie as it is sent: `name=value`.
    pub(crate) cookie: Option<String>,
    /// That of what accounts know it by.
    pub(crate) device: Option<String>,
    /// That of one between the two steps of signing in.
    pub(crate) halfway: Option<String>,
    /// That of a journey to somebody else who says who its person is.
    pub(crate) journey: Option<String>,
    /// The address that a proxy in front says it comes from.
    from: Option<String>,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(app: &'a App) -> Self {
        Self {
            app,
            cookie: None,
            device: None,
            halfway: None,
            journey: None,
            from: None,
        }
    }

    /// A browser elsewhere, behind a proxy that the application has to trust.
    pub(crate) fn elsewhere(app: &'a App, from: impl Into<String>) -> Self {
        Self {
            from: Some(from.into()),
            ..Self::new(app)
        }
    }

    /// A browser in which a new account was made.
    pub(crate) async fn joined(app: &'a App, email: &str) -> Self {
        let mut browser = Self::new(app);
        browser.join(email).await;
        browser
    }

    /// Makes an account.
    pub(crate) async fn join(&mut self, email: &str) {
        let fields = [("email", email), ("password", PASSWORD)];
        let answer = self.post("/signup", &fields).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
    }

    pub(crate) async fn signed_in(app: &'a App, email: &str) -> Self {
        let mut browser = Self::new(app);
        let answer = browser.sign_in(email, PASSWORD).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        browser
    }

    pub(crate) async fn sign_in(&mut self, email: &str, password: &str) -> Answer {
        let fields = [("email", email), ("password", password)];
        self.post("/signin", &fields).await
    }

    pub(crate) fn request(&self, method: &str, target: &str) -> Request {
        let mut request = self.app.request(method, target);
        if let Some(from) = &self.from {
            request = request.header("X-Forwarded-For", from);
        }
        let cookies = [&self.cookie, &self.device, &self.halfway, &self.journey]
            .into_iter()
            .flatten();
        let cookies: Vec<&str> = cookies.map(String::as_str).collect();
        if cookies.is_empty() {
            request
        } else {
            request.header("Cookie", &cookies.join("; "))
        }
    }

    pub(crate) async fn get(&mut self, target: &str) -> Answer {
        let answer = self.request("GET", target).send().await;
        self.keep(&answer);
        answer
    }

    pub(crate) async fn post(&mut self, target: &str, fields: &[(&str, &str)]) -> Answer {
        let request = self.request("POST", target);
        let request = request.header("Sec-Fetch-Site", "same-origin");
        let answer = form(request, fields).send().await;
        self.keep(&answer);
        answer
    }

    /// Sends a form whose answer is a page.
    pub(crate) async fn shown(&mut self, target: &str, fields: &[(&str, &str)]) -> Answer {
        let answer = self.post(target, fields).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer
    }

    fn keep(&mut self, answer: &Answer) {
        let set = answer.headers.iter();
        for (_, cookie) in set.filter(|(name, _)| name == "set-cookie") {
            assert!(
                cookie.contains("; HttpOnly; SameSite=Lax") && cookie.contains("; Path=/;"),
                "{cookie}"
            );
            let pair = cookie.split(';').next().unwrap_or_default();
            let kept = (!cookie.contains("Max-Age=0")).then(|| pair.to_owned());
            let name = pair.split('=').next().unwrap_or_default();
            let name = name.strip_prefix("__Host-").unwrap_or(name);
            if name == "skillkiln-openid" {
                self.journey = kept;
            } else if name == "skillkiln-halfway" {
                self.halfway = kept;
            } else if name == "skillkiln-device" {
                self.device = kept;
            } else {
                self.cookie = kept;
            }
        }
    }
}

/// A form as pages send it.
pub(crate) fn form(request: Request, fields: &[(&str, &str)]) -> Request {
    let mut body = url::form_urlencoded::Serializer::new(String::new());
    body.extend_pairs(fields);
    request.body("application/x-www-form-urlencoded", body.finish())
}
