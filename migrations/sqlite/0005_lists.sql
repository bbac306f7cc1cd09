-- Each list of games is served by one index, whichever of its filters are used: a list never walks over games of others.

-- Their conditions say the same as the one of `game_finished` in other words, so that a statement that looks for a ruleset
-- or a name cannot be answered by going through all games.

-- The games of one ruleset, which is what people filter by most; with all that else they are filtered by.
create index game_finished_of_ruleset on game (ruleset, ended_ms desc, id desc, winner, reason)
    where ended_ms is not null and visibility = 'public' and watching = 'everybody';

-- The games of a name have all that they are filtered by as well, so that only rows that are shown are read.
drop index game_finished_of_first;
drop index game_finished_of_second;
create index game_finished_of_first on game (first_folded, ended_ms desc, id desc, ruleset, winner, reason)
    where ended_ms is not null and visibility = 'public' and watching = 'everybody';
create index game_finished_of_second on game (second_folded, ended_ms desc, id desc, ruleset, winner, reason)
    where ended_ms is not null and visibility = 'public' and watching = 'everybody';

-- A game is in the index of those under way or of those that are over: who has played thousands finds the few that wait
-- for a turn at once, and a game is still in two of them.
drop index game_of_first;
drop index game_of_second;
create index game_playing_of_first on game (first_player, created_ms desc, id desc) where status = 'playing';
create index game_playing_of_second on game (second_player, created_ms desc, id desc) where status = 'playing';
create index game_over_of_first on game (first_player, created_ms desc, id desc)
    where status in ('finished', 'aborted');
create index game_over_of_second on game (second_player, created_ms desc, id desc)
    where status in ('finished', 'aborted');
