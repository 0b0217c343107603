//! The ground truth: what a website states at an age, and what changes from one age to another.

use std::collections::BTreeMap;

use crate::site::age::{AGE_MAX, is_down, plan_at};
use crate::site::condition::SiteCondition;
use crate::site::emails::{EmailKind, HiddenBy};
use crate::site::plan::{Plan, Subject, Viewport};

/// An email address on the website.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrueEmail {
    /// In lower case.
    pub email: String,
    /// Who reads it.
    pub kind: EmailKind,
    /// How it is shown or obfuscated.
    pub hidden_by: HiddenBy,
}

/// The facts a website states. Empty except for the status when the site cannot be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Truth {
    /// Every address on its pages.
    pub emails: Vec<TrueEmail>,
    /// Phone numbers, E.164.
    pub phones: Vec<String>,
    /// The owner's name and title as stated on the site.
    pub owner: Option<(String, String)>,
    /// Profile URLs by network.
    pub socials: BTreeMap<String, String>,
    /// The platform's slug in page-facts; `None` when it is not a known one.
    pub platform: Option<&'static str>,
    /// Whether something can be bought.
    pub ecommerce: bool,
    /// Slug of the booking tool.
    pub booking: Option<&'static str>,
    /// Slug of the ordering tool.
    pub online_ordering: Option<&'static str>,
    /// Slug of the chat tool.
    pub chat: Option<&'static str>,
    /// Slugs of advertising pixels, sorted.
    pub ad_networks: Vec<&'static str>,
    /// Slugs of analytics tools, sorted.
    pub analytics: Vec<&'static str>,
    /// `ok`, `robots`, `blocked`, `timeout`, `dead`, `parked`, `social_only`, `none` or `error`.
    pub site_status: &'static str,
    /// The paths of its pages, the home page first.
    pub paths: Vec<String>,
    /// Whether its pages declare a viewport.
    pub has_viewport: bool,
    /// The year of its copyright line.
    pub copyright_year: Option<u16>,
}

/// One change, as Radar should report it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The fact that changed.
    pub field: &'static str,
    /// `added`, `removed` or `changed`.
    pub change: &'static str,
    /// The value before; `None` when added.
    pub before: Option<String>,
    /// The value after; `None` when removed.
    pub after: Option<String>,
    /// The age at which it changed.
    pub age: u32,
}

/// Facts of which a site has several.
const LISTS: [&str; 3] = ["ad_networks", "analytics", "emails"];

/// The `site_status` at an age.
pub(crate) fn status_at(subject: &Subject<'_>, condition: SiteCondition, age: u32) -> &'static str {
    match condition.site_status() {
        "ok" if is_down(subject, age) => "error",
        status => status,
    }
}

/// The ground truth at an age.
pub(crate) fn truth_at(subject: &Subject<'_>, age: u32) -> Truth {
    let plan = plan_at(subject, age);
    let site_status = status_at(subject, plan.condition, age);
    // Random bytes can be read but state nothing.
    if site_status != "ok" || matches!(plan.condition, SiteCondition::Garbage | SiteCondition::Endless) {
        return Truth { site_status, ..Truth::default() };
    }
    of_plan(&plan)
}

fn of_plan(plan: &Plan) -> Truth {
    let emails = plan.emails.iter().map(|email| TrueEmail {
        email: email.address.clone(),
        kind: email.kind,
        hidden_by: email.hidden_by,
    });
    let slugs = |tools: &[crate::site::tools::Tool]| {
        let mut slugs: Vec<&'static str> = tools.iter().map(|tool| tool.slug).collect();
        slugs.sort_unstable();
        slugs
    };
    Truth {
        emails: emails.collect(),
        phones: plan.phone.iter().cloned().collect(),
        owner: plan.owner.map(|stated| (stated.person.name(), stated.title.to_owned())),
        socials: plan.socials.iter().map(|(network, url)| ((*network).to_owned(), url.clone())).collect(),
        platform: plan.platform.slug(),
        ecommerce: plan.sells(),
        booking: plan.booking.map(|tool| tool.slug),
        online_ordering: plan.ordering.map(|tool| tool.slug),
        chat: plan.chat.map(|tool| tool.slug),
        ad_networks: slugs(&plan.ads),
        analytics: slugs(&plan.analytics),
        site_status: "ok",
        paths: plan.pages.iter().map(|page| page.path.clone()).collect(),
        has_viewport: plan.viewport == Viewport::Set,
        copyright_year: u16::try_from(plan.year).ok(),
    }
}

/// The differences between two ages; none when the site cannot be read at either.
pub(crate) fn changes(subject: &Subject<'_>, from_age: u32, to_age: u32) -> Vec<Change> {
    let (from_age, to_age) = (from_age.min(AGE_MAX), to_age.min(AGE_MAX));
    let (from, to) = (truth_at(subject, from_age), truth_at(subject, to_age));
    if from.site_status != "ok" || to.site_status != "ok" || from_age >= to_age {
        return Vec::new();
    }
    let mut found = difference(&from, &to);
    if found.is_empty() {
        return found;
    }
    // Go back in time until a fact does not have its final value yet; ages at which the site was down do not count.
    let mut open: Vec<usize> = (0..found.len()).collect();
    for age in (from_age..to_age).rev() {
        let then = truth_at(subject, age);
        if then.site_status == "ok" {
            let missing = difference(&then, &to);
            open.retain(|index| {
                let is_settled = !missing.iter().any(|change| change.is_about(&found[*index]));
                if !is_settled {
                    found[*index].age = age + 1;
                }
                is_settled
            });
        }
        if open.is_empty() {
            break;
        }
    }
    found
}

impl Change {
    /// Whether both are about the same fact; of a list, each entry is one.
    fn is_about(&self, other: &Change) -> bool {
        let is_entry = LISTS.contains(&self.field) && self.after.is_none();
        self.field == other.field && self.after == other.after && (!is_entry || self.before == other.before)
    }
}

/// All differences between two truths, in a fixed order.
fn difference(from: &Truth, to: &Truth) -> Vec<Change> {
    let mut found = Vec::new();
    let text = |value: Option<&'static str>| value.map(str::to_owned);
    let yes = |value: bool| value.then(|| "true".to_owned());
    one(&mut found, "platform", text(from.platform), text(to.platform));
    one(&mut found, "ecommerce", yes(from.ecommerce), yes(to.ecommerce));
    one(&mut found, "booking", text(from.booking), text(to.booking));
    one(&mut found, "online_ordering", text(from.online_ordering), text(to.online_ordering));
    one(&mut found, "chat", text(from.chat), text(to.chat));
    one(&mut found, "has_ad_pixel", yes(!from.ad_networks.is_empty()), yes(!to.ad_networks.is_empty()));
    many(&mut found, "ad_networks", &from.ad_networks, &to.ad_networks);
    many(&mut found, "analytics", &from.analytics, &to.analytics);
    let emails = |truth: &Truth| truth.emails.iter().map(|email| email.email.clone()).collect::<Vec<_>>();
    many(&mut found, "emails", &emails(from), &emails(to));
    let name = |truth: &Truth| truth.owner.as_ref().map(|(name, _)| name.clone());
    one(&mut found, "owner_name", name(from), name(to));
    found
}

fn one(found: &mut Vec<Change>, field: &'static str, before: Option<String>, after: Option<String>) {
    let change = match (&before, &after) {
        (None, Some(_)) => "added",
        (Some(_), None) => "removed",
        (Some(old), Some(new)) if old != new => "changed",
        _ => return,
    };
    found.push(Change { field, change, before, after, age: 0 });
}

fn many<T: AsRef<str> + PartialEq>(found: &mut Vec<Change>, field: &'static str, from: &[T], to: &[T]) {
    for gone in from.iter().filter(|value| !to.contains(value)) {
        one(found, field, Some(gone.as_ref().to_owned()), None);
    }
    for new in to.iter().filter(|value| !from.contains(value)) {
        one(found, field, None, Some(new.as_ref().to_owned()));
    }
}
