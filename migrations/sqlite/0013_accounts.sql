-- A player is a guest, or has an account. Of other kinds than guests the row stays for ever: games and keys refer to it.
alter table player add column kind text not null default 'guest';

-- The password is a PHC string. Without one, or without a recovery code, an account is proved by other means. The former
-- names are a JSON array.
create table account (
    player blob not null,
    password text,
    recovery_hash blob,
    former_names text not null,
    created_ms integer not null,
    constraint account_pkey primary key (player),
    constraint account_player_fkey foreign key (player) references player (id),
    constraint account_recovery_hash_length check (length(recovery_hash) = 32)
) strict;

-- The keys of the present and former names of accounts: two names that look alike have one in common. A key without a
-- player is of an account that is gone, and stays taken.
create table name_key (
    key text not null,
    player blob,
    constraint name_key_pkey primary key (key),
    constraint name_key_player_fkey foreign key (player) references player (id)
) strict;

-- Without it, the deletion of each guest would read all keys.
create index name_key_of_player on name_key (player);

-- Browsers in which an account has signed in: strangers who try its password do not use up their attempts.
create table device (
    player blob not null,
    token_hash blob not null,
    until_ms integer not null,
    constraint device_pkey primary key (player, token_hash),
    constraint device_player_fkey foreign key (player) references player (id)
) strict;

-- The id names a session to its player. `proved_ms` is when the player last proved to be the account's.
alter table session add column id blob not null default x'';
update session set id = substr(token_hash, 1, 16);
alter table session add column label text;
alter table session add column proved_ms integer;
