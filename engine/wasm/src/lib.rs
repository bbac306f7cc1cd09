//! The engine for browsers: matches that a page plays, with the views that the server sends too, as JSON.

mod answer;
pub mod boundary;
mod engine;

pub use self::{
    answer::{Choices, Outcome, Refusal, State},
    engine::{Engine, json},
};
