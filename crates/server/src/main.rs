//! The `canvass` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    server::command::main()
}
