//! Any bytes as a robots.txt, any path: no panic, and the line that decided is a line of the file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use polite_reader::check_robots;

fuzz_target!(|parts: (&[u8], &str, &str)| {
    let (file, agent, path) = parts;
    let verdict = check_robots(file, agent, path);
    match verdict.line {
        Some(line) => assert!(line.number >= 1 && line.number <= file.len() + 1),
        None => assert!(verdict.is_allowed, "only a line can disallow"),
    }
});
