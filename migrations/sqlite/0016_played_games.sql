-- The finished games of a player are listed by their end, the last one first. Aborted games, which have no end, are in no
-- list; housekeeping looks them up here, since it keeps players with games.
drop index game_over_of_first;
drop index game_over_of_second;
create index game_over_of_first on game (first_player, ended_ms desc, id desc)
    where status in ('finished', 'aborted');
create index game_over_of_second on game (second_player, ended_ms desc, id desc)
    where status in ('finished', 'aborted');
