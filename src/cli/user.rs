//! `skillkiln user`: makes accounts, lists them, shuts them out, gives credits, resets passwords, takes second factors away, signs browsers out.

use super::Common;
use super::operator::{Kept, with_accounts};
use super::output::{self, Stop};
use crate::config::load;
use crate::domain::credits::{Credits, GrantReason};
use crate::domain::usage::Usage;
use crate::domain::user::{Plan, User};
use crate::services::admin::{self, Account, Admin};
use clap::Subcommand;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What can be done with accounts.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Make an account
    Add {
        /// Its e-mail address
        email: String,
        /// Its first credits, instead of the sign-up credits of the settings
        #[arg(long, value_name = "N")]
        credits: Option<u32>,
        /// Its plan: free, starter, pro_pack or unlimited
        #[arg(long, value_name = "PLAN", default_value = "free", value_parser = plan)]
        plan: Plan,
        /// A file that holds its password for the browser pages
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        /// Print the account as JSON
        #[arg(long)]
        json: bool,
    },
    /// List all accounts, with the tokens that a model took for their runs and what those cost by the prices set
    List {
        /// Print them as JSON
        #[arg(long)]
        json: bool,
    },
    /// Shut an account out; what runs already ends as usual
    Restrict {
        /// Its e-mail address
        email: String,
        /// Print the account as JSON
        #[arg(long)]
        json: bool,
    },
    /// Let a restricted account in again
    Unrestrict {
        /// Its e-mail address
        email: String,
        /// Print the account as JSON
        #[arg(long)]
        json: bool,
    },
    /// Give credits
    Grant {
        /// The account's e-mail address
        email: String,
        /// How many
        #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        credits: u32,
        /// Print the account as JSON
        #[arg(long)]
        json: bool,
    },
    /// Make an invitation, good for one account and thirty days (where auth.signup is invite); its link is printed once
    Invite {
        /// Whom it is for, or why; for the operator alone
        #[arg(long, default_value = "")]
        note: String,
        /// Print the invitation and its link as JSON
        #[arg(long)]
        json: bool,
    },
    /// Take an account's second factor away, for an owner who lost the authenticator and the recovery codes
    DropSecondFactor {
        /// The account's e-mail address
        email: String,
        /// Print the account as JSON
        #[arg(long)]
        json: bool,
    },
    /// Sign all browsers of an account out, for an owner who fears that somebody else is signed in; its keys go on
    SignOut {
        /// The account's e-mail address
        email: String,
        /// Print the account as JSON
        #[arg(long)]
        json: bool,
    },
    /// Replace an account's password; its second factor stays; without a file a new one is made and printed once
    ResetPassword {
        /// The account's e-mail address
        email: String,
        /// A file that holds the new password
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        /// Print the answer as JSON
        #[arg(long)]
        json: bool,
    },
}

/// An account, as it is printed.
#[derive(Debug, Serialize)]
struct Line {
    id: String,
    email: String,
    plan: &'static str,
    credits: u32,
    reserved: u32,
    restricted: bool,
    created: String,
    #[serde(flatten)]
    used: Option<Used>,
}

/// What a language model took for an account's runs, as it is printed.
#[derive(Debug, Serialize)]
struct Used {
    tokens_in: u64,
    tokens_cached: u64,
    tokens_out: u64,
    cost: f64,
}

impl From<Usage> for Used {
    fn from(usage: Usage) -> Self {
        Self {
            tokens_in: usage.input,
            tokens_cached: usage.cached,
            tokens_out: usage.output,
            cost: usage.cost(),
        }
    }
}

impl Line {
    fn of(user: &User) -> Self {
        Self {
            id: user.id.to_string(),
            email: user.email.to_string(),
            plan: user.plan.as_str(),
            credits: user.available.0,
            reserved: user.reserved.0,
            restricted: user.restricted,
            created: user.created_at.iso(),
            used: None,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// [`Stop`], saying what could not be done.
pub fn run(command: &UserCommand, common: &Common) -> Result<(), Stop> {
    let kept = Kept::before(common)?;
    with_accounts(common, async |admin, settings| match command {
        UserCommand::Add {
            email,
            credits,
            plan,
            password_file,
            json,
        } => {
            let (credits, reason) = match credits {
                Some(credits) => (*credits, GrantReason::Operator),
                None => (settings.billing.signup_credits, GrantReason::Signup),
            };
            let account = Account {
                email: email.clone(),
                plan: *plan,
                credits: Credits(credits),
                reason,
                password: password_in(password_file.as_deref())?,
            };
            let user = admin.add_user(account).await.map_err(Stop::by_admin)?;
            show(&user, "added", *json)?;
            kept.tell();
            if password_file.is_none() {
                output::note(&format!(
                    "it has no password for the browser pages; `skillkiln user reset-password {}` sets one",
                    user.email
                ));
            }
            Ok(())
        }
        UserCommand::List { json } => list(&admin, *json).await,
        UserCommand::Restrict { email, json } => {
            let user = admin.set_restricted(email, true).await;
            show(&user.map_err(Stop::by_admin)?, "restricted", *json)
        }
        UserCommand::Unrestrict { email, json } => {
            let user = admin.set_restricted(email, false).await;
            show(&user.map_err(Stop::by_admin)?, "unrestricted", *json)
        }
        UserCommand::Grant {
            email,
            credits,
            json,
        } => {
            let granted = admin.grant(email, Credits(*credits)).await;
            granted.map_err(Stop::by_admin)?;
            let user = admin.user(email).await.map_err(Stop::by_admin)?;
            show(&user, &format!("granted {credits} to"), *json)
        }
        UserCommand::Invite { note, json } => {
            let invite = admin.invite(note).await.map_err(Stop::by_admin)?;
            let public_url = settings.server.public_url.trim_end_matches('/');
            let link = format!("{public_url}/signup?invite={invite}");
            if *json {
                return output::say_json(&serde_json::json!({ "invite": invite, "link": link }));
            }
            output::say(&link)
        }
        UserCommand::DropSecondFactor { email, json } => {
            let dropped = admin.drop_second_factor(email).await;
            dropped.map_err(Stop::by_admin)?;
            let user = admin.user(email).await.map_err(Stop::by_admin)?;
            show(&user, "took the second factor from", *json)
        }
        UserCommand::SignOut { email, json } => {
            let user = admin.sign_out(email).await.map_err(Stop::by_admin)?;
            show(&user, "signed out all browsers of", *json)
        }
        UserCommand::ResetPassword {
            email,
            password_file,
            json,
        } => {
            let given = password_in(password_file.as_deref())?;
            reset_password(&admin, email, given, *json).await
        }
    })
}

async fn list(admin: &Admin, json: bool) -> Result<(), Stop> {
    let users = admin.users().await.map_err(Stop::by_admin)?;
    let mut usages = admin.usages().await.map_err(Stop::by_admin)?;
    let mut used = |user: &User| usages.remove(&user.id).unwrap_or_default();
    let lines = users.iter().map(|user| (Line::of(user), used(user)));
    if json {
        let lines = lines.map(|(line, usage)| Line {
            used: Some(usage.into()),
            ..line
        });
        return output::say_json(&lines.collect::<Vec<_>>());
    }
    let rows: Vec<Vec<String>> = lines
        .map(|(line, usage)| {
            vec![
                output::tame(&line.email),
                line.plan.to_owned(),
                line.credits.to_string(),
                line.reserved.to_string(),
                usage.tokens().to_string(),
                format!("{:.4}", usage.cost()),
                line.restricted.to_string(),
                line.created,
                line.id,
            ]
        })
        .collect();
    let headings = [
        "email",
        "plan",
        "credits",
        "reserved",
        "tokens",
        "cost",
        "restricted",
        "created",
        "id",
    ];
    output::say(&output::table(&headings, &rows))
}

fn show(user: &User, done: &str, json: bool) -> Result<(), Stop> {
    if json {
        return output::say_json(&Line::of(user));
    }
    output::say(&format!(
        "{done} {} (plan {}, {} credits)",
        user.email,
        user.plan.as_str(),
        user.available
    ))
}

async fn reset_password(
    admin: &Admin,
    email: &str,
    given: Option<String>,
    json: bool,
) -> Result<(), Stop> {
    let (password, is_fresh) = match given {
        Some(password) => (password, false),
        None => (admin::fresh_password().map_err(Stop::failed)?, true),
    };
    let done = admin.reset_password(email, password.clone()).await;
    done.map_err(Stop::by_admin)?;
    output::note(&format!("the password of {email} was replaced"));
    match (is_fresh, json) {
        (true, true) => {
            output::say_json(&serde_json::json!({ "email": email, "password": password }))
        }
        (true, false) => output::say(&password),
        (false, true) => output::say_json(&serde_json::json!({ "email": email })),
        (false, false) => Ok(()),
    }
}

fn password_in(file: Option<&Path>) -> Result<Option<String>, Stop> {
    match file {
        Some(path) if path.as_os_str().is_empty() => Err(Stop::Misused(
            "--password-file needs the name of a file".into(),
        )),
        Some(path) => load::secret(path).map_err(Stop::failed),
        None => Ok(None),
    }
}

fn plan(word: &str) -> Result<Plan, String> {
    Plan::parse(word).ok_or_else(|| {
        let known: Vec<&str> = Plan::ALL.iter().map(|plan| plan.as_str()).collect();
        format!("the plans are {}", known.join(", "))
    })
}
