//! `GET /credits`: the ledger, page by page.

use axum::extract::State;
use axum::response::Response;
use canvass::App;
use canvass::credits::{self, LedgerLine, Reason};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::Object;

use crate::edge::Problem;
use crate::edge::caller::{Api, Authorized};
use crate::edge::etag::tagged;
use crate::edge::fields::Fields;
use crate::edge::schema::one_of;

/// Lines on a page when the client does not say.
const PAGE_LINES_DEFAULT: i64 = 50;
/// Lines on a page at most.
const PAGE_LINES_MAX: i64 = 200;

/// One line of the ledger.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CreditEntry)]
pub struct LineView {
    /// Its number within the account; the first line is 1.
    #[schema(minimum = 1, example = 2)]
    pub line: i64,
    /// Credits gained, or spent when below zero.
    #[schema(example = -1)]
    pub amount: i64,
    /// The balance after this line.
    #[schema(minimum = 0, example = 479)]
    pub balance: i64,
    /// Why the balance changed.
    #[schema(schema_with = reason_schema)]
    pub reason: &'static str,
    /// What it was for: a lead's id, or the month of a refill. Null for grants.
    #[schema(required, example = "019a8546-6d1b-7cc0-b6dd-8f3b5f0c9d11")]
    pub subject: Option<String>,
    /// A word from the operator.
    #[schema(required, example = json!(null))]
    pub note: Option<String>,
    /// When it was written.
    #[schema(format = DateTime, example = "2026-11-15T02:03:04.123456+00:00")]
    pub created_at: String,
}

fn reason_schema() -> Object {
    one_of("Why the balance changed.", Reason::ALL.map(Reason::name))
}

impl From<LedgerLine> for LineView {
    fn from(line: LedgerLine) -> LineView {
        LineView {
            line: line.line,
            amount: line.amount,
            balance: line.balance,
            reason: line.reason.name(),
            subject: line.subject,
            note: line.note,
            created_at: line.created_at.to_string(),
        }
    }
}

/// List the credit ledger
///
/// Every change of the balance, newest first. The balance is always the sum of all lines. Page backwards by passing the
/// last line's number as `before`, or follow the `Link` header.
#[utoipa::path(get, path = "/credits", operation_id = "listCredits", tag = "Account",
    params(
        ("limit" = Option<i64>, Query, description = "Lines on a page.", minimum = 1, maximum = 200, example = 50),
        ("before" = Option<i64>, Query, description = "Only lines with a lower number.", minimum = 1, example = 100),
    ),
    responses((status = 200, description = "A page of the ledger.", body = Vec<LineView>,
        headers(
            ("X-Total-Count" = i64, description = "How many lines there are in all."),
            ("Link" = String, description = "The next page, as `rel=\"next\"`, when there is one."),
        ))))]
pub async fn list(
    State(app): State<App>,
    caller: Authorized<Api>,
    mut query: Fields,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let limit = query.integer("limit", 1..=PAGE_LINES_MAX).unwrap_or(PAGE_LINES_DEFAULT);
    let before = query.integer("before", 1..=i64::MAX);
    query.finish()?;
    let account = caller.account().id;
    let lines = credits::page(&app.db, account, before, limit).await?;
    let next = lines.last().map(|line| line.line).filter(|line| *line > 1);
    let views: Vec<LineView> = lines.into_iter().map(LineView::from).collect();
    let mut response = tagged(&headers, &views)?;
    let total = credits::count(&app.db, account).await?;
    response.headers_mut().insert(HeaderName::from_static("x-total-count"), HeaderValue::from(total));
    if let Some(next) = next {
        let link = format!("</credits?before={next}&limit={limit}>; rel=\"next\"");
        response.headers_mut().insert(http::header::LINK, HeaderValue::try_from(link).expect("digits are plain text"));
    }
    Ok(response)
}
