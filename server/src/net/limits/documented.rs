//! The limits in `docs/` beside those of the code: each number of the tables, row by row, and sentences with numbers.

use super::*;
use crate::net::outbox::{WAITING_BYTES, WAITING_FRAMES, WAITING_IN_ALL};

const PROTOCOL: &str = include_str!("../../../../docs/protocol.md");
const OPERATION: &str = include_str!("../../../../docs/operation.md");
const RECORDS: &str = include_str!("../../../../docs/records.md");
const ARCHITECTURE: &str = include_str!("../../../../ARCHITECTURE.md");
const LIMITS: &str = include_str!("../limits.rs");

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

/// Sustained rate of messages of a socket by default, in the help of the command line.
const MESSAGES_PER_SECOND: u32 = 20;

/// A limit on rows: the beginning of its row, and the numbers in the row.
type Row = (&'static str, Vec<usize>);

fn rate(limit: RateLimit) -> [usize; 2] {
    [(1.0 / limit.each.as_secs_f64()).round() as usize, limit.burst as usize]
}

/// One action in so many seconds, and the burst.
fn one_in(limit: RateLimit) -> Vec<usize> {
    vec![1, limit.each.as_secs() as usize, limit.burst as usize]
}

/// MiB that an address is sent in a second, and at once.
fn sent_mib(limits: &AddressLimits) -> [usize; 2] {
    rate(limits.sent_kib).map(|n_kib| n_kib / KIB)
}

/// MiB that are stored for an address in a day, and at once.
fn stored_mib(limits: &AddressLimits) -> [usize; 2] {
    let in_a_day = Duration::from_secs(24 * 60 * 60).div_duration_f64(limits.stored.each);
    [in_a_day.round() as usize / MIB, limits.stored.burst as usize / MIB]
}

/// The numbers of a text: digits with commas between thousands, on no word's end.
fn numbers(text: &str) -> Vec<usize> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && !",_.".contains(letter));
    let number = |word: &str| word.trim_end_matches([',', '.']).replace(',', "").parse().ok();
    words.filter_map(number).collect()
}

/// The rows of the table that begins with a header.
fn rows<'a>(text: &'a str, header: &str) -> impl Iterator<Item = &'a str> {
    let place = text.find(header).expect("the table is there");
    text[place..].lines().skip(2).take_while(|line| line.starts_with("| ")).map(|line| &line[2..])
}

fn check(header: &str, expected: &[Row]) {
    let mut checked = 0;
    for row in rows(PROTOCOL, header) {
        let known = expected.iter().find(|(beginning, _)| row.starts_with(beginning));
        let (_, expected) = known.unwrap_or_else(|| panic!("a limit without a check: {row}"));
        assert_eq!(numbers(row), *expected, "{row}");
        checked += 1;
    }
    assert_eq!(checked, expected.len(), "each limit has one row");
}

#[test]
fn the_limits_of_a_socket_are_those_of_the_documents() {
    let limits = AddressLimits::times(1);
    let socket = RateLimit::of_messages(MESSAGES_PER_SECOND);
    let always_sent_kib = rate(ALWAYS_SENT)[0] / KIB;
    let flood = [4003, REFUSED.burst as usize];
    let of_player = one_in(limits.rooms_of_player);
    check(
        "| limit on | value | beyond it |",
        &[
            ("a frame |", vec![MAX_FRAME / KIB, 4003]),
            ("messages of one socket", [rate(socket), flood].concat()),
            ("messages over all sockets", rate(limits.messages).to_vec()),
            ("messages of all sockets of one address processed", vec![limits.messages_at_once]),
            ("bytes sent to one address", [&sent_mib(&limits)[..], &[429, always_sent_kib]].concat()),
            ("pools of one player", vec![MAX_POOLS]),
            ("pongs", [rate(QUIET_FRAMES), flood].concat()),
            ("new rooms and games of one player", of_player),
            (
                "games under way",
                vec![MAX_UNDER_WAY as usize, MAX_REAL_TIME as usize, MAX_SLOW_AT_FIRST as usize],
            ),
            ("games followed by one socket", vec![MAX_WATCHED]),
            ("games followed by all sockets", vec![limits.watches as usize]),
            ("events sent", rate(limits.events).to_vec()),
            // Limits that are private to the rules of a game, to its mailbox, to its chat and to the sockets.
            ("take-backs", vec![100]),
            ("messages waiting", vec![64, 112]),
            ("lines in a game's chat", [[1, 4], [10, 50], rate(limits.lines)].concat()),
            ("frames waiting", vec![WAITING_FRAMES, WAITING_BYTES / MIB, 4001]),
            ("bytes waiting for all readers of one address", vec![limits.waiting_bytes / MIB, 16]),
            ("bytes waiting for all readers of a node", vec![192, WAITING_IN_ALL / MIB, 256, 16]),
            ("time in which a client reads nothing", vec![MAX_STALL.as_secs() as usize]),
            ("silence", vec![45, 5]),
        ],
    );
}

fn of_challenges() -> Vec<usize> {
    let limits = [
        store::MAX_CHALLENGES,
        store::CHALLENGES_A_DAY,
        store::CHALLENGES_A_DAY_TO_ONE,
        store::MAX_CHALLENGES_TO,
    ];
    limits.map(|limit| limit as usize).to_vec()
}

#[test]
fn the_limits_of_an_address_over_http_are_those_of_the_documents() {
    let limits = AddressLimits::times(1);
    let of_player = one_in(limits.rooms_of_player);
    let [each_second, at_once] = rate(ALWAYS_STORED);
    let always_stored = [each_second, at_once / KIB];
    let requests = [&rate(limits.requests)[..], &[MAX_REFUSED_REQUESTS as usize]].concat();
    check(
        "| limit on | value | code |",
        &[
            ("requests |", requests),
            ("bytes sent,", sent_mib(&limits).to_vec()),
            ("bytes stored", [stored_mib(&limits), always_stored].concat()),
            ("a body |", vec![MAX_FRAME / KIB, MAX_RECORD / KIB]),
            ("requests processed at once", vec![limits.requests_at_once]),
            ("requests by a trusted proxy", vec![limits.connections as usize]),
            ("new connections", rate(limits.new_connections).to_vec()),
            ("new sessions", rate(limits.sessions).to_vec()),
            ("new rooms", [&rate(limits.rooms)[..], &of_player[..]].concat()),
            // Its number is a word.
            ("games that a player ends", vec![]),
            ("new names", rate(limits.names).to_vec()),
            ("new accounts", one_in(limits.accounts)),
            ("attempts to sign in by browsers", one_in(limits.sign_ins)),
            (
                "such attempts with one name, whether",
                vec![1, ATTEMPTS.each.as_secs() as usize / 60, ATTEMPTS.burst as usize],
            ),
            ("such attempts with one name from all", one_in(ATTEMPTS_OF_STRANGERS)),
            (
                "attempts by one browser",
                vec![1, ATTEMPTS.each.as_secs() as usize / 60, ATTEMPTS.burst as usize],
            ),
            (
                "mails with links to one account, those to confirm and those to recover apart",
                vec![store::MAILS_A_DAY as usize],
            ),
            (
                "mails to confirm one address, whichever accounts ask for them",
                vec![store::MAILS_A_DAY_TO_ADDRESS as usize],
            ),
            ("challenges of a player", of_challenges()),
            (
                "challenges to one player",
                vec![
                    1,
                    limits.challenges_to_one.each.as_secs() as usize / 3_600,
                    limits.challenges_to_one.burst as usize,
                ],
            ),
            ("seeks posted", [&rate(limits.seeks)[..], &[store::MAX_SEEKS as usize]].concat()),
            ("games begun by taking", vec![limits.seeks_taken.burst as usize, MAX_UNPLAYED]),
            ("acts of one moderator", vec![store::ACTS_AN_HOUR as usize]),
            ("exports of one player", vec![EXPORTS.burst as usize]),
            ("requests for mails", vec![10, limits.mails.burst as usize]),
            ("passwords being checked", vec![PASSWORDS_AT_ONCE, PASSWORDS_WAITING]),
            ("ceremonies of passkeys", one_in(limits.ceremonies)),
            ("blocks", rate(limits.blocks).to_vec()),
            ("reports", vec![store::REPORTS_A_DAY as usize, limits.reports.burst as usize]),
            ("pages of `GET /api/v1/games`, ", rate(limits.lists).to_vec()),
            ("pictures", [&[PICTURES_AN_ANIMATION][..], &rate(limits.pictures)].concat()),
            ("open sockets", vec![limits.sockets as usize]),
            ("games, records and checked records", vec![limits.documents as usize]),
            ("open connections", vec![limits.connections as usize]),
            ("reviews", vec![limits.reviews as usize]),
            ("pieces of engine work", vec![limits.pieces_waiting]),
            ("pages of `GET /api/v1/games` being read", vec![limits.reads as usize]),
        ],
    );
}

#[test]
fn numbers_in_sentences_of_the_documents_are_those_of_the_code() {
    let [headers, proxied] = [HEADERS_TAKE, PROXY_HEADERS_TAKE].map(|time| time.as_secs());
    let (record, frames) = (MAX_RECORD / KIB, pictures::MAX_FRAMES);
    let [each_second, _] = rate(ALWAYS_STORED);
    let sockets = AddressLimits::times(1).sockets as usize;
    let of_sockets_mib = (each_second * sockets * 24 * 60 * 60).div_ceil(MIB);
    let kept_days = store::GIVEN_UP_KEPT_MS / (24 * 60 * 60 * 1_000);
    let notices_days = store::NOTICES_KEPT_MS / (24 * 60 * 60 * 1_000);
    let longest =
        format!("takes less than {},{:03} KiB", LONGEST_GAME / KIB / 1_000, LONGEST_GAME / KIB % 1_000);
    for (document, sentence) in [
        (PROTOCOL, format!("must arrive within {headers} s ({proxied} s from a trusted proxy")),
        (PROTOCOL, format!("fit into {} KiB", MAX_HEADERS / KIB)),
        (PROTOCOL, format!("up to {record} KiB are read for at most a second")),
        (PROTOCOL, format!("a frame for each turn, at most {frames}:")),
        (PROTOCOL, format!("of at most {MAX_POSITION} bytes")),
        (PROTOCOL, format!("ended otherwise than by the rules {kept_days} days after their end")),
        (OPERATION, format!("by agreement or by a claim, {kept_days} days after that")),
        (PROTOCOL, format!("`too_many_rooms` with {MAX_OPEN_ROOMS} open rooms")),
        (
            OPERATION,
            format!("| `--messages-per-second` | `TOWERS_MESSAGES_PER_SECOND` | `{MESSAGES_PER_SECOND}` |"),
        ),
        (
            OPERATION,
            format!(
                "all {sockets} sockets of an address do so for a whole day, these are {of_sockets_mib} MiB more"
            ),
        ),
        (OPERATION, format!("have {each_second} bytes a second stored for turns and offers")),
        (PROTOCOL, format!("a message of more than {} KiB that comes too fast", MAX_NAMED / KIB)),
        (RECORDS, format!("at most {record} KiB")),
        (PROTOCOL, format!("are kept for {notices_days} days, at most the {} newest", store::MAX_NOTICES)),
        (OPERATION, longest.clone()),
        (ARCHITECTURE, longest.clone()),
        (LIMITS, longest),
    ] {
        let lines: Vec<&str> = document.split_whitespace().collect();
        assert!(lines.join(" ").contains(&sentence), "no document says: {sentence}");
    }
}
