-- A hash of the address that an account asks a link to confirm for, by which such mails to one address are counted for a day,
-- whichever accounts ask for them.
alter table mail add column recipient blob;

create index mail_to on mail (recipient, created_ms) where recipient is not null;
