-- As on PostgreSQL, where an index on a column that each turn changes costs every index an entry.
drop index game_unplayed;
create index game_unplayed on game (created_ms, id) where status in ('cancelled', 'aborted') and spared = 0;
