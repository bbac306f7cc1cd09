-- Time of the game's next check by the sweep, in milliseconds since 1970; never after the deadline. A turn that postpones the
-- deadline does not change it, so no index changes. The sweep then sets it to the deadline.
alter table game add column check_ms bigint;
update game set check_ms = deadline_ms where status = 'playing';
drop index game_due;
create index game_check on game (check_ms, id) where status = 'playing' and check_ms is not null;
