//! Messages to browsers that are closed (Web Push): the key that proves this deployment to push services, the encryption that
//! keeps messages from them, and the requests, which go to known hosts alone.

mod encryption;
mod hosts;
mod request;
mod sender;
mod server_key;

pub use self::hosts::PushHost;
pub(crate) use self::{
    hosts::service,
    sender::{Message, Push, Sent},
    server_key::ServerKey,
};
