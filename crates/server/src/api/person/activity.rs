//! What happened to a person's account.

use axum::extract::State;
use canvass::App;
use canvass::activity::{self, Activity, Kind};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::Object;

use crate::edge::Problem;
use crate::edge::body::Json;
use crate::edge::caller::SignedIn;
use crate::edge::fields::NoParameters;
use crate::edge::schema::one_of;

/// How many are listed.
const LISTED_MAX: i64 = 200;

/// Something that happened to the account.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Activity)]
pub struct ActivityView {
    /// When.
    #[schema(format = DateTime)]
    pub at: String,
    /// What.
    #[schema(schema_with = kind_schema)]
    pub kind: String,
    /// What it happened to, such as the name of a key; null when that is the account.
    #[schema(required, example = "laptop")]
    pub detail: Option<String>,
    /// From which device; null when unknown.
    #[schema(required, example = "Firefox on Linux")]
    pub device: Option<String>,
}

fn kind_schema() -> Object {
    one_of("What happened.", Kind::ALL.map(Kind::name))
}

impl From<Activity> for ActivityView {
    fn from(activity: Activity) -> ActivityView {
        let Activity { kind, detail, device, created_at, .. } = activity;
        ActivityView { at: created_at.to_string(), kind, detail, device }
    }
}

/// List what happened
///
/// The latest sign-ins, changes of keys and of the account, newest first.
#[utoipa::path(get, path = "/account/activity", operation_id = "listActivity", tag = "Web app",
    responses((status = 200, description = "What happened.", body = [ActivityView])))]
pub async fn list(
    State(app): State<App>,
    person: SignedIn,
    _: NoParameters,
) -> Result<Json<Vec<ActivityView>>, Problem> {
    let happened = activity::list(&app.db, person.account.id, LISTED_MAX).await?;
    Ok(Json(happened.into_iter().map(ActivityView::from).collect()))
}
