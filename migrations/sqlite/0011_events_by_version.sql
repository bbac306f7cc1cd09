-- The primary key begins with the version. Games that are played at the same time have close ids and small versions, so
-- their new entries share a few pages. With the game first, each turn changed a page of its own. A query looks up the
-- events of a game by one key for each version.
create table event_by_version (
    game blob not null,
    version integer not null,
    at_ms integer not null,
    command text,
    body text not null,
    constraint event_pkey primary key (version, game)
) strict;
insert into event_by_version (game, version, at_ms, command, body)
    select game, version, at_ms, command, body from event order by rowid;
drop table event;
alter table event_by_version rename to event;
