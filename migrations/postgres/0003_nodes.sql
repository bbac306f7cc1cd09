-- One row: the node that looks for games whose time is over, until when.
create table sweeper (
    id integer not null,
    node uuid not null,
    until_ms bigint not null,
    constraint sweeper_pkey primary key (id),
    constraint sweeper_one_row check (id = 1)
);
