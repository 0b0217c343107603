//! Words for a business, for having one, and for relatives, in the languages of the finders.

use crate::page::around;
use crate::people::affiliation::{self, PageSubject};
use crate::people::names;
use crate::site::Site;
use crate::word_set::WordSet;

/// Bytes after a verb in which its object is named, and words of it that are read.
const OBJECT_BYTES_MAX: usize = 70;
const OBJECT_WORDS_MAX: usize = 6;
/// Words of `from her father` after a verb, and names examined in a sentence.
const SUCCESSION_WORDS_MAX: usize = 6;
const NAMES_MAX: usize = 12;
/// Shortest word of a business's name that is searched for, in bytes.
const MAY_NAME_BYTES_MIN: usize = 3;
/// Shortest first word of a business's name that is taken for it, in bytes.
const FIRST_WORD_BYTES_MIN: usize = 6;
/// Shortest first word by which a business is called, in bytes.
const SHORT_NAME_BYTES_MIN: usize = 4;
/// Words between `her own` and what she owns.
const WORDS_BETWEEN_MAX: usize = 4;

/// Kinds of businesses.
static BUSINESSES: WordSet = WordSet::new(
    "business company shop store studio firm practice clinic salon restaurant bakery cafe café agency school gym garage
     farm brewery winery dealership academy dojo spa inn hotel bistro bar pub diner deli kennel nursery boutique gallery
     vineyard stand parlor parlour barbershop pharmacy workshop startup venture doors brand distillery ranch orchard
     orchestra dairy laundry catering roastery florist bookstore consultancy tavern lodge creamery cidery shoppe greenhouse
     operation enterprise organization theater theatre pizzeria steakhouse eatery smokehouse grocery hospital marina charter
     campground motel guesthouse b&b stables kennels wineries services center centre market outfit label co-op daycare preschool
     dojang press apiary abattoir butchery breakfast chocolaterie patisserie franchise
     praxis betrieb geschäft firma werkstatt kanzlei atelier laden unternehmen büro agentur handwerksbetrieb
     familienbetrieb familienunternehmen hof weingut gasthof gasthaus pension apotheke autohaus meisterbetrieb hofladen
     entreprise cabinet société agence magasin commerce garage maison établissement domaine ferme institut école boutique auberge gîte pharmacie
     azienda negozio bottega attività impresa ditta laboratorio ristorante locale cantina albergo trattoria studio agriturismo salone officina palestra farmacia enoteca masseria
     empresa negocio taller clínica consulta consultorio estudio tienda estúdio loja bodega escuela restaurante finca gimnasio centro academia despacho bufete farmacia
     bedrijf praktijk zaak winkel onderneming kapsalon boerderij familiebedrijf",
);
/// What names of trades and shops in other languages end in: `Tischlerei`, `boulangerie`, `panetteria`, `bakkerij`.
const BUSINESS_ENDINGS: &[&str] = &[
    "erei",
    "betrieb",
    "praxis",
    "studio",
    "salon",
    "werkstatt",
    "geschäft",
    "laden",
    "büro",
    "schule",
    "kanzlei",
    "agentur",
    "erie",
    "eria",
    "ificio",
    "ería",
    "erij",
    "zaak",
    "winkel",
    "praktijk",
    "bedrijf",
    "bureau",
];
/// Shortest such word, in bytes.
const ENDING_BYTES_MIN: usize = 7;

/// `own`.
static OWN: WordSet =
    WordSet::new("own eigene eigenen eigenes eigener eigen propre propria proprio propio propia próprio própria");
/// `her` and the like.
static POSSESSIVE: WordSet = WordSet::new(
    "his her their our my seine ihre seinen ihren meine meinen unsere unseren son sa leur notre mon ma nos suo sua mio mia
     nostra nostro su mi nuestro nuestra seu sua meu minha zijn haar mijn ons onze",
);
/// `the` and the like.
static ARTICLES: WordSet = WordSet::new(
    "the this die der das den dem le la les il lo el de het del della du este esta questo questa ce cette diese diesen deze",
);
/// `a` and the like.
static INDEFINITE: WordSet = WordSet::new("a an una un uno ein eine einen einer einem une um uma een");
/// What belongs to a business and is run without owning it.
static PARTS: WordSet = WordSet::new(
    "duties floor kitchen side department departments desk program programs team account accounts website blog newsletter page
     garden library choir club committee building lot land line lines schedule meeting books operations account's card cards
     management phone every each daily van truck dog cat day night show tour tours league challenge fund campaign project projects class classes",
);
/// Whom a business serves.
static CLIENTS: WordSet = WordSet::new(
    "clients customers patients guests kunden kundinnen patienten klienten gäste clients clientes pacientes clienti
     pazienti clientes klanten cliënten patiënten",
);
/// Relatives of an earlier generation, and others in whose place somebody is not meant.
static ELDERS: WordSet = WordSet::new(
    "father father's mother parents grandfather grandmother grandparents dad mom great-grandfather uncle aunt vater großvater
     mutter eltern père grand-père mère parents padre nonno madre abuelo vader grootvader",
);

/// What a verb of beginning or owning is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Object {
    /// This business by its name, or `the shop`, `our company`.
    This,
    /// A business of the person's own: `her own salon`, `a small bakery`.
    Own,
}

/// Reads what follows a verb.
pub(super) fn object(after: &str, site: &Site) -> Option<Object> {
    let near = around(after, 0, 0, OBJECT_BYTES_MAX);
    let near = near.split([';', '!', '?', '(', ':']).next().unwrap_or(near);
    let near = near[..sentence_end(near)].trim_end_matches('.');
    if affiliation::is_this_business(near, site, PageSubject::Anything) || names_site(near, site) {
        return Some(Object::This);
    }
    let words: Vec<String> = near.split(' ').take(OBJECT_WORDS_MAX).map(unelided).collect();
    if let Some(own) = words.iter().take(WORDS_BETWEEN_MAX - 1).position(|word| OWN.contains(word)) {
        let rest = &words[own + 1..];
        let is_business = rest.is_empty() || rest.iter().take(WORDS_BETWEEN_MAX).any(|word| is_business(word));
        return is_business.then_some(Object::Own);
    }
    let first = words.first()?.as_str();
    let is_kind = |word: &String| is_business(word.strip_prefix("l'").unwrap_or(word));
    let named = words.iter().take(WORDS_BETWEEN_MAX + 1).position(is_kind);
    let is_whole = |at: usize| words.get(at + 1).is_none_or(|next| !goes_on(near, at, next));
    match named.filter(|at| is_whole(*at)) {
        None => None,
        Some(_) if POSSESSIVE.contains(first) || ARTICLES.contains(first) => Some(Object::This),
        Some(0) if first.starts_with("l'") => Some(Object::This),
        Some(_) if INDEFINITE.contains(first) => Some(Object::Own),
        _ => None,
    }
}

/// Whether a business went from somebody to the subject, who `took over from her father` or `when his uncle retired`.
pub(super) fn is_succession(after: &str) -> bool {
    let words: Vec<String> =
        around(after, 0, 0, OBJECT_BYTES_MAX).split(' ').take(SUCCESSION_WORDS_MAX).map(bare).collect();
    let is_turn =
        words.first().is_some_and(|word| matches!(word.as_str(), "from" | "when" | "after" | "for" | "where"));
    is_turn && words.iter().any(|word| ELDERS.contains(word))
}

/// The business that a sentence has anywhere: `den Betrieb`, `ihrer Tischlerei`, its name; or `eine eigene Praxis`.
pub(super) fn object_in(text: &str, site: &Site) -> Option<Object> {
    let words: Vec<String> = text.split(' ').map(bare).collect();
    let kinds = || words.iter().enumerate().filter(|(_, word)| is_business(word)).map(|(at, _)| at);
    let has = |at: usize, set: &WordSet| words[at.saturating_sub(2)..at].iter().any(|word| set.contains(word));
    let is_this = |at: usize| (has(at, &POSSESSIVE) || has(at, &ARTICLES)) && !has(at, &OWN);
    if names_this(text, site) || kinds().any(is_this) {
        return Some(Object::This);
    }
    kinds().any(|at| has(at, &OWN) || has(at, &INDEFINITE)).then_some(Object::Own)
}

/// Whether a sentence names the site, if only by the first half of its name: `Acme Roofing was founded`.
pub(super) fn names_this(sentence: &str, site: &Site) -> bool {
    let is_capital = |at: &usize| sentence[*at..].starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    let starts =
        std::iter::once(0).chain(sentence.match_indices([' ', '(', '“', '"', '’']).map(|(at, sign)| at + sign.len()));
    // `Praxis` is no name, though `Praxis am Park` begins with it.
    let is_kind = |at: &usize| is_business(&bare(sentence[*at..].split(' ').next().unwrap_or("")));
    let starts = starts.filter(|at| is_capital(at) && !is_kind(at)).take(NAMES_MAX);
    site.is_named_in(sentence)
        || starts.into_iter().any(|at| {
            affiliation::begins_with_site(&sentence[at..], site) || begins_with_short_name(&sentence[at..], site)
        })
}

/// Whether a text begins with the first word of the business's name, as its people call it: `Moxie and` for `Moxie Hair`.
fn begins_with_short_name(text: &str, site: &Site) -> bool {
    let Some(first) = site.business().and_then(|name| name.split(' ').find(|word| !is_article(word))) else {
        return false;
    };
    let Some(rest) = text.strip_prefix(first).filter(|_| first.len() >= SHORT_NAME_BYTES_MIN) else { return false };
    let lower = first.to_lowercase();
    let goes_on = rest.strip_prefix(' ').is_some_and(|rest| rest.starts_with(char::is_uppercase));
    let is_word = !rest.starts_with(char::is_alphanumeric);
    is_word && !goes_on && !names::is_first_name(&lower) && !names::is_surname(&lower)
}

fn is_article(word: &str) -> bool {
    matches!(word, "The" | "Die" | "Der" | "Das" | "La" | "Le" | "Les" | "Il" | "El" | "Los" | "Las")
}

/// Whether a line has the first word of the business's name, however common that is.
pub(super) fn may_name_this(line: &str, site: &Site) -> bool {
    let first = site.business().and_then(|name| name.split(' ').find(|word| word.len() >= MAY_NAME_BYTES_MIN));
    first.is_some_and(|first| line.contains(first))
}

/// Whether a sentence has the first word of the business's name, if that is no common one: `Run by Ann Lee, Acmeville is`.
pub(super) fn has_first_word(sentence: &str, site: &Site) -> bool {
    let first =
        site.business().and_then(|name| name.split(' ').find(|word| !matches!(*word, "The" | "Die" | "La" | "Le")));
    let is_rare = |word: &&str| word.len() >= FIRST_WORD_BYTES_MIN && !is_business(&word.to_lowercase());
    first.is_some_and(|first| sentence.contains(first))
        && first
            .filter(is_rare)
            .is_some_and(|first| sentence.split(|c: char| !c.is_alphanumeric()).any(|word| word == first))
}

/// Whether a word goes on about something of the business: `the kennel duties`, `the office floor`.
fn goes_on(near: &str, at: usize, next: &str) -> bool {
    let ends = near.split(' ').nth(at).is_none_or(|word| word.ends_with([',', '.', ')', '”', '"', '–']));
    let is_capital = near.split(' ').nth(at + 1).is_some_and(|word| !word.starts_with(char::is_lowercase));
    !ends && !is_capital && PARTS.contains(next)
}

/// Where the first sentence of a text ends: not after `Dr. ` or an initial.
pub(super) fn sentence_end(text: &str) -> usize {
    let is_end = |(at, _): &(usize, &str)| text[..*at].rsplit(' ').next().is_none_or(|word| word.chars().count() > 2);
    text.match_indices(". ").find(is_end).map_or(text.len(), |(at, _)| at)
}

/// Where the last sentence of a text begins.
pub(super) fn last_sentence(text: &str) -> usize {
    let mut from = 0;
    loop {
        let end = sentence_end(&text[from..]);
        if from + end >= text.len() {
            return from;
        }
        from += end + 2;
    }
}

/// Whether a text soon names the site: `, in 2016, Acme Roofing`.
fn names_site(near: &str, site: &Site) -> bool {
    let starts = near.match_indices(' ').map(|(at, _)| at + 1).take(OBJECT_WORDS_MAX);
    let mut starts = starts.filter(|at| near[*at..].starts_with(|c: char| c.is_uppercase() || c == '"' || c == '“'));
    starts.any(|at| {
        let rest = near[at..].trim_start_matches(['"', '“']);
        affiliation::is_this_business(rest, site, PageSubject::Anything)
    })
}

/// Whether a word, in lower case, is a kind of business.
pub(super) fn is_business(word: &str) -> bool {
    let has_ending = || word.len() >= ENDING_BYTES_MIN && BUSINESS_ENDINGS.iter().any(|end| word.ends_with(end));
    BUSINESSES.contains(word) || has_ending()
}

/// Whether a text ends in `a farm` or `eine Bäckerei`: some business, not this one.
pub(super) fn ends_in_some_business(text: &str) -> bool {
    let words: Vec<String> = text.trim_end().rsplit(' ').take(WORDS_BETWEEN_MAX).map(bare).collect();
    let is_some = words.iter().skip(1).any(|word| INDEFINITE.contains(word));
    words.first().is_some_and(|word| is_business(word)) && is_some
}

/// Whether a text ends in `his father` or `her grandmother,`: the verb after it is not the subject's.
pub(super) fn ends_in_elder(text: &str) -> bool {
    let words: Vec<String> = text.split(' ').rev().take(4).map(bare).collect();
    // `hat die Tischlerei von seinem Vater übernommen`
    let is_source = words.iter().any(|word| matches!(word.as_str(), "von" | "vom" | "van"));
    // `Father and son Ann and Bob Lee`
    let is_duo = words.iter().any(|word| CHILDREN.contains(word));
    !is_source && !is_duo && words.iter().take(2).any(|word| ELDERS.contains(word))
}

/// Relatives of the next generation.
static CHILDREN: WordSet = WordSet::new(
    "son daughter sohn tochter zoon dochter fils fille figlio figlia hijo hija father-son mother-daughter",
);

/// Whether `my` before these words claims the business: `practice`, `clients`.
pub(super) fn is_claimed(after: &str) -> bool {
    let mut words = after.split(' ').take(3).map(bare);
    words.any(|word| is_business(&word) || CLIENTS.contains(&word))
}

/// A word in lower case without punctuation and without the article that French and Italian elide: `l'azienda`.
pub(super) fn unelided(word: &str) -> String {
    let bare = bare(word);
    let rest = ["l'", "l’", "dell'", "dell’"].iter().find_map(|article| bare.strip_prefix(article));
    rest.filter(|rest| is_business(rest)).map(|rest| format!("l'{rest}")).unwrap_or(bare)
}

/// A word in lower case without the punctuation around it.
pub(super) fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_begun_is_this_business_or_one_of_their_own() {
        let site = Site::named("https://acme.com/", Some("Acme Roofing"));
        for (after, expect) in [
            ("Acme Roofing in 2004", Some(Object::This)),
            ("the shop in 2004", Some(Object::This)),
            ("his small practice. It grew", Some(Object::This)),
            ("her own salon", Some(Object::Own)),
            ("his own.", Some(Object::Own)),
            ("a little bakery in Waco", Some(Object::Own)),
            ("her own wedding album", None),
            ("a blog about dogs", None),
            ("to paint", None),
            ("seine eigene Praxis", Some(Object::Own)),
            ("la sua azienda di pesce", Some(Object::This)),
        ] {
            assert_eq!(object(after, &site), expect, "{after}");
        }
        assert!(ends_in_elder("In 1990 his father") && ends_in_elder("his father also") && !ends_in_elder("Ann Lee"));
        assert!(is_claimed("private practice") && is_claimed("clients are") && !is_claimed("wife"));
    }
}
