//! A place as a listing: values cleaned, each field with its origin where several sources have it.

use std::collections::BTreeMap;

use place_data::merge::{Field, Merged};
use place_data::{Address, Place};
use polite_reader::{ListedWebsite, listed_website};

use crate::listing::{Listing, PostalAddress, ValueOrigin, e164};

/// Characters of a name or a part of an address; longer ones are no names.
const TEXT_CHARS_MAX: usize = 300;
/// Emails of one place.
const EMAILS_MAX: usize = 10;

/// The listing of a place. `country` is that of the area it was found in, for places that do not say theirs.
pub(super) fn listing(merged: &Merged, country: &str) -> Listing {
    let place = &merged.place;
    let address = place.addresses.first().map(address).unwrap_or_default();
    let country = address.country.clone().unwrap_or_else(|| country.to_owned());
    let (website, socials) = websites(place);
    let mut listing = Listing {
        business_id: business_id(merged.source.as_str(), &place.id),
        name: cleaned(&place.name).unwrap_or_default(),
        phone: place.phones.iter().find_map(|phone| e164(phone, Some(&country))),
        website,
        point: Some(place.point),
        rating: place.rating,
        review_count: place.review_count,
        reviews: Vec::new(),
        is_chain: place.brand.is_some() || places::is_chain(&place.name, &country),
        socials,
        emails: place.emails.iter().filter_map(|email| cleaned(email)).take(EMAILS_MAX).collect(),
        aliases: merged.aliases.iter().map(|(source, id)| business_id(source.as_str(), id)).collect(),
        address: PostalAddress { country: Some(country), ..address },
        origins: Vec::new(),
        listed_by: None,
    };
    listing.origins = origins(&listing, merged);
    listing
}

/// The id of a business: the source's name and its id there.
fn business_id(source: &str, id: &str) -> String {
    format!("{source}:{id}")
}

/// The first website of its own, and the profiles in social networks, whichever list names them.
fn websites(place: &Place) -> (Option<String>, BTreeMap<String, String>) {
    let mut own = None;
    let mut socials = BTreeMap::new();
    for field in place.websites.iter().chain(&place.socials) {
        match listed_website(field) {
            Some(ListedWebsite::Own(url)) if own.is_none() && place.websites.contains(field) => {
                own = Some(url.to_string());
            }
            Some(ListedWebsite::Own(url) | ListedWebsite::Social(url)) => {
                if let Some((network, profile)) = page_facts::social_profile(url.as_str()) {
                    socials.entry(network.to_owned()).or_insert(profile);
                }
            }
            None => {}
        }
    }
    (own, socials)
}

fn address(address: &Address) -> PostalAddress {
    let part = |part: &Option<String>| part.as_deref().and_then(cleaned);
    let country = part(&address.country).map(|country| country.to_uppercase());
    let country = country.filter(|country| country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase()));
    let region = part(&address.region);
    let state = region.map(|region| match country.as_ref().and_then(|country| region.strip_prefix(country.as_str())) {
        // "US-TX" is Texas.
        Some(code) if code.starts_with('-') => code[1..].to_owned(),
        _ => region,
    });
    PostalAddress {
        street: part(&address.freeform),
        city: part(&address.locality),
        state,
        postal_code: part(&address.postcode),
        country,
    }
}

/// A text on one line, without control characters; `None` when nothing is left.
fn cleaned(text: &str) -> Option<String> {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    let text: String = words.join(" ").chars().take(TEXT_CHARS_MAX).collect();
    (!text.is_empty()).then_some(text)
}

/// Where the values of a listing come from: of all fields when several sources have the business, of emails and profiles
/// always, because its website may have others.
fn origins(listing: &Listing, merged: &Merged) -> Vec<ValueOrigin> {
    let address = &listing.address;
    let stars = listing.rating.map(|rating| rating.to_string());
    let point = listing.point.map(|point| format!("{}, {}", point.latitude, point.longitude));
    let single = [
        ("business_name", Field::Name, Some(&listing.name)),
        ("website", Field::Website, listing.website.as_ref()),
        ("phone", Field::Phone, listing.phone.as_ref()),
        ("street", Field::Street, address.street.as_ref()),
        ("city", Field::Locality, address.city.as_ref()),
        ("state", Field::Region, address.state.as_ref()),
        ("postal_code", Field::Postcode, address.postal_code.as_ref()),
        ("country", Field::Country, address.country.as_ref()),
        ("latitude", Field::Point, point.as_ref()),
        ("rating", Field::Rating, stars.as_ref()),
    ];
    let shown = single.into_iter().filter(|_| !merged.aliases.is_empty());
    let shown = shown.filter_map(|(field, of, value)| Some((field, of, value?.clone())));
    let emails = listing.emails.iter().map(|email| ("emails", Field::Email, email.clone()));
    let socials = listing.socials.values().map(|profile| ("socials", Field::Social, profile.clone()));
    let all = shown.chain(emails).chain(socials);
    all.map(|(field, of, value)| {
        let source = merged.source_of(of);
        let id = merged.aliases.iter().find(|(alias, _)| alias == source).map_or(&merged.place.id, |(_, id)| id);
        ValueOrigin {
            field: field.to_owned(),
            value,
            source: source.to_string(),
            business_id: business_id(source.as_str(), id),
        }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use place_data::merge::SourceTag;
    use places::Point;

    use super::*;

    fn place() -> Place {
        let mut place = Place::new("n7", " Ada\u{7}  Dental\n", Point { latitude: 60.17, longitude: 24.94 });
        place.websites = vec!["https://www.facebook.com/adadental".into(), "ada.fi/?utm_source=map&lang=fi".into()];
        place.socials = vec!["https://instagram.com/adadental/".into()];
        place.phones = vec!["nonsense".into(), "09 1234567".into()];
        place.emails = vec!["info@ada.fi".into()];
        let address = Address {
            freeform: Some("Mannerheimintie 1".into()),
            locality: Some("Helsinki".into()),
            country: Some("fi".into()),
            region: Some("FI-18".into()),
            postcode: None,
        };
        place.addresses = vec![address];
        place
    }

    fn merged(place: Place, aliases: Vec<(SourceTag, String)>) -> Merged {
        Merged { place, source: SourceTag::from("osm"), aliases, field_sources: Vec::new() }
    }

    #[test]
    fn values_are_cleaned() {
        let listing = listing(&merged(place(), Vec::new()), "US");
        assert_eq!((listing.business_id.as_str(), listing.name.as_str()), ("osm:n7", "Ada Dental"));
        assert_eq!(listing.website.as_deref(), Some("https://ada.fi/?lang=fi"));
        assert_eq!(listing.phone.as_deref(), Some("+35891234567"));
        assert_eq!(listing.address.line().as_deref(), Some("Mannerheimintie 1, Helsinki"));
        assert_eq!(listing.address.state.as_deref(), Some("18"));
        let networks: Vec<&str> = listing.socials.keys().map(String::as_str).collect();
        assert_eq!(networks, ["facebook", "instagram"]);
        let shown: Vec<&str> = listing.origins.iter().map(|origin| origin.field.as_str()).collect();
        assert_eq!(shown, ["emails", "socials", "socials"]);
    }

    #[test]
    fn a_business_of_several_sources_says_where_each_field_comes_from() {
        let aliases = vec![(SourceTag::from("overture"), "08f2".to_owned())];
        let mut merged = merged(place(), aliases);
        merged.field_sources = vec![(Field::Phone, SourceTag::from("overture"))];
        let listing = listing(&merged, "FI");
        assert_eq!(listing.aliases, ["overture:08f2"]);
        let phone = listing.origins.iter().find(|origin| origin.field == "phone").unwrap();
        assert_eq!((phone.source.as_str(), phone.business_id.as_str()), ("overture", "overture:08f2"));
        let name = listing.origins.iter().find(|origin| origin.field == "business_name").unwrap();
        assert_eq!((name.source.as_str(), name.business_id.as_str()), ("osm", "osm:n7"));
    }

    #[test]
    fn a_branch_of_a_brand_is_a_chain() {
        let mut branch = place();
        assert!(!listing(&merged(branch.clone(), Vec::new()), "FI").is_chain);
        branch.brand = Some(place_data::Brand { name: Some("Ada".into()), wikidata: None });
        assert!(listing(&merged(branch, Vec::new()), "FI").is_chain);
    }
}
