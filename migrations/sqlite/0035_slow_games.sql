-- The finished games of a player without a clock for all turns are counted where seeks are listed and slow games begin.
create index game_slow_of_first on game (first_player)
    where status = 'finished' and clock not like '{"kind":"real_time"%';
create index game_slow_of_second on game (second_player)
    where status = 'finished' and clock not like '{"kind":"real_time"%';
