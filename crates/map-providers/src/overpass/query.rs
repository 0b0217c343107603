//! Writes queries in Overpass QL.

use std::fmt::Write;

use places::Bounds;

use super::OverpassSettings;
use super::extent::{Extent, ExtentShape};

/// What may stand before and behind one of several values: `pizza; kebab`. Wider than the semicolons and spaces that are meant, as
/// the exact rule is applied to the answer.
const EDGE: &str = "[^a-z0-9_]";

/// The cheapest query whose answer says how old the data is.
pub(super) const TINY: &str = "[out:json][timeout:10][maxsize:1048576];node(1);out ids;";

/// Asks for everything with one of these tags within an extent: nodes, ways and relations, with tags and one point each.
pub(super) fn query(tags: &[(&str, &str)], extent: &Extent, settings: &OverpassSettings) -> String {
    let (seconds, bytes) = (settings.timeout.as_secs().max(1), settings.memory_bytes_max);
    let mut text = format!("[out:json][timeout:{seconds}][maxsize:{bytes}];\n(\n");
    let place = place(extent);
    for (key, values) in by_key(tags) {
        let pattern = format!("(^|{EDGE})({})({EDGE}|$)", values.join("|"));
        // A `String` takes everything that is written to it.
        let _ = writeln!(text, "  nwr[{}~{},i]{place};", quoted(key), quoted(&pattern));
    }
    // Sorted by location is the quickest for the server; the answer is sorted by id once it is read.
    text.push_str(");\nout tags center qt;\n");
    text
}

/// The patterns of the values of each key, in the order of the keys' first tags.
fn by_key<'t>(tags: &[(&'t str, &str)]) -> Vec<(&'t str, Vec<String>)> {
    let mut keys: Vec<(&str, Vec<String>)> = Vec::new();
    for (key, value) in tags {
        match keys.iter_mut().find(|(known, _)| known == key) {
            Some((_, values)) => values.push(pattern(value)),
            None => keys.push((key, vec![pattern(value)])),
        }
    }
    keys
}

/// A regular expression for a value. An import reads spaces as underscores, so `steak house` is found as well.
fn pattern(value: &str) -> String {
    let mut pattern = String::new();
    for letter in value.chars() {
        match letter {
            ' ' | '_' => pattern.push_str("[_ ]"),
            // Only these: behind a backslash some other characters get a meaning.
            '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '^' | '$' | '\\' => {
                pattern.extend(['\\', letter]);
            }
            letter => pattern.push(letter),
        }
    }
    pattern
}

/// A string of the query language.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            letter if letter.is_control() => {}
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

fn place(extent: &Extent) -> String {
    let Bounds { south, west, north, east } = extent.bounds;
    let mut place = format!("({south:.5},{west:.5},{north:.5},{east:.5})");
    match &extent.shape {
        ExtentShape::Box => {}
        ExtentShape::Circle { centre, metres } => {
            let _ = write!(place, "(around:{metres:.0},{:.7},{:.7})", centre.latitude, centre.longitude);
        }
        ExtentShape::Polygon(vertices) => {
            let vertices = vertices.iter().map(|at| format!("{:.5} {:.5}", at.latitude, at.longitude));
            let _ = write!(place, "(poly:\"{}\")", vertices.collect::<Vec<_>>().join(" "));
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use place_data::Kinds;
    use place_data::osm::{ElementId, ElementKind, ObjectReader};
    use places::Point;
    use regex::RegexBuilder;

    use super::*;

    /// Whatever an import would take for a business of the category must be among what is asked for.
    #[test]
    fn no_spelling_that_an_import_accepts_is_left_out() {
        let id = ElementId { kind: ElementKind::Node, number: 1 };
        let point = Point { latitude: 30.0, longitude: -97.0 };
        let mut reader = ObjectReader::default();
        let mut accepted = 0;
        for category in places::categories() {
            let kinds = Kinds::of(category);
            let patterns: Vec<_> = by_key(category.osm)
                .into_iter()
                .map(|(key, values)| {
                    let pattern = format!("(^|{EDGE})({})({EDGE}|$)", values.join("|"));
                    (key, RegexBuilder::new(&pattern).case_insensitive(true).build().unwrap())
                })
                .collect();
            for (key, value) in category.osm {
                let spaced = value.replace('_', " ");
                for spelling in [
                    (*value).to_owned(),
                    value.to_uppercase(),
                    spaced.clone(),
                    format!("first;{value}"),
                    format!("{value};last"),
                    format!("first ;\u{a0}{value}\t; last"),
                    format!("first;{spaced} ;"),
                    format!("{value}s"),
                    format!("first_{value}"),
                ] {
                    let tags = [("office", "of_no_kind"), (key, spelling.as_str()), ("name", "Acme")];
                    let skipped = usize::from(*key == "office");
                    let place = reader.place(id, &tags[skipped..], point);
                    if place.is_some_and(|place| kinds.includes(&place.categories)) {
                        let is_asked_for =
                            patterns.iter().any(|(known, value)| known == key && value.is_match(&spelling));
                        assert!(is_asked_for, "{}: {key}={spelling:?}", category.slug);
                        accepted += 1;
                    }
                }
            }
        }
        assert!(accepted > 2_000, "{accepted}");
    }

    #[test]
    fn a_query_names_tags_box_and_shape() {
        let settings = OverpassSettings::at(Vec::new());
        let bounds = Bounds { south: 30.1, west: -97.9, north: 30.5, east: -97.5 };
        let tags = [("craft", "plumber"), ("shop", "bathroom_furnishing"), ("craft", "hvac")];
        let circle = ExtentShape::Circle { centre: Point { latitude: 30.3, longitude: -97.7 }, metres: 16_093.6 };
        assert_eq!(
            query(&tags, &Extent { bounds, shape: circle }, &settings),
            "[out:json][timeout:60][maxsize:268435456];\n(\n  \
             nwr[\"craft\"~\"(^|[^a-z0-9_])(plumber|hvac)([^a-z0-9_]|$)\",i](30.10000,-97.90000,30.50000,-97.50000)\
             (around:16094,30.3000000,-97.7000000);\n  \
             nwr[\"shop\"~\"(^|[^a-z0-9_])(bathroom[_ ]furnishing)([^a-z0-9_]|$)\",i]\
             (30.10000,-97.90000,30.50000,-97.50000)(around:16094,30.3000000,-97.7000000);\n);\nout tags center qt;\n"
        );
        let corner = |latitude, longitude| Point { latitude, longitude };
        let polygon = ExtentShape::Polygon(vec![corner(30.1, -97.9), corner(30.5, -97.9), corner(30.1, -97.5)]);
        let text = query(&tags[..1], &Extent { bounds, shape: polygon }, &settings);
        assert!(text.contains("(poly:\"30.10000 -97.90000 30.50000 -97.90000 30.10000 -97.50000\")"), "{text}");
    }

    #[test]
    fn nothing_in_a_tag_ends_its_string_or_means_something_else() {
        for (value, expected) in [
            ("plumber", r#""plumber""#),
            ("tex-mex", r#""tex-mex""#),
            ("a.b*(c)", r#""a\\.b\\*\\(c\\)""#),
            ("say \"hi\"", r#""say[_ ]\"hi\"""#),
            ("back\\slash", r#""back\\\\slash""#),
            ("\";out;", r#""\";out;""#),
            ("line\nbreak\u{0}", r#""line\nbreak""#),
            ("café", "\"café\""),
        ] {
            assert_eq!(quoted(&pattern(value)), expected, "{value:?}");
        }
    }
}
