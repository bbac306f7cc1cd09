-- The name of a player is in the player's row alone. Rows of games and lines of chats mention players by id.
alter table chat drop column name;

-- The finished games of a player are found by the player's id.
drop index game_finished_of_first;
drop index game_finished_of_second;
create index game_finished_of_first on game (first_player, ended_ms desc, id desc, ruleset, winner, reason)
    where ended_ms is not null and visibility = 'public' and watching = 'everybody';
create index game_finished_of_second on game (second_player, ended_ms desc, id desc, ruleset, winner, reason)
    where ended_ms is not null and visibility = 'public' and watching = 'everybody';
alter table game drop column creator_name;
alter table game drop column first_name;
alter table game drop column second_name;
alter table game drop column first_folded;
alter table game drop column second_folded;

-- The name as it is looked for, without the difference of upper and lower case. Several guests may have one name: the
-- newest one is found.
alter table player add column folded text not null default '';
update player set folded = lower(name);
create index player_of_name on player (folded, id desc);
