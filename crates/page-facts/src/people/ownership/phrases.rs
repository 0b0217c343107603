//! Verbs and nouns with which sentences say that somebody began, owns or left a business.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::literals::Literals;

/// What a phrase says of its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    /// Began or owns what the object names; the title that this implies.
    Verb(&'static str),
    /// The same with the person after it: `founded by`.
    Passive(&'static str),
    /// Is what the noun says.
    Role(&'static str),
    /// Retired or died.
    Leaves,
    /// Sold what the object names.
    Sells,
    /// Joined or works for what the object names.
    Joins,
}

/// The phrases, each between the spaces that bound it.
const PHRASES: &[(&str, Act)] = &[
    (" opened ", Act::Verb("Founder")),
    (" opens ", Act::Verb("Founder")),
    (" opening ", Act::Verb("Founder")),
    (" to open ", Act::Verb("Founder")),
    (" started ", Act::Verb("Founder")),
    (" starting ", Act::Verb("Founder")),
    (" to start ", Act::Verb("Founder")),
    (" began ", Act::Verb("Founder")),
    (" founded ", Act::Verb("Founder")),
    (" co-founded ", Act::Verb("Co-Founder")),
    (" to found ", Act::Verb("Founder")),
    (" established ", Act::Verb("Founder")),
    (" to establish ", Act::Verb("Founder")),
    (" launched ", Act::Verb("Founder")),
    (" to launch ", Act::Verb("Founder")),
    (" created ", Act::Verb("Founder")),
    (" built ", Act::Verb("Founder")),
    (" set up ", Act::Verb("Founder")),
    (" formed ", Act::Verb("Founder")),
    (" own ", Act::Verb("Owner")),
    (" own and operate ", Act::Verb("Owner")),
    (" owns ", Act::Verb("Owner")),
    (" owned ", Act::Verb("Owner")),
    (" owns and operates ", Act::Verb("Owner")),
    (" operates ", Act::Verb("Owner")),
    (" owning ", Act::Verb("Owner")),
    (" has had ", Act::Verb("Owner")),
    (" runs ", Act::Verb("Owner")),
    (" has run ", Act::Verb("Owner")),
    (" running ", Act::Verb("Owner")),
    (" bought ", Act::Verb("Owner")),
    (" purchased ", Act::Verb("Owner")),
    (" to buy ", Act::Verb("Owner")),
    (" acquired ", Act::Verb("Owner")),
    (" inherited ", Act::Verb("Owner")),
    (" took over ", Act::Verb("Owner")),
    (" taken over ", Act::Verb("Owner")),
    (" to take over ", Act::Verb("Owner")),
    (" gründete ", Act::Verb("Gründer")),
    (" eröffnete ", Act::Verb("Inhaber")),
    (" übernahm ", Act::Verb("Inhaber")),
    (" führt ", Act::Verb("Inhaber")),
    (" führe ", Act::Verb("Inhaber")),
    (" betreibt ", Act::Verb("Inhaber")),
    (" betreibe ", Act::Verb("Inhaber")),
    (" a ouvert ", Act::Verb("Fondateur")),
    (" ouvre ", Act::Verb("Fondateur")),
    (" a créé ", Act::Verb("Fondateur")),
    (" crée ", Act::Verb("Fondateur")),
    (" a fondé ", Act::Verb("Fondateur")),
    (" fonde ", Act::Verb("Fondateur")),
    (" a lancé ", Act::Verb("Fondateur")),
    (" a repris ", Act::Verb("Gérant")),
    (" reprend ", Act::Verb("Gérant")),
    (" dirige ", Act::Verb("Gérant")),
    (" ha fondato ", Act::Verb("Fondatore")),
    (" fondò ", Act::Verb("Fondatore")),
    (" fonda ", Act::Verb("Fondatore")),
    (" di fondare ", Act::Verb("Fondatore")),
    (" ha aperto ", Act::Verb("Fondatore")),
    (" aprì ", Act::Verb("Fondatore")),
    (" apre ", Act::Verb("Fondatore")),
    (" di aprire ", Act::Verb("Fondatore")),
    (" ha rilevato ", Act::Verb("Titolare")),
    (" gestisce ", Act::Verb("Titolare")),
    (" fundó ", Act::Verb("Fundador")),
    (" abrió ", Act::Verb("Fundador")),
    (" abre ", Act::Verb("Fundador")),
    (" creó ", Act::Verb("Fundador")),
    (" fundé ", Act::Verb("Fundador")),
    (" abrí ", Act::Verb("Fundador")),
    (" abrir ", Act::Verb("Fundador")),
    (" abriu ", Act::Verb("Fundador")),
    (" fundou ", Act::Verb("Fundador")),
    (" begon ", Act::Verb("Oprichter")),
    (" startte ", Act::Verb("Oprichter")),
    (" opende ", Act::Verb("Oprichter")),
    (" runt ", Act::Verb("Eigenaar")),
    (" founded by ", Act::Passive("Founder")),
    (" co-founded by ", Act::Passive("Co-Founder")),
    (" started by ", Act::Passive("Founder")),
    (" established by ", Act::Passive("Founder")),
    (" opened by ", Act::Passive("Founder")),
    (" launched by ", Act::Passive("Founder")),
    (" created by ", Act::Passive("Founder")),
    (" owned by ", Act::Passive("Owner")),
    (" owned and operated by ", Act::Passive("Owner")),
    (" owned & operated by ", Act::Passive("Owner")),
    (" run by ", Act::Passive("Owner")),
    (" gegründet von ", Act::Passive("Gründer")),
    (" geführt von ", Act::Passive("Inhaber")),
    (" fondée par ", Act::Passive("Fondateur")),
    (" fondé par ", Act::Passive("Fondateur")),
    (" créée par ", Act::Passive("Fondateur")),
    (" créé par ", Act::Passive("Fondateur")),
    (" dirigée par ", Act::Passive("Gérant")),
    (" fondata da ", Act::Passive("Fondatore")),
    (" fondato da ", Act::Passive("Fondatore")),
    (" dall'idea di ", Act::Passive("Fondatore")),
    (" dall’idea di ", Act::Passive("Fondatore")),
    (" gestita da ", Act::Passive("Titolare")),
    (" guidata da ", Act::Passive("Titolare")),
    (" guidata oggi da ", Act::Passive("Titolare")),
    (" guidati ora dal ", Act::Passive("Titolare")),
    (" fundada por ", Act::Passive("Fundador")),
    (" fundado por ", Act::Passive("Fundador")),
    (" dirigida por ", Act::Passive("Propietario")),
    (" opgericht door ", Act::Passive("Oprichter")),
    (" owner", Act::Role("Owner")),
    (" co-owner", Act::Role("Co-Owner")),
    (" owner-operator", Act::Role("Owner")),
    (" sole operator", Act::Role("Owner")),
    (" proprietor", Act::Role("Proprietor")),
    (" founder", Act::Role("Founder")),
    (" co-founder", Act::Role("Co-Founder")),
    (" inhaber", Act::Role("Inhaber")),
    (" inhaberin", Act::Role("Inhaberin")),
    (" gründer", Act::Role("Gründer")),
    (" gründerin", Act::Role("Gründerin")),
    (" fondateur", Act::Role("Fondateur")),
    (" fondatrice", Act::Role("Fondatrice")),
    (" co-fondateur", Act::Role("Co-fondateur")),
    (" co-fondatrice", Act::Role("Co-fondatrice")),
    (" titolare", Act::Role("Titolare")),
    (" fondatore", Act::Role("Fondatore")),
    (" proprietario", Act::Role("Proprietario")),
    (" proprietaria", Act::Role("Proprietaria")),
    (" propietario", Act::Role("Propietario")),
    (" propietaria", Act::Role("Propietaria")),
    (" fundador", Act::Role("Fundador")),
    (" fundadora", Act::Role("Fundadora")),
    (" dueño", Act::Role("Dueño")),
    (" dueña", Act::Role("Dueña")),
    (" eigenaar", Act::Role("Eigenaar")),
    (" eigenaresse", Act::Role("Eigenaresse")),
    (" mede-eigenaar", Act::Role("Mede-eigenaar")),
    (" oprichter", Act::Role("Oprichter")),
    (" oprichtster", Act::Role("Oprichtster")),
    (" retired", Act::Leaves),
    (" retires", Act::Leaves),
    (" passed away", Act::Leaves),
    (" stepped down", Act::Leaves),
    (" died ", Act::Leaves),
    (" sold ", Act::Sells),
    (" joined ", Act::Joins),
    (" joins ", Act::Joins),
    (" works for ", Act::Joins),
    (" came to work ", Act::Joins),
];

static SEARCH: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(PHRASES.iter().map(|(phrase, _)| *phrase)).ok());

/// The phrases that occur in a line in lower case with a space on both sides: where each begins and ends in the line.
pub(super) fn find(padded: &str) -> Vec<(usize, usize, Act)> {
    let found = SEARCH.iter().flat_map(|search| search.find_overlapping_iter(padded));
    let acts = found.filter_map(|found| {
        let (phrase, act) = PHRASES.get(found.pattern().as_usize())?;
        let goes_on = padded[found.end()..].starts_with(|c: char| c.is_alphanumeric() || c == '-');
        let is_whole = phrase.ends_with(' ') || !goes_on;
        // The first space of the phrase stands before its first letter, and the text begins with one that the line lacks.
        let end = found.end() - usize::from(phrase.ends_with(' ')) - 1;
        is_whole.then_some((found.start(), end, *act))
    });
    acts.collect()
}

/// Literals that every line with such a phrase contains, without first letters so that capitals do not matter.
pub(super) static TRIGGERS: LazyLock<Option<Literals>> = LazyLock::new(|| {
    let words = [
        " own ",
        " own.",
        " opened ",
        "pening ",
        " to open ",
        "tarted ",
        "tarting ",
        " to start ",
        " began ",
        "ounded ",
        "stablish",
        "aunched ",
        " to launch ",
        "reated ",
        " built ",
        " set up ",
        " formed ",
        " owns ",
        " owned ",
        "wned by",
        "perates ",
        "perated by ",
        "wner",
        "ounder",
        "roprieta",
        "roprietor",
        " runs ",
        "unning ",
        " run by",
        " bought ",
        "urchased ",
        " to buy ",
        "cquired ",
        "nherited ",
        "ook over ",
        "ake over ",
        "aken over ",
        " sole operator",
        "etired",
        "passed away",
        "stepped down",
        " sold ",
        " joined ",
        "works for ",
        "ründe",
        "egründet",
        "röffne",
        "bernahm ",
        " führ",
        "betreib",
        "nhaber",
        "ouvert ",
        "ondé",
        "ondat",
        "aperto ",
        "aprì ",
        "itolare",
    ];
    Literals::new(words.into_iter())
});
/// The same for lines in the Romance languages and in Dutch.
pub(super) static ROMANCE_TRIGGERS: LazyLock<Option<Literals>> = LazyLock::new(|| {
    let words = [
        " ouvre ",
        " créé",
        " crée ",
        " lancé ",
        " fonde ",
        " repris ",
        "eprend ",
        "irige ",
        "irigée ",
        "ondò ",
        " fonda ",
        "ondare ",
        "prire ",
        " apre ",
        "estisce ",
        "estita ",
        "uidat",
        "idea di ",
        "undó ",
        "brió ",
        " abre ",
        "creó ",
        "undé ",
        "brí ",
        "brir ",
        "briu ",
        "undou ",
        "undad",
        "undado",
        "opietari",
        "dueñ",
        "igenaar",
        "prichte",
        "pgericht ",
        "egon ",
        "tartte ",
        "pende ",
        " runt ",
        "ilevato ",
    ];
    Literals::new(words.into_iter())
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_whole() {
        let acts = |line: &str| -> Vec<String> {
            let padded = format!(" {} ", line.to_lowercase());
            find(&padded).into_iter().map(|(at, end, _)| line.get(at..end).unwrap_or("?").to_owned()).collect()
        };
        assert_eq!(acts("Ann opened it, owns it and is the owner."), ["opened", "owns", "owner"]);
        assert!(acts("Ownership and owners of openedness").is_empty());
    }
}
