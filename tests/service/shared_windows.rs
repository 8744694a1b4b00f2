//! The window that nodes share, on a real server, against the one in memory: it decides the same, to the microsecond.

use crate::redis_server::Redis;
use skillkiln::cluster::windows::Windows;
use skillkiln::domain::attempts::{Attempts, Kind, Rule, whole_seconds};
use skillkiln::domain::clock::{Clock, Timestamp};
use skillkiln::domain::quota::Window;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

const NAME: &str = "a key";
const SECOND: i64 = 1_000_000;

/// Windows that were joined, and hands in the server: a clock cannot be turned there, so what is counted is moved instead.
async fn windows(server: &Redis) -> (Windows, redis::aio::MultiplexedConnection) {
    let windows = Windows::new(&server.url(), Clock::system()).expect("an address");
    let tried = Arc::new(Notify::new());
    tokio::spawn(windows.clone().keep(|_| Vec::new(), tried.clone()));
    tried.notified().await;
    assert!(windows.observe().answers);
    let client = redis::Client::open(server.url()).expect("an address");
    let hands = client.get_multiplexed_async_connection().await;
    (windows, hands.expect("it answers"))
}

/// Lets so much time pass for what is counted; negative sets the server's clock back.
async fn pass(hands: &mut redis::aio::MultiplexedConnection, micros: i64) {
    let key = format!("skillkiln:window:{NAME}");
    let log: Vec<i64> = redis::cmd("LRANGE")
        .arg(&key)
        .arg(0)
        .arg(-1)
        .query_async(hands)
        .await
        .expect("a log");
    for (place, at) in log.iter().enumerate() {
        let mut set = redis::cmd("LSET");
        set.arg(&key).arg(place).arg(at - micros);
        set.query_async::<()>(hands).await.expect("it is set");
    }
}

#[tokio::test]
async fn a_shared_window_decides_as_the_one_in_memory() {
    const LIMIT: u32 = 4;
    let server = Redis::start();
    let (windows, mut hands) = windows(&server).await;
    let mut reference = Window::new(LIMIT);
    let mut passed = 0;
    // Pauses of all lengths, and a log that fills and empties again and again.
    for step in 0..200_i64 {
        let pause = step * step * 7_919_317 % (40 * SECOND);
        pass(&mut hands, pause).await;
        passed += pause;
        let (said, at) = windows.admit(NAME, LIMIT).await.expect("it decides");
        let now = Timestamp::from_micros(at.micros() + passed);
        let expected = reference.admit(now);
        assert_eq!(
            (said.admitted, said.remaining, said.retry_after_s),
            (
                expected.admitted,
                expected.remaining,
                expected.retry_after_s
            ),
            "step {step}"
        );
        if said.admitted && step % 5 == 0 {
            windows.take_back(NAME, at).await;
            reference.take_back(now);
        }
        let look = windows.look(NAME, LIMIT).await.expect("it says");
        assert_eq!(look.remaining, reference.look(now).remaining);
    }
}

#[tokio::test]
async fn a_shared_log_of_tries_decides_as_the_one_in_memory() {
    let rules = [
        Rule::Minute(3),
        Rule::Hour(3, 8),
        Rule::Waits(2, Duration::from_secs(300)),
    ];
    let server = Redis::start();
    let (windows, mut hands) = windows(&server).await;
    for rule in rules {
        let kind = Kind {
            name: "tried",
            rule,
        };
        let reference = Attempts::new(&[kind]);
        let mut passed = 0;
        let mut let_through = 0;
        for step in 0..150_i64 {
            let pause = step * step * 7_919_317 % (90 * SECOND);
            pass(&mut hands, pause).await;
            passed += pause;
            let (wait, at) = windows.attempt(NAME, rule).await.expect("it decides");
            let now = Timestamp::from_micros(at.micros() + passed);
            let expected = reference.count(kind, "somebody", now);
            let said = match wait {
                Duration::ZERO => Ok(()),
                wait => Err(whole_seconds(wait)),
            };
            assert_eq!(said, expected, "{rule:?}, step {step}");
            let_through += u32::from(said.is_ok());
            if said.is_ok() && step % 5 == 0 {
                windows.take_back(NAME, at).await;
                reference.take_back(kind, "somebody", now);
            }
        }
        assert!(
            (10..150).contains(&let_through),
            "{let_through} of {rule:?}"
        );
        windows.forget(NAME).await;
        reference.forgive(kind, "somebody");
        assert_eq!(
            windows.attempt(NAME, rule).await.map(|said| said.0),
            Some(Duration::ZERO)
        );
        windows.forget(NAME).await;
    }
}

#[tokio::test]
async fn a_clock_of_the_server_that_is_set_back_neither_opens_a_window_nor_keeps_it_shut() {
    let server = Redis::start();
    let (windows, mut hands) = windows(&server).await;
    for _ in 0..3 {
        assert!(windows.admit(NAME, 3).await.expect("it decides").0.admitted);
    }
    pass(&mut hands, -3_600 * SECOND).await;
    let (refused, _) = windows.admit(NAME, 3).await.expect("it decides");
    assert!(!refused.admitted);
    assert!(refused.retry_after_s <= 60, "{refused:?}");
    pass(&mut hands, 61 * SECOND).await;
    assert!(windows.admit(NAME, 3).await.expect("it decides").0.admitted);
}

#[tokio::test]
async fn nothing_is_kept_of_a_window_that_counts_nothing() {
    let server = Redis::start();
    let (windows, mut hands) = windows(&server).await;
    windows.admit(NAME, 3).await.expect("it decides");
    let left: i64 = redis::cmd("PTTL")
        .arg(format!("skillkiln:window:{NAME}"))
        .query_async(&mut hands)
        .await
        .expect("it says");
    assert!((1..=60_000).contains(&left), "{left}");
}

#[tokio::test]
async fn a_server_that_hangs_keeps_nobody_waiting() {
    let server = Redis::start();
    let (windows, _) = windows(&server).await;
    server.hang();
    let asked = std::time::Instant::now();
    assert_eq!(windows.admit(NAME, 3).await, None);
    assert!(asked.elapsed() < Duration::from_secs(1));
    let (many, asked) = (1_000, std::time::Instant::now());
    for _ in 0..many {
        assert_eq!(windows.admit(NAME, 3).await, None);
    }
    assert!(
        asked.elapsed() < Duration::from_secs(1),
        "one waits, not all"
    );
    assert_eq!(windows.observe().undecided, many + 1);
    server.go_on();
    while !windows.observe().answers {
        tokio::task::yield_now().await;
    }
    assert!(windows.admit(NAME, 3).await.is_some());
}
