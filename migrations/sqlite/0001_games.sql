-- Ids are UUIDs in 16 bytes, times are milliseconds since 1970, words are those of the protocol.

create table player (
    id blob not null,
    name text not null,
    created_ms integer not null,
    constraint player_pkey primary key (id)
) strict;

create table session (
    token_hash blob not null,
    player blob not null,
    created_ms integer not null,
    constraint session_pkey primary key (token_hash),
    constraint session_token_hash_length check (length(token_hash) = 32),
    constraint session_player_fkey foreign key (player) references player (id)
) strict;

-- What lists need of a game. Players are kept with the names they had, and without a reference: a game outlives
-- the account of who played it.
create table game (
    id blob not null,
    ruleset text not null,
    status text not null,
    visibility text not null,
    creator blob not null,
    creator_name text not null,
    seat text not null,
    first_player blob,
    first_name text,
    second_player blob,
    second_name text,
    version integer not null,
    turn integer not null,
    to_move text not null,
    winner text,
    reason text,
    created_ms integer not null,
    updated_ms integer not null,
    constraint game_pkey primary key (id)
) strict;

create index game_open on game (created_ms desc, id desc)
    where status = 'open' and visibility = 'public';
create index game_live on game (created_ms desc, id desc)
    where status = 'playing' and visibility = 'public';
create index game_finished on game (updated_ms desc, id desc)
    where status = 'finished' and visibility = 'public';
create index game_of_creator on game (creator, created_ms desc, id desc) where status = 'open';
create index game_of_first on game (first_player, created_ms desc, id desc);
create index game_of_second on game (second_player, created_ms desc, id desc);

create table event (
    game blob not null,
    version integer not null,
    at_ms integer not null,
    command text,
    body text not null,
    constraint event_pkey primary key (game, version),
    constraint event_command_key unique (game, command),
    constraint event_game_fkey foreign key (game) references game (id)
) strict;

create table draft (
    game blob not null,
    version integer not null,
    body text not null,
    constraint draft_pkey primary key (game),
    constraint draft_game_fkey foreign key (game) references game (id)
) strict;
