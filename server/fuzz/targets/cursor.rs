#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| server_fuzz::cursor(text));
