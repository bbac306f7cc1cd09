-- The clock is JSON. Names in lower case are there to be looked for.
alter table game add column clock text not null default '{"kind":"none"}';
alter table game add column watching text not null default 'everybody';
-- Turns that watchers are behind.
alter table game add column delay integer not null default 0;
alter table game add column custom_start boolean not null default false;
alter table game add column deadline_ms bigint;
alter table game add column first_folded text;
alter table game add column second_folded text;
-- The version after the event that began the turn under way: a draft builds on it or on a later one.
alter table game add column turn_version bigint not null default 0;
update game set turn_version = version, first_folded = lower(first_name), second_folded = lower(second_name);

drop index game_live;
drop index game_finished;
drop index game_of_first;
drop index game_of_second;
create index game_live on game (created_ms desc, id desc)
    where status = 'playing' and visibility = 'public' and watching = 'everybody';
-- It has all that the list is filtered by, so that only rows that are shown are read.
create index game_finished on game (updated_ms desc, id desc, ruleset, winner, reason)
    where status = 'finished' and visibility = 'public' and watching = 'everybody';
create index game_finished_of_first on game (first_folded, updated_ms desc, id desc)
    where status = 'finished' and visibility = 'public' and watching = 'everybody';
create index game_finished_of_second on game (second_folded, updated_ms desc, id desc)
    where status = 'finished' and visibility = 'public' and watching = 'everybody';
create index game_of_first on game (first_player, created_ms desc, id desc, status);
create index game_of_second on game (second_player, created_ms desc, id desc, status);
create index game_due on game (deadline_ms, id) where status = 'playing' and deadline_ms is not null;

-- What was said, by players or watchers to each other. Who said it is kept as `game` keeps players.
create table chat (
    id uuid not null,
    game uuid not null,
    audience text not null,
    at_ms bigint not null,
    turn integer not null,
    player uuid not null,
    name text not null,
    body text not null,
    command text not null,
    constraint chat_pkey primary key (id),
    constraint chat_command_key unique (game, player, command),
    constraint chat_game_fkey foreign key (game) references game (id)
);

create index chat_of_audience on chat (game, audience, id);

create table block (
    player uuid not null,
    blocked uuid not null,
    since_ms bigint not null,
    constraint block_pkey primary key (player, blocked),
    constraint block_player_fkey foreign key (player) references player (id),
    constraint block_blocked_fkey foreign key (blocked) references player (id)
);

-- One row: when a server was last known to be up.
create table heartbeat (
    id integer not null,
    at_ms bigint not null,
    constraint heartbeat_pkey primary key (id),
    constraint heartbeat_one_row check (id = 1)
);

-- No server was up between these times.
create table outage (
    from_ms bigint not null,
    to_ms bigint not null,
    constraint outage_pkey primary key (from_ms),
    constraint outage_forwards check (from_ms < to_ms)
);
