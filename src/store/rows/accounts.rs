//! Owns the rows of accounts and their keys.

use crate::domain::id::{KeyId, UserId};
use crate::domain::key::Key;
use crate::domain::user::{Email, Standing, User};
use crate::store::model::StoreError;
use crate::store::rows::{count, credits, plan, unreadable};
use crate::store::schema::{keys, users};
use crate::store::types::{At, Id};
use diesel::{Insertable, Queryable, Selectable};

/// An account.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = users, treat_none_as_default_value = false)]
pub(crate) struct UserRow {
    pub(crate) id: Id,
    pub(crate) email: String,
    pub(crate) plan: String,
    pub(crate) restricted: bool,
    pub(crate) password_hash: Option<String>,
    pub(crate) available: i64,
    pub(crate) reserved: i64,
    pub(crate) packs_purchased: i64,
    pub(crate) total_generations: i64,
    pub(crate) created_at: At,
}

impl UserRow {
    pub(crate) fn read(self) -> Result<User, StoreError> {
        Ok(User {
            id: UserId(self.id.0),
            email: Email::parse(&self.email)
                .ok_or_else(|| unreadable("an address", &self.email))?,
            plan: plan(&self.plan)?,
            restricted: self.restricted,
            available: credits(self.available),
            reserved: credits(self.reserved),
            created_at: self.created_at.0,
        })
    }
}

/// What an account holds, locked for the length of a settlement.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = users)]
pub(crate) struct Account {
    pub(crate) id: Id,
    pub(crate) plan: String,
    pub(crate) available: i64,
    pub(crate) reserved: i64,
    pub(crate) packs_purchased: i64,
    pub(crate) total_generations: i64,
    pub(crate) owed: i64,
    pub(crate) plan_given: Option<String>,
}

impl Account {
    pub(crate) fn read(&self) -> Result<Standing, StoreError> {
        Ok(Standing {
            available: credits(self.available),
            reserved: credits(self.reserved),
            plan: plan(&self.plan)?,
            packs_purchased: count(self.packs_purchased),
            owed: credits(self.owed),
            total_generations: count(self.total_generations),
        })
    }
}

/// A key.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = keys, treat_none_as_default_value = false)]
pub(crate) struct KeyRow {
    pub(crate) id: Id,
    pub(crate) user_id: Id,
    pub(crate) name: String,
    pub(crate) hash: Vec<u8>,
    pub(crate) last_four: String,
    pub(crate) created_at: At,
    pub(crate) last_used_at: Option<At>,
    pub(crate) revoked_at: Option<At>,
}

impl KeyRow {
    pub(crate) fn read(self) -> Key {
        Key {
            id: KeyId(self.id.0),
            user_id: UserId(self.user_id.0),
            name: self.name,
            last_four: self.last_four,
            created_at: self.created_at.0,
            last_used_at: self.last_used_at.map(|at| at.0),
            revoked_at: self.revoked_at.map(|at| at.0),
        }
    }
}
