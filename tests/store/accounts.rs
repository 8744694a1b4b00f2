//! Accounts and their keys.

use crate::ground::*;
use skillkiln::domain::clock::Timestamp;
use skillkiln::domain::credits::{Credits, GrantReason};
use skillkiln::domain::id::{KeyId, UserId};
use skillkiln::domain::key::{Digest, HashedKey, LIVE_KEYS_MAX};
use skillkiln::domain::user::{Email, Plan};
use skillkiln::store::connection::Store;
use skillkiln::store::model::{
    Application, Holder, Identity, Joined, Linked, NewKey, NewMember, NewUser, StoreError, Unlinked,
};

on_both! {
    an_identity_is_one_accounts_and_the_last_way_in_stays,
    a_step_of_a_second_factor_is_used_once_however_many_try_at_once,
    a_second_factor_is_asked_for_once_it_is_confirmed,
    a_second_factor_that_nobody_can_open_goes_with_the_pepper_that_sealed_it,
    a_link_to_make_an_account_is_good_until_it_is_made,
    a_recovery_code_is_good_for_its_account_and_once,
    an_address_has_one_account,
    an_account_is_found_and_changed,
    what_is_not_there_cannot_be_changed,
    a_key_names_its_holder_until_it_is_revoked,
    an_account_has_at_most_twenty_live_keys,
    the_time_of_last_use_never_moves_backwards,
    a_name_with_a_nul_in_it_is_kept_without,
    the_mark_changes_when_somebody_else_writes_and_not_when_anybody_reads,
}

async fn the_mark_changes_when_somebody_else_writes_and_not_when_anybody_reads(ground: Ground) {
    let store = &ground.store;
    let other = Store::open(&ground.url).await.expect("a second process");
    // PostgreSQL has one mark for all databases of a server, and other tests write to theirs: a quiet moment is enough.
    let mut is_kept = false;
    for _ in 0..200 {
        let mark = store.mark().await.expect("answers");
        assert!(store.users().await.expect("answers").is_empty());
        assert!(other.users().await.expect("answers").is_empty());
        is_kept |= store.mark().await.expect("answers") == mark;
        if is_kept {
            break;
        }
    }
    assert!(is_kept, "reading changes the mark");
    let mark = store.mark().await.expect("answers");
    other.create_user(ann()).await.expect("made");
    assert_ne!(store.mark().await.expect("answers"), mark);
}

fn ann() -> NewUser {
    NewUser {
        id: UserId::new(),
        email: Email::parse("ann@example.org").expect("an address"),
        plan: Plan::Starter,
        password_hash: Some("$argon2id$1".to_owned()),
        credits: Credits(3),
        reason: GrantReason::Signup,
        at: NOON,
    }
}

fn key(user_id: UserId, hash: u8) -> NewKey {
    NewKey {
        id: KeyId::new(),
        user_id,
        name: "laptop".to_owned(),
        hash: HashedKey([hash; 32]),
        last_four: "wxyz".to_owned(),
        at: at(u64::from(hash)),
    }
}

async fn an_address_has_one_account(ground: Ground) {
    let store = &ground.store;
    let first = ann();
    store.create_user(first.clone()).await.expect("made");
    assert!(matches!(
        store.create_user(ann()).await,
        Err(StoreError::Conflict(_))
    ));
    let all = store.users().await.expect("answers");
    assert_eq!(
        all.iter().map(|user| user.id).collect::<Vec<_>>(),
        [first.id]
    );
    // The refused account left no credits behind.
    assert_eq!(store.books().await.expect("answers").granted, 3);
    sound(store).await;
}

async fn an_account_is_found_and_changed(ground: Ground) {
    let store = &ground.store;
    let new = ann();
    store.create_user(new.clone()).await.expect("made");
    store.set_restricted(new.id, true).await.expect("set");
    store.set_plan(new.id, Plan::ProPack).await.expect("set");
    let found = store
        .user_by_email(new.email.clone())
        .await
        .expect("answers")
        .expect("an account");
    assert_eq!(found.email, new.email);
    assert_eq!(
        (found.plan, found.restricted, found.created_at),
        (Plan::ProPack, true, NOON)
    );
    assert_eq!((found.available, found.reserved), (Credits(3), Credits(0)));
    assert_eq!(store.user(new.id).await, Ok(Some(found)));
    store.set_restricted(new.id, false).await.expect("set");
    assert!(
        !store
            .user(new.id)
            .await
            .expect("answers")
            .expect("an account")
            .restricted
    );
    assert_eq!(
        store.password_hash(new.id).await,
        Ok(Some("$argon2id$1".to_owned()))
    );
    store
        .set_password_hash(new.id, "$argon2id$2".to_owned())
        .await
        .expect("set");
    assert_eq!(
        store.password_hash(new.id).await,
        Ok(Some("$argon2id$2".to_owned()))
    );
}

async fn what_is_not_there_cannot_be_changed(ground: Ground) {
    let store = &ground.store;
    let nobody = UserId::new();
    assert!(matches!(
        store.set_restricted(nobody, true).await,
        Err(StoreError::Conflict(_))
    ));
    assert!(matches!(
        store.set_plan(nobody, Plan::Free).await,
        Err(StoreError::Conflict(_))
    ));
    assert!(matches!(
        store.set_password_hash(nobody, String::new()).await,
        Err(StoreError::Conflict(_))
    ));
    assert!(matches!(
        store.add_key(key(nobody, 1)).await,
        Err(StoreError::Conflict(_))
    ));
    assert_eq!(store.password_hash(nobody).await, Ok(None));
    assert_eq!(store.user(nobody).await, Ok(None));
    assert_eq!(store.standing(nobody).await, Ok(None));
    assert_eq!(store.revoke_key(KeyId::new(), NOON).await, Ok(false));
}

async fn a_key_names_its_holder_until_it_is_revoked(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let new = key(id, 1);
    store.add_key(new.clone()).await.expect("added");
    let holder = Holder {
        key_id: new.id,
        user_id: id,
        revoked: false,
        restricted: false,
    };
    assert_eq!(store.holder_of(new.hash).await, Ok(Some(holder)));
    assert_eq!(store.holder_of(HashedKey([9; 32])).await, Ok(None));
    store.set_restricted(id, true).await.expect("set");
    assert_eq!(store.revoke_key(new.id, at(60)).await, Ok(true));
    assert_eq!(store.revoke_key(new.id, at(90)).await, Ok(true));
    let after = Holder {
        revoked: true,
        restricted: true,
        ..holder
    };
    assert_eq!(store.holder_of(new.hash).await, Ok(Some(after)));
    let keys = store.keys_of(id).await.expect("answers");
    assert_eq!(
        (keys[0].revoked_at, keys[0].last_four.as_str()),
        (Some(at(60)), "wxyz")
    );
    let same_hash = key(id, 1);
    assert!(matches!(
        store.add_key(same_hash).await,
        Err(StoreError::Conflict(_))
    ));
}

async fn an_account_has_at_most_twenty_live_keys(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    // Five more than fit, all at once.
    let tries = (0..LIVE_KEYS_MAX as u8 + 5).map(|hash| store.add_key(key(id, hash)));
    let outcomes = futures_util::future::join_all(tries).await;
    assert_eq!(
        outcomes.iter().filter(|outcome| outcome.is_ok()).count(),
        LIVE_KEYS_MAX
    );
    let keys = store.keys_of(id).await.expect("answers");
    assert_eq!(keys.len(), LIVE_KEYS_MAX);
    assert!(keys.is_sorted_by_key(|key| key.created_at));
    store.revoke_key(keys[0].id, NOON).await.expect("revoked");
    assert_eq!(store.add_key(key(id, 200)).await, Ok(()));
}

async fn the_time_of_last_use_never_moves_backwards(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let (first, second) = (key(id, 1), key(id, 2));
    store.add_key(first.clone()).await.expect("added");
    store.add_key(second.clone()).await.expect("added");
    let note = async |uses: &[(KeyId, Timestamp)]| {
        store.record_last_used(uses.to_vec()).await.expect("noted")
    };
    note(&[
        (first.id, at(50)),
        (second.id, at(10)),
        (KeyId::new(), at(1)),
    ])
    .await;
    note(&[(first.id, at(40)), (second.id, at(20)), (second.id, at(15))]).await;
    let uses: Vec<_> = store
        .keys_of(id)
        .await
        .expect("answers")
        .iter()
        .map(|key| key.last_used_at)
        .collect();
    assert_eq!(uses, [Some(at(50)), Some(at(20))]);
}

async fn a_name_with_a_nul_in_it_is_kept_without(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 1).await;
    let named = NewKey {
        name: "a\0b".to_owned(),
        ..key(id, 1)
    };
    store.add_key(named).await.expect("added");
    assert_eq!(
        store.keys_of(id).await.expect("answers")[0].name,
        "a\u{fffd}b"
    );
    let mut hostile = run(id);
    hostile.order.name = Some("a\0b".to_owned());
    hostile.generations[0].name = "a\0b".to_owned();
    let run_id = hostile.id;
    charge(store, hostile).await.expect("charged");
    let written = store.run(run_id).await.expect("answers").expect("a run");
    assert_eq!(
        written.order.name.as_deref(),
        Some("a\0b"),
        "JSON has a spelling for it"
    );
}

async fn an_identity_is_one_accounts_and_the_last_way_in_stays(ground: Ground) {
    const ACME: &str = "https://id.acme.example";
    let store = &ground.store;
    let with_password = ann();
    let without = NewUser {
        id: UserId::new(),
        email: Email::parse("bo@example.org").expect("an address"),
        password_hash: None,
        ..ann()
    };
    let (ann, bo) = (with_password.id, without.id);
    store.create_user(with_password).await.expect("made");
    store.create_user(without).await.expect("made");
    let identity = |issuer: &str, subject: &str| Identity {
        issuer: issuer.to_owned(),
        subject: subject.to_owned(),
        email: "ann\0@example.org".to_owned(),
    };
    let link = async |user, issuer, subject| {
        let linked = store.link_identity(user, identity(issuer, subject), at(1));
        linked.await.expect("answers")
    };
    assert_eq!(link(ann, ACME, "1").await, Linked::Done);
    assert_eq!(link(ann, ACME, "1").await, Linked::Done, "it is already");
    assert_eq!(link(bo, ACME, "1").await, Linked::SomebodyElses);
    assert_eq!(link(ann, ACME, "2").await, Linked::AnotherBefore);
    assert_eq!(link(bo, ACME, "2").await, Linked::Done);
    assert_eq!(link(bo, "https://old.example", "2").await, Linked::Done);
    let nobody = store.link_identity(UserId::new(), identity(ACME, "3"), at(1));
    assert!(matches!(nobody.await, Err(StoreError::Conflict(_))));
    let login = store.login_of_identity(ACME.to_owned(), "1".to_owned());
    let login = login.await.expect("answers").expect("an account");
    assert_eq!((login.user_id, login.restricted), (ann, false));
    let kept = store.identities_of(ann).await.expect("answers");
    assert_eq!(kept[0].identity.email, "ann\u{fffd}@example.org");

    let unlink = async |user, issuer: &str, subject: &str| {
        let vouching = vec![ACME.to_owned()];
        let unlinked = store.unlink_identity(user, issuer.to_owned(), subject.to_owned(), vouching);
        unlinked.await.expect("answers")
    };
    assert_eq!(unlink(bo, ACME, "1").await, Unlinked::Missing);
    assert_eq!(
        unlink(bo, ACME, "2").await,
        Unlinked::LastWayIn,
        "nobody comes in by an issuer that vouches no more"
    );
    assert_eq!(unlink(bo, "https://old.example", "2").await, Unlinked::Done);
    let hash = "$argon2id$2".to_owned();
    assert_eq!(store.set_first_password(bo, hash.clone()).await, Ok(true));
    assert_eq!(store.set_first_password(bo, hash).await, Ok(false));
    assert_eq!(unlink(bo, ACME, "2").await, Unlinked::Done);
    assert_eq!(unlink(ann, ACME, "1").await, Unlinked::Done);
    assert_eq!(unlink(ann, ACME, "1").await, Unlinked::Missing);
}

async fn a_second_factor_is_asked_for_once_it_is_confirmed(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let found = async || store.second_factor(id).await.expect("answers");
    assert_eq!(found().await, None);
    assert_eq!(
        store.confirm_second_factor(id, 7, vec![], NOON).await,
        Ok(false)
    );
    assert_eq!(store.offer_second_factor(id, vec![1], NOON).await, Ok(true));
    assert_eq!(
        store.offer_second_factor(id, vec![2], at(1)).await,
        Ok(true)
    );
    let offered = found().await.expect("one");
    assert_eq!((offered.sealed, offered.confirmed_at), (vec![2], None));
    assert_eq!(
        store.use_step(id, 7).await,
        Ok(false),
        "it is not confirmed"
    );
    assert_eq!(store.drop_second_factor(id).await, Ok(false));

    let codes = |first| vec![Digest([first; 32]), Digest([first + 1; 32])];
    store
        .replace_recovery_codes(id, codes(1), NOON)
        .await
        .expect("kept");
    let confirmed = store.confirm_second_factor(id, 7, codes(3), at(2)).await;
    assert_eq!(confirmed, Ok(true));
    let on = found().await.expect("one");
    assert_eq!((on.confirmed_at, on.last_step), (Some(at(2)), 7));
    assert_eq!(
        store.use_recovery_code(id, Digest([1; 32]), NOON).await,
        Ok(false)
    );
    assert_eq!(store.recovery_codes_left(id).await, Ok(2));
    assert_eq!(
        store.offer_second_factor(id, vec![3], at(3)).await,
        Ok(false)
    );
    let again = store.confirm_second_factor(id, 8, codes(5), at(4)).await;
    assert_eq!(again, Ok(false));
    assert_eq!(found().await.expect("one").sealed, vec![2]);
    assert_eq!(store.drop_second_factor(id).await, Ok(true));
    assert_eq!(found().await, None);
}

async fn a_second_factor_that_nobody_can_open_goes_with_the_pepper_that_sealed_it(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let offered = store.offer_second_factor(id, vec![1], NOON).await;
    assert_eq!(offered, Ok(true));
    let kept = store.keep_pepper_mark("a".to_owned(), false).await;
    assert_eq!(kept, Ok(()));
    assert!(store.second_factor(id).await.expect("answers").is_some());
    let kept = store.keep_pepper_mark("b".to_owned(), true).await;
    assert_eq!(kept, Ok(()));
    assert_eq!(store.pepper_mark().await, Ok(Some("b".to_owned())));
    assert_eq!(store.second_factor(id).await, Ok(None));
}

async fn a_step_of_a_second_factor_is_used_once_however_many_try_at_once(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    store
        .offer_second_factor(id, vec![1], NOON)
        .await
        .expect("offered");
    store
        .confirm_second_factor(id, 7, vec![], NOON)
        .await
        .expect("confirmed");
    assert_eq!(store.use_step(id, 7).await, Ok(false), "it confirmed");
    let tries = (0..8).map(|_| store.use_step(id, 9));
    let outcomes = futures_util::future::join_all(tries).await;
    let used = outcomes.iter().filter(|used| **used == Ok(true)).count();
    assert_eq!(used, 1, "{outcomes:?}");
    assert_eq!(
        store.use_step(id, 8).await,
        Ok(false),
        "a later one was used"
    );
    assert_eq!(store.use_step(id, 10).await, Ok(true));
}

async fn a_recovery_code_is_good_for_its_account_and_once(ground: Ground) {
    let store = &ground.store;
    let new = ann();
    let (id, email) = (new.id, new.email.clone());
    store.create_user(new).await.expect("made");
    let bo = user(store, 0).await;
    let bos = store
        .user(bo)
        .await
        .expect("answers")
        .expect("an account")
        .email;
    let code = Digest([1; 32]);
    store
        .replace_recovery_codes(id, vec![code], NOON)
        .await
        .expect("kept");
    let login = store
        .recoverable(email.clone(), code)
        .await
        .expect("answers");
    assert_eq!(login.map(|login| login.user_id), Some(id));
    assert_eq!(store.recoverable(bos, code).await, Ok(None));
    assert_eq!(
        store.recoverable(email.clone(), Digest([2; 32])).await,
        Ok(None)
    );
    assert_eq!(store.use_recovery_code(bo, code, NOON).await, Ok(false));
    assert_eq!(store.use_recovery_code(id, code, NOON).await, Ok(true));
    assert_eq!(store.use_recovery_code(id, code, NOON).await, Ok(false));
    assert_eq!(store.recoverable(email, code).await, Ok(None));
}

async fn a_link_to_make_an_account_is_good_until_it_is_made(ground: Ground) {
    let store = &ground.store;
    let new = ann();
    let application = Application {
        email: new.email.clone(),
        invite: Some(Digest([9; 32])),
    };
    let add = async |link: u8, until| {
        let added = store.add_application(Digest([link; 32]), application.clone(), NOON, until);
        added.await.expect("kept");
    };
    add(1, at(60)).await;
    add(2, at(90)).await;
    let found = async |link: u8, now| {
        let found = store.application(Digest([link; 32]), now).await;
        found.expect("answers")
    };
    assert_eq!(found(1, NOON).await, Some(application.clone()));
    assert_eq!(found(1, at(60)).await, None, "too old");
    assert_eq!(found(2, at(60)).await, Some(application.clone()));
    assert_eq!(found(3, NOON).await, None);

    let invite = Digest([9; 32]);
    assert_eq!(store.invite_is_good(invite, NOON).await, Ok(false));
    let kept = store
        .add_invite(invite, "ann".to_owned(), NOON, at(90))
        .await;
    kept.expect("kept");
    assert_eq!(store.invite_is_good(invite, NOON).await, Ok(true));
    assert_eq!(store.invite_is_good(invite, at(90)).await, Ok(false));
    let member = NewMember {
        user: new.clone(),
        network: "192.0.2.0/24".to_owned(),
        is_verified: true,
        welcomes_max: 5,
        welcomes_since: NOON,
        invite: Some(invite),
        identity: None,
    };
    let joined = store.join(member).await.expect("answers");
    assert_eq!(joined, Joined::Made(Credits(3)));
    assert_eq!(store.invite_is_good(invite, NOON).await, Ok(false));
    assert_eq!(found(2, at(60)).await, None, "there is an account");
    let welcome = store.welcome(new.id).await.expect("answers");
    assert_eq!(welcome.verified_at, Some(NOON));
}
