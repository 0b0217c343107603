//! Classifies mailboxes: personal, role, free.

use crate::domains;
use crate::facts::EmailType;
use crate::people::names;
use crate::word_set::WordSet;

/// Local parts of role mailboxes in the main languages, also matched with digits and separators around them.
static ROLES: WordSet = WordSet::new(
    "info information infos contact contacts contactus hello hi hey hallo hola bonjour ciao office sales
     support help helpdesk service services customerservice customercare customersupport care team admin
     administrator administration mail email enquiries enquiry inquiries inquiry inquire enquire general
     reception frontdesk desk booking bookings book reservations reservation reserve appointments
     appointment schedule scheduling orders order billing accounts accounting accountspayable ap ar finance
     payments invoices jobs careers career hr humanresources recruiting recruitment recruiter hiring
     employment people talent press media pr news newsletter marketing advertising ads partners partner
     partnerships affiliates affiliate events event weddings catering shop store returns shipping dispatch
     operations ops legal privacy dpo gdpr dataprotection datenschutz compliance abuse security webmaster
     web website it tech technical techsupport postmaster hostmaster feedback questions ask welcome studio
     clinic dental patients patient practice school registrar admissions admission enroll membership members
     member donate donations giving volunteer volunteers community management manager director owner ceo
     president editor editors editorial letters tips pitch submissions kontakt kundenservice verkauf
     vertrieb bewerbung buchhaltung praxis kanzlei empfang buero contacto ventas reservas contato vendas
     contatti vendite prenotazioni accueil commercial secretariat direction reclamations post posta biuro
     sklep service.client estimates estimate quotes quote leads rentals rental leasing parts warranty dealer
     dealers wholesale export trade projects production research training education courses academy library
     mailbox main public publicrelations communications investor investors ir grants programs programme
     customer customers client clients clientservices relations social digital tickets boxoffice rsvp
     request requests getintouch talk connect letstalk start join apply go global usa us uk eu europe intl
     international copyright dmca accessibility permissions licensing rights report complaints claims
     emergency safety city clerk mayor council police fire building planning permits utilities parks housing
     health tax law attorney intake foundation alumni student students advising registration extension
     online onlinesupport subscriptions subscribe signup demo product products develop developer developers
     dev greetings custserv crew zakaz objednavky podpora reklamace reklamacie ucetni segreteria servizioclienti
     clienti amministrazione direzione redazione redaktion pagalba fraud anfrage anfragen zentrale sekretariat
     verwaltung rezeption recepcion recepcja recepce pedidos atendimento comercial facturacion administracion prensa
     presse klantenservice verkoop boekhouding vacatures administratie receptie kundeservice salg asiakaspalvelu
     myynti toimisto kundtjanst kontor zamowienia rekrutacja iroda comenzi consultas contacta soc assist api opensource startups business enterprise corporate brand design creative content guestpost blog
     seo",
);

/// Classifies `local@domain`. `owned`: the domain is the site's. `person`: a person's name is shown next to it.
pub(crate) fn kind_of(email: &str, owned: bool, person: Option<&str>) -> EmailType {
    let (local, domain) = email.split_once('@').unwrap_or((email, ""));
    if is_role(local) {
        return EmailType::Role;
    }
    let named = person.is_some() || looks_personal(local) || (!domains::is_free_mail(domain) && is_two_words(local));
    match (named, domains::is_free_mail(domain)) {
        (true, _) => EmailType::Personal,
        (false, true) => EmailType::Generic,
        (false, false) if owned && names_the_site(local, domain) => EmailType::Role,
        (false, false) => EmailType::Unknown,
    }
}

/// `info`, `info2`, `sales-uk`, `customer.service`, `bookings.austin`.
pub(crate) fn is_role(local: &str) -> bool {
    let bare = local.split('+').next().unwrap_or(local);
    let whole: String = bare.chars().filter(|c| c.is_ascii_alphabetic()).collect();
    if ROLES.contains(whole.as_str()) {
        return true;
    }
    let mut words = bare.split(|c: char| !c.is_ascii_alphabetic()).filter(|w| !w.is_empty());
    let first = words.next().unwrap_or("");
    let last = words.next_back().unwrap_or("");
    // `infodesk`, `austinbookings`: a longer role word at either end.
    let glued = || {
        let mut ends = (5..whole.len()).flat_map(|length| [&whole[..length], &whole[whole.len() - length..]]);
        // `brandon` starts with a role word but is a name.
        let named = names::is_first_name(first) || names::is_first_name(&whole) || is_first_name_and_rest(&whole);
        !named && ends.any(|end| ROLES.contains(end))
    };
    (ROLES.contains(first) && first.len() > 2) || (ROLES.contains(last) && last.len() > 3) || glued()
}

/// `jane`, `jane.doe`, `jdoe` with a known name, `jane_d`.
fn looks_personal(local: &str) -> bool {
    let bare = local.split('+').next().unwrap_or(local).trim_end_matches(|c: char| c.is_ascii_digit());
    let mut words = bare.split(['.', '_', '-']).filter(|w| !w.is_empty());
    let (Some(first), second) = (words.next(), words.next()) else { return false };
    match second {
        None => names::is_first_name(first) || is_initial_and_surname(first) || is_first_name_and_rest(first),
        Some(last) => {
            let third = words.next();
            let short = first.len() == 1 && names::is_surname(last);
            words.next().is_none()
                && (names::is_first_name(first) || (third.is_none() && (names::is_first_name(last) || short)))
        }
    }
}

/// `vineet.asthana`, `p.aitken`: two words, neither a role.
fn is_two_words(local: &str) -> bool {
    let letters = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphabetic());
    let Some((first, last)) = local.split_once(['.', '_']) else { return false };
    letters(first) && letters(last) && last.len() > 2 && first.len() + last.len() > 5
}

fn is_initial_and_surname(word: &str) -> bool {
    word.len() > 4 && word.is_char_boundary(1) && names::is_surname(&word[1..])
}

/// `janedoe`, `janed`: a first name followed by a surname or an initial.
fn is_first_name_and_rest(word: &str) -> bool {
    (3..word.len()).filter(|at| word.is_char_boundary(*at)).any(|at| {
        let (first, rest) = word.split_at(at);
        names::is_first_name(first) && (names::is_surname(rest) || (rest.len() == 1 && first.len() > 3))
    })
}

fn names_the_site(local: &str, domain: &str) -> bool {
    let name = domains::registrable(domain).unwrap_or_default();
    let name = domains::label(&name).replace('-', "");
    let local: String = local.chars().filter(char::is_ascii_alphanumeric).collect();
    local.len() > 3 && (name.contains(&local) || local.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(email: &str, expect: EmailType) {
        assert_eq!(kind_of(email, email.ends_with("acme.com"), None), expect, "{email}");
    }

    #[test]
    fn mailboxes_are_classified() {
        for email in [
            "info@acme.com",
            "info2@acme.com",
            "sales-uk@acme.com",
            "customer.service@acme.com",
            "kontakt@gmail.com",
            "acme@acme.com",
            "austinbookings@acme.com",
        ] {
            check(email, EmailType::Role);
        }
        for email in [
            "jane@acme.com",
            "jane.doe@gmail.com",
            "jsmith@acme.com",
            "janesmith@acme.com",
            "j.smith@acme.com",
            "maria_k@acme.com",
            "robertm@acme.com",
            "brandon.taylor@acme.com",
            "brandontaylor@acme.com",
        ] {
            check(email, EmailType::Personal);
        }
        check("bestpizza@gmail.com", EmailType::Generic);
        check("zqx@other.org", EmailType::Unknown);
    }

    #[test]
    fn a_person_next_to_an_address_makes_it_personal() {
        assert_eq!(kind_of("zk@acme.com", true, Some("Zed King")), EmailType::Personal);
        assert_eq!(kind_of("info@acme.com", true, Some("Zed King")), EmailType::Role);
    }
}
