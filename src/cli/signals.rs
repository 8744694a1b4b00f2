//! Owns the two words by which a command is told to stop: SIGTERM, as systems say it, and SIGINT, as people do with Ctrl-C; and SIGHUP,
//! by which it is told to read its settings again.

use super::output::Stop;
use std::io::{IsTerminal, stderr};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGTERM, SIGINT and SIGHUP.
#[derive(Debug)]
pub struct Signals {
    term: Signal,
    interrupt: Signal,
    hangup: Signal,
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
            hangup: listen(SignalKind::hangup())?,
            _pipe: listen(SignalKind::pipe())?,
        })
    }

    /// Waits for the next word to stop.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.term.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    /// Waits for the next word to stop, and does this each time the settings are to be read again. Whoever sits at a terminal and closes
    /// it means the first.
    pub async fn next_but(&mut self, read_again: impl Fn()) {
        loop {
            tokio::select! {
                _ = self.term.recv() => return,
                _ = self.interrupt.recv() => return,
                _ = self.hangup.recv() => match stderr().is_terminal() {
                    true => return,
                    false => read_again(),
                },
            }
        }
    }
}
