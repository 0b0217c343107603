//! The `canvass` command.

use std::process::ExitCode;

// A request is some dozens of small allocations; the system's allocator spent a fifth of the time on them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    server::command::main()
}
