-- The review of a finished game, computed once. The body is versioned JSON.
create table review (
    game uuid not null,
    body text not null,
    constraint review_pkey primary key (game),
    constraint review_game_fkey foreign key (game) references game (id) on delete cascade
);
