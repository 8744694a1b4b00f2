//! Owns the actors' context: every message is seen, counted and timed, every mailbox is bounded, and nobody is starved.
//!
//! Three things differ from actix's own context. A message is handled also when its sender stopped waiting, because a refund
//! must not depend on who listens. The bound of a mailbox is counted by us, because a cloned address gets a slot of its own.
//! And after 64 messages the other actors of the thread get their turn, because actix drains a mailbox without yielding.

use crate::actors::figures::Gauge;
use crate::domain::lent::{Lendable, Lent};
use crate::telemetry::measure::Moment;
use actix::dev::{
    AsyncContextParts, ContextParts, Envelope, EnvelopeProxy, MessageResponse, OneshotSender,
    ToEnvelope,
};
use actix::prelude::*;
use std::sync::atomic::Ordering::Relaxed;

/// Messages an actor handles before the others of its thread get their turn.
const BURST: u32 = 64;

/// A kind of actor that can be supervised.
pub trait Kind: Actor<Context = Ctx<Self>> + Supervised + Sized + 'static {
    /// The kind's name.
    const NAME: &'static str;
    /// What the actor shares with those who hold its handle, so that a question need not become a message.
    type Shared: Clone + Send + Sync + Unpin + 'static;
}

/// The context of a supervised actor.
pub struct Ctx<A: Kind> {
    pub(crate) parts: ContextParts<A>,
    pub(crate) gauge: Lendable<Gauge>,
    pub(crate) shared: A::Shared,
    pub(crate) burst: u32,
}

impl<A: Kind> std::fmt::Debug for Ctx<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ctx")
            .field("kind", &A::NAME)
            .finish_non_exhaustive()
    }
}

impl<A: Kind> Ctx<A> {
    /// The actor's own handle, to be given to those it starts.
    #[must_use]
    pub fn handle(&self) -> Handle<A> {
        Handle {
            addr: self.parts.address(),
            gauge: self.gauge.lend(),
            shared: self.shared.clone(),
        }
    }
}

impl<A: Kind> ActorContext for Ctx<A> {
    fn stop(&mut self) {
        self.parts.stop();
    }
    fn terminate(&mut self) {
        self.parts.terminate();
    }
    fn state(&self) -> ActorState {
        self.parts.state()
    }
}

impl<A: Kind> AsyncContext<A> for Ctx<A> {
    fn spawn<F: ActorFuture<A, Output = ()> + 'static>(&mut self, future: F) -> SpawnHandle {
        self.parts.spawn(future)
    }
    fn wait<F: ActorFuture<A, Output = ()> + 'static>(&mut self, future: F) {
        self.parts.wait(future);
    }
    fn waiting(&self) -> bool {
        self.parts.waiting()
    }
    fn cancel_future(&mut self, handle: SpawnHandle) -> bool {
        self.parts.cancel_future(handle)
    }
    fn address(&self) -> Addr<A> {
        self.parts.address()
    }
}

impl<A: Kind> AsyncContextParts<A> for Ctx<A> {
    fn parts(&mut self) -> &mut ContextParts<A> {
        &mut self.parts
    }
}

impl<A, M> ToEnvelope<A, M> for Ctx<A>
where
    A: Kind + Handler<M>,
    M: Message + Send + 'static,
    M::Result: Send,
{
    fn pack(message: M, reply: Option<OneshotSender<M::Result>>) -> Envelope<A> {
        Envelope::with_proxy(Box::new(Letter {
            message: Some(message),
            reply,
            sent: Moment::now(),
        }))
    }
}

/// A message on its way.
struct Letter<M: Message> {
    message: Option<M>,
    reply: Option<OneshotSender<M::Result>>,
    sent: Moment,
}

impl<A, M> EnvelopeProxy<A> for Letter<M>
where
    A: Kind + Handler<M>,
    M: Message + Send + 'static,
    M::Result: Send,
{
    fn handle(&mut self, actor: &mut A, ctx: &mut Ctx<A>) {
        let begun = Moment::now();
        ctx.gauge.kind.wait.record(self.sent, begun);
        ctx.gauge.leave_place();
        if let Some(message) = self.message.take() {
            <A as Handler<M>>::handle(actor, message, ctx).handle(ctx, self.reply.take());
        }
        let kind = &ctx.gauge.kind;
        kind.handling.record(begun, Moment::now());
        kind.handled.fetch_add(1, Relaxed);
        ctx.gauge.handled.fetch_add(1, Relaxed);
        ctx.burst += 1;
        if ctx.burst >= BURST {
            ctx.burst = 0;
            ctx.wait(tokio::task::yield_now().into_actor(actor));
        }
    }
}

/// Why a message was not delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undelivered {
    /// The mailbox is full.
    Full,
    /// The actor has ended, or broke while it handled the message.
    Gone,
}

/// The only way to an actor: its address with the bound of its mailbox, and a lease: an actor is not retired while there are any.
pub struct Handle<A: Kind> {
    pub(crate) addr: Addr<A>,
    pub(crate) gauge: Lent<Gauge>,
    pub(crate) shared: A::Shared,
}

impl<A: Kind> Clone for Handle<A> {
    fn clone(&self) -> Self {
        Self {
            addr: self.addr.clone(),
            gauge: self.gauge.clone(),
            shared: self.shared.clone(),
        }
    }
}

impl<A: Kind> std::fmt::Debug for Handle<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handle")
            .field("kind", &A::NAME)
            .finish_non_exhaustive()
    }
}

impl<A: Kind> Handle<A> {
    /// What the actor shares.
    pub fn shared(&self) -> &A::Shared {
        &self.shared
    }

    /// A lease on the actor, without the way to it.
    pub(super) fn lease(&self) -> Lent<Gauge> {
        self.gauge.clone()
    }

    /// Whether the actor has ended.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        !self.addr.connected()
    }

    /// Leaves a message without waiting for it to be handled.
    ///
    /// # Errors
    /// [`Undelivered`]; the actor never sees the message then.
    pub fn tell<M>(&self, message: M) -> Result<(), Undelivered>
    where
        A: Handler<M>,
        M: Message + Send + 'static,
        M::Result: Send,
    {
        self.take_place()?;
        self.addr.try_send(message).map_err(|_| {
            self.gauge.leave_place();
            Undelivered::Gone
        })
    }

    /// Leaves a message and waits for the answer. The message is handled also when nobody waits any more.
    ///
    /// # Errors
    /// [`Undelivered`]; [`Undelivered::Gone`] leaves open whether the actor saw the message before it broke.
    pub async fn ask<M>(&self, message: M) -> Result<M::Result, Undelivered>
    where
        A: Handler<M>,
        M: Message + Send + 'static,
        M::Result: Send,
    {
        self.take_place()?;
        self.addr.send(message).await.map_err(|_| Undelivered::Gone)
    }

    fn take_place(&self) -> Result<(), Undelivered> {
        if self.is_gone() {
            return Err(Undelivered::Gone);
        }
        match self.gauge.take_place() {
            true => Ok(()),
            false => Err(Undelivered::Full),
        }
    }
}

/// Somebody who takes messages of one type: how a stage hands on its product without knowing the next stage's type.
pub trait Outlet<M>: Send {
    /// Hands on a message.
    ///
    /// # Errors
    /// [`Undelivered`].
    fn hand(&self, message: M) -> Result<(), Undelivered>;
}

impl<A, M> Outlet<M> for Handle<A>
where
    A: Kind + Handler<M>,
    M: Message + Send + 'static,
    M::Result: Send,
{
    fn hand(&self, message: M) -> Result<(), Undelivered> {
        self.tell(message)
    }
}
