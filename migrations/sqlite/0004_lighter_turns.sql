-- What a turn writes is what the play waits for.

-- A command that comes twice is refused by the primary key already: who appends a version knows all events before it,
-- with their commands. Game and event are written together, so none is without the other.
create table event_by_version (
    game blob not null,
    version integer not null,
    at_ms integer not null,
    command text,
    body text not null,
    constraint event_pkey primary key (game, version)
) strict;
insert into event_by_version (game, version, at_ms, command, body)
    select game, version, at_ms, command, body from event order by rowid;
drop table event;
alter table event_by_version rename to event;

-- What the lists of finished games are sorted by, as it is with PostgreSQL.
alter table game add column ended_ms integer
    generated always as (case when status = 'finished' then updated_ms end) virtual;

drop index game_finished;
drop index game_finished_of_first;
drop index game_finished_of_second;
create index game_finished on game (ended_ms desc, id desc, ruleset, winner, reason)
    where status = 'finished' and visibility = 'public' and watching = 'everybody';
create index game_finished_of_first on game (first_folded, ended_ms desc, id desc)
    where status = 'finished' and visibility = 'public' and watching = 'everybody';
create index game_finished_of_second on game (second_folded, ended_ms desc, id desc)
    where status = 'finished' and visibility = 'public' and watching = 'everybody';
