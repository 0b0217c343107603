//! `watch_business`, `unwatch_business` and `list_radar`.

use canvass::ids::{LeadId, WatchId};
use canvass::radar::{self, Feed};
use serde::Serialize;

use super::{Answer, Call};
use crate::api::radar::{AlertView, UnwatchedView, WatchView, WatchedView};
use crate::edge::Problem;
use crate::edge::caller::Radar;
use crate::edge::path::WatchPath;

/// Alerts shown when not said, and at most; watches shown: what a conversation can hold.
const ALERTS_DEFAULT: i64 = 20;
const ALERTS_MAX: i64 = 100;
const WATCHES_SHOWN_MAX: usize = 50;

pub(super) async fn watch(mut call: Call) -> Result<Answer, Problem> {
    let caller = call.authorize::<Radar>()?;
    let lead = call.id("lead_id");
    call.finish()?;
    let lead = LeadId::parse(&lead).ok_or_else(|| Problem::not_found("lead"))?;
    let watched = radar::watch(&call.edge.app, caller.account(), lead, None).await?;
    let next = "Its website is read about once a day. Call list_radar later to see what changed.";
    Answer::new(&WatchedView::from(watched), next)
}

pub(super) async fn unwatch(mut call: Call) -> Result<Answer, Problem> {
    let caller = call.authorize::<Radar>()?;
    let watch = call.id("watch_id");
    call.finish()?;
    let id = WatchId::parse(&watch).ok_or_else(WatchPath::missing)?;
    let (app, account) = (&call.edge.app, caller.account());
    let used = radar::unwatch(app, account.id, id).await?.ok_or_else(WatchPath::missing)?;
    let cap = app.settings.plans.of(account.tier).radar_cap;
    let view = UnwatchedView { id: id.to_string(), watching: false, used, cap };
    Answer::new(&view, "It is not watched any more; alerts told before stay in list_radar.")
}

#[derive(Serialize)]
struct RadarView {
    watches: Vec<WatchView>,
    total_watches: usize,
    alerts: Vec<AlertView>,
}

pub(super) async fn list(mut call: Call) -> Result<Answer, Problem> {
    let caller = call.authorize::<Radar>()?;
    let since = call.fields.moment("since");
    let limit = call.fields.integer("limit", 1..=ALERTS_MAX).unwrap_or(ALERTS_DEFAULT);
    call.finish()?;
    let (db, account) = (&call.edge.app.db, caller.account().id);
    let watches = radar::list(db, account).await?;
    let alerts = radar::alerts(db, account, Feed { since, limit }).await?;
    let view = RadarView {
        total_watches: watches.len(),
        watches: watches.into_iter().take(WATCHES_SHOWN_MAX).map(WatchView::from).collect(),
        alerts: alerts.into_iter().map(AlertView::from).collect(),
    };
    Answer::new(&view, next_step(&view))
}

fn next_step(view: &RadarView) -> &'static str {
    match (view.watches.is_empty(), view.alerts.is_empty()) {
        (true, _) => "Nothing is watched: call watch_business with a lead_id from get_leads.",
        (false, true) => "Nothing has changed. Call list_radar again another day.",
        (false, false) => {
            "Tell the user what changed. To read on later, pass the newest alert's created_at as since; write_intro \
             with its lead_id opens an e-mail."
        }
    }
}
