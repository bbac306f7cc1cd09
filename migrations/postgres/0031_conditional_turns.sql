-- What a side plays at once in positions that may come, laid down while the other side is to move. The body is JSON.
create table conditional (
    game uuid not null,
    side text not null,
    version bigint not null,
    body text not null,
    constraint conditional_pkey primary key (game, side),
    constraint conditional_game_fkey foreign key (game) references game (id) on delete cascade
);
