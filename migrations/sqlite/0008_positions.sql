-- The text of the position that a game has come to, for the small boards in lists. Of games from before it is null until
-- their next event.
alter table game add column position text;
