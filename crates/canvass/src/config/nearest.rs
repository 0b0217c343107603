//! Suggests the known name that an unknown one is most similar to.

/// Similarity, from 0 to 1, from which on a name is suggested.
const ALIKE_MIN: f64 = 0.72;
/// Longer names are not compared, to bound the cost.
const COMPARED_CHARS_MAX: usize = 64;

/// The known name most similar to `given`, if any is similar enough.
pub fn nearest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if given.chars().count() > COMPARED_CHARS_MAX {
        return None;
    }
    let given = given.to_lowercase().replace('-', "_");
    let scored = known.into_iter().map(|name| (strsim::jaro_winkler(&given, name), name));
    let best = scored.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(score, _)| *score >= ALIKE_MIN).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_strangers_are_not() {
        let known = ["industry", "location", "requested_count", "radius_miles"];
        for (given, expected) in [
            ("industy", Some("industry")),
            ("requestedCount", Some("requested_count")),
            ("requested-count", Some("requested_count")),
            ("radius", Some("radius_miles")),
            ("zzz", None),
            ("", None),
        ] {
            assert_eq!(nearest(given, known), expected, "{given:?}");
        }
        assert_eq!(nearest(&"industry".repeat(1_000), known), None);
    }
}
