//! Mails to the owners of accounts: links that confirm an address or recover an account, and notices. A mail is a row of the
//! database before its request is answered. Its text is made when it is sent, so the database has no secret of a link.

mod relay;
mod sender;
mod texts;

pub(crate) use self::{
    relay::{Relay, SendError},
    sender::{MAILS_AN_HOUR, Sender},
};
