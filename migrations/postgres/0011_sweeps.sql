-- When the sweep looks at a game next: at its deadline or before. A turn that moves the deadline on leaves it, so that the row
-- needs no new entry in any index; the sweep then sets it to the deadline.
alter table game add column due_ms bigint;
update game set due_ms = deadline_ms where status = 'playing';
drop index game_due;
create index game_due on game (due_ms, id) where status = 'playing' and due_ms is not null;
