//! The response of a website to one request: the page, or whatever the site does instead.

use std::time::Duration;

use bytes::Bytes;

use crate::fault::Fault;
use crate::random::{Purpose, Random};
use crate::site::age::{is_down, plan_at};
use crate::site::condition::SiteCondition;
use crate::site::pages::{self, PageKind, PagePlan};
use crate::site::plan::{Plan, Subject};
use crate::site::render;
use crate::site::renderer::Pixels;
use crate::site::style;
use crate::site::text::escape;
use crate::weather::Weather;

/// One response of a website, and how it is delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteResponse {
    /// The HTTP status.
    pub status: u16,
    /// Headers, names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// The complete body, before `behaviour` is applied.
    pub body: Bytes,
    /// How it is delivered.
    pub behaviour: Behaviour,
}

/// How a response is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    /// Immediately and completely.
    Plain,
    /// After a delay.
    Delay(Duration),
    /// Never.
    Hang,
    /// Not at all: the connection is closed.
    Reset,
    /// This many bytes, then the connection is closed.
    Truncate(usize),
    /// A few bytes at a time.
    Drip {
        /// Bytes sent together.
        bytes: usize,
        /// The pause after them.
        pause: Duration,
    },
    /// Repeated until the reader gives up.
    Endless,
}

/// The parts of a request that websites react to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SiteRequest<'q> {
    /// The requested host, possibly with a port.
    pub(crate) host: &'q str,
    /// Whether the host started with `www.`.
    pub(crate) has_www: bool,
    /// Path and query.
    pub(crate) path: &'q str,
    /// The age of the world.
    pub(crate) age: u32,
    /// How often the first page was requested before.
    pub(crate) fetch: u32,
    /// The weather, which tells the scheme of the website's addresses.
    pub(crate) weather: Weather,
}

/// Keeps browsers from loading anything from the vendors named on the pages.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline'";

/// Size of images, in pixels.
const PICTURE_WIDTH: usize = 240;
const LOGO_HEIGHT: usize = 80;
const LOGO_LETTER_WIDTH: usize = 17;
/// Letters of a name that fit on a logo.
const LOGO_LETTERS_MAX: usize = 40;

/// Part of a truncated page that is sent, in percent.
const TRUNCATED_PERCENT: usize = 45;

/// The response of a website.
pub(crate) fn respond(subject: &Subject<'_>, request: &SiteRequest<'_>) -> SiteResponse {
    let plan = plan_at(subject, request.age);
    let path = request.path.split(['?', '#']).next().unwrap_or("/");
    if path == "/robots.txt" {
        return robots(plan.condition);
    }
    if is_down(subject, request.age) && plan.condition.site_status() == "ok" {
        return plain(500, "<html><head><title>500</title></head><body><h1>Internal Server Error</h1></body></html>");
    }
    if let Some(response) = instead(&plan, request, path) {
        return response;
    }
    if path.ends_with(".svg") {
        return picture(subject, &plan, path);
    }
    if path == style::SHEET_PATH {
        return SiteResponse { headers: headers("text/css; charset=utf-8"), ..plain(200, &style::sheet(&plan)) };
    }
    match pages::find(&plan.pages, path) {
        Some(page) => page_response(subject, &plan, page, request),
        None => plain(404, "<html><head><title>Not found</title></head><body><h1>Page not found</h1></body></html>"),
    }
}

fn page_response(subject: &Subject<'_>, plan: &Plan, page: &PagePlan, request: &SiteRequest<'_>) -> SiteResponse {
    let flickers = subject.fault == Fault::Flicker && request.fetch % 2 == 1;
    let html = render::page(subject, plan, page, if flickers { Pixels::Missing } else { Pixels::Shown });
    let behaviour = behaviour(subject, plan, page, html.len());
    let body = match plan.condition {
        SiteCondition::WrongCharset => latin(&html),
        _ => html.into_bytes(),
    };
    SiteResponse { status: 200, headers: headers("text/html; charset=utf-8"), body: body.into(), behaviour }
}

fn behaviour(subject: &Subject<'_>, plan: &Plan, page: &PagePlan, bytes: usize) -> Behaviour {
    let mut random = Random::of(subject.seed, Purpose::Hostility, &[subject.key.keys()[2], page.kind as u64]);
    // The slow page of a site that has one: contact, or the first page without a contact page.
    let slow = if plan.has(PageKind::Contact) { PageKind::Contact } else { PageKind::Home };
    match plan.condition {
        SiteCondition::Truncated if page.kind == PageKind::About => {
            Behaviour::Truncate(bytes * TRUNCATED_PERCENT / 100)
        }
        SiteCondition::SlowPage if page.kind == slow => {
            Behaviour::Delay(Duration::from_millis(random.between(300, 800) as u64))
        }
        SiteCondition::SlowSite => Behaviour::Delay(Duration::from_millis(random.between(2_000, 4_000) as u64)),
        SiteCondition::Drip => Behaviour::Drip { bytes: 4 * 1024, pause: Duration::from_millis(250) },
        _ => Behaviour::Plain,
    }
}

/// What some websites do whatever the request.
fn instead(plan: &Plan, request: &SiteRequest<'_>, path: &str) -> Option<SiteResponse> {
    let with = |behaviour: Behaviour| SiteResponse { behaviour, ..plain(200, "<html><body>") };
    Some(match plan.condition {
        SiteCondition::Dead if plan.look.is_multiple_of(2) => {
            plain(410, "<html><body>This site is gone.</body></html>")
        }
        SiteCondition::Dead => plain(404, "<html><body>There is no website here.</body></html>"),
        SiteCondition::Parked => plain(200, PARKED),
        SiteCondition::Blocked => {
            plain(403, "<html><head><title>403 Forbidden</title></head><body>Forbidden</body></html>")
        }
        SiteCondition::Challenge => plain(200, CHALLENGE),
        SiteCondition::Failing => {
            plain(500, "<html><body><h1>Error establishing a database connection</h1></body></html>")
        }
        SiteCondition::Reset => with(Behaviour::Reset),
        SiteCondition::Hang => with(Behaviour::Hang),
        SiteCondition::Empty => plain(200, ""),
        SiteCondition::Endless => {
            SiteResponse { behaviour: Behaviour::Endless, ..plain(200, &"<!-- and so on -->\n".repeat(800)) }
        }
        SiteCondition::NotHtml => SiteResponse { headers: headers("application/pdf"), ..plain(200, "%PDF-1.4 flyer") },
        SiteCondition::Garbage => SiteResponse { body: garbage(plan.look), ..plain(200, "") },
        _ => return redirect(plan, request, path),
    })
}

fn redirect(plan: &Plan, request: &SiteRequest<'_>, path: &str) -> Option<SiteResponse> {
    let target = match (plan.condition, path) {
        (SiteCondition::Www, _) if !request.has_www => {
            format!("{}://www.{}{}", request.weather.scheme(), request.host, request.path)
        }
        (SiteCondition::RedirectChain, "/") => "/welcome".to_owned(),
        (SiteCondition::RedirectChain, "/welcome") => "/welcome/start".to_owned(),
        (SiteCondition::RedirectChain, "/welcome/start") => "/index.html".to_owned(),
        (SiteCondition::RedirectLoop, "/loop") => "/".to_owned(),
        (SiteCondition::RedirectLoop, _) => "/loop".to_owned(),
        (SiteCondition::RedirectSocial, _) => format!("https://www.facebook.com/{}", plan.slug.replace('-', "")),
        _ => return None,
    };
    let mut response = plain(if plan.look.is_multiple_of(2) { 301 } else { 302 }, "");
    response.headers.push(("location", target));
    Some(response)
}

fn robots(condition: SiteCondition) -> SiteResponse {
    let text = match condition {
        SiteCondition::Robots => "User-agent: *\nDisallow: /\n",
        SiteCondition::RobotsBroken => return plain(500, "<html><body>Internal Server Error</body></html>"),
        SiteCondition::Reset => return SiteResponse { behaviour: Behaviour::Reset, ..plain(200, "") },
        SiteCondition::Dead | SiteCondition::Blocked => return plain(404, "<html><body>Not found</body></html>"),
        _ => "User-agent: *\nDisallow: /wp-admin/\nDisallow: /cart\nAllow: /\n",
    };
    SiteResponse { headers: headers("text/plain; charset=utf-8"), ..plain(200, text) }
}

fn headers(content_type: &str) -> Vec<(&'static str, String)> {
    vec![
        ("content-type", content_type.to_owned()),
        ("content-security-policy", POLICY.to_owned()),
        ("cache-control", "no-store".to_owned()),
        ("server", "canvass-sandbox".to_owned()),
    ]
}

fn plain(status: u16, html: &str) -> SiteResponse {
    let body = Bytes::copy_from_slice(html.as_bytes());
    SiteResponse { status, headers: headers("text/html; charset=utf-8"), body, behaviour: Behaviour::Plain }
}

/// An image of one colour, so that pages look reasonable in a browser; a logo shows the name.
fn picture(subject: &Subject<'_>, plan: &Plan, path: &str) -> SiteResponse {
    let (hue, is_logo) = (style::hue(plan.look), path.ends_with("logo.svg"));
    let mut name = String::new();
    if is_logo {
        escape(&mut name, &subject.business.name);
    }
    let letters = subject.business.name.chars().count().min(LOGO_LETTERS_MAX);
    let width = if is_logo { LOGO_HEIGHT + letters * LOGO_LETTER_WIDTH } else { PICTURE_WIDTH };
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{LOGO_HEIGHT}\"><rect width=\"{width}\" height=\"{LOGO_HEIGHT}\" rx=\"12\" fill=\"hsl({hue},45%,{}%)\"/><text x=\"50%\" y=\"52\" text-anchor=\"middle\" font-family=\"Georgia,serif\" font-size=\"30\" fill=\"#fff\">{name}</text></svg>",
        if is_logo { 34 } else { 60 }
    );
    SiteResponse { headers: headers("image/svg+xml"), ..plain(200, &svg) }
}

/// The text in Latin-1, as an old editor would save it.
fn latin(html: &str) -> Vec<u8> {
    html.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap_or(b'?')).collect()
}

fn garbage(look: u64) -> Bytes {
    let mut random = Random::of(look, Purpose::Page, &[]);
    (0..4_096).flat_map(|_| random.next().to_le_bytes()).collect()
}

const PARKED: &str = "<!doctype html><html><head><title>Domain parked</title></head><body><h1>This domain is for sale</h1>\
<p>Interested? Make an offer.</p><ul><li>Related searches</li><li>Plumbing offers</li><li>Insurance quotes</li></ul></body></html>";

const CHALLENGE: &str = "<!doctype html><html><head><title>Just a moment...</title></head><body><p>Please wait while we check \
that you are not a robot.</p></body></html>";
