//! Owns the tests of the safe fetch, against a scripted site and a scripted network.

use super::*;
use crate::providers::fakes::{Network, Reply, Site, answer_with, moved, not_found, page};
use skillkiln_document::failure::Reason;
use std::io::Write;

const PUBLIC: &str = "93.184.215.14";
const KIB: usize = 1 << 10;

fn settings() -> WebSettings {
    WebSettings {
        allow_private_addresses: true,
        timeout: Duration::from_secs(10),
        body_bytes_max: 64 * KIB,
        user_agent: "skillkiln/0.1".to_owned(),
        proxy: None,
    }
}

fn web() -> Web {
    Web::new(settings()).unwrap()
}

/// A fetcher that refuses private addresses, on a scripted network.
fn guarded(network: Network) -> Web {
    let settings = WebSettings {
        allow_private_addresses: false,
        ..settings()
    };
    Web::on_network(settings, Arc::new(network)).unwrap()
}

async fn failure(web: &Web, address: &str) -> Failure {
    web.fetch(address).await.unwrap_err()
}

#[tokio::test]
async fn a_page_comes_with_its_type_and_the_address_it_was_found_at() {
    let site = Site::start(|request| match request.path.as_str() {
        "/old" => moved("/middle?x=1"),
        "/middle?x=1" => moved("new"),
        "/new" => page("text/html; charset=windows-1251", "<p>hello</p>"),
        _ => not_found(),
    })
    .await;
    let page = web().fetch(&site.address("/old#part")).await.unwrap();
    assert_eq!(page.final_address, site.address("/new"));
    assert_eq!(
        page.content_type.as_deref(),
        Some("text/html; charset=windows-1251")
    );
    assert_eq!(page.bytes, "<p>hello</p>");
    assert_eq!(site.pages(), ["/old", "/middle?x=1", "/new"]);
    assert_eq!(
        site.requests()[1].header("user-agent"),
        Some("skillkiln/0.1")
    );
}

#[tokio::test]
async fn five_redirects_are_followed_and_a_sixth_is_not() {
    let site = Site::start(
        |request| match request.path.trim_start_matches('/').parse() {
            Ok(0) => page("text/plain", "there"),
            Ok(n) => moved(&format!("/{}", n - 1)),
            Err(_) => not_found(),
        },
    )
    .await;
    assert_eq!(
        web().fetch(&site.address("/5")).await.unwrap().bytes,
        "there"
    );
    let refused = failure(&web(), &site.address("/6")).await;
    assert_eq!(refused.reason, Reason::Unreachable);
    assert!(refused.message.contains("redirects again and again"));
}

#[tokio::test]
async fn a_redirect_to_itself_that_sets_a_cookie_leads_to_the_page_and_the_cookie_is_forgotten() {
    let site = Site::start(
        |request| match (request.path.as_str(), request.header("cookie")) {
            ("/robots.txt", _) => not_found(),
            (_, Some("seen=1")) => answer_with("200 OK", &[("ETag", "\"a\"")], b"<p>hello</p>"),
            _ => answer_with(
                "302 Found",
                &[("Set-Cookie", "seen=1; Path=/"), ("Location", "/door")],
                b"",
            ),
        },
    )
    .await;
    let web = web();
    for _ in 0..2 {
        let page = web.fetch(&site.address("/door")).await.unwrap();
        assert_eq!(page.bytes, "<p>hello</p>");
    }
    assert_eq!(site.pages(), ["/door"; 4]);
    assert_eq!(site.requests()[3].header("cookie"), None);
}

#[tokio::test]
async fn a_page_that_refreshes_to_another_is_followed_as_a_redirect_is() {
    let site = Site::start(|request| match request.path.as_str() {
        "/docs/old" => page(
            "text/html",
            "<meta http-equiv=refresh content='0; url=../new/'>",
        ),
        "/new/" => page("text/html", "<p>there</p>"),
        "/loop" | "/pool" => page(
            "text/html",
            &format!(
                "<meta http-equiv=refresh content='0; url=/{}'>",
                request
                    .path
                    .chars()
                    .skip(1)
                    .collect::<Vec<_>>()
                    .iter()
                    .rev()
                    .collect::<String>()
            ),
        ),
        _ => not_found(),
    })
    .await;
    let found = web().fetch(&site.address("/docs/old")).await.unwrap();
    assert_eq!(found.final_address, site.address("/new/"));
    let endless = failure(&web(), &site.address("/loop")).await;
    assert!(endless.message.contains("again and again"));
}

#[tokio::test]
async fn a_deflated_body_is_read_with_the_head_of_zlib_or_without_one() {
    let words = "The kiln is lit at night. ".repeat(400);
    let mut raw = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    raw.write_all(words.as_bytes()).unwrap();
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    zlib.write_all(words.as_bytes()).unwrap();
    let mut bomb = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    bomb.write_all(&vec![b'x'; 1 << 20]).unwrap();
    let bodies = [raw, bomb].map(|body| body.finish().unwrap());
    let zlib = zlib.finish().unwrap();
    let site = Site::start(move |request| {
        let body: &[u8] = match request.path.as_str() {
            "/raw" => &bodies[0],
            "/zlib" => &zlib,
            "/bomb" => &bodies[1],
            "/none" => b"<p>words</p>",
            _ => return not_found(),
        };
        answer_with("200 OK", &[("Content-Encoding", "deflate")], body)
    })
    .await;
    for path in ["/raw", "/zlib"] {
        let found = web().fetch(&site.address(path)).await.unwrap();
        assert_eq!(found.bytes, words.as_bytes(), "{path}");
    }
    let large = failure(&web(), &site.address("/bomb")).await;
    assert_eq!(large.reason, Reason::TooLarge);
    let broken = failure(&web(), &site.address("/none")).await;
    assert!(broken.message.contains("broke off"), "{}", broken.message);
}

#[tokio::test]
async fn a_redirect_to_nowhere_is_explained() {
    let site = Site::start(|request| match request.path.as_str() {
        "/robots.txt" => not_found(),
        _ => answer_with("301 Moved Permanently", &[], b""),
    })
    .await;
    let lost = failure(&web(), &site.address("/")).await;
    assert!(lost.message.contains("does not say where to"));
}

#[tokio::test]
async fn a_redirect_into_a_private_network_is_not_followed() {
    for target in [
        "http://127.0.0.1:8080/admin",
        "http://[::ffff:7f00:1]:8080/",
        "//169.254.169.254/latest/meta-data/",
        "http://0x7f000001/",
        "http://metadata.google.internal/",
        "http://inside.example.com/",
        "file:///etc/passwd",
        "http://user:secret@site.example.com/",
    ] {
        let site = Site::start(move |request| match request.path.as_str() {
            "/page" => moved(target),
            _ => not_found(),
        })
        .await;
        let network = Network::default()
            .name("site.example.com", &[&[PUBLIC]])
            .name("inside.example.com", &[&["10.1.2.3"]])
            .lands(PUBLIC, &site);
        let refused = failure(&guarded(network), "http://site.example.com/page").await;
        assert_eq!(refused.reason, Reason::Unreachable);
        assert!(refused.message.contains("public"), "{}", refused.message);
        for secret in ["127.0", "7f00", "169.254", "10.1", "secret", "passwd"] {
            assert!(!refused.message.contains(secret), "{}", refused.message);
        }
        assert_eq!(site.pages(), ["/page"], "{target}");
    }
}

#[tokio::test]
async fn a_name_is_refused_when_any_of_its_addresses_is_private() {
    let site = Site::start(|_| page("text/plain", "inside")).await;
    for answers in [
        vec!["127.0.0.1"],
        vec![PUBLIC, "10.0.0.1"],
        vec![PUBLIC, "::ffff:192.168.0.1"],
        vec!["64:ff9b::a00:1"],
    ] {
        let network = Network::default()
            .name("mixed.example.com", &[&answers])
            .lands(PUBLIC, &site);
        let refused = failure(&guarded(network), "http://mixed.example.com/").await;
        assert!(
            refused.message.contains("not public"),
            "{}",
            refused.message
        );
    }
    assert!(site.requests().is_empty());
}

#[tokio::test]
async fn a_name_that_turns_private_after_the_first_look_up_is_refused() {
    let site = Site::start(|request| match request.path.as_str() {
        "/robots.txt" => not_found(),
        _ => page("text/plain", "inside"),
    })
    .await;
    let network = Network::default()
        .name("rebind.example.com", &[&[PUBLIC], &["127.0.0.1"]])
        .lands(PUBLIC, &site);
    let refused = failure(&guarded(network), "http://rebind.example.com/").await;
    assert!(refused.message.contains("not public"));
    assert!(site.pages().is_empty());
}

#[tokio::test]
async fn an_unknown_name_says_so() {
    let unknown = failure(&guarded(Network::default()), "https://typo.example.com/").await;
    assert_eq!(unknown.reason, Reason::Unreachable);
    assert!(unknown.message.contains("typo.example.com is not known"));
}

#[tokio::test]
async fn a_server_that_does_not_speak_tls_is_called_insecure_and_a_closed_port_unreachable() {
    let site = Site::start(|_| page("text/plain", "plain text")).await;
    let insecure = failure(&web(), &site.address("/").replace("http:", "https:")).await;
    assert!(
        insecure.message.contains("no secure connection"),
        "{}",
        insecure.message
    );
    let closed = failure(&web(), "http://127.0.0.1:1/").await;
    assert!(closed.message.contains("cannot be reached"));
}

#[tokio::test]
async fn silence_ends_when_the_time_is_over() {
    let settings = WebSettings {
        timeout: Duration::from_millis(300),
        ..settings()
    };
    let web = Web::new(settings).unwrap();
    for reply in [
        Vec::new(),
        b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nslowly".to_vec(),
    ] {
        let site = Site::start(move |request| match request.path.as_str() {
            "/robots.txt" => not_found(),
            _ => Reply::Hang(reply.clone()),
        })
        .await;
        let late = failure(&web, &site.address("/")).await;
        assert_eq!(late.reason, Reason::Unreachable);
        assert!(
            late.message.contains("did not deliver the page"),
            "{}",
            late.message
        );
    }
}

#[tokio::test]
async fn a_robots_txt_that_never_ends_does_not_keep_the_page() {
    let site = Site::start(|request| match request.path.as_str() {
        "/robots.txt" => Reply::Endless(
            b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /no\n".to_vec(),
            vec![b'#'; KIB],
        ),
        _ => page("text/plain", "read"),
    })
    .await;
    assert_eq!(
        web().fetch(&site.address("/yes")).await.unwrap().bytes,
        "read"
    );
    let refused = failure(&web(), &site.address("/no")).await;
    assert!(refused.message.contains("robots.txt"));
    assert_eq!(site.pages(), ["/yes"]);
}

#[tokio::test]
async fn bodies_are_counted_after_decompression_and_cut_at_the_bound() {
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..256 {
        bomb.write_all(&vec![0; 64 * KIB]).unwrap();
    }
    let bomb = bomb.finish().unwrap();
    assert!(bomb.len() < 32 * KIB);
    let site = Site::start(move |request| match request.path.as_str() {
        "/bomb" => answer_with("200 OK", &[("Content-Encoding", "gzip")], &bomb),
        "/endless" => Reply::Endless(b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), vec![b'x'; KIB]),
        "/announced" => Reply::Hang(b"HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n".to_vec()),
        "/fits" => page("text/plain", &"x".repeat(64 * KIB)),
        _ => not_found(),
    })
    .await;
    for path in ["/bomb", "/endless", "/announced"] {
        let large = failure(&web(), &site.address(path)).await;
        assert_eq!(large.reason, Reason::TooLarge, "{path}: {}", large.message);
        assert!(large.message.contains("larger than 64 KiB"));
    }
    let fits = web().fetch(&site.address("/fits")).await.unwrap();
    assert_eq!(fits.bytes.len(), 64 * KIB);
}

#[tokio::test]
async fn what_holds_no_words_is_refused_without_reading_it() {
    let site = Site::start(|request| {
        let kind = match request.path.as_str() {
            "/robots.txt" => return not_found(),
            "/a.png" => "image/png",
            "/a.mp3" => "Audio/MPEG",
            "/a.ts" => return page("video/mp2t", "const a = 1;"),
            _ => "video/mp4",
        };
        // The body never comes: whoever waits for it, waits for ever.
        Reply::Hang(
            format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: 9\r\n\r\n")
                .into_bytes(),
        )
    })
    .await;
    for (path, word) in [
        ("/a.png", "an image"),
        ("/a.mp3", "a sound recording"),
        ("/a.mp4", "a video file"),
    ] {
        let wordless = failure(&web(), &site.address(path)).await;
        assert_eq!(wordless.reason, Reason::Unreadable);
        assert!(wordless.message.contains(word), "{}", wordless.message);
    }
    assert!(web().fetch(&site.address("/a.ts")).await.is_ok());
}

#[tokio::test]
async fn a_status_other_than_success_reaches_the_user() {
    let site = Site::start(|request| match request.path.as_str() {
        "/login" => answer_with("401 Unauthorized", &[], b"secret words"),
        "/busy" => answer_with("429 Too Many Requests", &[("Retry-After", "40")], b""),
        "/ill" => answer_with("500 Internal Server Error", &[], b""),
        _ => not_found(),
    })
    .await;
    for (path, words) in [
        ("/login", "login"),
        ("/busy", "try again in 40 s"),
        ("/ill", "fault of its own"),
        ("/gone", "404"),
    ] {
        let told = failure(&web(), &site.address(path)).await;
        assert!(told.message.contains(words), "{}", told.message);
        assert!(!told.message.contains("secret"));
    }
}

#[tokio::test]
async fn a_disallowed_page_is_not_asked_for_and_the_rules_are_read_once() {
    let site = Site::start(|request| match request.path.as_str() {
        "/robots.txt" => moved("/rules"),
        "/rules" => page("text/plain", "User-agent: skillkiln\nDisallow: /private"),
        _ => page("text/plain", "open"),
    })
    .await;
    let web = web();
    let refused = failure(&web, &site.address("/private/a")).await;
    assert_eq!(refused.reason, Reason::Unreachable);
    assert!(refused.message.contains("robots.txt"));
    assert!(web.fetch(&site.address("/public")).await.is_ok());
    assert_eq!(site.pages(), ["/rules", "/public"]);
}

#[tokio::test]
async fn a_page_that_did_not_change_is_not_sent_again() {
    let site = Site::start(|request| match request.path.as_str() {
        "/page" if request.header("if-none-match") == Some("\"v1\"") => {
            Reply::Whole(b"HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n".to_vec())
        }
        "/page" => answer_with(
            "200 OK",
            &[("ETag", "\"v1\""), ("Content-Type", "text/html")],
            b"<p>kept</p>",
        ),
        "/secret" if request.header("if-none-match").is_some() => not_found(),
        "/secret" => answer_with(
            "200 OK",
            &[("ETag", "\"s\""), ("Cache-Control", "private, no-store")],
            b"not kept",
        ),
        _ => not_found(),
    })
    .await;
    let web = web();
    let first = web.fetch(&site.address("/page")).await.unwrap();
    let second = web.fetch(&site.address("/page")).await.unwrap();
    assert_eq!(first, second);
    assert_eq!(second.content_type.as_deref(), Some("text/html"));
    for _ in 0..2 {
        assert_eq!(
            web.fetch(&site.address("/secret")).await.unwrap().bytes,
            "not kept"
        );
    }
}

#[tokio::test]
async fn a_bad_address_fails_before_anything_is_called() {
    for address in ["", "example.com", "ftp://example.com/", "http://"] {
        assert_eq!(
            failure(&web(), address).await.reason,
            Reason::Unreachable,
            "{address}"
        );
    }
    let literal = failure(&guarded(Network::default()), "http://127.0.0.1/").await;
    assert!(literal.message.contains("not on the public internet"));
}

#[tokio::test]
async fn what_was_made_for_one_visitor_is_not_kept_for_others() {
    let private: [(&str, &str); 4] = [
        ("Cache-Control", "private, max-age=60"),
        ("Vary", "Accept-Encoding, Cookie"),
        ("Vary", "*"),
        ("Set-Cookie", "session=1"),
    ];
    for header in private {
        let site = Site::start(move |request| {
            if request.header("if-none-match").is_some() {
                return not_found();
            }
            answer_with(
                "200 OK",
                &[("ETag", "\"v1\""), ("Content-Type", "text/html"), header],
                b"<p>yours</p>",
            )
        })
        .await;
        let web = web();
        for _ in 0..2 {
            web.fetch(&site.address("/page")).await.unwrap();
        }
        let asked = site.requests();
        assert!(
            asked
                .iter()
                .all(|request| request.header("cookie").is_none())
        );
    }
}

#[tokio::test]
async fn a_page_is_kept_under_its_address_without_the_fragment() {
    let site = Site::start(|request| {
        if request.header("if-none-match").is_some() {
            return Reply::Whole(
                b"HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n".to_vec(),
            );
        }
        answer_with(
            "200 OK",
            &[
                ("ETag", "\"v1\""),
                ("Content-Type", "text/html"),
                ("Vary", "Accept"),
            ],
            b"<p>kept</p>",
        )
    })
    .await;
    let web = web();
    web.fetch(&site.address("/page#a")).await.unwrap();
    let again = web.fetch(&site.address("/page#b")).await.unwrap();
    assert_eq!(&again.bytes[..], b"<p>kept</p>");
    assert_eq!(again.final_address, site.address("/page#b"));
    let last = site.requests().pop().unwrap();
    assert_eq!(last.header("if-none-match"), Some("\"v1\""));
}

#[tokio::test]
async fn a_check_for_robots_is_told_as_such_whatever_its_status() {
    for (status, header) in [
        ("403 Forbidden", ("cf-mitigated", "challenge")),
        ("202 Accepted", ("x-amzn-waf-action", "challenge")),
        ("405 Method Not Allowed", ("x-amzn-waf-action", "captcha")),
        ("403 Forbidden", ("x-datadome", "protected")),
    ] {
        let site = Site::start(move |request| match request.path.as_str() {
            "/robots.txt" => not_found(),
            _ => answer_with(status, &[("Content-Type", "text/html"), header], b"<p>wait"),
        })
        .await;
        let failure = web().fetch(&site.address("/page")).await.unwrap_err();
        assert!(failure.message.contains("puzzle"), "{}", failure.message);
    }
}

#[tokio::test]
async fn a_page_is_asked_for_through_the_proxy_and_its_name_is_checked_all_the_same() {
    let proxy = Site::start(|request| match request.path.as_str() {
        "http://kiln.example/guide" => page("text/plain", "slowly"),
        _ => not_found(),
    })
    .await;
    let settings = WebSettings {
        allow_private_addresses: false,
        proxy: Some(proxy.address("").parse().unwrap()),
        ..settings()
    };
    let network = Network::default()
        .name("kiln.example", &[&[PUBLIC]])
        .name("inside.example", &[&["10.0.0.7"]]);
    let web = Web::on_network(settings, Arc::new(network)).unwrap();
    let found = web.fetch("http://kiln.example/guide").await.unwrap();
    assert_eq!(&found.bytes[..], b"slowly");
    let asked = proxy.requests().len();
    for (address, says) in [
        ("http://inside.example/", "not public"),
        ("http://unknown.example/", "not known"),
        ("http://10.0.0.7/", "not on the public internet"),
    ] {
        let refused = failure(&web, address).await;
        assert!(
            refused.message.contains(says),
            "{address}: {}",
            refused.message
        );
    }
    assert_eq!(
        proxy.requests().len(),
        asked,
        "none of these was asked of the proxy"
    );
}
