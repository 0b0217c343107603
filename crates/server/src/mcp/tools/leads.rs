//! `get_leads` and `get_lead`.

use canvass::exports::ExportRow;
use canvass::lead::{self, LeadDocument, LeadOrder, LeadPage, LeadQuery, Lock};
use canvass::search::{REQUESTED_MAX, Search};
use schemars::{JsonSchema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::value::RawValue;

use super::call::{ToolCall, ToolResponse};
use super::definition::{Content, Effect, ToolDefinition};
use super::schema::{self, ApiView};
use super::search::{SearchArguments, status_schema};
use crate::api::lead::{LeadFilterView, LeadView, filter_and_order, permit};
use crate::edge::Problem;
use crate::edge::fields::Fields;

/// Leads on a page, when the call does not say and at most: as much as fits a conversation.
const PAGE_LEADS_DEFAULT: i64 = 20;
const PAGE_LEADS_MAX: i64 = 50;
/// Characters of a cursor at most, and what separates the order from the offset in it.
const CURSOR_CHARS_MAX: usize = 40;
const CURSOR: &str = "-after-";

/// How much of each lead is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Summary,
    Full,
}

impl Detail {
    const ALL: [Detail; 2] = [Detail::Summary, Detail::Full];

    fn name(self) -> &'static str {
        match self {
            Detail::Summary => "summary",
            Detail::Full => "full",
        }
    }
}

pub(super) const GET_LEADS: ToolDefinition = ToolDefinition {
    name: "get_leads",
    title: "Show the leads of a search",
    description: "Shows leads of a search, a page at a time. Costs no credits. Works while the search runs.",
    content: Content::ThirdParty,
    effect: Effect::READS,
    input: schema::input::<ListLeadsArguments>,
    output: schema::output::<PageView>,
    run: |call| Box::pin(list(call)),
};

pub(super) const GET_LEAD: ToolDefinition = ToolDefinition {
    name: "get_lead",
    title: "Show one lead",
    description: "Shows every field of one lead.",
    content: Content::ThirdParty,
    effect: Effect::READS,
    input: schema::input::<LeadArguments>,
    output: schema::output::<ApiView<LeadView>>,
    run: |call| Box::pin(show(call)),
};

#[derive(JsonSchema)]
#[expect(dead_code, reason = "it only describes the arguments; Fields reads them")]
struct ListLeadsArguments {
    #[schemars(flatten)]
    search: SearchArguments,
    /// Leads per page.
    #[schemars(range(min = 1, max = PAGE_LEADS_MAX), extend("default" = PAGE_LEADS_DEFAULT))]
    limit: Option<i64>,
    /// next_cursor of the page before.
    #[schemars(length(min = 1, max = CURSOR_CHARS_MAX))]
    cursor: Option<String>,
    /// full adds every e-mail, social links and signals.
    #[schemars(default, schema_with = "detail_schema", extend("default" = Detail::Summary.name()))]
    detail: Option<String>,
    #[schemars(flatten)]
    filter: LeadFilterView,
}

/// The argument of tools about one lead.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it only describes the arguments; Fields reads them")]
pub(super) struct LeadArguments {
    /// Identifier of a lead, from get_leads.
    #[schemars(length(min = 1))]
    lead_id: String,
}

fn detail_schema(_: &mut SchemaGenerator) -> schemars::Schema {
    json_schema!({"type": "string", "enum": Detail::ALL.map(Detail::name)})
}

/// What a salesperson needs of a lead at a glance.
#[derive(Serialize, JsonSchema)]
struct SummaryView {
    /// Identifier.
    lead_id: String,
    /// Name.
    business_name: String,
    /// Phone.
    phone: Option<String>,
    /// Best e-mail.
    primary_email: Option<String>,
    /// Owner.
    owner_name: Option<String>,
    /// Owner's title.
    owner_title: Option<String>,
    /// Website.
    website: Option<String>,
    /// Address.
    address: Option<String>,
    /// Listing rating.
    rating: Option<f64>,
    /// Reviews.
    review_count: Option<i64>,
    /// Opportunity score, null without Signals+.
    score: Option<i64>,
}

impl From<ExportRow> for SummaryView {
    fn from(row: ExportRow) -> SummaryView {
        let lead = row.lead;
        SummaryView {
            lead_id: lead.lead_id.to_string(),
            business_name: lead.business_name,
            phone: lead.phone,
            primary_email: lead.primary_email,
            owner_name: lead.owner_name,
            owner_title: lead.owner_title,
            website: lead.website,
            address: lead.address,
            rating: lead.rating,
            review_count: lead.review_count,
            score: row.premium.score,
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct PageView {
    /// Identifier.
    search_id: String,
    /// State of the search.
    #[schemars(schema_with = "status_schema")]
    status: &'static str,
    /// Leads that match.
    #[schemars(range(min = 0, max = REQUESTED_MAX))]
    total: usize,
    /// The page.
    #[schemars(schema_with = "leads_schema")]
    leads: Vec<Box<RawValue>>,
    /// Pass as cursor for the next page; null at the end.
    next_cursor: Option<String>,
}

/// Leads in either detail. Only what both have is required.
fn leads_schema(generator: &mut SchemaGenerator) -> schemars::Schema {
    let mut summary = generator.subschema_for::<SummaryView>();
    summary.insert("required".into(), serde_json::json!(["lead_id", "business_name"]));
    json_schema!({"type": "array", "items": summary})
}

async fn list(mut call: ToolCall) -> Result<ToolResponse, Problem> {
    let path = call.search()?;
    let (filter, asked) = filter_and_order(&mut call.fields);
    let (begun, page) = page(&mut call.fields);
    let detail = call.fields.choice("detail", &Detail::ALL, Detail::name).unwrap_or(Detail::Summary);
    call.finish()?;
    permit(&filter, &path)?;
    let search = path.find().await?;
    let order = begun.or(asked).unwrap_or(LeadOrder::of_list(search.is_running()));
    let wanted = LeadQuery { filter, order, page };
    let mut listed = lead::list(&path.app().db, search.owned_id()?, &wanted, path.lock()).await?;
    let (total, shown) = (listed.total, listed.next_rows().await?);
    let leads = shown.iter().map(|lead| written(lead, detail, path.lock())).collect::<Result<Vec<_>, _>>();
    let end = page.offset + shown.len();
    let view = PageView {
        search_id: search.id.to_string(),
        status: search.status.name(),
        total,
        leads: leads.map_err(|_| Problem::internal())?,
        next_cursor: (end < total).then(|| format!("{}{CURSOR}{end}", order.name())),
    };
    ToolResponse::new(&view, next_step(&search, &view))
}

fn written(lead: &LeadDocument, detail: Detail, lock: Lock) -> Result<Box<RawValue>, serde_json::Error> {
    match detail {
        Detail::Full => RawValue::from_string(lead.json(lock)),
        Detail::Summary => serde_json::value::to_raw_value(&SummaryView::from(ExportRow::read(lead, lock)?)),
    }
}

/// The page, and the order of the pages before it: they fit together even when the search ends between them.
fn page(fields: &mut Fields) -> (Option<LeadOrder>, LeadPage) {
    let limit = fields.integer("limit", 1..=PAGE_LEADS_MAX).unwrap_or(PAGE_LEADS_DEFAULT);
    let place = fields.text("cursor", 1..=CURSOR_CHARS_MAX).and_then(|cursor| {
        let place = read_cursor(&cursor);
        if place.is_none() {
            fields.contradict("cursor", "must be the next_cursor of the page before; leave it out for the first page");
        }
        place
    });
    let (order, offset) = place.unzip();
    (order, LeadPage { offset: offset.unwrap_or(0), limit: usize::try_from(limit).ok() })
}

fn read_cursor(cursor: &str) -> Option<(LeadOrder, usize)> {
    let (order, offset) = cursor.split_once(CURSOR)?;
    let order = LeadOrder::ALL.into_iter().find(|known| known.name() == order)?;
    Some((order, usize::try_from(offset.parse::<u32>().ok()?).ok()?))
}

fn next_step(search: &Search, view: &PageView) -> &'static str {
    match (&view.next_cursor, view.leads.is_empty(), search.is_running()) {
        (Some(_), ..) => {
            "There are more: call get_leads with cursor set to next_cursor, or export_leads for all in a file."
        }
        (None, true, true) => "There are none yet: call wait_for_search, then get_leads again.",
        (None, true, false) => "No lead matches: leave out filters, or call start_search with a wider area.",
        (None, false, true) => "More may come: call wait_for_search, then get_leads again.",
        (None, false, false) => {
            "That is all. get_lead shows one with its evidence, write_intro opens an e-mail, export_leads makes a file."
        }
    }
}

async fn show(mut call: ToolCall) -> Result<ToolResponse, Problem> {
    let path = call.lead("lead_id")?;
    call.finish()?;
    let json = path.find().await?.json(path.lock());
    let lead: serde_json::Value = serde_json::from_str(&json).map_err(|_| Problem::internal())?;
    ToolResponse::new(
        &lead,
        "write_intro opens an e-mail to this business, watch_business tells when its website changes.",
    )
}
