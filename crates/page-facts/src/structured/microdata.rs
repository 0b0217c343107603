//! Reads microdata (`itemscope`, `itemprop`) and h-card classes into the shape of JSON-LD.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use crate::budget::StepBudget;
use crate::literals::Literals;
use crate::tags;
use crate::text::unescape_attribute;
use crate::tokenizer::{Tag, TagName};

/// Open elements tracked; deeper ones are ignored.
const DEPTH_MAX: usize = 256;
/// Items kept per page.
const ITEMS_MAX: usize = 500;
/// Properties read per element, and class names examined.
const PROPERTIES_MAX: usize = 8;
const CLASSES_MAX: usize = 64;
/// Longest property name that is kept, in bytes.
const PROPERTY_BYTES_MAX: usize = 64;
/// Steps charged per value, before its bytes are counted.
const VALUE_STEPS: usize = 100;
/// Steps charged per element while items are collected.
const ELEMENT_STEPS: usize = 10;
/// Bytes kept per property value.
const VALUE_BYTES_MAX: usize = 1_000;

/// Classes of h-card and its predecessor vCard, with the schema.org property of each.
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
    ("p-country-name", "addressCountry"),
    ("country-name", "addressCountry"),
];

/// What the attributes of every item and property contain.
static SIGNS: LazyLock<Option<Literals>> = LazyLock::new(|| Literals::new(["item", "vcard", "h-card"].into_iter()));

#[derive(Debug)]
struct Item {
    fields: Map<String, Value>,
    /// The parent item and the property of it that holds this item.
    parent: Option<(usize, String)>,
}

#[derive(Debug)]
struct OpenElement<'h> {
    name: &'h str,
    /// Hash of the tag name in lower case.
    key: u64,
    starts_item: bool,
    /// Properties whose value is the element's text, and where that text starts.
    text_of: Option<(Vec<String>, usize)>,
}

/// Collects the items of a page while it is parsed.
#[derive(Debug, Default)]
pub(crate) struct Microdata<'h> {
    items: Vec<Item>,
    open: Vec<OpenElement<'h>>,
    /// Indexes of open elements by tag name, so that a closing tag finds its match, or none, immediately.
    places: FxHashMap<u64, Vec<usize>>,
    /// The items whose elements are open, and whether each is an h-card.
    within: Vec<(usize, bool)>,
}

impl<'h> Microdata<'h> {
    /// Handles an opening tag; `at` is where its text will start.
    pub(crate) fn open(&mut self, tag: &Tag<'h>, at: usize, budget: &StepBudget) {
        if !budget.spend(ELEMENT_STEPS) {
            return;
        }
        let attributes = if self.concerns(tag) { ItemAttributes::of(tag) } else { ItemAttributes::default() };
        let properties = self.properties(&attributes);
        let item = self.start_item(&attributes, &properties);
        let mut text_of = None;
        if item.is_none() && !properties.is_empty() {
            match attributes.value {
                Some(value) => self.set(&properties, &unescape_attribute(clip(value)), budget),
                None => text_of = Some((properties, at)),
            }
        }
        if !is_void(tag.name) && !tag.rest.ends_with('/') && self.open.len() < DEPTH_MAX {
            let key = hash_of(tag.name.0);
            self.places.entry(key).or_default().push(self.open.len());
            self.open.push(OpenElement { name: tag.name.0, key, starts_item: item.is_some(), text_of });
            self.within.extend(item);
        }
    }

    /// Cheap check of whether a tag may start an item or be a property: few do, even on pages with items.
    fn concerns(&self, tag: &Tag<'_>) -> bool {
        let is_in_card = self.within.last().is_some_and(|(_, is_card)| *is_card);
        tag.rest.len() > 5 && (is_in_card || SIGNS.as_ref().is_none_or(|signs| signs.occur_in(tag.rest)))
    }

    /// Handles a closing tag, which also closes everything open inside it.
    pub(crate) fn close(&mut self, name: &str, text: &str, budget: &StepBudget) {
        let Some(depth) = self.places.get(&hash_of(name)).and_then(|places| places.last().copied()) else { return };
        if !self.open[depth].name.eq_ignore_ascii_case(name) {
            return;
        }
        while self.open.len() > depth {
            self.close_one(text, budget);
        }
    }

    /// Ends the page and returns the items that are not part of another.
    pub(crate) fn finish(mut self, text: &str, budget: &StepBudget) -> Vec<Value> {
        while !self.open.is_empty() {
            self.close_one(text, budget);
        }
        // Children come after their parents, so going backwards each one is complete when it is moved.
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

    fn close_one(&mut self, text: &str, budget: &StepBudget) {
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

    fn properties(&self, attributes: &ItemAttributes<'_>) -> Vec<String> {
        let written = attributes.itemprop.unwrap_or("").split_ascii_whitespace().take(PROPERTIES_MAX);
        let mut names: Vec<String> =
            written.filter(|name| name.len() <= PROPERTY_BYTES_MAX).map(str::to_owned).collect();
        if let (Some(class), Some((_, true))) = (attributes.class, self.within.last()) {
            for word in class.split_ascii_whitespace().take(CLASSES_MAX) {
                names.extend(CARD_CLASSES.iter().find(|(c, _)| *c == word).map(|(_, property)| (*property).to_owned()));
            }
        }
        names.truncate(PROPERTIES_MAX);
        names
    }

    fn start_item(&mut self, attributes: &ItemAttributes<'_>, properties: &[String]) -> Option<(usize, bool)> {
        let is_card = attributes
            .class
            .is_some_and(|c| c.split_ascii_whitespace().take(CLASSES_MAX).any(|w| w == "h-card" || w == "vcard"));
        if !(attributes.itemscope || is_card) || self.items.len() >= ITEMS_MAX {
            return None;
        }
        let mut fields = Map::new();
        let kind = attributes.itemtype.unwrap_or(if is_card { "Card" } else { "Thing" });
        fields.insert("@type".to_owned(), Value::String(clip(kind.trim()).to_owned()));
        let is_hcard = is_card && !attributes.itemscope;
        if is_hcard {
            fields.insert("hcard".to_owned(), Value::Bool(true));
        }
        let parent = self.within.last().map(|(item, _)| *item).zip(properties.first().cloned());
        self.items.push(Item { fields, parent });
        Some((self.items.len() - 1, is_hcard))
    }

    fn set(&mut self, properties: &[String], value: &str, budget: &StepBudget) {
        let Some((item, _)) = self.within.last() else { return };
        for property in properties {
            if !budget.spend(VALUE_STEPS + value.len()) {
                return;
            }
            add(&mut self.items[*item].fields, property.clone(), Value::String(value.to_owned()));
        }
    }
}

/// The attributes relevant to items.
#[derive(Default)]
struct ItemAttributes<'h> {
    itemprop: Option<&'h str>,
    itemtype: Option<&'h str>,
    itemscope: bool,
    class: Option<&'h str>,
    value: Option<&'h str>,
}

impl<'h> ItemAttributes<'h> {
    fn of(tag: &Tag<'h>) -> ItemAttributes<'h> {
        let mut attributes = ItemAttributes::default();
        let mut link = None;
        for (name, value) in tag.attributes() {
            match name {
                "class" => attributes.class = Some(value),
                "itemprop" | "itemProp" => attributes.itemprop = Some(value),
                "itemtype" | "itemType" => attributes.itemtype = Some(value),
                "itemscope" | "itemScope" => attributes.itemscope = true,
                "content" | "datetime" | "dateTime" => attributes.value = Some(value),
                "href" | "src" => link = Some(value),
                _ => {}
            }
        }
        // In `<a itemprop=telephone href=tel:..>` the value is the link; in `<a itemprop=name href=..>` it is the text.
        let says_it =
            |p: &str| matches!(p, "url" | "sameAs" | "image" | "logo" | "email" | "telephone" | "hasMap" | "itemtype");
        if attributes.value.is_none() && attributes.itemprop.is_some_and(|p| p.split_ascii_whitespace().any(says_it)) {
            attributes.value = link;
        }
        attributes
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

/// FNV-1a hash of a tag name in lower case.
fn hash_of(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}

fn is_void(name: TagName<'_>) -> bool {
    matches!(
        name.key(),
        tags::META | tags::LINK | tags::IMG | tags::BR | tags::INPUT | tags::HR | tags::SOURCE | tags::AREA | tags::WBR
    )
}

#[cfg(test)]
mod tests {
    use crate::document::Document;

    fn check(html: &str, expect: &str) {
        let found = serde_json::Value::Array(Document::parse(html).items).to_string();
        assert_eq!(found, expect, "{html}");
    }

    #[test]
    fn items_nest_as_written() {
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
