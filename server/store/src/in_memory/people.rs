//! Players and blocks as the plan of a commit sees and changes them.

use std::collections::{BTreeSet, HashMap};

use game::{Status, Vacations, ids::PlayerId};

use super::{Game, Person, SessionData, Tables};
use crate::{
    challenge::ChallengeCounts,
    people::{Asked, People, PeoplePlan},
};

impl Tables {
    pub(super) fn people(&self, asked: &Asked) -> People {
        let ids = asked.players.iter().copied();
        let known = ids.filter(|id| self.players.contains_key(&PlayerId::new(*id))).collect();
        let pairs: Vec<_> = self.blocks.keys().map(|(by, whom)| (by.uuid(), whom.uuid())).collect();
        let mut counts = HashMap::new();
        for (by, _) in pairs.iter().filter(|(by, _)| asked.blockers.contains(by)) {
            *counts.entry(*by).or_default() += 1;
        }
        let blocks = pairs.into_iter().filter(|pair| asked.pairs.contains(pair)).collect();
        let mut rooms = HashMap::new();
        let is_room = |game: &&Game| game.row.status == Status::Open && game.row.challenged.is_none();
        for Game { row, .. } in self.games.values().filter(is_room) {
            if asked.makers.contains(&row.creator.uuid()) {
                *rooms.entry(row.creator.uuid()).or_default() += 1;
            }
        }
        let people = People::of(known, counts.into_iter().collect(), blocks, rooms.into_iter().collect());
        let (made, to) = self.challenges(asked);
        let seeks = self.seeks.values().filter(|seek| asked.seeks.contains(&seek.id.uuid()));
        people.with_opponents(made, to, seeks.copied().collect())
    }

    /// The challenges by and to players.
    fn challenges(&self, asked: &Asked) -> (Vec<ChallengeCounts>, HashMap<PlayerId, u32>) {
        let (mut made, mut to) = (Vec::new(), HashMap::new());
        for Game { row, .. } in self.games.values() {
            let Some(challenged) = row.challenged else { continue };
            let (maker, is_open) = (row.creator, row.status == Status::Open);
            if asked.challengers.contains(&maker.uuid()) {
                let recent = u32::from(row.created_ms > asked.challenges_since_ms);
                made.push(ChallengeCounts { maker, challenged, open: u32::from(is_open), recent });
            }
            *to.entry(challenged).or_default() += u32::from(is_open);
        }
        (made, to)
    }

    pub(super) fn save_people(&mut self, people: &PeoplePlan<'_>) {
        for new in &people.new {
            let (player, seen_ms) = (new.player.clone(), new.now_ms);
            let vacations = Vacations { created_ms: new.now_ms, is_automatic: true, taken: Vec::new() };
            let person = Person {
                player,
                account: None,
                seen_ms,
                is_spared: false,
                is_erased: false,
                muted_until_ms: None,
                vacations,
                uncredited: BTreeSet::new(),
            };
            self.players.insert(new.player.id, person);
            let used = SessionData {
                id: new.token.session(),
                player: new.player.id,
                label: None,
                created_ms: new.now_ms,
                used_ms: new.now_ms,
                proved_ms: None,
            };
            self.sessions.insert(*new.token, used);
        }
        for (id, name) in &people.names {
            self.person(*id).player.name = (*name).clone();
        }
        for (id, seen_ms) in &people.seen {
            if let Some(person) = self.players.get_mut(id) {
                person.seen_ms = person.seen_ms.max(*seen_ms);
            }
        }
        self.blocks.retain(|pair, _| !people.unblocks.contains(pair));
        self.blocks.extend(&people.blocks);
    }
}
