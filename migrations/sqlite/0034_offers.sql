-- The offers of a game that wait for an answer, each as `kind:side`, with spaces between; null for none.
alter table game add column offers text;
