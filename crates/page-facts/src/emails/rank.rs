//! Chooses the primary address: the one a person would write to for business.

use crate::domains;
use crate::emails::kind;
use crate::facts::{EmailType, FoundEmail, FoundPerson, Method};
use crate::site::Site;
use crate::word_set::WordSet;

/// Staff with an address of their own from which a general mailbox is the better choice.
const STAFF_MANY: usize = 3;

/// Mailboxes for enquiries of any kind.
static GENERAL: WordSet = WordSet::new(
    "info information infos hello contact contactus contacts office sales mail enquiries enquiry inquiries inquiry
     inquire enquire kontakt hi hey team hallo hola bonjour ciao contacto contacta contato contatti accueil welcome
     reception frontdesk general getintouch post posta buero biuro greetings ask studio",
);

/// Mailboxes for one purpose that a stranger does not have: never before a general one.
static BACK_OFFICE: WordSet = WordSet::new(
    "privacy legal abuse dmca webmaster web website careers career jobs job hr humanresources recruiting recruitment
     recruiter hiring employment people talent press media pr news newsletter billing invoices invoice accounts
     accounting accountspayable ap ar payments finance accessibility dpo gdpr dataprotection security datenschutz
     compliance copyright permissions licensing investor investors ir hostmaster postmaster fraud soc spam it tech
     techsupport bewerbung bewerbungen buchhaltung reklamace reklamacie reclamations ucetni complaints claims returns
     warranty affiliates affiliate advertising ads volunteer volunteers donate donations editor editors editorial
     letters tips pitch submissions guestpost subscriptions subscribe report feedback moderator alumni rekrutacja
     vacatures rrhh facturacion prensa presse pers legalmail pec dataprivacy optout suggestions reviews parking",
);

/// How an address relates to the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Belonging {
    /// On the site's own domain.
    Own,
    /// On a domain with a similar name.
    Related,
    /// At a free provider.
    Free,
    /// On any other domain.
    Other,
    /// One of several of others.
    Stranger,
}

impl Belonging {
    pub(super) fn of(email: &str, site: &Site) -> Belonging {
        let domain = email.split_once('@').map_or("", |(_, domain)| domain);
        let registrable = domains::registrable(domain).unwrap_or_default();
        if site.owns(domain) {
            Belonging::Own
        } else if domains::is_free_mail(domain) {
            Belonging::Free
        } else if site.similarity(domains::label(&registrable)) > 0 {
            Belonging::Related
        } else {
            Belonging::Other
        }
    }
}

/// What a mailbox is for; the greater, the better for outreach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Purpose {
    BackOffice,
    Special,
    General,
    Head,
}

/// Sorts the addresses, best first, and marks the first one unless it is a stranger's.
pub(super) fn choose_primary(found: &mut [FoundEmail], people: &[FoundPerson], belonging: &dyn Fn(&str) -> Belonging) {
    let owner = people.iter().find(|person| person.is_owner).map(|person| person.name.as_str());
    let choice = Choice::of(found, owner, belonging);
    // The sort is stable: among equals the first one found stays first.
    found.sort_by_cached_key(|email| std::cmp::Reverse(choice.rank(email, belonging(&email.email))));
    if let Some(first) = found.first_mut().filter(|first| belonging(&first.email) != Belonging::Stranger) {
        first.is_primary = true;
    }
}

/// What the choice depends on besides the address itself.
struct Choice<'p> {
    owner: Option<&'p str>,
    /// Personal addresses on the site's domain.
    staff: usize,
    /// How often the most frequent general mailbox was seen.
    general_seen: u32,
}

impl<'p> Choice<'p> {
    fn of(found: &[FoundEmail], owner: Option<&'p str>, belonging: &dyn Fn(&str) -> Belonging) -> Choice<'p> {
        let own = || found.iter().filter(|email| belonging(&email.email) == Belonging::Own);
        let staff = own().filter(|email| email.kind == EmailType::Personal).count();
        let general = own().filter(|email| purpose(&email.email) >= Purpose::General);
        Choice { owner, staff, general_seen: general.map(|email| email.times_seen).max().unwrap_or(0) }
    }

    fn rank(&self, email: &FoundEmail, belonging: Belonging) -> (u8, Purpose, u32) {
        let purpose = purpose(&email.email);
        let is_owners = self.owner.is_some() && email.person.as_deref() == self.owner;
        let is_close = matches!(belonging, Belonging::Own | Belonging::Free | Belonging::Related);
        let tier = match (email.kind, belonging) {
            (_, Belonging::Stranger) => 0,
            (EmailType::Personal, _) if is_owners && is_close => 9,
            (EmailType::Personal, Belonging::Own | Belonging::Free) if self.is_preferred(email) => 8,
            (EmailType::Role | EmailType::Unknown, Belonging::Own) if purpose == Purpose::BackOffice => 3,
            (_, Belonging::Other) if purpose == Purpose::BackOffice => 1,
            (EmailType::Role, Belonging::Own) => 7,
            (EmailType::Personal, Belonging::Own | Belonging::Free) => 6,
            (_, Belonging::Own) => 5,
            (_, Belonging::Related) if purpose != Purpose::BackOffice => 4,
            (EmailType::Generic | EmailType::Unknown | EmailType::Role, Belonging::Free) => 4,
            _ => 2,
        };
        (tier, purpose, (email.confidence * 1000.0) as u32)
    }

    /// Whether a person's address comes before a general mailbox: shown to visitors at least as often, and one of few.
    fn is_preferred(&self, email: &FoundEmail) -> bool {
        let is_shown = !matches!(
            email.evidence.method,
            Method::JsonLd | Method::Attribute | Method::Script | Method::Meta | Method::OpenGraph
        );
        self.general_seen == 0 || (is_shown && self.staff < STAFF_MANY && email.times_seen >= self.general_seen)
    }
}

fn purpose(email: &str) -> Purpose {
    let local = email.split('@').next().unwrap_or("");
    let whole: String = local.chars().filter(char::is_ascii_alphabetic).collect();
    let mut words = local.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or("");
    let last = words.next_back().unwrap_or(first);
    if matches!(first, "owner" | "ceo" | "president" | "director") {
        return Purpose::Head;
    }
    let starts = ["privacy", "datenschutz", "webmaster", "careers", "jobs", "noreply"];
    if [whole.as_str(), first, last].iter().any(|word| BACK_OFFICE.contains(word))
        || starts.iter().any(|start| whole.starts_with(start))
    {
        return Purpose::BackOffice;
    }
    if GENERAL.contains(whole.as_str()) || GENERAL.contains(first) || (kind::is_role(local) && GENERAL.contains(last)) {
        return Purpose::General;
    }
    Purpose::Special
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Evidence;

    fn email(address: &str, kind: EmailType, method: Method, times_seen: u32) -> FoundEmail {
        FoundEmail {
            email: address.into(),
            kind,
            confidence: 0.9,
            is_primary: false,
            times_seen,
            person: address.starts_with("jane").then(|| "Jane Doe".to_owned()),
            evidence: Evidence { url: String::new(), method, snippet: String::new() },
        }
    }

    fn check(emails: &[FoundEmail], owner: bool, expect: &str) {
        let site = Site::of("https://acme.com/");
        let evidence = Evidence { url: String::new(), method: Method::Text, snippet: String::new() };
        let person = FoundPerson { name: "Jane Doe".into(), title: None, is_owner: owner, email: None, evidence };
        let mut found = emails.to_vec();
        choose_primary(&mut found, &[person], &|email| {
            if email.contains("stranger") { Belonging::Stranger } else { Belonging::of(email, &site) }
        });
        assert_eq!(found.iter().find(|email| email.is_primary).map_or("", |email| email.email.as_str()), expect);
    }

    #[test]
    fn the_address_for_business_is_primary() {
        use EmailType::{Generic, Personal, Role, Unknown};
        let info = |times| email("info@acme.com", Role, Method::Mailto, times);
        let jane = |method, times| email("jane@acme.com", Personal, method, times);
        check(&[info(5), jane(Method::JsonLd, 1)], true, "jane@acme.com");
        check(&[info(2), jane(Method::JsonLd, 1)], false, "info@acme.com");
        check(&[info(2), jane(Method::Mailto, 3)], false, "jane@acme.com");
        check(&[info(3), jane(Method::Mailto, 1)], false, "info@acme.com");
        let staff = ["ann@acme.com", "bob@acme.com"].map(|address| email(address, Personal, Method::Mailto, 3));
        check(&[&[info(1), jane(Method::Mailto, 3)], &staff[..]].concat(), false, "info@acme.com");
        for department in
            ["press", "jobs", "privacy", "billing", "webmaster", "abuse", "privacyrequests", "do-webmaster"]
        {
            let department = email(&format!("{department}@acme.com"), Role, Method::Mailto, 9);
            check(&[department.clone(), info(1)], false, "info@acme.com");
            check(
                &[department.clone(), email("info@acmegroup.com", Role, Method::Mailto, 1)],
                false,
                "info@acmegroup.com",
            );
            check(
                &[department.clone(), email("acmeshop@gmail.com", Generic, Method::Mailto, 1)],
                false,
                "acmeshop@gmail.com",
            );
            check(&[email("hi@agency.com", Role, Method::Mailto, 1), department.clone()], false, &department.email);
        }
        check(&[email("orders@acme.com", Role, Method::Mailto, 9), info(1)], false, "info@acme.com");
        check(
            &[email("zq@acme.com", Unknown, Method::Mailto, 1), email("hi@agency.com", Role, Method::Mailto, 1)],
            false,
            "zq@acme.com",
        );
        check(&[email("info@stranger.com", Role, Method::Mailto, 9)], false, "");
        check(
            &[email("info@stranger.com", Role, Method::Mailto, 9), email("privacy@acme.com", Role, Method::Mailto, 1)],
            false,
            "privacy@acme.com",
        );
    }
}
