//! Everything that the nodes of one database tell each other: messages over NATS, and outages in the database.

pub(crate) mod bus;
pub(crate) mod outages;
mod stops;
