//! `canvass work`: works on searches, alongside any number of servers and other workers on the same database.

use canvass::App;
use serde::Serialize;

use super::output::Output;
use super::serve::{check_sources, metrics_listener, warn_of_exposed_files};
use crate::serve::{self, asked_to_stop};

#[derive(Debug, Serialize)]
struct Working {
    working: bool,
    database: &'static str,
    searches_at_once: usize,
}

pub(super) async fn run(app: App, output: Output) -> anyhow::Result<()> {
    check_sources(&app)?;
    warn_of_exposed_files(&app);
    let view = Working { working: true, database: app.db.name(), searches_at_once: app.settings.searches_at_once };
    output.show(&view, || {
        format!(
            "Working on searches from {}, up to {} at a time. Stop with Ctrl-C; unfinished searches are handed back.",
            view.database, view.searches_at_once
        )
    });
    let metrics = metrics_listener(&app).await?;
    serve::work(app, metrics, asked_to_stop()).await;
    Ok(())
}
