-- A row that changes a column of any index gets a new entry in every index: a turn changes `updated_ms`, and `created_ms` never changes.
drop index game_unplayed;
create index game_unplayed on game (created_ms, id) where status in ('cancelled', 'aborted') and not spared;
