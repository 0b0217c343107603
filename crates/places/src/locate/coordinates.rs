//! Coordinates as a location: `30.2672, -97.7431`, `geo:30.2672,-97.7431`, `30°16'02"N 97°44'35"W`.

use crate::point::Point;

/// Digits after the decimal point that are kept: a millionth of a degree is about ten centimetres.
const DECIMALS: usize = 6;
/// Digits before the decimal point of a degree; a bare number with more of them is a ZIP code or a house number.
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
enum Token {
    Number(Number),
    /// Which part of a degree the number before it counts: 0 degrees, 1 minutes, 2 seconds.
    Unit(usize),
    /// A point of the compass; `negative` for south and west.
    Hemisphere {
        axis: Axis,
        negative: bool,
    },
    /// "lat" or "lon".
    Label(Axis),
    Comma,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Number {
    value: f64,
    negative: bool,
    has_sign: bool,
    has_fraction: bool,
    whole_digits: usize,
}

/// One of the two numbers, put together from its degrees, minutes and seconds.
struct Angle {
    degrees: f64,
    axis: Option<Axis>,
}

/// The point that a text names; `None` when it is not about coordinates, an error when it is but they cannot be used.
pub(super) fn read(text: &str) -> Option<Result<Point, String>> {
    let text = text.trim();
    let is_uri = text.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("geo:"));
    if is_uri {
        return Some(geo_uri(&text[4..]));
    }
    let text = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(text);
    let mut tokens = tokens(text)?;
    while tokens.last() == Some(&Token::Comma) {
        tokens.pop();
    }
    if is_written_with_commas(&tokens) {
        return Some(Err(DECIMAL_POINT.to_owned()));
    }
    is_about_coordinates(&tokens).then(|| point(&tokens))
}

/// How a point is written: typed again, it is the same point.
pub(super) fn written(point: Point) -> String {
    format!("{}, {}", rounded(point.latitude), rounded(point.longitude))
}

fn rounded(degrees: f64) -> f64 {
    let factor = 10_f64.powi(DECIMALS as i32);
    // Adding zero turns a negative zero into a plain one.
    (degrees * factor).round() / factor + 0.0
}

/// What follows `geo:`, see RFC 5870: latitude, longitude, perhaps an altitude, perhaps parameters.
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
        Some([latitude, longitude] | [latitude, longitude, _]) => checked(*latitude, *longitude, Order::AsTyped),
        _ => Err("a geo address looks like geo:30.2672,-97.7431".to_owned()),
    }
}

fn plain_number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_plain { text.parse().ok() } else { None }
}

/// The tokens of a text; `None` when it holds anything that coordinates do not.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if first.is_whitespace() => first.len_utf8(),
            '0'..='9' | '.' | '+' | '-' | '−' | '–' => {
                let (number, length) = number(rest)?;
                found.push(Token::Number(number));
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
fn number(text: &str) -> Option<(Number, usize)> {
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
    // A dot, a digit or a letter right behind it makes it something else: "1.2.3", "5th".
    let goes_on = unsigned[length..].starts_with('.');
    let value = unsigned[..length].parse().ok().filter(|_| !goes_on)?;
    let negative = !sign.is_empty() && sign != "+";
    Some((Number { value, negative, has_sign: !sign.is_empty(), has_fraction, whole_digits }, sign.len() + length))
}

fn word(letters: &str) -> Option<Token> {
    let hemisphere = |axis, negative| Some(Token::Hemisphere { axis, negative });
    match letters.to_ascii_lowercase().as_str() {
        "n" | "north" => hemisphere(Axis::Latitude, false),
        "s" | "south" => hemisphere(Axis::Latitude, true),
        "e" | "east" => hemisphere(Axis::Longitude, false),
        "w" | "west" => hemisphere(Axis::Longitude, true),
        "lat" | "latitude" => Some(Token::Label(Axis::Latitude)),
        "lon" | "lng" | "long" | "longitude" => Some(Token::Label(Axis::Longitude)),
        "deg" | "degrees" => Some(Token::Unit(0)),
        _ => None,
    }
}

/// A mark, and its length; marks that say nothing are no token.
fn sign(text: &str) -> Option<(Option<Token>, usize)> {
    if text.starts_with("''") {
        return Some((Some(Token::Unit(2)), 2));
    }
    let first = text.chars().next()?;
    let token = match first {
        _ if is_degree_sign(first) => Some(Token::Unit(0)),
        '\'' | '′' | '’' => Some(Token::Unit(1)),
        '"' | '″' | '”' => Some(Token::Unit(2)),
        ',' | ';' | '/' => Some(Token::Comma),
        ':' | '=' => None,
        _ => return None,
    };
    Some((token, first.len_utf8()))
}

fn numbers(tokens: &[Token]) -> Vec<Number> {
    let number = |token: &Token| if let Token::Number(number) = token { Some(*number) } else { None };
    tokens.iter().filter_map(number).collect()
}

fn count(tokens: &[Token], wanted: impl Fn(&Token) -> bool) -> usize {
    tokens.iter().filter(|token| wanted(token)).count()
}

fn names_axis(token: &Token) -> bool {
    matches!(token, Token::Hemisphere { .. } | Token::Label(_))
}

/// Whether commas seem to stand for decimal points: "30,2672 -97,7431", or just "30,2672".
fn is_written_with_commas(tokens: &[Token]) -> bool {
    let numbers = numbers(tokens);
    let only_numbers = tokens.iter().all(|token| matches!(token, Token::Number(_) | Token::Comma));
    let commas = count(tokens, |token| *token == Token::Comma);
    let is_zip_code = |number: &Number| !number.has_fraction && number.whole_digits == ZIP_CODE_DIGITS;
    match numbers.as_slice() {
        [first, second] => {
            let is_long = |number: &Number| number.whole_digits > DEGREE_DIGITS_MAX;
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
            let is_split = only_numbers || !tokens.iter().any(|token| matches!(token, Token::Unit(_)));
            commas > 0 && is_split && !numbers.last().is_some_and(is_zip_code)
        }
        _ => false,
    }
}

/// Two numbers alone may also be a house number and a ZIP code, so something must speak for coordinates.
fn is_about_coordinates(tokens: &[Token]) -> bool {
    let numbers = numbers(tokens);
    if tokens.contains(&Token::Unit(0)) && !numbers.is_empty() {
        return true;
    }
    if numbers.len() < 2 {
        return false;
    }
    let plausible = |number: &Number| number.has_fraction || number.whole_digits <= DEGREE_DIGITS_MAX;
    count(tokens, names_axis) >= 2
        || (tokens.contains(&Token::Comma) && numbers.iter().all(plausible))
        || numbers.iter().all(|number| number.has_fraction)
}

fn point(tokens: &[Token]) -> Result<Point, String> {
    let at = border(tokens).ok_or_else(|| EXPECTED.to_owned())?;
    let (one, two) = (angle(&tokens[..at])?, angle(&tokens[at..])?);
    match (one.axis, two.axis) {
        (Some(Axis::Latitude), Some(Axis::Latitude)) | (Some(Axis::Longitude), Some(Axis::Longitude)) => {
            Err("one of the two must be a latitude (N or S) and the other a longitude (E or W)".to_owned())
        }
        (Some(Axis::Longitude), _) | (_, Some(Axis::Latitude)) => checked(two.degrees, one.degrees, Order::Named),
        (None, None) => checked(one.degrees, two.degrees, Order::AsTyped),
        _ => checked(one.degrees, two.degrees, Order::Named),
    }
}

/// Where the second of the two begins.
fn border(tokens: &[Token]) -> Option<usize> {
    let places = |wanted: &dyn Fn(&Token) -> bool| -> Vec<usize> {
        tokens.iter().enumerate().filter(|(_, token)| wanted(token)).map(|(at, _)| at).collect()
    };
    let commas = places(&|token| *token == Token::Comma);
    if let [comma] = commas.as_slice() {
        return Some(*comma);
    }
    let (axes, numbers) = (places(&names_axis), places(&|token| matches!(token, Token::Number(_))));
    let degrees = places(&|token| *token == Token::Unit(0));
    match (axes.as_slice(), degrees.as_slice(), numbers.as_slice()) {
        _ if !commas.is_empty() => None,
        ([0, second, ..], _, _) => Some(*second),
        ([first, ..], _, _) if *first > 0 => Some(first + 1),
        (_, [_, second], _) => second.checked_sub(1),
        (_, _, [_, second]) => Some(*second),
        _ => None,
    }
}

/// Degrees from one to three numbers and what stands around them.
fn angle(tokens: &[Token]) -> Result<Angle, String> {
    let (mut parts, mut filled) = ([0.0; 3], 0);
    let mut axis = None;
    let mut is_negative = None;
    let mut tokens = tokens.iter().filter(|token| **token != Token::Comma).peekable();
    let mut is_fractional = false;
    while let Some(token) = tokens.next() {
        match token {
            Token::Hemisphere { axis: named, negative } if axis.is_none() => {
                axis = Some(*named);
                if is_negative == Some(true) {
                    return Err("use either a minus sign or one of the letters N, S, E and W, not both".to_owned());
                }
                is_negative = Some(*negative);
            }
            Token::Label(named) if axis.is_none() => axis = Some(*named),
            Token::Number(number) => {
                let unit = match tokens.next_if(|token| matches!(token, Token::Unit(_))) {
                    Some(Token::Unit(unit)) => *unit,
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
enum Order {
    AsTyped,
    Named,
}

fn checked(latitude: f64, longitude: f64, order: Order) -> Result<Point, String> {
    let fits = |latitude: f64, longitude: f64| latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
    if fits(latitude, longitude) {
        return Ok(Point { latitude: rounded(latitude), longitude: rounded(longitude) });
    }
    let swapped = if order == Order::AsTyped && fits(longitude, latitude) {
        format!("; the latitude comes first: did you mean {}, {}?", rounded(longitude), rounded(latitude))
    } else {
        String::new()
    };
    let (name, value, most) =
        if latitude.abs() > 90.0 { ("latitude", latitude, 90) } else { ("longitude", longitude, 180) };
    Err(format!("the {name} {} is out of range, it must be from -{most} to {most}{swapped}", rounded(value)))
}
