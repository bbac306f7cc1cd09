-- When an account was closed: its name is not shown any more, and some days later it is erased. Until then it may be
-- reopened. An erased player keeps the kind 'deleted' and an empty name.
alter table account add column closed_ms bigint;

create index account_closed on account (closed_ms, player) where closed_ms is not null;
