-- The only player who may join the room, if it is a challenge.
alter table game add column challenged uuid;

-- The challenges that a player made, the latest first, by which they are limited.
create index game_challenging on game (creator, created_ms desc) where challenged is not null;

-- The challenges that wait for a player's answer.
create index game_challenged on game (challenged, created_ms desc, id desc)
    where status = 'open' and challenged is not null;

-- Games that players look for without being present: as many as `wanted`, with a ruleset and a clock.
create table seek (
    id uuid not null,
    player uuid not null,
    ruleset text not null,
    clock text not null,
    wanted bigint not null,
    created_ms bigint not null,
    constraint seek_pkey primary key (id),
    constraint seek_player_fkey foreign key (player) references player (id),
    constraint seek_wanted check (wanted > 0)
);

create index seek_of_player on seek (player, id);

create index seek_of_game on seek (ruleset, clock, id);
