//! Equations that must hold for any input to the server: a function for each fuzz target of `server/fuzz`. The tests
//! apply them to the stored inputs of fuzzing.

mod headers;
mod news;
mod node;
mod play;
mod requests;
mod stored;
mod texts;

#[cfg(test)]
mod tests;

pub use self::{
    headers::headers,
    news::news,
    play::play,
    requests::requests,
    stored::stored,
    texts::{cursor, message, name, new_room},
};
