//! Words that say little about which business it is: articles, legal forms, titles, trades, directions.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::fold::{canonical, words};

/// What a word of a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordKind {
    /// An article, a conjunction, a preposition: says nothing.
    Stop,
    /// Part of a legal form: says nothing.
    Legal,
    /// A title or a degree: says nothing, but the name is a person's.
    Title,
    /// A trade, or a word that many businesses have in their names.
    Generic,
    /// Tells branches apart: "north", "airport".
    Branch,
}

const STOP: &str = "the and of at by for in on to a an with near und et y e i og och ja der die das dem den des le la les l de du d da do
    dos das di del della dei delle el los las il lo gli van het een en zum zur am im vom bei aux au der te com www";

const LEGAL: &str = "inc incorporated llc llp lp ltd limited co corp corporation company plc pllc pc pa gmbh mbh ag kg kgaa ohg ug ek ev eg
    gbr partg sarl sas sasu eurl sa snc sci spa srl srls sl slu slp sas bv nv vof cv oy oyj ab as asa aps is hf ehf doo dd sro kft zrt
    bt oo ooo zao oao pte pty sdn bhd kk gk ltda me eireli tmi ky dba sp zoo jdg inh sons son bros brother hijos fils söhne sohn";

const TITLE: &str =
    "dr prof med dent md dds dmd phd od dpm dvm dc esq cpa lcsw lmft rn np pac facs mba dipl ing mag mr mrs ms doctor
    doktor docteur doctora";

const GENERIC: &str = "service services shop store stores center centre centro zentrum keskus group groupe gruppe team studio studios
    office offices home house haus casa maison place market markt mercado marche kauppa mart express plus pro city town urban local
    international national global american america usa world general new old best quality professional family solutions systems
    associates association partners management consulting design designs custom sales supply supplies company products works
    agency rental rentals repair care health healthcare medical clinic klinik clinique clinica hospital practice praxis cabinet
    dental dentist dentistry zahnarzt zahnarztpraxis dentiste dentista hammaslaakari hammaslaakariasema zahnarzte orthodontics
    doctor arzt medecin laakariasema law lawyer lawyers attorney attorneys legal firm rechtsanwalt rechtsanwalte avocat avocats
    abogado abogados avvocato notary insurance versicherung real estate realty immobilien immobilier property properties
    accounting tax steuerberater auto automotive car cars motor motors garage tire tires werkstatt kfz autohaus carrosserie taller
    restaurant ristorante restaurante ravintola gaststatte gasthaus gasthof grill bistro brasserie trattoria osteria pizzeria
    pizza diner kitchen cafe coffee kahvila caffe cafeteria bar pub tavern taverna lounge bakery backerei boulangerie panaderia
    panificio leipomo konditorei patisserie pasteleria deli food foods burger kebab doner sushi thai chinese indian mexican italian
    japanese vietnamese greek turkish asian cuisine ice cream gelateria eiscafe butcher metzgerei fleischerei boucherie carniceria
    hotel hotell hotelli motel inn lodge suites suite resort hostel pension guesthouse apartments apartment residence villa
    camping campground rv park parking hair salon friseur friseursalon haarstudio coiffure coiffeur peluqueria parrucchiere kampaamo
    parturi barber barbershop beauty nails nail spa wellness massage kosmetik kosmetikstudio estetica fitness gym yoga pilates
    pharmacy apotheke pharmacie farmacia apteekki drugstore optik optiker opticien optica optometry vision eye flowers florist
    blumen fleuriste floristeria kukkakauppa furniture jewelers jewelry schmuck bijouterie books bookstore buchhandlung librairie
    libreria supermarket supermarkt supermarche grocery groceries lebensmittel fashion mode moda boutique clothing shoes schuhe
    chaussures hardware electronics computer computers mobile phone phones wireless plumbing plumber heating cooling hvac
    conditioning sanitar heizung klempner plombier fontaneria idraulico electric electrical elektro electrician electricien
    roofing roofer dachdecker painting painter maler malerbetrieb peintre construction contractor contractors builders building
    bau landscaping lawn garden gardens tree cleaning cleaners laundry dry reinigung nettoyage moving storage self pest control
    school schule ecole escuela scuola koulu academy kindergarten kita creche daycare preschool childcare child learning church
    kirche eglise iglesia chiesa kirkko bank banque banco banca pankki sparkasse atm insurance funeral bestattungen veterinary
    vet veterinarian animal tierarzt tierarztpraxis veterinaire veterinario elainlaakari pet pets photography photo printing print
    graphics media marketing communications tech technologies technology it software security travel reisen tours events event
    catering wine liquor spirits beer brewery bike bicycle fahrrad velo sport sports club gas station fuel tankstelle theater
    theatre cinema museum library gallery arts art music dance first golden royal original authorized retailer dealer outlet
    discount factory warehouse custom shopping plaza mall square building village point co community county state public united
    cabinets machine equipment tool tools industries industrial manufacturing mfg enterprise enterprises holdings ventures
    embassy ambassade botschaft embajada ambasciata lahetysto consulate konsulat ministry ministere ministerio
    boulangerie traiteur fromagerie poissonnerie tabac presse taxi transport transports logistics
    branch main filiale hauptstelle geschaftsstelle zweigstelle niederlassung agence succursale sucursal konttori toimipiste myymala
    dentaire chirurgien chirurgienne maitre avocate rechtsanwaltin zahnarztin tierarztin arztin kinderarzt hausarzt kieferorthopade
    hammashoitola hammaslaakarit kukka kirjakauppa autokorjaamo korjaamo hieroja tilitoimisto asianajotoimisto kiinteisto huolto
    fietsen winkel kapper tandarts bakkerij slager apotheek huisarts makelaar advocaat notaris garagebedrijf
    apteka piekarnia kawiarnia restauracja fryzjer sklep warsztat adwokat kancelaria stomatolog przychodnia cukiernia
    lekarna pekarna kavarna restaurace hospoda kadernictvi zubni ordinace
    farmacie dentistico studio macelleria parrucchieri idraulica elettricista officina pasticceria ferramenta abbigliamento
    carnicero ferreteria clinica dental taller panaderia zapateria optica inmobiliaria asesoria gestoria bodega
    padaria farmacia dentaria oficina cabeleireiro restaurante lanchonete mercearia acougue loja
    bageri frisor tandlakare apotek blomster restaurang krog verkstad bilverkstad maklare advokat butik malare
    kafe apteka stomatologiya stomatolohiia restoran magazin taverna farmakeio fournos kafeneio odontiatreio
    shokudo shika byoin waschanlage waschstrasse autopesu";

/// Phrases for trades that have a word in common if it says little: "repair" does, "attic" of "attic insulation" does not.
const PHRASES_MIN: usize = 3;

/// Words of trades that tell businesses apart nevertheless: "Air China" is no air conditioning.
const DISTINCTIVE: &[&str] =
    &["air", "china", "king", "star", "sun", "blue", "red", "white", "black", "green", "gold", "silver"];

const BRANCH: &str =
    "north south east west northeast northwest southeast southwest nord sud est ouest norte sur este oeste downtown
    uptown midtown airport men women mens womens kids herren damen kinder homme femme enfant uomo donna hombre mujer central mitte ii iii iv upper lower elementary middle high junior senior primary secondary";

/// Written-out and shortened forms: each word on the left is read as the one on the right.
const SYNONYMS: &[(&str, &str)] = &[
    ("saint", "st"),
    ("sainte", "st"),
    ("ste", "st"),
    ("street", "st"),
    ("strasse", "str"),
    ("ctr", "center"),
    ("cntr", "center"),
    ("centro", "center"),
    ("zentrum", "center"),
    ("svc", "service"),
    ("svcs", "service"),
    ("serv", "service"),
    ("intl", "international"),
    ("natl", "national"),
    ("assoc", "associate"),
    ("assocs", "associate"),
    ("mgmt", "management"),
    ("mgt", "management"),
    ("grp", "group"),
    ("dept", "department"),
    ("univ", "university"),
    ("hosp", "hospital"),
    ("mkt", "market"),
    ("mt", "mount"),
    ("mtn", "mountain"),
    ("ft", "fort"),
    ("rest", "restaurant"),
    ("ristorante", "restaurant"),
    ("restaurante", "restaurant"),
    ("ravintola", "restaurant"),
    ("pharm", "pharmacy"),
    ("apotheke", "pharmacy"),
    ("pharmacie", "pharmacy"),
    ("farmacia", "pharmacy"),
    ("apteekki", "pharmacy"),
    ("backerei", "bakery"),
    ("boulangerie", "bakery"),
    ("panaderia", "bakery"),
    ("leipomo", "bakery"),
    ("coffee", "cafe"),
    ("kahvila", "cafe"),
    ("caffe", "cafe"),
    ("hotelli", "hotel"),
    ("hotell", "hotel"),
    ("zahnarzt", "dentist"),
    ("zahnarztpraxis", "dentist"),
    ("dentiste", "dentist"),
    ("dentista", "dentist"),
    ("dental", "dentist"),
    ("dentistry", "dentist"),
    ("lawyer", "attorney"),
    ("law", "attorney"),
    ("rechtsanwalt", "attorney"),
    ("avocat", "attorney"),
    ("abogado", "attorney"),
    ("constr", "construction"),
    ("elec", "electric"),
    ("electrical", "electric"),
    ("automotive", "auto"),
    ("photography", "photo"),
    ("bros", "brother"),
    ("brothers", "brother"),
    ("jr", "junior"),
    ("ne", "northeast"),
    ("nw", "northwest"),
    ("se", "southeast"),
    ("sw", "southwest"),
];

/// The kind of a canonical word; `None` when it tells businesses apart.
pub(super) fn kind(word: &str) -> Option<WordKind> {
    static KINDS: OnceLock<FxHashMap<String, WordKind>> = OnceLock::new();
    KINDS.get_or_init(kinds).get(word).copied()
}

fn kinds() -> FxHashMap<String, WordKind> {
    let mut kinds = FxHashMap::default();
    let lists = [
        (STOP, WordKind::Stop),
        (LEGAL, WordKind::Legal),
        (TITLE, WordKind::Title),
        (BRANCH, WordKind::Branch),
        (GENERIC, WordKind::Generic),
    ];
    for (list, kind) in lists {
        for word in words_of(list) {
            kinds.entry(standard(&word)).or_insert(kind);
        }
    }
    let mut phrases: FxHashMap<String, usize> = FxHashMap::default();
    for category in places::categories() {
        for phrase in [category.name, category.plural].iter().chain(category.synonyms) {
            let words = words(phrase);
            let count = if words.len() == 1 { PHRASES_MIN } else { 1 };
            for word in words.iter().filter(|word| !DISTINCTIVE.contains(&word.as_str())) {
                *phrases.entry(standard(word)).or_default() += count;
            }
        }
    }
    for (word, _) in phrases.into_iter().filter(|(_, count)| *count >= PHRASES_MIN) {
        kinds.entry(word).or_insert(WordKind::Generic);
    }
    kinds
}

fn words_of(list: &str) -> impl Iterator<Item = String> + '_ {
    list.split_whitespace().flat_map(words)
}

/// The canonical form of a word, with abbreviations written out.
pub(super) fn standard(word: &str) -> String {
    static FORMS: OnceLock<FxHashMap<String, String>> = OnceLock::new();
    let forms = FORMS.get_or_init(|| {
        let form = |(short, full): &(&str, &str)| (canonical(short), canonical(full));
        SYNONYMS.iter().map(form).collect()
    });
    let word = canonical(word);
    forms.get(&word).cloned().unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_what_they_say() {
        for (word, expected) in [
            ("the", Some(WordKind::Stop)),
            ("gmbh", Some(WordKind::Legal)),
            ("dds", Some(WordKind::Title)),
            ("bakeries", Some(WordKind::Generic)),
            ("plumber", Some(WordKind::Generic)),
            ("NE", Some(WordKind::Branch)),
            ("miller", None),
        ] {
            assert_eq!(kind(&standard(&word.to_lowercase())), expected, "{word}");
        }
        assert_eq!(standard("ctr"), standard("Centre".to_lowercase().as_str()));
    }
}
