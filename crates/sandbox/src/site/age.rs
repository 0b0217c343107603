//! Changes of websites over time: at every age some of them change something, and a few are down for just that age.

use crate::fault::Fault;
use crate::people::Person;
use crate::random::{Purpose, Random};
use crate::site::emails::{EmailKind, EmailSpot};
use crate::site::plan::{Plan, Shop, Subject, add, personal};
use crate::site::platform::Platform;
use crate::site::tools;
use crate::words;

/// The highest age of the world; later ages look like this one.
pub(crate) const AGE_MAX: u32 = 10_000;

/// Websites that change something at one age, in percent.
const CHANGING: f64 = 10.0;

/// Websites that are down at one age, in percent.
const DOWN: f64 = 0.7;

/// Most pixels per site.
const PIXELS_MAX: usize = 4;

/// The plan of a website at an age.
pub(crate) fn plan_at(subject: &Subject<'_>, age: u32) -> Plan {
    let mut plan = Plan::draw(subject);
    for step in 1..=age.min(AGE_MAX) {
        let mut random = stream(subject, Purpose::Age, step);
        if subject.fault == Fault::Restless || random.percent(CHANGING) {
            change(&mut plan, &mut random, subject);
        }
    }
    plan
}

/// Whether the website is down at an age; an outage lasts one age.
pub(crate) fn is_down(subject: &Subject<'_>, age: u32) -> bool {
    let calm = matches!(subject.fault, Fault::Restless | Fault::Flicker);
    let down = |age: u32| age > 0 && !calm && stream(subject, Purpose::Outage, age.min(AGE_MAX)).percent(DOWN);
    down(age) && !down(age - 1)
}

fn stream(subject: &Subject<'_>, purpose: Purpose, age: u32) -> Random {
    let [town, trade, number] = subject.key.keys();
    Random::of(subject.seed, purpose, &[town, trade, number, u64::from(age)])
}

/// Changes one visible thing.
fn change(plan: &mut Plan, random: &mut Random, subject: &Subject<'_>) {
    let group = subject.business.category.group;
    match random.below(100) {
        0..=11 => toggle_shop(plan),
        12..=21 if group == "food" => toggle_ordering(plan, random),
        22..=35 => switch_platform(plan, random, group),
        36..=50 => toggle_booking(plan, random, group),
        51..=60 => toggle_chat(plan, random),
        61..=68 => change_email(plan, random),
        69..=75 => change_owner(plan, random),
        _ => toggle_pixel(plan, random),
    }
}

fn toggle_shop(plan: &mut Plan) {
    if plan.platform.is_shop() {
        plan.platform = Platform::WordPress;
        plan.shop = Shop::None;
    } else {
        plan.shop = if plan.shop == Shop::Open { Shop::None } else { Shop::Open };
    }
}

fn toggle_ordering(plan: &mut Plan, random: &mut Random) {
    plan.ordering = match plan.ordering {
        Some(_) => None,
        None => tools::ordering(random, plan.lang),
    };
}

/// Moves to another platform; pages keep their URLs, as in a careful migration.
fn switch_platform(plan: &mut Plan, random: &mut Random, group: &str) {
    let before = plan.platform;
    // A shop platform comes and goes with the shop, so that one change stays one change.
    let sells = plan.sells();
    for _ in 0..8 {
        let next = Platform::draw(random, group);
        if next.slug() != before.slug() && !next.is_shop() {
            plan.platform = next;
            plan.shop = if sells { Shop::Open } else { Shop::None };
            return;
        }
    }
}

fn toggle_booking(plan: &mut Plan, random: &mut Random, group: &str) {
    let next = tools::booking(random, plan.lang, group);
    let removes = plan.booking.is_some() && random.percent(40.0);
    let same = plan.booking.map(|tool| tool.slug) == next.map(|tool| tool.slug);
    plan.booking = if removes || same { None } else { next };
}

fn toggle_chat(plan: &mut Plan, random: &mut Random) {
    plan.chat = match plan.chat {
        Some(_) => None,
        None => tools::draw(random, "tool.chat"),
    };
}

/// The office gets a new mailbox; a site without one gets a pixel.
fn change_email(plan: &mut Plan, random: &mut Random) {
    let drawn = words::draw(random, plan.lang, "role");
    let address = format!("{drawn}@{}", plan.mail_domain);
    let is_new = plan.emails.iter().all(|email| email.address != address);
    match plan.emails.iter_mut().find(|email| email.kind == EmailKind::Role).filter(|_| is_new) {
        Some(email) => email.address = address,
        None => toggle_pixel(plan, random),
    }
}

/// The business gets a new owner, whose mailbox replaces the previous one.
fn change_owner(plan: &mut Plan, random: &mut Random) {
    let next = Person::draw(random, plan.lang);
    let address = personal(random, next.first, next.last, &plan.mail_domain);
    let is_known = plan.team.iter().any(|colleague| colleague.person.name() == next.name());
    match plan.owner.as_mut().filter(|stated| stated.person.name() != next.name() && !is_known) {
        // In some languages titles have a gender, so the new owner has the same one.
        Some(stated) if stated.person.gender == next.gender => {
            stated.person = next;
            if let Some(email) = plan.emails.iter_mut().find(|email| email.spot == EmailSpot::Owner) {
                email.address = address;
            }
        }
        _ => toggle_pixel(plan, random),
    }
}

fn toggle_pixel(plan: &mut Plan, random: &mut Random) {
    if !plan.ads.is_empty() && (plan.ads.len() >= PIXELS_MAX || random.percent(45.0)) {
        let gone = random.below(plan.ads.len());
        plan.ads.remove(gone);
    } else {
        let before = plan.ads.len();
        add(&mut plan.ads, tools::pixel(random));
        if plan.ads.len() == before {
            plan.ads.clear();
        }
    }
}
