//! Settings as flags, variables and a file.

use std::path::{Path, PathBuf};

use canvass::config::{FILE_DEFAULT, FILE_VARIABLE, Given, SETTINGS, SettingError};
use clap::{Arg, ArgMatches, Command};

const CONFIG: &str = "config";
/// Heading of the settings in the help of every command, below its own options.
pub(super) const HEADING: &str = "Settings (for all commands)";

/// Adds a flag for every setting to every command.
pub(super) fn with_flags(command: Command) -> Command {
    let config = Arg::new(CONFIG)
        .long(CONFIG)
        .value_name("FILE")
        .global(true)
        .help_heading(HEADING)
        .hide_short_help(true)
        .help(format!("Settings file [variable: {FILE_VARIABLE}] [default: {FILE_DEFAULT}, if it exists]"));
    SETTINGS.iter().fold(command.arg(config), |command, setting| {
        let default =
            if setting.default.is_empty() { String::new() } else { format!(" [default: {}]", setting.default) };
        let flag = Arg::new(setting.name)
            .long(setting.flag())
            .value_name(setting.value)
            .global(true)
            .help_heading(HEADING)
            .hide_short_help(setting.name != "data" && setting.name != "listen")
            .help(format!("{} [variable: {}]{default}", setting.help, setting.variable()));
        command.arg(flag)
    })
}

/// The settings given by flags, variables and the settings file.
pub(super) fn gather(matches: &ArgMatches) -> Result<Given, SettingError> {
    // A flag of a subcommand is known only there: ask the innermost one.
    let mut innermost = matches;
    while let Some((_, inner)) = innermost.subcommand() {
        innermost = inner;
    }
    let flag = |name: &str| innermost.get_one::<String>(name).cloned();
    let mut given = Given::default();
    given.add_flags(SETTINGS.iter().filter_map(|setting| Some((setting.name, flag(setting.name)?))))?;
    let variables =
        || std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    given.add_variables(variables())?;
    let named = flag(CONFIG).or_else(|| variables().find(|(name, _)| name == FILE_VARIABLE).map(|(_, value)| value));
    if let Some(path) = named.filter(|path| !path.is_empty()).map(PathBuf::from) {
        add_file(&mut given, &path)?;
    } else if Path::new(FILE_DEFAULT).exists() {
        add_file(&mut given, Path::new(FILE_DEFAULT))?;
    }
    Ok(given)
}

fn add_file(given: &mut Given, path: &Path) -> Result<(), SettingError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| SettingError::File { path: path.into(), why: error.to_string() })?;
    given.add_file(path, &text)
}
