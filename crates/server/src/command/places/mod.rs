//! `canvass places`: imports of place data, and what folders of it hold. Needs no database.

mod get;
mod import;
mod info;
mod list;
mod mapping;
mod progress;
mod releases;
mod report;
mod subject;
mod verify;
mod work;

use canvass::config::Settings;
use clap::Subcommand;
use place_data::Library;

use super::output::Output;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Import businesses from a file, in place of an earlier import of the same name
    #[command(subcommand)]
    Import(import::Command),
    /// List the releases of Overture Maps that can be read
    Releases,
    /// Download the businesses of an area or a country from a release, to read them without a connection
    Get(get::Arguments),
    /// List what is imported
    List,
    /// Remove an import and its files
    Remove {
        /// Name of the import
        name: String,
    },
    /// Show what an import or a folder of place files holds: businesses by country and by industry
    Info(info::Arguments),
    /// Check every byte and every row of an import or of a folder of place files
    Verify(subject::SubjectArguments),
}

pub(super) async fn run(settings: &Settings, command: Command, output: Output) -> anyhow::Result<()> {
    let library = Library::in_folder(settings.places_folder());
    match command {
        Command::Import(command) => import::run(&library, settings, command, output).await,
        Command::Releases => releases::run(settings, output).await,
        Command::Get(arguments) => get::run(settings, arguments, output).await,
        Command::List => list::run(&library, output),
        Command::Remove { name } => {
            library.remove(&name)?;
            let removed = serde_json::json!({ "name": name, "removed": true });
            output.show(&removed, || format!("The import {name:?} is removed."));
            Ok(())
        }
        Command::Info(arguments) => info::run(&library, &arguments, output).await,
        Command::Verify(arguments) => verify::run(&library, &arguments, output).await,
    }
}

/// A number with separators between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size for people.
fn size(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_separated() {
        let numbers = [0, 999, 1_000, 64_123_456];
        assert_eq!(numbers.map(super::grouped), ["0", "999", "1,000", "64,123,456"]);
    }
}
