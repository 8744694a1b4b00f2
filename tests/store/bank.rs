//! In the manner of Jepsen's bank test: credits are charged, earned and given back from two nodes at once, and reads check the sum all the
//! while. On PostgreSQL connections are cut meanwhile, so that nobody knows of some movements whether they happened.

use crate::ground::*;
use futures_util::future::join_all;
use skillkiln::domain::id::{RunId, UserId};
use skillkiln::store::connection::Store;
use skillkiln::store::model::{Refused, StoreError};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;

on_both! {
    reads_find_the_sum_unchanged_while_credits_move,
}

const ACCOUNTS: usize = 6;
const CREDITS: u32 = 12;
const TELLERS: usize = 8;
const MOVEMENTS: usize = 40;

/// Whether a movement happened, as far as the store said; nobody knows what a broken connection took along.
fn is_known<T>(outcome: &Result<T, Refused>) -> bool {
    match outcome {
        Ok(_) | Err(Refused::InsufficientCredits { .. } | Refused::AlreadyEnded) => true,
        Err(Refused::Store(StoreError::Unavailable(_)) | Refused::Unknown | Refused::Duplicate) => {
            false
        }
        Err(refused) => panic!("{refused:?}"),
    }
}

/// Charges runs and ends each in one of three ways; ends some twice. Answers what it ordered.
async fn tell(
    store: &Store,
    accounts: &[UserId],
    teller: usize,
    at_work: &AtomicUsize,
) -> Vec<RunId> {
    let mut ordered = Vec::new();
    for movement in 0..MOVEMENTS {
        let new = run(accounts[(teller * 7 + movement * 5) % accounts.len()]);
        let run_id = new.id;
        ordered.push(run_id);
        while !is_known(&charge(store, new.clone()).await) {
            // It may be there by now.
            if let Ok(Some(_)) = store.run(run_id).await {
                break;
            }
        }
        for _ in 0..1 + movement % 2 {
            let outcome = match (teller + movement) % 3 {
                0 => complete(store, run_id, &["rye"]).await,
                _ => fail(store, run_id).await,
            };
            is_known(&outcome);
        }
    }
    at_work.fetch_sub(1, SeqCst);
    ordered
}

/// Looks at the books until nobody is at work; answers how often it saw them.
async fn audit(store: &Store, at_work: &AtomicUsize) -> usize {
    let mut seen = 0;
    while at_work.load(SeqCst) > 0 {
        let books = match store.books().await {
            Ok(books) => books,
            Err(StoreError::Unavailable(_)) => continue,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(books.faults, Vec::<String>::new());
        let sum = books.available + books.reserved + books.posted;
        assert_eq!(
            sum,
            i64::try_from(ACCOUNTS).expect("few") * i64::from(CREDITS)
        );
        seen += 1;
    }
    seen
}

async fn reads_find_the_sum_unchanged_while_credits_move(ground: Ground) {
    let mut accounts = Vec::new();
    for _ in 0..ACCOUNTS {
        accounts.push(user(&ground.store, CREDITS).await);
    }
    let other = Store::open(&ground.url).await.expect("opens");
    let stores = [&ground.store, &other];
    let at_work = AtomicUsize::new(TELLERS);
    let tellers = (0..TELLERS).map(|teller| tell(stores[teller % 2], &accounts, teller, &at_work));
    let cutting = async {
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        while ground.url.starts_with("postgres") && at_work.load(SeqCst) > 0 {
            // Between two cuts everybody gets some way.
            for _ in 0..20 {
                let _ = ground.store.user(accounts[0]).await;
            }
            ground.tamper(cut).await.expect("cut");
        }
    };
    let (ordered, seen, also_seen, ()) = tokio::join!(
        join_all(tellers),
        audit(&ground.store, &at_work),
        audit(&other, &at_work),
        cutting
    );
    assert!(seen + also_seen > 0, "somebody looked");
    for run_id in ordered.concat() {
        let _ = fail(&ground.store, run_id).await;
    }
    for id in accounts {
        assert_eq!(
            holds(&ground.store, id).await.1,
            0,
            "every charge has its end"
        );
    }
    sound(&ground.store).await;
}
