//! Microdata (`itemscope`, `itemprop`) and h-card classes, turned into the same shape as JSON-LD.

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use crate::budget::Budget;
use crate::text::unescape_attribute;
use crate::walk::Tag;

/// Open elements remembered; deeper ones are not looked at.
const DEPTH_MAX: usize = 256;
/// Items kept of one page.
const ITEMS_MAX: usize = 500;
/// Properties that one element may set, and words of its class that are looked at.
const PROPERTIES_MAX: usize = 8;
const CLASSES_MAX: usize = 64;
/// Longest name of a property that is kept, in bytes.
const PROPERTY_BYTES_MAX: usize = 64;
/// Steps of keeping one value, besides its bytes.
const VALUE_STEPS: usize = 100;
/// Steps of an element while items are gathered.
const ELEMENT_STEPS: usize = 10;
/// Bytes kept of one property.
const VALUE_BYTES_MAX: usize = 1_000;

/// The classes of h-card and its forerunner vCard, and the schema.org property each stands for.
const CARD_CLASSES: &[(&str, &str)] = &[
    ("p-name", "name"),
    ("fn", "name"),
    ("p-org", "worksFor"),
    ("p-job-title", "jobTitle"),
    ("title", "jobTitle"),
    ("role", "jobTitle"),
    ("u-email", "email"),
    ("email", "email"),
    ("p-tel", "telephone"),
    ("tel", "telephone"),
    ("p-street-address", "streetAddress"),
    ("street-address", "streetAddress"),
    ("p-locality", "addressLocality"),
    ("locality", "addressLocality"),
    ("p-region", "addressRegion"),
    ("region", "addressRegion"),
    ("p-postal-code", "postalCode"),
    ("postal-code", "postalCode"),
];

#[derive(Debug)]
struct Item {
    fields: Map<String, Value>,
    /// The property of the parent item that this item is, and that parent.
    parent: Option<(usize, String)>,
}

#[derive(Debug)]
struct Open<'h> {
    name: &'h str,
    /// The tag's name by hash, in lower case.
    key: u64,
    /// Whether this element starts an item.
    starts_item: bool,
    /// Properties whose value is the element's text, and where that text starts.
    text_of: Option<(Vec<String>, usize)>,
}

/// The items of a page, gathered while walking.
#[derive(Debug, Default)]
pub(crate) struct Microdata<'h> {
    items: Vec<Item>,
    open: Vec<Open<'h>>,
    /// Where the open elements of each name are, so that a closing tag finds its own, or none, at once.
    places: FxHashMap<u64, Vec<usize>>,
    /// The items whose elements are open, and whether each is an h-card.
    within: Vec<(usize, bool)>,
}

impl<'h> Microdata<'h> {
    /// Sees an opening tag; `at` is where its text will start.
    pub(crate) fn open(&mut self, tag: &Tag<'h>, at: usize, budget: &Budget) {
        if !budget.spend(ELEMENT_STEPS) {
            return;
        }
        let seen = if tag.rest.len() > 5 { Seen::of(tag) } else { Seen::default() };
        let properties = self.properties(&seen);
        let item = self.start_item(&seen, &properties);
        let mut text_of = None;
        if item.is_none() && !properties.is_empty() {
            match seen.value {
                Some(value) => self.set(&properties, &unescape_attribute(clip(value)), budget),
                None => text_of = Some((properties, at)),
            }
        }
        if !is_void(tag.name.0) && !tag.rest.ends_with('/') && self.open.len() < DEPTH_MAX {
            let key = hash_of(tag.name.0);
            self.places.entry(key).or_default().push(self.open.len());
            self.open.push(Open { name: tag.name.0, key, starts_item: item.is_some(), text_of });
            self.within.extend(item);
        }
    }

    /// Sees a closing tag; everything left open inside it closes too.
    pub(crate) fn close(&mut self, name: &str, text: &str, budget: &Budget) {
        let Some(depth) = self.places.get(&hash_of(name)).and_then(|places| places.last().copied()) else { return };
        if !self.open[depth].name.eq_ignore_ascii_case(name) {
            return;
        }
        while self.open.len() > depth {
            self.close_one(text, budget);
        }
    }

    /// Ends the page and hands out the items that are not part of another.
    pub(crate) fn finish(mut self, text: &str, budget: &Budget) -> Vec<Value> {
        while !self.open.is_empty() {
            self.close_one(text, budget);
        }
        // Children come after their parents, so from the end each is complete when it is moved.
        let mut found = Vec::new();
        while let Some(item) = self.items.pop() {
            match item.parent {
                Some((parent, property)) if parent < self.items.len() => {
                    add(&mut self.items[parent].fields, property, Value::Object(item.fields));
                }
                _ => found.push(Value::Object(item.fields)),
            }
        }
        found.reverse();
        found
    }

    fn close_one(&mut self, text: &str, budget: &Budget) {
        let Some(open) = self.open.pop() else { return };
        if let Some(places) = self.places.get_mut(&open.key) {
            places.pop();
        }
        if open.starts_item {
            self.within.pop();
        }
        if let Some((properties, start)) = open.text_of {
            let value = clip(text.get(start..).unwrap_or("").trim());
            if !value.is_empty() {
                self.set(&properties, value, budget);
            }
        }
    }

    fn properties(&self, seen: &Seen<'_>) -> Vec<String> {
        let written = seen.itemprop.unwrap_or("").split_ascii_whitespace().take(PROPERTIES_MAX);
        let mut names: Vec<String> =
            written.filter(|name| name.len() <= PROPERTY_BYTES_MAX).map(str::to_owned).collect();
        if let (Some(class), Some((_, true))) = (seen.class, self.within.last()) {
            for word in class.split_ascii_whitespace().take(CLASSES_MAX) {
                names.extend(CARD_CLASSES.iter().find(|(c, _)| *c == word).map(|(_, property)| (*property).to_owned()));
            }
        }
        names.truncate(PROPERTIES_MAX);
        names
    }

    fn start_item(&mut self, seen: &Seen<'_>, properties: &[String]) -> Option<(usize, bool)> {
        let is_card = seen
            .class
            .is_some_and(|c| c.split_ascii_whitespace().take(CLASSES_MAX).any(|w| w == "h-card" || w == "vcard"));
        if !(seen.itemscope || is_card) || self.items.len() >= ITEMS_MAX {
            return None;
        }
        let mut fields = Map::new();
        let kind = seen.itemtype.unwrap_or(if is_card { "Card" } else { "Thing" });
        fields.insert("@type".to_owned(), Value::String(clip(kind.trim()).to_owned()));
        let is_hcard = is_card && !seen.itemscope;
        if is_hcard {
            fields.insert("hcard".to_owned(), Value::Bool(true));
        }
        let parent = self.within.last().map(|(item, _)| *item).zip(properties.first().cloned());
        self.items.push(Item { fields, parent });
        Some((self.items.len() - 1, is_hcard))
    }

    fn set(&mut self, properties: &[String], value: &str, budget: &Budget) {
        let Some((item, _)) = self.within.last() else { return };
        for property in properties {
            if !budget.spend(VALUE_STEPS + value.len()) {
                return;
            }
            add(&mut self.items[*item].fields, property.clone(), Value::String(value.to_owned()));
        }
    }
}

/// The attributes that matter here.
#[derive(Default)]
struct Seen<'h> {
    itemprop: Option<&'h str>,
    itemtype: Option<&'h str>,
    itemscope: bool,
    class: Option<&'h str>,
    value: Option<&'h str>,
}

impl<'h> Seen<'h> {
    fn of(tag: &Tag<'h>) -> Seen<'h> {
        let mut seen = Seen::default();
        let mut link = None;
        for (name, value) in tag.attributes() {
            match name {
                "class" => seen.class = Some(value),
                "itemprop" | "itemProp" => seen.itemprop = Some(value),
                "itemtype" | "itemType" => seen.itemtype = Some(value),
                "itemscope" | "itemScope" => seen.itemscope = true,
                "content" | "datetime" | "dateTime" => seen.value = Some(value),
                "href" | "src" => link = Some(value),
                _ => {}
            }
        }
        // `<a itemprop=telephone href=tel:..>` says the number; `<a itemprop=name href=..>` says it in its text.
        let says_it =
            |p: &str| matches!(p, "url" | "sameAs" | "image" | "logo" | "email" | "telephone" | "hasMap" | "itemtype");
        if seen.value.is_none() && seen.itemprop.is_some_and(|p| p.split_ascii_whitespace().any(says_it)) {
            seen.value = link;
        }
        seen
    }
}

fn add(fields: &mut Map<String, Value>, property: String, value: Value) {
    match fields.get_mut(&property) {
        None => {
            fields.insert(property, value);
        }
        Some(Value::Array(list)) if list.len() < ITEMS_MAX => list.push(value),
        Some(Value::Array(_)) => {}
        Some(first) => {
            let old = first.take();
            *first = Value::Array(vec![old, value]);
        }
    }
}

fn clip(text: &str) -> &str {
    &text[..crate::page::floor_char(text, VALUE_BYTES_MAX)]
}

/// A tag's name in lower case, by hash (FNV-1a).
fn hash_of(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}

fn is_void(name: &str) -> bool {
    ["meta", "link", "img", "br", "input", "hr", "source", "area", "wbr"].iter().any(|v| name.eq_ignore_ascii_case(v))
}

#[cfg(test)]
mod tests {
    use crate::document::Document;

    fn check(html: &str, expect: &str) {
        let found = serde_json::Value::Array(Document::read(html).items).to_string();
        assert_eq!(found, expect, "{html}");
    }

    #[test]
    fn items_nest_as_they_are_written() {
        check(
            r#"<div itemscope itemtype="https://schema.org/Dentist"><h1 itemprop="name">Dr <b>Who</b></h1>
            <div itemprop="address" itemscope itemtype="http://schema.org/PostalAddress"><span itemprop="streetAddress">1 Elm</span></div>
            <meta itemprop="telephone" content="555"><a itemprop="url" href="/x">here</a></div>"#,
            r#"[{"@type":"https://schema.org/Dentist","address":{"@type":"http://schema.org/PostalAddress","streetAddress":"1 Elm"},"name":"Dr Who","telephone":"555","url":"/x"}]"#,
        );
        check(
            r#"<div class="vcard"><span class="fn">Ann Lee</span><p class="role">Owner</p><div class="email">a@b.co</div></div>"#,
            r#"[{"@type":"Card","email":"a@b.co","hcard":true,"jobTitle":"Owner","name":"Ann Lee"}]"#,
        );
        check("<p itemprop=name>alone</p>", "[]");
        check("<div itemscope><p itemprop=a>1<p itemprop=a>2", r#"[{"@type":"Thing","a":["2","1\n2"]}]"#);
    }
}
