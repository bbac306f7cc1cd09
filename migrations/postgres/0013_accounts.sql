-- A player is a guest, or has an account. Of other kinds than guests the row stays for ever: games and keys refer to it.
alter table player add column kind text not null default 'guest';

-- The password is a PHC string. Without one, or without a recovery code, an account is proved by other means. The former
-- names are a JSON array.
create table account (
    player uuid not null,
    password text,
    recovery_hash bytea,
    former_names text not null,
    created_ms bigint not null,
    constraint account_pkey primary key (player),
    constraint account_player_fkey foreign key (player) references player (id),
    constraint account_recovery_hash_length check (length(recovery_hash) = 32)
);

-- The keys of the present and former names of accounts: two names that look alike have one in common. A key without a
-- player is of an account that is gone, and stays taken.
create table name_key (
    key text not null,
    player uuid,
    constraint name_key_pkey primary key (key),
    constraint name_key_player_fkey foreign key (player) references player (id)
);

-- Without it, the deletion of each guest would read all keys.
create index name_key_of_player on name_key (player);

-- Browsers in which an account has signed in: strangers who try its password do not use up their attempts.
create table device (
    player uuid not null,
    token_hash bytea not null,
    until_ms bigint not null,
    constraint device_pkey primary key (player, token_hash),
    constraint device_player_fkey foreign key (player) references player (id)
);

-- The id names a session to its player. `proved_ms` is when the player last proved to be the account's.
alter table session add column id uuid;
update session set id = encode(substr(token_hash, 1, 16), 'hex')::uuid;
alter table session alter column id set not null;
alter table session add column label text;
alter table session add column proved_ms bigint;
