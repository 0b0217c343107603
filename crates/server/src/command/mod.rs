//! The command line: reads the settings, opens the application, runs one operation, prints the result.

mod account;
mod ask;
mod completions;
mod doctor;
mod facts;
mod find;
mod health;
mod key;
mod manual;
mod output;
mod places;
mod radar;
mod read;
mod rehearse;
mod robots;
mod sandbox;
mod serve;
mod settings;
mod status;
mod suppress;
mod table;
mod work;

use std::process::ExitCode;

use canvass::App;
use canvass::config::Settings;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use output::Output;

/// Display order of options common to all commands: after the command's own.
const SHARED_OPTIONS_ORDER: usize = 900;

/// Self-hosted lead search service
#[derive(Debug, Parser)]
#[command(name = "canvass", version, propagate_version = true, arg_required_else_help = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Print JSON instead of tables
    #[arg(long, global = true, display_order = SHARED_OPTIONS_ORDER)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API and web pages, and work on searches
    Serve,
    /// Work on searches without serving
    Work,
    /// Run a search in this process, without a server
    Find(find::Arguments),
    /// Migrate the database schema and exit
    Migrate,
    /// Create, list and change accounts, and grant credits
    #[command(subcommand)]
    Account(account::Command),
    /// Create, list and revoke API keys
    #[command(subcommand)]
    Key(key::Command),
    /// Read one website and show the facts found on it
    Read(read::Arguments),
    /// Show whether a robots.txt allows a path, and which line decides
    Robots(robots::Arguments),
    /// Extract facts from saved pages, one JSON line per page
    Facts(facts::Arguments),
    /// Import open place data, and show what there is
    #[command(subcommand)]
    Places(places::Command),
    /// Check watched businesses now
    #[command(subcommand)]
    Radar(radar::Command),
    /// List businesses that are not read, delivered, exported or watched, and add to the list
    #[command(subcommand)]
    Suppress(suppress::Command),
    /// Show the age of the sandbox world, advance it, or serve its websites
    #[command(subcommand)]
    Sandbox(sandbox::Command),
    /// Stand in for a map provider, to try a set-up without a key
    Rehearse(rehearse::Arguments),
    /// Check settings, disk, database, source, reader, mail and AI, and say how to fix problems
    Doctor,
    /// Show what this database and node are doing: searches, workers, leads today, Radar, emails
    Status,
    /// Ask the running server whether it is well; exits with 1 if not
    Health(health::Arguments),
    /// Print the completions of a shell
    Completions(completions::Arguments),
    /// Write the manual pages to a folder
    Manual(manual::Arguments),
}

/// Parses the arguments of this process and runs the command.
pub fn main() -> ExitCode {
    let matches = whole_command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let output = Output::new(cli.json);
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return output.fail(&error.into()),
    };
    runtime.block_on(run(cli.command, &matches, output)).unwrap_or_else(|error| output.fail(&error))
}

/// The command line with all its commands and settings.
fn whole_command() -> clap::Command {
    settings::with_flags(Cli::command())
}

async fn run(command: Command, matches: &clap::ArgMatches, output: Output) -> anyhow::Result<ExitCode> {
    let given = settings::gather(matches);
    let command = match command {
        Command::Doctor => return doctor::run(given, output).await,
        Command::Completions(arguments) => return completions::run(&arguments, whole_command(), output),
        Command::Manual(arguments) => return manual::run(&arguments, whole_command(), output),
        command => command,
    };
    let mut settings = Settings::parse(&given?)?;
    if matches!(command, Command::Find(_) | Command::Places(_)) && settings.log == Settings::default().log {
        // The progress bar replaces the log.
        settings.log = "warn".into();
    }
    let traces = crate::log::start(&settings)?;
    let ended = run_with(command, settings, output).await;
    traces.stop().await;
    ended
}

/// Runs a command with these settings.
async fn run_with(command: Command, settings: Settings, output: Output) -> anyhow::Result<ExitCode> {
    match command {
        Command::Migrate => migrate(&settings, output).await,
        Command::Read(arguments) => read::run(&settings, &arguments, output).await,
        Command::Robots(arguments) => robots::run(&settings, &arguments, output).await,
        Command::Facts(arguments) => facts::run(&arguments, output),
        Command::Rehearse(arguments) => {
            rehearse::run(&settings, &arguments, output).await?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Status => status::run(&settings, output).await,
        Command::Health(arguments) => health::run(&settings, &arguments, output).await,
        Command::Places(command) => {
            places::run(&settings, command, output).await?;
            Ok(ExitCode::SUCCESS)
        }
        command => with_app(command, settings, output).await,
    }
}

/// Runs a command that needs the database.
async fn with_app(command: Command, settings: Settings, output: Output) -> anyhow::Result<ExitCode> {
    let app = App::start(settings).await?;
    match command {
        Command::Serve => serve::run(app.clone(), output).await?,
        Command::Find(arguments) => find::run(&app, arguments, output).await?,
        Command::Work => work::run(app.clone(), output).await?,
        Command::Radar(command) => radar::run(&app, &command, output).await?,
        Command::Suppress(command) => suppress::run(&app, &command, output).await?,
        Command::Sandbox(command) => sandbox::run(&app, command, output).await?,
        Command::Account(command) => account::run(&app, command, output).await?,
        Command::Key(command) => key::run(&app, command, output).await?,
        Command::Migrate
        | Command::Doctor
        | Command::Status
        | Command::Health(_)
        | Command::Completions(_)
        | Command::Manual(_)
        | Command::Read(_)
        | Command::Robots(_)
        | Command::Facts(_)
        | Command::Rehearse(_)
        | Command::Places(_) => unreachable!("these run without the application"),
    }
    app.db.close().await;
    Ok(ExitCode::SUCCESS)
}

async fn migrate(settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
    let url = settings.database_url.as_ref().map(|url| url.reveal());
    let db = canvass::db::open(url, &settings.data).await?;
    let migrated = canvass::db::migrate(&db, &settings.data).await?;
    output.show(&migrated, || match migrated.applied {
        0 => format!("The {} schema is up to date (version {}).", db.name(), migrated.version),
        count => {
            format!("{count} migrations applied: the {} schema is now at version {}.", db.name(), migrated.version)
        }
    });
    db.close().await;
    Ok(ExitCode::SUCCESS)
}
