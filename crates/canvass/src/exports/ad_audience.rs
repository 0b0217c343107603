//! A list for an advertising platform's customer matching, in its columns and under its own rules.
//!
//! Every platform hashes personal data after normalising it, and only values normalised in the same way match. The rules
//! here are those the platforms publish; `docs/exports.md` names the pages.

use sha2::{Digest, Sha256};

use super::channel::{AudienceForm, Platform};
use super::row::ExportRow;
use super::{contact, person, place};
use crate::listing::e164;

/// What a platform can match a lead by. Missing values are empty.
#[derive(Debug, Default)]
struct Identity {
    email: String,
    phone: String,
    first: String,
    last: String,
    title: String,
    company: String,
    city: String,
    state: String,
    zip: String,
    country: String,
}

/// The header row that the platform's import expects.
pub(super) fn columns(platform: Platform, form: AudienceForm) -> Vec<&'static str> {
    match (platform, form) {
        (Platform::Google, _) => vec!["Email", "Phone", "First Name", "Last Name", "Country", "Zip"],
        (Platform::Meta, _) => vec!["email", "phone", "fn", "ln", "ct", "st", "zip", "country"],
        (Platform::Tiktok, AudienceForm::Plain) => vec!["Email", "Phone"],
        (Platform::Tiktok, AudienceForm::Hashed) => vec!["Email_SHA256", "Phone_SHA256"],
        (Platform::Linkedin, _) => {
            vec!["email", "firstname", "lastname", "jobtitle", "employeecompany", "country", "googleaid"]
        }
    }
}

/// The cells of a lead; none when it has nothing the platform could match.
pub(super) fn cells(row: &ExportRow, platform: Platform, form: AudienceForm) -> Option<Vec<String>> {
    let who = identity(row);
    let named = !who.first.is_empty() && !who.last.is_empty();
    let findable = match platform {
        Platform::Linkedin => !who.email.is_empty() || named,
        _ => !who.email.is_empty() || !who.phone.is_empty(),
    };
    findable.then(|| match (platform, form) {
        (Platform::Google, AudienceForm::Plain) => {
            vec![who.email, who.phone, who.first, who.last, who.country, who.zip]
        }
        (Platform::Google, AudienceForm::Hashed) => google(who),
        (Platform::Meta, AudienceForm::Plain) => {
            vec![who.email, who.phone, who.first, who.last, who.city, who.state, who.zip, who.country]
        }
        (Platform::Meta, AudienceForm::Hashed) => meta(who),
        (Platform::Tiktok, AudienceForm::Plain) => vec![without_tag(&who.email), who.phone],
        (Platform::Tiktok, AudienceForm::Hashed) => vec![sha256(&without_tag(&who.email)), sha256(&who.phone)],
        (Platform::Linkedin, _) => linkedin(who, form),
    })
}

fn identity(row: &ExportRow) -> Identity {
    let lead = &row.lead;
    let country = lead.country.as_deref();
    let owner = lead.owner_name.as_deref().map(person::split).unwrap_or_default();
    let text = |value: &Option<String>| value.as_deref().map(str::trim).unwrap_or_default().to_owned();
    Identity {
        email: lead.primary_email.as_deref().map(contact::email).unwrap_or_default(),
        phone: lead.phone.as_deref().and_then(|phone| e164(phone, country)).unwrap_or_default(),
        first: owner.first,
        last: owner.last,
        title: text(&lead.owner_title),
        company: lead.business_name.clone(),
        city: text(&lead.city),
        state: lead.state.as_deref().map(|state| place::state(state, country)).unwrap_or_default(),
        zip: lead.postal_code.as_deref().map(|code| place::postal_code(code, country)).unwrap_or_default(),
        country: text(&lead.country).to_uppercase(),
    }
}

/// Google: names in lower case with single spaces, phones in E.164; country and ZIP code are not hashed.
fn google(who: Identity) -> Vec<String> {
    let name = |name: &str| sha256(&name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase());
    let email = sha256(&google_email(&who.email));
    vec![email, sha256(&who.phone), name(&who.first), name(&who.last), who.country, who.zip]
}

/// Google ignores dots and plus tags in its own mailboxes only.
fn google_email(email: &str) -> String {
    match email.rsplit_once('@') {
        Some((name, domain @ ("gmail.com" | "googlemail.com"))) => {
            let name: String = name.split('+').next().unwrap_or_default().replace('.', "");
            format!("{name}@{domain}")
        }
        _ => email.to_owned(),
    }
}

/// Meta: everything hashed; names and towns without spaces and punctuation, phones as digits, five of the ZIP code.
fn meta(who: Identity) -> Vec<String> {
    let zip = if who.country == "US" { who.zip.chars().take(place::ZIP_DIGITS).collect() } else { plain(&who.zip) };
    let phone = who.phone.trim_start_matches('+');
    [&who.email, phone, &plain(&who.first), &plain(&who.last), &plain(&who.city), &plain(&who.state), &zip]
        .into_iter()
        .chain([who.country.to_lowercase().as_str()])
        .map(sha256)
        .collect()
}

/// LinkedIn: only the email is ever hashed; the rest is matched as it is. The device id stays empty.
fn linkedin(who: Identity, form: AudienceForm) -> Vec<String> {
    let email = if form == AudienceForm::Hashed { sha256(&who.email) } else { who.email };
    vec![email, who.first, who.last, who.title, who.company, who.country, String::new()]
}

/// Lower case without spaces, punctuation and symbols; letters of every alphabet stay.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// TikTok: the plus tag of an email is dropped.
fn without_tag(email: &str) -> String {
    let Some((name, domain)) = email.rsplit_once('@') else { return email.to_owned() };
    let name = name.split('+').next().unwrap_or_default();
    format!("{name}@{domain}")
}

/// The hash of a value in hexadecimal; empty for an empty value.
fn sha256(value: &str) -> String {
    if value.is_empty() { String::new() } else { hex::encode(Sha256::digest(value.as_bytes())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lead::sample_lead;

    fn row(change: impl FnOnce(&mut crate::lead::Lead)) -> ExportRow {
        let mut lead = sample_lead();
        lead.primary_email = Some(" John_Smith@Gmail.com ".into());
        lead.phone = Some("(650) 555-1212".into());
        lead.owner_name = Some("Mary del Carmen O'Neil, DDS".into());
        lead.city = Some("St. Paul".into());
        lead.state = Some("Arizona".into());
        lead.postal_code = Some("2134-1000".into());
        lead.country = Some("us".into());
        change(&mut lead);
        ExportRow { lead, premium: crate::lead::Premium::locked() }
    }

    fn hashed(platform: Platform) -> Vec<String> {
        cells(&row(|_| {}), platform, AudienceForm::Hashed).unwrap()
    }

    #[test]
    fn the_platforms_own_examples_hash_as_they_publish() {
        // Meta's page on customer information parameters, and TikTok's on customer files.
        assert_eq!(sha256("john_smith@gmail.com"), "62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f");
        assert_eq!(sha256("16505551212"), "e323ec626319ca94ee8bff2e4c87cf613be6ea19919ed1364124e16807ab3176");
        assert_eq!(sha256(&plain("Mary")), "6915771be1c5aa0c886870b6951b03d7eafc121fea0e80a5ea83beb7c449f4ec");
        assert_eq!(sha256(&plain("정")), "8fa8cd9c440be61d0151429310034083132b35975c4bea67fdd74158eb51db14");
        assert_eq!(sha256(&plain("Valéry")), "08e1996b5dd49e62a4b4c010d44e4345592a863bb9f8e3976219bac29417149c");
        let jane = sha256(&without_tag("janedoe+ads@gmail.com"));
        assert_eq!(jane, "d6117306485ed0e50afab3ac871e98f81699151f30281527d63ff5f233656c69");
    }

    /// Vectors of each platform's written rules: what a lead says, what its rule makes of it, and what another program
    /// (`printf %s TEXT | sha256sum`) hashes that to.
    const VECTORS: [(&str, &str, &str); 9] = [
        (
            "google email",
            "Cloudy.SanFrancisco+Shopping@Gmail.com",
            "223ebda6f6889b1494551ba902d9d381daf2f642bae055888e96343d53e9f9c4", // cloudysanfrancisco@gmail.com
        ),
        (
            "google email",
            " user.name+NYC@Example.com ",
            "f109a2a632fbcea5fc82049f50beed3d8621bf9034399f437fb622222acccdac", // user.name+nyc@example.com
        ),
        (
            "google phone",
            "(800) 555-0100",
            "fb4f73a6ec5fdb7077d564cdd22c3554b43ce49168550c3b12c547b78c517b30", // +18005550100
        ),
        (
            "google first",
            "Dr.  Mary   Ann Smith, DDS",
            "343b97011010c3549fe7fcd6c226ed9431ea37b0b77ed78f6300a0098925faf1", // mary ann
        ),
        (
            "google last",
            "Jan van der Berg Jr.",
            "a6fe68a719fbd8e4466cb6992d9a64dd1f6837e26dfc5a024f1393f51d3737c0", // van der berg
        ),
        (
            "meta phone",
            "(650) 555-1212",
            "e323ec626319ca94ee8bff2e4c87cf613be6ea19919ed1364124e16807ab3176", // 16505551212
        ),
        (
            "meta city",
            "St. Paul",
            "a95a07cc1ae972604720d59a1b91679af0b3db2027e87148c38fe06db8132071", // stpaul
        ),
        (
            "meta state",
            "Texas",
            "1b5b9ccb3e8d006a5230de9bda23ff91edc794d4f56410560830b418528e446c", // tx
        ),
        (
            "meta zip",
            "2134-1000",
            "1f75e2dac5b82521f112e293235aaeeb5dad684c5ede8469c1ec015b22bba44c", // 02134
        ),
    ];

    #[test]
    fn what_a_lead_says_hashes_as_the_written_rules_make_it() {
        for (field, says, hash) in VECTORS {
            let (platform, field) = field.split_once(' ').unwrap();
            let lead = row(|lead| {
                let said = Some(says.to_owned());
                match field {
                    "email" => lead.primary_email = said,
                    "phone" => lead.phone = said,
                    "city" => lead.city = said,
                    "state" => lead.state = said,
                    "zip" => lead.postal_code = said,
                    _ => lead.owner_name = said,
                }
            });
            let platform = Platform::ALL.into_iter().find(|one| one.name() == platform).unwrap();
            let column = match field {
                "email" => 0,
                "phone" => 1,
                "first" => 2,
                "last" => 3,
                "city" => 4,
                "state" => 5,
                _ => 6,
            };
            assert_eq!(cells(&lead, platform, AudienceForm::Hashed).unwrap()[column], hash, "{platform:?} {says:?}");
        }
    }

    #[test]
    fn each_platform_gets_its_own_form() {
        let google = hashed(Platform::Google);
        let expected = [
            sha256("john_smith@gmail.com"),
            sha256("+16505551212"),
            sha256("mary del carmen"),
            sha256("o'neil"),
            "US".into(),
            "02134-1000".into(),
        ];
        assert_eq!(google, expected);
        let meta = ["john_smith@gmail.com", "16505551212", "marydelcarmen", "oneil", "stpaul", "az", "02134", "us"]
            .map(sha256);
        assert_eq!(hashed(Platform::Meta), meta);
        assert_eq!(hashed(Platform::Tiktok), [sha256("john_smith@gmail.com"), sha256("+16505551212")]);
        let linkedin = hashed(Platform::Linkedin);
        assert_eq!(linkedin[..3], [sha256("john_smith@gmail.com"), "Mary del Carmen".into(), "O'Neil".into()]);
    }

    #[test]
    fn only_googles_own_mailboxes_lose_their_dots() {
        for (email, expected) in [
            ("a.b.c@gmail.com", "abc@gmail.com"),
            ("a.b+x.y@googlemail.com", "ab@googlemail.com"),
            ("a.b+x@gmail.com.evil.test", "a.b+x@gmail.com.evil.test"),
            ("a.b@mygmail.com", "a.b@mygmail.com"),
            ("no mailbox", "no mailbox"),
        ] {
            assert_eq!(google_email(email), expected);
        }
    }

    #[test]
    fn columns_and_cells_are_as_many() {
        for platform in Platform::ALL {
            for form in [AudienceForm::Plain, AudienceForm::Hashed] {
                let cells = cells(&row(|_| {}), platform, form).unwrap();
                assert_eq!(cells.len(), columns(platform, form).len(), "{platform:?} {form:?}");
            }
        }
    }

    #[test]
    fn nobody_is_found_by_nothing_and_nothing_has_no_hash() {
        let empty = row(|lead| (lead.primary_email, lead.phone, lead.owner_name) = (None, None, None));
        for platform in Platform::ALL {
            assert_eq!(cells(&empty, platform, AudienceForm::Hashed), None, "{platform:?}");
        }
        let by_phone = row(|lead| (lead.primary_email, lead.owner_name) = (None, None));
        let cells = cells(&by_phone, Platform::Google, AudienceForm::Hashed).unwrap();
        assert_eq!((cells[0].as_str(), cells[2].as_str()), ("", ""));
    }
}
