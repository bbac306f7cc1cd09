-- What the target of a report about chat had said, as a JSON array: the chat itself keeps the last lines alone, and a room may be
-- closed.
alter table report add column lines text not null default '[]';

-- The acts of a moderator are counted, and exported for the moderator, from the last one on.
drop index audit_by;

create index audit_by on audit (by, id) where by is not null;

-- Whether the SMTP server has refused for good a mail to the address of the account.
alter table account add column mail_refused integer not null default 0;
