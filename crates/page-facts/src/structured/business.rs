//! Interprets a page's structured data, whichever syntax it is written in.

use serde_json::{Map, Value};

use crate::budget::StepBudget;
use crate::document::Document;
use crate::facts::{Address, Evidence, Method, SchemaOrg};
use crate::structured::json;
use crate::structured::samples;
use crate::structured::values::{address, address_of, first, number, opening_hours, rating, text, texts};
use crate::word_set::WordSet;

/// Nodes read per page.
const NODES_MAX: usize = 5_000;

/// Addresses kept per page.
const ADDRESSES_MAX: usize = 300;
/// Steps charged per node.
const NODE_STEPS: usize = 200;
/// Types read per node.
const KINDS_MAX: usize = 16;
/// Longest type that is kept, in bytes.
const KIND_BYTES_MAX: usize = 100;

/// Types that are not a business. Anything else with an address or phone may be one.
static NOT_BUSINESS: WordSet = WordSet::new(
    "Person WebSite WebPage Article NewsArticle BlogPosting Product Offer Review BreadcrumbList ListItem
     ImageObject VideoObject Event Place PostalAddress Service FAQPage Question JobPosting Course Recipe
     Book SoftwareApplication ContactPoint AggregateRating SearchAction ItemList CollectionPage AboutPage
     ContactPage Thing Brand City State Country AdministrativeArea Card",
);

/// A person in structured data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PersonNode {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) email: Option<String>,
    /// The person is named as founder or owner of the business.
    pub(crate) founder: bool,
    /// The data has the type `Person`, not only a name.
    pub(crate) is_typed: bool,
    pub(crate) method: Method,
}

/// A postal address in structured data, each part as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AddressNode {
    pub(crate) address: Address,
    /// It is where an event takes place or a job is.
    pub(crate) is_venue: bool,
    /// It is the address of the business that the page describes.
    pub(crate) is_own: bool,
    pub(crate) method: Method,
}

/// The structured data of one page.
#[derive(Debug, Default)]
pub(crate) struct Structured {
    /// The business, when one is described.
    pub(crate) business: SchemaOrg,
    /// How many fields of it are filled in.
    pub(crate) weight: usize,
    pub(crate) emails: Vec<(String, Method)>,
    /// Phone numbers, with whether each is a fax number.
    pub(crate) phones: Vec<(String, bool, Method)>,
    /// Profile URLs.
    pub(crate) same_as: Vec<(String, Method)>,
    pub(crate) people: Vec<PersonNode>,
    pub(crate) addresses: Vec<AddressNode>,
    pub(crate) is_article: bool,
    /// Whether the page is a discussion or a list of answers by members.
    pub(crate) is_discussion: bool,
    /// Whether something is offered at a price.
    pub(crate) has_product: bool,
}

/// Reads all structured data of a page.
pub(crate) fn read(url: &str, document: &Document<'_>) -> Structured {
    let mut reader = NodeReader {
        url,
        budget: &document.budget,
        out: Structured::default(),
        nodes: 0,
        is_own: false,
        is_venue: false,
    };
    for script in document.scripts.iter().filter(|s| s.is_json_ld) {
        for value in json::read_all(script.body, &document.budget) {
            reader.node(&value, Method::JsonLd, NodeRole::Top);
        }
    }
    for item in &document.items {
        let method = if item.get("hcard").is_some() { Method::HCard } else { Method::Microdata };
        reader.node(item, method, NodeRole::Top);
    }
    let mut out = reader.out;
    if out.business.name.is_none() {
        out.business.name = document.meta("og:site_name").map(str::trim).filter(|n| !n.is_empty()).map(str::to_owned);
        if out.business.name.is_some() && out.business.evidence.is_none() {
            out.business.evidence = evidence(url, Method::OpenGraph, out.business.name.as_deref());
        }
    }
    out.is_article |= document.meta("article:published_time").is_some();
    out
}

/// How a node relates to the node that contains it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeRole {
    Top,
    Founder,
    Staff,
    Other,
    /// Author of the page; counts only with a stated job.
    Author,
    /// Creator of the page: usually an agency, not part of the business.
    Creator,
    /// Reviews and their authors, products and their makers.
    Unrelated,
}

/// The role of the node under `key` inside a node with `role`.
fn role_within(key: &str, role: NodeRole) -> NodeRole {
    match key {
        // Everything inside an unrelated node is unrelated.
        _ if role == NodeRole::Unrelated => NodeRole::Unrelated,
        "founder" | "founders" | "owns" | "owner" => NodeRole::Founder,
        "employee" | "employees" | "member" | "members" | "director" => NodeRole::Staff,
        "creator" => NodeRole::Creator,
        "author" | "editor" | "contributor" => NodeRole::Author,
        "review" | "reviews" | "itemReviewed" | "offers" | "performer" | "manufacturer" | "brand" | "comment"
        | "hiringOrganization" | "mentions" => NodeRole::Unrelated,
        "@graph" | "mainEntity" | "mainEntityOfPage" | "publisher" | "about" | "provider" | "department"
        | "subOrganization" | "parentOrganization" | "location" | "contactPoint" => role,
        _ => NodeRole::Other,
    }
}

struct NodeReader<'u> {
    url: &'u str,
    budget: &'u StepBudget,
    out: Structured,
    nodes: usize,
    /// The node that is read next is the address of the business.
    is_own: bool,
    /// The nodes that are read are where an event takes place or a job is.
    is_venue: bool,
}

impl NodeReader<'_> {
    fn node(&mut self, value: &Value, method: Method, role: NodeRole) {
        self.nodes += 1;
        if self.nodes > NODES_MAX {
            self.budget.note_cut();
            return;
        }
        if !self.budget.spend(NODE_STEPS) {
            return;
        }
        match value {
            Value::Array(list) => list.iter().for_each(|item| self.node(item, method, role)),
            Value::Object(fields) => self.object(fields, method, role),
            Value::String(name) if matches!(role, NodeRole::Founder | NodeRole::Staff) => {
                self.named(name, method, role);
            }
            _ => {}
        }
    }

    fn object(&mut self, fields: &Map<String, Value>, method: Method, role: NodeRole) {
        let kinds = kinds_of(fields);
        let is_own = std::mem::take(&mut self.is_own);
        let is = |kind: &str| kinds.iter().any(|k| k == kind);
        let role = match role {
            _ if is("Review") || is("Comment") || is("DiscussionForumPosting") => NodeRole::Unrelated,
            NodeRole::Creator if is("Person") => NodeRole::Author,
            NodeRole::Creator => NodeRole::Unrelated,
            role => role,
        };
        self.out.is_article |= ["Article", "NewsArticle", "BlogPosting", "TechArticle", "Recipe"].iter().any(|k| is(k));
        self.out.is_discussion |= is("DiscussionForumPosting") || is("QAPage");
        self.out.has_product |= is("Product") && fields.contains_key("offers");
        if is("Person")
            || is("Physician")
            || (is("Card") && fields.contains_key("jobTitle"))
            || (is("Attorney") && fields.contains_key("jobTitle"))
        {
            self.person(fields, method, role);
        } else if role != NodeRole::Unrelated && is_business(&kinds, fields) {
            self.business(fields, &kinds, method);
        }
        let is_main = role == NodeRole::Top && is_business(&kinds, fields);
        let is_event = kinds.iter().any(|kind| kind.ends_with("Event") || kind == "JobPosting");
        if role != NodeRole::Unrelated {
            self.contacts(fields, method);
            self.address(fields, method, is_own || (is_main && is("Card")));
        }
        for (key, inner) in fields {
            let role = role_within(key, role);
            self.is_own = is_main && key == "address";
            if self.is_own && inner.is_string() {
                self.push_address(address(Some(inner)), method, true);
            }
            if inner.is_object() || inner.is_array() || matches!(role, NodeRole::Founder) {
                let is_venue = self.is_venue;
                self.is_venue |= is_event && matches!(key.as_str(), "location" | "jobLocation");
                self.node(inner, method, role);
                self.is_venue = is_venue;
            }
        }
    }

    fn named(&mut self, name: &str, method: Method, role: NodeRole) {
        self.out.people.push(PersonNode {
            name: name.trim().to_owned(),
            title: None,
            email: None,
            founder: role == NodeRole::Founder,
            is_typed: false,
            method,
        });
    }

    fn person(&mut self, fields: &Map<String, Value>, method: Method, role: NodeRole) {
        let title = text(fields, "jobTitle");
        // Authors and reviewers count only when the page states their job.
        let is_other = role == NodeRole::Unrelated || (role == NodeRole::Author && title.is_none());
        if is_other || samples::is_sample(fields) {
            return;
        }
        let name = text(fields, "name")
            .or_else(|| Some(format!("{} {}", text(fields, "givenName")?, text(fields, "familyName")?)));
        let Some(name) = name else { return };
        let email = text(fields, "email").map(|e| e.trim_start_matches("mailto:").to_lowercase());
        self.out.people.push(PersonNode {
            name,
            title,
            email,
            founder: role == NodeRole::Founder,
            is_typed: true,
            method,
        });
    }

    fn contacts(&mut self, fields: &Map<String, Value>, method: Method) {
        for email in texts(fields, "email") {
            self.out.emails.push((email, method));
        }
        for phone in texts(fields, "telephone").into_iter().chain(texts(fields, "phone")) {
            self.out.phones.push((phone, false, method));
        }
        for fax in texts(fields, "faxNumber") {
            self.out.phones.push((fax, true, method));
        }
        for profile in texts(fields, "sameAs") {
            self.out.same_as.push((profile, method));
        }
    }

    /// Keeps the parts of an address that a node holds.
    fn address(&mut self, fields: &Map<String, Value>, method: Method, is_own: bool) {
        if ["streetAddress", "postalCode", "postOfficeBoxNumber"].iter().any(|key| fields.contains_key(*key)) {
            let mut found = address_of(fields);
            if found.street.is_none() {
                found.street = text(fields, "postOfficeBoxNumber").map(|number| format!("PO Box {number}"));
            }
            self.push_address(Some(found), method, is_own);
        }
    }

    fn push_address(&mut self, found: Option<Address>, method: Method, is_own: bool) {
        if let Some(address) = found.filter(|_| self.out.addresses.len() < ADDRESSES_MAX) {
            self.out.addresses.push(AddressNode { address, is_own, is_venue: self.is_venue, method });
        }
    }

    fn business(&mut self, fields: &Map<String, Value>, kinds: &[String], method: Method) {
        let mut found = SchemaOrg {
            kind: kinds.first().cloned(),
            name: text(fields, "name").or_else(|| text(fields, "legalName")),
            description: text(fields, "description"),
            address: address(fields.get("address")),
            latitude: number(fields.get("geo").and_then(|g| first(g).get("latitude"))),
            longitude: number(fields.get("geo").and_then(|g| first(g).get("longitude"))),
            opening_hours: opening_hours(fields),
            price_range: text(fields, "priceRange"),
            ..SchemaOrg::default()
        };
        (found.rating, found.review_count) = rating(fields.get("aggregateRating"));
        found.evidence = evidence(self.url, method, found.name.as_deref());
        let weight = weight(&found);
        if weight > self.out.weight {
            let old = std::mem::replace(&mut self.out.business, found);
            fill(&mut self.out.business, old);
            self.out.weight = weight;
        } else {
            fill(&mut self.out.business, found);
        }
    }
}

/// How much a description says. The fullest one wins and the others fill its gaps.
pub(crate) fn weight(found: &SchemaOrg) -> usize {
    let parts = [
        found.name.is_some(),
        found.address.is_some(),
        found.latitude.is_some(),
        found.rating.is_some(),
        !found.opening_hours.is_empty(),
        found.description.is_some(),
    ];
    parts.iter().filter(|part| **part).count() + usize::from(found.address.is_some()) * 2
}

/// Fills the empty fields of `into` from `from`.
pub(crate) fn fill(into: &mut SchemaOrg, from: SchemaOrg) {
    into.kind = into.kind.take().or(from.kind);
    into.name = into.name.take().or(from.name);
    into.description = into.description.take().or(from.description);
    into.address = into.address.take().or(from.address);
    if into.latitude.is_none() {
        (into.latitude, into.longitude) = (from.latitude, from.longitude);
    }
    if into.opening_hours.is_empty() {
        into.opening_hours = from.opening_hours;
    }
    if into.rating.is_none() {
        (into.rating, into.review_count) = (from.rating, from.review_count);
    }
    into.price_range = into.price_range.take().or(from.price_range);
    into.evidence = into.evidence.take().or(from.evidence);
}

fn evidence(url: &str, method: Method, snippet: Option<&str>) -> Option<Evidence> {
    Some(Evidence { url: url.to_owned(), method, snippet: snippet.unwrap_or_default().chars().take(120).collect() })
}

fn kinds_of(fields: &Map<String, Value>) -> Vec<String> {
    let raw = match fields.get("@type").or_else(|| fields.get("type")) {
        Some(Value::String(kind)) => vec![kind.as_str()],
        Some(Value::Array(list)) => list.iter().take(KINDS_MAX).filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    raw.into_iter()
        .flat_map(str::split_ascii_whitespace)
        .take(KINDS_MAX)
        .map(|kind| kind.rsplit(['/', '#', ':']).next().unwrap_or(kind))
        .map(|kind| crate::page::around(kind, 0, 0, KIND_BYTES_MAX).to_owned())
        .collect()
}

fn is_business(kinds: &[String], fields: &Map<String, Value>) -> bool {
    let known = !kinds.is_empty() && kinds.iter().any(|kind| !NOT_BUSINESS.contains(kind.as_str()));
    let says = [
        "address",
        "telephone",
        "openingHours",
        "openingHoursSpecification",
        "logo",
        "sameAs",
        "aggregateRating",
        "contactPoint",
        "geo",
        "email",
    ];
    (known || kinds.iter().any(|k| k == "Card" || k == "Place"))
        && fields.contains_key("name")
        && says.iter().any(|key| fields.contains_key(*key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str) -> Structured {
        read("https://acme.com/", &Document::parse(html))
    }

    #[test]
    fn a_complete_business_is_read() {
        let found = check(
            r#"<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":["Dentist"],"name":"Smile &amp; Co","telephone":"(512) 555-0100",
            "address":{"streetAddress":"1 Elm","addressLocality":"Austin","addressRegion":"TX","postalCode":78701},"geo":{"latitude":"30.2","longitude":-97.7},
            "openingHoursSpecification":[{"dayOfWeek":["Monday","http://schema.org/Tuesday"],"opens":"09:00","closes":"17:00"}],
            "aggregateRating":{"ratingValue":"9.6","bestRating":"10","reviewCount":"1200"},"founder":{"@type":"Person","name":"Ann Lee"},"sameAs":["https://facebook.com/smile"]}]}</script>"#,
        );
        let b = &found.business;
        assert_eq!((b.name.as_deref(), b.kind.as_deref()), (Some("Smile & Co"), Some("Dentist")));
        assert_eq!((b.rating, b.review_count, b.latitude), (Some(4.8), Some(1200), Some(30.2)));
        assert_eq!(b.opening_hours, ["Mo,Tu 09:00-17:00"]);
        assert_eq!(b.address.as_ref().and_then(|a| a.postal_code.as_deref()), Some("78701"));
        assert!(found.people[0].founder && found.people[0].name == "Ann Lee");
        assert_eq!((found.phones.len(), found.same_as.len()), (1, 1));
    }

    #[test]
    fn unrelated_people_are_not_people_of_the_business() {
        let found = check(
            r#"<script type="application/ld+json">{"@type":"Product","name":"X","offers":{"price":1},"review":[{"author":{"@type":"Person","name":"Bob Ray","telephone":"1"}}]}</script>"#,
        );
        assert!(found.people.is_empty() && found.phones.is_empty() && found.has_product);
        assert_eq!(found.business.name, None);
        let made = check(
            r#"<script type="application/ld+json">{"@type":"WebSite","name":"Acme","creator":{"@type":"Organization","name":"Web Makers","email":"bob@makers.com","founder":"Bob Ray"}}</script>"#,
        );
        assert!(made.people.is_empty() && made.emails.is_empty());
    }
}
