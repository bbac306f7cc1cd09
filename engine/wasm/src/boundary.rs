//! The functions that JavaScript calls.
//!
//! Numbers are passed as they are, texts through one buffer: JavaScript asks for room, writes a text, and calls a
//! function, which replaces the text with its answer and returns the length of the answer in bytes. Texts are UTF-8, and
//! actions are separated by spaces.

#![expect(unsafe_code, reason = "the linker cannot check the names of exported functions")]

use std::cell::RefCell;

use serde::Serialize;

use super::{Engine, Refusal, engine::json};

#[derive(Default)]
struct Page {
    engine: Engine,
    buffer: Vec<u8>,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

/// Makes room for a text of `n_bytes` bytes. Returns the address of the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(n_bytes: usize) -> *mut u8 {
    PAGE.with_borrow_mut(|Page { buffer, .. }| {
        buffer.clear();
        buffer.resize(n_bytes, 0);
        buffer.as_mut_ptr()
    })
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn buffer() -> *const u8 {
    PAGE.with_borrow(|page| page.buffer.as_ptr())
}

/// Returns the version of the rules, which the server compares with its own.
#[unsafe(no_mangle)]
pub extern "C" fn rules() -> u32 {
    engine::RULES
}

/// See [`Engine::open`]. The text is the ruleset, and after a space the position, if there is one.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> usize {
    answer(|engine, text| {
        let (ruleset, start) = text.split_once(' ').unwrap_or((text, ""));
        engine.open(ruleset, start)
    })
}

/// See [`Engine::copy`].
#[unsafe(no_mangle)]
pub extern "C" fn copy(id: usize) -> usize {
    answer(|engine, _| engine.copy(id))
}

/// See [`Engine::passed`].
#[unsafe(no_mangle)]
pub extern "C" fn passed(id: usize) -> usize {
    answer(|engine, _| engine.passed(id))
}

/// See [`Engine::close`].
#[unsafe(no_mangle)]
pub extern "C" fn close(id: usize) {
    PAGE.with_borrow_mut(|page| page.engine.close(id));
}

/// See [`Engine::show`].
#[unsafe(no_mangle)]
pub extern "C" fn show(id: usize) -> usize {
    answer(|engine, _| engine.show(id))
}

/// See [`Engine::choices`]. The text has the actions.
#[unsafe(no_mangle)]
pub extern "C" fn choices(id: usize) -> usize {
    answer(|engine, text| engine.choices(id, &actions(text)))
}

/// See [`Engine::play`]. The text has the actions.
#[unsafe(no_mangle)]
pub extern "C" fn play(id: usize) -> usize {
    answer(|engine, text| engine.play(id, &actions(text)))
}

/// See [`Engine::turn_over`].
#[unsafe(no_mangle)]
pub extern "C" fn turn_over(id: usize, card: u8) -> usize {
    answer(|engine, _| engine.turn_over(id, card))
}

/// See [`Engine::rewind`].
#[unsafe(no_mangle)]
pub extern "C" fn rewind(id: usize, turns: usize) -> usize {
    answer(|engine, _| engine.rewind(id, turns))
}

/// See [`Engine::perft`].
#[unsafe(no_mangle)]
pub extern "C" fn perft(id: usize, depth: u32) -> usize {
    answer(|engine, _| engine.perft(id, depth))
}

fn actions(text: &str) -> Vec<&str> {
    text.split_ascii_whitespace().collect()
}

/// Replaces the text in the buffer with an answer. Returns its length in bytes.
fn answer<T: Serialize>(ask: impl FnOnce(&mut Engine, &str) -> Result<T, Refusal>) -> usize {
    PAGE.with_borrow_mut(|Page { engine, buffer }| {
        *buffer = json(ask(engine, str::from_utf8(buffer).unwrap_or_default()));
        buffer.len()
    })
}
