//! What time does to websites: at every age some of them change something, and a few are down for just that age.

use crate::chance::{Chance, Purpose};
use crate::people::Person;
use crate::site::emails::{EmailKind, Spot};
use crate::site::plan::{Plan, Shop, Subject, add, personal};
use crate::site::platform::Platform;
use crate::site::tools;
use crate::trouble::Trouble;
use crate::words;

/// The oldest the world gets; later ages look like this one.
pub(crate) const AGE_MAX: u32 = 10_000;

/// Websites that change something at one age, in percent.
const CHANGING: f64 = 10.0;

/// Websites that are down at one age, in percent.
const DOWN: f64 = 0.7;

/// Most pixels one site gathers.
const PIXELS_MAX: usize = 4;

/// The plan of a website at an age.
pub(crate) fn plan_at(subject: &Subject<'_>, age: u32) -> Plan {
    let mut plan = Plan::draw(subject);
    for step in 1..=age.min(AGE_MAX) {
        let mut chance = stream(subject, Purpose::Age, step);
        if subject.trouble == Trouble::Restless || chance.percent(CHANGING) {
            change(&mut plan, &mut chance, subject);
        }
    }
    plan
}

/// Whether the website is down at an age; it was up before and will be again.
pub(crate) fn is_down(subject: &Subject<'_>, age: u32) -> bool {
    let calm = matches!(subject.trouble, Trouble::Restless | Trouble::Flicker);
    let down = |age: u32| age > 0 && !calm && stream(subject, Purpose::Outage, age.min(AGE_MAX)).percent(DOWN);
    down(age) && !down(age - 1)
}

fn stream(subject: &Subject<'_>, purpose: Purpose, age: u32) -> Chance {
    let [town, trade, number] = subject.key.keys();
    Chance::of(subject.seed, purpose, &[town, trade, number, u64::from(age)])
}

/// Changes one thing that can be seen.
fn change(plan: &mut Plan, chance: &mut Chance, subject: &Subject<'_>) {
    let group = subject.business.category.group;
    match chance.below(100) {
        0..=11 => toggle_shop(plan),
        12..=21 if group == "food" => toggle_ordering(plan, chance),
        22..=35 => switch_platform(plan, chance, group),
        36..=50 => toggle_booking(plan, chance, group),
        51..=60 => toggle_chat(plan, chance),
        61..=68 => change_email(plan, chance),
        69..=75 => change_owner(plan, chance),
        _ => toggle_pixel(plan, chance),
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

fn toggle_ordering(plan: &mut Plan, chance: &mut Chance) {
    plan.ordering = match plan.ordering {
        Some(_) => None,
        None => tools::ordering(chance, plan.lang),
    };
}

/// Moves to another platform; pages keep their addresses, as a careful move would.
fn switch_platform(plan: &mut Plan, chance: &mut Chance, group: &str) {
    let before = plan.platform;
    // A platform that sells comes and goes with the shop, so that one change is one change.
    let sells = plan.sells();
    for _ in 0..8 {
        let next = Platform::draw(chance, group);
        if next.slug() != before.slug() && !next.is_shop() {
            plan.platform = next;
            plan.shop = if sells { Shop::Open } else { Shop::None };
            return;
        }
    }
}

fn toggle_booking(plan: &mut Plan, chance: &mut Chance, group: &str) {
    let next = tools::booking(chance, plan.lang, group);
    let removes = plan.booking.is_some() && chance.percent(40.0);
    let same = plan.booking.map(|tool| tool.slug) == next.map(|tool| tool.slug);
    plan.booking = if removes || same { None } else { next };
}

fn toggle_chat(plan: &mut Plan, chance: &mut Chance) {
    plan.chat = match plan.chat {
        Some(_) => None,
        None => tools::draw(chance, "tool.chat"),
    };
}

/// The office gets a new mailbox; where there is none, a pixel comes.
fn change_email(plan: &mut Plan, chance: &mut Chance) {
    let drawn = words::draw(chance, plan.lang, "role");
    let address = format!("{drawn}@{}", plan.mail_domain);
    let is_new = plan.emails.iter().all(|email| email.address != address);
    match plan.emails.iter_mut().find(|email| email.kind == EmailKind::Role).filter(|_| is_new) {
        Some(email) => email.address = address,
        None => toggle_pixel(plan, chance),
    }
}

/// Somebody else takes over, and the owner's mailbox follows.
fn change_owner(plan: &mut Plan, chance: &mut Chance) {
    let next = Person::draw(chance, plan.lang);
    let address = personal(chance, next.first, next.last, &plan.mail_domain);
    let is_known = plan.team.iter().any(|colleague| colleague.person.name() == next.name());
    match plan.owner.as_mut().filter(|told| told.person.name() != next.name() && !is_known) {
        // Titles have the owner's gender in some languages; the new owner has the same.
        Some(told) if told.person.gender == next.gender => {
            told.person = next;
            if let Some(email) = plan.emails.iter_mut().find(|email| email.spot == Spot::Owner) {
                email.address = address;
            }
        }
        _ => toggle_pixel(plan, chance),
    }
}

fn toggle_pixel(plan: &mut Plan, chance: &mut Chance) {
    if !plan.ads.is_empty() && (plan.ads.len() >= PIXELS_MAX || chance.percent(45.0)) {
        let gone = chance.below(plan.ads.len());
        plan.ads.remove(gone);
    } else {
        let before = plan.ads.len();
        add(&mut plan.ads, tools::pixel(chance));
        if plan.ads.len() == before {
            plan.ads.clear();
        }
    }
}
