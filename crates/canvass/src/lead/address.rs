//! The postal address of a lead: the listing's, completed from the website where that means the same place.

use page_facts::{FoundAddress, SiteFacts};
use places::Point;

use crate::listing::{Listing, PostalAddress};

/// Farthest that the town or postal code of a website's address may be from the business, in miles.
const NEAR_MILES: f64 = 15.0;
/// How much nearer than the next one an address must be when a website has several, in miles.
const CLEARLY_NEARER_MILES: f64 = 1.0;

/// The listing's address, with what it lacks taken from the website. A website's address that contradicts the listing is not
/// used; it is among the evidence.
pub(super) fn completed(listing: &Listing, facts: &SiteFacts) -> PostalAddress {
    let listed = &listing.address;
    let is_whole = listed.street.is_some() && listed.city.is_some() && listed.postal_code.is_some();
    let found = if is_whole { None } else { of_this_business(listing, &facts.addresses) };
    let Some(found) = found else { return listed.clone() };
    let country = listed.country.clone().or(found.country);
    if listed.street.is_some() {
        // The same street: only what is missing is taken.
        return PostalAddress {
            street: listed.street.clone(),
            city: listed.city.clone().or(found.city),
            state: listed.state.clone().or(found.state),
            postal_code: listed.postal_code.clone().or(found.postal_code),
            country,
        };
    }
    // A new street: its own town and code belong to it.
    PostalAddress {
        street: found.street,
        city: found.city.or_else(|| listed.city.clone()),
        state: found.state.or_else(|| listed.state.clone()),
        postal_code: found.postal_code.or_else(|| listed.postal_code.clone()),
        country,
    }
}

/// The address that a website gives for this business, when that is certain.
pub(super) fn of_website(listing: &Listing, facts: &SiteFacts) -> Option<PostalAddress> {
    of_this_business(listing, &facts.addresses)
}

/// An address of a website in the listing's form.
pub(super) fn postal(found: &FoundAddress) -> PostalAddress {
    PostalAddress {
        street: found.street.clone(),
        city: found.city.clone(),
        state: found.state.clone(),
        postal_code: found.postal_code.clone(),
        country: found.country.clone(),
    }
}

/// The one address of a website that must be this business's. `None` when there are several that could be: a chain lists its
/// branches.
fn of_this_business(listing: &Listing, found: &[FoundAddress]) -> Option<PostalAddress> {
    let listed = &listing.address;
    let candidates = found.iter().map(postal).filter(|address| address.street.is_some());
    if let Some(street) = &listed.street {
        let mut same = candidates.filter(|address| {
            address.street.as_deref().is_some_and(|other| is_same_street(street, other)) && agrees(listed, address)
        });
        return same.next();
    }
    let mut near: Vec<(f64, PostalAddress)> =
        candidates.filter_map(|address| Some((distance(listing, &address)?, address))).collect();
    near.sort_by(|one, other| one.0.total_cmp(&other.0));
    if near.len() > 1 {
        near.retain(|(_, address)| !address.street.as_deref().is_some_and(is_post_box));
    }
    match near.as_slice() {
        [(_, only)] => Some(only.clone()),
        [(first, nearest), (second, _), ..] if second - first >= CLEARLY_NEARER_MILES => Some(nearest.clone()),
        _ => None,
    }
}

/// Miles between the business and a website's address, as far as both are known: 0 in the same town. `None` when the address is
/// elsewhere, or nothing says where it is.
fn distance(listing: &Listing, address: &PostalAddress) -> Option<f64> {
    if !agrees(&listing.address, address) {
        return None;
    }
    if let (Some(business), Some(point)) = (listing.point, point_of(address)) {
        let miles = business.miles_to(point);
        return (miles <= NEAR_MILES).then_some(miles);
    }
    let listed = &listing.address;
    let is_same = |one: &Option<String>, other: &Option<String>| one.is_some() && folded(one) == folded(other);
    let is_same_town = is_same(&listed.postal_code, &address.postal_code) || is_same(&listed.city, &address.city);
    is_same_town.then_some(0.0)
}

/// Whether no part that both know differs. Towns may: a suburb has two names.
fn agrees(listed: &PostalAddress, found: &PostalAddress) -> bool {
    let differs = |one: &Option<String>, other: &Option<String>| {
        one.is_some() && other.is_some() && code(one.as_deref()) != code(other.as_deref())
    };
    !differs(&listed.country, &found.country) && !differs(&listed.postal_code, &found.postal_code)
}

/// A postal code or country for comparison: without spaces, and a ZIP code without its last four digits.
fn code(part: Option<&str>) -> String {
    let code = part.unwrap_or_default();
    let code = code.split_once('-').filter(|(zip, _)| zip.len() == 5).map_or(code, |(zip, _)| zip);
    code.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).collect()
}

fn folded(part: &Option<String>) -> Vec<String> {
    places::fold_words(part.as_deref().unwrap_or_default())
}

/// Where the postal code, or else the town, of an address is.
fn point_of(address: &PostalAddress) -> Option<Point> {
    let country = address.country.as_deref();
    let zip = address.postal_code.as_deref().filter(|_| country == Some("US")).map(|zip| code(Some(zip)));
    let town = address.city.as_ref().map(|city| match address.state.as_deref().or(country) {
        Some(region) => format!("{city}, {region}"),
        None => city.clone(),
    });
    let located = [zip, town].into_iter().flatten().find_map(|text| places::locate(&text).ok())?;
    (country.is_none() || country == Some(located.place.country)).then_some(located.place.point)
}

/// Whether two spellings mean the same house: the same number, and one street's words begin with the other's first.
fn is_same_street(one: &str, other: &str) -> bool {
    let number = |street: &str| {
        let numbers = street.split(|c: char| !c.is_ascii_digit()).find(|digits| !digits.is_empty());
        numbers.map(str::to_owned)
    };
    let name = |street: &str| {
        let words = places::fold_words(street);
        words.into_iter().find(|word| word.len() > 2 && !word.bytes().any(|byte| byte.is_ascii_digit()))
    };
    number(one) == number(other) && name(one).is_some() && name(one) == name(other)
}

fn is_post_box(street: &str) -> bool {
    let words = places::fold_words(street);
    let is = |at: usize, word: &str| words.get(at).is_some_and(|found| found == word);
    is(0, "pobox") || (is(0, "po") && is(1, "box")) || (is(0, "p") && is(1, "o") && is(2, "box")) || is(0, "postfach")
}

#[cfg(test)]
mod tests {
    use page_facts::{Evidence, Method};

    use super::*;

    const AUSTIN: Point = Point { latitude: 30.2672, longitude: -97.7431 };

    fn found(parts: [&str; 4]) -> FoundAddress {
        let [street, city, state, postal_code] =
            parts.map(|part| Some(part.to_owned()).filter(|part| !part.is_empty()));
        let evidence = Evidence { url: "https://a.com/".into(), method: Method::Text, snippet: String::new() };
        FoundAddress { street, city, state, postal_code, country: Some("US".into()), times_seen: 1, evidence }
    }

    fn line(listed: PostalAddress, point: Option<Point>, addresses: &[[&str; 4]]) -> Option<String> {
        let listing = Listing { address: listed, point, ..Listing::default() };
        let facts =
            SiteFacts { addresses: addresses.iter().map(|parts| found(*parts)).collect(), ..SiteFacts::default() };
        completed(&listing, &facts).line()
    }

    fn listed(street: &str, city: &str, postal_code: &str) -> PostalAddress {
        let [street, city, postal_code] =
            [street, city, postal_code].map(|part| Some(part.to_owned()).filter(|p| !p.is_empty()));
        PostalAddress { street, city, postal_code, state: None, country: Some("US".into()) }
    }

    #[test]
    fn an_address_near_the_business_completes_the_listing() {
        let own = ["12 Oak St", "Austin", "TX", "78701"];
        let whole = Some("12 Oak St, Austin, TX 78701".to_owned());
        assert_eq!(line(PostalAddress::default(), Some(AUSTIN), &[own]), whole, "only a point");
        assert_eq!(line(listed("", "Austin", ""), None, &[own]), whole, "only a town");
        assert_eq!(
            line(listed("12 Oak Street", "", ""), Some(AUSTIN), &[own]).as_deref(),
            Some("12 Oak Street, Austin, TX 78701")
        );
    }

    #[test]
    fn an_address_elsewhere_or_in_doubt_is_not_taken() {
        let far = ["9 Elm St", "Dallas", "TX", "75201"];
        let own = ["12 Oak St", "Austin", "TX", "78701"];
        let twin = ["40 Pine St", "Austin", "TX", "78701"];
        let post_box = ["PO Box 12", "Austin", "TX", "78701"];
        assert_eq!(line(PostalAddress::default(), Some(AUSTIN), &[far]), None);
        assert_eq!(line(PostalAddress::default(), Some(AUSTIN), &[own, twin]), None, "a chain");
        assert_eq!(
            line(PostalAddress::default(), Some(AUSTIN), &[far, post_box, own]).as_deref(),
            Some("12 Oak St, Austin, TX 78701")
        );
        assert_eq!(
            line(listed("", "Austin", "78745"), Some(AUSTIN), &[own]).as_deref(),
            Some("Austin, 78745"),
            "another code"
        );
        assert_eq!(
            line(listed("7 Elm St", "Austin", ""), Some(AUSTIN), &[own]).as_deref(),
            Some("7 Elm St, Austin"),
            "another street"
        );
        assert_eq!(line(PostalAddress::default(), None, &[own]), None, "nothing says where the business is");
    }
}
