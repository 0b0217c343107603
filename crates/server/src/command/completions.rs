//! `canvass completions`: prints what a shell needs to complete commands and settings.

use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::{Shell, generate};
use serde::Serialize;

use super::output::{Output, write_file};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The shell; its documentation says where it reads completions from
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Debug, Serialize)]
struct Completions {
    shell: String,
    script: String,
}

pub(super) fn run(arguments: &Arguments, mut command: Command, output: Output) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut command, "canvass", &mut script);
    let made = Completions { shell: arguments.shell.to_string(), script: String::from_utf8(script)? };
    if output.is_json() {
        output.show(&made, String::new);
    } else {
        write_file(&made.script)?;
    }
    Ok(ExitCode::SUCCESS)
}
