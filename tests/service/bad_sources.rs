//! What comes of files and addresses that cannot be read: the contract's answer, the credit back, and books that balance.

use crate::support::app::App;
use crate::support::client::Part;
use crate::support::site::Site;
use std::io::{Cursor, Write as _};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A zip of these entries.
fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, zip::write::SimpleFileOptions::default())
            .expect("a zip in memory");
        zip.write_all(bytes).expect("a zip in memory");
    }
    zip.finish().expect("a zip in memory").into_inner()
}

#[tokio::test]
async fn every_kind_of_bad_file_is_told_of_and_its_credit_comes_back() {
    let app = App::with(|settings| settings.limits.generate_per_minute = 1_000).await;
    let someone = app.someone(1).await;
    let archive = zip(&[("a.md", b"# Kiln")]);
    let cut = &archive[..archive.len() / 2];
    let office = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 locked with a password".as_slice();
    let binary: Vec<u8> = (0..4_096u32)
        .map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0])
        .collect();
    let nested = "<div>".repeat(12_000);
    let cases: &[(&str, &[u8])] = &[
        ("mislabelled.md", b"\x89PNG\r\n\x1a\n picture"),
        ("mislabelled.pdf", b"These are words and no PDF."),
        ("cut.zip", cut),
        ("cut.docx", cut),
        ("cut.pdf", b"%PDF-1.7\n1 0 obj\n<< /Type"),
        ("locked.docx", office),
        ("noise.html", &binary),
        ("mainframe.txt", &[0xc8, 0x85, 0x81, 0xa3, 0x40].repeat(20)),
        ("nested.html", nested.as_bytes()),
        ("recording.mp3", b"ID3\x03 a recording"),
    ];
    for (filename, bytes) in cases {
        let answer = app
            .post("/api/v1/generate")
            .key(&someone.key)
            .form(&[Part::File("source", filename, bytes)])
            .send()
            .await;
        assert_eq!(
            answer.refusal(),
            (500, "GENERATION_FAILED".into()),
            "{filename}"
        );
        assert!(
            answer.text().contains(filename),
            "it names the file: {}",
            answer.text()
        );
        let credits = app.get("/api/v1/credits").key(&someone.key).send().await;
        assert_eq!(credits.json()["credits_remaining"], 1, "{filename}");
        let books = app.books().await;
        assert_eq!((books.available, books.reserved, books.posted), (1, 0, 0));
    }
}

/// A site that sends its visitors in circles, never ends what it says, or never begins.
async fn endless_site() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            tokio::spawn(misbehave(connection));
        }
    });
    address
}

async fn misbehave(mut connection: TcpStream) {
    let mut head = vec![];
    let mut piece = [0; 4096];
    while !head.windows(4).any(|four| four == b"\r\n\r\n") {
        match connection.read(&mut piece).await {
            Ok(read) if read > 0 => head.extend_from_slice(&piece[..read]),
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or("/");
    let begin = match path {
        "/circle" => "HTTP/1.1 302 Found\r\nLocation: /circle\r\nContent-Length: 0\r\n\r\n",
        "/to-and-fro" => "HTTP/1.1 302 Found\r\nLocation: /fro\r\nContent-Length: 0\r\n\r\n",
        "/fro" => "HTTP/1.1 302 Found\r\nLocation: /to-and-fro\r\nContent-Length: 0\r\n\r\n",
        "/endless" => "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>",
        "/silent" => "",
        _ => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    };
    let _ = connection.write_all(begin.as_bytes()).await;
    match path {
        "/endless" => while connection.write_all(&[b'a'; 4096]).await.is_ok() {},
        "/silent" => {
            // Until the visitor gives up.
            let _ = connection.read(&mut piece).await;
        }
        _ => {}
    }
}

#[tokio::test]
async fn circles_silence_and_endless_pages_are_told_of_and_their_credit_comes_back() {
    let app = App::with(|settings| {
        settings.limits.generate_per_minute = 1_000;
        settings.fetch.timeout_s = 1;
        settings.fetch.body_bytes_max = 256 << 10;
    })
    .await;
    let site = endless_site().await;
    let someone = app.someone(1).await;
    for path in ["/circle", "/to-and-fro", "/endless", "/silent"] {
        let page = format!("http://{site}{path}");
        let answer = app
            .post("/api/v1/generate")
            .key(&someone.key)
            .form(&[Part::Text("source", &page)])
            .send()
            .await;
        assert_eq!(
            answer.refusal(),
            (500, "GENERATION_FAILED".into()),
            "{path}: {}",
            answer.text()
        );
        let credits = app.get("/api/v1/credits").key(&someone.key).send().await;
        assert_eq!(credits.json()["credits_remaining"], 1, "{path}");
        let books = app.books().await;
        assert_eq!((books.available, books.reserved, books.posted), (1, 0, 0));
    }
}

#[tokio::test]
async fn an_address_typed_without_its_scheme_and_what_a_client_writes_for_nothing_are_400_and_free()
{
    let app = App::with(|settings| {
        settings.limits.generate_per_minute = 1_000;
        settings.limits.other_per_minute = 1_000;
    })
    .await;
    let someone = app.someone(1).await;
    let topic = r#"[{"topicName":"Kilns","slug":"kilns","description":"","estimatedWordCount":1}]"#;
    for (source, advice) in [
        ("youtube.com/watch?v=dQw4w9WgXcQ", "https://"),
        ("www.kiln.example/guide", "https://"),
        ("https://kiln.example/My Guide.html", "%20"),
        ("manual.pdf", "attach the file"),
        ("C:\\Users\\me\\manual.pdf", "attach the file"),
        (
            "https://a.example/x\nhttps://b.example/y\n",
            "one request an address",
        ),
        ("[object Object]", "append a File"),
        ("[object File]", "append a File"),
        ("undefined", "append a File"),
        ("null", "append a File"),
        ("Fire the kiln slowly.", "at least 20"),
    ] {
        for path in [
            "/api/v1/generate",
            "/api/v1/detect-topics",
            "/api/v1/generate/catalogue",
        ] {
            let mut parts = vec![Part::Text("source", source)];
            if path.ends_with("catalogue") {
                parts.push(Part::Text("selected_topics", topic));
            }
            let answer = app.post(path).key(&someone.key).form(&parts).send().await;
            assert_eq!(
                answer.refusal(),
                (400, "VALIDATION_ERROR".into()),
                "{path} {source}"
            );
            assert!(
                answer.text().contains(advice),
                "{source}: {}",
                answer.text()
            );
        }
    }
    // Said to be a text, an address is one, of too few words; nobody fetches it.
    let explicit = [
        Part::Text("source", "https://kiln.example/guide"),
        Part::Text("source_type", "text"),
    ];
    let answer = app
        .post("/api/v1/generate")
        .key(&someone.key)
        .form(&explicit)
        .send()
        .await;
    assert_eq!(answer.refusal(), (400, "VALIDATION_ERROR".into()));
    assert!(answer.text().contains("at least 20"), "{}", answer.text());
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (1, 0, 0));
}

#[tokio::test]
async fn a_page_and_a_file_of_a_few_words_fail_with_the_number_and_their_credit_comes_back() {
    let app = App::with(|settings| settings.limits.generate_per_minute = 1_000).await;
    let site = Site::start(&[("/short", 200, "<h1>Kiln</h1><p>Fire it slowly.</p>")]).await;
    let someone = app.someone(1).await;
    let page = site.page("/short");
    for part in [
        Part::Text("source", &page),
        Part::File("source", "kiln.md", b"# Kiln\n\nFire it slowly.\n"),
    ] {
        let answer = app
            .post("/api/v1/generate")
            .key(&someone.key)
            .form(&[part])
            .send()
            .await;
        assert_eq!(answer.refusal(), (500, "GENERATION_FAILED".into()));
        assert!(answer.text().contains("4 words"), "{}", answer.text());
        assert!(answer.text().contains("at least 20"), "{}", answer.text());
    }
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (1, 0, 0));
}
