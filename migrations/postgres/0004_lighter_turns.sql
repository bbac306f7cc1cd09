-- What a turn writes is what the play waits for.

-- In the order in which turns lock them, so that this and they never wait for each other.
lock table game, event in access exclusive mode;

-- A command that comes twice is refused by the primary key already: who appends a version knows all events before it,
-- with their commands. Game and event are written together, so none is without the other.
alter table event drop constraint event_command_key;
alter table event drop constraint event_game_fkey;

-- A column that no turn changes, so that a turn leaves the lists of finished games as they are.
alter table game add column ended_ms bigint
    generated always as (case when status = 'finished' then updated_ms end) stored;
-- Room for the next row of a game beside the last one: it needs no new place in the indexes then.
alter table game set (fillfactor = 70);

drop index game_finished;
drop index game_finished_of_first;
drop index game_finished_of_second;
create index game_finished on game (ended_ms desc, id desc, ruleset, winner, reason)
    where status = 'finished' and visibility = 'public' and watching = 'everybody';
create index game_finished_of_first on game (first_folded, ended_ms desc, id desc)
    where status = 'finished' and visibility = 'public' and watching = 'everybody';
create index game_finished_of_second on game (second_folded, ended_ms desc, id desc)
    where status = 'finished' and visibility = 'public' and watching = 'everybody';
