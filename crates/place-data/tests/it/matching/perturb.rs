//! The same business as another source would have it: other spellings, formats and positions, missing fields.

use place_data::{Address, Place};
use places::Point;

use super::random::Random;

const METRES_PER_DEGREE: f64 = 111_320.0;

/// A point this far away, in a random direction.
pub(crate) fn moved(point: Point, metres: f64, random: &mut Random) -> Point {
    let angle = random.fraction() * std::f64::consts::TAU;
    let (north, east) = (metres * angle.sin(), metres * angle.cos());
    Point {
        latitude: point.latitude + north / METRES_PER_DEGREE,
        longitude: point.longitude + east / (METRES_PER_DEGREE * point.latitude.to_radians().cos()),
    }
}

/// The record that another source has of the same business.
pub(crate) fn other_record(place: &Place, random: &mut Random) -> Place {
    let mut other = place.clone();
    other.id = format!("x{}", place.id);
    other.name = other_name(place, random);
    other.brand = other.brand.filter(|_| random.percent(50));
    other.socials.clear();
    other.phones = kept(&place.phones, 70, random).iter().map(|phone| other_phone(phone, random)).collect();
    if random.percent(6) && !place.phones.is_empty() {
        other.phones = vec![changed_digits(&place.phones[0], random)];
    }
    other.websites = kept(&place.websites, 65, random).iter().map(|url| other_url(url, random)).collect();
    other.addresses = kept(&place.addresses, 75, random).iter().map(|address| other_address(address, random)).collect();
    if random.percent(15) {
        other.categories = Default::default();
    }
    let tied = !other.phones.is_empty() || !other.addresses.is_empty();
    let metres = match random.below(100) {
        0..60 => random.fraction() * 25.0,
        60..90 => 20.0 + random.fraction() * 50.0,
        _ if tied => 60.0 + random.fraction() * 120.0,
        _ => 60.0 + random.fraction() * 40.0,
    };
    other.point = moved(place.point, metres, random);
    other
}

/// Each value with this probability, in percent.
fn kept<'a, T>(values: &'a [T], share: u64, random: &mut Random) -> Vec<&'a T> {
    values.iter().filter(|_| random.percent(share)).collect()
}

fn other_name(place: &Place, random: &mut Random) -> String {
    let mut name = place.name.clone();
    for _ in 0..random.below(3) {
        name = match random.below(11) {
            0..=2 => typo(&name, random),
            3 => with_legal_form(&name, random),
            4 => name.replace(" & ", " and ").replace("'s", "s"),
            5 => name.to_uppercase(),
            6 => shortened(&name),
            7 => swapped(&name),
            8 => format!(
                "{name} {}",
                place.addresses.first().and_then(|address| address.locality.clone()).unwrap_or_default()
            ),
            9 => without_accents(&name),
            _ => without_last_generic(&name),
        };
    }
    name.trim().to_owned()
}

fn typo(name: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    if letters.len() < 6 {
        return name.to_owned();
    }
    let at = 1 + random.below(letters.len() - 2);
    if !letters[at].is_alphabetic() || !letters[at + 1].is_alphabetic() {
        return name.to_owned();
    }
    match random.below(4) {
        0 => letters.swap(at, at + 1),
        1 => drop(letters.remove(at)),
        2 => letters.insert(at, letters[at]),
        _ => letters[at] = 'e',
    }
    letters.into_iter().collect()
}

fn with_legal_form(name: &str, random: &mut Random) -> String {
    format!("{name} {}", random.pick(&["LLC", "Inc.", "GmbH", "Ltd", "S.A.R.L.", "Oy", "S.L.", "& Co."]))
}

fn shortened(name: &str) -> String {
    let forms = [
        ("Center", "Ctr"),
        ("Services", "Svcs"),
        ("Service", "Svc"),
        ("International", "Intl"),
        ("Saint ", "St. "),
        ("Associates", "Assoc"),
        ("Restaurant", "Rest."),
        ("Company", "Co"),
        ("Brothers", "Bros"),
        ("Construction", "Constr"),
        ("straße", "str."),
    ];
    forms.iter().fold(name.to_owned(), |name, (full, short)| name.replace(full, short))
}

fn swapped(name: &str) -> String {
    match name.split_once(' ') {
        Some((first, rest)) if !rest.contains(' ') => format!("{rest} {first}"),
        _ => name.to_owned(),
    }
}

fn without_accents(name: &str) -> String {
    let forms = [
        ('ä', "ae"),
        ('ö', "oe"),
        ('ü', "ue"),
        ('ß', "ss"),
        ('é', "e"),
        ('è', "e"),
        ('ñ', "n"),
        ('á', "a"),
        ('ó', "o"),
        ('í', "i"),
        ('ç', "c"),
        ('ê', "e"),
        ('’', "'"),
    ];
    forms.iter().fold(name.to_owned(), |name, (letter, plain)| name.replace(*letter, plain))
}

fn without_last_generic(name: &str) -> String {
    let generic = [
        "Restaurant",
        "Cafe",
        "Salon",
        "Service",
        "Services",
        "Shop",
        "Store",
        "Studio",
        "Center",
        "Clinic",
        "Group",
        "Bar",
    ];
    match name.rsplit_once(' ') {
        Some((rest, last)) if generic.contains(&last) => rest.to_owned(),
        _ => name.to_owned(),
    }
}

fn other_phone(phone: &str, random: &mut Random) -> String {
    let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
    let national = digits.strip_prefix('1').filter(|national| national.len() == 10).unwrap_or(&digits);
    if national.len() == 10 && !phone.starts_with("+3") && !phone.starts_with("+4") {
        let (area, first, last) = (&national[..3], &national[3..6], &national[6..]);
        return match random.below(4) {
            0 => format!("({area}) {first}-{last}"),
            1 => format!("+1 {area} {first} {last}"),
            2 => format!("{area}.{first}.{last}"),
            _ => format!("+1-{area}-{first}-{last}"),
        };
    }
    phone.replace([' ', '-'], "")
}

pub(crate) fn changed_digits(phone: &str, random: &mut Random) -> String {
    let mut bytes = phone.as_bytes().to_vec();
    for byte in bytes.iter_mut().rev().filter(|byte| byte.is_ascii_digit()).take(4) {
        *byte = b'0' + (*byte - b'0' + 1 + u8::try_from(random.below(9)).unwrap()) % 10;
    }
    String::from_utf8(bytes).unwrap()
}

fn other_url(url: &str, random: &mut Random) -> String {
    let bare = url
        .trim_start_matches("https://")
        .trim_start_matches("http://")
        .trim_start_matches("www.")
        .trim_end_matches('/');
    match random.below(5) {
        0 => format!("https://{bare}"),
        1 => format!("http://www.{bare}/"),
        2 => format!("https://www.{bare}?utm_source=map"),
        3 => bare.to_owned(),
        _ => format!("https://{}/", bare.split('/').next().unwrap()),
    }
}

fn other_address(address: &Address, random: &mut Random) -> Address {
    let mut other = address.clone();
    let forms = [
        ("Street", "St"),
        ("St", "Street"),
        ("Ave", "Avenue"),
        ("Rd", "Road"),
        ("Blvd", "Boulevard"),
        ("Dr", "Drive"),
        ("straße", "str."),
    ];
    let (from, to) = *random.pick(&forms);
    other.freeform = other.freeform.map(|street| {
        let street = if street.ends_with(from) { format!("{}{to}", street.trim_end_matches(from)) } else { street };
        street.split(" Ste ").next().unwrap().to_owned()
    });
    other.postcode =
        other.postcode.filter(|_| random.percent(80)).map(|code| code.split('-').next().unwrap().to_owned());
    other.region = other.region.filter(|_| random.percent(50));
    other
}
