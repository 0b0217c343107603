//! Words for a business, for having one, and for relatives, in the languages of the finders.

use crate::page::around;
use crate::people::affiliation::{self, PageSubject};
use crate::site::Site;
use crate::word_set::WordSet;

/// Bytes after a verb in which its object is named, and words of it that are read.
const OBJECT_BYTES_MAX: usize = 70;
const OBJECT_WORDS_MAX: usize = 6;
/// Words between `her own` and what she owns.
const WORDS_BETWEEN_MAX: usize = 4;

/// Kinds of businesses.
static BUSINESSES: WordSet = WordSet::new(
    "business company shop store studio firm practice clinic salon restaurant bakery cafe café agency school gym garage
     farm brewery winery dealership academy dojo spa inn hotel bistro bar pub diner deli kennel nursery boutique gallery
     vineyard stand parlor parlour barbershop pharmacy workshop startup venture doors brand distillery ranch orchard
     orchestra dairy laundry catering roastery florist bookstore consultancy
     praxis betrieb geschäft firma werkstatt kanzlei atelier laden unternehmen büro agentur handwerksbetrieb
     entreprise cabinet société agence magasin commerce garage
     azienda negozio bottega attività impresa ditta laboratorio ristorante
     empresa negocio taller clínica consulta consultorio estudio tienda estúdio loja
     bedrijf praktijk zaak winkel",
);
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
    "the this die der das den le la les il lo el de het l'azienda l’azienda l'attività l'entreprise l’entreprise",
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
    let words: Vec<String> = near.split(' ').take(OBJECT_WORDS_MAX).map(bare).collect();
    if let Some(own) = words.iter().take(WORDS_BETWEEN_MAX - 1).position(|word| OWN.contains(word)) {
        let rest = &words[own + 1..];
        let is_business = rest.is_empty() || rest.iter().take(WORDS_BETWEEN_MAX).any(|word| is_business(word));
        return is_business.then_some(Object::Own);
    }
    let first = words.first()?;
    let is_named = words[1..].iter().take(WORDS_BETWEEN_MAX - 1).any(|word| is_business(word));
    match first.as_str() {
        _ if !is_named && !is_business(first) => None,
        first if POSSESSIVE.contains(first) || ARTICLES.contains(first) => Some(Object::This),
        "a" | "an" | "una" | "un" | "ein" | "eine" | "einen" | "une" | "um" | "uma" | "een" => Some(Object::Own),
        _ => None,
    }
}

/// Where the first sentence of a text ends: not after `Dr. ` or an initial.
pub(super) fn sentence_end(text: &str) -> usize {
    let is_end = |(at, _): &(usize, &str)| text[..*at].rsplit(' ').next().is_none_or(|word| word.chars().count() > 2);
    text.match_indices(". ").find(is_end).map_or(text.len(), |(at, _)| at)
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
    BUSINESSES.contains(word)
}

/// Whether a text ends in `his father` or `her grandmother,`: the verb after it is not the subject's.
pub(super) fn ends_in_elder(text: &str) -> bool {
    text.split(' ').rev().take(2).any(|word| ELDERS.contains(&bare(word)))
}

/// Whether `my` before these words claims the business: `practice`, `clients`.
pub(super) fn is_claimed(after: &str) -> bool {
    let mut words = after.split(' ').take(3).map(bare);
    words.any(|word| is_business(&word) || CLIENTS.contains(&word))
}

/// A word in lower case without the punctuation around it.
fn bare(word: &str) -> String {
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
