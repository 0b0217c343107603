//! Assembles a lead from a listing and its website, and scores it.

use std::collections::BTreeMap;

use page_facts::{Evidence as Proof, FoundTechnology, SiteFacts};
use places::Category;
use polite_reader::SiteStatus;

use super::keep_text::keep_text;
use super::own_site::{site_phone, site_rating};
use super::retention::Expiring;
use super::{Email, Evidence, Lead, ListingSource, OpenSignals, address, listed};
use crate::clock::Moment;
use crate::ids::{LeadId, SearchId};
use crate::listing::Listing;
use crate::signals::{self, Basic, Known, Score, Site, Weights};
use crate::website::Website;

/// Emails delivered for one business; the finder ranks the best ones first.
const EMAILS_MAX: usize = 20;
/// Phone numbers and addresses listed as evidence.
const PHONES_MAX: usize = 3;
const ADDRESSES_MAX: usize = 3;
/// Characters of an evidence snippet.
const SNIPPET_CHARS_MAX: usize = 160;

/// Field and method of the evidence entry for a page that was not read completely.
const SITE_CUT_FIELD: &str = "site_cut";
const SITE_CUT_METHOD: &str = "reader";

/// A listing together with what was read of its website.
#[derive(Clone, Debug)]
pub struct ListingWithSite {
    /// As the source gave it.
    pub listing: Listing,
    /// None when the listing has no website, or reading websites is turned off.
    pub website: Option<Website>,
    /// Time of the read; becomes `seen_at` of the evidence.
    pub seen_at: Moment,
}

/// An assembled lead that has not been delivered: its ids are nil.
#[derive(Clone, Debug)]
pub struct Found {
    /// Ids and delivery time are set by [`Found::delivered`].
    pub lead: Lead,
    /// Points and reasons.
    pub score: Score,
    /// What the score was computed from, beside the signals.
    pub site: Site,
    /// Readable text of its website and reviews, for the AI features.
    pub site_text: Option<String>,
    /// Content that may be kept only for a time; `None` when all of it may stay.
    pub expiring: Option<Expiring>,
}

impl Found {
    /// Sets the ids and the delivery time.
    #[must_use]
    pub fn delivered(mut self, search: SearchId, lead: LeadId, now: Moment) -> Found {
        (self.lead.search_id, self.lead.lead_id, self.lead.delivered_at) = (search, lead, now);
        self
    }
}

/// Assembles and scores the lead. `source` is where the business was listed.
pub fn assemble(
    seen: ListingWithSite,
    category: &Category,
    source: impl Into<ListingSource>,
    weights: &Weights,
) -> Found {
    let ListingWithSite { listing, website, seen_at } = seen;
    let source: ListingSource = listing.listed_by.as_ref().map_or_else(|| source.into(), ListingSource::from);
    let empty = SiteFacts::default();
    let facts = website.as_ref().map_or(&empty, |website| &website.facts);
    let status = site_status(website.as_ref(), &listing);
    let (basic, site) = detect(website.as_ref(), facts, &listing);
    let rating = rating(&listing, facts, &source);
    let mut evidence = evidence(facts, seen_at);
    evidence.extend(website.iter().flat_map(|website| cut_pages(website, seen_at)));
    evidence.extend(listed::evidence(&listing, seen_at));
    let emails = emails(facts, &listing);
    let socials = socials(facts, &listing);
    let owner = facts.owner();
    let address = address::completed(&listing, facts);
    let expiring = Expiring::of(&listing, facts);
    let lead = Lead {
        lead_id: LeadId::from_uuid(uuid::Uuid::nil()),
        search_id: SearchId::from_uuid(uuid::Uuid::nil()),
        delivered_at: seen_at,
        industry: category.name.to_owned(),
        site_status: status.as_str().to_owned(),
        phone: listing.phone.or_else(|| site_phone(facts)),
        address: address.line(),
        street: address.street,
        city: address.city,
        state: address.state,
        postal_code: address.postal_code,
        country: address.country,
        latitude: listing.point.map(|point| point.latitude),
        longitude: listing.point.map(|point| point.longitude),
        rating: rating.stars,
        review_count: rating.count,
        rating_source: rating.source,
        hours: listing.hours.or_else(|| facts.hours.as_ref().map(|found| found.hours.clone())),
        is_chain: listing.is_chain,
        owner_name: owner.map(|owner| owner.name.clone()),
        owner_title: owner.and_then(|owner| owner.title.clone()),
        primary_email: emails.iter().find(|email| email.is_primary).map(|email| email.email.clone()),
        emails,
        socials,
        evidence,
        signals: OpenSignals { basic },
        source: source.name,
        attribution: source.attribution,
        business_id: listing.business_id,
        business_name: listing.name,
        website: listing.website,
    };
    let score = score(&lead, &site, category, weights);
    Found { site_text: keep_text(facts, &listing.reviews), lead, score, site, expiring }
}

/// How reading the website ended. A business whose listing names nothing but profiles in social networks has only those.
fn site_status(website: Option<&Website>, listing: &Listing) -> SiteStatus {
    match website {
        Some(website) => website.status,
        None if listing.website.is_none() && !listing.socials.is_empty() => SiteStatus::SocialOnly,
        None => SiteStatus::None,
    }
}

/// The signals of the website, and what the score needs beside them.
fn detect(website: Option<&Website>, facts: &SiteFacts, listing: &Listing) -> (Basic, Site) {
    let status = site_status(website, listing);
    let (mut basic, mut site) = signals::detect(status, facts, website.map(|website| website.url.as_str()));
    site.complete = website.is_some_and(|website| website.complete);
    site.read_by = signals::reading_version();
    if website.is_none() && listing.website.is_some() {
        // Reading websites is turned off: there is one, and nothing else is known about it.
        (basic.has_website, site.status) = (true, "unread".to_owned());
    }
    (basic, site)
}

/// Scores a changed lead again. `None` when the stored facts or the industry are no longer understood.
pub(crate) fn rescore(lead: &Lead, facts: &str, weights: &Weights) -> Option<Score> {
    let site: Site = serde_json::from_str(facts).ok()?;
    let industry = places::industry(&lead.industry).ok()?;
    Some(score(lead, &site, industry.category, weights))
}

/// Scores a lead under these weights.
pub fn score(lead: &Lead, site: &Site, category: &Category, weights: &Weights) -> Score {
    let known = Known {
        basic: &lead.signals.basic,
        site,
        group: category.group,
        rating: lead.rating,
        review_count: lead.review_count,
        has_email: lead.primary_email.is_some(),
        has_owner: lead.owner_name.is_some(),
        has_phone: lead.phone.is_some(),
        is_chain: lead.is_chain,
        year: lead.delivered_at.year(),
    };
    signals::score(&known, weights)
}

struct Rating {
    stars: Option<f64>,
    count: Option<i64>,
    source: Option<String>,
}

/// The rating of the listing, or else of the website's own structured data.
fn rating(listing: &Listing, facts: &SiteFacts, source: &ListingSource) -> Rating {
    if listing.rating.is_some() {
        // Of several sources that list the business, one has the rating.
        let origin = listing.origins.iter().find(|origin| origin.field == "rating");
        let name = origin.map_or(&source.name, |origin| &origin.source);
        return Rating { stars: listing.rating, count: listing.review_count, source: Some(name.clone()) };
    }
    match site_rating(facts) {
        (Some(stars), count) => Rating { stars: Some(stars), count, source: Some("website".to_owned()) },
        (None, _) => Rating { stars: None, count: listing.review_count, source: None },
    }
}

fn emails(facts: &SiteFacts, listing: &Listing) -> Vec<Email> {
    let found = facts.emails.iter().take(EMAILS_MAX);
    let email = |found: &page_facts::FoundEmail| Email {
        email: found.email.clone(),
        kind: found.kind,
        confidence: (found.confidence * 100.0).round() / 100.0,
        is_primary: found.is_primary,
    };
    let mut emails = found.map(email).collect();
    listed::add_emails(&mut emails, listing);
    emails
}

fn socials(facts: &SiteFacts, listing: &Listing) -> BTreeMap<String, String> {
    let mut socials = facts.socials.iter().map(|social| (social.network.clone(), social.profile_url.clone())).collect();
    listed::add_socials(&mut socials, listing);
    socials
}

/// Where each value was found. No value from a website is delivered without it.
fn evidence(facts: &SiteFacts, seen_at: Moment) -> Vec<Evidence> {
    let mut list = Vec::new();
    let mut add = |field: &str, value: &str, proof: &Proof| {
        list.push(Evidence {
            field: field.to_owned(),
            value: value.to_owned(),
            url: proof.url.clone(),
            method: method_name(proof),
            snippet: proof.snippet.chars().take(SNIPPET_CHARS_MAX).collect(),
            seen_at,
        });
    };
    facts.emails.iter().take(EMAILS_MAX).for_each(|email| add("emails", &email.email, &email.evidence));
    facts.phones.iter().take(PHONES_MAX).for_each(|phone| add("phone", &phone.phone, &phone.evidence));
    for found in facts.addresses.iter().take(ADDRESSES_MAX) {
        address::postal(found).line().iter().for_each(|line| add("address", line, &found.evidence));
    }
    facts.hours.iter().for_each(|found| add("hours", &found.hours, &found.evidence));
    facts.owner().iter().for_each(|owner| add("owner_name", &owner.name, &owner.evidence));
    facts.socials.iter().for_each(|social| add("socials", &social.profile_url, &social.evidence));
    let technology = &facts.technology;
    let single = [
        ("platform", &technology.platform),
        ("ecommerce", &technology.ecommerce),
        ("booking", &technology.booking),
        ("online_ordering", &technology.online_ordering),
        ("chat", &technology.chat),
    ];
    let single = single.into_iter().filter_map(|(field, found)| found.as_ref().map(|found| (field, found)));
    let networks = technology.ad_networks.iter().map(|found| ("ad_networks", found));
    let analytics = technology.analytics.iter().map(|found| ("analytics", found));
    let signals = single.chain(networks).chain(analytics);
    signals.for_each(|(field, found): (&str, &FoundTechnology)| add(field, &found.slug, &found.evidence));
    list
}

/// One entry for each page that was not read completely, where something may be missing.
fn cut_pages(website: &Website, seen_at: Moment) -> impl Iterator<Item = Evidence> {
    website.cut_pages.iter().map(move |page| Evidence {
        field: SITE_CUT_FIELD.to_owned(),
        value: page.reason.as_str().to_owned(),
        url: page.url.clone(),
        method: SITE_CUT_METHOD.to_owned(),
        snippet: page.reason.in_words().to_owned(),
        seen_at,
    })
}

fn method_name(proof: &Proof) -> String {
    let name = serde_json::to_value(proof.method).ok();
    name.and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::website::{CutPage, CutReason};

    #[test]
    fn a_page_that_was_not_read_whole_is_named_and_the_read_is_not_complete() {
        let cut = CutPage { url: "http://acme.example/about".into(), reason: CutReason::Steps };
        let website = Website {
            status: SiteStatus::Ok,
            url: "http://acme.example/".into(),
            complete: false,
            interrupted: false,
            detail: None,
            cut_pages: vec![cut],
            whole_pages: vec![],
            facts: SiteFacts::default(),
        };
        let named: Vec<Evidence> = cut_pages(&website, Moment::from_micros(0)).collect();
        let [named] = named.as_slice() else { panic!("{named:?}") };
        assert_eq!((named.field.as_str(), named.value.as_str()), ("site_cut", "steps"));
        assert_eq!(named.url, "http://acme.example/about");
    }
}
