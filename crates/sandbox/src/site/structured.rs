//! The JSON-LD of a website.

use std::fmt::Write;

use crate::business::Business;
use crate::site::emails::HiddenBy;
use crate::site::owner::OwnerStatement;
use crate::site::plan::{JsonLd, Plan};
use crate::site::text::escape_json;

/// schema.org types of common trades.
const KINDS: [(&str, &str); 16] = [
    ("dentist", "Dentist"),
    ("plumber", "Plumber"),
    ("electrician", "Electrician"),
    ("roofer", "RoofingContractor"),
    ("hvac_contractor", "HVACBusiness"),
    ("restaurant", "Restaurant"),
    ("pizza_restaurant", "Restaurant"),
    ("coffee_shop", "CafeOrCoffeeShop"),
    ("hair_salon", "HairSalon"),
    ("gym", "ExerciseGym"),
    ("lawyer", "LegalService"),
    ("auto_repair", "AutoRepair"),
    ("florist", "Florist"),
    ("hotel", "Hotel"),
    ("veterinarian", "VeterinaryCare"),
    ("bakery", "Bakery"),
];

/// Writes the JSON-LD block, if the plan has one.
pub(crate) fn write(out: &mut String, business: &Business, plan: &Plan) {
    if plan.json_ld == JsonLd::None {
        return;
    }
    out.push_str("<script type=\"application/ld+json\">");
    match plan.json_ld {
        JsonLd::Graph => {
            out.push_str(
                "{\"@context\":\"https://schema.org\",\"@graph\":[{\"@type\":\"WebSite\",\"url\":\"/\",\"name\":\"",
            );
            escape_json(out, &business.name);
            out.push_str("\"},");
            node(out, business, plan);
            out.push_str("]}");
        }
        // An extra comma, a missing quote, and no end.
        JsonLd::Broken => {
            out.push_str("{\"@context\":\"https://schema.org\",,\"@type\":\"LocalBusiness\",\"name\":\"Our shop,\"}");
        }
        _ => node(out, business, plan),
    }
    out.push_str("</script>\n");
}

fn node(out: &mut String, business: &Business, plan: &Plan) {
    let kind = KINDS.iter().find(|(slug, _)| *slug == business.category.slug).map_or("LocalBusiness", |(_, kind)| kind);
    let _ = write!(out, "{{\"@context\":\"https://schema.org\",\"@type\":\"{kind}\",\"name\":\"");
    escape_json(out, &business.name);
    out.push('"');
    let email = plan.emails.iter().find(|email| email.hidden_by == HiddenBy::JsonLd);
    field(out, "telephone", plan.phone.as_deref());
    field(out, "email", email.map(|email| email.address.as_str()));
    out.push_str(",\"address\":{\"@type\":\"PostalAddress\"");
    field(out, "streetAddress", Some(&business.street));
    field(out, "addressLocality", Some(&business.city));
    field(out, "addressRegion", Some(&business.state));
    field(out, "postalCode", business.postal_code.as_deref());
    field(out, "addressCountry", Some(business.country));
    let (latitude, longitude) = (business.point.latitude, business.point.longitude);
    let _ =
        write!(out, "}},\"geo\":{{\"@type\":\"GeoCoordinates\",\"latitude\":{latitude},\"longitude\":{longitude}}}");
    if let (Some(rating), Some(count)) = (business.rating, business.review_count) {
        let _ = write!(
            out,
            ",\"aggregateRating\":{{\"@type\":\"AggregateRating\",\"ratingValue\":\"{rating:.1}\",\"reviewCount\":\"{count}\"}}"
        );
    }
    if let Some(stated) = plan.owner.filter(|stated| stated.statement == OwnerStatement::JsonLd) {
        out.push_str(",\"founder\":{\"@type\":\"Person\"");
        field(out, "name", Some(&stated.person.name()));
        out.push('}');
    }
    same_as(out, plan);
    out.push('}');
}

fn same_as(out: &mut String, plan: &Plan) {
    if plan.socials.is_empty() {
        return;
    }
    out.push_str(",\"sameAs\":[");
    for (at, (_, url)) in plan.socials.iter().enumerate() {
        let _ = write!(out, "{}\"{url}\"", if at == 0 { "" } else { "," });
    }
    out.push(']');
}

fn field(out: &mut String, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        let _ = write!(out, ",\"{name}\":\"");
        escape_json(out, value);
        out.push('"');
    }
}
