//! The players for browsers: the best turn of a game, as the bots of the server find it but for their book, and the
//! judgement of attempts at puzzles, as JSON. The browser's side runs it in a worker, since a search takes up to seconds.

mod answer;
mod attempt;
#[cfg(target_family = "wasm")]
pub mod boundary;
mod question;

pub use self::{
    answer::{Answer, Line, Refusal, json},
    attempt::Attempt,
    question::{Question, Turn},
};
