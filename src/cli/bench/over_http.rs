//! Owns how a load is sent over HTTP: forms that are written once, keys in turn, and what the answers say.

use super::figures::{Made, Trouble};
use super::stock::{Stock, bytes_of};
use crate::pipeline::extract::Input;
use crate::providers::service::{Answer, Service};
use bytes::Bytes;
use serde::Deserialize;

const GENERATE: &str = "/api/v1/generate";
const CREDITS: &str = "/api/v1/credits";
const NEWEST: &str = "/api/v1/generations?limit=1";
/// Stands in no source but by intent; a form that broke would be refused by the service.
const EDGE: &str = "skillkiln-bench-2f6c1e0b7d";

/// A service and what it is sent.
#[derive(Debug)]
pub struct OverHttp {
    service: Service,
    keys: Vec<String>,
    forms: Vec<Form>,
}

#[derive(Debug)]
struct Form {
    body: Bytes,
    source_bytes: u64,
}

#[derive(Deserialize)]
struct Generated {
    skill: Skill,
}

#[derive(Deserialize)]
struct Skill {
    word_count: u64,
}

#[derive(Deserialize)]
struct Refused {
    error: Problem,
}

#[derive(Deserialize)]
struct Problem {
    code: String,
    message: String,
}

#[derive(Deserialize)]
struct Credits {
    credits_remaining: u64,
    plan: String,
}

#[derive(Deserialize)]
struct History {
    total: u64,
    generations: Vec<Generation>,
}

#[derive(Deserialize)]
struct Generation {
    id: String,
}

/// How the account of a key stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// What it can spend.
    pub credits: u64,
    /// Generations that it ever ordered.
    pub generations: u64,
    /// The newest of them, by which two keys are known to be of one account.
    pub newest: Option<String>,
}

impl OverHttp {
    /// Writes the forms.
    #[must_use]
    pub fn new(service: Service, keys: Vec<String>, stock: &Stock) -> Self {
        let forms = stock.inputs.iter().map(|input| Form {
            body: form(input),
            source_bytes: bytes_of(input),
        });
        Self {
            service,
            keys,
            forms: forms.collect(),
        }
    }

    /// Makes the `n`-th skill.
    ///
    /// # Errors
    /// [`Trouble`], by the code of the answer, or `unreachable`.
    pub async fn generate(&self, n: u64) -> Result<Made, Trouble> {
        let key = self.keys.get(Stock::turn(n, self.keys.len()));
        let form = self.forms.get(Stock::turn(n, self.forms.len()));
        let (form, key) = form
            .zip(key)
            .ok_or_else(|| Trouble::new("misused", "there is no key or no source"))?;
        let media_type = format!("multipart/form-data; boundary={EDGE}");
        let answer = self
            .service
            .post(GENERATE, Some(key), &media_type, form.body.clone())
            .await
            .map_err(|message| Trouble::new("unreachable", message))?;
        let generated: Generated = understood(&answer)?;
        Ok(Made {
            spans: Default::default(),
            words: generated.skill.word_count,
            bytes: form.source_bytes,
        })
    }

    /// How the account of each key stands; none when a generation costs one of them nothing.
    ///
    /// # Errors
    /// [`Trouble`], as when a key is not known there.
    pub async fn standings(&self) -> Result<Option<Vec<Standing>>, Trouble> {
        let mut all = Vec::with_capacity(self.keys.len());
        for key in &self.keys {
            let credits: Credits = self.asked(CREDITS, key).await?;
            if credits.plan == "unlimited" {
                return Ok(None);
            }
            let history: History = self.asked(NEWEST, key).await?;
            all.push(Standing {
                credits: credits.credits_remaining,
                generations: history.total,
                newest: history.generations.into_iter().next().map(|one| one.id),
            });
        }
        Ok(Some(all))
    }

    async fn asked<T: for<'a> Deserialize<'a>>(&self, path: &str, key: &str) -> Result<T, Trouble> {
        let answer = self.service.get(path, Some(key)).await;
        let answer = answer.map_err(|message| Trouble::new("unreachable", message))?;
        understood(&answer)
    }
}

fn understood<'a, T: Deserialize<'a>>(answer: &'a Answer) -> Result<T, Trouble> {
    let strange = || {
        let message = format!(
            "the service answered {} in words that are not its own",
            answer.status
        );
        Trouble::new(format!("status_{}", answer.status), message)
    };
    if answer.status == 200 {
        return serde_json::from_slice(&answer.body).map_err(|_| strange());
    }
    let refused: Refused = serde_json::from_slice(&answer.body).map_err(|_| strange())?;
    let mut message = refused.error.message;
    if let Some(seconds) = answer.retry_after_s {
        message.push_str(&format!(" (Retry-After: {seconds} s)"));
    }
    // As the engine's own causes are written, so that both targets count alike.
    Err(Trouble::new(refused.error.code.to_lowercase(), message))
}

/// A form with the one field `source`.
fn form(input: &Input) -> Bytes {
    let (name, bytes, pages): (Option<&str>, &[u8], u32) = match input {
        Input::Text(text) => (None, text.as_bytes(), 1),
        Input::Video(address) => (None, address.as_bytes(), 1),
        Input::Address { address, pages } => (None, address.as_bytes(), *pages),
        Input::Files(files) => match files.first() {
            Some(file) => (Some(&file.filename), &file.bytes, 1),
            None => (None, &[], 1),
        },
    };
    let mut form = Vec::with_capacity(bytes.len() + 512);
    let begin = |form: &mut Vec<u8>, field: &str| {
        form.extend_from_slice(
            format!("--{EDGE}\r\nContent-Disposition: form-data; name=\"{field}\"").as_bytes(),
        );
    };
    if pages > 1 {
        begin(&mut form, "max_pages");
        form.extend_from_slice(format!("\r\n\r\n{pages}\r\n").as_bytes());
    }
    begin(&mut form, "source");
    if let Some(name) = name {
        let name = name.replace(['"', '\r', '\n', '\\'], "_");
        form.extend_from_slice(
            format!("; filename=\"{name}\"\r\nContent-Type: application/octet-stream").as_bytes(),
        );
    }
    form.extend_from_slice(b"\r\n\r\n");
    form.extend_from_slice(bytes);
    form.extend_from_slice(format!("\r\n--{EDGE}--\r\n").as_bytes());
    form.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::extract::NamedBytes;

    fn answer(status: u16, body: &'static str) -> Answer {
        Answer {
            status,
            retry_after_s: (status == 429).then_some(3),
            body: Bytes::from_static(body.as_bytes()),
        }
    }

    #[test]
    fn a_form_holds_the_source_to_the_letter() {
        let text = form(&Input::Text("# Kiln\n".into()));
        assert_eq!(
            &text[..],
            format!(
                "--{EDGE}\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n# Kiln\n\r\n--{EDGE}--\r\n"
            )
            .as_bytes()
        );
        let file = form(&Input::Files(vec![NamedBytes {
            filename: "a\"b.pdf".into(),
            bytes: Bytes::from_static(b"%PDF\0"),
        }]));
        let shown = String::from_utf8_lossy(&file);
        assert!(shown.contains("filename=\"a_b.pdf\"\r\n"), "{shown}");
        assert!(shown.contains("\r\n\r\n%PDF\0\r\n--"), "{shown}");
    }

    #[test]
    fn what_the_service_refuses_is_counted_by_its_code() {
        let body = r#"{"error":{"code":"RATE_LIMITED","message":"wait"}}"#;
        let refused = understood::<Generated>(&answer(429, body)).err();
        let expected = Trouble::new("rate_limited", "wait (Retry-After: 3 s)");
        assert_eq!(refused, Some(expected));
        let strange = understood::<Generated>(&answer(502, "<html>")).err();
        assert_eq!(strange.map(|t| t.cause), Some("status_502".to_owned()));
    }

    #[test]
    fn an_answer_says_how_many_words_were_made() {
        let body = r#"{"skill":{"id":"x","word_count":12,"content":"…"},"metadata":{}}"#;
        let generated: Generated = understood(&answer(200, body)).unwrap();
        assert_eq!(generated.skill.word_count, 12);
    }
}
