//! Owns how a form is read: part by part, each within its bounds, nothing kept that nobody asked for (decisions 6, 29 and 56).

use crate::http::body::{self, Patience};
use crate::http::disposition::{self, Disposition, base_name};
use crate::http::error::{Kind, Problem};
use crate::http::room::Place;
use crate::http::settings::BodyLimits;
use crate::services::library::files::Upload;
use actix_multipart::{Field, Multipart, MultipartError};
use actix_web::HttpRequest;
use actix_web::error::PayloadError;
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::web::Payload;
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use skillkiln_document::text::squash;
use skillkiln_readers::file_type;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Most parts of a form, known and unknown.
const PARTS_MAX: usize = 1_000;

/// What one part holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A part without a file name.
    Text(String),
    /// A part with a file name.
    File(File),
}

/// A file that was sent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct File {
    /// Its cleaned base name.
    pub(super) filename: String,
    /// Its bytes; never empty.
    pub(super) bytes: Bytes,
}

impl From<File> for Upload {
    fn from(file: File) -> Self {
        Self {
            filename: file.filename,
            bytes: file.bytes,
        }
    }
}

/// The known fields of a form, in the order in which they were sent. While it lives it holds its place in the room for bodies, so
/// it is dropped before anything long begins.
#[derive(Debug)]
pub(super) struct Form {
    fields: Vec<(&'static str, Value)>,
    _place: Place,
}

impl Form {
    /// Reads the fields called `known`; the bytes of all others are counted and dropped.
    pub(super) async fn read(
        req: &HttpRequest,
        payload: Payload,
        limits: &BodyLimits,
        known: &'static [&'static str],
    ) -> Result<Self, Problem> {
        Self::read_as(req, payload, limits, known, false).await
    }

    /// Reads a form as a browser sends it, for which a file input that was left alone is a file without name and content.
    pub(super) async fn read_from_page(
        req: &HttpRequest,
        payload: Payload,
        limits: &BodyLimits,
        known: &'static [&'static str],
    ) -> Result<Self, Problem> {
        Self::read_as(req, payload, limits, known, true).await
    }

    async fn read_as(
        req: &HttpRequest,
        payload: Payload,
        limits: &BodyLimits,
        known: &'static [&'static str],
        from_page: bool,
    ) -> Result<Self, Problem> {
        if body::media_type(req) != "multipart/form-data" {
            return Err(Problem::new(
                Kind::UnsupportedMediaType,
                "send the request body as multipart/form-data",
            ));
        }
        if !has_boundary(req) {
            return Err(Problem::invalid(
                "the Content-Type multipart/form-data has no boundary; do not set that header yourself, your client writes it with the boundary of the body",
            ));
        }
        body::refuse_unread(req, limits.request_bytes_max)?;
        let stopped = Rc::new(Cell::new(None));
        let place = Rc::new(RefCell::new(Place::default()));
        let counted = counted(payload, limits, stopped.clone(), place.clone());
        let reader = Reader {
            limits,
            patience: Patience::new(limits),
            from_page,
        };
        let parts = Multipart::new(&plain_head(req), counted);
        let read = reader.parts(parts, known).await;
        match stopped.get() {
            Some(Stopped::TooLarge) => return Err(body::too_large(limits.request_bytes_max)),
            Some(Stopped::NoRoom) => return Err(Problem::no_room()),
            None => {}
        }
        Ok(Self {
            fields: read?,
            _place: place.take(),
        })
    }

    /// All values of a field.
    pub(super) fn all(&mut self, name: &str) -> Vec<Value> {
        self.fields
            .extract_if(.., |(known, _)| *known == name)
            .map(|(_, value)| value)
            .collect()
    }

    /// The value of a field that may be there once.
    pub(super) fn one(&mut self, name: &str) -> Result<Option<Value>, Problem> {
        let mut values = self.all(name).into_iter();
        let value = values.next();
        if values.next().is_some() {
            return Err(Problem::invalid(format!("{name} was sent more than once")));
        }
        Ok(value)
    }

    /// The text of a field that may be there once.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Problem> {
        match self.one(name)? {
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(Value::File(_)) => {
                Err(Problem::invalid(format!("{name} must be text, not a file")))
            }
            None => Ok(None),
        }
    }

    /// A field of at most `chars_max` characters that counts as absent when it is blank.
    pub(super) fn line(&mut self, name: &str, chars_max: usize) -> Result<Option<String>, Problem> {
        self.text(name)?
            .map_or(Ok(None), |text| line(name, &text, chars_max))
    }
}

/// A wish of at most `chars_max` characters on one line; `None` when it is blank.
pub(super) fn line(name: &str, text: &str, chars_max: usize) -> Result<Option<String>, Problem> {
    let text = squash(text);
    if text.chars().count() > chars_max {
        return Err(Problem::invalid(format!(
            "{name} is longer than {chars_max} characters"
        )));
    }
    Ok((!text.is_empty()).then_some(text))
}

struct Reader<'a> {
    limits: &'a BodyLimits,
    patience: Patience,
    from_page: bool,
}

impl Reader<'_> {
    async fn parts(
        &self,
        mut parts: Multipart,
        known: &'static [&'static str],
    ) -> Result<Vec<(&'static str, Value)>, Problem> {
        let mut values = vec![];
        let mut files = 0;
        let mut seen = 0;
        while let Some(part) = self.patience.wait(parts.next()).await? {
            let mut part = part.map_err(|error| malformed(&error))?;
            seen += 1;
            if seen > PARTS_MAX {
                return Err(Problem::invalid(format!(
                    "the form has more than {PARTS_MAX} parts"
                )));
            }
            let said = said_by(&part)?;
            let Some(name) = known.iter().find(|known| **known == said.name) else {
                self.skip(&mut part).await?;
                continue;
            };
            let value = match said.filename {
                Some(filename) if filename.is_empty() && self.from_page => {
                    self.skip(&mut part).await?;
                    continue;
                }
                Some(filename) => {
                    files += 1;
                    if files > self.limits.files_max {
                        return Err(Problem::invalid(format!(
                            "more than {} files were sent",
                            self.limits.files_max
                        )));
                    }
                    let kind = part.content_type().map_or("", |kind| kind.essence_str());
                    let filename = file_type::name_with_ending(base_name(&filename), kind);
                    Value::File(self.file(&mut part, filename).await?)
                }
                None => Value::Text(self.text(&mut part, name).await?),
            };
            values.push((*name, value));
        }
        Ok(values)
    }

    async fn file(&self, part: &mut Field, filename: String) -> Result<File, Problem> {
        let most = self.limits.file_bytes_max;
        let bytes = self.bytes(part, most).await?.ok_or_else(|| {
            Problem::new(
                Kind::TooLarge,
                format!("{filename} is larger than {}", body::spoken(most)),
            )
        })?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(Problem::invalid(format!("{filename} is empty")));
        }
        Ok(File { filename, bytes })
    }

    async fn text(&self, part: &mut Field, name: &str) -> Result<String, Problem> {
        let most = self.limits.text_bytes_max;
        let bytes = self.bytes(part, most).await?.ok_or_else(|| {
            Problem::invalid(format!("{name} is longer than {}", body::spoken(most)))
        })?;
        let text = String::from_utf8(bytes.into())
            .map_err(|_| Problem::invalid(format!("{name} is not text in UTF-8")))?;
        // A database cannot keep it in a text, and no text needs it.
        if text.contains('\0') {
            return Err(Problem::invalid(format!("{name} holds a NUL character")));
        }
        Ok(text)
    }

    /// The bytes of a part, or `None` when there are more than `most`; what lies beyond is not read.
    async fn bytes(&self, part: &mut Field, most: usize) -> Result<Option<Bytes>, Problem> {
        let mut bytes = BytesMut::new();
        while let Some(piece) = self.patience.wait(part.next()).await? {
            let piece = piece.map_err(|error| malformed(&error))?;
            if bytes.len() + piece.len() > most {
                return Ok(None);
            }
            bytes.extend_from_slice(&piece);
        }
        Ok(Some(bytes.freeze()))
    }

    async fn skip(&self, part: &mut Field) -> Result<(), Problem> {
        while let Some(piece) = self.patience.wait(part.next()).await? {
            piece.map_err(|error| malformed(&error))?;
        }
        Ok(())
    }
}

/// Whether the header names the boundary of the parts, which clients write when they are left to write the whole header.
fn has_boundary(req: &HttpRequest) -> bool {
    let value = req.headers().get(header::CONTENT_TYPE);
    let parameters = value
        .and_then(|value| value.to_str().ok())
        .map(|value| value.split(';').skip(1));
    parameters.into_iter().flatten().any(|parameter| {
        parameter.split_once('=').is_some_and(|(name, value)| {
            name.trim().eq_ignore_ascii_case("boundary")
                && !value.trim().trim_matches('"').is_empty()
        })
    })
}

fn malformed(error: &MultipartError) -> Problem {
    tracing::debug!(%error, "a form cannot be read");
    Problem::invalid("the multipart body is malformed or broke off")
}

/// Why the rest of a body was not read.
#[derive(Debug, Clone, Copy)]
enum Stopped {
    TooLarge,
    NoRoom,
}

/// The body, ended with an error when it goes beyond its bound or finds no room; `stopped` then tells why.
fn counted(
    payload: Payload,
    limits: &BodyLimits,
    stopped: Rc<Cell<Option<Stopped>>>,
    place: Rc<RefCell<Place>>,
) -> impl Stream<Item = Result<Bytes, PayloadError>> + use<> {
    let (most, room) = (limits.request_bytes_max, limits.room.clone());
    let mut total = 0;
    payload.map(move |piece| {
        let piece = piece?;
        total += piece.len();
        let refusal = if total > most {
            Some(Stopped::TooLarge)
        } else if !place.borrow_mut().grow(&room, total) {
            Some(Stopped::NoRoom)
        } else {
            None
        };
        if refusal.is_some() {
            stopped.set(refusal);
            return Err(PayloadError::Overflow);
        }
        Ok(piece)
    })
}

/// The head of a body under the plainer name of its kind: of a form, the parser would read each part's head itself, by the standard
/// alone, and give the whole form up over a file name that ends in a backslash.
fn plain_head(req: &HttpRequest) -> HeaderMap {
    let mut head = HeaderMap::new();
    let kind = req.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let parameters = kind.split_once(';').map_or("", |(_, rest)| rest);
    if let Ok(kind) = HeaderValue::from_str(&format!("multipart/mixed;{parameters}")) {
        head.insert(header::CONTENT_TYPE, kind);
    }
    head
}

/// What a part says of itself.
fn said_by(part: &Field) -> Result<Disposition, Problem> {
    let header = part.headers().get(header::CONTENT_DISPOSITION);
    header
        .and_then(|header| disposition::read(header.as_bytes()))
        .ok_or_else(|| Problem::invalid("a part of the form does not say which field it is"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::quota::Surface;
    use actix_web::FromRequest;
    use actix_web::test::TestRequest;
    use proptest::prelude::*;

    fn small() -> BodyLimits {
        BodyLimits {
            file_bytes_max: 20,
            request_bytes_max: 2_000,
            text_bytes_max: 10,
            skill_bytes_max: 10,
            address_chars_max: 10,
            files_max: 2,
            room: crate::http::room::Room::new(1 << 20),
            idle_max: std::time::Duration::from_secs(5),
            total_max: std::time::Duration::from_secs(5),
        }
    }

    fn part(disposition: &str, body: &str) -> String {
        format!("--B\r\nContent-Disposition: form-data; {disposition}\r\n\r\n{body}\r\n")
    }

    async fn form_of(body: impl Into<Vec<u8>>) -> Result<Form, u16> {
        let request = TestRequest::post()
            .insert_header(("Content-Type", "multipart/form-data; boundary=B"))
            .set_payload(body.into());
        form_from(request).await
    }

    async fn form_from(request: TestRequest) -> Result<Form, u16> {
        let (req, mut payload) = request.to_http_parts();
        let payload = Payload::from_request(&req, &mut payload)
            .await
            .expect("a payload");
        Form::read(&req, payload, &small(), &["source", "name"])
            .await
            .map_err(|problem| problem.response(Surface::Rest).status().as_u16())
    }

    #[tokio::test]
    async fn known_fields_are_read_and_unknown_ones_ignored() {
        let body = part("name=\"other\"", &"x".repeat(100))
            + &part("name=\"name\"", " a  b ")
            + &part("name=\"source\"; filename=\"a.md\"", "# A")
            + "--B--\r\n";
        let mut form = form_of(body).await.expect("a form");
        assert_eq!(form.line("name", 3).expect("short"), Some("a b".into()));
        let Ok(Some(Value::File(file))) = form.one("source") else {
            panic!("a file");
        };
        assert_eq!(
            (file.filename.as_str(), &file.bytes[..]),
            ("a.md", &b"# A"[..])
        );
        assert_eq!(form.text("name").expect("taken"), None);
    }

    #[tokio::test]
    async fn the_type_of_a_part_tells_what_a_file_without_an_ending_is() {
        for (filename, kind, kept) in [
            ("-", "text/csv", "-.csv"),
            ("blob", "Text/CSV; header=present", "blob.csv"),
            ("blob", "application/vnd.oai.openapi+json", "blob.json"),
            ("", "text/markdown", "file.md"),
            ("notes.txt", "text/csv", "notes.txt"),
            ("blob", "application/octet-stream", "blob"),
            ("blob", "no type", "blob"),
        ] {
            let said = format!("name=\"source\"; filename=\"{filename}\"\r\nContent-Type: {kind}");
            let mut form = form_of(part(&said, "a,b") + "--B--\r\n")
                .await
                .expect("a form");
            let Ok(Some(Value::File(file))) = form.one("source") else {
                panic!("{filename} {kind}");
            };
            assert_eq!(file.filename, kept, "{kind}");
        }
    }

    #[tokio::test]
    async fn a_field_sent_twice_is_refused() {
        let body = part("name=\"source\"", "a") + &part("name=\"source\"", "a") + "--B--\r\n";
        assert!(form_of(body).await.expect("a form").one("source").is_err());
    }

    #[tokio::test]
    async fn a_malformed_or_truncated_form_is_400() {
        let whole = part("name=\"source\"", "abc") + "--B--\r\n";
        for end in 1..whole.len() - 4 {
            assert_eq!(
                form_of(&whole[..end]).await.err(),
                Some(400),
                "{:?}",
                &whole[..end]
            );
        }
        for bad in [
            "",
            "nonsense",
            "--B\r\n\r\nno head\r\n--B--\r\n",
            "--B\r\nContent-Disposition: attachment\r\n\r\nx\r\n--B--\r\n",
            "--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--\r\n",
            "--B\r\nContent-Disposition: form-data; name=\"source\"\r\nContent-Length: 99\r\n\r\nx\r\n--B--\r\n",
        ] {
            assert_eq!(form_of(bad).await.err(), Some(400), "{bad:?}");
        }
        let other = TestRequest::post()
            .insert_header(("Content-Type", "application/json"))
            .set_payload("{}");
        assert_eq!(form_from(other).await.err(), Some(400));
        let without = TestRequest::post()
            .insert_header(("Content-Type", "multipart/form-data"))
            .set_payload("x");
        assert_eq!(form_from(without).await.err(), Some(400));
    }

    #[tokio::test]
    async fn each_part_has_its_bound() {
        let end = "--B--\r\n";
        let status = |body: String| async move { form_of(body + end).await.err() };
        assert_eq!(status(part("name=\"source\"", &"x".repeat(10))).await, None);
        assert_eq!(
            status(part("name=\"source\"", &"x".repeat(11))).await,
            Some(400),
            "a text"
        );
        let file = "name=\"source\"; filename=\"a\"";
        assert_eq!(status(part(file, &"x".repeat(20))).await, None);
        assert_eq!(
            status(part(file, &"x".repeat(21))).await,
            Some(413),
            "a file"
        );
        assert_eq!(status(part(file, "")).await, Some(400), "an empty file");
        assert_eq!(
            status(part(file, "x").repeat(3)).await,
            Some(400),
            "too many files"
        );
        assert_eq!(
            status(part("name=\"other\"", &"x".repeat(2_000))).await,
            Some(413),
            "the body"
        );
        let announced = TestRequest::post()
            .insert_header(("Content-Type", "multipart/form-data; boundary=B"))
            .insert_header(("Content-Length", "2001"));
        assert_eq!(
            form_from(announced).await.err(),
            Some(413),
            "refused unread"
        );
    }

    #[tokio::test]
    async fn a_text_that_is_not_utf_8_or_holds_nul_is_400() {
        for bytes in [&b"\xff\xfe"[..], b"a\0b"] {
            let mut body = part("name=\"source\"", "").into_bytes();
            body.truncate(body.len() - 2);
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n--B--\r\n");
            assert_eq!(form_of(body).await.err(), Some(400));
        }
    }

    #[tokio::test]
    async fn a_file_name_with_the_folders_of_its_machine_is_its_base_name() {
        for (sent, kept) in [
            (r#"filename="C:\x\y.md""#, "y.md"),
            (r#"filename="C:\\x\\y.md""#, "y.md"),
            (r#"filename="\\server\share\y.md""#, "y.md"),
            (r#"filename="x/y.md""#, "y.md"),
            (r#"filename="C:\x\""#, "file"),
            (r#"filename="q\.md""#, "q.md"),
            (r#"filename="""#, "file"),
            (r#"filename="a \"b\".md""#, r#"a "b".md"#),
            (r#"filename="a.md"; filename*=UTF-8''%c3%bc.md"#, "ü.md"),
            (r#"filename=y.md"#, "y.md"),
            (r#"FileName="C:\y.md"; x=1"#, "y.md"),
            (r#"x="filename=\"no"; filename="y.md""#, "y.md"),
        ] {
            let body = part(&format!(r#"name="source"; {sent}"#), "# A") + "--B--\r\n";
            let mut form = form_of(body).await.expect("a form");
            let Ok(Some(Value::File(file))) = form.one("source") else {
                panic!("a file: {sent}");
            };
            assert_eq!(file.filename, kept, "{sent}");
        }
    }

    /// Pieces that forms are made of, whole and broken.
    fn pieces() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let known = prop::sample::select(vec![
            "--B",
            "--B--",
            "\r\n",
            "\n",
            "\r\n\r\n",
            "--",
            "Content-Disposition: form-data; ",
            "Content-Type: text/plain; charset=",
            "name=\"source\"",
            "name=\"name\"",
            "; filename=\"a.md\"",
            "; filename*=UTF-8''%ff%",
            "name=\"",
            "Content-Length: 99999999999",
            "# A",
        ]);
        let known = known.prop_map(|piece| piece.as_bytes().to_vec());
        let other = prop::collection::vec(any::<u8>(), 0..40);
        prop::collection::vec(prop_oneof![4 => known, 1 => other], 0..30)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// Whatever is sent as a form ends in a form within its bounds or in an answer that blames the client.
        #[test]
        fn any_body_is_a_form_within_its_bounds_or_refused(body in pieces()) {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            match runtime.block_on(form_of(body.concat())) {
                Err(status) => prop_assert!((400..500).contains(&status), "{status}"),
                Ok(mut form) => {
                    let sources = form.all("source");
                    prop_assert!(sources.len() <= 2);
                    for source in sources {
                        match source {
                            Value::Text(text) => prop_assert!(text.len() <= 10),
                            Value::File(file) => {
                                prop_assert!((1..=20).contains(&file.bytes.len()));
                                prop_assert!(!file.filename.contains(['/', '\\', '\0']));
                            }
                        }
                    }
                }
            }
        }
    }
}
