//! Periodic work of every server. Each chore is safe to repeat, and to be done by several servers at once.

use std::error::Error;

use crate::app::App;
use crate::db;
use crate::removal::Pruned;
use crate::{
    account, ai, geocode, idempotency, lead, provider, removal, request_rate, server_address, session, sign_in,
};

/// Does every chore once. What fails is logged and done the next time.
pub async fn run(app: &App) {
    if let Err(error) = server_address::note(app).await {
        failed(&error, "could not store where this server is reached");
    }
    match account::refill_due(app).await {
        Ok(0) => {}
        Ok(count) => tracing::info!("refilled {count} accounts"),
        Err(error) => failed(&error, "could not refill accounts"),
    }
    remove(app).await;
    if let Err(error) = lead::catch_up(app).await {
        failed(&error, "could not bring the leads of an earlier version up to date");
    }
    let seen = match db::see_time(&app.db, app.clock.now()).await {
        Ok(seen) => seen,
        Err(error) => return failed(&error, "could not update the time that the database has seen"),
    };
    if let Err(error) = idempotency::forget_old(&app.db, seen).await {
        failed(&error, "could not delete old idempotency records");
    }
    if let Err(error) = sign_in::forget_old(&app.db, seen).await {
        failed(&error, "could not delete old links and attempts to sign in");
    }
    if let Err(error) = session::forget_ended(&app.db, seen).await {
        failed(&error, "could not delete sessions that ended long ago");
    }
    if let Err(error) = provider::forget_old(&app.db, seen).await {
        failed(&error, "could not delete old answers of map providers");
    }
    if let Err(error) = request_rate::forget_old(&app.db, app.clock.now()).await {
        failed(&error, "could not delete old rates of requests");
    }
    if let Err(error) = geocode::forget_old(&app.db, seen).await {
        failed(&error, "could not delete old located addresses");
    }
    if let Err(error) = ai::forget_old(&app.db, seen).await {
        failed(&error, "could not delete old intro requests");
    }
}

/// Removes what may not, or is not to be stored any longer.
async fn remove(app: &App) {
    match removal::catch_up(app).await {
        Ok(removed) if removed.is_nothing() => {}
        Ok(removed) => tracing::info!("removed what was stored of suppressed businesses meanwhile: {removed:?}"),
        Err(error) => failed(&error, "could not remove what was stored of suppressed businesses meanwhile"),
    }
    match removal::expire(app).await {
        Ok(0) => {}
        Ok(count) => tracing::info!("deleted what Google listed from {count} leads, after google_keep_days"),
        Err(error) => failed(&error, "could not delete what Google listed long enough ago"),
    }
    match removal::prune(app).await {
        Ok(pruned) if pruned.is_nothing() => {}
        Ok(Pruned { leads, texts }) => tracing::info!(
            "deleted {leads} leads of searches that ended long ago, and the text of {texts} websites, as set by keep_searches_days and keep_site_text_days"
        ),
        Err(error) => failed(&error, "could not delete leads of searches that ended long ago"),
    }
}

fn failed(error: &(dyn Error + 'static), what: &str) {
    tracing::warn!(error, "{what}");
}
