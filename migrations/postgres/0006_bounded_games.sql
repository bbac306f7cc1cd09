-- What the sweep deletes: games that ended before anybody played, and guests without games. What it has looked at and
-- leaves for good is spared, so that nothing is looked at twice.
alter table game add column spared boolean not null default false;
create index game_unplayed on game (updated_ms, id) where status in ('cancelled', 'aborted') and not spared;

-- When the player's session was last used, to the day. Of those before nobody knows: their time begins now.
alter table player add column seen_ms bigint not null default 0;
alter table player add column spared boolean not null default false;
update player set seen_ms = (extract(epoch from now()) * 1000)::bigint;
create index player_idle on player (seen_ms, id) where not spared;

-- A player is deleted with these.
create index session_of_player on session (player);
create index block_of_blocked on block (blocked);
