//! Owns the store's methods: each named once, and sent to the database that was opened.

use crate::domain::clock::Timestamp;
use crate::domain::credits::{Books, Movement};
use crate::domain::generation::Generation;
use crate::domain::id::{
    DeliveryId, EndpointId, GenerationId, KeyId, PaymentId, RunId, SessionId, SkillId, SourceId,
    UserId,
};
use crate::domain::key::{Digest, HashedKey, Key};
use crate::domain::lease::Judge;
use crate::domain::payment::{HostedPage, Payment};
use crate::domain::skill::{
    Draft, Edited, FinishedSkill, Removed, SkillFilter, SkillLine, StoredSkill, Version,
    VersionLine,
};
use crate::domain::source::StoredSource;
use crate::domain::usage::{MonthOfUse, RunUsage, Usage};
use crate::domain::user::{Email, Plan, Standing, User};
use crate::domain::vitals::DatabaseFigures;
use crate::domain::watch::{Every, Found, Hold, Remedy, Watch};
use crate::domain::webhook::{Attempt, Delivery, Due, EndedRun, Endpoint, NewDelivery};
use crate::store::connection::{Database, Store};
use crate::store::lite_threads::Threads;
use crate::store::model::{
    Application, Claimable, Entry, Holder, Identity, Joined, KeptIdentity, Leased, Linked, Login,
    NewKey, NewMember, NewPayment, NewSession, NewUser, News, Opened, Origin, Purpose, Refused,
    Run, Saved, SecondFactor, Session, Settled, StoreError, Stray, Taking, Unfinished, Unlinked,
    Watched, Welcome,
};
use crate::store::{lite, pg};
use crate::telemetry::database::Calls;
use crate::telemetry::measure::Moment;
use bytes::Bytes;
use std::collections::HashMap;
use uuid::Uuid;

/// `read` or `write` names the SQLite thread, then the query function in its module, and the method gets its name.
macro_rules! calls {
    ($( $(#[$doc:meta])* $visible:vis $thread:ident $module:ident :: $name:ident ( $($argument:ident : $type:ty),* ) -> $answer:ty; )*) => {
        impl Store {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// [`StoreError`], as it says.
                $visible async fn $name(&self, $($argument: $type),*) -> Result<$answer, StoreError> {
                    let begun = Moment::now();
                    let outcome = match &self.0 {
                        Database::Sqlite(threads) => {
                            threads
                                .$thread(move |conn| Box::pin(lite::queries::$module::$name(conn, $($argument),*)))
                                .await
                        }
                        Database::Postgres(pool) => {
                            pool.call(move |conn| Box::pin(pg::queries::$module::$name(conn, $($argument),*))).await
                        }
                    };
                    asked::$name.answered(begun);
                    if matches!(outcome, Err(StoreError::Unavailable(_) | StoreError::Broken(_))) {
                        self.figures().failed();
                    }
                    outcome
                }
            )*
        }

        /// What is counted about each query, by its name.
        #[expect(non_upper_case_globals, reason = "each is named like its query")]
        mod asked {
            use crate::telemetry::database::Query;

            $(pub(super) static $name: Query = Query::new(stringify!($name));)*

            /// All of them.
            pub(super) static ALL: &[&Query] = &[$(&$name),*];
        }
    };
}

calls! {
    /// A mark that is another one once somebody else has changed the database: another process on SQLite, anybody at all on PostgreSQL.
    pub write users::mark() -> String;

    /// A digest of the pepper under which this database's keys and sessions are kept, once there is one.
    pub read marks::pepper_mark() -> Option<String>;
    /// Keeps a digest of the pepper, unless there is one, which stays but for a wish to replace it.
    pub write marks::keep_pepper_mark(mark: String, replace: bool) -> ();

    /// Makes an account, with its first credits. [`StoreError::Conflict`] when the address has one.
    pub write users::create_user(new: NewUser) -> ();
    /// The account of an address.
    pub read users::user_by_email(email: Email) -> Option<User>;
    /// An account.
    pub read users::user(id: UserId) -> Option<User>;
    /// All accounts, oldest first.
    pub read users::users() -> Vec<User>;
    /// Shuts an account out, or lets it in again. [`StoreError::Conflict`] when there is none.
    pub write users::set_restricted(id: UserId, restricted: bool) -> ();
    /// Keeps a new password's hash. [`StoreError::Conflict`] when there is no such account.
    pub write users::set_password_hash(id: UserId, hash: String) -> ();
    /// The hash of an account's password, when it has one.
    pub read users::password_hash(id: UserId) -> Option<String>;
    /// Changes an account's plan. [`StoreError::Conflict`] when there is no such account.
    pub write users::set_plan(id: UserId, plan: Plan) -> ();

    /// Keeps what a model took for a run; told twice, it counts once.
    pub write usages::note_usage(run: RunUsage) -> ();
    /// What a model took for the runs of an account, month by month, the latest first.
    pub read usages::usage_by_month(user_id: UserId) -> Vec<MonthOfUse>;
    /// What a model took for the runs of each account that had it asked anything.
    pub read usages::usage_by_account() -> HashMap<UserId, Usage>;

    /// What a model answered to the question of this digest, and when that was last of use.
    pub read answers::answer(digest: String) -> Option<(String, Timestamp)>;
    /// Keeps an answer; one that is there stays and is of use now.
    pub write answers::keep_answer(digest: String, answer: String, at: Timestamp) -> ();
    /// Notes that an answer is of use now.
    pub write answers::use_answer(digest: String, at: Timestamp) -> ();
    /// Forgets answers that were of no use since `before`, and of the others those used longest ago, until the rest has at most so many
    /// bytes; answers how many.
    pub write answers::forget_answers(before: Timestamp, size_max: i64) -> u64;

    /// Adds a key. [`StoreError::Conflict`] when the account has its 20 live ones, or there is no such account.
    pub write keys::add_key(new: NewKey) -> ();
    /// The keys of an account, oldest first, revoked ones too.
    pub read keys::keys_of(user_id: UserId) -> Vec<Key>;
    /// Whose key this is.
    pub read keys::holder_of(hash: HashedKey) -> Option<Holder>;
    /// Revokes a key; false when there is none. The first revocation stands.
    pub write keys::revoke_key(id: KeyId, at: Timestamp) -> bool;
    /// Notes when keys were last used; never moves one backwards.
    pub write keys::record_last_used(uses: Vec<(KeyId, Timestamp)>) -> ();

    /// Begins a session; the account's one that was not used for longest makes room when there are too many.
    pub write sessions::begin_session(new: NewSession) -> ();
    /// The session of a token that has not ended, with its account.
    pub read sessions::session(digest: Digest, now: Timestamp) -> Option<Session>;
    /// The sessions of an account that have not ended, the last used first.
    pub read sessions::sessions_of(user_id: UserId, now: Timestamp) -> Vec<Session>;
    /// Notes that a session was used, and until when it is good now.
    pub write sessions::touch_session(id: SessionId, seen_at: Timestamp, expires_at: Timestamp) -> ();
    /// Ends a session of an account; false when there is none.
    pub write sessions::end_session(user_id: UserId, id: SessionId) -> bool;
    /// Ends all sessions of an account, but one.
    pub write sessions::end_sessions(user_id: UserId, but: Option<SessionId>) -> ();
    /// Forgets the sessions that ended; says how many.
    pub write sessions::expire_sessions(now: Timestamp) -> u64;

    /// Makes an account for somebody who asks for one.
    pub write members::join(new: NewMember) -> Joined;
    /// Keeps an invitation.
    pub write members::add_invite(digest: Digest, note: String, at: Timestamp, expires_at: Timestamp) -> ();
    /// Whether an invitation can still be used.
    pub read members::invite_is_good(digest: Digest, now: Timestamp) -> bool;
    /// Keeps the digest of a link by which an account can be made.
    pub write members::add_application(digest: Digest, new: Application, now: Timestamp, expires_at: Timestamp) -> ();
    /// What a link to make an account is for, when it is good.
    pub read members::application(digest: Digest, now: Timestamp) -> Option<Application>;
    /// What signing in to an address' account needs.
    pub read members::login(email: Email) -> Option<Login>;
    /// Keeps a new password's hash and ends all sessions but one.
    pub write members::change_password(user_id: UserId, hash: String, but: Option<SessionId>) -> ();
    /// Replaces an account's recovery codes.
    pub write members::replace_recovery_codes(user_id: UserId, digests: Vec<Digest>, at: Timestamp) -> ();
    /// How many recovery codes an account has left.
    pub read members::recovery_codes_left(user_id: UserId) -> u64;
    /// What signing in to an address' account needs, when a recovery code is good for it.
    pub read members::recoverable(email: Email, code: Digest) -> Option<Login>;
    /// Uses a recovery code up: keeps a new password's hash and ends all sessions; false when the code is not good.
    pub write members::recover(user_id: UserId, code: Digest, hash: String, at: Timestamp) -> bool;
    /// Uses a recovery code up in place of a second factor; false when the code is not good.
    pub write second_factors::use_recovery_code(user_id: UserId, code: Digest, at: Timestamp) -> bool;
    /// The second factor of an account.
    pub read second_factors::second_factor(user_id: UserId) -> Option<SecondFactor>;
    /// Keeps a second factor that is to be confirmed, in the place of one that was not; false when there is a confirmed one.
    pub write second_factors::offer_second_factor(user_id: UserId, sealed: Vec<u8>, at: Timestamp) -> bool;
    /// Turns a second factor on, with the step whose code was typed, and replaces the recovery codes; false when none waits for it.
    pub write second_factors::confirm_second_factor(user_id: UserId, step: i64, codes: Vec<Digest>, at: Timestamp) -> bool;
    /// Uses a step up; false when its code, or that of a later one, was taken before.
    pub write second_factors::use_step(user_id: UserId, step: i64) -> bool;
    /// Turns a second factor off; false when there is none.
    pub write second_factors::drop_second_factor(user_id: UserId) -> bool;
    /// The newest movements of an account's credits, newest first.
    pub read members::movements(user_id: UserId, limit: u32) -> Vec<Movement>;

    /// What signing in to an identity's account needs.
    pub read identities::login_of_identity(issuer: String, subject: String) -> Option<Login>;
    /// Links an identity to an account. [`StoreError::Conflict`] when there is no such account.
    pub write identities::link_identity(user_id: UserId, new: Identity, at: Timestamp) -> Linked;
    /// The identities of an account, in the order in which they were linked.
    pub read identities::identities_of(user_id: UserId) -> Vec<KeptIdentity>;
    /// Takes an identity away, unless it is the last way in to its account: a password, or an identity at somebody who is vouching.
    pub write identities::unlink_identity(user_id: UserId, issuer: String, subject: String, vouching: Vec<String>) -> Unlinked;
    /// Keeps the hash of an account's first password; false when it has one.
    pub write identities::set_first_password(user_id: UserId, hash: String) -> bool;

    /// Keeps the digest of a link that is sent by mail; the account's earlier one for the same purpose is good no more.
    pub write tickets::add_ticket(digest: Digest, user_id: UserId, purpose: Purpose, now: Timestamp, expires_at: Timestamp) -> ();
    /// Whose link this is, when it is good.
    pub read tickets::ticket(digest: Digest, purpose: Purpose, now: Timestamp) -> Option<UserId>;
    /// How an account was welcomed.
    pub read tickets::welcome(user_id: UserId) -> Welcome;
    /// Uses a link up and notes that the account's address is its owner's.
    pub write tickets::verify(digest: Digest, user_id: UserId, now: Timestamp) -> ();
    /// Uses a link up, keeps a new password's hash and ends all sessions; none when the link is not good.
    pub write tickets::reset_password(digest: Digest, hash: String, now: Timestamp) -> Option<UserId>;

    /// What an account holds and may do.
    pub read ledger::standing(id: UserId) -> Option<Standing>;
    /// Proves the books.
    pub read books::books() -> Books;

    /// A page of an account's history, newest first, and how many rows there are in all.
    pub read generations::generations_of(user_id: UserId, limit: u32, offset: u64) -> (Vec<Generation>, u64);
    /// A row of an account's history.
    pub read generations::generation(user_id: UserId, id: GenerationId) -> Option<Generation>;

    /// Takes over runs that nobody holds, the oldest first: those left for any node, and those whose lease ran out.
    pub write runs::claim_unfinished(node: Uuid, wanted: Claimable, judge: Judge, lease_until: Timestamp, limit: u32) -> Vec<Unfinished>;
    /// Notes that a run's source took down the process that worked on it, and says how often that was.
    pub write runs::note_fall(id: RunId) -> u32;
    /// Notes that a queued run is in its stages.
    pub write runs::mark_running(id: RunId) -> ();
    /// Keeps those of a node's unfinished runs its own that it holds, and says how many there are. One that was claimed without the
    /// node's learning of it is not among them, and is claimed again when its lease is over.
    pub write runs::renew_leases(node: Uuid, held: Vec<RunId>, until: Timestamp) -> u64;
    /// Lets any node claim a run at once.
    pub write runs::release_lease(id: RunId) -> ();
    /// Puts a node's own run back in the queue, for any node to begin at once, as if it had not been begun; false where another node holds
    /// it by now, or it has ended.
    pub write runs::hand_over(node: Uuid, id: RunId) -> bool;
    /// The runs that have not ended, the oldest first: who works on them, and since when.
    pub read runs::unfinished(limit: u32) -> Vec<Leased>;
    /// A run as it stands: of skills that were deleted, nothing.
    pub read runs::run(id: RunId) -> Option<Run>;
    /// How many runs have not ended.
    pub read runs::unfinished_count() -> u64;
    /// How many of them wait for their turn.
    pub read runs::waiting_count() -> u64;
    /// When the oldest reservation that is still open was made.
    pub read runs::oldest_reservation() -> Option<Timestamp>;

    /// The skills of a library, newest change first.
    pub read skills::skills_of(user_id: UserId, filter: SkillFilter) -> Vec<SkillLine>;
    /// A skill of a library.
    pub read skills::skill(user_id: UserId, id: SkillId) -> Option<StoredSkill>;
    /// The run that one of an account's generations belongs to; a run, and so a catalogue, is found by its own id too.
    pub read runs::run_of(user_id: UserId, id: Uuid) -> Option<RunId>;
    /// What a completed generation made, to the letter, however its skill was changed since; none once that is deleted.
    pub read products::product(user_id: UserId, id: GenerationId) -> Option<FinishedSkill>;
    /// How many skills of a library a filter lets through.
    pub read skills::skill_count(user_id: UserId, filter: SkillFilter) -> u64;
    /// The categories of a library by name, with how many skills each has.
    pub read skills::categories_of(user_id: UserId) -> Vec<(String, u64)>;
    /// Skills that their owners show to everybody, the newest first, those after one of them.
    pub read skills::public_skills(after: Option<SkillId>, limit: u32) -> Vec<SkillLine>;
    /// A skill that its owner shows to everybody.
    pub read skills::public_skill(id: SkillId) -> Option<StoredSkill>;
    /// Saves an edit and keeps what was there; with `expected`, only when the skill last changed at one of these instants.
    pub write skills::edit_skill(user_id: UserId, id: SkillId, expected: Option<Vec<Timestamp>>, edited: Edited, at: Timestamp) -> Saved;
    /// Shows a skill to everybody, or to its owner alone; false when there is none.
    pub write skills::share_skill(user_id: UserId, id: SkillId, is_public: bool) -> bool;
    /// Copies a skill of the account, or a public one, into the account's library; none when there is none.
    pub write skills::duplicate_skill(user_id: UserId, id: SkillId, copy: SkillId, at: Timestamp) -> Option<StoredSkill>;
    /// What a skill can be made of again.
    pub read skills::origin(user_id: UserId, id: SkillId) -> Origin;
    /// What a skill said before it was changed, newest first.
    pub read versions::versions_of(user_id: UserId, id: SkillId) -> Vec<VersionLine>;
    /// One of these, with its text.
    pub read versions::version(user_id: UserId, id: SkillId, made_at: Timestamp) -> Option<Version>;
    /// Deletes a skill, with `expected` only when it last changed at one of these instants. Its generations stay, and what they made for as long as a request for it may be
    /// repeated.
    pub write skills::delete_skill(user_id: UserId, id: SkillId, expected: Option<Vec<Timestamp>>) -> Removed;

    /// Which of its texts a skill has now, and those that it had before, newest first.
    pub read versions::texts_of(user_id: UserId, id: SkillId) -> (u32, Vec<Version>);

    /// Begins to watch a skill, or watches it otherwise from now on, unless the account watches as many as it may; the next look is due at `at`.
    pub write watches::watch_skill(user_id: UserId, id: SkillId, how: (Every, Remedy), at: Timestamp, most: u32) -> Watched;
    /// Looks at a skill's source no more; false when nobody did. What was ordered stays, and is there to be tidied away at `at`.
    pub write watches::unwatch_skill(user_id: UserId, id: SkillId, at: Timestamp) -> bool;
    /// Forgets a watch that was switched off, as long as it is as it was found.
    pub write watches::forget_watch(id: SkillId, hold: Hold) -> bool;
    /// The watch of a skill.
    pub read watches::watch(user_id: UserId, id: SkillId) -> Option<Watch>;
    /// When the next look is due.
    pub read watches::next_look() -> Option<Timestamp>;
    /// Takes watches that are due, so that nobody else takes them before `lease_until`; those that cannot be read are logged.
    pub write watches::take_watches(now: Timestamp, lease_until: Timestamp, most: u32) -> Vec<Watch>;
    /// Writes down what a look found and when the next is due; false when the watch is not as it was found any more.
    pub write watches::note_look(id: SkillId, hold: Hold, found: Found, due_at: Timestamp) -> bool;
    /// Gives up the run that a watch names, so that it cannot be charged any more; false when it was, or the watch is not as it was found.
    pub write watches::give_up_run(id: SkillId, hold: Hold) -> bool;
    /// Makes the next look due earlier; false when nobody watches the skill.
    pub write watches::hasten_look(user_id: UserId, id: SkillId, at: Timestamp) -> bool;
    /// Settles the change that waits without a new text, as long as the watch names that run.
    pub write watches::dismiss_change(user_id: UserId, id: SkillId, named: Option<RunId>, at: Timestamp) -> Saved;
    /// Puts the draft that a run made in the place of what the skill says, which is kept as a version; stale when it is not what waits.
    pub write watches::take_draft(user_id: UserId, id: SkillId, run_id: RunId, at: Timestamp) -> Saved;
    /// Whether a skill says something else than what its last generation made.
    pub read watches::is_edited(id: SkillId) -> bool;
    /// The text that waits beside one of an account's skills.
    pub read drafts::draft(user_id: UserId, id: SkillId) -> Option<Draft>;
    /// Puts the draft of a run in the place of what its skill says, or lets it wait no more; [`Saved::Stale`] when another one waits.
    pub write drafts::answer_draft(user_id: UserId, id: SkillId, run_id: RunId, is_accepted: bool, at: Timestamp) -> Saved;

    /// Adds an address that is told what became of an account's runs; false when the account has as many as it may.
    pub write webhooks::add_endpoint(new: Endpoint) -> bool;
    /// Takes one away with all that was to be told there; false when there is none.
    pub write webhooks::remove_endpoint(user_id: UserId, id: EndpointId) -> bool;
    /// Those of an account, or all, oldest first.
    pub read webhooks::endpoints(user_id: Option<UserId>) -> Vec<Endpoint>;
    /// The runs of an account that ended since an instant and are not noted for an endpoint of it.
    pub read webhooks::ended_since(user_id: UserId, endpoint_id: EndpointId, since: Timestamp) -> Vec<EndedRun>;
    /// Notes events for an endpoint, each run once, and until when its runs are noted.
    pub write webhooks::note_deliveries(endpoint_id: EndpointId, new: Vec<NewDelivery>, until: Timestamp) -> ();
    /// Takes events that are due, so that nobody else takes them before `lease_until`.
    pub write webhooks::take_due(now: Timestamp, lease_until: Timestamp, most: u32) -> Vec<Due>;
    /// Writes down what came of sending an event.
    pub write webhooks::settle_delivery(id: DeliveryId, attempt: Attempt) -> ();
    /// The latest events of an account, newest first.
    pub read webhooks::deliveries_of(user_id: UserId, most: u32) -> Vec<Delivery>;
    /// Makes an event of an account due once more; false when there is none.
    pub write webhooks::send_again(user_id: UserId, id: DeliveryId, at: Timestamp) -> bool;
    /// Forgets the events from before an instant that are not due any more.
    pub write webhooks::forget_deliveries(before: Timestamp) -> ();

    /// Keeps uploaded sources, all or none.
    pub write sources::add_sources(new: Vec<StoredSource>) -> ();
    /// Sources of an account, in the order asked for; unknown ones are missing.
    pub read sources::sources(user_id: UserId, ids: Vec<SourceId>) -> Vec<StoredSource>;
    /// Expires the sources from before an instant that no skill was ever made of, and says how many (at most a thousand at once).
    pub write sources::expire_sources(before: Timestamp) -> u64;

    /// Claims digests, so that their bytes may be written, and stay for as long as a claim holds; answers those that are being
    /// removed just now, which are not claimed.
    pub write blobs::claim_blobs(digests: Vec<String>, at: Timestamp) -> Vec<String>;
    /// Marks blobs that nobody has claimed since `before` and nobody needs, and says which, and whether there may be more; those
    /// too whose remover was not heard of since `stale`. Sources of theirs that no skill uses any more expire.
    pub write blobs::begin_removal(before: Timestamp, stale: Timestamp, at: Timestamp) -> (Vec<String>, bool);
    /// Forgets blobs whose bytes are gone.
    pub write blobs::end_removal(digests: Vec<String>) -> ();
    /// Keeps bytes under their digest, where the database is the home of files.
    pub(super) write blobs::put_blob(digest: String, bytes: Bytes) -> ();
    /// The bytes of a digest, when they are here.
    pub(super) read blobs::blob(digest: String) -> Option<Bytes>;
    /// Removes the bytes of a digest; false when they were not here.
    pub(super) write blobs::remove_blob(digest: String) -> bool;

    /// Opens a purchase, or finds the one of this account and plan that can still be paid.
    pub write payments::open_payment(new: NewPayment) -> Opened;
    /// Notes the page that the provider made for a purchase, unless it has one; the purchase, with the page that stands.
    pub write payments::note_page(id: PaymentId, page: HostedPage) -> Option<Payment>;
    /// Notes that a purchase's page leads nowhere, so that the next order opens another.
    pub write payments::close_payment(id: PaymentId, at: Timestamp) -> ();
    /// A purchase.
    pub read payments::payment(id: PaymentId) -> Option<Payment>;
    /// The purchase that is paid on this page.
    pub read payments::payment_by_session(session: String) -> Option<Payment>;
    /// The purchase that the provider names so.
    pub read payments::payment_by_reference(reference: String) -> Option<Payment>;
    /// The purchases of an account, newest first.
    pub read payments::payments_of(user_id: UserId, limit: u32) -> Vec<Payment>;
    /// Keeps an event whose purchase is not known yet.
    pub write payments::park_event(news: News) -> ();
    /// The events that wait for a purchase which is known by now, oldest first, some hundreds at most.
    pub read payments::strays() -> Vec<Stray>;
    /// Forgets the events from before an instant that found no purchase, and says how many.
    pub write payments::forget_strays(before: Timestamp) -> u64;

    /// [`Store::run_by_idempotency`], owning what it is asked.
    read runs::requested_run(user_id: UserId, route: String, key: String, not_before: Timestamp) -> Option<Run>;
    /// [`Store::settle`] for a batch that is asked for when the database is free to settle it, with one error for all of it. The
    /// batch may have been asked for by then or not; it is not asked for afterwards.
    pub write ledger::settle_batch(take: Taking) -> Vec<Result<Settled, Refused>>;
}

impl Store {
    /// The run that an idempotency key was first used for, unless that was before an instant.
    ///
    /// # Errors
    /// [`StoreError`], as it says.
    pub async fn run_by_idempotency(
        &self,
        user_id: UserId,
        route: &str,
        key: &str,
        not_before: Timestamp,
    ) -> Result<Option<Run>, StoreError> {
        self.requested_run(user_id, route.to_owned(), key.to_owned(), not_before)
            .await
    }

    /// Settles charges, completions, failures and grants, up to 512 in a transaction: one answer each, in order, after the
    /// commit. Once begun it is settled to the end, whether or not the caller still waits.
    pub async fn settle(&self, batch: Vec<Entry>) -> Vec<Result<Settled, Refused>> {
        let entries = batch.len();
        match self.settle_batch(Box::new(move || batch)).await {
            Ok(answers) => answers,
            Err(error) => (0..entries)
                .map(|_| Err(Refused::Store(error.clone())))
                .collect(),
        }
    }

    /// Whether calls that write wait for each other in a queue, so that one which settles may be made before the last is over.
    #[must_use]
    pub fn writes_in_turn(&self) -> bool {
        matches!(self.0, Database::Sqlite(_))
    }

    fn figures(&self) -> &Calls {
        match &self.0 {
            Database::Sqlite(threads) => threads.figures(),
            Database::Postgres(pool) => pool.figures(),
        }
    }

    /// What an operator sees of the database. Queries are counted for all stores of the process together.
    #[must_use]
    pub fn observe(&self) -> DatabaseFigures {
        let (engine, connections_max) = match &self.0 {
            Database::Sqlite(_) => ("sqlite", Threads::COUNT),
            Database::Postgres(pool) => ("postgres", pool.max_size()),
        };
        let figures = self.figures();
        let (waiting, busy, errors) = figures.counts();
        let mut queries: Vec<_> = asked::ALL.iter().map(|query| query.observe()).collect();
        queries.retain(|query| query.count > 0);
        queries.sort_by(|a, b| b.sum_s.total_cmp(&a.sum_s));
        DatabaseFigures {
            engine,
            busy,
            waiting,
            connections_max: connections_max as u64,
            errors,
            wait: figures.wait.spread(),
            call: figures.query.spread(),
            queries,
        }
    }
}
