-- What players are told in their inbox. A player is told of a subject once for each kind. The body is JSON, of ids and words
-- alone. `seen_ms` is null until the player has seen it.
create table notice (
    player blob not null,
    id blob not null,
    kind text not null,
    subject text not null,
    body text not null,
    at_ms integer not null,
    seen_ms integer,
    constraint notice_pkey primary key (player, id),
    constraint notice_once unique (player, kind, subject),
    constraint notice_player_fkey foreign key (player) references player (id)
) strict;

create index notice_at on notice (at_ms);
