//! Works through what is to be done: takes searches and enrichments that nobody works on, and runs them; sends the
//! e-mails about searches that have ended; checks what is watched.

use std::future::Future;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::app::App;
use crate::db::DbError;
use crate::{enrichment, notify, radar, search};

/// How often a worker looks for work that nobody told it of.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long searches may take to be handed back when the process stops.
const FAREWELL_TIME_MAX: Duration = Duration::from_secs(5);

/// Works until `stop` is done; then hands back what it has begun.
pub async fn work(app: App, stop: impl Future<Output = ()>) {
    let owner = owner(&app);
    let (ask, asked) = watch::channel(false);
    let mut running = JoinSet::new();
    let mut mailing = JoinSet::new();
    let checking = tokio::spawn(radar::keep_checking(app.clone(), asked.clone()));
    tokio::pin!(stop);
    loop {
        if let Err(error) = take_all(&app, &owner, &mut running, &asked).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "could not look for work");
        }
        send_mail(&app, &mut mailing);
        tokio::select! {
            () = &mut stop => break,
            () = app.bell.work() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
            Some(_) = running.join_next() => {}
        }
    }
    ask.send_replace(true);
    let farewell = async {
        while running.join_next().await.is_some() {}
        while mailing.join_next().await.is_some() {}
        checking.await
    };
    if tokio::time::timeout(FAREWELL_TIME_MAX, farewell).await.is_err() {
        tracing::warn!("some work was not handed back; others take it over when its leases run out");
    }
}

/// Works until nothing is left that is due now.
pub async fn until_idle(app: &App) -> Result<(), DbError> {
    let owner = owner(app);
    let (_ask, asked) = watch::channel(false);
    let mut running = JoinSet::new();
    loop {
        take_all(app, &owner, &mut running, &asked).await?;
        if running.join_next().await.is_none() && notify::send_due(app).await? == 0 {
            return radar::until_idle(app).await;
        }
    }
}

/// Sends what is due, beside the searches: a slow mail server holds up nothing but mail.
fn send_mail(app: &App, mailing: &mut JoinSet<()>) {
    while mailing.try_join_next().is_some() {}
    if !mailing.is_empty() {
        return;
    }
    let app = app.clone();
    mailing.spawn(async move {
        if let Err(error) = notify::send_due(&app).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "could not look for e-mails to send");
        }
    });
}

async fn take_all(
    app: &App,
    owner: &str,
    running: &mut JoinSet<()>,
    stop: &watch::Receiver<bool>,
) -> Result<(), DbError> {
    while running.len() < app.settings.searches_at_once {
        let Some((lease, search)) = search::take(app, owner).await? else { break };
        let (app, stop) = (app.clone(), stop.clone());
        running.spawn(async move {
            let id = lease.search;
            let outcome = search::run(&app, lease, search, stop).await;
            tracing::info!(search.id = %id, "work on a search ended: {outcome:?}");
        });
    }
    while running.len() < app.settings.searches_at_once {
        let Some((lease, enrichment)) = enrichment::take(app, owner).await? else { break };
        let (app, stop) = (app.clone(), stop.clone());
        running.spawn(async move {
            let id = lease.enrichment;
            let outcome = enrichment::run(&app, lease, enrichment, stop).await;
            tracing::info!(enrichment.id = %id, "work on an enrichment ended: {outcome:?}");
        });
    }
    Ok(())
}

/// A name no other worker has.
fn owner(app: &App) -> String {
    app.ids.uuid(app.clock.now()).to_string()
}
