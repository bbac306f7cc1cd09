-- Whoever helps the people who run the site. `towers role` alone writes it.
create table role (
    player blob not null,
    role text not null,
    at_ms integer not null,
    constraint role_pkey primary key (player),
    constraint role_player_fkey foreign key (player) references player (id)
) strict;

-- What accounts report about other players in a game. `name` is the one that the target had then. One without
-- `settled_ms` waits for a moderator.
create table report (
    id blob not null,
    at_ms integer not null,
    by blob not null,
    target blob not null,
    kind text not null,
    game blob not null,
    name text not null,
    body text,
    settled_ms integer,
    constraint report_pkey primary key (id),
    constraint report_by_fkey foreign key (by) references player (id),
    constraint report_target_fkey foreign key (target) references player (id)
) strict;

create unique index report_once on report (by, target, kind, game) where settled_ms is null;

create index report_by on report (by, id);

create index report_of_target on report (target);

create index report_open on report (id) where settled_ms is null;

create index report_settled on report (id) where settled_ms is not null;

create index report_settled_by_age on report (settled_ms) where settled_ms is not null;

-- The acts of moderators on players. Without `by` it is the command line, or a player who is gone.
create table audit (
    id blob not null,
    at_ms integer not null,
    by blob,
    target blob not null,
    kind text not null,
    body text,
    constraint audit_pkey primary key (id),
    constraint audit_by_fkey foreign key (by) references player (id),
    constraint audit_target_fkey foreign key (target) references player (id)
) strict;

create index audit_of_target on audit (target, id);

create index audit_by on audit (by) where by is not null;

-- Until when a player's chat lines are refused.
alter table player add column muted_until_ms integer;

create index player_muted on player (muted_until_ms) where muted_until_ms is not null;

-- Whether a moderator has closed the account, so that its owner cannot open it.
alter table account add column barred integer not null default 0;

-- Whether a moderator has hidden the name of the key. Its account can be named by it to sign in, and nobody can take it.
alter table name_key add column hidden integer not null default 0;
