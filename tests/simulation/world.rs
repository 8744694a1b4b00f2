//! Owns the course of events: what happens next, to whom, and whether it may.

use crate::actors::rescuer::Claims;
use crate::domain::clock::Timestamp;
use crate::domain::credits::{Credits, GrantReason};
use crate::domain::generation::Order;
use crate::domain::id::{GenerationId, GrantId, RunId, SkillId, UserId};
use crate::domain::lease::{Fate, Judge, Tries};
use crate::domain::skill::FinishedSkill;
use crate::domain::source::{Source, SourceType};
use crate::simulation::node::Node;
use crate::simulation::random::Random;
use crate::simulation::reference::Reference;
use crate::simulation::windows::Windows;
use crate::store::model::{
    Completion, Entry, Idempotency, NewGeneration, NewRun, Refused, Settled,
};
use crate::store::simulated::{Claimed, Database};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_skills::report::Report;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// How long a lease holds.
pub(crate) const LENGTH: Duration = Duration::from_secs(9);
const TRIES: Tries = Tries {
    attempts_max: 3,
    falls_max: 2,
    deadline: Duration::from_secs(120),
};

/// How many runs a node has places for.
const PLACES: usize = 6;

const S: i64 = 1_000_000;
const MS: i64 = 1_000;
const LENGTH_US: i64 = 9 * S;
const BEGIN: i64 = 1_800_000_000 * S;
/// How often the clock is set.
const SET_EVERY: i64 = 240 * S;
/// By when somebody has taken up what a dead node held: leases end within twelve lengths by any clock, and then judges need some rounds.
const TAKEN_UP_WITHIN: i64 = 15 * LENGTH_US;
/// How much longer than a lease judges wait after the clock was set or all were away: until they know of it, and what they wait beyond it.
const JUDGES_AGAIN: i64 = 4 * S;
/// By when somebody has looked for what was left behind.
const LOOKED_WITHIN: i64 = 2 * S;
/// By when somebody has taken up what nobody holds.
const BEGUN_WITHIN: i64 = 2 * LENGTH_US;

fn micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

/// A node's place, and which of its lives is meant.
type Who = (usize, u64);

#[derive(Debug)]
enum Event {
    Order,
    End(Who, RunId),
    Look(Who),
    Round(Who),
    Renewed(Who, Timestamp, i64),
    Claim(Who),
    Claiming(Who, Judge, bool),
    Start(usize),
    Fault,
    SetClock,
    Away,
    Check,
}

/// What happened.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Told {
    pub(crate) charged: u64,
    pub(crate) refused: u64,
    pub(crate) completed: u64,
    pub(crate) failed: u64,
    pub(crate) repeated: u64,
    pub(crate) limited: u64,
    pub(crate) crashes: u64,
    pub(crate) cuts: u64,
    pub(crate) pauses: u64,
    pub(crate) stalls: u64,
    pub(crate) set: u64,
    pub(crate) taken_up: u64,
    pub(crate) left_to_all: u64,
}

/// Everything.
#[derive(Debug)]
pub(crate) struct World {
    random: Random,
    now: i64,
    events: BTreeMap<(i64, u64), Event>,
    counted: u64,
    nodes: Vec<Node>,
    places: HashMap<Uuid, usize>,
    users: Vec<UserId>,
    database: Database,
    reference: Reference,
    windows: Windows,
    /// By how much the database's clock is ahead.
    ahead: i64,
    /// Until when the database answers nobody.
    stalled_until: i64,
    /// Until when all nodes do nothing.
    all_away_until: i64,
    /// Since when neither the clock was set nor the database away.
    calm_since: i64,
    /// Since when nobody has been at work on a run.
    abandoned: HashMap<RunId, i64>,
    is_ending: bool,
    skill: Arc<FinishedSkill>,
    told: Told,
}

impl World {
    pub(crate) fn new(seed: u64, nodes: usize, users: usize) -> Self {
        let skill = FinishedSkill {
            name: "kiln".to_owned(),
            filename: "kiln.md".to_owned(),
            description: String::new(),
            category: String::new(),
            content: String::new(),
            references: Vec::new(),
            word_count: 0,
            report: Report::default(),
            origins: Vec::new(),
        };
        let mut world = Self {
            random: Random(seed),
            now: BEGIN,
            events: BTreeMap::new(),
            counted: 0,
            nodes: Vec::new(),
            places: HashMap::new(),
            users: Vec::new(),
            database: Database::default(),
            reference: Reference::default(),
            windows: Windows::new(),
            ahead: 0,
            stalled_until: 0,
            all_away_until: 0,
            calm_since: 0,
            abandoned: HashMap::new(),
            is_ending: false,
            skill: Arc::new(skill),
            told: Told::default(),
        };
        for place in 0..nodes {
            world.start(place);
        }
        for _ in 0..users {
            let id = UserId(world.identity());
            world.users.push(id);
            world.database.add_account(id);
            world.reference.accounts.insert(id, (0, 0));
        }
        let first = [
            (Event::Order, 0),
            (Event::Fault, S),
            (Event::Check, S),
            (Event::SetClock, SET_EVERY / 2),
            (Event::Away, 30 * S),
        ];
        first
            .into_iter()
            .for_each(|(event, after)| world.after(after, event));
        world
    }

    pub(crate) fn told(&self) -> Told {
        self.told
    }

    pub(crate) fn when(&self) -> String {
        format!("second {} ({:?})", (self.now - BEGIN) / S, self.told)
    }

    /// The next thing happens.
    pub(crate) fn step(&mut self) -> Result<(), String> {
        let ((at, _), event) = self.events.pop_first().ok_or("nothing happens any more")?;
        self.now = self.now.max(at);
        match event {
            Event::Order => self.order(),
            Event::End(who, run_id) => self.end(who, run_id),
            Event::Look(who) => self.look(who),
            Event::Round(who) => self.round(who),
            Event::Renewed(who, until, begun) => self.renewed(who, until, begun),
            Event::Claim(who) => self.claim(who),
            Event::Claiming(who, judge, late) => self.claiming(who, judge, late),
            Event::Start(place) if self.now < self.all_away_until.max(self.stalled_until) => {
                let until = self.all_away_until.max(self.stalled_until);
                self.after(until - self.now, Event::Start(place));
                Ok(())
            }
            Event::Start(place) => {
                self.start(place);
                Ok(())
            }
            Event::Fault => self.fault(),
            Event::SetClock => self.set_clock(),
            Event::Away => self.away(),
            Event::Check => self.check(),
        }
    }

    /// Nobody orders any more and nothing breaks: everything comes to its end.
    pub(crate) fn calm_down(&mut self) -> Result<(), String> {
        self.is_ending = true;
        let end = self.now + 3 * TAKEN_UP_WITHIN;
        while self.now < end {
            self.step()?;
        }
        self.agree()?;
        match (self.database.open.len(), self.reference.open()) {
            (0, 0) => Ok(()),
            (open, also) => Err(format!("{open} runs have no end, by the reference {also}")),
        }
    }

    fn after(&mut self, micros: i64, event: Event) {
        self.counted += 1;
        self.events.insert((self.now + micros, self.counted), event);
    }

    fn identity(&mut self) -> Uuid {
        self.counted += 1;
        Uuid::from_u128(u128::from(self.counted))
    }

    /// What time it is by the database's clock.
    fn there(&self) -> Timestamp {
        Timestamp::from_micros(self.now + self.ahead)
    }

    /// The node that an event is about, on its feet; one that is away comes to it later.
    fn awake(&mut self, who: Who, event: impl FnOnce() -> Event) -> Option<&mut Node> {
        let (now, later) = (self.now, self.random.between(0, 300 * MS));
        let node = self.nodes.get_mut(who.0)?;
        if node.life != who.1 || !node.is_up {
            return None;
        }
        if now < node.away_until {
            let after = node.away_until - now + later;
            self.after(after, event());
            return None;
        }
        node.tick(now);
        self.nodes.get_mut(who.0)
    }

    /// How long the database takes to hear of something.
    fn way(&mut self) -> i64 {
        let stalled = (self.stalled_until - self.now).max(0);
        stalled
            + self
                .random
                .between(MS, if stalled > 0 { 300 * MS } else { 6 * MS })
    }

    fn start(&mut self, place: usize) {
        let (id, there) = (self.identity(), self.there());
        let claims = match place % 10 {
            0 => Claims::Nothing,
            1 => Claims::AsOrdered,
            _ => Claims::Shared,
        };
        let node = Node::start(self.counted, id, claims, self.now, there);
        let who = (place, node.life);
        self.places.insert(id, place);
        match self.nodes.get_mut(place) {
            Some(dead) => *dead = node,
            None => self.nodes.push(node),
        }
        let (look, round) = (
            self.random.between(0, S),
            self.random.between(0, LENGTH_US / 3),
        );
        self.after(look, Event::Look(who));
        self.after(round, Event::Round(who));
        if let Some(every) = claims.every(LENGTH) {
            let first = self.random.between(0, micros(every));
            self.after(first, Event::Claim(who));
        }
    }

    fn look(&mut self, who: Who) -> Result<(), String> {
        let (there, now) = (self.there(), self.now);
        let stalled = (self.stalled_until - now).max(0);
        let Some(node) = self.awake(who, || Event::Look(who)) else {
            return Ok(());
        };
        if stalled == 0 && !node.is_cut(now) {
            node.look(there);
        }
        let next = stalled + S + self.random.between(0, 20 * MS);
        self.after(next, Event::Look(who));
        Ok(())
    }

    fn round(&mut self, who: Who) -> Result<(), String> {
        let Some(node) = self.awake(who, || Event::Round(who)) else {
            return Ok(());
        };
        let until = node.clock.now().plus(LENGTH);
        let way = self.way();
        let begun = self.now;
        self.after(way, Event::Renewed(who, until, begun));
        Ok(())
    }

    fn renewed(&mut self, who: Who, until: Timestamp, begun: i64) -> Result<(), String> {
        let now = self.now;
        let Some(node) = self.awake(who, || Event::Renewed(who, until, begun)) else {
            return Ok(());
        };
        let judge = node.judgement.judge(&node.clock);
        let is_cut = node.is_cut(now);
        if is_cut {
            node.judgement.suspend(&node.clock);
        } else {
            let (id, held) = (node.id, node.held.clone());
            self.database.renew(id, held.into_iter(), until);
            let way = self.way();
            self.after(way, Event::Claiming(who, judge, true));
        }
        // A round that took long is followed by the next.
        let next = (begun + LENGTH_US / 3 - now).max(0);
        self.after(next, Event::Round(who));
        Ok(())
    }

    fn claim(&mut self, who: Who) -> Result<(), String> {
        let now = self.now;
        let Some(node) = self.awake(who, || Event::Claim(who)) else {
            return Ok(());
        };
        let judge = node.judgement.judge(&node.clock);
        let every = node.claims.every(LENGTH).map_or(S, micros);
        if node.is_cut(now) {
            node.judgement.suspend(&node.clock);
        } else {
            let way = self.way();
            self.after(way, Event::Claiming(who, judge, false));
        }
        let stalled = (self.stalled_until - now).max(0);
        self.after(stalled + every, Event::Claim(who));
        Ok(())
    }

    /// Takes what there is a place for, and with `late` what no node begins any more, since its time is over.
    fn claiming(&mut self, who: Who, judge: Judge, late: bool) -> Result<(), String> {
        let (now, there) = (self.now, self.there());
        let has_others = self.sees_others();
        let Some(node) = self.awake(who, || Event::Claiming(who, judge, late)) else {
            return Ok(());
        };
        if node.is_cut(now) {
            return Ok(());
        }
        let most = node
            .claims
            .most(PLACES.saturating_sub(node.held.len()), has_others);
        let (id, until) = (node.id, node.clock.now().plus(LENGTH));
        let over = node.clock.now().minus(TRIES.deadline);
        let carries_out = node.claims != Claims::Nothing;
        let mut wanted = vec![(most, None)];
        if late && carries_out {
            wanted.push((u32::MAX, Some(over)));
        }
        for wanted in wanted {
            for claimed in self.database.claim(id, judge, until, wanted, there) {
                self.may_be_claimed(who, &claimed)?;
                self.take_up(who, &claimed)?;
            }
        }
        Ok(())
    }

    /// Whether a node sees others beside it; now and then it does not see them.
    fn sees_others(&mut self) -> bool {
        !self.random.of_hundred(2)
    }

    /// No run is taken from a node that lives, whatever the clocks say.
    fn may_be_claimed(&self, who: Who, claimed: &Claimed) -> Result<(), String> {
        let (holder, lease) = claimed.was;
        let Some(holder) = holder.and_then(|id| Some((id, *self.places.get(&id)?))) else {
            return Ok(());
        };
        let Some(node) = self.nodes.get(holder.1).filter(|node| node.id == holder.0) else {
            return Ok(());
        };
        let is_well =
            node.is_up && self.now >= node.away_until && self.now - node.sound_since > LENGTH_US;
        match is_well && holder.1 != who.0 && node.held.contains(&claimed.run_id) {
            true => Err(format!(
                "a run was taken from a node that lives ({lease:?})"
            )),
            false => Ok(()),
        }
    }

    fn take_up(&mut self, who: Who, claimed: &Claimed) -> Result<(), String> {
        let lasts = self.lasts();
        let run_id = claimed.run_id;
        self.told.taken_up += 1;
        let Some(node) = self.nodes.get_mut(who.0) else {
            return Ok(());
        };
        if node.held.contains(&run_id) {
            return Ok(());
        }
        let at = node.clock.now();
        let ordered_ago = at.since(claimed.was.1.ordered_at);
        match TRIES.fate(ordered_ago, claimed.attempts, 0) {
            Fate::Resumed(left) => {
                let attempts = claimed.attempts;
                if left > TRIES.deadline || attempts > TRIES.attempts_max {
                    return Err(format!(
                        "a run is begun {attempts} times, with {left:?} to go"
                    ));
                }
                node.held.insert(run_id);
                self.after(lasts, Event::End(who, run_id));
            }
            Fate::GivenBack(reason) => {
                self.settle(&[fail(run_id, reason, at)])?;
            }
        }
        Ok(())
    }

    /// How long a run lasts: some do for longer than a lease.
    fn lasts(&mut self) -> i64 {
        match self.random.of_hundred(5) {
            true => self.random.between(S, 40 * S),
            false => self.random.between(100 * MS, 3 * S),
        }
    }

    /// Users order, some several things at once; the node settles it together.
    fn order(&mut self) -> Result<(), String> {
        if self.is_ending {
            return Ok(());
        }
        let next = self.random.between(0, 16 * MS);
        self.after(next, Event::Order);
        let place = self.random.place(self.nodes.len());
        let nodes = self.nodes.iter().filter(|node| node.is_up).count();
        let (now, user) = (self.now, self.random.place(self.users.len()));
        // A few order more than the others.
        let user = if self.random.of_hundred(10) {
            user % 10
        } else {
            user
        };
        let user_id = self.users[user];
        let Some(node) = self.nodes.get_mut(place) else {
            return Ok(());
        };
        let who = (place, node.life);
        if !node.is_up || now < node.away_until || node.is_cut(now) || now < self.stalled_until {
            return Ok(());
        }
        node.tick(now);
        let nodes = u32::try_from(nodes).unwrap_or(u32::MAX);
        let by_server = Timestamp::from_micros(now);
        if !self.windows.admit(node, nodes, user_id, by_server)? {
            self.told.limited += 1;
            return Ok(());
        }
        let at = node.clock.now();
        let (id, claims) = (node.id, node.claims);
        let mut free = PLACES.saturating_sub(node.held.len());
        let has_others = self.sees_others();
        let mut batch = Vec::new();
        for _ in 0..self.random.between(1, 3) {
            // One that has no place is left to whoever has one first.
            let stays = claims != Claims::Nothing && (free > 0 || !has_others);
            free = free.saturating_sub(1);
            self.told.left_to_all += u64::from(!stays && claims == Claims::Shared);
            let run = self.run(user_id, id, at, stays);
            batch.push(Entry::Charge(Box::new(run)));
        }
        if self.random.of_hundred(20) {
            let grant = self.grant(user_id, at);
            // The event is heard twice now and then.
            batch.extend(vec![grant; if self.random.of_hundred(20) { 2 } else { 1 }]);
        }
        let answers = self.settle(&batch)?;
        for (entry, answer) in batch.iter().zip(answers) {
            if let (Entry::Charge(run), Ok(_)) = (entry, answer) {
                self.begin(who, run, !run.queued)?;
            }
        }
        Ok(())
    }

    /// A run that is charged begins where it was ordered, unless it is left to all nodes, or the answer is lost on its way there.
    fn begin(&mut self, who: Who, run: &NewRun, stays: bool) -> Result<(), String> {
        if self.random.of_hundred(2) {
            // The client asks again, under the same key, by the same words or as another run.
            let again = match self.random.of_hundred(50) {
                true => run.clone(),
                false => NewRun {
                    id: RunId(self.identity()),
                    ..run.clone()
                },
            };
            let answers = self.settle(&[Entry::Charge(Box::new(again))])?;
            self.told.repeated += 1;
            return match answers.as_slice() {
                [Err(Refused::Duplicate)] => Ok(()),
                answers => Err(format!("a repeated order was answered {answers:?}")),
            };
        }
        if stays {
            let lasts = self.lasts();
            if let Some(node) = self.nodes.get_mut(who.0) {
                node.held.insert(run.id);
            }
            self.after(lasts, Event::End(who, run.id));
        }
        Ok(())
    }

    fn run(&mut self, user_id: UserId, node: Uuid, at: Timestamp, stays: bool) -> NewRun {
        let id = self.identity();
        let generation = NewGeneration {
            id: GenerationId(id),
            skill_id: SkillId(id),
            name: String::new(),
            source_type: SourceType::Text,
            source: String::new(),
        };
        let skills = if self.random.of_hundred(10) { 3 } else { 1 };
        NewRun {
            id: RunId(id),
            user_id,
            key_id: None,
            price: Credits(1),
            idempotency: Some(Idempotency {
                route: "POST /api/v1/generate".to_owned(),
                key: id.to_string(),
                digest: String::new(),
            }),
            order: Order {
                source: Source::Text {
                    text: String::new(),
                },
                name: None,
                description: None,
                category: None,
                kind: None,
                topics: Vec::new(),
            },
            generations: vec![generation; skills],
            catalogue_id: None,
            replaces: None,
            queued: !stays,
            node,
            lease_until: if stays { at.plus(LENGTH) } else { at },
            at,
        }
    }

    fn grant(&mut self, user_id: UserId, at: Timestamp) -> Entry {
        Entry::Grant {
            id: GrantId(self.identity()),
            user_id,
            amount: Credits(u32::try_from(self.random.between(1, 15)).unwrap_or(1)),
            reason: GrantReason::Operator,
            at,
        }
    }

    /// A run comes to its end where it is carried out.
    fn end(&mut self, who: Who, run_id: RunId) -> Result<(), String> {
        let now = self.now;
        let is_stalled = now < self.stalled_until;
        let Some(node) = self.awake(who, || Event::End(who, run_id)) else {
            return Ok(());
        };
        if !node.held.contains(&run_id) {
            return Ok(());
        }
        if node.is_cut(now) || is_stalled {
            self.after(S, Event::End(who, run_id));
            return Ok(());
        }
        let at = node.clock.now();
        let rows = self.database.rows(run_id);
        let entry = match self.random.below(10) {
            0 | 1 => fail(run_id, Reason::Unreadable, at),
            chance => Entry::Complete(Box::new(Completion {
                run_id,
                skills: vec![Arc::clone(&self.skill); rows],
                index: None,
                is_given_back: chance == 2,
                at,
            })),
        };
        self.settle(&[entry])?;
        if self.random.of_hundred(2) {
            // The answer is lost: it is told once more.
            self.after(S, Event::End(who, run_id));
            return Ok(());
        }
        if let Some(node) = self.nodes.get_mut(who.0) {
            node.held.remove(&run_id);
        }
        Ok(())
    }

    /// Settles a batch, and compares its answers with those of the reference.
    fn settle(&mut self, batch: &[Entry]) -> Result<Vec<Result<Settled, Refused>>, String> {
        let answers = self.database.settle(batch);
        for (entry, answer) in batch.iter().zip(&answers) {
            let due = self.reference.settle(entry);
            if *answer != due {
                return Err(format!("{entry:?} was answered {answer:?} and not {due:?}"));
            }
            match answer {
                Ok(Settled::Charged { .. }) => self.told.charged += 1,
                Ok(Settled::Completed) => self.told.completed += 1,
                Ok(Settled::Failed { .. }) => self.told.failed += 1,
                Err(Refused::InsufficientCredits { .. }) => self.told.refused += 1,
                _ => {}
            }
        }
        Ok(answers)
    }

    /// Something breaks.
    fn fault(&mut self) -> Result<(), String> {
        if self.is_ending {
            return Ok(());
        }
        let next = self.random.between(0, 2 * S);
        self.after(next, Event::Fault);
        let place = self.random.place(self.nodes.len());
        let (now, seconds) = (self.now, self.random.between(1, 60));
        let Some(node) = self.nodes.get_mut(place).filter(|node| node.is_up) else {
            return Ok(());
        };
        let until = now + seconds * S;
        match self.random.below(10) {
            0..4 => {
                (node.is_up, self.told.crashes) = (false, self.told.crashes + 1);
                self.after(seconds * S / 3, Event::Start(place));
            }
            4 => {
                // A deploy: what it holds is handed over.
                node.is_up = false;
                let (id, held) = (node.id, std::mem::take(&mut node.held));
                if !node.is_cut(now) && now >= node.away_until {
                    held.iter()
                        .for_each(|run| self.database.hand_over(id, *run));
                }
                self.after(seconds * S / 3, Event::Start(place));
            }
            5 | 6 => {
                node.cut_until = until;
                node.sound_since = node.sound_since.max(until);
                self.told.cuts += 1;
            }
            7 => {
                node.pause(now, until, true);
                self.told.pauses += 1;
            }
            _ => {
                node.pause(now, until, false);
                self.told.pauses += 1;
            }
        }
        Ok(())
    }

    /// The database's clock is set, mostly by an hour or two.
    fn set_clock(&mut self) -> Result<(), String> {
        if self.is_ending {
            return Ok(());
        }
        let by = [3_600, 3_600, 7_200, 60, 20, 5, 2];
        let by = by[self.random.place(by.len())];
        // In turn, so that no day passes.
        let by = if self.ahead > 0 || self.ahead == 0 && self.random.of_hundred(50) {
            -by
        } else {
            by
        };
        self.ahead += by * S;
        self.calm_since = self.calm_since.max(self.now);
        self.told.set += 1;
        self.after(SET_EVERY, Event::SetClock);
        Ok(())
    }

    /// What all share is away for a while: the database, all nodes at once, or the server of the windows.
    fn away(&mut self) -> Result<(), String> {
        if self.is_ending {
            self.stalled_until = self.now;
            return Ok(());
        }
        let (now, seconds) = (self.now, self.random.between(1, 30));
        let until = now + seconds * S;
        match self.random.below(4) {
            0 => {
                (self.stalled_until, self.told.stalls) = (until, self.told.stalls + 1);
                self.calm_since = self.calm_since.max(until);
            }
            1 => {
                self.all_away_until = until;
                self.calm_since = self.calm_since.max(until);
                for node in &mut self.nodes {
                    // Nobody is late who is no later than all.
                    let sound_since = node.sound_since;
                    node.pause(now, until, false);
                    node.sound_since = sound_since;
                }
            }
            _ if self.windows.is_there() => self.windows.lose(),
            _ => {
                let up = self.nodes.iter().filter(|node| node.is_up);
                self.windows.come_back(up, Timestamp::from_micros(now));
            }
        }
        let next = self.random.between(10 * S, 90 * S);
        self.after(next, Event::Away);
        Ok(())
    }

    /// Every second: nothing waits for ever, and from time to time all accounts are compared.
    fn check(&mut self) -> Result<(), String> {
        self.after(S, Event::Check);
        let (now, mut abandoned) = (self.now, HashMap::new());
        for (run_id, open) in &self.database.open {
            let holder = open.node.and_then(|id| {
                let node = self.nodes.get(*self.places.get(&id)?)?;
                (node.id == id && node.is_up && node.held.contains(run_id)).then_some(())
            });
            if holder.is_some() {
                continue;
            }
            let since = self.abandoned.get(run_id).copied().unwrap_or(now);
            abandoned.insert(*run_id, since);
            let within = match open.lease.is_given_up() {
                true => BEGUN_WITHIN,
                false => TAKEN_UP_WITHIN,
            };
            let back = self.stalled_until.max(self.all_away_until).min(now);
            // Where no clock was set meanwhile, a run waits for the end of its lease and for no more than a look of somebody who judges.
            let over = open.lease.until.micros() - self.ahead;
            let judged = self.calm_since + LENGTH_US + JUDGES_AGAIN;
            if over <= since + LENGTH_US && now > over.max(judged).max(since) + LOOKED_WITHIN {
                return Err(format!(
                    "a run was left behind {} ms ago and its lease is over for {} ms: {open:?}",
                    (now - since) / MS,
                    (now - over) / MS,
                ));
            }
            // What nobody holds is nobody's by any clock.
            let from = match open.lease.is_given_up() {
                true => since.max(back),
                false => since.max(self.calm_since),
            };
            if now - from > within {
                return Err(format!(
                    "nobody takes up a run since {} s: {open:?}, it is {:?}",
                    (now - since) / S,
                    self.there(),
                ));
            }
        }
        self.abandoned = abandoned;
        match now / S % 10 {
            0 => self.agree(),
            _ => Ok(()),
        }
    }

    /// All accounts are what the reference says, and so is the sum of the transfers.
    fn agree(&self) -> Result<(), String> {
        let (mut available, mut reserved) = (0, 0);
        for id in &self.users {
            let holds = self.database.holds(*id);
            let due = self.reference.accounts.get(id).copied().unwrap_or_default();
            if holds != (i64::from(due.0), i64::from(due.1)) {
                return Err(format!("an account holds {holds:?} and not {due:?}"));
            }
            (available, reserved) = (available + holds.0, reserved + holds.1);
        }
        let moved =
            ["available", "reserved", "earned", "issued"].map(|kind| self.database.moved(kind));
        let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let (granted, earned) = (count(self.reference.granted), count(self.reference.earned));
        match moved == [available, reserved, earned, -granted]
            && granted == available + reserved + earned
        {
            true => Ok(()),
            false => Err(format!(
                "the transfers say {moved:?}, the accounts {available} and {reserved}"
            )),
        }
    }
}

fn fail(run_id: RunId, reason: Reason, at: Timestamp) -> Entry {
    Entry::Fail {
        run_id,
        failure: Failure::new(reason, ""),
        at,
    }
}
