//! `canvass manual`: writes the manual pages, one for each command.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Command};
use clap_mangen::Man;
use serde::Serialize;

use super::output::Output;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The folder to write to; it is created if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

#[derive(Debug, Serialize)]
struct Written {
    pages: Vec<PathBuf>,
}

/// Settings are options of every command; only the first page describes them.
const SETTINGS_ARE_IN: &str = "Settings are options of this command too: canvass(1) describes them.";

pub(super) fn run(arguments: &Arguments, command: Command, output: Output) -> anyhow::Result<ExitCode> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let mut written = Written { pages: Vec::new() };
    write(&command, folder, &mut written.pages)?;
    output.show(&written, || format!("{} manual pages written to {}.", written.pages.len(), folder.display()));
    Ok(ExitCode::SUCCESS)
}

/// Writes the page of a command and those of its subcommands.
fn write(command: &Command, folder: &Path, pages: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let man = Man::new(page_of(command, pages.is_empty()));
    let path = folder.join(man.get_filename());
    let mut page = Vec::new();
    man.render(&mut page)?;
    std::fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))?;
    pages.push(path);
    command.get_subcommands().filter(|inner| !inner.is_hide_set()).try_for_each(|inner| write(inner, folder, pages))
}

/// A command as its page shows it.
fn page_of(command: &Command, is_first: bool) -> Command {
    // Pages have the whole name: canvass-account-create.
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let shown = command.clone().name(name);
    let settings: Vec<clap::Id> = shown
        .get_arguments()
        .filter(|argument| argument.get_help_heading() == Some(super::settings::HEADING))
        .map(|argument| argument.get_id().clone())
        .collect();
    // Short help leaves most of them out, and so would the page.
    let shown = settings
        .into_iter()
        .fold(shown, |shown, id| shown.mut_arg(id, |argument| argument.hide(!is_first).hide_short_help(false)));
    if is_first { shown } else { shown.after_long_help(SETTINGS_ARE_IN) }
}
