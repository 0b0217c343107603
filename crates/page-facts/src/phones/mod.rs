//! Finds phone numbers in `tel:` links, structured data and visible text, and distinguishes voice from fax.

pub(crate) mod candidates;
pub(crate) mod number;

use rlibphonenumber::Region;
use rustc_hash::FxHashMap;

use crate::document::Document;
use crate::domains;
use crate::emails::address::percent_decode;
use crate::facts::{Evidence, FoundPhone, Method, PhoneKind};
use crate::page::around;
use crate::structured::business::Structured;
use number::PhoneNumber;

/// Mentions kept per page.
const PHONES_MAX: usize = 300;
/// Bytes of a snippet on either side.
const SNIPPET_BYTES: usize = 50;

/// One mention of a phone number.
#[derive(Debug, Clone)]
pub(crate) struct PhoneMention {
    pub(crate) number: PhoneNumber,
    pub(crate) kind: PhoneKind,
    pub(crate) method: Method,
    pub(crate) snippet: String,
}

/// Finds the phone numbers of one page.
pub(crate) fn find(document: &Document<'_>, structured: &Structured, region: Region) -> Vec<PhoneMention> {
    let mut found = Vec::new();
    for (raw, is_fax, method) in structured.phones.iter().take(PHONES_MAX) {
        let kind = if *is_fax { PhoneKind::Fax } else { PhoneKind::Voice };
        if !document.budget.spend(candidates::PARSE_STEPS) {
            break;
        }
        if let Some(number) = PhoneNumber::parse(raw, region) {
            found.push(PhoneMention { number, kind, method: *method, snippet: raw.clone() });
        }
    }
    links(document, region, &mut found);
    let region = region_of(&found).filter(|_| region == Region::US).unwrap_or(region);
    text(document, region, &mut found);
    found
}

/// The region most of the numbers with a country code belong to, for a site that does not state its country.
fn region_of(found: &[PhoneMention]) -> Option<Region> {
    let abroad = found.iter().filter(|s| s.number.region.is_some_and(|r| r != Region::US)).count();
    let first = found.iter().find_map(|s| s.number.region)?;
    (abroad * 2 > found.len()).then_some(first)
}

fn links(document: &Document<'_>, region: Region, found: &mut Vec<PhoneMention>) {
    for link in &document.links {
        let Some((scheme, raw)) = number_of_link(&link.href) else { continue };
        if found.len() >= PHONES_MAX || !document.budget.spend(candidates::PARSE_STEPS) {
            return;
        }
        let Some(number) = PhoneNumber::parse(&raw, region) else { continue };
        let snippet = around(&document.text, link.start, SNIPPET_BYTES, SNIPPET_BYTES).replace('\n', " ");
        let snippet = if snippet.is_empty() { raw } else { snippet };
        let is_fax = scheme == Scheme::Fax || candidates::says_fax(&document.text, link.start, link.end);
        let kind = if is_fax { PhoneKind::Fax } else { PhoneKind::Voice };
        let method = if scheme == Scheme::Chat { Method::Link } else { Method::TelLink };
        found.push(PhoneMention { number, kind, method, snippet });
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Tel,
    Fax,
    /// A WhatsApp link with a number.
    Chat,
}

fn number_of_link(href: &str) -> Option<(Scheme, String)> {
    for (prefix, scheme) in [
        ("tel:", Scheme::Tel),
        ("callto:", Scheme::Tel),
        ("phone:", Scheme::Tel),
        ("sms:", Scheme::Tel),
        ("fax:", Scheme::Fax),
        ("call:", Scheme::Tel),
    ] {
        if href.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix)) {
            let raw = percent_decode(href.get(prefix.len()..)?);
            return Some((scheme, raw.trim_start_matches('/').split(['?', '&']).next()?.trim().to_owned()));
        }
    }
    let host = domains::host_of(href);
    if !(host == "wa.me" || host.ends_with("whatsapp.com")) {
        return None;
    }
    let after = ["wa.me/", "whatsapp.com/send?phone=", "whatsapp.com/send/?phone="]
        .iter()
        .find_map(|mark| href.split_once(mark))?
        .1;
    let digits: String =
        percent_decode(after).chars().skip_while(|c| *c == '+').take_while(char::is_ascii_digit).collect();
    (digits.len() > 7).then(|| (Scheme::Chat, format!("+{digits}")))
}

fn text(document: &Document<'_>, region: Region, found: &mut Vec<PhoneMention>) {
    let text = &document.text;
    for candidate in candidates::find(text, region, &document.budget) {
        if found.len() >= PHONES_MAX {
            document.budget.note_cut();
            return;
        }
        let kind =
            if candidates::says_fax(text, candidate.start, candidate.end) { PhoneKind::Fax } else { PhoneKind::Voice };
        let snippet = around(text, candidate.start, SNIPPET_BYTES, SNIPPET_BYTES + 16).replace('\n', " ");
        found.push(PhoneMention { number: candidate.number, kind, method: Method::Text, snippet });
    }
}

/// Merges the mentions of all pages: one entry per number, best first.
pub(crate) fn merge(mentions: &[(String, PhoneMention)]) -> Vec<FoundPhone> {
    let mut found: Vec<FoundPhone> = Vec::new();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    for (url, mention) in mentions {
        let evidence = Evidence { url: url.clone(), method: mention.method, snippet: mention.snippet.clone() };
        let place = *places.entry(mention.number.e164.as_str()).or_insert(found.len());
        match found.get_mut(place) {
            Some(known) => {
                known.times_seen += 1;
                known.extension = known.extension.take().or_else(|| mention.number.extension.clone());
                // Text next to a number says "fax"; a link around it often does not.
                if mention.kind == PhoneKind::Fax && known.kind == PhoneKind::Voice && known.times_seen <= 2 {
                    known.kind = PhoneKind::Fax;
                }
                if rank(mention.method) < rank(known.evidence.method) {
                    known.evidence = evidence;
                }
            }
            None => found.push(FoundPhone {
                phone: mention.number.e164.clone(),
                national: mention.number.national.clone(),
                kind: mention.kind,
                extension: mention.number.extension.clone(),
                times_seen: 1,
                evidence,
            }),
        }
    }
    found.sort_by_key(|phone| {
        (phone.kind == PhoneKind::Fax, rank(phone.evidence.method), std::cmp::Reverse(phone.times_seen))
    });
    found
}

fn rank(method: Method) -> u8 {
    match method {
        Method::JsonLd | Method::Microdata | Method::HCard => 0,
        Method::TelLink => 1,
        Method::Text => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expect: &[(&str, PhoneKind, Method)]) {
        let found = find(&Document::parse(html), &Structured::default(), Region::US);
        let shown: Vec<_> = found.iter().map(|s| (s.number.e164.as_str(), s.kind, s.method)).collect();
        assert_eq!(shown, expect, "{html}");
    }

    #[test]
    fn links_and_text_are_read() {
        check("<a href='tel:+1-512-555-0100'>Call</a>", &[("+15125550100", PhoneKind::Voice, Method::TelLink)]);
        check("<a href='tel:%28512%29%20555-0100'>Call</a>", &[("+15125550100", PhoneKind::Voice, Method::TelLink)]);
        check("<a href='fax:5125550100'>x</a>", &[("+15125550100", PhoneKind::Fax, Method::TelLink)]);
        check("<p>Fax: <a href='tel:5125550100'>x</a>", &[("+15125550100", PhoneKind::Fax, Method::TelLink)]);
        check("<a href='https://wa.me/15125550100?text=hi'>x</a>", &[("+15125550100", PhoneKind::Voice, Method::Link)]);
        check(
            "<p>Call (512) 555-0100</p><p>Fax 512.555.0101</p>",
            &[("+15125550100", PhoneKind::Voice, Method::Text), ("+15125550101", PhoneKind::Fax, Method::Text)],
        );
        check("<a href='tel:1234567890'>x</a><a href='tel:'>x</a><a href='tel:+1'>y</a>", &[]);
    }
}
