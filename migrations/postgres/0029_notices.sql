-- What an account is mailed when it is away, in which language, and when, by the clock of its zone: the hour of the daily mail,
-- and the hours between which nothing is sent.
alter table account add column language text not null default 'en';
alter table account add column zone text not null default 'UTC';
alter table account add column turn_mails text not null default 'daily';
alter table account add column mail_hour integer not null default 8;
alter table account add column quiet_from integer not null default 22;
alter table account add column quiet_to integer not null default 8;

-- Until now an address was given for links alone.
update account set turn_mails = 'off' where mail is not null;

-- That something is to be sent to a player by a channel, and not what: that is found out at `due_ms`. `since_ms` is up to when
-- all has been sent, and `changed_ms` tells whether there is more since the row was read.
create table outbox (
    player uuid not null,
    channel text not null,
    purpose text not null,
    since_ms bigint not null,
    due_ms bigint not null,
    changed_ms bigint not null,
    attempts bigint not null default 0,
    constraint outbox_pkey primary key (player, channel, purpose),
    constraint outbox_player_fkey foreign key (player) references player (id)
);

create index outbox_due on outbox (channel, due_ms);
