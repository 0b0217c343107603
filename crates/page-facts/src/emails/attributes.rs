//! Addresses stored in attributes: in two of them, or encoded in one.

use memchr::memmem;

use super::EmailFinder;
use super::address::{around_at, percent_decode};
use super::obfuscated;
use super::scripts::base64;
use crate::facts::Method;
use crate::page::around;

/// Attributes examined per page and technique.
const ATTRIBUTES_MAX: usize = 50;
/// Steps charged for an attribute and those next to it.
const ATTRIBUTE_STEPS: usize = 2_000;

/// Reads the attributes of a page that may hide an address.
pub(super) fn read(finder: &mut EmailFinder<'_, '_>, html: &str) {
    for at in memmem::find_iter(html.as_bytes(), b"data-domain=").take(ATTRIBUTES_MAX) {
        if !finder.document.budget.spend(ATTRIBUTE_STEPS) {
            return;
        }
        split(finder, around(html, at, 300, 300));
    }
    for at in memmem::find_iter(html.as_bytes(), b"-email=").take(ATTRIBUTES_MAX) {
        if !finder.document.budget.spend(ATTRIBUTE_STEPS) {
            return;
        }
        encoded(finder, around(html, at, 0, 300));
    }
}

/// Reads `<a data-user="joe" data-domain="acme.com">`.
fn split(finder: &mut EmailFinder<'_, '_>, tag: &str) {
    let value = |names: &[&str]| names.iter().find_map(|name| attribute_near(tag, name));
    let (Some(user), Some(domain)) = (
        value(&["data-user=", "data-name=", "data-local=", "data-account=", "data-username="]),
        value(&["data-domain="]),
    ) else {
        return;
    };
    let domain = value(&["data-tld="])
        .map_or_else(|| domain.to_owned(), |tld| format!("{domain}.{}", tld.trim_start_matches('.')));
    let text = format!("{user}@{domain}");
    if let Some(address) = around_at(&text, user.len()) {
        finder.keep_hidden(address, Method::Joined, tag);
    }
}

/// Reads an attribute such as `data-enc-email`, in ROT13, base64 or backwards.
fn encoded(finder: &mut EmailFinder<'_, '_>, tag: &str) {
    let Some(value) = attribute_near(tag, "-email=") else { return };
    let value = percent_decode(value).replace("[at]", "@").replace("[dot]", ".");
    let Some(sign) = value.find('@') else {
        let plain = base64(&value);
        if let Some(address) = plain.find('@').and_then(|sign| around_at(&plain, sign)) {
            finder.keep_hidden(address, Method::Attribute, tag);
        }
        return;
    };
    if around_at(&value, sign).is_some() {
        // The attribute was read like any other that contains an `@`.
        return;
    }
    let turned = obfuscated::rot13(&value);
    if let Some(address) = around_at(&turned, sign) {
        finder.keep_hidden(address, Method::Rot13, tag);
    } else if let Some(address) = obfuscated::reversed_around(&value, sign) {
        finder.keep_hidden(address, Method::Reversed, tag);
    }
}

fn attribute_near<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let rest = &tag[tag.find(name)? + name.len()..];
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    rest[1..].split(quote).next().filter(|v| !v.is_empty() && v.len() < 100)
}
