//! Words that names of people are made of, and words that are in none.

use crate::word_set::WordSet;

pub(super) static FIRST_NAMES: WordSet = WordSet::new(include_str!("first_names.txt"));
pub(super) static SURNAMES: WordSet = WordSet::new(include_str!("surnames.txt"));

/// Words that look like part of a name but are not.
pub(super) static NOT_IN_NAMES: WordSet = WordSet::new(
    "governor senator congressman congresswoman
     street avenue ave road rd blvd boulevard drive suite lane court park county city town island islands
     beach lake valley university college school hospital clinic center centre church services service
     company inc llc ltd corp group team home house shop store market restaurant bar cafe hotel inn salon
     spa plumbing electric roofing law firm office offices dental medical health care insurance bank realty
     properties construction design designs studio studios media marketing consulting solutions systems
     technologies software foundation association society museum library theatre theater gallery magazine
     news times post review reviews day week month year sale sales gift gifts card cards collection jewelry
     jewellery shoes dress dresses tote bag bags table chair sofa lamp wine beer coffee tea pizza burger
     grill kitchen bakery farm farms garden gardens the and of for with our your my us we you about contact
     read more learn view see all get free new best top how what why when where who is are was will can to
     in on at by from a an i meet hello hi front page paper insights motorcycle motorcycles guidelines verified expert experts latest related article stories welcome call book buy order award awards certified program
     programs project projects product products plan plans course courses class classes event events north
     south east west northern southern san los saint mount fort port america american united states national
     international global world community manager director president owner founder ceo officer engineer
     editor writer author senior chief head lead partner associate assistant coordinator client clients
     customer customers patient patients guest guests testimonial testimonials copyright privacy policy
     terms menu search login account cart help support blog faq careers press partners resources features
     pricing solution platform cloud data security business enterprise online digital social video photo
     photography wedding weddings training fitness yoga pilates gym board boards advisory committee council therapy massage hair nail nails skin
     practice background leadership education memberships beauty facial laser surgery treatment treatments tours holdings ventures industries enterprises brands",
);

/// The same words that are also surnames; after a first name that is not a place they are accepted.
pub(super) static SURNAME_WORDS: WordSet = WordSet::new(
    "park lane law house day west east north south post read head lake beach street page best church guest court card
     mount home valley gardens farm",
);

/// Last words of places and products that begin like a name: `Austin Texas`, `Chelsea Manor`, `Paul Smith Jacket`.
pub(super) static NOT_SURNAMES: WordSet = WordSet::new(
    "texas mississippi wisconsin california ohio florida alabama alaska arizona arkansas colorado connecticut delaware
     hawaii idaho illinois iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota missouri
     nebraska nevada oklahoma oregon pennsylvania tennessee utah vermont wyoming dakota ontario alberta canada england
     scotland wales ireland australia germany france usa uk manor village estates heights towers plaza mall apartments
     condos residence residences township borough parish harbour springs falls ridge creek trail trails jacket jackets
     shirt shirts jeans pants shorts hoodie sweater coat boots sneakers sandals watch watches perfume eyewear handbag
     handbags wallet backpack necklace bracelet earrings candle mug poster print album vinyl dvd paperback hardcover
     edition biography foods motors automotive winery vineyard vineyards brewing brewery apparel clothing boutique
     elementary academy preschool kindergarten ministries ministry department agency associates advisors partners
     properties rentals homes builders interiors furniture flooring landscaping heating cooling highway hwy grove canyon
     river mountain parkway freeway terrace stadium arena airport station monument memorial cemetery work works fences
     decks windows doors gutters roofs floors quotes estimates statement lesson lessons sono siamo
     rican mexican italian canadian australian brazilian cuban dominican colombian peruvian chilean venezuelan jamaican
     indian african asian european japanese korean vietnamese filipino turkish portuguese ukrainian mediterranean",
);

/// Two initials used as a first name: `TJ Moss`.
pub(super) static INITIALS_AS_NAME: WordSet = WordSet::new(
    "aj bj cj dj ej jj kj mj oj pj rj tj vj jb jc jd jg jh jk jl jm jp jr js jt jw kc kd kt rc rd rl sj tc td wc wj cw
     dw cc ec db bc",
);

/// First names that are also places: `Virginia Beach` is no person.
pub(super) static PLACES: WordSet = WordSet::new(
    "virginia carolina madison austin savannah victoria chelsea georgia charlotte jackson houston dallas brooklyn
     florence lincoln washington hudson aurora alexandria logan orlando santiago sydney paris london adelaide regina
     geneva vienna israel jordan kenya chad kingston melbourne grace hope faith joy summer autumn april may june rose
     laurel forest melrose clifton clinton marion vernon belmont milford avon devon",
);

/// Lower-case words inside names, such as `van`.
pub(super) static PARTICLES: WordSet =
    WordSet::new("de del della der den di da do dos du la le van von zu af av bin ibn al el y ten ter st. st dela san");

/// Titles before a name.
pub(super) static PREFIXES: WordSet = WordSet::new(
    "dr dr. mr mr. mrs mrs. ms ms. prof prof. professor doctor rev rev. sir chef attorney herr frau pastor
     hon. judge capt. captain maître maitre docteur docteure coach father fr. rabbi deacon bishop reverend mme mme. mlle dipl.-ing. dipl.-kfm. mag.
     engr engr. ing. arch. adv. med med. dent. vet. phil. jur. rer. nat. h.c. dipl.-psych. dipl.-med. priv.-doz. pd dra dra. dott. dott.ssa avv. rag. geom. lic. drs. ir.",
);

/// Credentials and suffixes after a name.
pub(super) static SUFFIXES: WordSet = WordSet::new(
    "dds dmd md do dvm vmd dc od dpm phd esq jd cpa mba rn np pa-c pa lmt lcsw lmft lpc psyd pt dpt edd ms
     ma msw pe aia asid cfp cfa facs fagd cpp psp bds llm mph rdh lmhc lpcc ba bs bsc msc mfa pmp jr sr ii iii iv ra
     leed ap cissp shrm-cp sphr phr ea crna aprn fnp fnp-bc dnp msn bsn rd ldn cscs ncidq faad faap facog
     mbbs frcs sc kc qc aud pharmd rph otd cadc ladc bcba slp ccc-slp
     gri crs abr sres ccim clu chfc cic cisr ncarb ccht cnm fache rdn lcpc lmsw lsw arnp lac dacm ccc",
);

/// The words of a name without an initial at the end: in southern India it comes last, as in `Ann Moss E`.
pub(super) fn without_last_initial<'w, 'n>(words: &'w [&'n str]) -> &'w [&'n str] {
    match words {
        [rest @ .., last] if rest.len() > 1 && last.trim_end_matches('.').len() == 1 && is_capital(last) => {
            if FIRST_NAMES.contains_any_case(rest[0]) {
                rest
            } else {
                words
            }
        }
        _ => words,
    }
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// Whether a word, given in lower case, is one of businesses and not of people.
pub(super) fn is_business_word(word: &str) -> bool {
    (NOT_IN_NAMES.contains(word) || NOT_SURNAMES.contains(word)) && !SURNAMES.contains(word)
}

/// `Diane Lane`: whether a word that also means something else is a surname here.
pub(super) fn ends_in_surname_word(words: &[&str], first: &str, last: &str) -> bool {
    // `John Webb Street` is where a barber is.
    let is_street = last == "street" && words.len() == 3 && words[1].len() > 2;
    let is_name = SURNAME_WORDS.contains(last) && words.len() <= 3 && FIRST_NAMES.contains(first);
    is_name && !PLACES.contains(first) && !is_street
}

/// Ends of nouns that are no surnames, unless the list knows the surname: `Sterling`, `Clement`.
const ABSTRACT: [&str; 21] = [
    "ing",
    "tion",
    "tions",
    "ment",
    "ments",
    "ness",
    "ity",
    "ities",
    "ance",
    "ships",
    "ware",
    "care",
    "istry",
    "ology",
    "iatry",
    "iatrics",
    "dontics",
    "practic",
    "ography",
    "esthetics",
    "ervices",
];

/// Whether a word, given in lower case, is a noun such as `planning`.
pub(super) fn is_abstract(lower: &str) -> bool {
    lower.len() > 5
        && ABSTRACT.iter().any(|end| lower.ends_with(end))
        && !SURNAMES.contains(lower)
        && !FIRST_NAMES.contains(lower)
}
