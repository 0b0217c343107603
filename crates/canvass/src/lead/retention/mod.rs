//! Content of a source that may be kept only for a time, and what is left of a lead without it: the business's id there, what other
//! sources list, and what its own website says.

mod site_says;
pub(crate) mod store;

pub use site_says::SiteSays;

use page_facts::SiteFacts;
use url::Url;

use super::listed::METHOD as LISTING_METHOD;
use super::{Evidence, Lead};
use crate::clock::Moment;
use crate::listing::sources::live::GOOGLE;
use crate::listing::{Listing, PostalAddress};

/// What a lead is called when its name may not be kept, and its website does not say one.
pub const EXPIRED_NAME: &str = "Name no longer stored";
/// Field, value and method of the evidence entry that says why values are gone.
const EXPIRED_FIELD: &str = "listing";
const EXPIRED_VALUE: &str = "expired";
const EXPIRED_METHOD: &str = "retention";
/// The status of a website that was read.
const SITE_READ: &str = "ok";

/// Content of a lead that may be kept only for a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Expiring {
    /// The name of the source whose content it is.
    pub source: &'static str,
    /// What takes its place.
    pub site_says: SiteSays,
}

impl Expiring {
    /// What of a listing, and of its website's facts; `None` when no source limits how long it may be kept.
    pub(super) fn of(listing: &Listing, facts: &SiteFacts) -> Option<Expiring> {
        let mut ids = std::iter::once(&listing.business_id).chain(&listing.aliases);
        let is_limited = ids.any(|id| is_of(id, GOOGLE));
        is_limited.then(|| Expiring { source: GOOGLE, site_says: SiteSays::of(listing, facts) })
    }
}

/// Whether a business id is one of this source.
fn is_of(business_id: &str, source: &str) -> bool {
    business_id.strip_prefix(source).is_some_and(|rest| rest.starts_with(':'))
}

/// Which content expires, and when it did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expiry<'a> {
    pub(crate) source: &'a str,
    pub(crate) at: Moment,
}

impl Lead {
    /// The lead without what came from the listing of a source, and with what its website says instead. What another source lists
    /// stays; so does the address of a website that was read.
    pub(crate) fn expired(self, expiry: Expiry<'_>, says: SiteSays) -> Lead {
        let Expiry { source, at } = expiry;
        let origins = Origins { lead: &self, source };
        let business_id = origins.business_id();
        let website = self.website.clone().filter(|_| origins.keeps("website") || self.site_status == SITE_READ);
        let business_name = match origins.keeps("business_name") {
            true => self.business_name.clone(),
            false => says.name.clone().or_else(|| website.as_deref().and_then(host)).unwrap_or(EXPIRED_NAME.to_owned()),
        };
        let address = origins.address(&says.address);
        let keeps_point = origins.keeps("latitude");
        let keeps_rating = origins.keeps("rating") || self.rating_source.as_deref() == Some("website");
        let (rating, review_count, rating_source) = match keeps_rating {
            true => (self.rating, self.review_count, self.rating_source.clone()),
            false => (says.rating, says.review_count, says.rating.map(|_| "website".to_owned())),
        };
        let phone = if origins.keeps("phone") { self.phone.clone() } else { says.phone };
        let hours = if origins.keeps("hours") { self.hours.clone() } else { says.hours };
        let mut lead = Lead {
            business_name,
            website,
            phone,
            address: address.line(),
            street: address.street,
            city: address.city,
            state: address.state,
            postal_code: address.postal_code,
            country: address.country,
            latitude: self.latitude.filter(|_| keeps_point),
            longitude: self.longitude.filter(|_| keeps_point),
            rating,
            review_count,
            rating_source,
            hours,
            ..self
        };
        lead.forget_contacts(source);
        lead.evidence.retain(|one| !is_listed_by(one, source));
        lead.evidence.push(reason(source, business_id, at));
        lead
    }

    /// Whether so little is left of it that nobody can be addressed.
    pub(crate) fn is_nameless(&self) -> bool {
        self.business_name == EXPIRED_NAME
    }

    /// Removes emails and profiles that only this source lists.
    fn forget_contacts(&mut self, source: &str) {
        let evidence = &self.evidence;
        let is_kept = |field: &str, value: &str| {
            let mut proofs = evidence.iter().filter(|one| one.field == field && one.value == value).peekable();
            proofs.peek().is_none() || proofs.any(|one| !is_listed_by(one, source))
        };
        self.emails.retain(|email| is_kept("emails", &email.email));
        self.socials.retain(|_, profile| is_kept("socials", profile));
        self.primary_email = self.primary_email.take().filter(|primary| is_kept("emails", primary));
    }
}

/// Where the values of a lead come from, as far as that decides on what is kept.
struct Origins<'a> {
    lead: &'a Lead,
    source: &'a str,
}

impl Origins<'_> {
    /// Whether another source lists the value of a field.
    fn keeps(&self, field: &str) -> bool {
        let mut listed = self.lead.evidence.iter().filter(|one| one.field == field && one.method == LISTING_METHOD);
        listed.any(|one| one.snippet != self.source)
    }

    /// The parts of the address that other sources list, completed by what the website says.
    fn address(&self, says: &PostalAddress) -> PostalAddress {
        let part = |field: &str, own: &Option<String>, says: &Option<String>| {
            own.clone().filter(|_| self.keeps(field)).or_else(|| says.clone())
        };
        let Lead { street, city, state, postal_code, country, .. } = self.lead;
        PostalAddress {
            street: part("street", street, &says.street),
            city: part("city", city, &says.city),
            state: part("state", state, &says.state),
            postal_code: part("postal_code", postal_code, &says.postal_code),
            country: part("country", country, &says.country),
        }
    }

    /// The business's id at the source: of all that came from there, the one thing that may be kept.
    fn business_id(&self) -> String {
        let listed = self.lead.evidence.iter().find(|one| is_listed_by(one, self.source));
        let listed = || listed.map(|one| one.url.clone()).unwrap_or_default();
        if is_of(&self.lead.business_id, self.source) { self.lead.business_id.clone() } else { listed() }
    }
}

fn is_listed_by(one: &Evidence, source: &str) -> bool {
    one.method == LISTING_METHOD && one.snippet == source
}

/// The entry that says why values are gone.
fn reason(source: &str, business_id: String, at: Moment) -> Evidence {
    Evidence {
        field: EXPIRED_FIELD.to_owned(),
        value: EXPIRED_VALUE.to_owned(),
        url: business_id,
        method: EXPIRED_METHOD.to_owned(),
        snippet: format!(
            "What {source} listed was deleted: it may be stored for a limited time only. What the business's website says stays."
        ),
        seen_at: at,
    }
}

/// The host of a website, without `www.`.
fn host(website: &str) -> Option<String> {
    let url = Url::parse(website).ok()?;
    url.host_str().map(|host| host.strip_prefix("www.").unwrap_or(host).to_owned())
}
