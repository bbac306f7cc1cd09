-- What the sweep deletes: games that ended before anybody played, and guests without games. What it has looked at and
-- leaves for good is spared, so that nothing is looked at twice.
alter table game add column spared integer not null default 0;
create index game_unplayed on game (updated_ms, id) where status in ('cancelled', 'aborted') and spared = 0;

-- When the player's session was last used, to the day. Of those before nobody knows: their time begins now.
alter table player add column seen_ms integer not null default 0;
alter table player add column spared integer not null default 0;
update player set seen_ms = unixepoch() * 1000;
create index player_idle on player (seen_ms, id) where spared = 0;

-- A player is deleted with these.
create index session_of_player on session (player);
create index block_of_blocked on block (blocked);
