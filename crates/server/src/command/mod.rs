//! The command line: reads the settings, opens the application, calls one verb, shows the answer.

mod account;
mod doctor;
mod facts;
mod find;
mod key;
mod output;
mod radar;
mod read;
mod robots;
mod sandbox;
mod serve;
mod settings;
mod table;
mod work;

use std::process::ExitCode;

use canvass::App;
use canvass::config::Settings;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use output::Output;

/// Where options that every command has stand in its help: behind its own.
const SHARED_OPTIONS_ORDER: usize = 900;

/// A lead search service you host yourself
#[derive(Debug, Parser)]
#[command(name = "canvass", version, propagate_version = true, arg_required_else_help = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Answer in JSON instead of tables
    #[arg(long, global = true, display_order = SHARED_OPTIONS_ORDER)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API and the web pages, and work on searches
    Serve,
    /// Work on searches, without serving
    Work,
    /// Find businesses now, in this process, without a server
    Find(find::Arguments),
    /// Bring the database schema up to date, and stop
    Migrate,
    /// Open accounts, change them, give them credits
    #[command(subcommand)]
    Account(account::Command),
    /// Make API keys, list them, revoke them
    #[command(subcommand)]
    Key(key::Command),
    /// Read one website, and show what stands there
    Read(read::Arguments),
    /// Tell whether a robots.txt lets a path be read, and by which of its lines
    Robots(robots::Arguments),
    /// Show what stands on saved pages, one JSON line a page
    Facts(facts::Arguments),
    /// Check watched businesses now
    #[command(subcommand)]
    Radar(radar::Command),
    /// Look at the embedded world, and make it older
    #[command(subcommand)]
    Sandbox(sandbox::Command),
    /// Check settings, disk, database, source, reader, mail and AI, and say what to do
    Doctor,
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let matches = settings::with_flags(Cli::command()).get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let output = Output::new(cli.json);
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return output.fail(&error.into()),
    };
    runtime.block_on(run(cli.command, &matches, output)).unwrap_or_else(|error| output.fail(&error))
}

async fn run(command: Command, matches: &clap::ArgMatches, output: Output) -> anyhow::Result<ExitCode> {
    let given = settings::gather(matches);
    if let Command::Doctor = command {
        return doctor::run(given, output).await;
    }
    let mut settings = Settings::parse(&given?)?;
    if matches!(command, Command::Find(_)) && settings.log == Settings::default().log {
        // A progress bar says what the log would.
        settings.log = "warn".into();
    }
    crate::log::start(&settings)?;
    match command {
        Command::Migrate => migrate(&settings, output).await,
        Command::Read(arguments) => read::run(&settings, &arguments, output).await,
        Command::Robots(arguments) => robots::run(&settings, &arguments, output).await,
        Command::Facts(arguments) => facts::run(&arguments),
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
        Command::Sandbox(command) => sandbox::run(&app, command, output).await?,
        Command::Account(command) => account::run(&app, command, output).await?,
        Command::Key(command) => key::run(&app, command, output).await?,
        Command::Migrate | Command::Doctor | Command::Read(_) | Command::Robots(_) | Command::Facts(_) => {
            unreachable!("these run without the application")
        }
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
        count => format!("{count} steps applied: the {} schema is now at version {}.", db.name(), migrated.version),
    });
    db.close().await;
    Ok(ExitCode::SUCCESS)
}
