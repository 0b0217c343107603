//! Marks: what people note about leads, for programs too.

use axum::extract::State;
use canvass::App;
use canvass::mark::{self, Mark, MarkChange, MarkError, MarkedLead, NOTE_CHARS_MAX, TAG_CHARS_MAX, TAGS_MAX};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, ObjectBuilder, Type};

use crate::edge::Problem;
use crate::edge::body::{Json, JsonBody};
use crate::edge::caller::{Api, Authorized};
use crate::edge::fields::NoParameters;
use crate::edge::path::{LeadPath, SearchPath};
use crate::edge::problem::ProblemBody;

/// What is noted about a lead.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mark)]
pub struct MarkView {
    /// Whether it is starred.
    pub starred: bool,
    /// A note.
    #[schema(required, example = "Call in May")]
    pub note: Option<String>,
    /// Tags in lower case, sorted.
    #[schema(example = json!(["called", "warm"]))]
    pub tags: Vec<String>,
}

/// What is noted about one lead of a search.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MarkedLead)]
pub struct MarkedLeadView {
    /// The lead.
    #[schema(format = Uuid)]
    pub lead_id: String,
    /// What is noted about it.
    #[serde(flatten)]
    pub mark: MarkView,
}

/// A change of what is noted. What is left out stays as it is.
#[derive(Debug, ToSchema)]
#[schema(as = MarkChange)]
#[expect(dead_code, reason = "it only describes the body in the API document; Fields reads it")]
pub struct MarkChangeView {
    /// Whether it is starred.
    starred: Option<bool>,
    /// A note; an empty one removes it.
    #[schema(max_length = 2000)]
    note: Option<String>,
    /// All tags that it shall have.
    #[schema(schema_with = tags_schema)]
    tags: Option<Vec<String>>,
}

fn tags_schema() -> Array {
    let tag = ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(TAG_CHARS_MAX))
        .pattern(Some("\\S"));
    ArrayBuilder::new().items(tag).max_items(Some(TAGS_MAX)).description(Some("All tags that it shall have.")).build()
}

/// A tag in use.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TagCount)]
pub struct TagView {
    /// The tag.
    #[schema(example = "warm")]
    pub tag: String,
    /// Leads that have it.
    #[schema(minimum = 1, example = 12)]
    pub leads: u64,
}

impl From<Mark> for MarkView {
    fn from(mark: Mark) -> MarkView {
        MarkView { starred: mark.starred, note: mark.note, tags: mark.tags }
    }
}

impl From<MarkedLead> for MarkedLeadView {
    fn from(marked: MarkedLead) -> MarkedLeadView {
        MarkedLeadView { lead_id: marked.lead.to_string(), mark: marked.mark.into() }
    }
}

/// Mark a lead
///
/// Stars a lead, notes something about it, or tags it, for everybody who uses the account. The lead itself stays as it was
/// delivered.
#[utoipa::path(put, path = "/leads/{lead_id}/mark", operation_id = "markLead", tag = "Leads",
    params(("lead_id" = String, Path, format = Uuid, description = "A lead of this account.")),
    request_body = MarkChangeView,
    responses((status = 200, description = "What is noted about it now.", body = MarkView)))]
pub async fn set(path: LeadPath, _: NoParameters, JsonBody(mut fields): JsonBody) -> Result<Json<MarkView>, Problem> {
    let change = MarkChange {
        starred: fields.boolean("starred"),
        note: fields.lines("note", NOTE_CHARS_MAX),
        tags: fields.texts("tags", 0..=TAGS_MAX, 1..=TAG_CHARS_MAX),
    };
    fields.finish()?;
    let lead = path.find().await?;
    Ok(Json(mark::set(path.app(), &lead, change).await?.into()))
}

impl From<MarkError> for Problem {
    fn from(error: MarkError) -> Problem {
        match error {
            MarkError::Removed => Problem::new(StatusCode::CONFLICT, "removed", error.to_string()),
            MarkError::Db(error) => error.into(),
        }
    }
}

/// List the marks of a search
///
/// What is noted about the leads of a search. Leads about which nothing is noted are left out.
#[utoipa::path(get, path = "/searches/{search_id}/marks", operation_id = "listMarks", tag = "Leads",
    params(("search_id" = String, Path, format = Uuid, description = "A search of this account.")),
    responses((status = 200, description = "The marks, those changed last first.", body = [MarkedLeadView]),
        (status = 410, description = "The leads were deleted some days after the search ended.", body = ProblemBody)))]
pub async fn list(path: SearchPath, _: NoParameters) -> Result<Json<Vec<MarkedLeadView>>, Problem> {
    let search = path.find().await?;
    let found = mark::list(&path.app().db, path.caller().account().id, Some(search.owned_id()?)).await?;
    Ok(Json(found.into_iter().map(MarkedLeadView::from).collect()))
}

/// List tags
///
/// The tags in use on leads of the account, the most used first.
#[utoipa::path(get, path = "/tags", operation_id = "listTags", tag = "Leads",
    responses((status = 200, description = "The tags.", body = [TagView])))]
pub async fn tags_in_use(
    State(app): State<App>,
    caller: Authorized<Api>,
    _: NoParameters,
) -> Result<Json<Vec<TagView>>, Problem> {
    let found = mark::count_tags(&app.db, caller.account().id).await?;
    Ok(Json(found.into_iter().map(|(tag, leads)| TagView { tag, leads }).collect()))
}
