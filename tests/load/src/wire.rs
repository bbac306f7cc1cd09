//! Classifies frames of the server without parsing all of them.

/// A frame, as far as the load tool needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'f> {
    /// Events of a followed game, the first of which has this version; in `news` the last.
    Events(u64),
    /// A game with all its events.
    Snapshot,
    /// A command is committed.
    Ack,
    /// Legal actions.
    Options,
    /// A refusal: a `nack` or an `error`.
    Refused(&'f str),
    /// Changed rows of the lobby; [`rows`] finds their games.
    Rows(&'f str),
    /// Presence at a game.
    Presence(&'f str),
    /// The whole lobby.
    Lobby,
    Other,
}

/// Length of a game's id.
const ID: usize = 36;

/// Classifies a frame by its beginning.
pub fn parse(frame: &str) -> Frame<'_> {
    let Some((kind, rest)) = frame.strip_prefix(r#"{"type":""#).and_then(|rest| rest.split_once('"')) else {
        return Frame::Other;
    };
    match kind {
        "events" => first_version(rest).map_or(Frame::Other, Frame::Events),
        "snapshot" => Frame::Snapshot,
        "news" => news(rest).unwrap_or(Frame::Other),
        "ack" => Frame::Ack,
        "options" => Frame::Options,
        "nack" | "error" => Frame::Refused(frame),
        "lobby_changed" => Frame::Rows(frame),
        "presence" => Frame::Presence(frame),
        "lobby" => Frame::Lobby,
        _ => Frame::Other,
    }
}

/// Returns the ids of the games in a frame of rows. Only the id of a game is followed by a ruleset.
pub fn rows(frame: &str) -> impl Iterator<Item = &str> {
    let ends = frame.match_indices(r#"","ruleset":"#).map(|(end, _)| end);
    ends.filter_map(|end| frame.get(end.checked_sub(ID)?..end))
}

/// Classifies `news`, which has a whole game if its first event is that of version 1.
fn news(rest: &str) -> Option<Frame<'_>> {
    let digits = rest.strip_prefix(r#","game":""#)?.get(ID..)?.strip_prefix(r#"","version":"#)?;
    let (version, events) = digits.split_once(r#","events":["#)?;
    if events.starts_with(r#"{"version":1,"#) {
        return Some(Frame::Snapshot);
    }
    version.parse().ok().map(Frame::Events)
}

/// Returns the version of the first event; `None` without events.
fn first_version(rest: &str) -> Option<u64> {
    let events = rest.strip_prefix(r#","game":""#)?.get(ID..)?;
    let digits = events.strip_prefix(r#"","events":[{"version":"#)?;
    let end = digits.find(|letter: char| !letter.is_ascii_digit())?;
    digits[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "0197d2a4-0000-7000-8000-000000000001";

    #[test]
    fn a_frame_is_known_by_its_beginning() {
        let events = format!(
            r#"{{"type":"events","game":"{GAME}","events":[{{"version":17,"at_ms":1}}],"present":{{}}}}"#
        );
        let thin = format!(r#"{{"type":"news","game":"{GAME}","version":17,"events":[{{"at_ms":1}}]}}"#);
        let whole =
            format!(r#"{{"type":"news","game":"{GAME}","version":1,"events":[{{"version":1,"at_ms":1}}]}}"#);
        let none = format!(r#"{{"type":"events","game":"{GAME}","events":[],"present":{{}}}}"#);
        let row = format!(r#"{{"id":"{GAME}","ruleset":"fenix","creator":{{"id":"{GAME}","name":"Ada"}}}}"#);
        let news = format!(r#"{{"type":"lobby_changed","games":[{row},{row}],"gone":["{GAME}"]}}"#);
        let nack = r#"{"type":"nack","command":"c","game":"g","code":"stale","version":3}"#;
        for (frame, expected) in [
            (events.as_str(), Frame::Events(17)),
            (&thin, Frame::Events(17)),
            (&whole, Frame::Snapshot),
            (&none, Frame::Other),
            (&news, Frame::Rows(&news)),
            (nack, Frame::Refused(nack)),
            (r#"{"type":"ack","command":"c","game":"g","version":3}"#, Frame::Ack),
            (r#"{"type":"pong"}"#, Frame::Other),
            ("", Frame::Other),
        ] {
            assert_eq!(parse(frame), expected, "{frame}");
        }
        assert_eq!(rows(&news).collect::<Vec<_>>(), [GAME, GAME]);
    }
}
