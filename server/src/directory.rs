//! Names of players, in one place on this node: whoever is mentioned by id is shown under the current name.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use game::ids::{BotLevel, GameId, PlayerId, PlayerName};
use parking_lot::Mutex;
use protocol::{Names, Player, PlayerKind};
use store::{Store, StoreError};

use crate::recent::Recent;

/// Number of players that are kept though no game in memory and no row of the lobby mentions them.
const RECENT: usize = 10_000;

/// Maximum number of players that one query reads.
const AT_ONCE: usize = 500;

/// The players that this node mentions. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Directory {
    store: Arc<dyn Store>,
    known: Arc<Mutex<Known>>,
    /// Held while a change of a player is shown.
    changing: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Debug)]
struct Known {
    /// Players of games in memory and of rows of the lobby, which bounds their number.
    held: HashMap<PlayerId, Entry>,
    recent: Recent<PlayerId, Player>,
}

/// A player who is held.
#[derive(Debug)]
struct Entry {
    /// `None` until the player has been read.
    player: Option<Player>,
    /// The games that mention the player, each as often as it is held.
    games: Vec<GameId>,
}

/// Guard that keeps the players of a game in the directory until it is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    directory: Directory,
    game: GameId,
    players: BTreeSet<PlayerId>,
}

/// Returns a player whose name nobody is shown.
pub(crate) fn deleted(id: PlayerId) -> Player {
    let name = PlayerName::try_from("—".to_owned()).expect("a dash is a name");
    Player { id, name, bot: None, kind: Some(PlayerKind::Deleted) }
}

/// Returns a deleted player as readers see one: without the id, which would link the games of that player.
fn anonymous() -> Player {
    deleted(PlayerId::DELETED)
}

impl Directory {
    /// Returns an empty directory of the players in a store.
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        let known = Known { held: HashMap::new(), recent: Recent::new(RECENT) };
        Self { store, known: Arc::new(Mutex::new(known)), changing: Arc::default() }
    }

    /// Reads the unknown ones of these players from the store.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn load(&self, players: impl IntoIterator<Item = PlayerId>) -> Result<(), StoreError> {
        let unknown: BTreeSet<PlayerId> = {
            let known = self.known.lock();
            let is_unknown =
                |player: &PlayerId| BotLevel::of(*player).is_none() && known.find(*player).is_none();
            players.into_iter().filter(is_unknown).collect()
        };
        for (id, player) in self.read(unknown).await? {
            self.add(id, player);
        }
        Ok(())
    }

    /// Reads players from the store. Those of whom it shows no name are [anonymous].
    async fn read(&self, ids: BTreeSet<PlayerId>) -> Result<Vec<(PlayerId, Player)>, StoreError> {
        let ids: Vec<PlayerId> = ids.into_iter().collect();
        let mut players: HashMap<PlayerId, Player> = HashMap::new();
        for some in ids.chunks(AT_ONCE) {
            let read = self.store.named(some).await?;
            players.extend(read.into_iter().map(|(player, kind)| (player.id, (player, kind).into())));
        }
        Ok(ids.into_iter().map(|id| (id, players.remove(&id).unwrap_or_else(anonymous))).collect())
    }

    /// Adds a player who has a name, unless the player is known already, perhaps under a newer one.
    pub(crate) fn learn(&self, player: Player) {
        if player.kind != Some(PlayerKind::Deleted) {
            self.add(player.id, player);
        }
    }

    fn add(&self, id: PlayerId, player: Player) {
        let known = &mut *self.known.lock();
        match known.held.get_mut(&id) {
            Some(Entry { player: Some(_), .. }) => {}
            Some(entry) => entry.player = Some(player),
            None => {
                known.recent.get(id, || player);
            }
        }
    }

    /// Reads a player who has changed, to be shown before the guard is dropped: one change after the other, so that of two at
    /// once the later read has both.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn changed(&self, id: PlayerId) -> Result<(Player, impl Drop + use<>), StoreError> {
        let turn = self.changing.clone().lock_owned().await;
        let found = self.store.named(&[id]).await?.into_iter().next();
        Ok((found.map_or_else(anonymous, Player::from), turn))
    }

    /// Replaces a player as shown. Does nothing if nothing changes. Returns the games in memory that mention the player.
    pub(crate) fn rename(&self, id: PlayerId, player: Player) -> BTreeSet<GameId> {
        let known = &mut *self.known.lock();
        if known.find(id) == Some(&player) {
            return BTreeSet::new();
        }
        // Also if nobody mentions the player: a read that began before this ends after it.
        *known.recent.get(id, || player.clone()) = player.clone();
        let Some(entry) = known.held.get_mut(&id) else { return BTreeSet::new() };
        entry.player = Some(player);
        entry.games.iter().copied().collect()
    }

    /// Reads all known players again, and returns those who have changed.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn renamed(&self) -> Result<Vec<(PlayerId, Player)>, StoreError> {
        let before: HashMap<PlayerId, Option<Player>> = {
            let known = self.known.lock();
            let ids = known.held.keys().chain(known.recent.keys());
            ids.map(|id| (*id, known.find(*id).cloned())).collect()
        };
        let mut players = self.read(before.keys().copied().collect()).await?;
        let known = self.known.lock();
        players.retain(|(id, player)| {
            let now = known.find(*id);
            // A player who was renamed during the read may have been read under the former name.
            now != Some(player) && now == before[id].as_ref()
        });
        Ok(players)
    }

    /// Returns a player with the id, even if the player is deleted: for other nodes, for pages that know the id, and for
    /// moderators, who can open a closed account again.
    pub(crate) fn player_with_id(&self, id: PlayerId) -> Player {
        Player { id, ..self.player(id) }
    }

    /// Keeps the players of a game until the guard is dropped.
    pub(crate) fn hold(&self, game: GameId, players: impl IntoIterator<Item = PlayerId>) -> Held {
        let mut held = Held { directory: self.clone(), game, players: BTreeSet::new() };
        held.add(players);
        held
    }
}

impl Known {
    fn find(&self, id: PlayerId) -> Option<&Player> {
        let held = self.held.get(&id).and_then(|entry| entry.player.as_ref());
        held.or_else(|| self.recent.find(&id))
    }
}

impl Names for Directory {
    fn player(&self, id: PlayerId) -> Player {
        match BotLevel::of(id) {
            Some(level) => level.player().into(),
            None => self.known.lock().find(id).cloned().unwrap_or_else(anonymous),
        }
    }
}

impl Held {
    /// Reads those players from the store that are not known yet.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn load(&self) -> Result<(), StoreError> {
        self.directory.load(self.players.iter().copied()).await
    }

    /// Keeps more players of the game.
    pub(crate) fn add(&mut self, players: impl IntoIterator<Item = PlayerId>) {
        let known = &mut *self.directory.known.lock();
        for id in players.into_iter().filter(|id| BotLevel::of(*id).is_none()) {
            if self.players.insert(id) {
                let Known { held, recent } = known;
                let new = || Entry { player: recent.find(&id).cloned(), games: Vec::new() };
                held.entry(id).or_insert_with(new).games.push(self.game);
            }
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let known = &mut *self.directory.known.lock();
        for id in &self.players {
            let Some(entry) = known.held.get_mut(id) else { continue };
            if let Some(place) = entry.games.iter().position(|game| *game == self.game) {
                entry.games.swap_remove(place);
            }
            if entry.games.is_empty()
                && let Some(Entry { player: Some(player), .. }) = known.held.remove(id)
            {
                known.recent.get(*id, || player);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use store::{Memory, TokenHash, Writer};
    use tokio::runtime::Handle;
    use tokio_util::task::TaskTracker;
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> PlayerId {
        PlayerId::new(Uuid::from_u128(number))
    }

    fn game(number: u128) -> GameId {
        GameId::new(Uuid::from_u128(number))
    }

    fn guest(number: u128, name: &str) -> game::Player {
        game::Player { id: id(number), name: name.to_owned().try_into().unwrap() }
    }

    /// A directory of a store with some players.
    async fn scene(players: &[game::Player]) -> (Directory, Writer) {
        let store: Arc<dyn Store> = Arc::new(Memory::default());
        let (writer, writing) = store::writer(store.clone(), Handle::current());
        TaskTracker::new().spawn(writing);
        for player in players {
            let token = TokenHash::of(player.name.as_str().as_bytes());
            writer.create_player(player.clone(), token, 0).await.unwrap();
        }
        (Directory::new(store), writer)
    }

    fn name(directory: &Directory, number: u128) -> String {
        directory.player(id(number)).name.to_string()
    }

    #[tokio::test]
    async fn players_are_read_with_their_kinds_and_those_without_a_row_are_deleted() {
        let (directory, _writer) = scene(&[guest(1, "Ada")]).await;
        let bot = BotLevel::try_from(3).unwrap().player();
        directory.load([id(1), id(2), bot.id]).await.unwrap();
        assert_eq!(directory.player(id(1)), (guest(1, "Ada"), game::PlayerKind::Guest).into());
        assert_eq!(directory.player(id(2)), deleted(PlayerId::DELETED), "nobody learns which player it was");
        let shown = directory.player(bot.id);
        assert_eq!((shown.name, shown.kind), (bot.name, Some(PlayerKind::Bot)));
    }

    #[tokio::test]
    async fn two_deleted_players_are_not_two_people_at_one_screen() {
        let (directory, _writer) = scene(&[guest(1, "Ada")]).await;
        directory.load([id(1), id(2), id(3)]).await.unwrap();
        let ids = |first, second| {
            let shown = directory.seats(&game::Seats { first: id(first), second: id(second) });
            [shown.first.id, shown.second.id]
        };
        assert_eq!(ids(2, 3), [PlayerId::DELETED, PlayerId::ALSO_DELETED]);
        assert_eq!(ids(2, 2), [PlayerId::DELETED; 2]);
        assert_eq!(ids(1, 2), [id(1), PlayerId::DELETED]);
    }

    #[tokio::test]
    async fn the_players_of_a_game_keep_their_names_however_many_others_are_mentioned() {
        let (directory, _writer) = scene(&[]).await;
        directory.learn(guest(1, "Ada").into());
        directory.learn(guest(2, "Blaise").into());
        let held = directory.hold(game(1), [id(1)]);
        let other = directory.hold(game(2), [id(1)]);
        drop(other);
        let others =
            || (3..3 + 2 * RECENT as u128).for_each(|number| directory.learn(guest(number, "Eve").into()));
        others();
        assert_eq!(name(&directory, 1), "Ada");
        assert_eq!(directory.player(id(2)).kind, Some(PlayerKind::Deleted), "nobody held that name");
        drop(held);
        assert_eq!(name(&directory, 1), "Ada", "it was used just now");
        others();
        assert!(directory.known.lock().find(id(1)).is_none());
        assert!(directory.known.lock().held.is_empty());
    }

    #[tokio::test]
    async fn a_rename_names_the_games_of_the_player_and_no_older_name_replaces_it() {
        let (directory, _writer) = scene(&[]).await;
        let mut held = directory.hold(game(1), [id(1), id(2)]);
        held.add([id(1)]);
        let _also = [directory.hold(game(1), [id(1)]), directory.hold(game(2), [id(1)])];
        assert_eq!(directory.rename(id(1), guest(1, "Ida").into()), BTreeSet::from([game(1), game(2)]));
        directory.learn(guest(1, "Ada").into());
        assert_eq!(name(&directory, 1), "Ida");
        directory.learn(guest(3, "Eve").into());
        assert!(directory.rename(id(3), guest(3, "Eva").into()).is_empty());
        assert_eq!(name(&directory, 3), "Eva");
    }

    #[tokio::test]
    async fn a_name_that_was_read_before_a_rename_does_not_replace_it() {
        let (directory, _writer) = scene(&[]).await;
        directory.rename(id(1), guest(1, "Ida").into());
        directory.learn(guest(1, "Ada").into());
        assert_eq!(name(&directory, 1), "Ida", "nobody had mentioned the player before");
        assert!(directory.rename(id(1), guest(1, "Ida").into()).is_empty(), "nothing changes");
    }

    #[tokio::test]
    async fn a_rename_that_was_not_heard_of_is_found_in_the_store() {
        let (directory, writer) = scene(&[guest(1, "Ada"), guest(2, "Blaise")]).await;
        let held = directory.hold(game(1), [id(1), id(2)]);
        held.load().await.unwrap();
        writer.rename(id(1), "Ida".to_owned().try_into().unwrap(), 0).await.unwrap();
        let renamed = directory.renamed().await.unwrap();
        assert_eq!(renamed, [(id(1), (guest(1, "Ida"), game::PlayerKind::Guest).into())]);
        renamed.into_iter().for_each(|(id, player)| drop(directory.rename(id, player)));
        assert_eq!((name(&directory, 1), name(&directory, 2)), ("Ida".to_owned(), "Blaise".to_owned()));
        assert_eq!(directory.renamed().await.unwrap(), []);
        directory.learn(guest(3, "Eve").into());
        let shown = directory.renamed().await.unwrap();
        assert_eq!(shown, [(id(3), anonymous())], "also of players whom no game mentions");
    }
}
