-- Vacations of players. Their games with a clock of days are credited the time. One that ended early has its real end. An
-- automatic one is a day that was used because the player's time in a game ran out.
create table vacation (
    player blob not null,
    from_ms integer not null,
    to_ms integer not null,
    automatic integer not null,
    constraint vacation_pkey primary key (player, from_ms),
    constraint vacation_player_fkey foreign key (player) references player (id),
    constraint vacation_order check (from_ms <= to_ms)
) strict;

-- Whether a day of vacation is used when the player's time runs out.
alter table player add column automatic_vacation integer not null default 1;
