//! The phrases with which sentences state who owns or founded a business.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::literals::Literals;

/// How the words before a name must be linked to this business.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RequiredTie {
    /// The sentence is about this business: `Acme was founded by Jane Doe`.
    Sentence,
    /// The word before says whose owner it is: `our owner Jane Doe`.
    Before,
    /// Only an explicit link counts, because executives are mentioned everywhere: `our CEO Jane Doe`, `Acme CEO Jane Doe`.
    Strictly,
    /// The sentence names this business: many things of others are run by someone.
    Named,
    /// The words are a label, so no link is needed.
    None,
}

/// A phrase before a name that states the person's role.
#[derive(Clone, Copy)]
pub(super) struct LeadIn {
    /// In lower case.
    pub(super) phrase: &'static str,
    /// The title it implies; empty when the line itself names the title.
    pub(super) title: &'static str,
    pub(super) tie: RequiredTie,
}

const fn lead(phrase: &'static str, title: &'static str, tie: RequiredTie) -> LeadIn {
    LeadIn { phrase, title, tie }
}

/// All lead-in phrases.
const LEADS: &[LeadIn] = &[
    lead("founded by ", "Founder", RequiredTie::Sentence),
    lead("owned by ", "Owner", RequiredTie::Sentence),
    lead("owned by: ", "Owner", RequiredTie::None),
    lead("operated by: ", "Owner", RequiredTie::None),
    lead("ownership: ", "Owner", RequiredTie::None),
    lead("owned and operated by ", "Owner", RequiredTie::Sentence),
    lead("owned & operated by ", "Owner", RequiredTie::Sentence),
    lead("owned and run by ", "Owner", RequiredTie::Sentence),
    lead("owned and managed by ", "Owner", RequiredTie::Sentence),
    lead("run by ", "Owner", RequiredTie::Named),
    lead("established by ", "Founder", RequiredTie::Sentence),
    lead("started by ", "Founder", RequiredTie::Sentence),
    lead("co-founded by ", "Co-Founder", RequiredTie::Sentence),
    lead("opened by ", "Founder", RequiredTie::Sentence),
    lead("launched by ", "Founder", RequiredTie::Sentence),
    lead("gegründet von ", "Gründer", RequiredTie::Sentence),
    lead("fondée par ", "Fondateur", RequiredTie::Sentence),
    lead("fondé par ", "Fondateur", RequiredTie::Sentence),
    lead("fundado por ", "Fundador", RequiredTie::Sentence),
    lead("fundada por ", "Fundador", RequiredTie::Sentence),
    lead("fondata da ", "Fondatore", RequiredTie::Sentence),
    lead("grundades av ", "Grundare", RequiredTie::Sentence),
    lead("startades av ", "Grundare", RequiredTie::Sentence),
    lead("grundlagt af ", "Grundlægger", RequiredTie::Sentence),
    lead("grunnlagt av ", "Grunnlegger", RequiredTie::Sentence),
    lead("założony przez ", "Założyciel", RequiredTie::Sentence),
    lead("założona przez ", "Założyciel", RequiredTie::Sentence),
    lead("założone przez ", "Założyciel", RequiredTie::Sentence),
    lead("opgericht door ", "Oprichter", RequiredTie::Sentence),
    lead("owners, ", "Owner", RequiredTie::Before),
    lead("owners ", "Owner", RequiredTie::Before),
    lead("founders ", "Founder", RequiredTie::Before),
    lead("founders, ", "Founder", RequiredTie::Before),
    lead("co-founders ", "Co-Founder", RequiredTie::Before),
    lead("co-owners ", "Co-Owner", RequiredTie::Before),
    lead("owner is ", "Owner", RequiredTie::Before),
    lead("owners are ", "Owner", RequiredTie::Before),
    lead("owner and operator ", "Owner", RequiredTie::Before),
    lead("owner/operator ", "Owner", RequiredTie::Before),
    lead("owner-operator ", "Owner", RequiredTie::Before),
    lead("owner, ", "Owner", RequiredTie::Before),
    lead("founder, ", "Founder", RequiredTie::Before),
    lead("owner ", "Owner", RequiredTie::Before),
    lead("founder ", "Founder", RequiredTie::Before),
    lead("founder and ceo ", "Founder & CEO", RequiredTie::Before),
    lead("co-owner ", "Co-Owner", RequiredTie::Before),
    lead("co-founder ", "Co-Founder", RequiredTie::Before),
    lead("proprietor ", "Proprietor", RequiredTie::Before),
    lead("chef/owner ", "Chef/Owner", RequiredTie::Before),
    lead("chef-owner ", "Chef/Owner", RequiredTie::Before),
    lead("chef and owner ", "Chef and Owner", RequiredTie::Before),
    lead("owner and chef ", "Owner and Chef", RequiredTie::Before),
    lead("owner/chef ", "Owner/Chef", RequiredTie::Before),
    lead("broker/owner ", "Broker/Owner", RequiredTie::Before),
    lead("owner/broker ", "Owner/Broker", RequiredTie::Before),
    lead("founder and owner ", "Founder and Owner", RequiredTie::Before),
    lead("owner and founder ", "Owner and Founder", RequiredTie::Before),
    lead("founder and president ", "Founder and President", RequiredTie::Before),
    lead("owner and president ", "Owner and President", RequiredTie::Before),
    lead("ceo ", "CEO", RequiredTie::Strictly),
    lead("ceo, ", "CEO", RequiredTie::Strictly),
    lead("president ", "President", RequiredTie::Strictly),
    lead("president, ", "President", RequiredTie::Strictly),
    lead("inhaber ", "Inhaber", RequiredTie::None),
    lead("inhaber: ", "Inhaber", RequiredTie::None),
    lead("inhaberin: ", "Inhaberin", RequiredTie::None),
    lead("inhaberin ", "Inhaberin", RequiredTie::None),
    lead("propietario: ", "Propietario", RequiredTie::None),
    lead("propietaria: ", "Propietaria", RequiredTie::None),
    lead("titolare: ", "Titolare", RequiredTie::None),
    lead("eigenaar: ", "Eigenaar", RequiredTie::None),
    lead("eigenaar ", "Eigenaar", RequiredTie::None),
    lead("gérant: ", "Gérant", RequiredTie::None),
    lead("gérante : ", "Gérante", RequiredTie::None),
    lead("inh. ", "Inhaber", RequiredTie::None),
    lead("inh.: ", "Inhaber", RequiredTie::None),
    lead("geschäftsführer: ", "Geschäftsführer", RequiredTie::None),
    lead("geschäftsführerin: ", "Geschäftsführerin", RequiredTie::None),
    lead("gérant : ", "Gérant", RequiredTie::None),
    lead("propriétaire : ", "Propriétaire", RequiredTie::None),
    lead("wirtsleute ", "Gastgeber", RequiredTie::None),
    lead("wirtspaar ", "Gastgeber", RequiredTie::None),
    lead("gastwirt ", "Gastgeber", RequiredTie::Before),
    lead("ihre gastgeber ", "Gastgeber", RequiredTie::None),
    lead("unsere gastgeber ", "Gastgeber", RequiredTie::None),
    lead("my name is ", "", RequiredTie::None),
];

/// Phrases after a name that state the person's role, most reliable first.
const ROLE_PHRASES: &[(&str, &str)] = &[
    (" is the owner", "Owner"),
    (" is the current owner", "Owner"),
    (" are the current owners", "Owner"),
    (", who is the current owner", "Owner"),
    (", the current owner", "Owner"),
    (" gegründet", "Gründer"),
    (" ist inhaber", "Inhaber"),
    (" ist der inhaber", "Inhaber"),
    (" ist die inhaberin", "Inhaberin"),
    (" ist der gründer", "Gründer"),
    (" ist die gründerin", "Gründerin"),
    (" ist geschäftsführer", "Geschäftsführer"),
    (" ist der geschäftsführer", "Geschäftsführer"),
    (" ist die geschäftsführerin", "Geschäftsführerin"),
    (" est le gérant", "Gérant"),
    (" est la gérante", "Gérante"),
    (" est le fondateur", "Fondateur"),
    (" est la fondatrice", "Fondatrice"),
    (" est propriétaire", "Propriétaire"),
    (" est le propriétaire", "Propriétaire"),
    (" est la propriétaire", "Propriétaire"),
    (" es el propietario", "Propietario"),
    (" es la propietaria", "Propietaria"),
    (" es el dueño", "Dueño"),
    (" es la dueña", "Dueña"),
    (" es el fundador", "Fundador"),
    (" es la fundadora", "Fundadora"),
    (" è il titolare", "Titolare"),
    (" è la titolare", "Titolare"),
    (" è il fondatore", "Fondatore"),
    (" è la fondatrice", "Fondatrice"),
    (" is eigenaar", "Eigenaar"),
    (" is de eigenaar", "Eigenaar"),
    (" is oprichter", "Oprichter"),
    (" is de oprichter", "Oprichter"),
    (" are the owners", "Owner"),
    (" are the proud owners", "Owner"),
    (" is the sole owner", "Owner"),
    (" is the co-owner", "Co-Owner"),
    (" is co-owner", "Co-Owner"),
    (" is the proprietor", "Proprietor"),
    (" is the president", "President"),
    (" is president", "President"),
    (" is owner", "Owner"),
    (" is the proud owner", "Owner"),
    (" is the founder", "Founder"),
    (" are the founders", "Founder"),
    (" is founder", "Founder"),
    (" is the co-founder", "Co-Founder"),
    (" is the ceo and co-founder", "CEO & Co-Founder"),
    (" is the ceo and founder", "CEO & Founder"),
    (" is the ceo", "CEO"),
    (" (owner", "Owner"),
    (" (founder", "Founder"),
    (", the owner", "Owner"),
    (", the founder", "Founder"),
    (", actual propietaria", "Propietaria"),
    (", actual propietario", "Propietario"),
    (", propietaria", "Propietaria"),
    (", propietario", "Propietario"),
    (", fundadora", "Fundadora"),
    (", fundador", "Fundador"),
    (", titolare", "Titolare"),
    (", fondatrice", "Fondatrice"),
    (", fondatore", "Fondatore"),
    (", propriétaire", "Propriétaire"),
    (", gérante", "Gérante"),
    (", gérant", "Gérant"),
    (", fondateur", "Fondateur"),
    (", inhaberin", "Inhaberin"),
    (", inhaber", "Inhaber"),
    (", gründerin", "Gründerin"),
    (", gründer", "Gründer"),
    (", eigenaar", "Eigenaar"),
    (", owner", "Owner"),
    (", founder", "Founder"),
    (", co-founder", "Co-Founder"),
    (", co-owner", "Co-Owner"),
    (", ceo and co-founder", "CEO & Co-Founder"),
    (", ceo and founder", "CEO & Founder"),
    (", ceo", "CEO"),
];

/// Verbs of founding and owning, followed by what was founded or is owned.
const VERBS: &[(&str, &str)] = &[
    (" founded ", "Founder"),
    (" co-founded ", "Co-Founder"),
    (" started ", "Founder"),
    (" established ", "Founder"),
    (" opened the doors of ", "Founder"),
    (" opened the doors to ", "Founder"),
    (" opened ", "Founder"),
    (" launched ", "Founder"),
    (" own and operate ", "Owner"),
    (" own and run ", "Owner"),
    (" own ", "Owner"),
    (" owns and operates ", "Owner"),
    (" owns ", "Owner"),
    (" has owned and operated ", "Owner"),
    (" have owned and operated ", "Owner"),
    (" has owned ", "Owner"),
    (" have owned ", "Owner"),
    (" purchased ", "Owner"),
    (" bought ", "Owner"),
    (" took over ", "Owner"),
];

/// Verbs in `founded in 1985 by Jane Doe`, each with its `by`.
const PASSIVE_VERBS: &[(&str, &str)] = &[
    ("founded ", "by "),
    ("established ", "by "),
    ("started ", "by "),
    ("opened ", "by "),
    ("launched ", "by "),
    ("created ", "by "),
    ("gegründet ", "von "),
    ("fondée ", "par "),
    ("fondé ", "par "),
    ("créée ", "par "),
    ("fundada ", "por "),
    ("fundado ", "por "),
    ("fondata ", "da "),
    ("fondato ", "da "),
    ("opgericht ", "door "),
    ("grundades ", "av "),
    ("startades ", "av "),
    ("grundlagt ", "af "),
    ("grunnlagt ", "av "),
    ("założony ", "przez "),
    ("założona ", "przez "),
    ("założone ", "przez "),
];

/// Where each phrase first occurs in a line; found in one pass, because there are so many.
pub(super) struct PhrasePlaces([Option<usize>; PHRASES]);

const PHRASES: usize = LEADS.len() + PASSIVE_VERBS.len() + ROLE_PHRASES.len() + VERBS.len();

static SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let leads = LEADS.iter().map(|lead| lead.phrase);
    let roles = ROLE_PHRASES.iter().chain(VERBS).map(|(phrase, _)| *phrase);
    AhoCorasick::new(leads.chain(PASSIVE_VERBS.iter().map(|(verb, _)| *verb)).chain(roles)).ok()
});

impl PhrasePlaces {
    /// Searches a line in lower case.
    pub(super) fn find(lower: &str) -> PhrasePlaces {
        let mut places = [None; PHRASES];
        for found in SEARCH.iter().flat_map(|search| search.find_overlapping_iter(lower)) {
            places[found.pattern().as_usize()].get_or_insert(found.start());
        }
        PhrasePlaces(places)
    }

    pub(super) fn leads(&self) -> impl Iterator<Item = (LeadIn, usize)> {
        occurring(LEADS, &self.0)
    }

    pub(super) fn passive_verbs(&self) -> impl Iterator<Item = ((&'static str, &'static str), usize)> {
        occurring(PASSIVE_VERBS, &self.0[LEADS.len()..])
    }

    pub(super) fn roles(&self) -> impl Iterator<Item = ((&'static str, &'static str), usize)> {
        occurring(ROLE_PHRASES, &self.0[LEADS.len() + PASSIVE_VERBS.len()..])
    }

    pub(super) fn verbs(&self) -> impl Iterator<Item = ((&'static str, &'static str), usize)> {
        occurring(VERBS, &self.0[PHRASES - VERBS.len()..])
    }
}

/// The phrases that occur, in order, each with its place.
fn occurring<T: Copy>(phrases: &[T], places: &[Option<usize>]) -> impl Iterator<Item = (T, usize)> {
    phrases.iter().zip(places).filter_map(|(phrase, place)| place.map(|place| (*phrase, place)))
}

/// Literals that every relevant sentence contains, without the first letter so that capitals do not matter.
pub(super) static TRIGGERS: LazyLock<Option<Literals>> = LazyLock::new(|| {
    let words = [
        "ounded ",
        "wned ",
        " run by ",
        "nd her husband",
        "nd his wife",
        "operated by",
        "stablished ",
        "tarted by",
        "wner",
        "ounder",
        "roprietor",
        "egründet",
        "nhaber",
        "Inh.",
        "eschäftsführer",
        "ondée ",
        "réée ",
        "érant",
        "ründer",
        "ondateur",
        "ondatrice",
        "ondatore",
        "undador",
        "l dueño",
        "a dueña",
        "prichter",
        "ropriétaire",
        "undado ",
        "undada ",
        "ondé ",
        "ondata ",
        "ondato ",
        "pgericht ",
        "pened by",
        "aunched by",
        "ropietari",
        "itolare",
        "igenaar",
        "y name is",
        " started ",
        " opened ",
        "tarted in ",
        " launched ",
        " owns ",
        " purchased ",
        " bought ",
        " took over ",
        " CEO",
        "s president",
        "s the president",
        "resident ",
        "ur president",
        "irtsleute ",
        "irtspaar ",
        "astwirt ",
        "re gastgeber ",
        "re Gastgeber ",
        // From where rare letters begin: the search is driven by four bytes.
        "ndades ",
        "rtades ",
        "dlagt ",
        "nlagt ",
        "ałożon",
    ];
    Literals::new(words.into_iter())
});
