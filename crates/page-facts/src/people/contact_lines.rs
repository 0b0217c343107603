//! Lines of a page that tell how somebody is reached, and what stands before it.

/// Fewest digits of a phone number after a title.
const PHONE_DIGITS_MIN: usize = 7;

/// What stands before the email and the phone number at the end of a line: `Office Manager ann@example.com 512 555 0100`.
pub(super) fn before_contacts(line: &str) -> &str {
    if !line.bytes().any(|b| b.is_ascii_digit() || b == b'@' || b == b']') {
        return line;
    }
    let is_separator = |c: char| " |-–•·,;:/".contains(c);
    let mut bare = line.trim_end_matches(is_separator);
    while let Some((before, _)) = bare.rsplit_once(' ').filter(|(_, word)| is_contact_word(word)) {
        bare = before.trim_end_matches(is_separator);
    }
    let contacts = &line[bare.len()..];
    let has_number = || contacts.bytes().filter(u8::is_ascii_digit).count() >= PHONE_DIGITS_MIN;
    if contacts.contains(['@', ']']) || has_number() { bare } else { line }
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

/// Whether a line holds only contacts or a link to a profile, and so does not separate a name from its title.
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
        || is_town(line)
        || matches!(
            line.to_ascii_lowercase().as_str(),
            "email"
                | "e-mail"
                | "bio"
                | "view bio"
                | "read bio"
                | "full bio"
                | "vcard"
                | "linkedin"
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
        )
}

/// `Austin, TX`: where someone works.
fn is_town(line: &str) -> bool {
    let Some((town, state)) = line.split_once(", ") else { return false };
    state.len() == 2
        && state.bytes().all(|b| b.is_ascii_uppercase())
        && town.split(' ').all(|word| word.starts_with(char::is_uppercase))
}

/// `NMLS #445566`, `Lic. 01234`, `x101`, `Ext. 12`: a label and a number.
fn is_number_line(line: &str) -> bool {
    let Some(digit) = line.find(|c: char| c.is_ascii_digit()) else { return false };
    let tail = &line[digit..];
    let label = line[..digit].trim_end_matches([' ', '#', ':', '.', '-', '(']).to_ascii_lowercase();
    let is_number = tail.len() <= 20 && tail.chars().all(|c| c.is_ascii_digit() || " -.()x/".contains(c));
    is_number
        && matches!(
            label.as_str(),
            "nmls"
                | "nmls id"
                | "nmls no"
                | "lic"
                | "license"
                | "license no"
                | "lic no"
                | "dre"
                | "dre lic"
                | "calbre"
                | "bre"
                | "x"
                | "ext"
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
