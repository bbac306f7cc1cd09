-- Whether the games of the player are still to be credited the vacation, or to be taken back what is left of it. It is set with
-- each change, and cleared once all games have their new deadlines.
alter table vacation add column uncredited integer not null default 0;

create index vacation_uncredited on vacation (from_ms) where uncredited;
