//! `canvass serve`: starts the server, and creates a demo account on the first start.

use anyhow::Context;
use canvass::App;
use canvass::account::{self, Email, NewAccount};
use canvass::doctor;
use canvass::keys;
use canvass::plan::{AddOn, Tier};
use canvass::sign_in;
use serde::Serialize;
use tokio::net::TcpListener;

use super::output::Output;
use crate::limits::raise_descriptor_limit;
use crate::serve::{Listeners, asked_to_stop, serve};

const DEMO_EMAIL: &str = "demo@example.com";
const DEMO_CREDITS: i64 = 10_000;

/// The output once the server listens.
#[derive(Debug, Serialize)]
struct Started {
    base_url: String,
    sign_in: String,
    docs: String,
    /// The source of listings.
    source: String,
    /// Signs in as the demo account, once; only on the first start.
    link: Option<String>,
    /// The demo account's key; only on the first start.
    key: Option<String>,
}

/// Fails when the settings name sources that cannot be used: every search would.
pub(super) fn check_sources(app: &App) -> anyhow::Result<()> {
    app.sources.problem().map_or(Ok(()), |problem| anyhow::bail!("{problem}"))
}

/// Logs a warning for every stored file that other users of this machine can read.
pub(super) fn warn_of_exposed_files(app: &App) {
    for exposed in doctor::exposed(&app.settings) {
        tracing::warn!("{}; run: {}", exposed.says(), exposed.advice());
    }
}

pub(super) async fn run(app: App, output: Output) -> anyhow::Result<()> {
    check_sources(&app)?;
    warn_of_exposed_files(&app);
    raise_descriptor_limit();
    let address = app.settings.listen;
    let listener = TcpListener::bind(address).await.with_context(|| {
        format!("cannot listen on {address}; is another server running there? Use --listen for another address")
    })?;
    app.listens_on(listener.local_addr()?);
    if let Some(sandbox) = &app.sandbox {
        sandbox.serve_to_browsers(&app.db).await.context("cannot serve the sandbox's websites on this machine")?;
    }
    let base = app.base_url().as_str().trim_end_matches('/').to_owned();
    let (link, key) = first_access(&app).await?.unzip();
    let started = Started {
        sign_in: format!("{base}/app"),
        docs: format!("{base}/docs"),
        base_url: base,
        source: app.sources.current().about().name.clone(),
        link,
        key,
    };
    output.show(&started, || greeting(&started));
    tracing::info!(source = started.source, database = app.db.name(), "listening on {address}");
    let metrics = metrics_listener(&app).await?;
    serve(app, Listeners { clients: listener, metrics }, asked_to_stop()).await?;
    tracing::info!("stopped");
    Ok(())
}

/// Listens on the address of `metrics_listen`, if that is set.
pub(super) async fn metrics_listener(app: &App) -> anyhow::Result<Option<TcpListener>> {
    let Some(address) = app.settings.telemetry.metrics_listen else { return Ok(None) };
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address} for metrics; use --metrics-listen for another address"))?;
    tracing::info!("metrics are on {}", listener.local_addr()?);
    Ok(Some(listener))
}

/// Creates the demo account, and returns a link and a key for it: only on the first start, with the default database, and if the
/// server is not reachable from other machines.
async fn first_access(app: &App) -> anyhow::Result<Option<(String, String)>> {
    let private = app.settings.is_embedded() && app.settings.is_private();
    if !private || !account::is_empty(&app.db).await? {
        return Ok(None);
    }
    let new = NewAccount {
        email: Email::parse(DEMO_EMAIL)?,
        tier: Tier::Scale,
        credits: Some(DEMO_CREDITS),
        add_ons: AddOn::ALL.to_vec(),
    };
    let account = account::create(app, new).await?;
    let created = keys::create(app, account.id, "demo").await?;
    let link = sign_in::link_for(app, &account).await?.address(app, &app.base_url())?;
    Ok(Some((link, created.secret.reveal().to_owned())))
}

fn greeting(started: &Started) -> String {
    let Started { base_url, sign_in, docs, source, link, key } = started;
    let listings = match source.as_str() {
        "sandbox" => "sandbox: generated businesses. For real ones, stop and start again with\n             CANVASS_SOURCE=overture canvass serve   (docs/sources.md lists the other sources)".to_owned(),
        source => format!("{source}: real businesses. CANVASS_SOURCE=sandbox switches to generated ones"),
    };
    let addresses = format!(
        "Canvass is listening.\n\n  Base URL   {base_url}\n  Sign in    {sign_in}\n  API docs   {docs}\n  Listings   {listings}\n"
    );
    let (Some(link), Some(key)) = (link, key) else {
        return format!(
            "{addresses}\nA link that signs in: canvass account link EMAIL. A key: canvass key create --email EMAIL --name NAME\n"
        );
    };
    format!(
        "{addresses}
A demo account was created: {DEMO_EMAIL}, scale plan, {DEMO_CREDITS} credits, all add-ons.
Open this to sign in; it works once, within 15 minutes (canvass account link {DEMO_EMAIL} makes another):

  {link}

Its key, shown only this once:

  {key}

  curl -H \"X-API-Key: {key}\" {base_url}/me
  curl -H \"X-API-Key: {key}\" -H \"Content-Type: application/json\" {base_url}/search/start \\
       -d '{{\"industry\": \"dentist\", \"location\": \"Austin, TX\"}}'
"
    )
}
