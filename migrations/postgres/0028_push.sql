-- Key pairs of the deployment, by their purpose. Each is made once, and all nodes share it.
create table server_key (
    name text not null,
    body bytea not null,
    constraint server_key_pkey primary key (name)
);

-- Push subscriptions of browsers. Each belongs to a session and ends with it. The keys are the browser's public key (65
-- bytes) and its secret (16). `failures` counts those since the last delivery.
create table push (
    endpoint_hash bytea not null,
    session bytea not null,
    player uuid not null,
    endpoint text not null,
    keys bytea not null,
    failures bigint not null default 0,
    constraint push_pkey primary key (endpoint_hash),
    constraint push_session_key unique (session),
    constraint push_session_fkey foreign key (session) references session (token_hash) on delete cascade,
    constraint push_player_fkey foreign key (player) references player (id),
    constraint push_endpoint_hash_length check (octet_length(endpoint_hash) = 32),
    constraint push_keys_length check (octet_length(keys) = 81)
);

create index push_of_player on push (player);
