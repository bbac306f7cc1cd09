//! Games in memory. Each live game is one task, its [`actor`], that owns the game's state and is the only place that
//! waits for the database on its behalf; [`Games`] finds it, starts it by folding the log, and never starts two of one
//! game.

mod actor;
mod append;
mod archive;
mod attendance;
mod begin;
mod chat;
mod command_log;
mod credit;
mod delivery;
mod document;
mod drafting;
mod events;
mod eviction;
mod feed;
mod games;
mod leaving;
mod log;
mod mailbox;
mod message;
mod permissions;
mod readers;
mod reading;
mod reads;
mod requests;
mod shared;
mod spectators;
mod takers;
mod telling;
mod vacations;
mod view;

#[cfg(test)]
mod tests;

pub(crate) use self::{
    append::CreateError,
    begin::{BeginError, Beginner, RoomError, Sought, SoughtError},
    feed::{FeedReader, Missed},
    games::Games,
    permissions::may_read,
    requests::{DraftRequest, FollowPolicy, Request, SayRequest},
    shared::Dependencies,
};
