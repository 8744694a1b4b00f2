//! Owns which browsers an account knows: those in which its owner came in before. Whatever strangers try, such a browser keeps tries of
//! its own.
//!
//! A browser keeps a name that was drawn for it and a mark for each account that knows it: the name and the account under the pepper.
//! Nobody can make a mark, and the mark of one account says nothing of another. It lets nobody in: it only says by what wrong
//! passwords are counted.

use crate::domain::id::UserId;
use crate::domain::key::to_hex;
use crate::services::accounts::Unavailable;
use crate::services::members::{Inner, Whence, is_same, token};

/// What the marks are made for.
const PURPOSE: &str = "device";
/// Characters of a name, and of a mark: 128 bits.
const LEN: usize = 32;
/// Most accounts that know a browser; the one in which nobody came in for longest is forgotten.
const ACCOUNTS_MAX: usize = 8;

/// What a browser keeps, taken apart.
struct Kept<'a> {
    name: &'a str,
    marks: Vec<&'a str>,
}

/// Reads what a browser brought; what we did not write is nothing.
fn read(text: &str) -> Option<Kept<'_>> {
    let sound = |part: &&str| part.len() == LEN && part.bytes().all(|b| b.is_ascii_hexdigit());
    let parts: Vec<&str> = text.split('.').take(ACCOUNTS_MAX + 1).collect();
    let (name, marks) = parts.split_first()?;
    (sound(name) && marks.iter().all(sound)).then(|| Kept {
        name,
        marks: marks.to_vec(),
    })
}

impl Inner {
    fn mark(&self, name: &str, user_id: UserId) -> String {
        let digest = self.pepper.digest(PURPOSE, &format!("{name} {user_id}"));
        let mut mark = to_hex(&digest.0);
        mark.truncate(LEN);
        mark
    }

    /// The name of a request's browser, when the account knows it.
    pub(super) fn known_device(&self, user_id: UserId, whence: &Whence) -> Option<String> {
        let kept = read(whence.device.as_deref()?)?;
        let mark = self.mark(kept.name, user_id);
        let is_known = kept.marks.iter().any(|kept| is_same(kept, &mark));
        is_known.then(|| kept.name.to_owned())
    }

    /// What a browser keeps once somebody came in by it to an account, whatever it kept before.
    pub(super) fn device_knowing(
        &self,
        user_id: UserId,
        whence: &Whence,
    ) -> Result<String, Unavailable> {
        let fresh = {
            let mut name = token()?;
            name.truncate(LEN);
            name
        };
        let kept = whence.device.as_deref().and_then(read);
        let kept = kept.unwrap_or(Kept {
            name: &fresh,
            marks: vec![],
        });
        let mark = self.mark(kept.name, user_id);
        let others = kept.marks.into_iter().filter(|other| *other != mark);
        let marks = [mark.as_str()].into_iter().chain(others);
        let parts: Vec<&str> = [kept.name]
            .into_iter()
            .chain(marks.take(ACCOUNTS_MAX))
            .collect();
        Ok(parts.join("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_we_did_not_write_is_nothing() {
        let name = "0123456789abcdef".repeat(2);
        assert_eq!(read(&name).map(|kept| kept.marks.len()), Some(0));
        let two = format!("{name}.{name}.{name}");
        assert_eq!(read(&two).map(|kept| kept.marks.len()), Some(2));
        for bad in [
            "",
            ".",
            "x",
            &format!("{name}."),
            &format!("{name}.x"),
            &"g".repeat(32),
        ] {
            assert!(read(bad).is_none(), "{bad}");
        }
    }
}
