//! Positions as people and programs write them.

use places::Point;

use super::numbers::decimal;

/// Whether a point is one: not off the globe, and not where nobody knows better.
pub(crate) fn on_globe(point: Point) -> bool {
    (-90.0..=90.0).contains(&point.latitude) && (-180.0..=180.0).contains(&point.longitude)
}

/// Degrees: `52.52`, `52,52`, `-97.7°`, `97.7 W`, `N 30.2`.
pub(super) fn degrees(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_mark = |letter: char| letter.is_whitespace() || letter == '°' || letter == 'º';
    let is_side = |letter: char| "NSEWnsew".contains(letter);
    let bare = text.trim_matches(|letter| is_mark(letter) || is_side(letter));
    let mut sides = text.chars().filter(|letter| is_side(*letter));
    let is_mirrored = sides.next().is_some_and(|side| "SWsw".contains(side));
    if sides.next().is_some() {
        return None;
    }
    let degrees = decimal(bare)?;
    match is_mirrored {
        true if degrees < 0.0 => None,
        true => Some(-degrees),
        false => Some(degrees),
    }
}

/// Latitude and longitude in one text, or a point in well-known text, whose longitude comes first. Within the globe.
pub(super) fn pair(text: &str) -> Option<Point> {
    let text = text.trim();
    let text = text.strip_prefix("geo:").unwrap_or(text);
    let point = well_known(text).or_else(|| plain(text))?;
    on_globe(point).then_some(point)
}

fn well_known(text: &str) -> Option<Point> {
    let text = match text.split_once(';') {
        Some((system, rest)) if system.to_ascii_uppercase().starts_with("SRID=") => rest.trim_start(),
        _ => text,
    };
    let (kind, rest) = text.split_once('(')?;
    let mut words = kind.split_whitespace();
    let is_point = words.next()?.eq_ignore_ascii_case("point");
    let mut numbers = rest.split(')').next()?.split_whitespace().map(decimal);
    let (longitude, latitude) = (numbers.next()??, numbers.next()??);
    is_point.then_some(Point { latitude, longitude })
}

fn plain(text: &str) -> Option<Point> {
    let text = text.trim_matches(|letter: char| letter.is_whitespace() || "()[]".contains(letter));
    let halves = |separator: char| {
        let (first, second) = text.split_once(separator)?;
        Some(Point { latitude: degrees(first)?, longitude: degrees(second)? })
    };
    // "52,52, 13,40": the second of three commas separates.
    let of_commas = || {
        let parts: Vec<&str> = text.split(',').collect();
        let [a, b, c, d] = parts.as_slice() else { return None };
        Some(Point { latitude: degrees(&format!("{a}.{b}"))?, longitude: degrees(&format!("{c}.{d}"))? })
    };
    let spaced = || {
        let (first, second) = text.split_once(char::is_whitespace)?;
        let first = first.strip_suffix(',').unwrap_or(first);
        Some(Point { latitude: degrees(first)?, longitude: degrees(second)? })
    };
    if text.contains(['/', ';']) {
        return halves(';').or_else(|| halves('/'));
    }
    spaced().or_else(of_commas).or_else(|| halves(','))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_in_all_their_spellings() {
        let austin = Some((30.25, -97.75));
        for (text, expected) in [
            ("30.25,-97.75", austin),
            ("30.25, -97.75", austin),
            ("(30.25 -97.75)", austin),
            ("30,25; -97,75", austin),
            ("30,25,-97,75", austin),
            ("30,25, -97,75", austin),
            ("geo:30.25,-97.75", austin),
            ("30.25N, 97.75W", austin),
            ("30.25° N, 97.75° W", austin),
            ("POINT (-97.75 30.25)", austin),
            ("point z(-97.75 30.25 12)", austin),
            ("SRID=4326;POINT(-97.75 30.25)", austin),
            ("91, 0", None),
            ("0, 181", None),
            ("POINT EMPTY", None),
            ("POINT(1)", None),
            ("POLYGON((0 0, 1 1))", None),
            ("Austin, TX", None),
            ("1, 2, 3", None),
            ("", None),
        ] {
            let found = pair(text).map(|point| (point.latitude, point.longitude));
            assert_eq!(found, expected, "{text}");
        }
        assert_eq!(
            (degrees("97.7 W"), degrees("-97.7 W"), degrees("S 3,5"), degrees("x")),
            (Some(-97.7), None, Some(-3.5), None)
        );
    }
}
