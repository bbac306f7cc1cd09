//! Tests of the contract of the store, on both databases and in memory.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod aborts;
mod accounts;
mod appends;
mod blocks;
mod challenges;
mod chat;
mod conditional;
mod conditions;
mod counting;
mod database;
mod deadlines;
mod drafts;
mod erasure;
mod files;
mod finished_games;
mod heads;
mod housekeeping;
mod inbox;
mod lists;
mod mails;
mod migrations;
mod moderation;
mod opening;
mod outages;
mod outbox;
mod passkeys;
mod players;
mod pushes;
mod reviews;
mod rows;
mod sample;
mod seeks;
mod vacations;
mod verbs;
mod writer;
