//! Compares the facts found on one website with what a reader finds there, field by field.

use std::collections::BTreeSet;

use page_facts::{PhoneKind, SiteFacts};
use serde_json::Value;

use super::{FIELDS, Half, LEAD, Place, Score, Site};
use crate::alike;

/// Judges the facts found with the region known and without it.
pub(super) fn judge(site: &Site, [found, abroad]: [&SiteFacts; 2], half: &mut Half) {
    let value = serde_json::to_value(found).expect("facts are JSON");
    let mut judgement = Judgement { site, half, bad: [0, 0] };
    judge_contacts(&mut judgement, found, abroad);
    judge_addresses(&mut judgement, &value);
    judge_people(&mut judgement, found);
    judge_socials(&mut judgement, found);
    judge_technology(&mut judgement, found);
    judge_hours(&mut judgement, &value);
    let [wrong, missing] = judgement.bad;
    half.sites += 1;
    half.without_wrong += usize::from(wrong == 0);
    half.complete += usize::from(wrong + missing == 0);
}

/// Collects the verdicts about one site.
struct Judgement<'a> {
    site: &'a Site,
    half: &'a mut Half,
    /// Wrong and missing values of the fields that make a lead.
    bad: [usize; 2],
}

impl Judgement<'_> {
    fn score(&mut self, field: &'static str) -> &mut Score {
        let place = FIELDS.iter().position(|name| *name == field).expect("the field is in the table");
        self.half.scores.entry((place, field)).or_default()
    }

    /// Whether the reader judged this field: with `phones` also those without a region, with `people` their titles.
    fn is_judged(&self, field: &str) -> bool {
        let judged = &self.site.judged;
        let field = match field {
            "phones, region unknown" => "phones",
            "titles" => "people",
            "addresses, every part" | "ZIP codes" => "addresses",
            other => other,
        };
        judged.is_empty() || judged.iter().any(|known| known == field)
    }

    fn right(&mut self, field: &'static str) {
        if self.is_judged(field) {
            self.score(field).right += 1;
        }
    }

    fn wrong(&mut self, field: &'static str, value: &str) {
        if self.is_maybe(value) || !self.is_judged(field) {
            return;
        }
        let line = format!("{}: {value}", self.site.host);
        self.score(field).wrong.push(line);
        self.bad[0] += usize::from(LEAD.contains(&field));
    }

    fn missing(&mut self, field: &'static str, value: &str) {
        if !self.is_judged(field) {
            return;
        }
        let line = format!("{}: {value}", self.site.host);
        self.score(field).missing.push(line);
        self.bad[1] += usize::from(LEAD.contains(&field));
    }

    fn is_maybe(&self, value: &str) -> bool {
        self.site.maybe.iter().any(|maybe| {
            let same_words = alike::words(maybe) == alike::words(value);
            same_words || alike::names(maybe, value) || (maybe.contains(' ') && alike::streets(maybe, value))
        })
    }

    fn set(&mut self, field: &'static str, truth: &BTreeSet<String>, found: &BTreeSet<String>) {
        truth.intersection(found).for_each(|_| self.right(field));
        found.difference(truth).for_each(|value| self.wrong(field, value));
        truth.difference(found).for_each(|value| self.missing(field, value));
    }

    /// A field with one value, of which several may be right.
    fn one(&mut self, field: &'static str, accepted: &[String], found: Option<&str>) {
        let fits = |value: &str| accepted.iter().any(|right| alike::names(right, value));
        match found {
            Some(value) if fits(value) => self.right(field),
            Some(value) if self.is_maybe(value) => {}
            other => {
                if let Some(value) = other {
                    self.wrong(field, value);
                }
                if let Some(right) = accepted.first() {
                    self.missing(field, right);
                }
            }
        }
    }
}

fn judge_contacts(judgement: &mut Judgement<'_>, found: &SiteFacts, abroad: &SiteFacts) {
    let site = judgement.site;
    let of = |facts: &SiteFacts, kind: PhoneKind| -> BTreeSet<String> {
        facts.phones.iter().filter(|phone| phone.kind == kind).map(|phone| phone.phone.clone()).collect()
    };
    judgement.set("phones", &site.phones, &of(found, PhoneKind::Voice));
    judgement.set("phones, region unknown", &site.phones, &of(abroad, PhoneKind::Voice));
    // A number for both is listed as a phone; calling it a fax as well is no mistake.
    let fax = of(found, PhoneKind::Fax).into_iter().filter(|fax| !site.phones.contains(fax)).collect();
    judgement.set("fax", &site.fax, &fax);
    let emails = found.emails.iter().map(|email| email.email.clone()).collect();
    judgement.set("emails", &site.emails, &emails);
    let primary = found.primary_email().map(|email| email.email.as_str());
    judgement.one("primary email", &site.primary_email, primary);
}

fn judge_addresses(judgement: &mut Judgement<'_>, facts: &Value) {
    let site = judgement.site;
    let listed = facts.get("addresses").and_then(Value::as_array).cloned();
    let schema = || facts.pointer("/schema_org/address").filter(|address| !address.is_null()).cloned();
    let found = listed.unwrap_or_else(|| schema().into_iter().collect());
    let found: Vec<Place> = found.into_iter().filter_map(|address| serde_json::from_value(address).ok()).collect();
    let found: Vec<Place> = found.into_iter().filter(|address| !shown(address).trim().is_empty()).collect();
    for truth in &site.addresses {
        if found.iter().any(|address| same_place(truth, address)) {
            judgement.right("addresses");
        } else {
            judgement.missing("addresses", &shown(truth));
        }
        if found.iter().any(|address| same_place(truth, address) && every_part(truth, address)) {
            judgement.right("addresses, every part");
        } else {
            judgement.missing("addresses, every part", &shown(truth));
        }
    }
    judge_zip_codes(judgement, &found);
    for address in &found {
        let known = site.addresses.iter().any(|truth| same_place(truth, address));
        let partial = address.street.is_none() && site.addresses.iter().any(|truth| same_town(truth, address));
        let maybe = address.street.as_deref().is_some_and(|street| judgement.is_maybe(street));
        if !known && !partial && !maybe {
            judgement.wrong("addresses", &shown(address));
        }
    }
}

/// The ZIP codes of American addresses, each once.
fn judge_zip_codes(judgement: &mut Judgement<'_>, found: &[Place]) {
    let of = |places: &[Place]| -> BTreeSet<String> {
        let codes = places.iter().filter(|place| place.country.as_deref() == Some("US"));
        codes.filter_map(|place| Some(place.postal_code.as_ref()?.get(..5)?.to_owned())).collect()
    };
    let (truth, found) = (of(&judgement.site.addresses), of(found));
    for code in truth.union(&found) {
        match (truth.contains(code), found.contains(code)) {
            (true, true) => judgement.right("ZIP codes"),
            (true, false) => judgement.missing("ZIP codes", code),
            _ => judgement.wrong("ZIP codes", code),
        }
    }
}

fn shown(place: &Place) -> String {
    let parts = [&place.street, &place.city, &place.state, &place.postal_code];
    parts.iter().filter_map(|part| part.as_deref()).collect::<Vec<_>>().join(" | ")
}

/// Whether two parts agree; `None` if one is unknown.
fn agree(left: Option<&String>, right: Option<&String>, same: fn(&str, &str) -> bool) -> Option<bool> {
    Some(same(left?, right?))
}

fn same_town(truth: &Place, found: &Place) -> bool {
    let code = agree(truth.postal_code.as_ref(), found.postal_code.as_ref(), alike::postal_codes);
    let city = agree(truth.city.as_ref(), found.city.as_ref(), alike::places);
    code == Some(true) || city == Some(true)
}

fn same_place(truth: &Place, found: &Place) -> bool {
    let street = agree(truth.street.as_ref(), found.street.as_ref(), alike::streets);
    let nowhere_else = found.city.is_none() && found.postal_code.is_none();
    street.unwrap_or(truth.street.is_none()) && (same_town(truth, found) || (street == Some(true) && nowhere_else))
}

/// Whether every part a reader sees was found too. A state may be spelled out on one side, so it only has to be there.
fn every_part(truth: &Place, found: &Place) -> bool {
    let code = agree(truth.postal_code.as_ref(), found.postal_code.as_ref(), alike::postal_codes);
    let city = agree(truth.city.as_ref(), found.city.as_ref(), alike::places);
    code.unwrap_or(truth.postal_code.is_none())
        && city.unwrap_or(truth.city.is_none())
        && (truth.state.is_none() || found.state.is_some())
}

fn judge_people(judgement: &mut Judgement<'_>, found: &SiteFacts) {
    let site = judgement.site;
    for person in &site.people {
        let Some(same) = found.people.iter().find(|other| alike::names(&person.name, &other.name)) else {
            judgement.missing("people", &format!("{} ({})", person.name, person.title));
            continue;
        };
        judgement.right("people");
        match same.title.as_deref() {
            Some(title) if alike::titles(&person.title, title) => judgement.right("titles"),
            Some(title) => judgement.wrong("titles", &format!("{}: {title}, not {}", person.name, person.title)),
            None => judgement.missing("titles", &format!("{}: {}", person.name, person.title)),
        }
    }
    for other in &found.people {
        if !site.people.iter().any(|person| alike::names(&person.name, &other.name)) && !judgement.is_maybe(&other.name)
        {
            let title = other.title.as_deref().unwrap_or("no title");
            judgement.wrong("people", &format!("{} ({title})", other.name));
        }
    }
    let accepted = site.owner.clone().unwrap_or_default();
    judgement.one("owner", &accepted, found.owner().map(|owner| owner.name.as_str()));
}

fn judge_socials(judgement: &mut Judgement<'_>, found: &SiteFacts) {
    let site = judgement.site;
    for (network, paths) in &site.socials {
        let paths: Vec<&str> = match paths {
            Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
            one => one.as_str().into_iter().collect(),
        };
        let profile = found.socials.iter().find(|social| social.network == *network);
        let expected = format!("{network} {}", paths.join(" or "));
        match profile.map(|social| social.profile_url.as_str()) {
            Some(url) if paths.iter().any(|path| handle(path) == handle(url)) => judgement.right("socials"),
            Some(url) => {
                judgement.wrong("socials", url);
                judgement.missing("socials", &expected);
            }
            None => judgement.missing("socials", &expected),
        }
    }
    // Google's and the smaller networks' profiles are not in the labels.
    let judged = ["facebook", "x", "instagram", "linkedin", "youtube", "pinterest", "tiktok", "yelp"];
    for social in &found.socials {
        if judged.contains(&social.network.as_str()) && !site.socials.contains_key(&social.network) {
            judgement.wrong("socials", &social.profile_url);
        }
    }
}

/// The last part of a profile's path, which identifies it.
fn handle(path: &str) -> String {
    let path = path.trim_end_matches('/').to_lowercase();
    path.rsplit('/').next().unwrap_or("").trim_start_matches('@').to_owned()
}

fn judge_technology(judgement: &mut Judgement<'_>, found: &SiteFacts) {
    let (site, technology) = (judgement.site, &found.technology);
    let platform: Vec<String> = site.platform.iter().cloned().collect();
    let judged = [
        ("platform", &platform, &technology.platform),
        ("booking", &site.booking, &technology.booking),
        ("ordering", &site.ordering, &technology.online_ordering),
        ("chat", &site.chat, &technology.chat),
    ];
    for (field, accepted, tool) in judged {
        judgement.one(field, accepted, tool.as_ref().map(|tool| tool.slug.as_str()));
    }
    let ads = technology.ad_networks.iter().map(|tool| tool.slug.clone()).collect();
    judgement.set("ad networks", &site.ad_networks, &ads);
    let analytics = technology.analytics.iter().map(|tool| tool.slug.clone()).collect();
    judgement.set("analytics", &site.analytics, &analytics);
}

fn judge_hours(judgement: &mut Judgement<'_>, facts: &Value) {
    let site = judgement.site;
    if judgement.is_maybe("hours") {
        return;
    }
    let found = match facts.get("hours") {
        Some(hours) => hours.get("hours").map(ToString::to_string),
        None => facts.pointer("/schema_org/opening_hours").map(ToString::to_string),
    };
    let found = found.filter(|hours| hours.chars().any(char::is_alphanumeric) && hours != "null");
    match (&site.hours, found) {
        (Some(truth), Some(hours)) if alike::hours(truth, &hours) => judgement.right("hours"),
        (truth, found) => {
            if let Some(hours) = found {
                judgement.wrong("hours", &hours);
            }
            if let Some(truth) = truth {
                judgement.missing("hours", truth);
            }
        }
    }
}
