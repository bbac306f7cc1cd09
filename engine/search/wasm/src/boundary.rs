//! The functions that JavaScript calls, and the clock that it lends.
//!
//! A question and its answer pass through one buffer: JavaScript asks for room, writes the question, and calls `search`
//! or `judge`, which replaces the question with the answer and returns its length in bytes. Both are JSON in UTF-8.

#![expect(unsafe_code, reason = "the linker cannot check the names of exported and imported functions")]

use std::{cell::RefCell, time::Duration};

use search::{Clock, Searcher};

use super::{Attempt, Question, json};

/// Memory of the tables in bytes. It is that of a bot of the server.
const TABLE_BYTES: usize = 32 << 20;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since any fixed moment.
    safe fn now() -> f64;
}

/// A clock of the browser.
struct Since {
    start_ms: f64,
}

impl Clock for Since {
    fn elapsed(&self) -> Duration {
        Duration::try_from_secs_f64((now() - self.start_ms) / 1000.0).unwrap_or_default()
    }
}

struct Worker {
    searcher: Searcher,
    buffer: Vec<u8>,
}

thread_local! {
    static WORKER: RefCell<Worker> =
        const { RefCell::new(Worker { searcher: Searcher::new(TABLE_BYTES), buffer: Vec::new() }) };
}

/// Makes room for a question of `n_bytes` bytes. Returns the address of the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(n_bytes: usize) -> *mut u8 {
    WORKER.with_borrow_mut(|Worker { buffer, .. }| {
        buffer.clear();
        buffer.resize(n_bytes, 0);
        buffer.as_mut_ptr()
    })
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn buffer() -> *const u8 {
    WORKER.with_borrow(|worker| worker.buffer.as_ptr())
}

/// Answers the question in the buffer, see [`Question::answer`]. Returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn search() -> usize {
    WORKER.with_borrow_mut(|Worker { searcher, buffer }| {
        let clock = Since { start_ms: now() };
        *buffer = json(Question::read(buffer).and_then(|question| question.answer(searcher, &clock)));
        buffer.len()
    })
}

/// Judges the attempt in the buffer, see [`Attempt::judge`]. Returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn judge() -> usize {
    WORKER.with_borrow_mut(|Worker { buffer, .. }| {
        *buffer = json(Attempt::read(buffer).and_then(|attempt| attempt.judge()));
        buffer.len()
    })
}
