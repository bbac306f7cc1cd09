//! The allocator of the server, and its settings.
//!
//! Messages are built on one thread and dropped on another. The system's allocator takes a fifth of the server's
//! processor time for that under load. Version 3 of mimalloc keeps more memory for each idle connection than version 2.

#![deny(unsafe_code)]

use std::ffi::{c_int, c_long};

use libmimalloc_sys::mi_option_set_default;
pub use mimalloc::MiMalloc;

/// Delay before freed pages return to the system, in milliseconds; freed blocks of an arena wait ten times as long. Version
/// 2 defaults to 10, so a busy server returns pages only to take them back at once.
const PURGE_DELAY_MS: c_long = 2_000;

/// The option `mi_option_purge_delay` of version 2, which the bindings do not name.
const PURGE_DELAY: c_int = 15;

/// Sets the options of the allocator that the environment does not set (`MIMALLOC_PURGE_DELAY`). It is called before there
/// are other threads.
pub fn set_up() {
    #[expect(unsafe_code, reason = "an option is a C variable")]
    // SAFETY: the option exists, and no other thread sets it.
    unsafe {
        mi_option_set_default(PURGE_DELAY, PURGE_DELAY_MS);
    }
}

#[cfg(test)]
mod tests {
    use libmimalloc_sys::mi_option_get;

    use super::*;

    fn purge_delay_ms() -> c_long {
        #[expect(unsafe_code, reason = "an option is a C variable")]
        // SAFETY: the option exists, and no other thread sets it.
        unsafe {
            mi_option_get(PURGE_DELAY)
        }
    }

    #[test]
    fn the_option_is_the_one_whose_default_is_ten_milliseconds() {
        assert_eq!(purge_delay_ms(), 10);
        set_up();
        assert_eq!(purge_delay_ms(), PURGE_DELAY_MS);
    }
}
