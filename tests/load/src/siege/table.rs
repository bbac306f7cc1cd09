//! The figures of attacks as a table, with details below it.

use std::{collections::BTreeMap, fmt};

use super::{
    attacker::End,
    verdict::{Figure, Outcome, Stretch, Verdict},
};
use crate::figures::Waits;

/// Formats outcomes.
#[derive(Debug)]
pub struct Table;

const HEADINGS: [&str; 14] = [
    "attack",
    "database",
    "turn p50 ms",
    "turn p99 ms",
    "step p99 ms",
    "late p99 ms",
    "MiB",
    "disk MiB/s",
    "server",
    "database",
    "attacker",
    "honest",
    "sent",
    "verdict",
];

const WIDTHS: [usize; 14] = [11, 10, 17, 17, 17, 11, 5, 10, 6, 8, 8, 6, 9, 7];

impl Table {
    /// The two lines above the first row.
    pub fn headings() -> String {
        let rule = WIDTHS.map(|width| "-".repeat(width));
        format!("{}\n{}", line(&HEADINGS.map(str::to_owned)), line(&rule))
    }

    /// The row of an attack.
    pub fn line(outcome: &Outcome) -> String {
        let each = |of: fn(&Stretch) -> Option<Waits>, what: fn(&Waits) -> f64| {
            let waits = outcome.stretches.each_ref().map(|stretch| number(of(stretch).as_ref().map(what)));
            waits.join(" / ")
        };
        let [_, during, _] = &outcome.stretches;
        let costs = outcome.costs;
        let processors = |busy: Option<f64>| busy.map_or("-".to_owned(), |busy| format!("{busy:.2}"));
        line(&[
            outcome.attack.name(),
            outcome.database.to_owned(),
            each(|stretch| stretch.turns, |waits| waits.p50_ms),
            each(|stretch| stretch.turns, |waits| waits.p99_ms),
            each(|stretch| stretch.steps, |waits| waits.p99_ms),
            number(during.timer.map(|waits| waits.p99_ms)),
            number(outcome.memory_mib),
            outcome.disk_mib_per_second().map_or("-".to_owned(), |rate| format!("{rate:.2}")),
            processors(costs.map(|costs| costs.server)),
            processors(costs.and_then(|costs| costs.database)),
            processors(costs.map(|costs| costs.attacker)),
            processors(costs.map(|costs| costs.honest)),
            outcome.sent.to_string(),
            match outcome.verdict() {
                Verdict::Passed => "pass",
                Verdict::Slow => "slow",
                Verdict::Failed => "FAIL",
            }
            .to_owned(),
        ])
    }

    /// The figure of this attack alone, the attacker's refusals and the reasons of a failure.
    pub fn details(outcome: &Outcome) -> impl fmt::Display {
        let Outcome { figure, refused, slow, failures, .. } = outcome;
        let name = format!("{}, {}", outcome.attack.name(), outcome.database);
        let end = match outcome.end {
            End::Cut => "cut off",
            End::Silence => "silent",
        };
        let figure = figure.map_or_else(String::new, |Figure { name, value, most }| {
            format!("{name} {} (at most {}); ", number(value), number(Some(most)))
        });
        let mut text =
            format!("{name}: {figure}at the end {end}; the attacker was refused {}", counted(refused));
        for failure in slow.iter().chain(failures) {
            text.push_str(&format!("\n    FAIL: {failure}"));
        }
        text
    }
}

fn line(cells: &[String; 14]) -> String {
    let padded: Vec<String> =
        cells.iter().zip(WIDTHS).map(|(cell, width)| format!("{cell:>width$}")).collect();
    format!("| {} |", padded.join(" | "))
}

/// Formats a number with two significant digits if it is small.
fn number(number: Option<f64>) -> String {
    match number {
        None => "-".to_owned(),
        Some(number) if number < 10.0 => format!("{number:.1}"),
        Some(number) => format!("{number:.0}"),
    }
}

fn counted(counts: &BTreeMap<String, u64>) -> String {
    let counts: Vec<String> = counts.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    if counts.is_empty() { "nothing".to_owned() } else { counts.join(", ") }
}
