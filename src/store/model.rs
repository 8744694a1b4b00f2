//! Owns what goes into the store and what comes out of it, in the words of the domain.

use crate::domain::clock::Timestamp;
use crate::domain::credits::{Credits, GrantReason};
use crate::domain::generation::{Event, Finished, Made, Order, Status};
use crate::domain::id::{
    GenerationId, GrantId, KeyId, PaymentId, RunId, SessionId, SkillId, UserId,
};
use crate::domain::key::{Digest, HashedKey};
use crate::domain::payment::{Fact, Payment, Provider};
use crate::domain::skill::FinishedSkill;
use crate::domain::source::SourceType;
use crate::domain::user::{Email, Plan};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_skills::skill::Reference;
use std::sync::Arc;
use uuid::Uuid;

/// Why the store did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// The database does not answer now; the same call may succeed later.
    Unavailable(String),
    /// A rule of the schema refused it: a duplicate, a missing parent, a limit.
    Conflict(String),
    /// A fault of ours, or a database that is not what we made it.
    Broken(String),
    /// The home of uploaded files does not answer, or refuses.
    Files(String),
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unavailable(cause) => write!(f, "the database does not answer: {cause}"),
            Self::Conflict(cause) => write!(f, "the database refused: {cause}"),
            Self::Broken(cause) => write!(f, "the database failed: {cause}"),
            Self::Files(cause) => write!(f, "the store of uploaded files fails: {cause}"),
        }
    }
}

impl std::error::Error for StoreError {}

/// An account to be made; its first credits are a grant in the same transaction (none when zero).
#[derive(Debug, Clone)]
pub struct NewUser {
    /// Its identity.
    pub id: UserId,
    /// Its address; one account each.
    pub email: Email,
    /// Its plan.
    pub plan: Plan,
    /// An argon2id hash in PHC form.
    pub password_hash: Option<String>,
    /// The first credits.
    pub credits: Credits,
    /// Why they came.
    pub reason: GrantReason,
    /// When.
    pub at: Timestamp,
}

/// A key to be added. The store refuses the 21st live one with [`StoreError::Conflict`].
#[derive(Debug, Clone)]
pub struct NewKey {
    /// Its identity.
    pub id: KeyId,
    /// Whose it is.
    pub user_id: UserId,
    /// Its name, 1 to 64 characters.
    pub name: String,
    /// Its hash.
    pub hash: HashedKey,
    /// The last four characters of the plaintext.
    pub last_four: String,
    /// When.
    pub at: Timestamp,
}

/// Whose key a hash is, and whether it may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder {
    /// The key.
    pub key_id: KeyId,
    /// Its account.
    pub user_id: UserId,
    /// Whether the key was revoked.
    pub revoked: bool,
    /// Whether the account is restricted.
    pub restricted: bool,
}

/// A browser that signs in.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Its identity.
    pub id: SessionId,
    /// Whose it is.
    pub user_id: UserId,
    /// The digest of its token.
    pub digest: Digest,
    /// What the browser calls itself, shortened.
    pub agent: String,
    /// From where.
    pub network: String,
    /// When.
    pub at: Timestamp,
    /// Until when, if it is not used.
    pub expires_at: Timestamp,
}

/// A browser that is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its identity.
    pub id: SessionId,
    /// Whose it is.
    pub user_id: UserId,
    /// The account's address.
    pub email: Email,
    /// Whether the account is restricted.
    pub restricted: bool,
    /// What the browser calls itself.
    pub agent: String,
    /// From where it signed in.
    pub network: String,
    /// When it signed in.
    pub created_at: Timestamp,
    /// When it was last used, at most a minute stale.
    pub seen_at: Timestamp,
    /// Until when, if it is not used.
    pub expires_at: Timestamp,
}

/// An account that somebody makes for themselves.
#[derive(Debug, Clone)]
pub struct NewMember {
    /// The account; its credits are what a welcome is worth.
    pub user: NewUser,
    /// From where it is made.
    pub network: String,
    /// Whether the address is known to be its owner's.
    pub is_verified: bool,
    /// Welcomes that a network gets after `welcomes_since`.
    pub welcomes_max: u32,
    /// See `welcomes_max`.
    pub welcomes_since: Timestamp,
    /// The digest of the invitation that it uses up.
    pub invite: Option<Digest>,
    /// Who vouches for its owner, and so for the address.
    pub identity: Option<Identity>,
}

/// An account that was asked for, and is made by whoever has the link that was sent to its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Application {
    /// The address.
    pub email: Email,
    /// The digest of the invitation that the account uses up.
    pub invite: Option<Digest>,
}

/// Who somebody is to an issuer that vouches for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The issuer.
    pub issuer: String,
    /// Their name there.
    pub subject: String,
    /// Their address there; it is shown and decides nothing.
    pub email: String,
}

/// An identity that is linked to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptIdentity {
    /// Which.
    pub identity: Identity,
    /// Since when.
    pub linked_at: Timestamp,
}

/// What came of linking an identity to an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linked {
    /// It is linked.
    Done,
    /// It is another account's.
    SomebodyElses,
    /// The account is somebody else to this issuer already.
    AnotherBefore,
}

/// What came of taking an identity away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlinked {
    /// It is gone.
    Done,
    /// It stays: the account has no password and no other identity.
    LastWayIn,
    /// The account has no such identity.
    Missing,
}

/// What signing in needs to know of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    /// Whose it is.
    pub user_id: UserId,
    /// The hash of its password; none lets nobody in.
    pub password_hash: Option<String>,
    /// Whether the account is restricted.
    pub restricted: bool,
}

/// What an account's authenticator shares with us, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondFactor {
    /// The secret, sealed.
    pub sealed: Vec<u8>,
    /// Since when it is asked for; none while its owner has not shown that it works.
    pub confirmed_at: Option<Timestamp>,
    /// The last step whose code was taken.
    pub last_step: i64,
}

/// What a link in a mail is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To show that the address is its owner's.
    Verify,
    /// To set a new password.
    Reset,
}

impl Purpose {
    /// The word kept in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verify => "verify",
            Self::Reset => "reset",
        }
    }
}

/// How an account was welcomed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Welcome {
    /// What its welcome is worth.
    pub credits: Credits,
    /// When its address was found to be its owner's.
    pub verified_at: Option<Timestamp>,
}

impl Welcome {
    /// Of an account that the operator made.
    pub const NONE: Self = Self {
        credits: Credits::ZERO,
        verified_at: None,
    };
}

/// What came of watching a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watched {
    /// Its source is looked at.
    Done,
    /// The account has no such skill.
    Missing,
    /// The account watches as many as it may.
    TooMany,
}

/// What came of making an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joined {
    /// It is made; so much is its welcome worth.
    Made(Credits),
    /// The address has an account.
    Taken,
    /// The invitation is unknown, used up or too old.
    NotInvited,
}

/// One write that moves credits or ends a run. Many of them settle in one transaction.
#[derive(Debug, Clone)]
pub enum Entry {
    /// Reserves the cost and writes the generation rows, or refuses.
    Charge(Box<NewRun>),
    /// Saves the skills, posts the reservation or voids it, marks the rows completed.
    Complete(Box<Completion>),
    /// Voids the reservation and marks the rows failed.
    Fail {
        /// Which run.
        run_id: RunId,
        /// Why.
        failure: Failure,
        /// When.
        at: Timestamp,
    },
    /// Gives credits.
    Grant {
        /// The unique key of the transfer: granting twice under one key grants once.
        id: GrantId,
        /// To whom.
        user_id: UserId,
        /// How many; not zero.
        amount: Credits,
        /// Why.
        reason: GrantReason,
        /// When.
        at: Timestamp,
    },
    /// Hears an event of a purchase: what it should have given by now is given, what went back is taken, once an event.
    Hear {
        /// Whose purchase it is.
        user_id: UserId,
        /// Which purchase.
        payment_id: PaymentId,
        /// What was told.
        news: Box<News>,
    },
}

/// What a payment provider told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    /// The provider's name of the event; heard once.
    pub event: String,
    /// The provider's name of what it is about, for an event whose purchase is not known yet.
    pub reference: Option<String>,
    /// Whether it is about real money.
    pub livemode: bool,
    /// When it happened.
    pub at: Timestamp,
    /// What.
    pub fact: Fact,
    /// When we were told.
    pub received_at: Timestamp,
}

/// A purchase to be opened.
#[derive(Debug, Clone)]
pub struct NewPayment {
    /// Its identity, unless the account has one that can still be paid.
    pub id: PaymentId,
    /// Who buys.
    pub user_id: UserId,
    /// What: anything but `free`.
    pub plan: Plan,
    /// From whom.
    pub provider: Provider,
    /// The credits that it promises; none of a subscription.
    pub credits: Credits,
    /// When.
    pub at: Timestamp,
    /// An open one is good enough when its page can be paid at least until then, or when it has no page yet and was opened
    /// after `unanswered_after`.
    pub payable_until: Timestamp,
    /// See above.
    pub unanswered_after: Timestamp,
}

/// What opening a purchase came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opened {
    /// This is it: a new one, or the one that is open.
    Open(Box<Payment>),
    /// The account has a subscription already.
    Subscribed,
    /// There is no such account.
    Unknown,
}

/// An event that waits for its purchase, and the purchase, now known.
#[derive(Debug, Clone)]
pub struct Stray {
    /// The event.
    pub news: News,
    /// Its purchase.
    pub payment: Payment,
}

/// A run to be charged and written down.
#[derive(Debug, Clone)]
pub struct NewRun {
    /// Its identity: the charge's unique key. Charging twice under one id charges once (`Refused::Duplicate`).
    pub id: RunId,
    /// Who pays.
    pub user_id: UserId,
    /// With which key.
    pub key_id: Option<KeyId>,
    /// The price of one generation row; a run costs this times its rows. The unlimited plan pays nothing: the store decides by
    /// the plan it sees inside the transaction.
    pub price: Credits,
    /// Which route was called, and the client's idempotency key with a digest of the parsed fields.
    pub idempotency: Option<Idempotency>,
    /// What to make; kept until the run ends, so that it can be resumed.
    pub order: Order,
    /// One row a skill, in order; at least one. The first row of a run that is not a catalogue has the run's own UUID.
    pub generations: Vec<NewGeneration>,
    /// Shared by the rows of a catalogue.
    pub catalogue_id: Option<Uuid>,
    /// The skill that a regeneration replaces.
    pub replaces: Option<SkillId>,
    /// Whether it has to wait for a slot; otherwise its rows are written as running.
    pub queued: bool,
    /// The node that holds the lease.
    pub node: Uuid,
    /// Until when.
    pub lease_until: Timestamp,
    /// When.
    pub at: Timestamp,
}

/// A client's wish that a repeated request be answered, not repeated (decision 48).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// The route, such as `POST /api/v1/generate`.
    pub route: String,
    /// The client's key.
    pub key: String,
    /// A digest of the parsed fields.
    pub digest: String,
}

/// One row of the history to be written.
#[derive(Debug, Clone)]
pub struct NewGeneration {
    /// Its identity.
    pub id: GenerationId,
    /// The skill it makes.
    pub skill_id: SkillId,
    /// The wanted or provisional name.
    pub name: String,
    /// The kind of source.
    pub source_type: SourceType,
    /// What a person is shown of the source.
    pub source: String,
}

/// A run that succeeded.
#[derive(Debug, Clone)]
pub struct Completion {
    /// Which run.
    pub run_id: RunId,
    /// Its skills, in the order of its generation rows.
    pub skills: Vec<Arc<FinishedSkill>>,
    /// The catalogue's index: file name and content, kept with the run so that a repeat can be answered.
    pub index: Option<Reference>,
    /// Whether its credits are given back although there are skills: the model that was to write them was away (decision 54).
    pub is_given_back: bool,
    /// When.
    pub at: Timestamp,
}

/// What settling an entry did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settled {
    /// The run is charged and written down.
    Charged {
        /// What was charged in all; zero on the unlimited plan.
        charged: Credits,
        /// What can still be spent.
        available: Credits,
    },
    /// The skills are in the library.
    Completed,
    /// The new text waits beside its skill, which its owner had changed by hand.
    Drafted,
    /// The credits are back.
    Failed {
        /// How many.
        refunded: Credits,
        /// What can be spent now.
        available: Credits,
    },
    /// The credits are there (also when this grant was made before).
    Granted {
        /// What can be spent now.
        available: Credits,
    },
    /// The event of a purchase was heard.
    Heard {
        /// False when it had been heard before.
        fresh: bool,
        /// What it brought.
        given: Credits,
        /// What it took back, debts included.
        taken: Credits,
        /// Whether another price was paid than the one that was named.
        mispaid: bool,
        /// What can be spent now.
        available: Credits,
    },
}

/// Hands over a batch when the database is free to settle it.
pub type Taking = Box<dyn FnOnce() -> Vec<Entry> + Send>;

/// Why an entry was not settled. Nothing of it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The balance is too low.
    InsufficientCredits {
        /// What can be spent.
        available: Credits,
    },
    /// No such account or run, or the skill that a regeneration replaces is gone.
    Unknown,
    /// A run with this id, or with this idempotency key within 24 h, exists already.
    Duplicate,
    /// The run ended before; the first end stands.
    AlreadyEnded,
    /// The skill that a regeneration replaces is being regenerated by another run.
    Busy,
    /// Too many movements wait for the database: this one was turned away before anything of it was written.
    Crowded,
    /// The database did not answer, or failed; nothing was written, as far as it said.
    Store(StoreError),
}

/// For callers to whom every refusal but a full queue means that something is broken.
impl From<Refused> for StoreError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Store(error) => error,
            Refused::Crowded => Self::Unavailable("too many movements wait".to_owned()),
            refused => Self::Broken(format!("a movement was refused: {refused:?}")),
        }
    }
}

/// What became of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saved {
    /// It is in the library, since then.
    At(Timestamp),
    /// The skill was changed since the caller read it.
    Stale,
    /// There is no such skill.
    Missing,
}

/// What a skill can be made of again.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// What was ordered, for this skill alone.
    Order(Box<Order>),
    /// It is a copy of somebody else's: its source is not the caller's.
    NotOurs,
    /// There is no such skill.
    Missing,
}

/// Which of the runs that have not ended a node claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimable {
    /// Those that nobody holds, and all of other nodes too, whatever their leases say: they are dead.
    Everything,
    /// Those that nobody holds, but for these accounts'.
    ExceptAccounts(Vec<UserId>),
    /// Those that nobody holds and that were ordered by then.
    OrderedBefore(Timestamp),
}

/// A run that was left behind, now leased to the node that claimed it.
#[derive(Debug, Clone)]
pub struct Unfinished {
    /// Its identity.
    pub run_id: RunId,
    /// Whose it is.
    pub user_id: UserId,
    /// What to make.
    pub order: Order,
    /// The skill that it replaces.
    pub replaces: Option<SkillId>,
    /// What was charged for it.
    pub charged: Credits,
    /// How often it was begun, this claim included.
    pub attempts: u32,
    /// How often its source took down the process that worked on it.
    pub falls: u32,
    /// When it was ordered.
    pub created_at: Timestamp,
    /// The skills it will make, in order.
    pub skills: Vec<SkillId>,
}

/// A run that has not ended, and who works on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leased {
    /// Its identity.
    pub run_id: RunId,
    /// What kind of source it reads.
    pub source: SourceType,
    /// When it was ordered.
    pub ordered_at: Timestamp,
    /// The node that took it up last.
    pub node: Option<Uuid>,
    /// Until when that node holds it.
    pub lease_until: Option<Timestamp>,
    /// How often it was begun.
    pub attempts: u32,
    /// What was charged for it.
    pub charged: Credits,
}

/// A run as it stands, for answering a repeated request.
#[derive(Debug, Clone)]
pub struct Run {
    /// Its identity.
    pub id: RunId,
    /// Whose it is.
    pub user_id: UserId,
    /// Where it stands (all rows of a run stand alike).
    pub status: Status,
    /// The digest of the fields it was ordered with, when an idempotency key was given.
    pub digest: Option<String>,
    /// What was charged for it.
    pub charged: Credits,
    /// What was given back: all of it, or nothing.
    pub refunded: Credits,
    /// What could be spent right after the charge.
    pub balance_after: Credits,
    /// Shared by the rows of a catalogue.
    pub catalogue_id: Option<Uuid>,
    /// The topics that were ordered.
    pub order: Order,
    /// The catalogue's index, once completed.
    pub index: Option<Reference>,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// When it was ordered.
    pub ordered_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// What it made, in order and to the letter, once completed; `None` where a skill was deleted.
    pub skills: Vec<Option<Made>>,
    /// Whether that waited, or waits, beside a skill that its owner had changed by hand.
    pub is_draft: bool,
}

impl Run {
    /// What a spectator would have heard last; `None` while the run has not ended. What was deleted
    /// since is left out; a run of which nothing is left is told as one that cannot be shown any more.
    #[must_use]
    pub fn last_event(self) -> Option<Event> {
        match self.status {
            Status::Queued | Status::Running => None,
            Status::Failed => Some(Event::Failed(self.failure.unwrap_or_else(|| {
                Failure::new(Reason::Internal, "the run failed; nothing was charged")
            }))),
            Status::Completed => {
                let skills: Vec<Made> = self.skills.into_iter().flatten().collect();
                Some(match skills.is_empty() {
                    false => Event::Completed(Finished {
                        refunded: self.refunded,
                        is_draft: self.is_draft,
                        skills,
                        index: self.index,
                    }),
                    true => Event::Failed(Failure::new(
                        Reason::Missing,
                        "the skill that was made has been deleted since",
                    )),
                })
            }
        }
    }
}
