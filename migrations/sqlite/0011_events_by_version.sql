-- The index of the events begins with the version. The entries of the games that are played at the same time then share a
-- few pages, since their ids are the latest ones and their versions small. Ordered by game, each turn changed a page of its
-- own. The events of a game are looked up one by one, from 1 to the version in its row.
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
