-- The confirmed address of an account, and whether a link to it may set the account's password.
alter table account add column mail text;
alter table account add column mail_recovers integer not null default 1;

-- Mails to be sent at `due_ms`, and for a day those that were sent or given up, which count for the limits. Of a request to
-- recover, the player is null until its name and its address are compared with an account's.
create table mail (
    id blob not null,
    player blob,
    purpose text not null,
    name text,
    address text,
    language text not null,
    created_ms integer not null,
    due_ms integer,
    tried_ms integer,
    attempts integer not null default 0,
    constraint mail_pkey primary key (id),
    constraint mail_player_fkey foreign key (player) references player (id)
) strict;

create index mail_due on mail (due_ms) where due_ms is not null;

create index mail_of_player on mail (player, created_ms) where player is not null;

create index mail_tried on mail (tried_ms) where tried_ms is not null;

create index mail_by_age on mail (created_ms);
