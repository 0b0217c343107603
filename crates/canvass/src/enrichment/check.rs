//! Checks what a model says against the text it was drawn from. What does not stand there is dropped and counted.

use page_facts::EmailType;

use crate::ai::ground::{self, normal};
use crate::ai::{Brief, KnownEmail, Who, belongs_to, infer};

/// Mailboxes of people and small businesses that live at a provider of mail.
const FREE_MAIL: [&str; 18] = [
    "gmail.com",
    "googlemail.com",
    "yahoo.com",
    "ymail.com",
    "outlook.com",
    "hotmail.com",
    "live.com",
    "msn.com",
    "aol.com",
    "icloud.com",
    "me.com",
    "mac.com",
    "gmx.com",
    "gmx.net",
    "gmx.de",
    "web.de",
    "proton.me",
    "protonmail.com",
];

/// What is left of an answer once it was checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Checked {
    pub(super) owner: Option<Owner>,
    pub(super) email: Option<KnownEmail>,
    /// What was said that does not stand in the text: why each was dropped.
    pub(super) rejected: Vec<Rejection>,
}

/// Why a name or an email that a model gave was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rejection {
    /// The name stands nowhere in the text.
    NameNotInText,
    /// The name stands there, and nothing says that this person owns the business.
    NotCalledOwner,
    /// The finders know the person by another job.
    AnotherJob,
    /// No page shows the email.
    EmailNotShown,
    /// The email is at another company's domain.
    EmailOfAnother,
}

/// An owner that stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) url: String,
    pub(super) snippet: String,
}

/// Checks an answer.
pub(super) fn check(brief: &Brief, who: &Who) -> Checked {
    let mut checked = Checked::default();
    if let Some(name) = given(who.owner_name.as_deref()) {
        match owner(brief, name, given(who.owner_title.as_deref())) {
            Ok(owner) => checked.owner = Some(owner).filter(|owner| is_better_owner(brief, owner)),
            Err(why) => checked.rejected.push(why),
        }
    }
    if let Some(email) = given(who.email.as_deref()) {
        match email_of(brief, email) {
            Ok(known) => {
                let name = checked.owner.as_ref().map(|owner| owner.name.as_str()).or(brief.owner_name.as_deref());
                checked.email = Some(known).filter(|known| is_better_email(brief, known, name)).cloned();
            }
            Err(why) => checked.rejected.push(why),
        }
    }
    checked
}

/// What a model gives when it gives something: not nothing, and not a word for nothing.
fn given(value: Option<&str>) -> Option<&str> {
    let value = value?.trim();
    let nothing = ["", "null", "none", "n/a", "unknown", "not found", "not available"];
    (!nothing.contains(&value.to_lowercase().as_str())).then_some(value)
}

fn owner(brief: &Brief, name: &str, title: Option<&str>) -> Result<Owner, Rejection> {
    // With a title that does not stand there the name may still do, by another word for owning.
    let title = title.filter(|title| ground::is_owning(title) && ground::owner(brief, name, Some(title)).is_some());
    let Some(standing) = ground::owner(brief, name, title) else {
        return inferred(brief, name).ok_or_else(|| why_not(brief, name));
    };
    // The finders know some people by what they do; a receptionist is not the owner.
    let folded = normal(name);
    let known = brief.facts.people.iter().find(|person| normal(&person.name) == folded);
    let other = known.is_some_and(|person| {
        !person.is_owner && person.title.as_deref().is_some_and(|title| !ground::is_owning(title))
    });
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = title.map(str::to_owned).or_else(|| known.and_then(|person| person.title.clone()));
    if other {
        return Err(Rejection::AnotherJob);
    }
    Ok(Owner { name, title, url: standing.url, snippet: standing.snippet })
}

/// Why a name is not accepted as the owner's.
fn why_not(brief: &Brief, name: &str) -> Rejection {
    let name = normal(name);
    let mut texts = brief.pages.iter().map(|page| &page.text).chain(&brief.reviews);
    match texts.any(|text| ground::find(&normal(text), &name).is_some()) {
        true => Rejection::NotCalledOwner,
        false => Rejection::NameNotInText,
    }
}

/// An owner whom no sentence names, but the website as a whole does.
fn inferred(brief: &Brief, name: &str) -> Option<Owner> {
    let infer::Inferred { name, title, said } =
        infer::owner(brief).filter(|owner| normal(&owner.name) == normal(name))?;
    Some(Owner { name, title, url: said.url, snippet: said.snippet })
}

/// An owner is better than none, and than one whose title says less.
fn is_better_owner(brief: &Brief, owner: &Owner) -> bool {
    match &brief.owner_name {
        None => true,
        Some(known) if normal(known) == normal(&owner.name) => brief.owner_title.is_none() && owner.title.is_some(),
        Some(_) => {
            let owns = |title: Option<&str>| title.is_some_and(ground::is_owning);
            owns(owner.title.as_deref()) && !owns(brief.owner_title.as_deref())
        }
    }
}

/// The email, if the business shows it and it may be the business's: an address at an unrelated domain is not.
fn email_of<'b>(brief: &'b Brief, email: &str) -> Result<&'b KnownEmail, Rejection> {
    let email = normal(email);
    let email = email.strip_prefix("mailto:").unwrap_or(&email);
    let known = brief.emails.iter().find(|known| normal(&known.email) == email).ok_or(Rejection::EmailNotShown)?;
    let domain = domain_of(email).ok_or(Rejection::EmailNotShown)?;
    let of_site = brief.website.as_deref().and_then(|url| registrable(url::Url::parse(url).ok()?.host_str()?));
    let of_primary = brief.primary_email.as_deref().and_then(domain_of);
    let own = [of_site, of_primary].into_iter().flatten().any(|own| own == domain);
    if own || is_free(email) { Ok(known) } else { Err(Rejection::EmailOfAnother) }
}

fn is_free(email: &str) -> bool {
    domain_of(email).is_some_and(|domain| FREE_MAIL.contains(&domain.as_str()))
}

fn domain_of(email: &str) -> Option<String> {
    registrable(email.rsplit_once('@')?.1)
}

fn registrable(host: &str) -> Option<String> {
    let host = host.trim_end_matches('.').to_lowercase();
    public_suffix::domain(&host).map(str::to_owned)
}

/// Whether mail to it is likelier to reach the decision maker.
fn is_better_email(brief: &Brief, email: &KnownEmail, owner: Option<&str>) -> bool {
    let rank = |known: &KnownEmail| match known.kind {
        _ if owner.is_some_and(|owner| belongs_to(&known.email, owner)) => 4,
        // A visitor's comment can contain a free mailbox; only the owner's is better than the business's own.
        EmailType::Personal if is_free(&known.email) => 1,
        EmailType::Personal => 3,
        EmailType::Role => 2,
        EmailType::Generic => 1,
        EmailType::Unknown => 0,
    };
    let current = brief.emails.iter().find(|known| brief.primary_email.as_deref() == Some(known.email.as_str()));
    current.is_none_or(|current| rank(email) > rank(current))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ai::PageText;

    fn email(address: &str, kind: EmailType) -> KnownEmail {
        KnownEmail { email: address.into(), kind, confidence: 0.8, url: String::new(), snippet: String::new() }
    }

    fn brief() -> Brief {
        let text = "Jane Doe, Owner\nBob Ray\nReceptionist\nWrite to ceo@evil.test or jane@acme.example.";
        Brief {
            business_name: "Acme".into(),
            website: Some("http://www.acme.example/".into()),
            primary_email: Some("info@acme.example".into()),
            emails: vec![
                email("info@acme.example", EmailType::Role),
                email("jane@acme.example", EmailType::Personal),
                email("ceo@evil.test", EmailType::Personal),
            ],
            pages: vec![PageText { url: "http://www.acme.example/about".into(), text: text.into() }],
            ..Brief::default()
        }
    }

    fn who(name: &str, title: &str, email: &str) -> Who {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Who { owner_name: some(name), owner_title: some(title), email: some(email) }
    }

    fn evidence() -> page_facts::Evidence {
        page_facts::Evidence { url: String::new(), method: page_facts::Method::Text, snippet: String::new() }
    }

    fn check_case(said: Who, name: Option<&str>, address: Option<&str>, rejected: &[Rejection]) {
        let found = check(&brief(), &said);
        assert_eq!(found.owner.as_ref().map(|owner| owner.name.as_str()), name, "{said:?}");
        assert_eq!(found.email.as_ref().map(|known| known.email.as_str()), address, "{said:?}");
        assert_eq!(found.rejected, rejected, "{said:?}");
    }

    #[test]
    fn only_what_stands_in_the_text_is_kept() {
        use Rejection::{AnotherJob, EmailNotShown, EmailOfAnother, NameNotInText, NotCalledOwner};
        check_case(who("Jane Doe", "Owner", "jane@acme.example"), Some("Jane Doe"), Some("jane@acme.example"), &[]);
        check_case(who("Jane Doe", "Emperor", "JANE@acme.example "), Some("Jane Doe"), Some("jane@acme.example"), &[]);
        check_case(who("Evil Person", "Owner", "ceo@evil.test"), None, None, &[NameNotInText, EmailOfAnother]);
        check_case(who("Bob Ray", "Owner", ""), None, None, &[NotCalledOwner]);
        check_case(who("", "", "jane.doe@acme.example"), None, None, &[EmailNotShown]);
        check_case(who("null", "unknown", "N/A"), None, None, &[]);
        check_case(who("", "", "info@acme.example"), None, None, &[]);
        let mut staffed = brief();
        let jane = page_facts::FoundPerson {
            name: "Jane Doe".into(),
            title: Some("Receptionist".into()),
            is_owner: false,
            email: None,
            evidence: evidence(),
        };
        staffed.facts.people = vec![jane];
        assert_eq!(check(&staffed, &who("Jane Doe", "Owner", "")).rejected, [AnotherJob]);
    }

    #[test]
    fn a_better_email_is_kept_and_a_worse_one_is_not() {
        let better = Brief { primary_email: Some("jane@acme.example".into()), ..brief() };
        assert_eq!(check(&better, &who("", "", "info@acme.example")).email, None);
        let mut commented = brief();
        commented.emails.push(email("evil.person@gmail.com", EmailType::Personal));
        assert_eq!(check(&commented, &who("", "", "evil.person@gmail.com")).email, None);
        commented.emails.push(email("janedoe@gmail.com", EmailType::Personal));
        assert!(check(&commented, &who("Jane Doe", "Owner", "janedoe@gmail.com")).email.is_some());
        let free = Brief { emails: vec![email("acme@gmail.com", EmailType::Generic)], primary_email: None, ..brief() };
        assert!(check(&free, &who("", "", "acme@gmail.com")).email.is_some());
    }
}
