//! `canvass sandbox`: shows and advances the age of the sandbox world.

use canvass::App;
use canvass::sandbox;
use clap::Subcommand;
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
    }
    Ok(())
}
