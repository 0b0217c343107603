//! Lines of a page that tell how somebody is reached, and what stands before it.

/// Fewest digits of a phone number after a title.
const PHONE_DIGITS_MIN: usize = 7;

/// What stands before the email, the phone number or the licence's number at the end of a line, and before how long somebody has been
/// there: `Office Manager ann@example.com 512 555 0100`, `Loan Officer | NMLS #123456`, `Stylist since 2015`.
pub(super) fn before_contacts(line: &str) -> &str {
    if !line.bytes().any(|b| b.is_ascii_digit() || b == b'@' || b == b']') {
        return line;
    }
    let is_separator = |c: char| " |-–•·,;:/".contains(c);
    let mut bare = line.trim_end_matches(is_separator);
    let mut is_announced = false;
    while let Some((before, word)) = bare.rsplit_once(' ') {
        let is_last = before.len() + word.len() + 1 == line.len();
        let announces = if is_last { is_years(before, word) } else { announces_number(word) };
        // `CA DRE Lic. 0123456`: whose licence it is.
        let is_state = is_announced && word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_uppercase());
        if !(announces || is_state || is_contact_word(word) || is_licence(word)) {
            break;
        }
        is_announced |= announces || word.contains('#') || is_lettered(word);
        bare = before.trim_end_matches(is_separator);
    }
    let contacts = &line[bare.len()..];
    let has_number = || contacts.bytes().filter(u8::is_ascii_digit).count() >= PHONE_DIGITS_MIN;
    if !is_announced && !contacts.contains(['@', ']']) && !has_number() {
        return line;
    }
    // `Massage Therapist (LMT #12345)`
    match bare.rsplit_once(" (") {
        Some((before, inside)) if contacts.contains(')') && !inside.contains(')') => before,
        _ => bare,
    }
}

/// A word of contacts: an address, digits, or what announces them.
fn is_contact_word(word: &str) -> bool {
    let is_number = || {
        word.bytes().any(|b| b.is_ascii_digit()) && word.bytes().all(|b| b.is_ascii_digit() || b"+-.()/x".contains(&b))
    };
    let label = word.trim_matches(['(', ')', ':', '.', '|']).to_ascii_lowercase();
    word.contains('@')
        || is_number()
        || matches!(label.as_str(), "[email" | "protected]" | "email" | "e-mail" | "tel" | "phone" | "ph" | "cell")
        || matches!(label.as_str(), "mobile" | "direct" | "fax" | "ext" | "extension" | "x" | "e" | "p" | "t" | "m")
}

/// `12 years`
fn is_years(before: &str, word: &str) -> bool {
    matches!(word, "years" | "Years" | "yrs") && before.ends_with(|c: char| c.is_ascii_digit() || c == '+')
}

/// A word before the number of a licence, or before the year since which somebody has been there.
fn announces_number(word: &str) -> bool {
    let label = word.trim_matches(['(', ')', ':', '.', '|', '#', ',']).to_ascii_lowercase();
    matches!(label.as_str(), "nmls" | "nmlsr" | "dre" | "caldre" | "bre" | "calbre" | "lic" | "license" | "licence")
        || matches!(label.as_str(), "licensed" | "reg" | "id" | "no" | "nº" | "núm" | "col" | "since")
}

/// The number of a licence: `#123456`, `#SA654321`, `MT123456`.
fn is_licence(word: &str) -> bool {
    let word = word.trim_matches(['(', ')', ',', '.']);
    match word.split_once('#') {
        Some((_, number)) => number.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')),
        None => is_lettered(word),
    }
}

/// A number behind the letters of a kind of licence: `MT123456`.
fn is_lettered(word: &str) -> bool {
    let word = word.trim_matches(['(', ')', ',', '.']);
    let letters = word.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = &word.as_bytes()[letters..];
    (1..=3).contains(&letters) && (4..=9).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit)
}

/// Whether a line holds only contacts, a link to a profile, pronouns or a year, and so does not separate a name from its title.
pub(super) fn is_contact(line: &str) -> bool {
    if line.len() > 60 || line.is_empty() {
        return false;
    }
    let letters = line.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = line.bytes().filter(u8::is_ascii_digit).count();
    (digits >= 7 && letters <= 10)
        || (line.contains('@') && line.split_whitespace().count() <= 2)
        || (line.starts_with("[email") && line.len() < 50)
        || is_number_line(line)
        || is_licence_line(line)
        || is_town(line)
        || is_beginning(line)
        || matches!(
            line.trim_matches(['(', ')']).to_ascii_lowercase().as_str(),
            "email"
                | "e-mail"
                | "bio"
                | "view bio"
                | "read bio"
                | "full bio"
                | "vcard"
                | "linkedin"
                | "instagram"
                | "facebook"
                | "twitter"
                | "tiktok"
                | "youtube"
                | "profile"
                | "view profile"
                | "phone"
                | "email me"
                | "send email"
                | "photo"
                | "image"
                | "[email protected]"
                | "read more"
                | "learn more"
                | "she/her"
                | "he/him"
                | "they/them"
                | "she/her/hers"
                | "he/him/his"
        )
}

/// `Austin, TX`: where someone works.
fn is_town(line: &str) -> bool {
    let Some((town, state)) = line.split_once(", ") else { return false };
    state.len() == 2
        && state.bytes().all(|b| b.is_ascii_uppercase())
        && town.split(' ').all(|word| word.starts_with(char::is_uppercase))
}

/// `Joined 2015`, `With us since 2008`: when somebody began.
fn is_beginning(line: &str) -> bool {
    let is_year = |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    let Some((before, _)) = line.rsplit_once(' ').filter(|(_, last)| is_year(last)) else { return false };
    matches!(
        before.to_ascii_lowercase().as_str(),
        "joined" | "joined in" | "joined us in" | "with us since" | "on the team since" | "started" | "hired"
    )
}

/// `NMLS #445566`, `Lic. No. 01234`: a licence and nothing else.
fn is_licence_line(line: &str) -> bool {
    let is_digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_part = |word: &str| announces_number(word) || is_licence(word);
    let mut words = line.split(' ');
    words.next().is_some_and(is_part)
        && words.all(|word| is_part(word) || is_digits(word))
        && line.bytes().any(|byte| byte.is_ascii_digit())
}

/// `x101`, `Ext. 12`: a label and a number.
fn is_number_line(line: &str) -> bool {
    let Some(digit) = line.find(|c: char| c.is_ascii_digit()) else { return false };
    let tail = &line[digit..];
    let label = line[..digit].trim_end_matches([' ', '#', ':', '.', '-', '(']).to_ascii_lowercase();
    let is_number = tail.len() <= 20 && tail.chars().all(|c| c.is_ascii_digit() || " -.()x/".contains(c));
    is_number
        && matches!(
            label.as_str(),
            "x" | "ext"
                | "extension"
                | "phone"
                | "tel"
                | "cell"
                | "mobile"
                | "office"
                | "direct"
                | "fax"
                | "c"
                | "o"
                | "p"
                | "m"
                | "t"
                | "d"
                | "ph"
                | "main"
                | "work"
                | "room"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_part_of_a_title_is_cut_off() {
        for (line, expect) in [
            ("Office Manager ann@example.com 512 555 0100", "Office Manager"),
            ("Loan Officer | NMLS #123456", "Loan Officer"),
            ("Loan Officer NMLS 1234", "Loan Officer"),
            ("REALTOR®, CA DRE Lic. No. 01234567", "REALTOR®"),
            ("Realtor® Lic. #SA654321", "Realtor®"),
            ("Massage Therapist (LMT #12345)", "Massage Therapist"),
            ("Massage Therapist, MT123456", "Massage Therapist"),
            ("Broker (License 445566)", "Broker"),
            ("Psicóloga · Col. AN12618", "Psicóloga"),
            ("Abogada – Colegiada nº 4455", "Abogada – Colegiada"),
            ("Stylist since 2015", "Stylist"),
            ("Stylist, 12 years", "Stylist"),
            ("Store Manager #4", "Store Manager"),
            ("Engineer 2", "Engineer 2"),
            ("Apprentice, 5 licensed", "Apprentice, 5 licensed"),
            ("Manager 2015", "Manager 2015"),
            ("Ward 3 Alderman", "Ward 3 Alderman"),
            ("#1", "#1"),
        ] {
            assert_eq!(before_contacts(line), expect, "{line}");
        }
    }

    #[test]
    fn some_lines_separate_no_name_from_its_title() {
        for line in [
            "she/her",
            "(He/Him)",
            "Lic. #SA654321",
            "NMLS#445566",
            "DRE Lic. No. 01234567",
            "Since 2008",
            "Ext. 12",
            "Joined 2015",
            "With us since 2008",
            "NMLS #445566",
            "Austin, TX",
            "View Bio",
        ] {
            assert!(is_contact(line), "{line}");
        }
        for line in ["since", "Open since 1975", "Sales", "her"] {
            assert!(!is_contact(line), "{line}");
        }
    }
}
