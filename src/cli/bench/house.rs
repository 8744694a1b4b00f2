//! Owns the whole service as a benchmark starts it in this process: on a database of its own, with accounts that can pay for
//! everything, and with the proof at the end that no credit was lost or counted twice.

use super::folder::Folder;
use super::machine;
use super::options::Bench;
use super::over_http::Standing;
use crate::cli::output::Stop;
use crate::config::Settings;
use crate::domain::clock::Clock;
use crate::domain::credits::{Books, Credits, GrantReason};
use crate::domain::id::UserId;
use crate::domain::observation::Observation;
use crate::domain::user::Plan;
use crate::http::Bound;
use crate::http::settings::HttpSettings;
use crate::services::admin::{Account, Admin};
use crate::services::pepper::Place;
use crate::services::{self, Services};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;
use tokio::sync::oneshot;
use uuid::Uuid;

/// Accounts that a load is spread over: many customers, none of whom waits for another.
const ACCOUNTS: usize = 64;
/// Where their addresses are; a name that can be nobody's.
const DOMAIN: &str = "@skillkiln-bench.invalid";
/// What each can spend.
const CREDITS: Credits = Credits(1_000_000_000);
/// The most that the settings allow an account to ask for.
const REQUESTS_PER_MINUTE: u32 = 100_000;
/// Runs that may wait: a benchmark looks for the limit of the machine and not for that of the settings.
const QUEUE_MAX: u32 = 20_000;
/// How long what is still running may take at the end.
const GRACE: Duration = Duration::from_secs(60);

/// The service, for as long as it is measured.
#[derive(Debug)]
pub struct House {
    /// Its doors.
    pub services: Services,
    /// Those who pay.
    pub users: Vec<UserId>,
    /// What it runs on, for the report.
    pub database: String,
    emails: Vec<String>,
    settings: Settings,
    admin: Admin,
    before: Books,
}

impl House {
    /// Starts it, with its database in `folder`.
    ///
    /// # Errors
    /// [`Stop`], as when the database is somebody's.
    pub async fn build(bench: &Bench, settings: &Settings, folder: &Folder) -> Result<Self, Stop> {
        let folder = folder.within(bench.dir.as_deref())?;
        let settings = for_a_load(settings, bench.database.as_deref(), folder);
        let url = settings.database.url.clone();
        let place = Place::of(&settings.auth.pepper_file, &url, &settings.storage.path);
        let admin = Admin::open(&url, &place, &settings.auth.key_brand)
            .await
            .map_err(|error| Stop::Failed(format!("cannot use the database: {error}")))?;
        refuse_what_is_not_ours(&admin).await?;
        let services = services::start(&settings, Clock::system())
            .await
            .map_err(Stop::Failed)?;
        let (users, emails) = accounts(&admin).await?;
        let before = admin.verify_books().await.map_err(Stop::failed)?;
        Ok(Self {
            database: described(&url),
            services,
            users,
            emails,
            settings,
            admin,
            before,
        })
    }

    /// Serves over HTTP too, and answers where, with a key of each account.
    ///
    /// # Errors
    /// [`Stop::Failed`] when there is no port.
    pub async fn open(&self) -> Result<(Open, Vec<String>), Stop> {
        let settings = HttpSettings::from(&self.settings);
        let bound =
            Bound::bind(settings, self.services.clone(), Clock::system()).map_err(Stop::failed)?;
        let address = bound.public_address().map_err(Stop::failed)?;
        let address = address.ok_or_else(|| Stop::Failed("a worker cannot be driven".into()))?;
        let (close, closed) = oneshot::channel::<()>();
        let served = tokio::task::spawn_local(bound.serve(async move {
            // Whoever forgets the door closes it.
            let _ = closed.await;
        }));
        let mut keys = Vec::with_capacity(self.emails.len());
        for email in &self.emails {
            let (_, key) = self
                .admin
                .add_key(email, "bench")
                .await
                .map_err(Stop::failed)?;
            keys.push(key.reveal().to_owned());
        }
        let url = format!("http://{address}");
        Ok((Open { url, close, served }, keys))
    }

    /// What an operator sees now.
    #[must_use]
    pub fn observe(&self) -> Observation {
        self.services.observe()
    }

    /// Proves the books after `made` generations succeeded, and ends the service.
    ///
    /// # Errors
    /// [`Stop::Failed`] when the books cannot be read.
    pub async fn close(self, made: u64) -> Result<Proof, Stop> {
        self.services.drain(GRACE).await;
        let after = self.admin.verify_books().await.map_err(Stop::failed)?;
        self.services.end().await;
        Ok(Proof::of(&self.before, &after, made))
    }
}

/// The service's public address while it is open.
#[derive(Debug)]
pub struct Open {
    /// Where it is.
    pub url: String,
    close: oneshot::Sender<()>,
    served: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Open {
    /// Closes it, in order.
    ///
    /// # Errors
    /// [`Stop::Failed`] when it had broken.
    pub async fn close(self) -> Result<(), Stop> {
        // It is closed already when it broke.
        let _ = self.close.send(());
        self.served
            .await
            .map_err(Stop::failed)?
            .map_err(Stop::failed)
    }
}

/// The operator's settings, with a database of the benchmark's own and without the limits that keep customers apart.
fn for_a_load(settings: &Settings, database: Option<&str>, folder: &Path) -> Settings {
    let mut settings = settings.clone();
    let own = format!("sqlite://{}", folder.join("bench.db").display());
    settings.database.url = database.map_or(own, str::to_owned);
    settings.database.url_file = Default::default();
    settings.auth.pepper_file = Default::default();
    settings.storage.path = folder.to_owned();
    settings.server.bind = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    settings.server.admin_bind = settings.server.bind;
    settings.limits.generate_per_minute = REQUESTS_PER_MINUTE;
    settings.limits.other_per_minute = REQUESTS_PER_MINUTE;
    settings.limits.running_per_account = settings.limits.running_per_account.max(64);
    settings.engine.queue_max = settings.engine.queue_max.max(QUEUE_MAX);
    settings.engine.words_min = 1;
    settings
}

/// A benchmark writes thousands of runs, which is nothing for a database that people use.
async fn refuse_what_is_not_ours(admin: &Admin) -> Result<(), Stop> {
    let users = admin.users().await.map_err(Stop::failed)?;
    let others = users
        .iter()
        .filter(|user| !user.email.as_str().ends_with(DOMAIN))
        .count();
    if others == 0 {
        return Ok(());
    }
    Err(Stop::Misused(format!(
        "this database holds {others} accounts that are not the benchmark's, which fills it with thousands of runs; make one of \
         its own, such as with `createdb skillkiln_bench`, and name that"
    )))
}

async fn accounts(admin: &Admin) -> Result<(Vec<UserId>, Vec<String>), Stop> {
    let run = Uuid::now_v7().simple();
    let (mut users, mut emails) = (Vec::new(), Vec::new());
    for number in 0..ACCOUNTS {
        let email = format!("{run}-{number}{DOMAIN}");
        let account = Account {
            email: email.clone(),
            plan: Plan::Free,
            credits: CREDITS,
            reason: GrantReason::Operator,
            password: None,
        };
        users.push(admin.add_user(account).await.map_err(Stop::failed)?.id);
        emails.push(email);
    }
    Ok((users, emails))
}

fn described(url: &str) -> String {
    let Some(path) = url.strip_prefix("sqlite://") else {
        return "PostgreSQL".to_owned();
    };
    if Path::new(path).parent().is_some_and(machine::is_in_memory) {
        return "SQLite in memory, where a durable commit costs nothing (--dir names a disk)"
            .to_owned();
    }
    "SQLite, each commit on the disk".to_owned()
}

/// What the books say of a load.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// Generations that succeeded, those before the clock started too.
    pub made: u64,
    /// Credits that were earned by them.
    pub earned: i64,
    /// Skills that nobody paid for.
    pub lost: i64,
    /// Credits that were taken beyond that.
    pub doubled: i64,
    /// Credits that are still set aside.
    pub reserved: i64,
    /// What the proof of the books found.
    pub faults: Vec<String>,
    /// Of a service elsewhere, whose books only its operator can prove: generations that its accounts have beyond those of this load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun_by_others: Option<u64>,
}

impl Proof {
    fn of(before: &Books, after: &Books, made: u64) -> Self {
        let earned = after.posted - before.posted;
        let made_signed = i64::try_from(made).unwrap_or(i64::MAX);
        let reserved = after.reserved - before.reserved;
        let granted = after.granted - before.granted;
        let spent = before.available - after.available + granted - reserved;
        Self {
            made,
            earned,
            lost: (made_signed - earned).max(0),
            doubled: (spent.max(earned) - made_signed).max(0),
            reserved,
            faults: after.faults.clone(),
            begun_by_others: None,
        }
    }

    /// Of a service elsewhere, by how the accounts of its keys stood before and after `sent` orders, of which `made` succeeded.
    #[must_use]
    pub fn of_standings(before: &[Standing], after: &[Standing], made: u64, sent: u64) -> Self {
        let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let (mut earned, mut begun) = (0, 0);
        let mut known = HashSet::new();
        for (before, after) in before.iter().zip(after) {
            // Several keys of one account tell the same story.
            if after
                .newest
                .as_ref()
                .is_none_or(|newest| known.insert(newest))
            {
                earned += signed(before.credits) - signed(after.credits);
                begun += after.generations.saturating_sub(before.generations);
            }
        }
        Self {
            made,
            earned,
            lost: (signed(made) - earned).max(0),
            doubled: (earned - signed(made)).max(0),
            reserved: 0,
            faults: Vec::new(),
            begun_by_others: Some(begun.saturating_sub(sent)),
        }
    }

    /// What the command ends with when it does not hold.
    #[must_use]
    pub fn complaint(&self) -> &'static str {
        match self.begun_by_others {
            None => "the books do not balance, which is a bug of ours",
            Some(_) => "the credits of the keys are not what this load alone would have left",
        }
    }

    /// Whether each skill was paid for once and nothing else was taken.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.lost == 0 && self.doubled == 0 && self.reserved == 0 && self.faults.is_empty()
    }

    /// In a line.
    #[must_use]
    pub fn words(&self) -> String {
        if self.holds() {
            return format!(
                "the books balance: {} skills made, {} credits earned, none lost, none counted twice",
                self.made, self.earned
            );
        }
        if let Some(others) = self.begun_by_others {
            return format!(
                "nothing is proved: {} skills made, {} credits fewer on the keys; {}",
                self.made,
                self.earned,
                elsewhere(others)
            );
        }
        let faults = match self.faults.as_slice() {
            [] => String::new(),
            faults => format!("; {}", faults.join("; ")),
        };
        format!(
            "THE BOOKS DO NOT BALANCE: {} skills made, {} credits earned, {} lost, {} counted twice, {} still set aside{faults}",
            self.made, self.earned, self.lost, self.doubled, self.reserved
        )
    }
}

/// Why the credits of a service elsewhere may be others than they should be.
fn elsewhere(begun_by_others: u64) -> String {
    let ask = "`skillkiln ledger verify` on its database proves its books";
    match begun_by_others {
        0 => format!(
            "perhaps somebody else used the keys meanwhile (a run of theirs that ended, a purchase), perhaps it is a bug of ours: {ask}"
        ),
        others => format!(
            "somebody else used the keys meanwhile, for {others} generations that are not of this load; repeat it with keys of its own. {ask}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(credits: u64, generations: u64, newest: &str) -> Standing {
        Standing {
            credits,
            generations,
            newest: Some(newest.to_owned()),
        }
    }

    #[test]
    fn credits_of_keys_that_somebody_else_used_accuse_nobody() {
        let before = [standing(10, 4, "a")];
        let of = |credits, generations, made| {
            Proof::of_standings(&before, &[standing(credits, generations, "b")], made, 3)
        };
        assert!(of(7, 7, 3).holds());
        let used = of(5, 9, 3);
        assert_eq!((used.holds(), used.begun_by_others), (false, Some(2)));
        assert!(
            used.words().contains("somebody else used the keys"),
            "{}",
            used.words()
        );
        // A run of theirs that was under way before gave its credit back.
        let given_back = of(8, 7, 3);
        assert_eq!((given_back.holds(), given_back.lost), (false, 1));
        let words = given_back.words();
        assert!(words.contains("perhaps somebody else") && words.contains("ledger verify"));
        assert!(!words.contains("DO NOT BALANCE"), "{words}");
    }

    #[test]
    fn several_keys_of_one_account_are_counted_once() {
        let before = [
            standing(10, 0, "a"),
            standing(10, 0, "a"),
            standing(5, 0, "z"),
        ];
        let after = [
            standing(8, 2, "b"),
            standing(8, 2, "b"),
            standing(4, 1, "y"),
        ];
        assert!(Proof::of_standings(&before, &after, 3, 3).holds());
    }

    fn books(available: i64, reserved: i64, posted: i64) -> Books {
        Books {
            granted: 100,
            available,
            reserved,
            posted,
            ..Books::default()
        }
    }

    #[test]
    fn the_proof_holds_when_each_skill_was_paid_for_once() {
        let before = books(100, 0, 0);
        assert!(Proof::of(&before, &books(93, 0, 7), 7).holds());
        let lost = Proof::of(&before, &books(94, 0, 6), 7);
        assert_eq!((lost.lost, lost.doubled), (1, 0));
        let doubled = Proof::of(&before, &books(91, 0, 9), 7);
        assert_eq!((doubled.lost, doubled.doubled), (0, 2));
        let open = Proof::of(&before, &books(92, 1, 7), 7);
        assert_eq!(open.reserved, 1);
        assert!([lost, doubled, open].iter().all(|proof| !proof.holds()));
    }

    #[test]
    fn a_load_runs_on_a_database_of_its_own_and_without_the_limits_of_customers() {
        let folder = Path::new("/tmp/x");
        let own = for_a_load(&Settings::default(), None, folder);
        assert_eq!(own.database.url, "sqlite:///tmp/x/bench.db");
        assert!(own.check().is_ok());
        assert_eq!(own.limits.generate_per_minute, REQUESTS_PER_MINUTE);
        let named = for_a_load(&Settings::default(), Some("postgres://h/bench"), folder);
        assert_eq!(named.database.url, "postgres://h/bench");
        assert_eq!(named.storage.path, folder);
    }

    #[tokio::test]
    async fn a_database_with_accounts_of_people_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/some.db", folder.path().display());
        let place = Place::of(Path::new(""), &url, folder.path());
        let admin = Admin::open(&url, &place, "skillkiln").await.unwrap();
        assert_eq!(refuse_what_is_not_ours(&admin).await, Ok(()));
        accounts(&admin).await.unwrap();
        assert_eq!(refuse_what_is_not_ours(&admin).await, Ok(()));
        let person = Account {
            email: "ann@example.org".into(),
            plan: Plan::Free,
            credits: Credits(3),
            reason: GrantReason::Signup,
            password: None,
        };
        admin.add_user(person).await.unwrap();
        assert!(matches!(
            refuse_what_is_not_ours(&admin).await,
            Err(Stop::Misused(_))
        ));
    }
}
