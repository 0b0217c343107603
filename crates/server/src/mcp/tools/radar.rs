//! `watch_business`, `unwatch_business` and `list_radar`.

use canvass::ids::{LeadId, WatchId};
use canvass::radar::{self, Feed};
use schemars::JsonSchema;
use serde::Serialize;

use super::call::{ToolCall, ToolResponse};
use super::definition::{Content, Effect, ToolDefinition};
use super::leads::LeadArguments;
use super::schema::{self, ApiView};
use crate::api::radar::{AlertView, UnwatchedView, WatchView, WatchedView};
use crate::edge::Problem;
use crate::edge::caller::Radar;
use crate::edge::path::WatchPath;

/// Alerts shown, when the call does not say and at most, and watches shown: as many as fit a conversation.
const ALERTS_DEFAULT: i64 = 20;
const ALERTS_MAX: i64 = 100;
const WATCHES_SHOWN_MAX: usize = 50;

pub(super) const WATCH_BUSINESS: ToolDefinition = ToolDefinition {
    name: "watch_business",
    title: "Watch a business",
    description: "Adds the business of a lead to Radar, which records an alert when its website signals change. Needs \
                  the Radar add-on.",
    content: Content::ThirdParty,
    effect: Effect { open_world: true, ..Effect::WRITES_ONCE },
    input: schema::input::<LeadArguments>,
    output: schema::output::<ApiView<WatchedView>>,
    run: |call| Box::pin(watch(call)),
};

pub(super) const UNWATCH_BUSINESS: ToolDefinition = ToolDefinition {
    name: "unwatch_business",
    title: "Stop watching a business",
    description: "Removes a watch from Radar.",
    content: Content::Own,
    effect: Effect { destructive: true, ..Effect::WRITES_ONCE },
    input: schema::input::<WatchArguments>,
    output: schema::output::<ApiView<UnwatchedView>>,
    run: |call| Box::pin(unwatch(call)),
};

pub(super) const LIST_RADAR: ToolDefinition = ToolDefinition {
    name: "list_radar",
    title: "Show Radar watches and alerts",
    description: "Shows the watched businesses and the alerts after a time.",
    content: Content::ThirdParty,
    effect: Effect::READS,
    input: schema::input::<ListAlertsArguments>,
    output: schema::output::<RadarView>,
    run: |call| Box::pin(list(call)),
};

#[derive(JsonSchema)]
#[expect(dead_code, reason = "it only describes the arguments; Fields reads them")]
struct WatchArguments {
    /// Identifier of a watch, from list_radar.
    #[schemars(length(min = 1))]
    watch_id: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "it only describes the arguments; Fields reads them")]
struct ListAlertsArguments {
    /// ISO 8601 time; UTC when it has no offset. Only alerts after it, oldest first; without it the newest first.
    since: Option<String>,
    /// Most alerts to return.
    #[schemars(range(min = 1, max = ALERTS_MAX), extend("default" = ALERTS_DEFAULT))]
    limit: Option<i64>,
}

async fn watch(mut call: ToolCall) -> Result<ToolResponse, Problem> {
    let caller = call.authorize::<Radar>()?;
    let lead = call.id("lead_id");
    call.finish()?;
    let lead = LeadId::parse(&lead).ok_or_else(|| Problem::not_found("lead"))?;
    let watched = radar::watch(&call.edge.app, caller.account(), lead, None).await?;
    let next = "Its website is read about once a day. Call list_radar later to see what changed.";
    ToolResponse::new(&WatchedView::from(watched), next)
}

async fn unwatch(mut call: ToolCall) -> Result<ToolResponse, Problem> {
    let caller = call.authorize::<Radar>()?;
    let watch = call.id("watch_id");
    call.finish()?;
    let id = WatchId::parse(&watch).ok_or_else(WatchPath::missing)?;
    let (app, account) = (&call.edge.app, caller.account());
    let used = radar::unwatch(app, account.id, id).await?.ok_or_else(WatchPath::missing)?;
    let cap = app.settings.plans.of(account.tier).radar_cap;
    let view = UnwatchedView { id: id.to_string(), watching: false, used, cap };
    ToolResponse::new(&view, "It is not watched any more; alerts told before stay in list_radar.")
}

#[derive(Serialize, JsonSchema)]
struct RadarView {
    /// Watched businesses, newest first, at most 50.
    #[schemars(with = "Vec<ApiView<WatchView>>")]
    watches: Vec<WatchView>,
    /// Businesses watched in all.
    total_watches: usize,
    /// Alerts, in the order that since asks for.
    #[schemars(with = "Vec<ApiView<AlertView>>")]
    alerts: Vec<AlertView>,
}

async fn list(mut call: ToolCall) -> Result<ToolResponse, Problem> {
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
    ToolResponse::new(&view, next_step(&view))
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
