-- An open room has a deadline, at which it is closed: 30 days after its last event.
drop index game_check;
update game set deadline_ms = updated_ms + 2592000000, check_ms = updated_ms + 2592000000 where status = 'open';
create index game_check on game (check_ms, id) where status in ('open', 'playing') and check_ms is not null;

-- Housekeeping examines all games that were given up, and deletes those with few turns. Of the aborted ones it spared those
-- with a turn.
update game set spared = 0 where spared = 1;
create index game_given_up on game (ended_ms, id)
    where reason in ('resign', 'time', 'agreement', 'abandon') and spared = 0;
