-- The lines that a player wrote are exported for the player.
create index chat_of_player on chat (player, id);
