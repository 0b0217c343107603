//! Phone numbers in use by no one: area codes of the right state with numbers reserved for fiction; none in countries
//! without such numbers.

use crate::code::Key;
use crate::random::{Purpose, Random};

/// A block of numbers: a prefix and the number of digits that follow it.
#[derive(Debug, Clone, Copy)]
struct NumberBlock {
    prefix: &'static str,
    digits: u32,
}

/// The number of a business in E.164 form; unique within its town and trade.
pub(crate) fn draw(seed: u64, key: Key, state: &str, country: &str) -> Option<String> {
    match country {
        "US" | "CA" | "PR" => {
            let codes = area_codes(state)?;
            let (row, number) = place(seed, key, codes.split(' ').count(), 4)?;
            let code = codes.split(' ').nth(row)?;
            (!is_sample(number)).then(|| format!("+1{code}555{number:04}"))
        }
        _ => {
            let rows = blocks_of(country);
            let digits = rows.first()?.digits;
            let (row, number) = place(seed, key, rows.len(), digits)?;
            Some(format!("{}{number:0width$}", rows[row].prefix, width = digits as usize))
        }
    }
}

/// Steps through the numbers of a town and trade so that each occurs once, from a start of its own.
fn place(seed: u64, key: Key, rows: usize, digits: u32) -> Option<(usize, u64)> {
    let row_size = 10u64.pow(digits);
    let all = row_size * rows as u64;
    if u64::from(key.number) >= all {
        return None;
    }
    let mut random = Random::of(seed, Purpose::Phone, &[u64::from(key.town), u64::from(key.trade)]);
    // A prime that is not a factor of any number of area codes.
    let at = (random.next() % all + u64::from(key.number) * 7_919) % all;
    Some(((at / row_size) as usize, at % row_size))
}

/// Whether a number looks like a sample, which readers would reject.
fn is_sample(number: u64) -> bool {
    matches!(number, 1_234 | 1_212 | 6_789 | 4_567 | 5_555)
}

/// Numbers reserved for fiction by the regulators, by country.
fn blocks_of(country: &str) -> &'static [NumberBlock] {
    const fn row(prefix: &'static str, digits: u32) -> NumberBlock {
        NumberBlock { prefix, digits }
    }
    const GB: &[NumberBlock] = &[
        row("+442079460", 3),
        row("+441134960", 3),
        row("+441144960", 3),
        row("+441164960", 3),
        row("+441174960", 3),
        row("+441214960", 3),
        row("+441314960", 3),
        row("+441414960", 3),
        row("+441514960", 3),
        row("+441614960", 3),
    ];
    const DE: &[NumberBlock] =
        &[row("+493023125", 3), row("+494066969", 3), row("+498999998", 3), row("+496990009", 3), row("+492214710", 3)];
    const AU: &[NumberBlock] = &[row("+61255500", 3), row("+61355500", 3), row("+61755500", 3), row("+61855500", 3)];
    const FR: &[NumberBlock] =
        &[row("+3319900", 4), row("+3326191", 4), row("+3335301", 4), row("+3346571", 4), row("+3353649", 4)];
    match country {
        "GB" => GB,
        "DE" => DE,
        "AU" => AU,
        "FR" => FR,
        _ => &[],
    }
}

/// Area codes of a state or province, by its postal abbreviation or its name.
fn area_codes(state: &str) -> Option<&'static str> {
    AREA_CODES.iter().find(|(short, name, _)| *short == state || *name == state).map(|(_, _, codes)| *codes)
}

/// Common area codes of US states and Canadian provinces, and of the test places, which borrow one.
const AREA_CODES: &[(&str, &str, &str)] = &[
    ("AL", "Alabama", "205 251 256 334"),
    ("AK", "Alaska", "907"),
    ("AZ", "Arizona", "480 520 602 623 928"),
    ("AR", "Arkansas", "479 501 870"),
    (
        "CA",
        "California",
        "209 213 310 323 408 415 510 530 559 562 619 626 650 661 707 714 760 805 818 831 858 909 916 925 949 951",
    ),
    ("CO", "Colorado", "303 719 720 970"),
    ("CT", "Connecticut", "203 860"),
    ("DE", "Delaware", "302"),
    ("DC", "District of Columbia", "202"),
    ("FL", "Florida", "239 305 321 352 386 407 561 727 754 772 786 813 850 863 904 941 954"),
    ("GA", "Georgia", "229 404 478 678 706 770 912"),
    ("HI", "Hawaii", "808"),
    ("ID", "Idaho", "208"),
    ("IL", "Illinois", "217 309 312 618 630 708 773 815 847"),
    ("IN", "Indiana", "219 260 317 574 765 812"),
    ("IA", "Iowa", "319 515 563 641 712"),
    ("KS", "Kansas", "316 620 785 913"),
    ("KY", "Kentucky", "270 502 606 859"),
    ("LA", "Louisiana", "225 318 337 504 985"),
    ("ME", "Maine", "207"),
    ("MD", "Maryland", "240 301 410 443"),
    ("MA", "Massachusetts", "413 508 617 781 978"),
    ("MI", "Michigan", "231 248 269 313 517 586 616 734 810 906 989"),
    ("MN", "Minnesota", "218 320 507 612 651 763 952"),
    ("MS", "Mississippi", "228 601 662"),
    ("MO", "Missouri", "314 417 573 636 660 816"),
    ("MT", "Montana", "406"),
    ("NE", "Nebraska", "308 402"),
    ("NV", "Nevada", "702 775"),
    ("NH", "New Hampshire", "603"),
    ("NJ", "New Jersey", "201 609 732 856 908 973"),
    ("NM", "New Mexico", "505 575"),
    ("NY", "New York", "212 315 347 516 518 585 607 631 646 716 718 845 914 917"),
    ("NC", "North Carolina", "252 336 704 828 910 919"),
    ("ND", "North Dakota", "701"),
    ("OH", "Ohio", "216 330 419 440 513 614 740 937"),
    ("OK", "Oklahoma", "405 580 918"),
    ("OR", "Oregon", "503 541"),
    ("PA", "Pennsylvania", "215 412 570 610 717 724 814"),
    ("PR", "Puerto Rico", "787 939"),
    ("RI", "Rhode Island", "401"),
    ("SC", "South Carolina", "803 843 864"),
    ("SD", "South Dakota", "605"),
    ("TN", "Tennessee", "423 615 731 865 901 931"),
    ("TX", "Texas", "210 214 254 281 325 361 409 432 512 713 806 817 830 832 903 915 936 940 956 972 979"),
    ("UT", "Utah", "435 801"),
    ("VT", "Vermont", "802"),
    ("VA", "Virginia", "276 434 540 703 757 804"),
    ("WA", "Washington", "206 253 360 425 509"),
    ("WV", "West Virginia", "304"),
    ("WI", "Wisconsin", "262 414 608 715 920"),
    ("WY", "Wyoming", "307"),
    ("AB", "Alberta", "403 587 780"),
    ("BC", "British Columbia", "250 604 778"),
    ("MB", "Manitoba", "204"),
    ("NB", "New Brunswick", "506"),
    ("NL", "Newfoundland and Labrador", "709"),
    ("NS", "Nova Scotia", "902"),
    ("ON", "Ontario", "226 289 416 519 613 647 705 807 905"),
    ("QC", "Quebec", "418 438 450 514 819"),
    ("SK", "Saskatchewan", "306"),
    ("", "Sandbox", "512"),
];

/// A number as written in its own country; numbers of other countries stay international.
pub(crate) fn written(e164: &str, style: usize) -> String {
    let Some(national) = e164.strip_prefix("+1").filter(|digits| digits.len() == 10) else {
        return grouped(e164);
    };
    let (area, exchange, line) = (&national[..3], &national[3..6], &national[6..]);
    match style % 4 {
        0 => format!("({area}) {exchange}-{line}"),
        1 => format!("{area}-{exchange}-{line}"),
        2 => format!("{area}.{exchange}.{line}"),
        _ => format!("+1 {area} {exchange} {line}"),
    }
}

/// `+49 30 231 250 12`: the country code, then groups of three.
fn grouped(e164: &str) -> String {
    let (country, rest) = e164.split_at(e164.len().min(3));
    let mut out = country.to_owned();
    for (at, digit) in rest.chars().enumerate() {
        if at % 3 == 0 {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rlibphonenumber::PHONE_NUMBER_UTIL;

    use super::*;

    fn key(number: u16) -> Key {
        Key { town: 9, trade: 4, number }
    }

    #[test]
    fn every_number_is_valid_in_its_country() {
        for (state, country) in [("", "GB"), ("", "DE"), ("", "AU"), ("", "FR"), ("Ontario", "CA"), ("Sandbox", "US")] {
            for number in 0..60 {
                let Some(phone) = draw(1, key(number), state, country) else { continue };
                let parsed = PHONE_NUMBER_UTIL.parse(&phone, None).unwrap();
                assert!(PHONE_NUMBER_UTIL.is_valid_number(&parsed), "{phone}");
            }
        }
        for (state, _, codes) in AREA_CODES {
            for code in codes.split(' ') {
                let parsed = PHONE_NUMBER_UTIL.parse(format!("+1{code}5550142"), None).unwrap();
                assert!(PHONE_NUMBER_UTIL.is_valid_number(&parsed), "{state} {code}");
            }
        }
    }

    #[test]
    fn numbers_are_unique_within_a_town_and_trade() {
        let mut seen = HashSet::new();
        for number in 0..9_000 {
            if let Some(phone) = draw(1, key(number), "AK", "US") {
                assert!(seen.insert(phone));
            }
        }
        assert!(seen.len() > 8_900);
        assert_eq!(draw(1, key(10_000), "AK", "US"), None);
    }

    #[test]
    fn numbers_are_formatted_as_people_write_them() {
        let forms: Vec<String> = (0..4).map(|style| written("+15125550142", style)).collect();
        assert_eq!(forms, ["(512) 555-0142", "512-555-0142", "512.555.0142", "+1 512 555 0142"]);
        assert_eq!(written("+493023125042", 0), "+49 302 312 504 2");
        assert_eq!(draw(1, key(1), "", "JP"), None);
    }
}
