//! `canvass radar`: checks watched businesses immediately.

use anyhow::bail;
use canvass::App;
use canvass::ids::WatchId;
use canvass::radar::{self, Swept, Which};
use clap::Subcommand;

use super::output::Output;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run the checks that are due: read the websites and report changes
    Check {
        /// Check all watches, due or not; read a second time immediately where something is missing
        #[arg(long, conflicts_with = "id")]
        all: bool,
        /// Check this watch, due or not
        #[arg(long, value_name = "ID")]
        id: Option<String>,
    },
}

pub(super) async fn run(app: &App, command: &Command, output: Output) -> anyhow::Result<()> {
    let Command::Check { all, id } = command;
    let which = match (all, id) {
        (_, Some(id)) => match WatchId::parse(id.trim()) {
            Some(id) => Which::One(id),
            None => bail!("{id:?} is not the id of a watch; GET /radar/watches lists them"),
        },
        (true, None) => Which::All,
        (false, None) => Which::Due,
    };
    let swept = radar::check_now(app, which).await?;
    output.show(&swept, || told(swept));
    Ok(())
}

fn told(swept: Swept) -> String {
    let Swept { checked, alerts, in_doubt, unreadable } = swept;
    format!(
        "{checked} checked: {alerts} alerts, {unreadable} unreadable websites, {in_doubt} to be confirmed by a second read."
    )
}
