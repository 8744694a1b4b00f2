//! `skillkiln top`: shows a running service in a terminal: its stages, its actors, its runs and its books, a look a second.
//!
//! ```text
//! /ops/observe ─▶ seen ─▶ view (two looks: rates) ─▶ screen, or paper where there is none
//! ```

pub mod paper;
pub mod screen;
pub mod seen;
pub mod view;

use super::Common;
use super::operator::{block_on, quiet_log};
use super::output::{self, Stop};
use crate::providers::service::Service;
use bytes::Bytes;
use clap::Args;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use screen::Around;
use seen::Seen;
use std::io::{IsTerminal, stdout};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;
use view::View;

/// How often the service is looked at.
const EVERY: Duration = Duration::from_secs(1);
/// How long it may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often the reader of keys looks whether anybody still wants them.
const KEYS_LOOK: Duration = Duration::from_millis(100);
const OBSERVE: &str = "/ops/observe";

/// Where the service is, and how it is shown.
#[derive(Debug, Args)]
pub struct Top {
    /// The operators' address of the service (its setting server.admin_bind)
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8081")]
    pub url: String,
    /// Show each node that is at work on the same database, too
    #[arg(long)]
    pub all: bool,
    /// Print what is to be seen once, as text; what happens anyway where there is no terminal
    #[arg(long)]
    pub once: bool,
    /// Print what the service says once, as JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
///
/// # Errors
/// [`Stop::Failed`] when the service does not answer, or is none of ours.
pub fn run(command: &Top, _: &Common) -> Result<(), Stop> {
    quiet_log()?;
    let service = Service::at(&command.url, PATIENCE).map_err(Stop::Misused)?;
    block_on(async {
        let said = ask(&service, &command.url).await?;
        let first = understood(&said, &command.url)?;
        if command.json {
            let said: serde_json::Value = serde_json::from_slice(&said).map_err(Stop::failed)?;
            return output::say_json(&said);
        }
        if command.once || !stdout().is_terminal() {
            let desk = Desk::new(first, &command.url, command.all);
            return output::say(&paper::page(&desk.view()));
        }
        let terminal = ratatui::try_init().map_err(|cause| {
            Stop::Failed(format!(
                "cannot use this terminal: {cause}; --once prints a snapshot"
            ))
        })?;
        let desk = Desk::new(first, &command.url, command.all);
        let shown = watch(terminal, &service, desk).await;
        ratatui::restore();
        shown
    })
}

/// What the service says of itself.
async fn ask(service: &Service, url: &str) -> Result<Bytes, Stop> {
    let answer = service.get(OBSERVE, None).await.map_err(|silence| {
        Stop::Failed(format!(
            "{silence}; is the service running, and is that its setting server.admin_bind? --url names another address"
        ))
    })?;
    match answer.status {
        200 => Ok(answer.body),
        status => Err(Stop::Failed(format!(
            "{url} answers {status} to {OBSERVE}; --url is the operators' address (server.admin_bind), not the public one"
        ))),
    }
}

fn understood(said: &[u8], url: &str) -> Result<Seen, Stop> {
    serde_json::from_slice(said).map_err(|_| {
        Stop::Failed(format!(
            "what {url} says of itself is not what a service of ours says"
        ))
    })
}

/// What is shown, and what was chosen.
#[derive(Debug)]
struct Desk {
    seen: Seen,
    seen_at: Instant,
    earlier: Option<(Seen, f64)>,
    around: Around,
    /// Whether all nodes are shown.
    all: bool,
}

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Quit,
    Redraw,
}

impl Desk {
    fn new(seen: Seen, url: &str, all: bool) -> Self {
        Self {
            seen,
            seen_at: Instant::now(),
            earlier: None,
            around: Around {
                url: url.to_owned(),
                ..Around::default()
            },
            all,
        }
    }

    fn view(&self) -> View {
        let earlier = self.earlier.as_ref();
        let earlier = earlier.map(|(seen, seconds)| (seen, *seconds));
        let view = view::view(&self.seen, earlier, self.around.chosen);
        match self.all {
            true => view.with_nodes(&self.seen),
            false => view,
        }
    }

    /// Takes a new look in; while paused, it is put aside.
    fn look(&mut self, looked: Result<Seen, Stop>, at: Instant) {
        match looked {
            Ok(_) if self.around.is_paused => self.around.trouble = None,
            Ok(seen) => {
                let since = at.duration_since(self.seen_at).as_secs_f64();
                let earlier = std::mem::replace(&mut self.seen, seen);
                self.earlier = Some((earlier, since));
                self.seen_at = at;
                self.around.trouble = None;
            }
            Err(_) => self.around.trouble = Some("does not answer; still trying".to_owned()),
        }
    }

    fn take(&mut self, event: &Event) -> Wish {
        let Event::Key(key) = event else {
            return Wish::Redraw;
        };
        if key.kind == KeyEventKind::Release {
            return Wish::Redraw;
        }
        let last = self.seen.actors.len().saturating_sub(1);
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return Wish::Quit,
            // In raw mode the terminal makes no signal of it.
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return Wish::Quit;
            }
            KeyCode::Char('p' | ' ') => self.around.is_paused = !self.around.is_paused,
            KeyCode::Down | KeyCode::Char('j') => {
                self.around.chosen = (self.around.chosen + 1).min(last);
            }
            KeyCode::Up | KeyCode::Char('k') => {
                self.around.chosen = self.around.chosen.saturating_sub(1);
            }
            _ => {}
        }
        Wish::Redraw
    }

    fn draw(&self, terminal: &mut DefaultTerminal) -> Result<(), Stop> {
        let view = self.view();
        terminal
            .draw(|frame| screen::draw(frame, &view, &self.around))
            .map(|_| ())
            .map_err(|cause| Stop::Failed(format!("cannot draw on this terminal: {cause}")))
    }
}

async fn watch(
    mut terminal: DefaultTerminal,
    service: &Service,
    mut desk: Desk,
) -> Result<(), Stop> {
    let mut keys = keys();
    let mut looks = tokio::time::interval_at(tokio::time::Instant::now() + EVERY, EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The look under way; keys are answered meanwhile.
    let (look, mut looked) = mpsc::channel(1);
    let mut is_looking = false;
    loop {
        desk.draw(&mut terminal)?;
        tokio::select! {
            event = keys.recv() => match event {
                Some(event) if desk.take(&event) == Wish::Quit => return Ok(()),
                Some(_) => {}
                None => return Ok(()),
            },
            Some(seen) = looked.recv() => {
                is_looking = false;
                desk.look(seen, Instant::now());
            }
            _ = looks.tick(), if !is_looking => {
                is_looking = true;
                let (service, url, look) = (service.clone(), desk.around.url.clone(), look.clone());
                tokio::spawn(async move {
                    let said = ask(&service, &url).await;
                    // Nobody waits for it any more once the command ends.
                    let _ = look.send(said.and_then(|said| understood(&said, &url))).await;
                });
            }
        }
    }
}

/// What is pressed, and that the window changed, from a thread that may block.
fn keys() -> mpsc::UnboundedReceiver<Event> {
    let (tell, told) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        while !tell.is_closed() {
            match event::poll(KEYS_LOOK) {
                Ok(false) => {}
                Ok(true) => {
                    let sent = event::read().map(|event| tell.send(event).is_ok());
                    if !sent.unwrap_or(false) {
                        return;
                    }
                }
                Err(_) => return,
            }
        }
    });
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::crossterm::event::KeyEvent;
    use view::tests::{AT_WORK, seen};

    fn press(desk: &mut Desk, code: KeyCode) -> Wish {
        desk.take(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    #[test]
    fn arrows_choose_a_kind_and_stay_within_the_list() {
        let mut desk = Desk::new(seen(AT_WORK), "x", false);
        for _ in 0..5 {
            assert_eq!(press(&mut desk, KeyCode::Down), Wish::Redraw);
        }
        assert_eq!(desk.around.chosen, 1);
        press(&mut desk, KeyCode::Up);
        press(&mut desk, KeyCode::Up);
        assert_eq!(desk.around.chosen, 0);
    }

    #[test]
    fn q_and_control_c_quit_and_other_keys_do_not() {
        let mut desk = Desk::new(Seen::default(), "x", false);
        assert_eq!(press(&mut desk, KeyCode::Char('q')), Wish::Quit);
        assert_eq!(press(&mut desk, KeyCode::Char('c')), Wish::Redraw);
        let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(desk.take(&Event::Key(control_c)), Wish::Quit);
        assert_eq!(desk.take(&Event::Resize(10, 10)), Wish::Redraw);
    }

    #[test]
    fn a_paused_view_stands_still_and_a_silent_service_is_said() {
        let mut desk = Desk::new(Seen::default(), "x", false);
        press(&mut desk, KeyCode::Char('p'));
        desk.look(Ok(seen(AT_WORK)), Instant::now());
        assert_eq!(desk.seen, Seen::default());
        press(&mut desk, KeyCode::Char('p'));
        desk.look(Err(Stop::Failed("gone".into())), Instant::now());
        assert!(desk.around.trouble.is_some());
        desk.look(Ok(seen(AT_WORK)), Instant::now());
        assert_eq!((desk.seen.actors.len(), desk.earlier.is_some()), (2, true));
        assert_eq!(desk.around.trouble, None);
    }
}
