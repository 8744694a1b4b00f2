//! What the schema refuses whoever asks, and what the books notice when somebody went round it.

use crate::ground::*;
use skillkiln::domain::id::{RunId, UserId};

on_both! {
    the_books_add_up,
    a_transfer_can_neither_be_changed_nor_removed,
    a_reservation_ends_once_by_the_schema,
    a_balance_cannot_go_below_zero_by_the_schema,
    a_balance_that_is_not_the_sum_of_its_transfers_is_noticed,
    a_run_and_its_reservation_that_disagree_are_noticed,
    credits_that_moved_for_nothing_are_noticed,
}

/// An account with one run going on, one completed, one failed.
async fn busy_account(ground: &Ground) -> (UserId, RunId, RunId) {
    let store = &ground.store;
    let id = user(store, 5).await;
    let (open, made, failed) = (run(id), run(id), run(id));
    let (open_id, made_id, failed_id) = (open.id, made.id, failed.id);
    for new in [open, made, failed] {
        charge(store, new).await.expect("charged");
    }
    complete(store, made_id, &["rye"]).await.expect("completed");
    fail(store, failed_id).await.expect("failed");
    (id, open_id, made_id)
}

async fn faults(ground: &Ground) -> String {
    ground
        .store
        .books()
        .await
        .expect("answers")
        .faults
        .join("\n")
}

async fn the_books_add_up(ground: Ground) {
    busy_account(&ground).await;
    user(&ground.store, 7).await;
    let books = ground.store.books().await.expect("answers");
    assert_eq!((books.users, books.transfers), (2, 7));
    assert_eq!(
        (books.granted, books.available, books.reserved, books.posted),
        (12, 10, 1, 1)
    );
    assert_eq!(books.faults, Vec::<String>::new());
}

async fn a_transfer_can_neither_be_changed_nor_removed(ground: Ground) {
    busy_account(&ground).await;
    for sql in [
        "UPDATE transfers SET amount = 2 WHERE phase = 0",
        "UPDATE transfers SET at = at",
        "DELETE FROM transfers",
        "DELETE FROM transfers WHERE kind = 'post'",
    ] {
        let refused = ground.tamper(sql).await.expect_err(sql);
        assert!(
            refused.contains("transfers are immutable"),
            "{sql}: {refused}"
        );
    }
    sound(&ground.store).await;
}

async fn a_reservation_ends_once_by_the_schema(ground: Ground) {
    let (id, open, made) = busy_account(&ground).await;
    let time = if ground.url.starts_with("sqlite") {
        "0"
    } else {
        "now()"
    };
    let insert = |key: RunId, phase: u8, opening: &str, kind: &str, debit: &str, credit: &str| {
        format!(
            "INSERT INTO transfers (key, phase, opening, kind, user_id, debit, credit, amount, at) \
             VALUES ({}, {phase}, {opening}, '{kind}', {}, '{debit}', '{credit}', 1, {time})",
            ground.literal(key.0),
            ground.literal(id.0),
        )
    };
    for (why, sql) in [
        (
            "ended before",
            insert(made, 1, "0", "void", "reserved", "available"),
        ),
        (
            "never opened",
            insert(RunId::new(), 1, "0", "post", "reserved", "earned"),
        ),
        (
            "no opening named",
            insert(open, 1, "NULL", "post", "reserved", "earned"),
        ),
        (
            "ends as an opening",
            insert(RunId::new(), 0, "NULL", "post", "reserved", "earned"),
        ),
        (
            "opens as an end",
            insert(open, 1, "0", "reserve", "available", "reserved"),
        ),
        (
            "a third phase",
            insert(open, 2, "0", "post", "reserved", "earned"),
        ),
        (
            "between the wrong accounts",
            insert(open, 1, "0", "post", "available", "earned"),
        ),
        (
            "opened before",
            insert(open, 0, "NULL", "reserve", "available", "reserved"),
        ),
    ] {
        assert!(ground.tamper(&sql).await.is_err(), "{why}");
    }
    sound(&ground.store).await;
}

async fn a_balance_cannot_go_below_zero_by_the_schema(ground: Ground) {
    busy_account(&ground).await;
    assert!(
        ground
            .tamper("UPDATE users SET available = -1")
            .await
            .is_err()
    );
    assert!(
        ground
            .tamper("UPDATE users SET reserved = -1")
            .await
            .is_err()
    );
    sound(&ground.store).await;
}

async fn a_balance_that_is_not_the_sum_of_its_transfers_is_noticed(ground: Ground) {
    let (id, ..) = busy_account(&ground).await;
    for (sql, words) in [
        (
            "UPDATE users SET available = available + 1",
            "available is not the sum",
        ),
        (
            "UPDATE users SET available = available - 1, reserved = reserved + 1",
            "reserved is not the sum",
        ),
        (
            "UPDATE users SET reserved = reserved - 1, packs_purchased = 1",
            "packs are not",
        ),
        (
            "UPDATE users SET packs_purchased = 0, total_generations = 9",
            "generations made are not",
        ),
    ] {
        ground.tamper(sql).await.expect("tampered");
        let found = faults(&ground).await;
        assert!(
            found.contains(words) && found.contains(&id.0.to_string()),
            "{sql}: {found}"
        );
    }
    ground
        .tamper("UPDATE users SET total_generations = 1")
        .await
        .expect("mended");
    sound(&ground.store).await;
}

async fn a_run_and_its_reservation_that_disagree_are_noticed(ground: Ground) {
    let (_, open, made) = busy_account(&ground).await;
    let (open, made) = (ground.literal(open.0), ground.literal(made.0));
    for (change, mend, words) in [
        (
            format!(
                "UPDATE generations SET status = 'completed', completed_at = created_at WHERE id = {open}"
            ),
            format!(
                "UPDATE generations SET status = 'running', completed_at = NULL WHERE id = {open}"
            ),
            "it ended, but its reservation is open",
        ),
        (
            format!(
                "UPDATE generations SET status = 'running', completed_at = NULL WHERE id = {made}"
            ),
            format!(
                "UPDATE generations SET status = 'completed', completed_at = created_at WHERE id = {made}"
            ),
            "it goes on, but its reservation ended",
        ),
        (
            format!("UPDATE generations SET status = 'failed' WHERE id = {made}"),
            format!("UPDATE generations SET status = 'completed' WHERE id = {made}"),
            "it failed, but its reservation was not voided",
        ),
        (
            format!("UPDATE generations SET credits_charged = 2 WHERE id = {open}"),
            format!("UPDATE generations SET credits_charged = 1 WHERE id = {open}"),
            "its reservation is not its charge",
        ),
        (
            format!("UPDATE generations SET credits_charged = 0 WHERE id = {open}"),
            format!("UPDATE generations SET credits_charged = 1 WHERE id = {open}"),
            "it was not charged, but has a reservation",
        ),
        (
            format!("UPDATE generations SET credits_refunded = 1 WHERE id = {made}"),
            format!("UPDATE generations SET credits_refunded = 0 WHERE id = {made}"),
            "what was refunded is not what was voided",
        ),
    ] {
        assert_eq!(ground.tamper(&change).await, Ok(1), "{change}");
        let found = faults(&ground).await;
        assert!(found.contains(words), "{change}: {found}");
        assert_eq!(ground.tamper(&mend).await, Ok(1), "{mend}");
        sound(&ground.store).await;
    }
}

async fn credits_that_moved_for_nothing_are_noticed(ground: Ground) {
    let (_, open, _) = busy_account(&ground).await;
    let gone = format!(
        "DELETE FROM generations WHERE id = {}",
        ground.literal(open.0)
    );
    ground.tamper(&gone).await.expect("tampered");
    let found = faults(&ground).await;
    assert!(
        found.contains(&format!(
            "transfer {}: credits are reserved for no run",
            open.0
        )),
        "{found}"
    );
}
