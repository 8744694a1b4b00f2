//! Owns the tests of reading an address and the pages of its site, against scripted sites.

use super::*;
use crate::domain::clock::Clock;
use crate::pipeline::extract::{Input, extract};
use crate::pipeline::pool::Pool;
use crate::pipeline::product::Extracted;
use crate::providers::fakes::{Reply, Request, Site as FakeSite, moved, not_found, page};
use crate::providers::video::{Video, VideoSettings};
use crate::providers::web::{Web, WebSettings};
use skillkiln_document::blocks::{BlockKind, Document};
use skillkiln_document::text::plain;

const WORDS: &str = "The kiln fires pots at nine hundred degrees, and its lid must stay closed until everything inside is cold again. Whoever opens it early risks that the glaze cracks, that the shelves bend, and that the next firing begins with a day of cleaning.";

fn reader() -> Reader {
    let web = Web::new(WebSettings {
        allow_private_addresses: true,
        timeout: Duration::from_secs(10),
        body_bytes_max: 1 << 20,
        user_agent: "skillkiln/tests".into(),
        proxy: None,
    });
    let video = Video::new(VideoSettings {
        base_url: "http://127.0.0.1:9".into(),
        yt_dlp: None,
        timeout: Duration::from_secs(1),
        body_bytes_max: 1 << 20,
        language: None,
        proxy: None,
        clients: Vec::new(),
    });
    Reader::new(
        Pool::start(2, 64).unwrap(),
        Clock::system(),
        web.unwrap(),
        video.unwrap(),
    )
}

async fn read(site: &FakeSite, path: &str, pages: u32) -> Result<Extracted, Failure> {
    let address = site.address(path);
    extract(&reader(), Input::Address { address, pages }).await
}

fn headings(document: &Document) -> Vec<String> {
    let mut found = Vec::new();
    document.walk(&mut |block| {
        if let BlockKind::Heading { level, text } = &block.kind {
            found.push(format!("{level} {}", plain(text)));
        }
    });
    found
}

/// A page of a manual whose navigation lists three pages, one of them twice, and leads elsewhere too.
fn manual(title: &str) -> Reply {
    html(&format!(
        "<title>{title}</title><nav><a href=/docs/>Start</a><a href=/docs/fire.html?utm_source=nav>Fire</a><a href=/docs/fire.html#lid>Lid</a><a href=/docs/cool>Cool</a><a href=/blog/news>News</a><a href=/docs/kiln.zip>All</a></nav><main><h1>{title}</h1><h2 id=more>More of {title}</h2><p>{title}: {WORDS}</p><pre>x</pre><pre>y</pre></main>"
    ))
}

fn html(body: &str) -> Reply {
    page("text/html; charset=utf-8", body)
}

fn manual_site(request: &Request) -> Reply {
    match request.path.as_str() {
        "/docs/" => manual("Start"),
        "/docs/fire.html?utm_source=nav" | "/docs/fire.html" => manual("Fire"),
        "/docs/cool" => manual("Cool"),
        _ => not_found(),
    }
}

#[tokio::test]
async fn a_site_is_read_in_the_order_of_its_navigation_and_no_page_twice() {
    let site = FakeSite::start(manual_site).await;
    let extracted = read(&site, "/docs/", 10).await.unwrap();
    assert_eq!(
        headings(&extracted.document),
        [
            "1 Start",
            "3 More of Start",
            "1 Fire",
            "3 More of Fire",
            "1 Cool",
            "3 More of Cool",
        ]
    );
    assert_eq!(extracted.document.title.as_deref(), Some("Start"));
    assert_eq!(extracted.origin.label, site.address("/docs/"));
    let mut asked = site.pages();
    asked.sort();
    assert_eq!(
        asked,
        ["/docs/", "/docs/cool", "/docs/fire.html?utm_source=nav"]
    );
    let places: Vec<&str> = extracted
        .document
        .blocks
        .iter()
        .filter_map(|block| block.span.fragment())
        .collect();
    assert!(places.contains(&"more"));
    let fire = site.address("/docs/fire.html?utm_source=nav#more");
    assert!(places.contains(&fire.as_str()), "{places:?}");
    let mut sound = true;
    extracted.document.walk(&mut |block| {
        sound &= extracted
            .document
            .text
            .get(block.span.bytes.clone())
            .is_some();
    });
    assert!(sound);
}

#[tokio::test]
async fn one_page_is_read_unless_more_are_asked_for_and_never_more_than_that() {
    let site = FakeSite::start(manual_site).await;
    read(&site, "/docs/", 1).await.unwrap();
    assert_eq!(site.pages(), ["/docs/"]);
    let two = read(&site, "/docs/", 2).await.unwrap();
    assert_eq!(headings(&two.document).len(), 4);
}

#[tokio::test]
async fn a_page_that_fails_is_left_out_and_counted() {
    let site = FakeSite::start(|request| match request.path.as_str() {
        "/docs/cool" => not_found(),
        _ => manual_site(request),
    })
    .await;
    let extracted = read(&site, "/docs/", 10).await.unwrap();
    assert!(!headings(&extracted.document).contains(&"1 Cool".to_owned()));
    let last = extracted.document.blocks.last().unwrap();
    assert_eq!(
        extracted.document.evidence(&last.span),
        "One more page of this site could not be read."
    );
    assert_eq!(
        crate::pipeline::assembly::unread(&extracted.document).as_deref(),
        Some("One more page of this site could not be read.")
    );
}

#[tokio::test]
async fn what_robots_txt_keeps_closed_stays_closed() {
    let site = FakeSite::start(|request| match request.path.as_str() {
        "/robots.txt" => page("text/plain", "User-agent: *\nDisallow: /docs/fire\n"),
        _ => manual_site(request),
    })
    .await;
    read(&site, "/docs/", 10).await.unwrap();
    assert!(!site.pages().iter().any(|path| path.contains("fire")));
}

#[tokio::test]
async fn pages_that_are_one_under_two_addresses_are_one() {
    let site = FakeSite::start(|request| match request.path.as_str() {
        "/docs/a" => html(&format!("<title>A</title><nav><a href=/docs/b>B</a><a href=/docs/c>C</a></nav><main><h1>A</h1><p>{WORDS}</p></main>")),
        "/docs/b" => moved("/docs/a"),
        "/docs/c" => html(&format!("<title>A</title><link rel=canonical href=/docs/a><main><h1>A</h1><p>{WORDS}</p></main>")),
        _ => not_found(),
    })
    .await;
    let extracted = read(&site, "/docs/a", 10).await.unwrap();
    assert_eq!(headings(&extracted.document), ["1 A"]);
}

#[tokio::test]
async fn a_sitemap_serves_where_pages_lead_nowhere() {
    let site = FakeSite::start(|request| match request.path.as_str() {
        "/sitemap.xml" => {
            let host = request.header("host").unwrap().to_owned();
            page("application/xml", &format!("<?xml version=\"1.0\"?><urlset><url><loc>http://{host}/docs/b</loc></url><url><loc>http://{host}/other</loc></url><url><loc>http://example.com/docs/c</loc></url></urlset>"))
        }
        "/docs/a" | "/docs/b" => html(&format!("<title>{0}</title><main><h1>{0}</h1><p>{WORDS}</p></main>", request.path)),
        _ => not_found(),
    })
    .await;
    let extracted = read(&site, "/docs/a", 10).await.unwrap();
    assert_eq!(headings(&extracted.document), ["1 /docs/a", "1 /docs/b"]);
}

#[tokio::test]
async fn the_twin_in_markdown_is_read_where_the_page_offers_it() {
    let site = FakeSite::start(|request| match request.path.as_str() {
        "/guide" => html(&format!("<title>Guide</title><meta name=author content=Ada><link rel=alternate type=text/markdown href=/guide.md><main><h1>Guide</h1><p>{WORDS}</p></main>")),
        "/guide.md" => page("text/markdown", &format!("# Guide\n\n{WORDS}\n\n```toml\na = 1\n```\n")),
        _ => not_found(),
    })
    .await;
    let extracted = read(&site, "/guide", 1).await.unwrap();
    assert!(extracted.document.text.contains("```toml"));
    assert_eq!(extracted.document.about.author.as_deref(), Some("Ada"));
    assert_eq!(
        extracted.document.about.address,
        Some(site.address("/guide"))
    );
}

#[tokio::test]
async fn a_twin_that_says_less_than_the_page_is_not_taken() {
    let site = FakeSite::start(|request| match request.path.as_str() {
        "/guide" => html(&format!("<title>Guide</title><link rel=alternate type=text/markdown href=/guide.md><main><h1>Guide</h1><p>{}</p></main>", WORDS.repeat(5))),
        "/guide.md" => page("text/markdown", &format!("# Guide\n\n{WORDS}\n")),
        _ => not_found(),
    })
    .await;
    let extracted = read(&site, "/guide", 1).await.unwrap();
    assert_eq!(extracted.document.text.matches("nine hundred").count(), 5);
}

const SHELL: &str =
    "<title>App</title><body><div id=\"root\"></div><script src=/app.js></script></body>";

#[tokio::test]
async fn a_page_that_scripts_fill_is_read_from_its_twins() {
    let site = FakeSite::start(|request| match request.path.as_str() {
        "/guide" | "/other" => html(SHELL),
        "/guide.md" => page("text/plain", &format!("# Guide\n\n{WORDS}\n")),
        "/llms.txt" => page("text/plain", &format!("# App\n\n> {WORDS}\n\n## Docs\n\n- [Other](/pages/other.md): the other\n- [Other](/other.md)\n")),
        _ => not_found(),
    })
    .await;
    let extracted = read(&site, "/guide", 1).await.unwrap();
    assert!(extracted.document.text.starts_with("# Guide"));
    // The list names a twin that is not there either.
    let failure = read(&site, "/other", 1).await.unwrap_err();
    assert!(failure.message.contains("scripts"), "{}", failure.message);
    assert!(site.pages().len() <= 2 + 5, "{:?}", site.pages());
}

#[tokio::test]
async fn the_data_that_gatsby_keeps_is_read() {
    let site = FakeSite::start(|request| match request.path.as_str() {
        "/guide/" => html("<title>G</title><div id=\"___gatsby\"></div><script src=/app.js></script>"),
        "/page-data/guide/page-data.json" => page(
            "application/json",
            &format!("{{\"result\":{{\"data\":{{\"markdownRemark\":{{\"html\":\"<h1>Guide</h1><p>{WORDS}</p><p>{WORDS}</p>\"}}}}}}}}"),
        ),
        _ => not_found(),
    })
    .await;
    let extracted = read(&site, "/guide/", 1).await.unwrap();
    assert_eq!(headings(&extracted.document), ["1 Guide"]);
}

/// Says what yt-dlp would about a video of another host, whose captions lie on `site`.
fn program(site: &FakeSite) -> (tempfile::TempDir, std::path::PathBuf) {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let (draft, ready) = (folder.path().join("draft"), folder.path().join("yt-dlp"));
    let track = site.address("/captions.vtt");
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *'--use-extractors vimeo '*) ;; *) exit 1;; esac\ncat <<END\n{{ \"title\": \"A talk\", \"uploader\": \"Ada\", \"subtitles\": {{ \"en\": [{{ \"ext\": \"vtt\", \"url\": \"{track}\" }}] }} }}\nEND\n"
    );
    std::fs::write(&draft, script).unwrap();
    // Another process writes the program: a file that one of our threads has open for writing cannot be run.
    let done = std::process::Command::new("install")
        .args(["-m", "755"])
        .args([&draft, &ready])
        .status();
    assert!(done.unwrap().success());
    (folder, ready)
}

#[tokio::test]
async fn a_video_of_another_host_is_read_by_its_named_reader_alone() {
    let site = FakeSite::start(|request| match request.path.as_str() {
        "/captions.vtt" => page(
            "text/vtt",
            "WEBVTT\n\n00:00.000 --> 00:02.000\nWe fire pots.\n\n00:02.000 --> 00:04.000\nThe lid stays closed.\n",
        ),
        _ => not_found(),
    })
    .await;
    let (_folder, yt_dlp) = program(&site);
    let video = Video::new(VideoSettings {
        base_url: "http://127.0.0.1:9".into(),
        yt_dlp: Some(yt_dlp),
        timeout: Duration::from_secs(10),
        body_bytes_max: 1 << 20,
        language: None,
        proxy: None,
        clients: Vec::new(),
    });
    let reader = Reader {
        video: video.unwrap(),
        ..reader()
    };
    let input = |address: &str| Input::Address {
        address: address.to_owned(),
        pages: 1,
    };
    let talk = extract(&reader, input("https://vimeo.com/76979871"))
        .await
        .unwrap();
    assert_eq!(headings(&talk.document), ["1 A talk"]);
    assert_eq!(talk.document.moments.len(), 2);
    assert_eq!(talk.document.about.author.as_deref(), Some("Ada"));
    // Any other address is a page, and the program is not asked about it.
    let other = extract(&reader, input(&site.address("/video"))).await;
    assert!(other.unwrap_err().message.contains("no page"));
    assert_eq!(site.pages(), ["/captions.vtt", "/video"]);
}

#[tokio::test]
async fn whoever_reads_a_text_is_not_given_room_for_reading_a_site() {
    let reader = reader();
    let reading = extract(&reader, Input::Text(WORDS.to_owned()));
    let bytes = size_of_val(&reading);
    assert!(
        bytes < 4_096,
        "{bytes} bytes are copied with each hand it goes through"
    );
    assert!(reading.await.is_ok());
}

/// A list of pages, as a site gives it.
fn sitemap(site: &str, pages: &[&str]) -> Reply {
    let listed: String = pages
        .iter()
        .map(|page| format!("<url><loc>http://{site}{page}</loc></url>"))
        .collect();
    let text = format!(
        "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{listed}</urlset>"
    );
    page("application/xml", &text)
}

#[tokio::test]
async fn a_sitemap_is_read_as_the_pages_that_it_lists_and_is_none_of_them() {
    let site = FakeSite::start(|request| {
        let host = request.header("host").unwrap_or_default().to_owned();
        match request.path.as_str() {
            "/lists/sitemap.xml" => {
                sitemap(&host, &["/docs/fire.html", "/docs/cool", "/blog/none"])
            }
            "/empty.xml" => sitemap(&host, &["/blog/none"]),
            _ => manual_site(request),
        }
    })
    .await;
    let first_of_each = |extracted: &Extracted| {
        let mut found = headings(&extracted.document);
        found.retain(|heading| heading.starts_with("1 "));
        found
    };
    let read_all = read(&site, "/lists/sitemap.xml", 1).await.unwrap();
    assert_eq!(first_of_each(&read_all), ["1 Fire", "1 Cool", "1 Start"]);
    let some = read(&site, "/lists/sitemap.xml", 2).await.unwrap();
    assert_eq!(first_of_each(&some), ["1 Fire", "1 Cool"]);
    let none = read(&site, "/empty.xml", 1).await.expect_err("no page");
    assert!(none.message.contains("sitemap"), "{}", none.message);
}
