//! Addresses that are not a contact of the business: placeholders, vendors, trackers, bots, the web designer.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::domains;
use crate::site::Site;
use crate::word_set::WordSet;

/// Domain labels that mean "your domain here", under any suffix.
static PLACEHOLDER_DOMAINS: WordSet = WordSet::new(
    "example exemple beispiel ejemplo esempio voorbeeld exemplo examples example1 yourdomain your-domain
     yourcompany your-company yoursite your-site yourwebsite yourname yourbusiness yourbrand yourstore
     youremail your-email yourmail youraddress yourorganization yourschool mydomain mysite mywebsite
     mycompany domain domainname domaine dominio domein sitename somedomain somewhere someone somesite
     sample samplesite sampleemail placeholder address companyname company firma entreprise businessname
     business website websitename emailaddress email test testing tester host hostname acme customdomain",
);

/// Local parts that mean "your name here", on any domain.
static PLACEHOLDER_LOCALS: WordSet = WordSet::new(
    "yourname your.name your-name your_name youremail your.email your-email your_email yourmail yourusername
     firstname.lastname first.last firstname lastname firstlast first.lastname flastname username user.name
     someone somebody john.doe johndoe john_doe jane.doe janedoe jane_doe jdoe j.doe doe max.mustermann
     mustermann erika.mustermann jean.dupont name.surname nombre votrenom votre.email votre-email ihre.email
     nome.cognome nomecognome vorname.nachname prenom.nom nombre.apellido imie.nazwisko nome.sobrenome
     voornaam.achternaam matricola ihrname tu.email tuemail tunombre xxx xxxx emailaddress",
);

/// Local parts that are placeholders unless the domain is the site's own.
static VAGUE_LOCALS: WordSet = WordSet::new(
    "you your name user email mail example test tester testing sample demo abc xyz a x foo bar myemail
     mymail person john.smith johnsmith",
);

/// Mailboxes nobody reads.
const ROBOT_LOCALS: &[&str] = &[
    "noreply",
    "no-reply",
    "no_reply",
    "no.reply",
    "donotreply",
    "do-not-reply",
    "do_not_reply",
    "mailer-daemon",
    "bounce",
    "bounces",
    "wordpress",
    "unsubscribe",
    "nobody",
];

/// Vendors of themes, site builders, trackers and networks: their addresses come with the site's software.
static VENDOR_DOMAINS: WordSet = WordSet::new(
    "sentry.io sentry-next.wixpress.com wixpress.com wix.com squarespace.com shopify.com myshopify.com
     godaddy.com secureserver.net weebly.com webflow.com webflow.io wordpress.org wordpress.com w.org
     automattic.com elementor.com themeforest.net envato.com themeisle.com wpengine.com yoast.com
     elegantthemes.com avada.com fontawesome.com fontawesome.io schema.org w3.org jquery.com
     getbootstrap.com cloudflare.com googleapis.com gstatic.com googletagmanager.com facebook.com
     twitter.com x.com instagram.com linkedin.com youtube.com tiktok.com pinterest.com medium.com flickr.com
     bugsnag.com rollbar.com datadoghq.com newrelic.com raygun.com getsentry.com loggly.com trackjs.com
     duda.co dudamobile.com hibu.com bigcommerce.com prestashop.com joomla.org drupal.org mailchimp.com
     hubspot.com amazonaws.com github.com gitlab.com bitbucket.org latofonts.com",
);

/// Words before a credit to whoever made the site.
const CREDIT_WORDS: &[&str] = &[
    "designed by",
    "design by",
    "developed by",
    "development by",
    "powered by",
    "website by",
    "web site by",
    "site by",
    "web design by",
    "webdesign by",
    "created by",
    "built by",
    "made by",
    "hosted by",
    "hosting by",
    "maintained by",
    "webmaster",
    "web master",
    "theme by",
    "template by",
    "crafted by",
    "webdesign:",
    "web design:",
    "gestaltung:",
    "umsetzung:",
    "realisierung",
    "réalisation",
    "conception",
    "diseño web",
    "realizzazione",
    "realizado por",
];

static CREDIT_SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(CREDIT_WORDS).ok()
});

/// Words directly before an address that is only an example of the format.
const SAMPLE_WORDS: &[&str] = &[
    "example",
    "for example",
    "e.g.",
    "e.g",
    "eg",
    "ex.",
    "ex",
    "exemple",
    "par exemple",
    "ejemplo",
    "p.ej.",
    "p. ej.",
    "esempio",
    "es.",
    "beispiel",
    "z.b.",
    "z. b.",
    "np.",
    "np",
    "bijv.",
    "bv.",
    "such as",
    "like this",
    "in the format",
    "of the form",
    "del tipo",
];

/// Whether an address can be a contact of the business.
pub(crate) fn is_contact(local: &str, domain: &str, site: &Site) -> bool {
    let own = site.owns(domain);
    let registrable = domains::registrable(domain).unwrap_or_default();
    let name = domains::label(&registrable);
    let robot = ROBOT_LOCALS.contains(&local)
        || local.starts_with("noreply")
        || local.starts_with("no-reply")
        || local.starts_with("donotreply");
    // Addresses under a reserved domain are contacts only on a site that is under one itself.
    let unreal = domains::is_reserved(domain) && !site.domain.as_deref().is_some_and(domains::is_reserved);
    if robot || unreal || is_machine_made(local, domain) || PLACEHOLDER_LOCALS.contains(local) {
        return false;
    }
    if own {
        return !(["name", "you", "your", "user", "example"].contains(&local));
    }
    let vendor = std::iter::successors(Some(domain), |name| name.split_once('.').map(|(_, parent)| parent))
        .any(|name| VENDOR_DOMAINS.contains(name));
    let placeholder = PLACEHOLDER_DOMAINS.contains(name) || is_placeholder_like(local, name);
    !vendor && !placeholder && !VAGUE_LOCALS.contains(local)
}

/// Whether the domain of an address means "your domain here".
pub(crate) fn is_of_sample_domain(address: &str) -> bool {
    let (local, domain) = address.rsplit_once('@').unwrap_or(("", address));
    let registrable = domains::registrable(domain).unwrap_or_default();
    let name = domains::label(&registrable);
    PLACEHOLDER_DOMAINS.contains(name) || is_placeholder_like(local, name)
}

/// `myname@mybusiness.com`, `jane@yourcoolsite.com`, `name@xyz.com`, `a@b.com`.
fn is_placeholder_like(local: &str, name: &str) -> bool {
    let vague = |text: &str| {
        text.starts_with("your")
            || text.ends_with("example")
            || text.starts_with("example")
            || text.contains("placeholder")
    };
    let letters = matches!(name, "abc" | "xyz" | "aaa" | "bbb" | "xxx" | "foo" | "bar" | "foobar" | "abcd" | "asdf");
    vague(local) || vague(name) || letters || (local.len() == 1 && name.len() == 1)
}

/// Ids of error reports and trackers, message ids, hashes.
fn is_machine_made(local: &str, domain: &str) -> bool {
    let hex = |text: &str| {
        text.len() >= 16
            && text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
            && text.bytes().any(|b| b.is_ascii_digit())
    };
    let digits = local.bytes().filter(u8::is_ascii_digit).count();
    let long = local.len() >= 24 && digits * 3 >= local.len();
    let label = domain.split('.').next().unwrap_or("");
    hex(local)
        || long
        || hex(label)
        || domain.contains("sentry")
        || domain.contains(".ingest.")
        || digits > 10
        || local == "git"
}

/// Whether the words before an address on another domain credit whoever made the site.
pub(crate) fn is_credit(before: &str) -> bool {
    CREDIT_SEARCH.as_ref().is_some_and(|words| words.is_match(before))
}

/// Whether the words before an address, which may end in its first part, introduce a format example.
pub(crate) fn is_sample(before: &str) -> bool {
    let words = match before.rsplit_once(char::is_whitespace) {
        Some((words, _)) if !before.ends_with(char::is_whitespace) => words,
        _ => before,
    };
    let words = words.trim_end().trim_end_matches([':', ',', '(', '"', '“']).trim_end().to_lowercase();
    let ends = |sample: &&str| {
        words.strip_suffix(*sample).is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '.'))
    };
    SAMPLE_WORDS.iter().any(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(email: &str, expect: bool) {
        let (local, domain) = email.split_once('@').unwrap();
        let site = Site::of("https://www.joes-plumbing.com/contact");
        assert_eq!(is_contact(local, domain, &site), expect, "{email}");
    }

    #[test]
    fn contacts_are_kept() {
        for email in [
            "joe@joes-plumbing.com",
            "email@joes-plumbing.com",
            "info@joesplumbing.com",
            "joes.plumbing@gmail.com",
            "press@other.org",
            "test@joes-plumbing.co",
            "jane@wixom.com",
        ] {
            check(email, true);
        }
    }

    #[test]
    fn junk_is_dropped() {
        for email in [
            "info@example.com",
            "you@yourdomain.com",
            "john.doe@gmail.com",
            "name@company.com",
            "noreply@joes-plumbing.com",
            "605a7baede844d278b89dc95ae0a9123@sentry-next.wixpress.com",
            "user@gmail.com",
            "support@wix.com",
            "help@editor.squarespace.com",
            "abc@xyz.com",
            "git@github.com",
            "youremail@hotmail.com",
            "jane@yourcoolsite.com",
            "name@joes-plumbing.com",
            "email@email.com",
            "20240101123456789@mail.acme-host.com",
            "test@test.de",
            "your.name@joes-plumbing.com",
            "no-reply-x@other.com",
            "example@other.com",
        ] {
            check(email, false);
        }
    }

    #[test]
    fn format_examples_are_recognised_by_the_words_before() {
        for before in
            ["Enter your email. Example: john", "np. jan.kowalski", "(e.g. ", "Format, z.B. max", "such as jane"]
        {
            assert!(is_sample(before), "{before}");
        }
        for before in ["Write to jane", "", "joe", "Our office in Essex: joe", "No samples. joe"] {
            assert!(!is_sample(before), "{before}");
        }
    }

    #[test]
    fn reserved_domains_are_contacts_only_on_reserved_sites() {
        assert!(is_contact("joe", "joes-plumbing.example", &Site::of("http://joes-plumbing-4f2a.localhost:8080/")));
        assert!(!is_contact("joe", "joes-plumbing.example", &Site::of("https://joes-plumbing.com/")));
    }

    #[test]
    fn the_web_designer_is_recognised_by_the_words_before() {
        assert!(is_credit("© 2024 Joe. Website by Pixel Ltd,"));
        assert!(!is_credit("Write to our manager at"));
    }
}
