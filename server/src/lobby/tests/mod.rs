//! Messages to the readers of the lobby, in virtual time.

mod absence;
mod catch_up;
mod counts;
mod hidden;
mod news;
mod own;
mod sample;
mod shown;
