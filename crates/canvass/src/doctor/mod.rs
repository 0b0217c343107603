//! Checks everything Canvass depends on, and says what to do where something is wrong.

mod ai;
mod database;
mod disk;
mod geocode;
mod mail;
mod permissions;
mod source;

pub use permissions::{Exposed, exposed};

use std::time::Duration;

use polite_reader::ReaderSettings;
use serde::Serialize;

use crate::config::Settings;
use crate::website;

/// Time limit for anything outside this process.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(5);

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckOutcome {
    /// In order.
    Ok,
    /// It works, but look at it.
    Warn,
    /// It does not work.
    Fail,
}

/// The result of one check.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// Short name of the check.
    pub name: &'static str,
    /// Decides the doctor's exit status.
    pub verdict: CheckOutcome,
    /// What was found.
    pub says: String,
    /// What to do about it.
    pub advice: Option<String>,
}

impl Check {
    /// In order.
    pub fn ok(name: &'static str, says: impl Into<String>) -> Check {
        Check { name, verdict: CheckOutcome::Ok, says: says.into(), advice: None }
    }

    /// It works, but look at it.
    pub fn warn(name: &'static str, says: impl Into<String>, advice: impl Into<String>) -> Check {
        Check { name, verdict: CheckOutcome::Warn, says: says.into(), advice: Some(advice.into()) }
    }

    /// It does not work.
    pub fn fail(name: &'static str, says: impl Into<String>, advice: impl Into<String>) -> Check {
        Check { name, verdict: CheckOutcome::Fail, says: says.into(), advice: Some(advice.into()) }
    }
}

/// Runs every check that applies to the settings.
pub async fn examine(settings: &Settings) -> Vec<Check> {
    let mut checks = vec![disk::examine(settings), permissions::examine(settings)];
    checks.extend(database::examine(settings).await);
    checks.extend(source::examine(settings).await);
    checks.extend(geocode::examine(settings).await);
    checks.push(retention(settings));
    checks.push(reader(settings));
    checks.push(mail::examine(settings).await);
    checks.push(ai::examine(settings).await);
    checks
}

/// A text that is to be kept longer than its lead goes with it.
fn retention(settings: &Settings) -> Check {
    let Settings { keep_searches_days, keep_site_text_days, .. } = settings;
    match (keep_searches_days, keep_site_text_days) {
        (Some(leads), Some(text)) if text > leads => Check::warn(
            "retention",
            format!("keep_site_text_days is {text}, but the leads are deleted with it after {leads} days"),
            "lower keep_site_text_days, or raise keep_searches_days",
        ),
        _ => Check::ok("retention", settings.retention()),
    }
}

fn reader(settings: &Settings) -> Check {
    if let Err(error) = website::reader(settings, None, &ReaderSettings::default()) {
        return Check::fail("reader", whole(&error), "correct the setting it names");
    }
    match settings.contact_url.as_ref().or(settings.base_url.as_ref()) {
        Some(contact) => Check::ok("reader", format!("website owners are told to look at {contact}")),
        None => Check::ok("reader", "ready; set CANVASS_CONTACT_URL before you read the real web"),
    }
}

/// An error with everything that caused it, in one line.
fn whole(error: &dyn std::error::Error) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_said = inner.to_string();
        if !said.contains(&inner_said) {
            said = format!("{said}: {inner_said}");
        }
        cause = inner.source();
    }
    said
}
