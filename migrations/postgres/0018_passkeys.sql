-- The passkeys of accounts. The id is the first half of the SHA-256 hash of the one that the authenticator gave. The host is
-- the one that it was made for, and has no other use elsewhere. The passkey is JSON with its public key and its counter. The
-- time of last use is exact to the day.
create table credential (
    id uuid not null,
    player uuid not null,
    host text not null,
    passkey text not null,
    label text,
    created_ms bigint not null,
    used_ms bigint not null,
    constraint credential_pkey primary key (id),
    constraint credential_player_fkey foreign key (player) references player (id)
);

create index credential_of_player on credential (player);

-- Ceremonies under way, which make or use a passkey: the hash of the challenge, the player if it is known from the beginning,
-- and JSON with the rest. Each is taken once.
create table ceremony (
    hash bytea not null,
    player uuid,
    state text not null,
    expires_ms bigint not null,
    constraint ceremony_pkey primary key (hash),
    constraint ceremony_hash_length check (length(hash) = 32)
);

create index ceremony_expires on ceremony (expires_ms);
