//! The work of a node apart from its clients' requests: games whose time is over, deletion of old data, and messages of
//! other nodes.

pub(crate) mod housekeeping;
pub(crate) mod nodes;
pub(crate) mod sweep;
