//! What a language model answered: kept over a restart, forgotten in its time.

use crate::ground::*;

on_both! {
    answers_are_kept_until_nobody_asks_for_them,
    answers_that_are_too_much_go_with_the_oldest_use_first,
}

async fn answers_are_kept_until_nobody_asks_for_them(ground: Ground) {
    let store = &ground.store;
    assert_eq!(store.answer("a".into()).await, Ok(None));
    let keep = async |digest: &str, answer: &str, seconds: u64| {
        let kept = store.keep_answer(digest.into(), answer.into(), at(seconds));
        kept.await.expect("kept");
    };
    keep("a", "yes", 10).await;
    keep("b", "no", 20).await;
    // Whoever asked at the same time had another answer: the first one stays.
    keep("a", "perhaps", 15).await;
    assert_eq!(
        store.answer("a".into()).await,
        Ok(Some(("yes".into(), at(15))))
    );
    store.use_answer("a".into(), at(30)).await.expect("noted");
    assert_eq!(store.forget_answers(at(25), 1_000).await, Ok(1));
    assert_eq!(
        store.answer("a".into()).await,
        Ok(Some(("yes".into(), at(30))))
    );
    assert_eq!(store.answer("b".into()).await, Ok(None));
}

async fn answers_that_are_too_much_go_with_the_oldest_use_first(ground: Ground) {
    let store = &ground.store;
    for number in 0..5_u64 {
        let answer = "x".repeat(10);
        let kept = store.keep_answer(number.to_string(), answer, at(number));
        kept.await.expect("kept");
    }
    assert_eq!(store.forget_answers(at(0), 35).await, Ok(2));
    let is_kept = async |digest: &str| {
        let answer = store.answer(digest.into()).await;
        answer.expect("answers").is_some()
    };
    assert!(!is_kept("0").await && !is_kept("1").await);
    assert!(is_kept("2").await && is_kept("4").await);
    assert_eq!(store.forget_answers(at(0), 0).await, Ok(3));
}
