//! `get_leads` and `get_lead`.

use canvass::exports::Row;
use canvass::lead::{self, Lock, Order, Page, StoredLead, Wanted};
use canvass::search::Search;
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Answer, Call};
use crate::api::lead::{permit, which};
use crate::edge::Problem;
use crate::edge::fields::Fields;

/// Leads on a page when not said, and at most: what a conversation can hold.
const PAGE_LEADS_DEFAULT: i64 = 20;
const PAGE_LEADS_MAX: i64 = 50;
/// Characters of a cursor, and what stands in each between the order and the offset.
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

/// What a salesperson needs of a lead at a glance.
#[derive(Serialize)]
struct SummaryView {
    lead_id: String,
    business_name: String,
    phone: Option<String>,
    primary_email: Option<String>,
    owner_name: Option<String>,
    owner_title: Option<String>,
    website: Option<String>,
    address: Option<String>,
    rating: Option<f64>,
    review_count: Option<i64>,
    score: Option<i64>,
}

impl From<Row> for SummaryView {
    fn from(row: Row) -> SummaryView {
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
            score: row.premium.map(|premium| premium.score),
        }
    }
}

#[derive(Serialize)]
struct PageView {
    search_id: String,
    status: &'static str,
    total: usize,
    leads: Vec<Box<RawValue>>,
    next_cursor: Option<String>,
}

pub(super) async fn list(mut call: Call) -> Result<Answer, Problem> {
    let path = call.search()?;
    let (filter, asked) = which(&mut call.fields);
    let (begun, page) = page(&mut call.fields);
    let detail = call.fields.choice("detail", &Detail::ALL, Detail::name).unwrap_or(Detail::Summary);
    call.finish()?;
    permit(&filter, &path)?;
    let search = path.find().await?;
    let order = begun.or(asked).unwrap_or(Order::of_list(search.is_running()));
    let wanted = Wanted { filter, order, page };
    let mut listed = lead::list(&path.app().db, search.owned_id(), &wanted, path.lock()).await?;
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
    Answer::new(&view, next_step(&search, &view))
}

fn written(lead: &StoredLead, detail: Detail, lock: Lock) -> Result<Box<RawValue>, serde_json::Error> {
    match detail {
        Detail::Full => RawValue::from_string(lead.json(lock)),
        Detail::Summary => serde_json::value::to_raw_value(&SummaryView::from(Row::read(lead, lock)?)),
    }
}

/// Which page, and in which order the pages before it were: they fit together even when the search ends between them.
fn page(fields: &mut Fields) -> (Option<Order>, Page) {
    let limit = fields.integer("limit", 1..=PAGE_LEADS_MAX).unwrap_or(PAGE_LEADS_DEFAULT);
    let place = fields.text("cursor", 1..=CURSOR_CHARS_MAX).and_then(|cursor| {
        let place = read_cursor(&cursor);
        if place.is_none() {
            fields.contradict("cursor", "must be the next_cursor of the page before; leave it out for the first page");
        }
        place
    });
    let (order, offset) = place.unzip();
    (order, Page { offset: offset.unwrap_or(0), limit: usize::try_from(limit).ok() })
}

fn read_cursor(cursor: &str) -> Option<(Order, usize)> {
    let (order, offset) = cursor.split_once(CURSOR)?;
    let order = Order::ALL.into_iter().find(|known| known.name() == order)?;
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

pub(super) async fn show(mut call: Call) -> Result<Answer, Problem> {
    let path = call.lead("lead_id")?;
    call.finish()?;
    let json = path.find().await?.json(path.lock());
    let lead: serde_json::Value = serde_json::from_str(&json).map_err(|_| Problem::internal())?;
    Answer::new(&lead, "write_intro opens an e-mail to this business, watch_business tells when its website changes.")
}
