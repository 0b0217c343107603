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
pub(crate) fn listing(merged: &Merged, country: &str) -> Listing {
    let place = &merged.place;
    let address = place.addresses.first().map(address).unwrap_or_default();
    let country = address.country.clone().unwrap_or_else(|| country.to_owned());
    let web = websites(place);
    let phone = place.phones.iter().enumerate().find_map(|(at, phone)| Some((at, e164(phone, Some(&country))?)));
    let mut listing = Listing {
        business_id: business_id(merged.source.as_str(), &place.id),
        name: cleaned(&place.name).unwrap_or_default(),
        phone: phone.as_ref().map(|(_, phone)| phone.clone()),
        website: web.own.as_ref().map(|(_, url)| url.clone()),
        point: Some(place.point),
        rating: place.rating,
        review_count: place.review_count,
        reviews: Vec::new(),
        hours: place.opening_hours.as_deref().and_then(cleaned),
        is_chain: place.brand.is_some() || places::is_chain(&place.name, &country),
        socials: web.socials.iter().map(|(network, (_, profile))| (network.clone(), profile.clone())).collect(),
        emails: place.emails.iter().filter_map(|email| cleaned(email)).take(EMAILS_MAX).collect(),
        aliases: merged.aliases.iter().map(|(source, id)| business_id(source.as_str(), id)).collect(),
        address: PostalAddress { country: Some(country), ..address },
        origins: Vec::new(),
        listed_by: None,
    };
    let positions = Positions {
        website: web.own.map_or(0, |(at, _)| at),
        phone: phone.map_or(0, |(at, _)| at),
        socials: web.socials.into_values().collect(),
    };
    listing.origins = origins(&listing, merged, &positions);
    listing
}

/// Which of a place's values the listing has.
struct Positions {
    website: usize,
    phone: usize,
    socials: Vec<(ValueAt, String)>,
}

/// One of a place's websites or social profiles.
#[derive(Clone, Copy)]
struct ValueAt {
    field: Field,
    position: usize,
}

/// The website of its own with its position, and the profiles by network.
#[derive(Default)]
struct Web {
    own: Option<(usize, String)>,
    socials: BTreeMap<String, (ValueAt, String)>,
}

/// The id of a business: the source's name and its id there.
fn business_id(source: &str, id: &str) -> String {
    format!("{source}:{id}")
}

/// The first website of its own, and the profiles in social networks, whichever list names them.
fn websites(place: &Place) -> Web {
    let mut web = Web::default();
    let websites = place.websites.iter().enumerate().map(|(position, url)| (Field::Website, position, url));
    let socials = place.socials.iter().enumerate().map(|(position, url)| (Field::Social, position, url));
    for (field, position, text) in websites.chain(socials) {
        match listed_website(text) {
            Some(ListedWebsite::Own(url)) if web.own.is_none() && field == Field::Website => {
                web.own = Some((position, url.to_string()));
            }
            Some(ListedWebsite::Own(url) | ListedWebsite::Social(url)) => {
                if let Some((network, profile)) = page_facts::social_profile(url.as_str()) {
                    web.socials.entry(network.to_owned()).or_insert((ValueAt { field, position }, profile));
                }
            }
            None => {}
        }
    }
    web
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
fn origins(listing: &Listing, merged: &Merged, positions: &Positions) -> Vec<ValueOrigin> {
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
        ("hours", Field::OpeningHours, listing.hours.as_ref()),
    ];
    let shown = single.into_iter().filter(|_| !merged.aliases.is_empty());
    let shown = shown.filter_map(|(name, field, value)| {
        let position = match field {
            Field::Website => positions.website,
            Field::Phone => positions.phone,
            _ => 0,
        };
        Some((name, ValueAt { field, position }, value?.clone()))
    });
    let email = |(position, email): (usize, &String)| {
        Some(("emails", ValueAt { field: Field::Email, position }, cleaned(email)?))
    };
    let emails = merged.place.emails.iter().enumerate().filter_map(email).take(EMAILS_MAX);
    let socials = positions.socials.iter().map(|(at, profile)| ("socials", *at, profile.clone()));
    let all = shown.chain(emails).chain(socials);
    all.map(|(name, at, value)| {
        let source = merged.source_of_value(at.field, at.position);
        ValueOrigin {
            field: name.to_owned(),
            value,
            source: source.to_string(),
            business_id: business_id(source.as_str(), merged.id_in(source)),
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
        let phones = ["osm", "overture"].map(|source| (Field::Phone, SourceTag::from(source)));
        merged.field_sources = phones.to_vec();
        let listing = listing(&merged, "FI");
        assert_eq!(listing.aliases, ["overture:08f2"]);
        let phone = listing.origins.iter().find(|origin| origin.field == "phone").unwrap();
        assert_eq!((phone.source.as_str(), phone.business_id.as_str()), ("overture", "overture:08f2"));
        let name = listing.origins.iter().find(|origin| origin.field == "business_name").unwrap();
        assert_eq!((name.source.as_str(), name.business_id.as_str()), ("osm", "osm:n7"));
    }

    #[test]
    fn each_value_says_where_it_comes_from() {
        let (osm, overture) = (SourceTag::from("osm"), SourceTag::from("overture"));
        let mut merged = merged(place(), vec![(overture.clone(), "08f2".to_owned())]);
        merged.place.emails.push("office@ada.fi".into());
        merged.field_sources = vec![
            (Field::Website, overture.clone()),
            (Field::Website, osm.clone()),
            (Field::Social, overture.clone()),
            (Field::Email, osm.clone()),
            (Field::Email, overture.clone()),
            (Field::Phone, overture),
            (Field::Phone, osm),
        ];
        let listing = listing(&merged, "FI");
        let of = |field: &str| {
            let found = listing.origins.iter().filter(|origin| origin.field == field);
            found.map(|origin| format!("{} {}", origin.value, origin.business_id)).collect::<Vec<_>>()
        };
        assert_eq!(of("website"), ["https://ada.fi/?lang=fi osm:n7"], "the first website is a page in a network");
        assert_eq!(of("phone"), ["+35891234567 osm:n7"], "the first phone is none");
        assert_eq!(of("emails"), ["info@ada.fi osm:n7", "office@ada.fi overture:08f2"]);
        assert!(of("socials").iter().all(|social| social.ends_with("overture:08f2")), "{:?}", of("socials"));
    }

    #[test]
    fn a_branch_of_a_brand_is_a_chain() {
        let mut branch = place();
        assert!(!listing(&merged(branch.clone(), Vec::new()), "FI").is_chain);
        branch.brand = Some(place_data::Brand { name: Some("Ada".into()), wikidata: None });
        assert!(listing(&merged(branch, Vec::new()), "FI").is_chain);
    }
}
