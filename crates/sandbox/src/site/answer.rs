//! What a website answers to one request: the page, or whatever it does instead.

use std::time::Duration;

use bytes::Bytes;

use crate::chance::{Chance, Purpose};
use crate::site::age::{is_down, plan_at};
use crate::site::manner::Manner;
use crate::site::pages::{self, PageKind, PagePlan};
use crate::site::plan::{Plan, Subject};
use crate::site::render::{self, Pixels};
use crate::site::style;
use crate::site::text::escape;
use crate::trouble::Trouble;

/// One answer of a website, and how it arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// Headers, names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// The whole body.
    pub body: Bytes,
    /// How it arrives.
    pub behaviour: Behaviour,
}

/// How an answer arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    /// At once and whole.
    Plain,
    /// After a while.
    Delay(Duration),
    /// Never.
    Hang,
    /// Not at all: the connection closes.
    Reset,
    /// So many bytes of it, then the connection closes.
    Truncate(usize),
    /// A few bytes at a time.
    Drip {
        /// Bytes sent together.
        bytes: usize,
        /// The pause after them.
        pause: Duration,
    },
    /// Again and again, until the reader has had enough.
    Endless,
}

/// A request as far as websites look at it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'q> {
    /// The host as asked for, perhaps with a port.
    pub(crate) host: &'q str,
    /// Whether the host began with `www.`.
    pub(crate) has_www: bool,
    /// Path and query.
    pub(crate) path: &'q str,
    /// The age of the world.
    pub(crate) age: u32,
    /// How often the first page was asked for before.
    pub(crate) fetch: u32,
}

/// Browsers that look at the sandbox load nothing from the vendors whose names stand on its pages.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline'";

/// Sizes of pictures, in pixels.
const PICTURE_WIDTH: usize = 240;
const LOGO_HEIGHT: usize = 80;
const LOGO_LETTER_WIDTH: usize = 17;
/// Letters of a name that a logo has room for.
const LOGO_LETTERS_MAX: usize = 40;

/// Bytes of a page that breaks off, of a hundred.
const TRUNCATED_PERCENT: usize = 45;

/// What a website answers.
pub(crate) fn answer(subject: &Subject<'_>, question: &Question<'_>) -> Answer {
    let plan = plan_at(subject, question.age);
    let path = question.path.split(['?', '#']).next().unwrap_or("/");
    if path == "/robots.txt" {
        return robots(plan.manner);
    }
    if is_down(subject, question.age) && plan.manner.site_status() == "ok" {
        return plain(500, "<html><head><title>500</title></head><body><h1>Internal Server Error</h1></body></html>");
    }
    if let Some(answer) = instead(&plan, question, path) {
        return answer;
    }
    if path.ends_with(".svg") {
        return picture(subject, &plan, path);
    }
    if path == style::SHEET_PATH {
        return Answer { headers: headers("text/css; charset=utf-8"), ..plain(200, &style::sheet(&plan)) };
    }
    match pages::find(&plan.pages, path) {
        Some(page) => page_answer(subject, &plan, page, question),
        None => plain(404, "<html><head><title>Not found</title></head><body><h1>Page not found</h1></body></html>"),
    }
}

fn page_answer(subject: &Subject<'_>, plan: &Plan, page: &PagePlan, question: &Question<'_>) -> Answer {
    let flickers = subject.trouble == Trouble::Flicker && question.fetch % 2 == 1;
    let html = render::page(subject, plan, page, if flickers { Pixels::Missing } else { Pixels::Shown });
    let behaviour = behaviour(subject, plan, page, html.len());
    let body = match plan.manner {
        Manner::WrongCharset => latin(&html),
        _ => html.into_bytes(),
    };
    Answer { status: 200, headers: headers("text/html; charset=utf-8"), body: body.into(), behaviour }
}

fn behaviour(subject: &Subject<'_>, plan: &Plan, page: &PagePlan, bytes: usize) -> Behaviour {
    let mut chance = Chance::of(subject.seed, Purpose::Hostility, &[subject.key.keys()[2], page.kind as u64]);
    // The slow page of a site that has one: contact, or the first where there is no other.
    let slow = if plan.has(PageKind::Contact) { PageKind::Contact } else { PageKind::Home };
    match plan.manner {
        Manner::Truncated if page.kind == PageKind::About => Behaviour::Truncate(bytes * TRUNCATED_PERCENT / 100),
        Manner::SlowPage if page.kind == slow => {
            Behaviour::Delay(Duration::from_millis(chance.between(300, 800) as u64))
        }
        Manner::SlowSite => Behaviour::Delay(Duration::from_millis(chance.between(2_000, 4_000) as u64)),
        Manner::Drip => Behaviour::Drip { bytes: 4 * 1024, pause: Duration::from_millis(250) },
        _ => Behaviour::Plain,
    }
}

/// What some websites do whatever they are asked for.
fn instead(plan: &Plan, question: &Question<'_>, path: &str) -> Option<Answer> {
    let with = |behaviour: Behaviour| Answer { behaviour, ..plain(200, "<html><body>") };
    Some(match plan.manner {
        Manner::Dead if plan.look.is_multiple_of(2) => plain(410, "<html><body>This site is gone.</body></html>"),
        Manner::Dead => plain(404, "<html><body>There is no website here.</body></html>"),
        Manner::Parked => plain(200, PARKED),
        Manner::Blocked => plain(403, "<html><head><title>403 Forbidden</title></head><body>Forbidden</body></html>"),
        Manner::Challenge => plain(200, CHALLENGE),
        Manner::Failing => plain(500, "<html><body><h1>Error establishing a database connection</h1></body></html>"),
        Manner::Reset => with(Behaviour::Reset),
        Manner::Hang => with(Behaviour::Hang),
        Manner::Empty => plain(200, ""),
        Manner::Endless => Answer { behaviour: Behaviour::Endless, ..plain(200, &"<!-- and so on -->\n".repeat(800)) },
        Manner::NotHtml => Answer { headers: headers("application/pdf"), ..plain(200, "%PDF-1.4 flyer") },
        Manner::Garbage => Answer { body: garbage(plan.look), ..plain(200, "") },
        _ => return redirect(plan, question, path),
    })
}

fn redirect(plan: &Plan, question: &Question<'_>, path: &str) -> Option<Answer> {
    let target = match (plan.manner, path) {
        (Manner::Www, _) if !question.has_www => format!("http://www.{}{}", question.host, question.path),
        (Manner::RedirectChain, "/") => "/welcome".to_owned(),
        (Manner::RedirectChain, "/welcome") => "/welcome/start".to_owned(),
        (Manner::RedirectChain, "/welcome/start") => "/index.html".to_owned(),
        (Manner::RedirectLoop, "/loop") => "/".to_owned(),
        (Manner::RedirectLoop, _) => "/loop".to_owned(),
        (Manner::RedirectSocial, _) => format!("https://www.facebook.com/{}", plan.slug.replace('-', "")),
        _ => return None,
    };
    let mut answer = plain(if plan.look.is_multiple_of(2) { 301 } else { 302 }, "");
    answer.headers.push(("location", target));
    Some(answer)
}

fn robots(manner: Manner) -> Answer {
    let text = match manner {
        Manner::Robots => "User-agent: *\nDisallow: /\n",
        Manner::RobotsBroken => return plain(500, "<html><body>Internal Server Error</body></html>"),
        Manner::Reset => return Answer { behaviour: Behaviour::Reset, ..plain(200, "") },
        Manner::Dead | Manner::Blocked => return plain(404, "<html><body>Not found</body></html>"),
        _ => "User-agent: *\nDisallow: /wp-admin/\nDisallow: /cart\nAllow: /\n",
    };
    Answer { headers: headers("text/plain; charset=utf-8"), ..plain(200, text) }
}

fn headers(content_type: &str) -> Vec<(&'static str, String)> {
    vec![
        ("content-type", content_type.to_owned()),
        ("content-security-policy", POLICY.to_owned()),
        ("cache-control", "no-store".to_owned()),
        ("server", "canvass-sandbox".to_owned()),
    ]
}

fn plain(status: u16, html: &str) -> Answer {
    let body = Bytes::copy_from_slice(html.as_bytes());
    Answer { status, headers: headers("text/html; charset=utf-8"), body, behaviour: Behaviour::Plain }
}

/// A picture of one colour, so that pages look like something in a browser; on a logo stands the name.
fn picture(subject: &Subject<'_>, plan: &Plan, path: &str) -> Answer {
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
    Answer { headers: headers("image/svg+xml"), ..plain(200, &svg) }
}

/// The text as an old editor would save it: one byte a letter.
fn latin(html: &str) -> Vec<u8> {
    html.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap_or(b'?')).collect()
}

fn garbage(look: u64) -> Bytes {
    let mut chance = Chance::of(look, Purpose::Page, &[]);
    (0..4_096).flat_map(|_| chance.next().to_le_bytes()).collect()
}

const PARKED: &str = "<!doctype html><html><head><title>Domain parked</title></head><body><h1>This domain is for sale</h1>\
<p>Interested? Make an offer.</p><ul><li>Related searches</li><li>Plumbing offers</li><li>Insurance quotes</li></ul></body></html>";

const CHALLENGE: &str = "<!doctype html><html><head><title>Just a moment...</title></head><body><p>Please wait while we check \
that you are not a robot.</p></body></html>";
