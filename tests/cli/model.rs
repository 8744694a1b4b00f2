//! The command line with a language model: the same settings as the service's, and a key that is never shown.

use crate::program::Desk;
use served::{Script, answer};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};

#[path = "../shared/model.rs"]
#[expect(
    dead_code,
    reason = "this command line is shown one honest model alone"
)]
mod served;

const MANUAL: &str = "# Kiln care\n\nHow to keep a kiln in good order, for those who fire it.\n\n\
## Clean the burner\n\nThe burner must never run above 40 degrees, because its seal softens. Turn the main switch off before you begin. \
Keep the lid open until the lamp is green.\n\n```sh\nkilnctl test --part burner\n```\n";
const KEY: &str = "sk-Command-Line-Secret";

/// A server that answers every request with the model's words, or refuses all of them and repeats the key.
fn server(is_refusing: bool) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.expect("a connection");
            let mut bytes = vec![];
            let mut piece = [0; 65_536];
            let body = loop {
                let count = connection.read(&mut piece).expect("a request");
                bytes.extend_from_slice(piece.get(..count).expect("what was read"));
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let whole = text.split_once("\r\n\r\n").filter(|(head, body)| {
                    let length = head.to_ascii_lowercase().lines().find_map(|line| {
                        line.strip_prefix("content-length: ")?.parse::<usize>().ok()
                    });
                    length.is_some_and(|length| body.len() >= length)
                });
                if let Some((_, body)) = whole {
                    break body.to_owned();
                }
                assert!(count > 0, "a whole request");
            };
            let (status, answer) = if is_refusing {
                (
                    401,
                    format!("{{\"error\":{{\"message\":\"wrong key {KEY}\"}}}}"),
                )
            } else {
                let question = serde_json::from_str(&body).expect("JSON");
                let answer = answer("/chat/completions", Script::Good, &question);
                (200, answer.expect("a protocol").to_string())
            };
            let _ = write!(
                connection,
                "HTTP/1.1 {status} Said\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{answer}",
                answer.len()
            );
        }
    });
    address
}

fn desk() -> Desk {
    let desk = Desk::new();
    std::fs::write(desk.path().join("manual.md"), MANUAL).expect("written");
    std::fs::write(desk.path().join("key"), KEY).expect("written");
    desk
}

fn arguments(address: SocketAddr) -> Vec<String> {
    let set = [
        "model.provider=openai".to_owned(),
        "model.model=any".to_owned(),
        "model.api_key_file=key".to_owned(),
        "log.level=trace".to_owned(),
        format!("model.base_url=http://{address}/v1"),
    ];
    let flags = set.into_iter().flat_map(|set| ["--set".to_owned(), set]);
    let command = ["generate", "manual.md", "--json"].map(str::to_owned);
    command.into_iter().chain(flags).collect()
}

#[test]
fn a_skill_is_written_with_the_model_of_the_settings() {
    let desk = desk();
    let arguments = arguments(server(false));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let written = desk.json(&arguments);
    let folder = desk.path().join(written["path"].as_str().expect("a path"));
    let skill = std::fs::read_to_string(folder.join("SKILL.md")).expect("a skill");
    for part in [
        "Turn the main switch off before you begin.",
        "kilnctl test --part burner",
        "## Where to read",
    ] {
        assert!(skill.contains(part), "{skill}");
    }
    let checks = written["validation"]["checks"].as_array().expect("checks");
    let entry = checks.iter().find(|check| check["id"] == "V099");
    assert_eq!(entry.expect("an entry")["passed"], true, "{entry:?}");
    let report = desk.json(&["validate", folder.to_str().expect("UTF-8"), "--json"]);
    assert_eq!(
        (&report["errors"], &report["warnings"]),
        (&0.into(), &0.into())
    );
}

#[test]
fn what_a_model_would_take_is_told_before_it_is_asked() {
    let desk = desk();
    let address = server(true);
    let prices = ["--set", "model.prices.input=1000000", "--estimate"];
    let mut arguments = arguments(address);
    arguments.extend(prices.map(str::to_owned));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let told = desk.json(&arguments);
    let input = told["input_tokens"].as_u64().expect("a number");
    assert!(
        input > 1_000 && told["output_tokens"].as_u64() > Some(500),
        "{told}"
    );
    assert_eq!(told["cost"].as_f64(), told["input_tokens"].as_f64());
    assert!(!desk.path().join("SKILL.md").exists());
}

#[test]
fn a_model_that_refuses_costs_the_draft_nothing_and_is_told_of_without_its_key() {
    let desk = desk();
    let arguments = arguments(server(true));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ended = desk.run(&arguments);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(
        ended.out.contains("the model that writes the skills"),
        "{}",
        ended.out
    );
    assert!(
        !ended.err.contains("sk-Command") && !ended.out.contains("sk-Command"),
        "{}",
        ended.err
    );
}

#[test]
fn the_cards_of_documents_are_measured_with_the_model_beside_those_of_the_source_alone() {
    let desk = desk();
    let folder = desk.path().join("measured");
    std::fs::create_dir(&folder).expect("made");
    std::fs::write(folder.join("manual.md"), MANUAL).expect("written");
    let questions = [
        (
            "What is never done?",
            "The burner must never run above 40 degrees",
        ),
        ("How is the burner tested?", "kilnctl test --part burner"),
        ("Who buys it?", "nobody has said such a thing"),
    ];
    let lines = questions.map(|(question, answer)| {
        let line =
            serde_json::json!({ "doc": "manual.md", "question": question, "answer_quote": answer });
        format!("{line}\n")
    });
    std::fs::write(folder.join("questions.jsonl"), lines.concat()).expect("written");
    let address = server(false);
    let all = arguments(address);
    let set = all.iter().skip(3).map(String::as_str);
    let prices = ["--set", "model.prices.output=1000000"];
    let mut measure = vec!["bench", "--author", "measured", "--json"];
    measure.extend(set.chain(prices));
    let told = desk.json(&measure);
    assert_eq!(told["claims"], serde_json::json!([]));
    let document = &told["documents"][0];
    assert_eq!(
        (&document["document"], &document["facts"]),
        (&"manual.md".into(), &3.into())
    );
    let cards = document["cards"].as_array().expect("cards");
    let authors: Vec<_> = cards.iter().map(|card| card["author"].as_str()).collect();
    assert_eq!(authors, [Some("extractive"), Some("model")], "{told}");
    for card in cards {
        assert_eq!(card["kept"], 2, "{card}");
        // What the document does not answer either is no task.
        assert_eq!(card["tasks"]["questions"], 2, "{card}");
        assert_eq!(card["tasks"]["body"], 1.0, "{card}");
        assert_eq!(card["errors"], 0, "{card}");
    }
    assert_eq!(
        (&cards[0]["tokens"], &cards[0]["cost"]),
        (&0.into(), &0.0.into())
    );
    assert!(cards[1]["tokens"].as_u64() > Some(0) && cards[1]["cost"].as_f64() > Some(0.0));
    // For people, and without a model.
    let page = desk.done(&["bench", "--author", "measured"]);
    assert!(
        page.contains("extractive: 2 of 3 facts in SKILL.md"),
        "{page}"
    );
    assert!(!page.contains("  model:"), "{page}");
}
