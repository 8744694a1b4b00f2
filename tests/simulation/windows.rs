//! Owns the limits of the simulation: windows on a server that all nodes ask, their shares while it is away, and a log of everything that
//! was admitted, which knows better.

use crate::domain::clock::Timestamp;
use crate::domain::id::UserId;
use crate::domain::quota::{WINDOW, Window, share};
use crate::simulation::node::Node;
use std::collections::{HashMap, VecDeque};

/// Requests of one user a minute.
const LIMIT: u32 = 12;

/// The server, and what was admitted.
#[derive(Debug)]
pub(crate) struct Windows {
    /// None while the server is away.
    server: Option<HashMap<UserId, Window>>,
    /// Since when it has been there; what it cannot know any more counts no longer after a window's length.
    since: Timestamp,
    admitted: HashMap<UserId, VecDeque<Timestamp>>,
}

impl Windows {
    pub(crate) fn new() -> Self {
        Self {
            server: Some(HashMap::new()),
            since: Timestamp::from_micros(0),
            admitted: HashMap::new(),
        }
    }

    pub(crate) fn is_there(&self) -> bool {
        self.server.is_some()
    }

    /// The server loses what it held.
    pub(crate) fn lose(&mut self) {
        self.server = None;
    }

    /// The server is there, and the nodes bring back what they admitted.
    pub(crate) fn come_back<'n>(&mut self, nodes: impl Iterator<Item = &'n Node>, now: Timestamp) {
        let mut counted: HashMap<UserId, Vec<Timestamp>> = HashMap::new();
        for (user, window) in nodes.flat_map(|node| &node.windows) {
            counted
                .entry(*user)
                .or_default()
                .extend(window.counted(now));
        }
        let restored = counted.into_iter().map(|(user, mut at)| {
            at.sort_unstable();
            let mut window = Window::new(LIMIT);
            at.iter().for_each(|at| window.note(*at));
            (user, window)
        });
        self.server = Some(restored.collect());
        self.since = now;
    }

    /// Admits a request or refuses it, as the node would.
    pub(crate) fn admit(
        &mut self,
        node: &mut Node,
        nodes: u32,
        user: UserId,
        now: Timestamp,
    ) -> Result<bool, String> {
        let own = node
            .windows
            .entry(user)
            .or_insert_with(|| Window::new(LIMIT));
        let admitted = self.admitted.entry(user).or_default();
        while admitted
            .pop_front_if(|at| now.since(*at) >= WINDOW)
            .is_some()
        {}
        let is_admitted = if let Some(server) = &mut self.server {
            let window = server.entry(user).or_insert_with(|| Window::new(LIMIT));
            let is_admitted = window.admit(now).admitted;
            if is_admitted {
                own.note(now);
            }
            let knows_all = now.since(self.since) >= WINDOW;
            if knows_all && is_admitted != (admitted.len() < LIMIT as usize) {
                return Err(format!(
                    "{} requests in a minute of {LIMIT}, and the next was admitted: {is_admitted}",
                    admitted.len()
                ));
            }
            is_admitted
        } else {
            let part = share(LIMIT, nodes);
            let is_admitted = own.admit_up_to(part, now).admitted;
            if is_admitted && own.counted(now).len() > part as usize {
                return Err("a node admitted more than its share".to_owned());
            }
            is_admitted
        };
        if is_admitted {
            admitted.push_back(now);
        }
        Ok(is_admitted)
    }
}
