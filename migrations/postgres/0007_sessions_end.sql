-- When a session was last used, to the day: one that is not used for long ends. Of those before nobody knows.
alter table session add column used_ms bigint not null default 0;
update session set used_ms = (extract(epoch from now()) * 1000)::bigint;
create index session_unused on session (used_ms);
