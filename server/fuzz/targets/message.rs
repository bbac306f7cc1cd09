#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| towers::fuzzing::message(text));
