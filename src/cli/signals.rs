//! Owns the two words by which a command is told to stop: SIGTERM, as systems say it, and SIGINT, as people do with Ctrl-C.

use super::output::Stop;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGTERM and SIGINT.
#[derive(Debug)]
pub struct Signals {
    term: Signal,
    interrupt: Signal,
    /// Whoever hangs up is told by the write that fails. Nobody waits for this one; that it is listened to keeps it from ending the process.
    _pipe: Signal,
}

impl Signals {
    /// Listens from now on; neither ends the process by itself any more.
    ///
    /// # Errors
    /// [`Stop::Failed`] when the operating system does not let us.
    pub fn listen() -> Result<Self, Stop> {
        let listen = |kind| {
            signal(kind).map_err(|cause| Stop::Failed(format!("cannot listen to signals: {cause}")))
        };
        Ok(Self {
            term: listen(SignalKind::terminate())?,
            interrupt: listen(SignalKind::interrupt())?,
            _pipe: listen(SignalKind::pipe())?,
        })
    }

    /// Waits for the next of them.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.term.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
