//! Owns how the view is laid on a screen of any size: the lines at the top, the stages, the actors, and below them what is chosen and
//! what runs.

use super::view::{self, View};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Cell, Paragraph, Row, Table, TableState};

/// What the screen shows beside the view.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Around {
    /// Where the service is.
    pub url: String,
    /// Whether the view stands still.
    pub is_paused: bool,
    /// The kind of actor that is chosen.
    pub chosen: usize,
    /// Why there is no newer view.
    pub trouble: Option<String>,
}

/// Draws everything.
pub fn draw(frame: &mut Frame<'_>, view: &View, around: &Around) {
    let rows = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    let alarm = u16::from(view.alarm.is_some());
    let high = |some: &[Vec<String>]| match some.len() {
        0 => 0,
        count => rows(count + 2),
    };
    let [top, warning, lines, nodes, by_node, stages, actors, below] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(alarm),
        Constraint::Length(rows(view.lines.len())),
        Constraint::Length(high(&view.nodes)),
        Constraint::Length(high(&view.by_node)),
        Constraint::Length(rows(view.stages.len() + 2)),
        Constraint::Length(rows(view.actors.len() + 2)),
        Constraint::Min(3),
    ])
    .areas(frame.area());
    frame.render_widget(title(around), top);
    if let Some(alarm) = &view.alarm {
        frame.render_widget(
            Paragraph::new(alarm.as_str()).red().bold().reversed(),
            warning,
        );
    }
    frame.render_widget(facts(view), lines);
    frame.render_widget(
        table(
            "nodes",
            &view::NODES,
            &view.nodes,
            &[14, 9, 8, 16, 10, 8, 8, 8],
        ),
        nodes,
    );
    let kinds: Vec<&str> = view.kinds.iter().map(String::as_str).collect();
    let widths = widths_of(&kinds, &view.by_node);
    frame.render_widget(
        table(view::BY_NODE, &kinds, &view.by_node, &widths),
        by_node,
    );
    frame.render_widget(
        table(
            "stages",
            &view::STAGES,
            &view.stages,
            &[14, 9, 9, 10, 8, 10, 10],
        ),
        stages,
    );
    let kinds = table(
        "actors",
        &view::ACTORS,
        &view.actors,
        &[14, 7, 8, 10, 9, 7, 9, 9, 9],
    );
    let mut state = TableState::new().with_selected(Some(around.chosen));
    let kinds = kinds.row_highlight_style(Style::new().add_modifier(Modifier::REVERSED));
    frame.render_stateful_widget(kinds, actors, &mut state);
    draw_below(frame, below, view);
}

fn draw_below(frame: &mut Frame<'_>, area: Rect, view: &View) {
    let (kind, last_panic) = &view.chosen;
    let said = u16::from(last_panic.is_some());
    let [instances, running] =
        Layout::horizontal([Constraint::Percentage(50), Constraint::Percentage(50)])
            .spacing(2)
            .areas(area);
    let [panic, instances] =
        Layout::vertical([Constraint::Length(said), Constraint::Min(2)]).areas(instances);
    if let Some(words) = last_panic {
        frame.render_widget(Paragraph::new(format!("last panic: {words}")).red(), panic);
    }
    let heading = format!("instances of {kind}");
    frame.render_widget(
        table(
            &heading,
            &view::INSTANCES,
            &view.instances,
            &[10, 10, 7, 8, 8],
        )
        .widths(growing(&[10, 10, 7, 8, 8])),
        instances,
    );
    frame.render_widget(
        table(
            "in flight",
            &view::RUNNING,
            &view.running,
            &[8, 7, 12, 8, 9],
        )
        .widths(growing(&[8, 7, 12, 8, 9])),
        running,
    );
}

fn title(around: &Around) -> Paragraph<'static> {
    let mut spans = vec![
        Span::from(" skillkiln top ").bold().reversed(),
        Span::from(format!(" {} ", around.url)),
    ];
    if around.is_paused {
        spans.push(Span::from(" paused ").yellow().reversed());
    }
    spans.push(match &around.trouble {
        Some(words) => Span::from(format!(" {words}")).red(),
        None => Span::from(" q quit  p pause  ↑↓ choose").dim(),
    });
    Paragraph::new(Line::from(spans))
}

fn facts(view: &View) -> Paragraph<'_> {
    let line = |(name, words): &'_ (&'static str, String)| {
        Line::from(vec![
            Span::from(format!("{name:<12} ")).bold(),
            Span::from(words.clone()),
        ])
    };
    Paragraph::new(view.lines.iter().map(line).collect::<Vec<Line<'_>>>())
}

/// What names an actor or a run gets the room that is left.
fn growing(widths: &[u16]) -> impl Iterator<Item = Constraint> {
    widths
        .iter()
        .enumerate()
        .map(|(column, width)| match column {
            0 => Constraint::Min(*width),
            _ => Constraint::Length(*width),
        })
}

/// As much room as each column's longest words take.
fn widths_of(columns: &[&str], rows: &[Vec<String>]) -> Vec<u16> {
    let width = |(at, heading): (usize, &&str)| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        let longest = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
        u16::try_from(longest.max(heading.chars().count())).unwrap_or(u16::MAX)
    };
    columns.iter().enumerate().map(width).collect()
}

/// A table whose numbers stand to the right.
fn table<'a>(
    heading: &str,
    columns: &[&str],
    rows: &'a [Vec<String>],
    widths: &[u16],
) -> Table<'a> {
    let cell = |column: usize, text: &str, width: u16| {
        let text = text.to_owned();
        if column == 0 {
            return Cell::from(text);
        }
        let width = usize::from(width);
        Cell::from(format!("{text:>width$}"))
    };
    let cells = |words: &mut dyn Iterator<Item = &str>| {
        let cells = words.zip(widths).enumerate();
        Row::new(
            cells
                .map(|(column, (text, width))| cell(column, text, *width))
                .collect::<Vec<_>>(),
        )
    };
    let header = cells(&mut columns.iter().copied()).style(Style::new().bold());
    let body: Vec<Row<'a>> = rows
        .iter()
        .map(|row| cells(&mut row.iter().map(String::as_str)))
        .collect();
    Table::new(body, widths.iter().map(|width| Constraint::Length(*width)))
        .header(header)
        .block(Block::new().title(Line::from(format!(" {heading} ")).bold().cyan()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::top::view::tests::{AT_WORK, SEVERAL, seen};
    use crate::cli::top::view::view;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    fn screen(width: u16, height: u16, view: &View, around: &Around) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, view, around)).unwrap();
        let buffer = terminal.backend().buffer();
        let width = usize::from(width);
        let cells: Vec<&str> = buffer.content().iter().map(|cell| cell.symbol()).collect();
        cells
            .chunks(width)
            .map(|line| line.concat().trim_end().to_owned())
            .collect()
    }

    fn around() -> Around {
        Around {
            url: "http://127.0.0.1:8081".to_owned(),
            chosen: 1,
            ..Around::default()
        }
    }

    #[test]
    fn a_service_at_work_is_seen_on_one_screen() {
        let shown = screen(100, 23, &view(&seen(AT_WORK), None, 1), &around());
        let expected = [
            " skillkiln top  http://127.0.0.1:8081  q quit  p pause  ↑↓ choose",
            "generations  120 accepted (-/s), 110 completed (-/s), 2 failed: 1 model of ours, 1 missing",
            "in flight    8, of which 0 wait; 1 taken up again since the start",
            "credits      120 reserved (-/s), 110 earned, 2 given back, 300 granted",
            "ledger       granted 300 + owed 0 = available 182 + reserved 8 + earned 110",
            "http         -/s, p50 667 µs, p99 2.0 ms without generations, 0 faults of ours, 0 refused, 3 streams",
            "limits       5 keys with a window",
            " stages",
            "stage          in flight  passed/s    words/s   failed        p50        p99",
            "extracting             3         -          -        2     1.6 ms     3.9 ms",
            "synthesizing           1         -          -        0          -          -",
            "validating             0         -          -        0          -          -",
            " actors",
            "kind             alive  waiting  handled/s  restarts  panics  wait p99  work p50  work p99",
            "settlement           1        2          -         0       0     10 µs    500 µs    990 µs",
            "ledger               4        0          -         1       1         -         -         -",
            "last panic: it \u{fffd}[2J broke                           in flight",
            " instances of ledger                               run        source        phase      age  in phase",
            "key               state waiting  handled restarts  0199          url   extracting    2.5 s  250.0 ms",
            "usr_1           running       0      100        1",
            "",
            "",
            "",
        ];
        assert_eq!(shown, expected, "{}", shown.join("\n"));
    }

    #[test]
    fn the_actors_of_all_nodes_are_seen_beneath_the_nodes() {
        let view = view(&seen(AT_WORK), None, 1).with_nodes(&seen(SEVERAL));
        let shown = screen(100, 36, &view, &around());
        let expected = [
            " nodes",
            "node             version     role         standing     up for    cores     runs   leases",
            "aaaa               0.2.0      all          working     60.0 s     0.50        3        3",
            "bbbb                   -        - cordoned 125 min          -        -        -        1",
            "cccc                   -        -          working          -        -        -        0",
            "dddd                   -        -                -          -        -        -        2",
            " actors by node: alive, +waiting, !restarts",
            "node   ledger task oracle \u{fffd} handled/s",
            "aaaa 412+12!3    9        -      31.5",
            "bbbb        7    -        -         -",
            "cccc        -    -        -  not told",
            " stages",
        ];
        assert_eq!(shown[7..19], expected, "{}", shown.join("\n"));
    }

    #[test]
    fn a_screen_of_any_size_is_drawn() {
        let view = view(&seen(AT_WORK), None, 1).with_nodes(&seen(SEVERAL));
        for (width, height) in [(1, 1), (20, 5), (80, 10), (300, 100)] {
            assert_eq!(
                screen(width, height, &view, &around()).len(),
                usize::from(height)
            );
        }
    }

    #[test]
    fn pause_trouble_and_alarm_are_said_at_the_top() {
        let mut view = view(&seen(AT_WORK), None, 1);
        view.alarm = Some("THE BOOKS DO NOT BALANCE".to_owned());
        let around = Around {
            is_paused: true,
            trouble: Some("it does not answer".to_owned()),
            ..around()
        };
        let shown = screen(96, 24, &view, &around);
        assert!(
            shown[0].contains("paused") && shown[0].contains("it does not answer"),
            "{}",
            shown[0]
        );
        assert_eq!(shown[1], "THE BOOKS DO NOT BALANCE");
    }
}
