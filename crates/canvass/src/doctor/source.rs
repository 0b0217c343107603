//! Whether listings can be had: each source answers, and a sample query finds something.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use map_providers::PlainGateway;
use places::Scope;

use super::Check;
use crate::clock::{Clock, SystemClock};
use crate::config::Settings;
use crate::listing::sources::place_data::{Member, PlaceDataSource};
use crate::listing::sources::{self, live};
use crate::listing::{Query, Source, Words};

const NAME: &str = "source";
/// A release may lie on the other side of the world.
const SAMPLE_TIME_MAX: Duration = Duration::from_secs(30);
/// Days after which a release is old: Overture publishes one each month.
const OLD_RELEASE_DAYS: i32 = 100;
/// What is looked for to see that a release can be read.
const SAMPLE_INDUSTRY: &str = "dentist";
const SAMPLE_LOCATION: &str = "Austin, TX";

pub(super) async fn examine(settings: &Settings) -> Vec<Check> {
    if settings.source.is_sandbox() {
        let says = "the sandbox: an embedded world of generated businesses; CANVASS_SOURCE=overture finds real ones";
        return vec![Check::ok(NAME, says)];
    }
    let mut checks = Vec::new();
    for name in settings.source.iter().filter(|name| live::is_live(name)) {
        checks.push(ask(settings, name).await);
    }
    let members = match sources::members(settings) {
        Ok(members) => members,
        Err(problem) => {
            checks.push(Check::fail(NAME, problem, "correct CANVASS_SOURCE, or import the file it names"));
            return checks;
        }
    };
    for member in &members {
        let looked = tokio::time::timeout(SAMPLE_TIME_MAX, look(settings, member)).await;
        let late = || Check::fail(NAME, format!("{} does not answer in time", member.name()), advice(settings, member));
        checks.push(looked.unwrap_or_else(|_| late()));
    }
    checks
}

/// Tries a live provider with the cheapest request there is.
async fn ask(settings: &Settings, name: &str) -> Check {
    let fix = match name {
        live::GOOGLE => {
            "check CANVASS_GOOGLE_API_KEY, and in Google's console that the Places API (New) is enabled for it"
        }
        _ => "check CANVASS_OVERPASS_URL and this machine's connection",
    };
    let checked = async {
        let provider = live::provider(settings, name)?;
        let gateway = PlainGateway::new(&live::user_agent(settings)).map_err(|error| error.to_string())?;
        provider.check(&gateway).await.map_err(|error| error.to_string())
    };
    match tokio::time::timeout(SAMPLE_TIME_MAX, checked).await {
        Ok(Ok(says)) => Check::ok(NAME, format!("{name}: {says}")),
        Ok(Err(problem)) => Check::fail(NAME, format!("{name}: {problem}"), fix),
        Err(_) => Check::fail(NAME, format!("{name} does not answer in time"), fix),
    }
}

async fn look(settings: &Settings, member: &Member) -> Check {
    let name = member.name();
    let (version, dataset) = match member.latest().await {
        Ok(found) => found,
        Err(error) => return Check::fail(NAME, format!("{name}: {error}"), advice(settings, member)),
    };
    let Some(overture) = member.releases() else {
        return match dataset.rows().await {
            Ok(rows) => Check::ok(NAME, format!("{name}: version {version}, {rows} places")),
            Err(error) => Check::fail(NAME, format!("{name}: {error}"), advice(settings, member)),
        };
    };
    let status = overture.status();
    let count = match sample(settings, member).await {
        Ok(count) => count,
        Err(error) => return Check::fail(NAME, format!("{name}: {error}"), advice(settings, member)),
    };
    let says = format!(
        "{name}: release {version} at {}; {count} places for {SAMPLE_INDUSTRY} in {SAMPLE_LOCATION}",
        status.address
    );
    if let Some(reason) = status.offline {
        return Check::warn(
            NAME,
            format!("{says}; whether there is a newer one is not known: {reason}"),
            advice(settings, member),
        );
    }
    match age_days(&version) {
        Some(days) if days > OLD_RELEASE_DAYS => {
            let advice = "get the current release (`canvass places releases`), or remove CANVASS_PLACES_RELEASE";
            Check::warn(NAME, format!("{says}; it is {days} days old"), advice)
        }
        _ => Check::ok(NAME, says),
    }
}

/// How many places a sample query finds.
async fn sample(settings: &Settings, member: &Member) -> Result<u64, String> {
    let industry = places::industry(SAMPLE_INDUSTRY).map_err(|error| error.to_string())?;
    let location = places::locate(SAMPLE_LOCATION).map_err(|error| error.to_string())?;
    let query = Query { category: industry.category, area: location.place.area(Scope::City) };
    let words = Words { industry: SAMPLE_INDUSTRY, location: SAMPLE_LOCATION };
    let source = PlaceDataSource::new(vec![member.clone()], settings.places_confidence);
    let resolved = source.resolve(&query, words).await.map_err(|error| error.to_string())?;
    Ok(resolved.count.unwrap_or(0))
}

/// How old a release is by its name, such as 2026-10-21.0.
fn age_days(release: &str) -> Option<i32> {
    let released: Date = release.get(..10)?.parse().ok()?;
    let now = Timestamp::from_microsecond(SystemClock.now().micros()).ok()?.to_zoned(TimeZone::UTC).date();
    now.since(released).ok().map(|span| span.get_days())
}

fn advice(settings: &Settings, member: &Member) -> String {
    match (member.releases(), &settings.places) {
        (None, _) => format!("check the files: canvass places verify {}", member.name()),
        (Some(_), Some(_)) => "check that CANVASS_PLACES is the folder or address of a release".to_owned(),
        (Some(_), None) => {
            "check this machine's connection, or download an area where there is one: canvass places get \"Texas\""
                .to_owned()
        }
    }
}
