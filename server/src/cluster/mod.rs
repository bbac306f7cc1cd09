//! Communication between the nodes of one database: messages over NATS, and outages in the database.

pub(crate) mod bus;
pub(crate) mod lease;
pub(crate) mod outages;
mod stops;
