//! Classifies frames of the server without parsing all of them.

/// A frame, as far as the load tool needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'f> {
    /// Events of a followed game, the last of which has this version.
    Events(u64),
    /// A game with all its events.
    Whole,
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
        "events" => events(rest).unwrap_or(Frame::Other),
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

/// Classifies `events`, which are a whole game if the first one is that of version 1; `None` without events.
fn events(rest: &str) -> Option<Frame<'_>> {
    let digits = rest.strip_prefix(r#","game":""#)?.get(ID..)?.strip_prefix(r#"","version":"#)?;
    let (version, events) = digits.split_once(r#","events":["#)?;
    if events.starts_with(r#"{"version":1,"#) {
        return Some(Frame::Whole);
    }
    version.parse().ok().filter(|_| !events.starts_with(']')).map(Frame::Events)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "0197d2a4-0000-7000-8000-000000000001";

    #[test]
    fn a_frame_is_known_by_its_beginning() {
        let events = format!(r#"{{"type":"events","game":"{GAME}","version":17,"events":[{{"at_ms":1}}]}}"#);
        let whole = format!(
            r#"{{"type":"events","game":"{GAME}","version":1,"events":[{{"version":1,"at_ms":1}}]}}"#
        );
        let none = format!(r#"{{"type":"events","game":"{GAME}","version":17,"events":[]}}"#);
        let row = format!(r#"{{"id":"{GAME}","ruleset":"fenix","creator":{{"id":"{GAME}","name":"Ada"}}}}"#);
        let news = format!(r#"{{"type":"lobby_changed","games":[{row},{row}],"gone":["{GAME}"]}}"#);
        let nack = r#"{"type":"nack","command":"c","game":"g","code":"stale","version":3}"#;
        for (frame, expected) in [
            (events.as_str(), Frame::Events(17)),
            (&whole, Frame::Whole),
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
