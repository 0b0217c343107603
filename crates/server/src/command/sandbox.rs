//! `canvass sandbox`: shows and advances the age of the sandbox world, and serves its websites to other processes.

use std::fs::File;
use std::io::{LineWriter, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use ::sandbox::{Observer, Reach, ServedRequest};
use anyhow::Context;
use canvass::App;
use canvass::sandbox::{self, Sites};
use clap::{Args, Subcommand};
use serde::Serialize;

use super::output::Output;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Advance the age of the world: some businesses change their websites
    Advance {
        /// Number of steps
        #[arg(default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
        steps: u32,
    },
    /// Show the age of the world
    Show,
    /// Serve its websites to other processes on this machine, in the weather of the settings
    Serve(ServeArguments),
}

#[derive(Debug, Args)]
pub(super) struct ServeArguments {
    /// Port to listen on, at 127.0.0.1; 0 for any free one
    #[arg(long, default_value_t = 8443)]
    port: u16,
    /// Write the certificate of the authority that vouches for the websites to this file
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Write a JSON line for each request to this file, with the time that the weather gives it
    #[arg(long, value_name = "FILE")]
    requests: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
struct Serving {
    address: SocketAddr,
    settings: Vec<String>,
}

/// A line about a request. Times are in seconds.
#[derive(Debug, Serialize)]
struct RequestLine<'a> {
    reach: &'static str,
    host: &'a str,
    path: &'a str,
    status: u16,
    set_up: f64,
    first_byte: f64,
    body: f64,
}

#[derive(Debug, Serialize)]
struct World {
    age: u32,
}

pub(super) async fn run(app: &App, command: Command, output: Output) -> anyhow::Result<()> {
    match command {
        Command::Advance { steps } => {
            let age = sandbox::advance(&app.db, steps).await?;
            output.show(&World { age }, || {
                format!("The sandbox world is now at age {age}; its websites have changed accordingly.")
            });
        }
        Command::Show => {
            let age = sandbox::age(&app.db).await?;
            output.show(&World { age }, || format!("The sandbox world is at age {age}."));
        }
        Command::Serve(arguments) => serve(app, &arguments, output).await?,
    }
    Ok(())
}

/// Serves the websites until it is interrupted.
async fn serve(app: &App, arguments: &ServeArguments, output: Output) -> anyhow::Result<()> {
    let sandbox =
        app.sandbox.as_ref().context("the sandbox is not the source of listings: set CANVASS_SOURCE=sandbox")?;
    let observer = arguments.requests.as_ref().map(|path| File::create(path).map(observer)).transpose();
    let observer = observer.context("cannot write the file of requests")?;
    let sites = sandbox.serve_to_others(&app.db, arguments.port, observer).await?;
    if let (Some(path), Some(authority)) = (&arguments.ca, &sites.authority) {
        std::fs::write(path, &authority.pem).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let serving = Serving { address: sites.address, settings: settings(app, arguments, sites) };
    output.show(&serving, || {
        let settings = serving.settings.join(" ");
        format!("The sandbox's websites are served on {}. In another terminal:\n\n  {settings} canvass serve\n\nCtrl-C ends it.", serving.address)
    });
    // Without a signal it runs until it is killed.
    let _ = tokio::signal::ctrl_c().await;
    Ok(())
}

/// What to set in order to read the websites there.
fn settings(app: &App, arguments: &ServeArguments, sites: &Sites) -> Vec<String> {
    let mut settings = vec![
        format!("CANVASS_SANDBOX_WEATHER={}", app.settings.sandbox_weather),
        format!("CANVASS_SANDBOX_SITES={}", sites.address),
    ];
    if let (Some(path), Some(_)) = (&arguments.ca, &sites.authority) {
        settings.push(format!("CANVASS_SANDBOX_CA={}", path.display()));
    }
    settings
}

/// Writes a line for each request.
fn observer(file: File) -> Observer {
    let lines = Mutex::new(LineWriter::new(file));
    Arc::new(move |served: &ServedRequest<'_>| {
        let line = RequestLine {
            reach: match served.reach {
                Reach::Answers => "answers",
                Reach::Silent => "silent",
                Reach::Resets => "resets",
            },
            host: served.host,
            path: served.path,
            status: served.status,
            set_up: served.set_up.as_secs_f64(),
            first_byte: served.first_byte.as_secs_f64(),
            body: served.body.as_secs_f64(),
        };
        let Ok(line) = serde_json::to_string(&line) else { return };
        // A full disk must not stop the websites.
        let _ = writeln!(lines.lock().unwrap_or_else(PoisonError::into_inner), "{line}");
    })
}
