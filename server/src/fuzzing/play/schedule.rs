//! Schedules read from bytes. Any bytes are a schedule, and a changed byte mostly changes one step.

use engine::Ruleset;
use game::{
    Bonus, ClaimKind, ClockRule, Drafts, OfferKind, RealTime, SeatChoice, Terms, Visibility, Watching,
    ids::Delay,
};
use protocol::NewRoom;
use store::Failure;

/// Maximum number of steps of a schedule, which bounds its running time.
const MAX_STEPS: usize = 48;

/// Maximum number of actions chosen for one turn.
const MAX_PICKS: usize = 6;

/// Rulesets with start positions near the end of a game, besides their own.
const STARTS: [(Ruleset, &str); 5] = [
    (Ruleset::Fenix, include_str!("../../../../engine/fuzz/seeds/position/fenix-last")),
    (Ruleset::Fenix, include_str!("../../../../engine/fuzz/seeds/position/fenix-quiet")),
    (Ruleset::Fibonacci, include_str!("../../../../engine/fuzz/seeds/position/fibonacci-last")),
    (Ruleset::Crossfire, include_str!("../../../../engine/fuzz/seeds/position/crossfire-ko")),
    (Ruleset::Focus, include_str!("../../../../engine/fuzz/seeds/position/focus-later")),
];

/// Durations of waits, in milliseconds.
const WAITS_MS: [u64; 8] = [1, 400, 1_100, 6_000, 31_000, 61_000, 1_800_000, 86_400_000];

/// Operations on one game.
#[derive(Debug)]
pub(super) struct Schedule {
    pub(super) room: NewRoom,
    pub(super) steps: Vec<Operation>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Person {
    Maker,
    /// The player who may join.
    Other,
    /// A player who never tries to join.
    Stranger,
}

#[derive(Debug)]
pub(super) struct Operation {
    /// Index of the node that receives the request.
    pub(super) node: usize,
    /// Whether the node first compares its game with the store.
    pub(super) is_compared: bool,
    pub(super) who: Person,
    pub(super) what: OperationKind,
}

#[derive(Debug)]
pub(super) enum OperationKind {
    Join {
        coin: bool,
    },
    Cancel,
    Turn {
        back: u32,
        turn: Picks,
        lag_ms: i64,
    },
    Draft {
        back: u32,
        turn: Picks,
    },
    Options {
        back: u32,
        turn: Picks,
    },
    Resign,
    Abort,
    Offer(OfferKind),
    Answer {
        what: OfferKind,
        accept: bool,
    },
    Claim(ClaimKind),
    Say,
    Watch {
        from: From,
    },
    Unwatch,
    /// Reads the game as over HTTP.
    Read,
    /// Sends an earlier command again.
    Again {
        nth: usize,
    },
    /// Sends a command with an id that was used before.
    Reuse {
        nth: usize,
    },
    Wait {
        ms: u64,
    },
    /// An outage: no server runs for this time.
    Away {
        ms: u64,
    },
    Sweep,
    Restart,
    Fail(Failure),
}

/// Actions of a turn, as indexes into the lists of legal actions, modulo their lengths.
#[derive(Debug)]
pub(super) struct Picks {
    pub(super) places: Vec<u8>,
    pub(super) end: End,
}

/// Continuation of a turn after the chosen actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The first legal actions, until the turn is whole.
    Whole,
    /// No further action.
    Short,
    /// An action that is almost never legal.
    Odd,
}

/// Version that a reader claims to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Nothing,
    Latest,
    Earlier(u32),
    Beyond,
}

/// Choices read from bytes; the first choice each time when the bytes are used up.
struct Choices<'b>(&'b [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let Some((byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *byte
    }

    fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

impl Schedule {
    pub(super) fn read(bytes: &[u8]) -> Self {
        let mut choices = Choices(bytes);
        let room = room(&mut choices);
        let mut steps = Vec::new();
        while !choices.0.is_empty() && steps.len() < MAX_STEPS {
            steps.push(step(&mut choices));
        }
        Self { room, steps }
    }
}

fn room(choices: &mut Choices<'_>) -> NewRoom {
    let place = choices.below(Ruleset::ALL.len() + STARTS.len());
    let (ruleset, start) = match place.checked_sub(Ruleset::ALL.len()) {
        None => (Ruleset::ALL[place], None),
        Some(place) => (STARTS[place].0, Some(STARTS[place].1.to_owned())),
    };
    let bits = choices.byte();
    let is_set = |bit: u8| bits & bit != 0;
    let terms = Terms {
        clock: clock(choices),
        watching: if is_set(1) { Watching::Nobody } else { Watching::Everybody },
        drafts: if is_set(2) { Drafts::Hidden } else { Drafts::Shown },
        delay: Delay::try_from(if is_set(4) { u64::from(bits >> 6) + 1 } else { 0 }).expect("1 to 4 turns"),
    };
    let visibility = if is_set(8) { Visibility::Link } else { Visibility::Public };
    let seat = [SeatChoice::First, SeatChoice::Second, SeatChoice::Random][usize::from(bits >> 4 & 3) % 3];
    let (seat, visibility, terms) = (seat.into(), visibility.into(), terms.into());
    NewRoom { ruleset, seat, visibility, challenged: None, answers: None, start, terms }
}

fn clock(choices: &mut Choices<'_>) -> ClockRule {
    let bonus = choices.of(&[Bonus::PerTurn, Bonus::PerAction, Bonus::Delay, Bonus::Bronstein]);
    let time = match choices.below(5) {
        0 => return ClockRule::None,
        1 => return ClockRule::Correspondence { days: 1_u64.try_into().expect("1 to 14 days") },
        2 => RealTime::new(5, 0, bonus),
        3 => RealTime::new(0, 3, bonus),
        _ => RealTime::new(60, 2, bonus),
    };
    ClockRule::RealTime(time.expect("a valid time"))
}

fn step(choices: &mut Choices<'_>) -> Operation {
    let bits = choices.byte();
    let who = [Person::Maker, Person::Other, Person::Maker, Person::Other, Person::Stranger]
        [usize::from(bits & 15) % 5];
    let (node, is_compared) = (usize::from(bits >> 7), bits & 64 == 0);
    Operation { node, is_compared, who, what: what(choices) }
}

fn what(choices: &mut Choices<'_>) -> OperationKind {
    const OFFERS: [OfferKind; 3] = [OfferKind::Draw, OfferKind::Takeback, OfferKind::Rematch];
    match choices.below(32) {
        0..=2 => OperationKind::Join { coin: choices.below(2) == 1 },
        3..=9 => OperationKind::Turn {
            back: back(choices),
            turn: picks(choices, End::Whole),
            lag_ms: 10 * i64::from(choices.byte()),
        },
        10..=12 => OperationKind::Draft { back: back(choices), turn: picks(choices, End::Short) },
        13 => OperationKind::Options { back: back(choices), turn: picks(choices, End::Short) },
        14 => OperationKind::Cancel,
        15 => OperationKind::Resign,
        16 => OperationKind::Abort,
        17..=18 => OperationKind::Offer(choices.of(&OFFERS)),
        19..=20 => OperationKind::Answer { what: choices.of(&OFFERS), accept: choices.below(2) == 0 },
        21 => OperationKind::Claim(choices.of(&[ClaimKind::Win, ClaimKind::Draw])),
        22 => OperationKind::Say,
        23..=24 => {
            let earlier = From::Earlier(1 + u32::from(choices.byte() >> 4));
            OperationKind::Watch { from: choices.of(&[From::Nothing, From::Latest, earlier, From::Beyond]) }
        }
        25 => OperationKind::Unwatch,
        26 => OperationKind::Read,
        27 => OperationKind::Again { nth: choices.byte().into() },
        28 => OperationKind::Reuse { nth: choices.byte().into() },
        29 => {
            let ms = choices.of(&WAITS_MS);
            [
                OperationKind::Wait { ms },
                OperationKind::Wait { ms },
                OperationKind::Wait { ms },
                OperationKind::Away { ms },
            ]
            .into_iter()
            .nth(choices.below(4))
            .expect("one of four")
        }
        30 => OperationKind::Sweep,
        _ if choices.below(2) == 0 => OperationKind::Restart,
        _ => OperationKind::Fail(choices.of(&[Failure::BeforeCommit, Failure::AfterCommit])),
    }
}

/// Chooses the number of versions by which a command's base is behind the latest, mostly 0.
fn back(choices: &mut Choices<'_>) -> u32 {
    [0, 0, 0, 0, 0, 1, 2, 9][choices.below(8)]
}

fn picks(choices: &mut Choices<'_>, usual: End) -> Picks {
    let bits = choices.byte();
    let places = (0..usize::from(bits & 7).min(MAX_PICKS)).map(|_| choices.byte()).collect();
    let end = [usual, usual, usual, End::Whole, End::Short, End::Odd][usize::from(bits >> 3) % 6];
    Picks { places, end }
}
