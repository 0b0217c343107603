//! Reads a name and a title from one line: `Jane Doe, Owner`, `Owner: Jane Doe`, `Managing Director Jane Doe`.

use crate::byte_set::{ByteSet, Separator};
use crate::people::names::{self, PersonName};
use crate::people::{
    affiliation, bios, cards, contact_lines, departments, other_companies, owner_labels, sentences, titles,
};
use crate::site::Site;

/// A person and the title beside the name.
pub(super) type Titled = (PersonName, String);

/// Longest label before a name, in bytes.
const LABEL_BYTES_MAX: usize = 50;
/// Words of a line without separators.
const WORDS_MAX: usize = 9;
/// Parts of a line that are examined.
const PARTS_MAX: usize = 8;

/// What separates a name from the title after it, the longer dashes first.
static BEFORE_TITLES: [Separator; 15] = Separator::all([
    " – ", " — ", " - ", " | ", ", ", ": ", " / ", " // ", " (", " • ", " · ", "...", " ~ ", "; ", " -- ",
]);
/// What separates a label from a name, a name from a sentence, two people from their title, a department from a name.
static AFTER_LABELS: [Separator; 6] = Separator::all([":", " – ", " — ", " - ", " | ", "..."]);
static BEFORE_SENTENCES: [Separator; 4] = Separator::all([" – ", " — ", " - ", ": "]);
static AFTER_COUPLES: [Separator; 6] = Separator::all([" | ", " - ", " – ", ", ", ": ", " ("]);
static AFTER_DEPARTMENTS: [Separator; 3] = Separator::all([": ", " - ", " – "]);
static DASHES: [Separator; 2] = Separator::all([" - ", " – "]);
static COMMA: Separator = Separator::new(", ");

/// The people that a line names together with their titles.
pub(super) fn read(line: &str, site: &Site) -> Vec<Titled> {
    let line = line.trim_start_matches(['•', '*', '·', ' ']);
    let line = without_byline(line);
    let line = line.strip_prefix("Meet ").filter(|name| names::may_start(name)).unwrap_or(line);
    // `Ann Lee, DDS` is a name with credentials.
    if names::parse(line).is_some() {
        return Vec::new();
    }
    let bytes = ByteSet::of(line);
    let found = labelled(line, bytes);
    if !found.is_empty() {
        return found;
    }
    if let Some(one) = name_and_title(line, bytes, site) {
        return vec![one];
    }
    let couple = couple_and_title(line, bytes);
    if !couple.is_empty() {
        return couple;
    }
    parts(line, bytes, site).into_iter().collect()
}

/// A line without the words that announce its author.
pub(super) fn without_byline(line: &str) -> &str {
    if !line.starts_with(['B', 'b', 'W', 'R', 'M']) {
        return line;
    }
    ["By ", "by ", "BY ", "Written by ", "Written By ", "Reviewed by ", "Medically reviewed by "]
        .iter()
        .find_map(|by| line.strip_prefix(by))
        .unwrap_or(line)
}

/// `Jane Doe, Owner`, `Jane Doe - Owner`, `Jane Doe | Owner & CEO`, `Jane Doe (Owner)`.
fn name_and_title(line: &str, bytes: ByteSet, site: &Site) -> Option<Titled> {
    // Credentials in between: `Jane Doe, CPA, Managing Partner`.
    if bytes.may_contain(&COMMA)
        && let Some((left, right)) = line.rsplit_once(", ")
        && let Some(name) = names::parse(left).filter(|name| name.credentials.is_some())
        && titles::is_title(right)
        && !other_companies::names_another(right, site)
    {
        return Some((name, right.trim().to_owned()));
    }
    for separator in &BEFORE_TITLES {
        let Some((left, right)) = bytes.split_once(line, separator) else { continue };
        // `Ann Lee — Broker · License #445566`
        let right = right.split_once(" · ").map_or(right, |(head, rest)| if has_number(rest) { head } else { right });
        let right = contact_lines::before_contacts(without_bracket(right));
        let right = right.trim_end_matches(')');
        // `Prop.` is short for the owner.
        let right = if right.ends_with("rop.") { right } else { right.trim_matches(['.', '-', ' ']) };
        if right.contains(')') && !right.contains('(') {
            continue;
        }
        // `Ann Lee, Bob Ray (owner)`: the title is another's.
        if right.split_once([',', '(']).is_some_and(|(head, _)| names::parse(head).is_some()) {
            continue;
        }
        if let Some(name) = names::parse(left)
            && titles::is_title(right)
            && !titles::is_of_several(right)
            && !other_companies::names_another(right, site)
        {
            return Some((name, right.to_owned()));
        }
    }
    None
}

/// Whether what follows a title is a number of a licence or a phone rather than another title.
fn has_number(text: &str) -> bool {
    text.bytes().filter(u8::is_ascii_digit).count() > 2
}

/// What follows a bracket between a name and a title: `(12 years with us) Owner`.
fn without_bracket(text: &str) -> &str {
    let inside = text.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
    inside.map(|(_, after)| after.trim()).filter(|after| !after.is_empty()).map_or(text, leading_titles)
}

/// The titles at the start of a list that goes on with other qualities: `Owner / Partner / Certified Residential`.
fn leading_titles(list: &str) -> &str {
    let mut end = 0;
    for part in list.split_inclusive('/') {
        if !titles::is_title(part.trim_matches([' ', '/'])) {
            break;
        }
        end += part.len();
    }
    if end == 0 { list } else { list[..end].trim_end_matches([' ', '/']) }
}

/// `Owner: Jane Doe`, `Inhaber: Hans Meier`, `Broker/Owner - Jane Doe`, `Owners: Ann and Bob Lee`.
fn labelled(line: &str, bytes: ByteSet) -> Vec<Titled> {
    for separator in &AFTER_LABELS {
        let Some((label, rest)) = bytes.split_once(line, separator) else { continue };
        // `Acme LLC · Designated Broker: Ann Lee`
        let label = label.rsplit(['·', '•', '|']).next().unwrap_or(label);
        let (label, rest) = (label.trim(), rest.trim_matches(['.', ' ', '-']));
        if label.len() > LABEL_BYTES_MAX || !titles::is_title(label) || names::parse(label).is_some() {
            continue;
        }
        if let Some(both) = names::parse_couple(rest) {
            let title = titles::singular_title(label).unwrap_or_else(|| label.to_owned());
            return both.into_iter().map(|name| (name, title.clone())).collect();
        }
        if let Some(title) = titles::singular_title(label) {
            let several = list(rest);
            if several.len() > 1 {
                return several.into_iter().map(|(name, own)| (name, own.unwrap_or_else(|| title.clone()))).collect();
            }
        }
        let label = owner_labels::bare(label);
        let name = names::parse(rest).or_else(|| sentences::name_at_start(rest));
        if let Some(name) = name.or_else(|| owner_labels::name(label, rest)) {
            let title = owner_labels::title_after(label, rest);
            return vec![(name, title.unwrap_or_else(|| label.to_owned()))];
        }
    }
    Vec::new()
}

/// `Ann Lee (Manager), Bob Ray (Foreman) and Kim Bell (Estimator)`: several names, each with a title in brackets.
pub(super) fn bracketed(line: &str, site: &Site) -> Vec<Titled> {
    let mut found = Vec::new();
    let mut from = 0;
    for (open, _) in line.match_indices('(').take(PARTS_MAX) {
        let (Some(before), Some(inside)) = (line.get(from..open), line[open + 1..].split_once(')')) else { continue };
        let title = inside.0.trim();
        let is_title =
            titles::is_title(title) && !titles::is_of_several(title) && !other_companies::names_another(title, site);
        if let Some(name) = sentences::name_at_end(before.trim_end(), names::Trust::Low).filter(|_| is_title) {
            found.push((name, title.to_owned()));
        }
        from = open + 1 + inside.0.len() + 1;
    }
    if found.len() < 2 { Vec::new() } else { found }
}

/// Whether a line may hold a sign between a name and what is said of it. The byte scan rejects most lines immediately.
pub(super) fn may_be_separated(line: &str) -> bool {
    // Dashes are not ASCII.
    line.bytes().fold(false, |found, byte| found | matches!(byte, b',' | b'-' | b'|' | b':' | b'(' | 0x80..))
}

/// `Ann Lee – Ann is our bookkeeper.`: a name and a sentence about the person.
pub(super) fn name_and_sentence(line: &str, site: &Site, is_staff_page: bool) -> Option<Titled> {
    if !may_be_separated(line) {
        return None;
    }
    let (name, said) = ByteSet::of(line).split_once_at(line, &BEFORE_SENTENCES)?;
    let name = names::parse(name)?;
    let is_ours = is_staff_page || affiliation::says_ours(said);
    let title = is_ours.then(|| bios::role(&name, said, site, is_staff_page)).flatten()?;
    (!other_companies::names_another(&title, site)).then_some((name, title))
}

/// `Ann Lee, Bob Ray (owner), and Kim Bell`: nothing but names, each with a title of its own if one stands in brackets.
fn list(text: &str) -> Vec<(PersonName, Option<String>)> {
    let parts = text.split(',').flat_map(|part| part.split(" and ")).flat_map(|part| part.split(" & "));
    let parts = parts.map(|part| part.trim().trim_start_matches("and ").trim()).filter(|part| !part.is_empty());
    let named = |part: &str| {
        let (name, own) = part.split_once(" (").map_or((part, None), |(name, own)| (name, own.strip_suffix(')')));
        names::parse(name).map(|name| (name, own.filter(|own| titles::is_title(own)).map(str::to_owned)))
    };
    parts.take(PARTS_MAX).map(named).collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// `Ann & Bob Lee | Owners`.
fn couple_and_title(line: &str, bytes: ByteSet) -> Vec<Titled> {
    let Some((left, right)) = bytes.split_once_at(line, &AFTER_COUPLES) else { return Vec::new() };
    let Some(both) = names::parse_couple(left) else { return Vec::new() };
    let right = right.trim_end_matches(')').trim();
    let title = titles::singular_title(right).or_else(|| titles::is_title(right).then(|| right.to_owned()));
    title.map_or_else(Vec::new, |title| both.into_iter().map(|name| (name, title.clone())).collect())
}

/// `Contact: Ann Lee, Office Manager, 555-0100, ann@acme.com`: a name directly before a title, among other things.
fn parts(line: &str, bytes: ByteSet, site: &Site) -> Option<Titled> {
    let rest = match line.split_once(':') {
        Some((label, rest)) if label.len() < LABEL_BYTES_MAX && is_contact_label(label) => rest,
        _ => line,
    };
    let has_label = bytes.split_once_at(line, &DASHES).is_some();
    if !has_label
        && !rest.bytes().any(|byte| byte.is_ascii_digit() || matches!(byte, b'@' | b':' | b'('))
        && rest.len() == line.len()
    {
        return None;
    }
    let is_separator = |c: char| matches!(c, ',' | '|' | ';' | '•' | '·' | '(' | ')');
    let mut parts: Vec<&str> = rest.split(is_separator).take(PARTS_MAX).collect();
    if has_label {
        parts = parts.into_iter().flat_map(|part| part.split(" - ")).flat_map(|part| part.split(" – ")).collect();
    }
    let mut before: Option<PersonName> = None;
    for part in parts.into_iter().take(PARTS_MAX) {
        let part = part.trim().trim_end_matches('.');
        if let Some(name) = before.take()
            && let Some(title) = title_among_parts(part, rest, site)
        {
            return Some((name, title.to_owned()));
        }
        before = names::parse(part);
    }
    None
}

/// The title that a part of a line begins with.
fn title_among_parts<'p>(part: &'p str, rest: &str, site: &Site) -> Option<&'p str> {
    // What follows the title without a separator: `Office Manager 555-0100`, `Manager at 555-0100`.
    let title = part.split(|c: char| c.is_ascii_digit() || c == '@').next().unwrap_or(part);
    let title = [" at ", " Phone", " Tel", " Email", " Ext", " Cell", " ext", " email"]
        .iter()
        .fold(title, |title, end| title.split(*end).next().unwrap_or(title))
        .trim();
    let is_title = title.starts_with(char::is_uppercase)
        && titles::is_title(title)
        && names::parse(title).is_none()
        && !other_companies::names_another(title, site)
        && affiliation::company_after(part.get(title.len()..).unwrap_or(""), &[" at ", " @ "], site)
            != affiliation::NamedCompany::Another
        && !affiliation::goes_on_as_company(&rest[rest.find(title).map_or(0, |at| at + title.len())..]);
    is_title.then_some(title)
}

/// Labels before the name of whom to ask.
fn is_contact_label(label: &str) -> bool {
    let lower = label.trim().to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| {
        matches!(
            word,
            "contact"
                | "contacts"
                | "person"
                | "questions"
                | "information"
                | "info"
                | "call"
                | "rsvp"
                | "ansprechpartner"
                | "kontakt"
        )
    })
}

/// `Managing Director Ann Lee` or `Ann Lee Managing Director`: a title and a name without a separator.
pub(super) fn without_separator(line: &str, site: &Site) -> Option<Titled> {
    let phrase = phrase_without_separator(line)?;
    title_before_name(line, phrase).or_else(|| name_then_title(phrase, site))
}

/// `Sales: Ann Lee`, `Parts Department - Bob Ray, bob@acme.com`: a department in place of a title.
pub(super) fn department_and_name(line: &str) -> Option<Titled> {
    let (label, rest) = ByteSet::of(line).split_once_at(line, &AFTER_DEPARTMENTS)?;
    if !departments::is_department(label) {
        return None;
    }
    let rest = rest.split([',', '|', '(', '@']).next().unwrap_or(rest);
    let rest =
        [" - ", " – ", " at ", " ext", " x"].iter().fold(rest, |rest, end| rest.split(*end).next().unwrap_or(rest));
    let rest = rest.split(|c: char| c.is_ascii_digit()).next().unwrap_or(rest);
    names::parse(rest.trim()).map(|name| (name, label.to_owned()))
}

/// What precedes the contacts at the end of a line: `Ann Lee Office Manager 555-0100`.
fn before_contacts(line: &str) -> &str {
    let Some(at) = line.find(|c: char| c.is_ascii_digit() || c == '@' || c == '(') else { return line };
    // What stands before an `@` is part of the address.
    let at = if line[at..].starts_with('@') { line[..at].rfind(' ').unwrap_or(0) } else { at };
    let (head, tail) = line.split_at(at);
    if cards::is_contact(tail.trim()) || tail.starts_with(|c: char| c.is_ascii_digit() || c == '(') && tail.len() >= 7 {
        head.trim_end_matches([' ', '-', '–', '|', ',', ':'])
    } else {
        line
    }
}

/// The part of a line that may be a title and a name without a separator.
fn phrase_without_separator(line: &str) -> Option<&str> {
    let phrase = before_contacts(line);
    let is_separated = |byte| matches!(byte, b',' | b':' | b'|' | b'@' | b'?' | b'!' | b';' | b'"');
    if phrase.len() > 80 || phrase.bytes().any(is_separated) || phrase.contains('“') {
        return None;
    }
    (3..=WORDS_MAX).contains(&(spaces(phrase).count() + 1)).then_some(phrase)
}

/// Cheap check of how a line starts: whether a title may precede a name, as in `Managing Director Ann Lee`.
pub(super) fn starts_with_title(line: &str) -> bool {
    if line.len() >= 60 || !line.starts_with(|c: char| c.is_ascii_uppercase()) || spaces(line).nth(1).is_none() {
        return false;
    }
    let mut start = 0;
    let ends = spaces(line).chain([line.len()]).take(4);
    ends.map(|end| &line[std::mem::replace(&mut start, end + 1)..end]).any(titles::is_plain_head)
}

/// The places of the spaces in a phrase.
fn spaces(phrase: &str) -> impl DoubleEndedIterator<Item = usize> {
    phrase.bytes().enumerate().filter(|(_, byte)| *byte == b' ').map(|(at, _)| at)
}

/// `Managing Director Ann Lee`.
pub(super) fn title_then_name(line: &str) -> Option<Titled> {
    title_before_name(line, phrase_without_separator(line)?)
}

fn title_before_name(line: &str, phrase: &str) -> Option<Titled> {
    if !line.starts_with(char::is_uppercase) {
        return None;
    }
    // A name has two to four words.
    let words = spaces(phrase).count() + 1;
    spaces(phrase).take(words - 2).skip(words.saturating_sub(5)).find_map(|at| {
        let (title, name) = (&phrase[..at], &phrase[at + 1..]);
        let name = titles::is_title_phrase(title).then(|| names::parse(name)).flatten()?;
        Some((name, title.to_owned()))
    })
}

/// `Ann Lee Managing Director`: the shortest name that ends in a surname, not `Mary Ann` or `Mary Ann Lee Registered`.
fn name_then_title(phrase: &str, site: &Site) -> Option<Titled> {
    let last_word = |at: usize| phrase[..at].rsplit(' ').next().unwrap_or("").to_lowercase();
    let read = |at: usize| {
        let (name, title) = (names::parse(&phrase[..at])?, &phrase[at + 1..]);
        let is_title = title.starts_with(char::is_uppercase)
            && titles::is_title(title)
            && titles::singular_title(title).is_none()
            && !titles::is_title_word(&last_word(at))
            && !other_companies::names_another(title, site);
        is_title.then(|| (name, title.to_owned()))
    };
    let ends = || spaces(phrase).skip(1).take(3);
    ends().filter(|at| names::is_surname(&last_word(*at))).find_map(read).or_else(|| ends().find_map(read))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(found: &[Titled]) -> String {
        found.iter().map(|(name, title)| format!("{}={title}", name.name)).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_line_names_people_and_their_titles() {
        let site = Site::of("https://acme.com/");
        for (line, expect) in [
            ("Ann Lee, Owner, Principal", "Ann Lee=Owner, Principal"),
            ("Broker/Owner: Ann Lee", "Ann Lee=Broker/Owner"),
            ("Co-Owner: Ann Lee", "Ann Lee=Co-Owner"),
            ("Owners: Ann and Bob Lee", "Ann Lee=Owner; Bob Lee=Owner"),
            ("Ann & Bob Lee | Owners", "Ann Lee=Owner; Bob Lee=Owner"),
            (
                "Dental Assistants: Ann Lee, Bob Ray, and Kim Bell",
                "Ann Lee=Dental Assistant; Bob Ray=Dental Assistant; Kim Bell=Dental Assistant",
            ),
            ("Contact: Ann Lee, Office Manager, 555-0100, ann@acme.com", "Ann Lee=Office Manager"),
            ("Ann Lee, Controller 555-0100", "Ann Lee=Controller"),
            ("Ann Lee - (12 years with us) Owner / Partner / Certified Homes / Land", "Ann Lee=Owner / Partner"),
            ("Publisher: Ann Lee, owner.", "Ann Lee=owner"),
            ("Inhaber: Anna Meiersdorf Lindenweg 35, 75446 Acmestadt", "Anna Meiersdorf=Inhaber"),
            ("Ann Lee (Sales Manager) - ext. 12", "Ann Lee=Sales Manager"),
            ("Controller ........ Ann Lee", "Ann Lee=Controller"),
            ("Ann Lee ........ Controller", "Ann Lee=Controller"),
            ("Sharon Lee - Head Sales Rep.", "Sharon Lee=Head Sales Rep"),
            ("By Sam Lee, Staff Writer", "Sam Lee=Staff Writer"),
            ("In 2001 his son, Greg Lee, became President.", ""),
            ("Purchasing - Mike Rossi, Buyer", "Mike Rossi=Buyer"),
            ("Office hours: Monday to Friday, 9-5", ""),
            ("Contact: Acme Roofing, 555-0100", ""),
            ("Ann Lee, CEO of Other Corp, 555-0100", ""),
        ] {
            assert_eq!(shown(&read(line, &site)), expect, "{line}");
        }
    }

    #[test]
    fn a_department_may_stand_for_a_title() {
        for (line, expect) in [
            ("Sales: Ann Lee - ann@acme.com", "Ann Lee=Sales"),
            ("Parts Department - Bob Ray, ext. 12", "Bob Ray=Parts Department"),
            ("Sales: 555-555-0100", ""),
            ("Sales: Monday to Friday", ""),
            ("Music: Ann Lee", ""),
        ] {
            let found: Vec<Titled> = department_and_name(line).into_iter().collect();
            assert_eq!(shown(&found), expect, "{line}");
        }
    }

    #[test]
    fn a_title_and_a_name_need_no_separator() {
        let site = Site::of("https://acme.com/");
        for (line, expect) in [
            ("Managing Director Ann Lee", "Ann Lee=Managing Director"),
            ("Ann Lee Managing Director", "Ann Lee=Managing Director"),
            ("Mary Ann Lee Registered Nurse", "Mary Ann Lee=Registered Nurse"),
            ("Ann Lee Owner & Founder", "Ann Lee=Owner & Founder"),
            ("Ann Lee Office Manager 555-555-0100", "Ann Lee=Office Manager"),
            ("Ann Lee Office Manager ann@acme.com", "Ann Lee=Office Manager"),
            ("Chelsea Manager Frank Lee", ""),
            ("Ann Lee", ""),
            ("Ask Ann Lee", ""),
            ("Ann Lee joined the team", ""),
        ] {
            let found: Vec<Titled> = without_separator(line, &site).into_iter().collect();
            assert_eq!(shown(&found), expect, "{line}");
        }
    }
}
