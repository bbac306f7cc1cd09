//! Command-line tool for the rules, for people and scripts.

use std::{
    error::Error,
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
};

use engine::{AnyMatch, Ruleset, Seed};

const USAGE: &str = "usage:
  rules start RULESET
  rules moves RULESET [--position TEXT]
  rules perft RULESET DEPTH [--position TEXT] [--played]
  rules play RULESET [--position TEXT] ACTION...
with --seed HEX, 64 digits, for a ruleset with cards; --played plays the last actions too";

/// The exit status of a bad request.
const REFUSED: u8 = 2;

type Failure = Box<dyn Error>;

fn main() -> ExitCode {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let result = arguments().and_then(|arguments| run(arguments, &mut out)).and_then(|()| Ok(out.flush()?));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if is_closed_pipe(failure.as_ref()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Output before the failure is kept. Errors of this output cannot be reported.
            let _ = out.flush();
            let _ = writeln!(io::stderr(), "rules: {failure}");
            ExitCode::from(REFUSED)
        }
    }
}

fn arguments() -> Result<Vec<String>, Failure> {
    let unicode =
        |argument: OsString| argument.into_string().map_err(|_| "an argument is not Unicode".into());
    std::env::args_os().skip(1).map(unicode).collect()
}

/// Whether the reader closed the output, as `head` does. This is not an error.
fn is_closed_pipe(failure: &(dyn Error + 'static)) -> bool {
    failure.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn run(mut arguments: Vec<String>, out: &mut impl Write) -> Result<(), Failure> {
    let position = take_option(&mut arguments, "--position")?;
    let seed = take_option(&mut arguments, "--seed")?;
    let is_played = take_flag(&mut arguments, "--played");
    if arguments.iter().any(|argument| argument.starts_with("--")) {
        return Err(USAGE.into());
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [command, ruleset, rest @ ..] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    let game = || game(command, ruleset.parse()?, position.as_deref(), seed.as_deref());
    match (*command, rest) {
        ("start", []) if position.is_none() => writeln!(out, "{}", game()?.start_text())?,
        ("moves", []) => print_moves(&game()?, out)?,
        ("perft", [depth]) if is_played => writeln!(out, "{}", game()?.perft_played(read_depth(depth)?))?,
        _ if is_played => return Err(USAGE.into()),
        ("perft", [depth]) => writeln!(out, "{}", game()?.perft(read_depth(depth)?))?,
        ("play", actions) => play(game()?, actions, out)?,
        _ => return Err(USAGE.into()),
    }
    Ok(())
}

/// Creates the match. Without a seed, a position with cards can be played only to the end of its turn.
fn game(
    command: &str,
    ruleset: Ruleset,
    position: Option<&str>,
    seed: Option<&str>,
) -> Result<AnyMatch, Failure> {
    let game = match position {
        Some(text) => AnyMatch::from_text(ruleset, text).map_err(|error| format!("position: {error}"))?,
        None => AnyMatch::new(ruleset),
    };
    match seed {
        Some(hex) if ruleset.has_cards() => {
            Ok(game.with_seed(hex.parse::<Seed>().map_err(|error| format!("seed: {error}"))?))
        }
        Some(_) => Err(format!("seed: {ruleset} has no cards").into()),
        None if ruleset.has_cards() && (position.is_none() || command == "perft") => {
            Err(format!("{ruleset} has cards, which need --seed HEX").into())
        }
        None => Ok(game),
    }
}

/// Removes an option such as `--position TEXT` or `--position=TEXT` from the arguments and returns its value.
fn take_option(arguments: &mut Vec<String>, name: &str) -> Result<Option<String>, Failure> {
    let Some(index) = arguments.iter().position(|argument| argument.split('=').next() == Some(name)) else {
        return Ok(None);
    };
    let option = arguments.remove(index);
    match option[name.len()..].strip_prefix('=') {
        Some(value) => Ok(Some(value.to_owned())),
        None if index < arguments.len() => Ok(Some(arguments.remove(index))),
        None => Err(USAGE.into()),
    }
}

/// Removes a flag such as `--played` from the arguments and returns whether it was present.
fn take_flag(arguments: &mut Vec<String>, name: &str) -> bool {
    let n_before = arguments.len();
    arguments.retain(|argument| argument != name);
    arguments.len() < n_before
}

fn read_depth(depth: &str) -> Result<u32, Failure> {
    depth.parse().map_err(|_| format!("depth: expected a number, found `{depth}`").into())
}

fn print_moves(game: &AnyMatch, out: &mut impl Write) -> Result<(), Failure> {
    for action in game.draft::<&str>(&[])?.legal() {
        writeln!(out, "{}", action.text)?;
    }
    Ok(())
}

/// Plays action by action. The last turn may be incomplete.
fn play(mut game: AnyMatch, actions: &[&str], out: &mut impl Write) -> Result<(), Failure> {
    let mut turn = Vec::new();
    for (index, action) in actions.iter().enumerate() {
        turn.push(action);
        let draft = game.draft(&turn).map_err(|error| {
            format!("action {}, `{action}`, breaks rule {}: {}", index + 1, error.rule, error.kind)
        })?;
        let status = draft.outcome.map_or_else(|| "ongoing".to_owned(), |outcome| outcome.to_string());
        let mut position = draft.present.position;
        if draft.complete {
            game.play(&turn)?;
            turn.clear();
            position = game.position_text();
        }
        writeln!(out, "{action}\t{position}\t{status}")?;
    }
    Ok(())
}
