//! Keys by which the same business is recognised, within a source and across sources.
//!
//! Open data lists many businesses twice. Two listings are the same business when any key agrees: the source's id; the
//! phone and the first word of the name; the website, the postal code and the first word of the name; or the name and
//! the address. The first word keeps two practices behind one reception apart, the postal code two branches of one firm.

use sha2::{Digest, Sha256};
use url::Url;

use super::Listing;

/// One key: a hash of what it stands for, of a size both databases can index.
pub type DedupKey = i64;

/// Words that firms add to their names or leave out.
const LEGAL_FORMS: [&str; 14] =
    ["inc", "llc", "ltd", "co", "corp", "company", "gmbh", "ug", "ag", "pllc", "pc", "lp", "the", "and"];

/// The marks of a listing.
pub fn dedup_keys(listing: &Listing) -> Vec<DedupKey> {
    let name = name_words(&listing.name);
    let first = name.first().map_or("", String::as_str);
    let place = listing.address.postal_code.as_deref().or(listing.address.city.as_deref()).unwrap_or_default();
    let ids = std::iter::once(&listing.business_id).chain(&listing.aliases);
    let mut dedup_keys: Vec<DedupKey> = ids.map(|id| dedup_key(&["id", id])).collect();
    if let Some(phone) = &listing.phone {
        dedup_keys.push(dedup_key(&["phone", phone, first]));
    }
    if let Some(site) = listing.website.as_deref().and_then(site) {
        dedup_keys.push(dedup_key(&["site", &site, place, first]));
    }
    if let Some(street) = &listing.address.street {
        dedup_keys.push(dedup_key(&["name", &name.join(" "), &street.to_lowercase(), place]));
    }
    dedup_keys
}

fn dedup_key(parts: &[&str]) -> DedupKey {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let digest = hash.finalize();
    DedupKey::from_le_bytes(std::array::from_fn(|place| digest[place]))
}

/// The words of a name that tell it apart.
fn name_words(name: &str) -> Vec<String> {
    let plain = name.to_lowercase().replace(['\'', '’', '.'], "");
    let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.filter(|word| !LEGAL_FORMS.contains(word)).map(str::to_owned).collect()
}

/// Host and path, without what does not matter.
fn site(website: &str) -> Option<String> {
    let url = Url::parse(website).ok()?;
    let host = url.host_str()?.trim_start_matches("www.");
    Some(format!("{host}{}", url.path().trim_end_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::PostalAddress;

    fn listing(id: &str, name: &str, phone: &str, website: &str) -> Listing {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let address = PostalAddress { street: text("1 Main St"), postal_code: text("78701"), ..Default::default() };
        Listing {
            business_id: id.into(),
            name: name.into(),
            phone: text(phone),
            website: text(website),
            address,
            ..Default::default()
        }
    }

    fn check(one: &Listing, other: &Listing, expected: bool) {
        let theirs = dedup_keys(other);
        let same = dedup_keys(one).iter().any(|dedup_key| theirs.contains(dedup_key));
        assert_eq!(same, expected, "{one:?} {other:?}");
    }

    #[test]
    fn any_mark_that_agrees_makes_it_the_same_business() {
        let joes = listing("a", "Joe's Plumbing, LLC", "+15125550100", "https://www.joes.example/");
        check(&joes, &listing("a", "Other", "", ""), true);
        check(&joes, &listing("b", "Joes Plumbing", "", ""), true);
        let elsewhere = |mut listing: Listing| {
            listing.address.street = Some("9 Elm St".into());
            listing
        };
        check(&joes, &elsewhere(listing("b", "Joe's", "+15125550100", "")), true);
        check(&joes, &elsewhere(listing("b", "Joe's Drains", "", "http://joes.example")), true);
        check(&joes, &elsewhere(listing("b", "Ada Dental", "+15125550100", "")), false);
        let mut branch = elsewhere(listing("b", "Joe's Plumbing", "", "http://joes.example"));
        branch.address.postal_code = Some("78702".into());
        check(&joes, &branch, false);
    }
}
