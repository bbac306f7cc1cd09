-- Links that count once. The secret of each is stored as its hash alone. The body belongs to the purpose.
create table one_time (
    hash bytea not null,
    player uuid not null,
    purpose text not null,
    body text,
    expires_ms bigint not null,
    constraint one_time_pkey primary key (hash),
    constraint one_time_player_fkey foreign key (player) references player (id),
    constraint one_time_hash_length check (length(hash) = 32)
);

create index one_time_of_player on one_time (player);

create index one_time_by_end on one_time (expires_ms);
