//! The system as its users meet it: every test starts the real server, on SQLite and on PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod account_life;
mod accounts;
mod addresses;
mod admin;
mod begun_games;
mod cards;
mod commands;
mod compute;
mod description;
mod failover;
mod file;
mod first_minute;
mod floods;
mod hostile;
mod http;
mod limits;
mod lists;
mod live_play;
mod lobby;
mod logs;
mod mail;
mod memory;
mod moderation;
mod nodes;
mod one_table;
mod overload;
mod passkeys;
mod pictures;
mod places;
mod pools;
mod puzzles;
mod refusals;
mod requests;
mod resume;
mod review;
mod rooms;
mod rulesets;
mod sessions;
mod silence;
mod sockets;
mod space;
mod stopping;
mod vacations;
mod whole_game;
