//! Coordinates as a location: `30.2672, -97.7431`, `geo:30.2672,-97.7431`, `30°16'02"N 97°44'35"W`.

use crate::point::Point;

/// Decimals kept: a millionth of a degree is about ten centimetres.
const DECIMALS: usize = 6;
/// Most integer digits of a degree; a bare number with more is a ZIP code or house number.
const DEGREE_DIGITS_MAX: usize = 3;
const ZIP_CODE_DIGITS: usize = 5;

const EXPECTED: &str = "write coordinates as latitude, longitude in degrees, such as 30.2672, -97.7431";
const DECIMAL_POINT: &str =
    "a comma separates latitude and longitude, so decimals need a point: write 30.2672, -97.7431";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Latitude,
    Longitude,
}

#[derive(Clone, Debug, PartialEq)]
enum CoordinateToken {
    Number(TypedNumber),
    /// The unit of the number before it: 0 degrees, 1 minutes, 2 seconds.
    Unit(usize),
    /// A compass direction; `negative` for south and west.
    Hemisphere {
        axis: Axis,
        negative: bool,
    },
    /// "lat" or "lon".
    Label(Axis),
    Comma,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct TypedNumber {
    value: f64,
    negative: bool,
    has_sign: bool,
    has_fraction: bool,
    whole_digits: usize,
}

/// One of the two coordinates, combined from degrees, minutes and seconds.
struct Angle {
    degrees: f64,
    axis: Option<Axis>,
}

/// The point a text names; `None` when it does not contain coordinates, an error when they are invalid.
pub(super) fn read(text: &str) -> Option<Result<Point, String>> {
    let text = text.trim();
    let is_uri = text.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("geo:"));
    if is_uri {
        return Some(geo_uri(&text[4..]));
    }
    let text = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(text);
    let mut tokens = tokens(text)?;
    while tokens.last() == Some(&CoordinateToken::Comma) {
        tokens.pop();
    }
    if is_written_with_commas(&tokens) {
        return Some(Err(DECIMAL_POINT.to_owned()));
    }
    is_about_coordinates(&tokens).then(|| point(&tokens))
}

/// Formats a point so that parsing it gives the same point.
pub(super) fn written(point: Point) -> String {
    format!("{}, {}", rounded(point.latitude), rounded(point.longitude))
}

fn rounded(degrees: f64) -> f64 {
    let factor = 10_f64.powi(DECIMALS as i32);
    // Adding zero turns a negative zero into a positive one.
    (degrees * factor).round() / factor + 0.0
}

/// Parses what follows `geo:` (RFC 5870): latitude, longitude, optional altitude, optional parameters.
fn geo_uri(rest: &str) -> Result<Point, String> {
    let mut parts = rest.split(';');
    let numbers: Vec<&str> = parts.next().unwrap_or_default().split(',').map(str::trim).collect();
    for parameter in parts {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        if name.trim().eq_ignore_ascii_case("crs") && !value.trim().eq_ignore_ascii_case("wgs84") {
            return Err("only the coordinate system wgs84 is known; leave crs out".to_owned());
        }
    }
    let parsed: Option<Vec<f64>> = numbers.iter().map(|number| plain_number(number)).collect();
    match parsed.as_deref() {
        Some([latitude, longitude] | [latitude, longitude, _]) => checked(*latitude, *longitude, AxisOrder::AsTyped),
        _ => Err("a geo address looks like geo:30.2672,-97.7431".to_owned()),
    }
}

fn plain_number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_plain { text.parse().ok() } else { None }
}

/// The tokens of a text; `None` when it contains anything that coordinates do not.
fn tokens(text: &str) -> Option<Vec<CoordinateToken>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if first.is_whitespace() => first.len_utf8(),
            '0'..='9' | '.' | '+' | '-' | '−' | '–' => {
                let (number, length) = number(rest)?;
                found.push(CoordinateToken::Number(number));
                length
            }
            _ if first.is_alphabetic() && !is_degree_sign(first) => {
                let length = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
                found.push(word(&rest[..length])?);
                length
            }
            _ => {
                let (token, length) = sign(rest)?;
                found.extend(token);
                length
            }
        };
        rest = &rest[length..];
    }
    Some(found)
}

fn is_degree_sign(letter: char) -> bool {
    matches!(letter, '°' | 'º' | '˚')
}

/// A number with its sign, and its length.
fn number(text: &str) -> Option<(TypedNumber, usize)> {
    let unsigned = text.trim_start_matches(['+', '-', '−', '–']);
    let sign = &text[..text.len() - unsigned.len()];
    if sign.chars().count() > 1 {
        return None;
    }
    let whole_digits = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    let has_fraction = unsigned[whole_digits..].starts_with('.');
    let fraction =
        if has_fraction { 1 + unsigned[whole_digits + 1..].bytes().take_while(u8::is_ascii_digit).count() } else { 0 };
    let length = whole_digits + fraction;
    // A dot, digit or letter directly after it makes it something else: "1.2.3", "5th".
    let goes_on = unsigned[length..].starts_with('.');
    let value = unsigned[..length].parse().ok().filter(|_| !goes_on)?;
    let negative = !sign.is_empty() && sign != "+";
    Some((TypedNumber { value, negative, has_sign: !sign.is_empty(), has_fraction, whole_digits }, sign.len() + length))
}

fn word(letters: &str) -> Option<CoordinateToken> {
    let hemisphere = |axis, negative| Some(CoordinateToken::Hemisphere { axis, negative });
    match letters.to_ascii_lowercase().as_str() {
        "n" | "north" => hemisphere(Axis::Latitude, false),
        "s" | "south" => hemisphere(Axis::Latitude, true),
        "e" | "east" => hemisphere(Axis::Longitude, false),
        "w" | "west" => hemisphere(Axis::Longitude, true),
        "lat" | "latitude" => Some(CoordinateToken::Label(Axis::Latitude)),
        "lon" | "lng" | "long" | "longitude" => Some(CoordinateToken::Label(Axis::Longitude)),
        "deg" | "degrees" => Some(CoordinateToken::Unit(0)),
        _ => None,
    }
}

/// A sign and its length; signs without meaning give no token.
fn sign(text: &str) -> Option<(Option<CoordinateToken>, usize)> {
    if text.starts_with("''") {
        return Some((Some(CoordinateToken::Unit(2)), 2));
    }
    let first = text.chars().next()?;
    let token = match first {
        _ if is_degree_sign(first) => Some(CoordinateToken::Unit(0)),
        '\'' | '′' | '’' => Some(CoordinateToken::Unit(1)),
        '"' | '″' | '”' => Some(CoordinateToken::Unit(2)),
        ',' | ';' | '/' => Some(CoordinateToken::Comma),
        ':' | '=' => None,
        _ => return None,
    };
    Some((token, first.len_utf8()))
}

fn numbers(tokens: &[CoordinateToken]) -> Vec<TypedNumber> {
    let number =
        |token: &CoordinateToken| if let CoordinateToken::Number(number) = token { Some(*number) } else { None };
    tokens.iter().filter_map(number).collect()
}

fn count(tokens: &[CoordinateToken], wanted: impl Fn(&CoordinateToken) -> bool) -> usize {
    tokens.iter().filter(|token| wanted(token)).count()
}

fn names_axis(token: &CoordinateToken) -> bool {
    matches!(token, CoordinateToken::Hemisphere { .. } | CoordinateToken::Label(_))
}

/// Whether commas appear to be decimal points: "30,2672 -97,7431", or just "30,2672".
fn is_written_with_commas(tokens: &[CoordinateToken]) -> bool {
    let numbers = numbers(tokens);
    let only_numbers = tokens.iter().all(|token| matches!(token, CoordinateToken::Number(_) | CoordinateToken::Comma));
    let commas = count(tokens, |token| *token == CoordinateToken::Comma);
    let is_zip_code = |number: &TypedNumber| !number.has_fraction && number.whole_digits == ZIP_CODE_DIGITS;
    match numbers.as_slice() {
        [first, second] => {
            let is_long = |number: &TypedNumber| number.whole_digits > DEGREE_DIGITS_MAX;
            only_numbers
                && commas == 1
                && !first.has_fraction
                && !second.has_fraction
                && !second.has_sign
                && !is_long(first)
                && is_long(second)
                && !is_zip_code(second)
        }
        [_, _, _] | [_, _, _, _] => {
            let is_split = only_numbers || !tokens.iter().any(|token| matches!(token, CoordinateToken::Unit(_)));
            commas > 0 && is_split && !numbers.last().is_some_and(is_zip_code)
        }
        _ => false,
    }
}

/// Two bare numbers may also be a house number and a ZIP code, so something must indicate coordinates.
fn is_about_coordinates(tokens: &[CoordinateToken]) -> bool {
    let numbers = numbers(tokens);
    if tokens.contains(&CoordinateToken::Unit(0)) && !numbers.is_empty() {
        return true;
    }
    if numbers.len() < 2 {
        return false;
    }
    let plausible = |number: &TypedNumber| number.has_fraction || number.whole_digits <= DEGREE_DIGITS_MAX;
    count(tokens, names_axis) >= 2
        || (tokens.contains(&CoordinateToken::Comma) && numbers.iter().all(plausible))
        || numbers.iter().all(|number| number.has_fraction)
}

fn point(tokens: &[CoordinateToken]) -> Result<Point, String> {
    let at = border(tokens).ok_or_else(|| EXPECTED.to_owned())?;
    let (one, two) = (angle(&tokens[..at])?, angle(&tokens[at..])?);
    match (one.axis, two.axis) {
        (Some(Axis::Latitude), Some(Axis::Latitude)) | (Some(Axis::Longitude), Some(Axis::Longitude)) => {
            Err("one of the two must be a latitude (N or S) and the other a longitude (E or W)".to_owned())
        }
        (Some(Axis::Longitude), _) | (_, Some(Axis::Latitude)) => checked(two.degrees, one.degrees, AxisOrder::Named),
        (None, None) => checked(one.degrees, two.degrees, AxisOrder::AsTyped),
        _ => checked(one.degrees, two.degrees, AxisOrder::Named),
    }
}

/// Where the second of the two coordinates starts.
fn border(tokens: &[CoordinateToken]) -> Option<usize> {
    let places = |wanted: &dyn Fn(&CoordinateToken) -> bool| -> Vec<usize> {
        tokens.iter().enumerate().filter(|(_, token)| wanted(token)).map(|(at, _)| at).collect()
    };
    let commas = places(&|token| *token == CoordinateToken::Comma);
    if let [comma] = commas.as_slice() {
        return Some(*comma);
    }
    let (axes, numbers) = (places(&names_axis), places(&|token| matches!(token, CoordinateToken::Number(_))));
    let degrees = places(&|token| *token == CoordinateToken::Unit(0));
    match (axes.as_slice(), degrees.as_slice(), numbers.as_slice()) {
        _ if !commas.is_empty() => None,
        ([0, second, ..], _, _) => Some(*second),
        ([first, ..], _, _) if *first > 0 => Some(first + 1),
        (_, [_, second], _) => second.checked_sub(1),
        (_, _, [_, second]) => Some(*second),
        _ => None,
    }
}

/// Combines one to three numbers and their signs into degrees.
fn angle(tokens: &[CoordinateToken]) -> Result<Angle, String> {
    let (mut parts, mut filled) = ([0.0; 3], 0);
    let mut axis = None;
    let mut is_negative = None;
    let mut tokens = tokens.iter().filter(|token| **token != CoordinateToken::Comma).peekable();
    let mut is_fractional = false;
    while let Some(token) = tokens.next() {
        match token {
            CoordinateToken::Hemisphere { axis: named, negative } if axis.is_none() => {
                axis = Some(*named);
                if is_negative == Some(true) {
                    return Err("use either a minus sign or one of the letters N, S, E and W, not both".to_owned());
                }
                is_negative = Some(*negative);
            }
            CoordinateToken::Label(named) if axis.is_none() => axis = Some(*named),
            CoordinateToken::Number(number) => {
                let unit = match tokens.next_if(|token| matches!(token, CoordinateToken::Unit(_))) {
                    Some(CoordinateToken::Unit(unit)) => *unit,
                    _ => filled,
                };
                let is_minute_or_second = unit > 0 && (number.value >= 60.0 || number.has_sign);
                if unit < filled || unit > 2 || is_fractional || is_minute_or_second {
                    return Err(format!("minutes and seconds must be from 0 to below 60; {EXPECTED}"));
                }
                if number.negative && is_negative.is_some() {
                    return Err("use either a minus sign or one of the letters N, S, E and W, not both".to_owned());
                }
                if number.has_sign {
                    is_negative = Some(number.negative);
                }
                (parts[unit], filled, is_fractional) = (number.value, unit + 1, number.has_fraction);
            }
            _ => return Err(EXPECTED.to_owned()),
        }
    }
    if filled == 0 {
        return Err(EXPECTED.to_owned());
    }
    let degrees = parts[0] + parts[1] / 60.0 + parts[2] / 3_600.0;
    Ok(Angle { degrees: if is_negative == Some(true) { -degrees } else { degrees }, axis })
}

/// Whether letters said which number is the latitude.
#[derive(Clone, Copy, PartialEq)]
enum AxisOrder {
    AsTyped,
    Named,
}

fn checked(latitude: f64, longitude: f64, order: AxisOrder) -> Result<Point, String> {
    let fits = |latitude: f64, longitude: f64| latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
    if fits(latitude, longitude) {
        return Ok(Point { latitude: rounded(latitude), longitude: rounded(longitude) });
    }
    let swapped = if order == AxisOrder::AsTyped && fits(longitude, latitude) {
        format!("; the latitude comes first: did you mean {}, {}?", rounded(longitude), rounded(latitude))
    } else {
        String::new()
    };
    let (name, value, most) =
        if latitude.abs() > 90.0 { ("latitude", latitude, 90) } else { ("longitude", longitude, 180) };
    Err(format!("the {name} {} is out of range, it must be from -{most} to {most}{swapped}", rounded(value)))
}
