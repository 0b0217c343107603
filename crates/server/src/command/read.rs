//! `canvass read`: the facts of one website, as a summary.

use std::process::ExitCode;

use canvass::App;
use canvass::config::Settings;
use canvass::website::{self, Hints, Website};
use clap::Args;
use page_facts::{FactsView, FoundEmail, FoundPerson, FoundPhone};
use polite_reader::{Freshness, Reader, ReaderSettings, SiteStatus};
use serde::Serialize;

use super::output::Output;
use crate::printable;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The website, such as example.com
    #[arg(value_name = "URL")]
    url: String,
    /// Region of phone numbers without a country code, such as US; derived from the site by default
    #[arg(long, value_name = "CODE")]
    region: Option<String>,
    /// Name of the business, which helps to recognise its people
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// The JSON output.
#[derive(Serialize)]
struct SiteView<'a> {
    url: &'a str,
    site_status: &'a str,
    complete: bool,
    detail: Option<&'a str>,
    pages: Vec<&'a str>,
    /// Pages that were not read completely, by the reader or by the finders.
    site_cut: Vec<CutView<'a>>,
    #[serde(flatten)]
    facts: FactsView<'a>,
}

/// A page that was not read completely.
#[derive(Serialize)]
struct CutView<'a> {
    url: &'a str,
    reason: &'a str,
}

pub(super) async fn run(settings: &Settings, arguments: &Arguments, output: Output) -> anyhow::Result<ExitCode> {
    let reader = reader_for(settings, &arguments.url).await?;
    let hints = Hints { region: arguments.region.as_deref(), name: arguments.name.as_deref(), ..Hints::default() };
    let website = website::read(&reader, &arguments.url, hints, Freshness::Fresh).await;
    let view = SiteView {
        url: &website.url,
        site_status: website.status.as_str(),
        complete: website.complete,
        detail: website.detail.as_deref(),
        pages: website.facts.pages.iter().map(|page| page.url.as_str()).collect(),
        site_cut: website.cut_pages.iter().map(|cut| CutView { url: &cut.url, reason: cut.reason.as_str() }).collect(),
        facts: website.facts.view(),
    };
    output.show(&view, || card(&website, &view));
    Ok(if website.status == SiteStatus::Ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A reader for this website. This process serves websites of the sandbox itself, whether or not a server runs.
pub(super) async fn reader_for(settings: &Settings, url: &str) -> anyhow::Result<Reader> {
    match sandbox_of(settings, url).await? {
        Some(app) => Ok(app.reader().await?.clone()),
        None => Ok(website::reader(settings, None, &ReaderSettings::default())?),
    }
}

/// The application, when the website belongs to the sandbox: this process then serves it to itself, at the age in the
/// database.
async fn sandbox_of(settings: &Settings, url: &str) -> anyhow::Result<Option<App>> {
    let address = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = address.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host).trim().to_ascii_lowercase();
    if !settings.source.is_sandbox() || !host.ends_with(".localhost") {
        return Ok(None);
    }
    Ok(Some(App::start(settings.clone()).await?))
}

fn card(website: &Website, view: &SiteView<'_>) -> String {
    let pages = view.pages.len();
    let state = match (website.status, &website.detail) {
        (SiteStatus::Ok, _) => {
            let cut = view.site_cut.len();
            let not_whole = if cut == 0 { String::new() } else { format!(", {cut} of them incompletely") };
            format!("{pages} {} read{not_whole}", if pages == 1 { "page" } else { "pages" })
        }
        (status, Some(detail)) => format!("{}: {detail}", status.as_str()),
        (status, None) => status.as_str().to_owned(),
    };
    let mut card = format!("{}\n{}\n", printable::line(view.url), printable::line(&state));
    let schema = view.facts.schema_org;
    section(&mut card, "Business", schema.name.iter().cloned().chain(address(view)).chain(rating(view)).collect());
    section(&mut card, "Emails", view.facts.emails.iter().map(email).collect());
    section(&mut card, "Phones", view.facts.phones.iter().map(phone).collect());
    section(&mut card, "People", view.facts.people.iter().map(person).collect());
    let socials = view.facts.socials.iter().map(|(network, profile)| format!("{network:<12}{profile}"));
    section(&mut card, "Socials", socials.collect());
    section(&mut card, "Website", technology(view));
    card
}

fn section(card: &mut String, title: &str, lines: Vec<String>) {
    if lines.is_empty() {
        return;
    }
    card.push_str(&format!("\n{title}\n"));
    for line in lines {
        card.push_str(&format!("  {}\n", printable::line(&line)));
    }
}

fn address(view: &SiteView<'_>) -> Option<String> {
    let address = view.facts.schema_org.address.as_ref()?;
    let parts = [&address.street, &address.city, &address.state, &address.postal_code, &address.country];
    let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn rating(view: &SiteView<'_>) -> Option<String> {
    let schema = view.facts.schema_org;
    let reviews = schema.review_count.map_or(String::new(), |count| format!(" from {count} reviews"));
    schema.rating.map(|rating| format!("rated {rating:.1}{reviews}"))
}

fn email(email: &FoundEmail) -> String {
    let kind = serde_json::to_value(email.kind).unwrap_or_default();
    let kind = kind.as_str().unwrap_or_default();
    let best = if email.is_primary { ", best for outreach" } else { "" };
    format!("{:<36} {kind}, {:.0} % sure{best}", email.email, email.confidence * 100.0)
}

fn phone(phone: &FoundPhone) -> String {
    let kind = serde_json::to_value(phone.kind).unwrap_or_default();
    format!("{:<20} {} ({})", phone.phone, phone.national, kind.as_str().unwrap_or_default())
}

fn person(person: &FoundPerson) -> String {
    let title = person.title.as_deref().map_or(String::new(), |title| format!(", {title}"));
    format!("{}{title}{}", person.name, if person.is_owner { " (the owner)" } else { "" })
}

fn technology(view: &SiteView<'_>) -> Vec<String> {
    if view.pages.is_empty() {
        return Vec::new();
    }
    let signals = &view.facts.signals;
    let list = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let version = signals.platform_version.map_or(String::new(), |version| format!(" {version}"));
    vec![
        format!("platform    {}{version}", signals.platform),
        format!("shop        {}", signals.ecommerce_platform.unwrap_or(if signals.ecommerce { "yes" } else { "none" })),
        format!("booking     {}", signals.booking.unwrap_or("none")),
        format!("ordering    {}", signals.online_ordering.unwrap_or("none")),
        format!("chat        {}", signals.chat.unwrap_or("none")),
        format!("ad pixels   {}", list(&signals.ad_networks)),
        format!("analytics   {}", list(&signals.analytics)),
        format!("mobile      {}", if signals.mobile_friendly { "yes" } else { "no" }),
        format!("https       {}", if signals.https { "yes" } else { "no" }),
    ]
}
