-- Times are milliseconds since 1970, words are those of the protocol.

create table player (
    id uuid not null,
    name text not null,
    created_ms bigint not null,
    constraint player_pkey primary key (id)
);

create table session (
    token_hash bytea not null,
    player uuid not null,
    created_ms bigint not null,
    constraint session_pkey primary key (token_hash),
    constraint session_token_hash_length check (octet_length(token_hash) = 32),
    constraint session_player_fkey foreign key (player) references player (id)
);

-- What lists need of a game. Players are kept with the names they had, and without a reference: a game outlives
-- the account of who played it.
create table game (
    id uuid not null,
    ruleset text not null,
    status text not null,
    visibility text not null,
    creator uuid not null,
    creator_name text not null,
    seat text not null,
    first_player uuid,
    first_name text,
    second_player uuid,
    second_name text,
    version bigint not null,
    turn integer not null,
    to_move text not null,
    winner text,
    reason text,
    created_ms bigint not null,
    updated_ms bigint not null,
    constraint game_pkey primary key (id)
);

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
    game uuid not null,
    version bigint not null,
    at_ms bigint not null,
    command text,
    body text not null,
    constraint event_pkey primary key (game, version),
    constraint event_command_key unique (game, command),
    constraint event_game_fkey foreign key (game) references game (id)
);

create table draft (
    game uuid not null,
    version bigint not null,
    body text not null,
    constraint draft_pkey primary key (game),
    constraint draft_game_fkey foreign key (game) references game (id)
);
