//! Tests of the conversation with a model: what is sent in each protocol, what is asked again and after which pause, what is
//! given up. The clock is simulated.

use super::*;
use crate::domain::vitals::Circuit;
use crate::providers::fakes::{Reply, Request, Site, answer_with, page};
use serde_json::json;
use skillkiln_document::failure::Reason;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;

const KEY: &str = "sk-Very-Secret-1";

fn settings(protocol: Protocol, site: &Site) -> ModelSettings {
    ModelSettings {
        protocol,
        base_url: site.address("/v1"),
        model: "some-model".into(),
        judge: String::new(),
        key: Some(KEY.into()),
        context_tokens: 8_000,
        answer_tokens_max: 1_000,
        temperature: None,
        seed: None,
        reasoning_effort: String::new(),
        api_version: "2024-10-21".into(),
        headers: vec![],
        timeout: Duration::from_secs(30),
        attempts_max: 4,
        at_once: 2,
        cache_bytes_max: 1 << 20,
        shelf: None,
    }
}

fn question(sameness: &str) -> Question {
    Question {
        system: "Be true.".into(),
        source: "With this.".into(),
        task: "Do it.".into(),
        form: "answer",
        schema: Some(json!({ "type": "object" })),
        is_judging: false,
        sameness: sameness.into(),
    }
}

/// A server that plays its replies one after the other, the last one for ever.
async fn server(replies: Vec<Reply>) -> Site {
    let replies = Mutex::new(replies.into_iter().map(Arc::new).collect::<Vec<_>>());
    Site::start(move |_| {
        let mut replies = replies.lock().unwrap();
        let reply = if replies.len() > 1 {
            replies.remove(0)
        } else {
            Arc::clone(&replies[0])
        };
        match &*reply {
            Reply::Whole(bytes) => Reply::Whole(bytes.clone()),
            Reply::Hang(bytes) => Reply::Hang(bytes.clone()),
            Reply::Endless(first, again) => Reply::Endless(first.clone(), again.clone()),
        }
    })
    .await
}

fn says(text: &str) -> Reply {
    let body = json!({
        "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 7, "completion_tokens": 3 },
    });
    page("application/json", &body.to_string())
}

fn status(line: &str, headers: &[(&str, &str)]) -> Reply {
    answer_with(
        line,
        headers,
        b"{\"error\":{\"message\":\"no sk-Very-Secret-1\"}}",
    )
}

fn in_seconds(seconds: u64) -> Instant {
    Instant::now() + Duration::from_secs(seconds)
}

/// Asks once, and takes any answer but `{}`.
async fn ask(model: &Model, sameness: &str, seconds: u64) -> Result<String, Failure> {
    let read = |text: &str| (text != "{}").then(|| text.to_owned());
    let until = in_seconds(seconds);
    let (question, meter) = (question(sameness), Meter::default());
    let asked = model.ask(&question, until, &meter, read).await;
    asked.map_err(|lost| lost.failure)
}

async fn asked(replies: Vec<Reply>, seconds: u64) -> (Result<String, Failure>, usize, Model) {
    let site = server(replies).await;
    let model = Model::new(settings(Protocol::OpenAi, &site)).unwrap();
    let outcome = ask(&model, "a", seconds).await;
    (outcome, site.requests().len(), model)
}

fn sent(request: &Request) -> Value {
    serde_json::from_str(&request.body).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_question_is_put_as_openai_servers_expect_it() {
    let site = server(vec![says("yes")]).await;
    let model = Model::new(settings(Protocol::OpenAi, &site)).unwrap();
    assert_eq!(ask(&model, "a", 100).await, Ok("yes".to_owned()));
    let request = &site.requests()[0];
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/v1/chat/completions")
    );
    assert_eq!(
        request.header("authorization"),
        Some("Bearer sk-Very-Secret-1")
    );
    let body = sent(request);
    assert_eq!(body["model"], "some-model");
    assert_eq!(body["max_tokens"], 1_000);
    assert_eq!(
        body["messages"],
        json!([{ "role": "system", "content": "Be true." }, { "role": "user", "content": "With this.\n\nDo it." }])
    );
    assert_eq!(body["response_format"]["json_schema"]["name"], "answer");
    assert_eq!(body["response_format"]["json_schema"]["strict"], true);
    let figures = model.observe();
    assert_eq!((figures.tokens_in, figures.tokens_out), (7, 3));
}

#[tokio::test(start_paused = true)]
async fn a_question_is_put_as_anthropic_expects_it() {
    let body = json!({
        "type": "message", "role": "assistant", "stop_reason": "tool_use",
        "content": [{ "type": "text", "text": "Here." }, { "type": "tool_use", "id": "t", "name": "answer", "input": { "a": 1 } }],
        "usage": { "input_tokens": 5, "output_tokens": 2 },
    });
    let site = server(vec![page("application/json", &body.to_string())]).await;
    let model = Model::new(settings(Protocol::Anthropic, &site)).unwrap();
    assert_eq!(ask(&model, "a", 100).await, Ok("{\"a\":1}".to_owned()));
    let request = &site.requests()[0];
    assert_eq!(request.path, "/v1/messages");
    assert_eq!(request.header("x-api-key"), Some(KEY));
    assert_eq!(request.header("anthropic-version"), Some("2023-06-01"));
    let body = sent(request);
    assert_eq!(
        (body["system"].as_str(), body["max_tokens"].as_u64()),
        (Some("Be true."), Some(1_000))
    );
    let parts = &body["messages"][0]["content"];
    assert_eq!(parts[0]["cache_control"]["type"], "ephemeral");
    assert_eq!(parts[1], json!({ "type": "text", "text": "Do it." }));
    assert_eq!(
        body["tool_choice"],
        json!({ "type": "tool", "name": "answer" })
    );
    assert_eq!(
        body["tools"][0]["input_schema"],
        json!({ "type": "object" })
    );
}

#[tokio::test(start_paused = true)]
async fn a_question_is_put_as_azure_expects_it() {
    let site = server(vec![says("yes")]).await;
    let own = ModelSettings {
        base_url: site.address(""),
        reasoning_effort: "low".into(),
        headers: vec![("x-gateway".into(), "a b".into())],
        ..settings(Protocol::Azure, &site)
    };
    let model = Model::new(own).unwrap();
    assert_eq!(ask(&model, "a", 100).await, Ok("yes".to_owned()));
    let request = &site.requests()[0];
    assert_eq!(
        request.path,
        "/openai/deployments/some-model/chat/completions?api-version=2024-10-21"
    );
    assert_eq!(request.header("api-key"), Some(KEY));
    assert_eq!(request.header("authorization"), None);
    assert_eq!(request.header("x-gateway"), Some("a b"));
    let body = sent(request);
    assert_eq!(
        (&body["max_completion_tokens"], &body["reasoning_effort"]),
        (&json!(1_000), &json!("low"))
    );
    assert_eq!(body["response_format"]["type"], "json_schema");
}

#[tokio::test(start_paused = true)]
async fn a_question_is_put_as_gemini_expects_it() {
    let body = json!({
        "candidates": [{ "finishReason": "STOP", "content": { "role": "model", "parts": [
            { "text": "I think.", "thought": true }, { "text": "{\"a\":" }, { "text": "1}" },
        ] } }],
        "usageMetadata": {
            "promptTokenCount": 9, "cachedContentTokenCount": 4, "candidatesTokenCount": 2, "thoughtsTokenCount": 3,
        },
    });
    let site = server(vec![page("application/json", &body.to_string())]).await;
    let model = Model::new(settings(Protocol::Gemini, &site)).unwrap();
    assert_eq!(ask(&model, "a", 100).await, Ok("{\"a\":1}".to_owned()));
    let request = &site.requests()[0];
    assert_eq!(request.path, "/v1/models/some-model:generateContent");
    assert_eq!(request.header("x-goog-api-key"), Some(KEY));
    let body = sent(request);
    assert_eq!(body["systemInstruction"]["parts"][0]["text"], "Be true.");
    assert_eq!(
        body["contents"][0]["parts"],
        json!([{ "text": "With this." }, { "text": "Do it." }])
    );
    assert_eq!(
        body["generationConfig"],
        json!({
            "maxOutputTokens": 1_000, "responseMimeType": "application/json", "responseJsonSchema": { "type": "object" },
        })
    );
    let figures = model.observe();
    assert_eq!(
        (figures.tokens_in, figures.tokens_cached, figures.tokens_out),
        (9, 4, 5)
    );
}

#[tokio::test(start_paused = true)]
async fn what_gemini_will_not_say_is_no_fault_of_the_server() {
    for body in [
        json!({ "promptFeedback": { "blockReason": "SAFETY" } }),
        json!({ "candidates": [{ "finishReason": "SAFETY" }] }),
    ] {
        let site = server(vec![page("application/json", &body.to_string())]).await;
        let model = Model::new(settings(Protocol::Gemini, &site)).unwrap();
        assert!(ask(&model, "a", 100).await.is_err());
        assert_eq!(site.requests().len(), 1, "it is not asked again");
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_is_put_as_ollama_expects_it_with_its_context_set() {
    let body = json!({
        "model": "some-model", "done": true, "done_reason": "stop", "prompt_eval_count": 8, "eval_count": 2,
        "message": { "role": "assistant", "content": "yes" },
    });
    let site = server(vec![page("application/json", &body.to_string())]).await;
    let own = ModelSettings {
        base_url: site.address(""),
        seed: Some(7),
        ..settings(Protocol::Ollama, &site)
    };
    let model = Model::new(own).unwrap();
    assert_eq!(ask(&model, "a", 100).await, Ok("yes".to_owned()));
    let request = &site.requests()[0];
    assert_eq!(request.path, "/api/chat");
    let body = sent(request);
    assert_eq!(
        body["options"],
        json!({ "num_ctx": 8_000, "num_predict": 1_000, "seed": 7 })
    );
    assert_eq!(
        (&body["stream"], &body["format"]),
        (&json!(false), &json!({ "type": "object" }))
    );
    let figures = model.observe();
    assert_eq!((figures.tokens_in, figures.tokens_out), (8, 2));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_knows_no_forms_is_asked_with_less() {
    let bad = || status("400 Bad Request", &[]);
    for (refusals, kinds) in [
        (
            1,
            vec![
                Some("json_schema"),
                Some("json_object"),
                Some("json_object"),
            ],
        ),
        (
            2,
            vec![Some("json_schema"), Some("json_object"), None, None],
        ),
    ] {
        let mut replies: Vec<Reply> = (0..refusals).map(|_| bad()).collect();
        replies.push(says("yes"));
        let site = server(replies).await;
        let model = Model::new(settings(Protocol::OpenAi, &site)).unwrap();
        assert_eq!(ask(&model, "a", 100).await, Ok("yes".to_owned()));
        assert_eq!(ask(&model, "b", 100).await, Ok("yes".to_owned()));
        let requests = site.requests();
        let kind = |request| {
            sent(request)["response_format"]["type"]
                .as_str()
                .map(str::to_owned)
        };
        let asked: Vec<Option<String>> = requests.iter().map(kind).collect();
        assert_eq!(
            asked,
            kinds
                .into_iter()
                .map(|kind| kind.map(str::to_owned))
                .collect::<Vec<_>>()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn words_are_chosen_as_the_settings_say() {
    for (protocol, seed) in [
        (Protocol::OpenAi, json!(7)),
        (Protocol::Anthropic, json!(null)),
    ] {
        let site = server(vec![status("400 Bad Request", &[])]).await;
        let mut own = settings(protocol, &site);
        (own.temperature, own.seed) = (Some(0.25), Some(7));
        let _ = ask(&Model::new(own).unwrap(), "a", 100).await;
        let requests = site.requests();
        let first = sent(requests.first().unwrap());
        assert_eq!(
            (&first["temperature"], &first["seed"]),
            (&json!(0.25), &seed)
        );
        // A server that refuses it is asked without.
        let last = sent(requests.last().unwrap());
        assert_eq!(
            (&last["temperature"], &last["seed"]),
            (&json!(null), &json!(null))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_may_pass_is_asked_again() {
    for first in [
        status("500 Internal Server Error", &[]),
        status("529 Overloaded", &[]),
        status("429 Too Many Requests", &[]),
        page("text/html", "<html>"),
        page("application/json", "{\"choices\": ["),
        page("application/json", "{}"),
        says("{}"),
        says(""),
        Reply::Whole(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nhalf".to_vec()),
        Reply::Hang(Vec::new()),
        Reply::Hang(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nhalf".to_vec()),
    ] {
        let (outcome, requests, model) = asked(vec![first, says("yes")], 100).await;
        assert_eq!((outcome, requests), (Ok("yes".to_owned()), 2));
        assert_eq!(model.observe().retried, 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_cut_answer_that_can_be_read_is_an_answer() {
    let cut = r#"{"choices":[{"message":{"content":"half"},"finish_reason":"length"}]}"#;
    let (outcome, requests, _) = asked(vec![page("application/json", cut)], 100).await;
    assert_eq!((outcome, requests), (Ok("half".to_owned()), 1));
}

#[tokio::test(start_paused = true)]
async fn a_question_that_is_too_long_says_so_and_what_was_used_is_counted() {
    let long = r#"{"error":{"code":"context_length_exceeded"}}"#;
    let long = || answer_with("400 Bad Request", &[], long.as_bytes());
    let site = server(vec![long(), says("yes")]).await;
    let model = Model::new(settings(Protocol::OpenAi, &site)).unwrap();
    let meter = Meter::default();
    let ask = async || {
        let read = |text: &str| Some(text.to_owned());
        model.ask(&question("a"), in_seconds(9), &meter, read).await
    };
    assert!(ask().await.unwrap_err().is_too_long);
    assert_eq!(ask().await, Ok("yes".to_owned()));
    assert_eq!((meter.read().input, meter.read().all()), (7, 10));
}

#[tokio::test(start_paused = true)]
async fn the_wait_that_a_server_asks_for_is_kept() {
    let started = Instant::now();
    let limited = status("429 Too Many Requests", &[("Retry-After", "40")]);
    let (outcome, requests, _) = asked(vec![limited, says("yes")], 100).await;
    assert_eq!((outcome, requests), (Ok("yes".to_owned()), 2));
    // The clock is simulated, so this is arithmetic and not a measurement.
    let waited = started.elapsed().as_secs();
    assert!((40..45).contains(&waited), "{waited}");
}

#[tokio::test(start_paused = true)]
async fn a_wait_beyond_the_deadline_is_not_begun() {
    let started = Instant::now();
    let limited = status("429 Too Many Requests", &[("Retry-After", "400")]);
    let (outcome, requests, _) = asked(vec![limited, says("yes")], 100).await;
    let failure = outcome.unwrap_err();
    assert_eq!((failure.reason, requests), (Reason::Model, 1));
    assert!(failure.message.contains("7 minutes"), "{failure:?}");
    assert_eq!(started.elapsed().as_secs(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_will_not_pass_is_not_asked_again() {
    for first in [
        status("401 Unauthorized", &[]),
        status("404 Not Found", &[]),
        page(
            "application/json",
            r#"{"choices":[{"message":{"refusal":"No."},"finish_reason":"stop"}]}"#,
        ),
    ] {
        let (outcome, requests, _) = asked(vec![first, says("yes")], 100).await;
        assert_eq!((outcome.unwrap_err().reason, requests), (Reason::Model, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn attempts_end_and_the_user_is_told_what_to_do() {
    let ill = status("503 Service Unavailable", &[]);
    let (outcome, requests, model) = asked(vec![ill], 100).await;
    let failure = outcome.unwrap_err();
    assert_eq!((failure.reason, requests), (Reason::Model, 4));
    assert!(failure.message.contains("try again"), "{failure:?}");
    assert_eq!(model.observe().given_up, 1);
}

#[tokio::test(start_paused = true)]
async fn silence_ends_with_the_deadline() {
    let started = Instant::now();
    let (outcome, requests, _) = asked(vec![Reply::Hang(Vec::new())], 50).await;
    assert_eq!((outcome.unwrap_err().reason, requests), (Reason::Model, 2));
    assert_eq!(started.elapsed().as_secs(), 50);
}

#[tokio::test(start_paused = true)]
async fn an_endless_answer_is_cut_off_at_the_bound() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[".to_vec();
    let endless = Reply::Endless(head, vec![b'1'; 1 << 16]);
    let (outcome, requests, _) = asked(vec![endless, says("yes")], 100).await;
    assert_eq!((outcome, requests), (Ok("yes".to_owned()), 2));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_fails_again_and_again_is_left_alone_for_a_while() {
    let site = server(vec![status("500 Internal Server Error", &[])]).await;
    let mut settings = settings(Protocol::OpenAi, &site);
    settings.attempts_max = 1;
    let model = Model::new(settings).unwrap();
    for number in 0..4 {
        assert!(ask(&model, &number.to_string(), 100).await.is_err());
    }
    assert_eq!(model.observe().circuit, Circuit::Open);
    let failure = ask(&model, "x", 100).await.unwrap_err();
    assert!(failure.message.contains("try again"));
    assert_eq!(site.requests().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn the_same_question_is_asked_once_and_answers_that_could_not_be_read_are_not_kept() {
    let site = server(vec![says("{}"), says("yes"), says("no")]).await;
    let model = Model::new(settings(Protocol::OpenAi, &site)).unwrap();
    for (sameness, answer) in [("a", "yes"), ("a", "yes"), ("b", "no")] {
        assert_eq!(ask(&model, sameness, 100).await, Ok(answer.to_owned()));
    }
    assert_eq!(site.requests().len(), 3);
    assert_eq!(model.observe().kept, 1);
}

#[tokio::test(start_paused = true)]
async fn no_more_questions_are_under_way_than_the_permits_allow() {
    let under_way = Arc::new(AtomicUsize::new(0));
    let site = Site::start({
        let under_way = Arc::clone(&under_way);
        move |_| {
            under_way.fetch_add(1, Relaxed);
            Reply::Hang(Vec::new())
        }
    })
    .await;
    let model = Model::new(settings(Protocol::OpenAi, &site)).unwrap();
    let asks = (0..5).map(|number| {
        let model = model.clone();
        async move { ask(&model, &number.to_string(), 20).await }
    });
    let outcomes = futures_util::future::join_all(asks).await;
    assert!(outcomes.iter().all(Result::is_err));
    assert_eq!(under_way.load(Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn impatient_callers_do_not_open_the_circuit() {
    let site = server(vec![Reply::Hang(Vec::new())]).await;
    let model = Model::new(settings(Protocol::OpenAi, &site)).unwrap();
    for number in 0..6 {
        assert!(ask(&model, &number.to_string(), 5).await.is_err());
    }
    assert_eq!(model.observe().circuit, Circuit::Closed);
}

/// Where the log of a test goes.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn neither_the_key_nor_a_source_nor_what_a_server_says_is_logged() {
    // Of a single subscriber, what another test's thread says first would be switched off for all.
    let _second = tracing::Dispatch::new(tracing_subscriber::registry());
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let ill = || status("500 no sk-Very-Secret-1", &[]);
    let site = server(vec![ill(), status("401 Unauthorized", &[])]).await;
    let model = Model::new(settings(Protocol::OpenAi, &site)).unwrap();
    ask(&model, "a", 100).await.unwrap_err();
    let said = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(said.contains("the model is asked again"), "{said}");
    for hidden in [KEY, "With this.", "Do it."] {
        assert!(!said.contains(hidden), "{said}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_key_is_shown_nowhere() {
    let site = server(vec![status("401 Unauthorized", &[])]).await;
    let model = Model::new(settings(Protocol::OpenAi, &site)).unwrap();
    let failure = ask(&model, "a", 100).await.unwrap_err();
    for shown in [format!("{model:?}"), format!("{failure:?}")] {
        assert!(!shown.contains(KEY), "{shown}");
    }
    assert!(site.requests()[0].head.contains(KEY));
}

/// A shelf in memory that outlives the model.
#[derive(Debug, Default)]
struct Board(Mutex<HashMap<String, String>>);

impl Shelf for Board {
    fn take<'a>(&'a self, digest: &'a str) -> BoxFuture<'a, Option<String>> {
        Box::pin(async move { self.0.lock().unwrap().get(digest).cloned() })
    }

    fn put<'a>(&'a self, digest: &'a str, answer: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            self.0
                .lock()
                .unwrap()
                .insert(digest.to_owned(), answer.to_owned());
        })
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_on_the_shelf_is_asked_of_no_server_and_what_cannot_be_read_is() {
    let site = server(vec![says("{}"), says("one"), says("two")]).await;
    let board = Arc::new(Board::default());
    let model = || {
        let own = ModelSettings {
            shelf: Some(board.clone()),
            ..settings(Protocol::OpenAi, &site)
        };
        Model::new(own).unwrap()
    };
    assert_eq!(ask(&model(), "a", 100).await, Ok("one".to_owned()));
    // Another process, the same shelf.
    let again = model();
    assert_eq!(ask(&again, "a", 100).await, Ok("one".to_owned()));
    assert_eq!((site.requests().len(), again.observe().kept), (2, 1));
    assert_eq!(ask(&again, "a", 100).await, Ok("one".to_owned()));
    board
        .0
        .lock()
        .unwrap()
        .values_mut()
        .for_each(|kept| *kept = "{}".into());
    assert_eq!(ask(&model(), "a", 100).await, Ok("two".to_owned()));
    assert_eq!(site.requests().len(), 3);
}
