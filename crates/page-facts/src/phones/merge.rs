//! Merges the mentions of all pages: one entry per number, the business's own main number first.

use rustc_hash::FxHashMap;

use super::PhoneMention;
use crate::facts::{Evidence, FoundPhone, Method, PhoneKind};

/// Points for how a number is given; the best method counts.
fn method_points(method: Method) -> i32 {
    match method {
        Method::JsonLd | Method::Microdata | Method::HCard => 12,
        Method::TelLink => 9,
        Method::Text => 6,
        _ => 0,
    }
}

/// What speaks for a number, besides its best evidence.
#[derive(Default)]
struct Standing {
    methods: Vec<Method>,
    voice: u32,
    fax: u32,
    is_prominent: bool,
    is_domestic: bool,
}

impl Standing {
    /// Points by which numbers are ordered: given in structured data or dialled by a link, repeated, in the head or foot of
    /// a page or on a contact page; a number abroad comes last.
    fn points(&self, phone: &FoundPhone) -> i32 {
        let times = i32::try_from(phone.times_seen.min(5)).unwrap_or(5);
        method_points(phone.evidence.method)
            + 2 * times
            + if self.methods.len() > 1 { 3 } else { 0 }
            + if self.is_prominent { 3 } else { 0 }
            - if self.is_domestic { 0 } else { 8 }
    }
}

/// Merges mentions, given in page order with the URL of their page.
pub(crate) fn merge(mentions: &[(String, PhoneMention)]) -> Vec<FoundPhone> {
    let mut found: Vec<(FoundPhone, Standing)> = Vec::new();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    for (url, mention) in mentions {
        let evidence = Evidence { url: url.clone(), method: mention.method, snippet: mention.snippet.clone() };
        let place = *places.entry(mention.number.e164.as_str()).or_insert(found.len());
        if place == found.len() {
            let phone = FoundPhone {
                phone: mention.number.e164.clone(),
                national: mention.number.national.clone(),
                kind: mention.kind,
                extension: mention.number.extension.clone(),
                times_seen: 0,
                evidence: evidence.clone(),
            };
            found.push((phone, Standing::default()));
        }
        let Some((known, standing)) = found.get_mut(place) else { continue };
        known.times_seen += 1;
        known.extension = known.extension.take().or_else(|| mention.number.extension.clone());
        if method_points(mention.method) > method_points(known.evidence.method) {
            known.evidence = evidence;
        }
        note(standing, mention);
    }
    for (phone, standing) in &mut found {
        // Text next to a number says "fax"; a link around it often does not, and says so once for each mention.
        let is_fax = standing.fax > 0 && standing.voice <= standing.fax;
        phone.kind = if is_fax { PhoneKind::Fax } else { PhoneKind::Voice };
    }
    found.sort_by_cached_key(|(phone, standing)| {
        (phone.kind == PhoneKind::Fax, std::cmp::Reverse(standing.points(phone)))
    });
    found.into_iter().map(|(phone, _)| phone).collect()
}

fn note(standing: &mut Standing, mention: &PhoneMention) {
    if !standing.methods.contains(&mention.method) {
        standing.methods.push(mention.method);
    }
    standing.is_prominent |= mention.is_prominent;
    standing.is_domestic |= mention.is_domestic;
    match mention.kind {
        PhoneKind::Fax => standing.fax += 1,
        PhoneKind::Voice => standing.voice += 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phones::number::PhoneNumber;

    fn mention(phone: &str, method: Method, kind: PhoneKind, is_prominent: bool) -> (String, PhoneMention) {
        let number =
            PhoneNumber { e164: phone.into(), national: phone.into(), extension: None, region: None, country_code: 1 };
        let is_domestic = phone.starts_with("+1");
        (
            "https://acme.com/".into(),
            PhoneMention { number, kind, method, snippet: String::new(), is_prominent, is_domestic },
        )
    }

    fn check(mentions: &[(String, PhoneMention)], expect: &[(&str, PhoneKind)]) {
        let found = merge(mentions);
        let shown: Vec<_> = found.iter().map(|phone| (phone.phone.as_str(), phone.kind)).collect();
        assert_eq!(shown, expect);
    }

    #[test]
    fn the_main_number_comes_first_and_fax_last() {
        use Method::{JsonLd, TelLink, Text};
        use PhoneKind::{Fax, Voice};
        check(
            &[
                mention("+15125550109", Text, Fax, true),
                mention("+15125550101", Text, Voice, false),
                mention("+442079460958", TelLink, Voice, false),
                mention("+15125550100", TelLink, Voice, true),
                mention("+15125550100", Text, Voice, true),
                mention("+15125550102", JsonLd, Voice, false),
            ],
            &[
                ("+15125550100", Voice),
                ("+15125550102", Voice),
                ("+15125550101", Voice),
                ("+442079460958", Voice),
                ("+15125550109", Fax),
            ],
        );
        // A link says voice where the text says fax.
        check(
            &[mention("+15125550100", TelLink, Voice, false), mention("+15125550100", Text, Fax, false)],
            &[("+15125550100", Fax)],
        );
        check(
            &[
                mention("+15125550100", TelLink, Voice, false),
                mention("+15125550100", Text, Voice, false),
                mention("+15125550100", Text, Fax, false),
            ],
            &[("+15125550100", Voice)],
        );
    }
}
