//! How streets are abbreviated, in the languages whose addresses are compared.

/// A kind of street, under one name for all its spellings and, where addresses mix them, languages.
pub(super) type Kind = &'static str;

/// Kinds that stand behind the name, with their abbreviations; also kinds that stand before it in French.
pub(super) const KINDS: &[(Kind, &[&str])] = &[
    ("street", &["street", "st", "str", "strasse", "straat"]),
    ("avenue", &["avenue", "ave", "av", "aven", "avenida", "avda", "avd", "avinguda"]),
    ("boulevard", &["boulevard", "blvd", "boul", "bd", "bvd", "bulevar"]),
    ("road", &["road", "rd"]),
    ("drive", &["drive", "dr", "drv"]),
    ("lane", &["lane", "ln"]),
    ("way", &["way", "wy"]),
    ("parkway", &["parkway", "pkwy", "pky", "pkway"]),
    ("place", &["place", "pl"]),
    ("court", &["court", "ct"]),
    ("circle", &["circle", "cir", "circ"]),
    ("terrace", &["terrace", "ter", "terr"]),
    ("highway", &["highway", "hwy", "hiway"]),
    ("square", &["square", "sq"]),
    ("trail", &["trail", "trl"]),
    ("plaza", &["plaza", "plz", "pza"]),
    ("expressway", &["expressway", "expy", "expwy"]),
    ("freeway", &["freeway", "fwy"]),
    ("turnpike", &["turnpike", "tpke", "tpk"]),
    ("crossing", &["crossing", "xing"]),
    ("cove", &["cove", "cv"]),
    ("crescent", &["crescent", "cres"]),
    ("close", &["close"]),
    ("gardens", &["gardens", "gdns"]),
    ("grove", &["grove", "grv"]),
    ("heights", &["heights", "hts"]),
    ("hill", &["hill", "hl"]),
    ("loop", &["loop"]),
    ("mews", &["mews"]),
    ("path", &["path"]),
    ("pass", &["pass"]),
    ("pike", &["pike"]),
    ("point", &["point", "pt"]),
    ("ridge", &["ridge", "rdg"]),
    ("row", &["row"]),
    ("run", &["run"]),
    ("walk", &["walk"]),
    ("bend", &["bend", "bnd"]),
    ("alley", &["alley", "aly"]),
    ("weg", &["weg"]),
    ("platz", &["platz"]),
    ("allee", &["allee"]),
    ("gasse", &["gasse"]),
    ("laan", &["laan"]),
    ("plein", &["plein"]),
];

/// Kinds that stand before the name only.
pub(super) const LEADING_KINDS: &[(Kind, &[&str])] = &[
    ("rue", &["rue"]),
    ("rua", &["rua"]),
    ("calle", &["calle", "cl", "carrer"]),
    ("avenue", &["avenida", "avda", "avd", "avinguda"]),
    ("via", &["via"]),
    ("viale", &["viale", "vle"]),
    ("piazza", &["piazza"]),
    ("corso", &["corso", "cso"]),
    ("vicolo", &["vicolo"]),
    ("largo", &["largo"]),
    ("chemin", &["chemin", "chem"]),
    ("impasse", &["impasse", "imp"]),
    ("quai", &["quai"]),
    ("cours", &["cours"]),
    ("paseo", &["paseo", "pso", "po"]),
    ("carretera", &["carretera", "ctra"]),
    ("camino", &["camino", "cno"]),
    ("carrera", &["carrera", "cra", "kra"]),
    ("ronda", &["ronda"]),
    ("praca", &["praca"]),
    ("travessa", &["travessa"]),
    ("plaza", &["pza"]),
];

/// Single letters that stand for a kind before the name, and words in two pieces such as `V.le`.
pub(super) const LEADING_LETTERS: &[(Kind, &[&str])] = &[
    ("rue", &["r"]),
    ("calle", &["c"]),
    ("via", &["v"]),
    ("viale", &["v", "le"]),
    ("piazza", &["p", "za"]),
    ("corso", &["c", "so"]),
    ("paseo", &["p", "o"]),
];

/// Small words within names that spellings leave out.
pub(super) const PARTICLES: &[&str] = &[
    "de", "du", "des", "d", "del", "della", "dello", "dei", "delle", "di", "da", "do", "dos", "das", "la", "le", "les",
    "el", "los", "las", "l", "of", "the", "i",
];

/// Endings of German and Dutch streets that are also written as a word of their own.
pub(super) const ENDINGS: &[(&str, Kind)] = &[
    ("strasse", "street"),
    ("straat", "street"),
    ("str", "street"),
    ("weg", "weg"),
    ("platz", "platz"),
    ("pl", "platz"),
    ("allee", "allee"),
    ("gasse", "gasse"),
    ("laan", "laan"),
    ("plein", "plein"),
];
/// Letters that must precede such an ending.
pub(super) const ENDING_AFTER_MIN: usize = 3;

/// Compass directions.
pub(super) const DIRECTIONS: &[(&str, &[&str])] = &[
    ("n", &["n", "north", "no"]),
    ("s", &["s", "south", "so"]),
    ("e", &["e", "east"]),
    ("w", &["w", "west"]),
    ("ne", &["ne", "northeast"]),
    ("nw", &["nw", "northwest"]),
    ("se", &["se", "southeast"]),
    ("sw", &["sw", "southwest"]),
];

/// Words before a highway's number, longest first, and whose number it is.
pub(super) const HIGHWAYS: &[(&[&str], Option<&str>)] = &[
    (&["farm", "to", "market", "road"], Some("fm")),
    (&["farm", "to", "market", "rd"], Some("fm")),
    (&["interstate", "highway"], Some("i")),
    (&["ranch", "to", "market", "road"], Some("rm")),
    (&["ranch", "road"], Some("rm")),
    (&["ranch", "rd"], Some("rm")),
    (&["united", "states", "highway"], Some("us")),
    (&["us", "highway"], Some("us")),
    (&["us", "hwy"], Some("us")),
    (&["us", "route"], Some("us")),
    (&["us", "rte"], Some("us")),
    (&["state", "highway"], Some("state")),
    (&["state", "hwy"], Some("state")),
    (&["state", "route"], Some("state")),
    (&["state", "road"], Some("state")),
    (&["state", "rte"], Some("state")),
    (&["county", "road"], Some("cr")),
    (&["county", "rd"], Some("cr")),
    (&["co", "rd"], Some("cr")),
    (&["interstate"], Some("i")),
    (&["ih"], Some("i")),
    (&["i"], Some("i")),
    (&["us"], Some("us")),
    (&["fm"], Some("fm")),
    (&["rm"], Some("rm")),
    (&["rr"], Some("rm")),
    (&["cr"], Some("cr")),
    (&["sh"], Some("state")),
    (&["sr"], Some("state")),
    (&["highway"], None),
    (&["hwy"], None),
    (&["route"], None),
    (&["rte"], None),
    (&["rt"], None),
];

/// States of the US, whose letters stand before the numbers of their highways.
pub(super) const STATES: &[&str] = &[
    "al", "ak", "az", "ar", "ca", "co", "ct", "de", "fl", "ga", "hi", "id", "il", "in", "ia", "ks", "ky", "la", "me",
    "md", "ma", "mi", "mn", "ms", "mo", "mt", "ne", "nv", "nh", "nj", "nm", "ny", "nc", "nd", "oh", "ok", "or", "pa",
    "ri", "sc", "sd", "tn", "tx", "ut", "vt", "va", "wa", "wv", "wi", "wy",
];

/// Words within names and what they stand for.
pub(super) const NAME_WORDS: &[(&str, &str)] = &[
    ("st", "saint"),
    ("ste", "sainte"),
    ("sta", "santa"),
    ("sto", "santo"),
    ("ft", "fort"),
    ("mt", "mount"),
    ("dr", "doctor"),
    ("gen", "general"),
    ("pres", "president"),
    ("jr", "junior"),
    ("sr", "senior"),
    ("intl", "international"),
    ("univ", "university"),
];

/// Names of people that are known by their initials, longest first.
pub(super) const PEOPLE: &[(&[&str], &str)] = &[
    (&["doctor", "martin", "luther", "king", "junior"], "mlk"),
    (&["martin", "luther", "king", "junior"], "mlk"),
    (&["doctor", "martin", "luther", "king"], "mlk"),
    (&["martin", "luther", "king"], "mlk"),
    (&["doctor", "mlk", "junior"], "mlk"),
    (&["mlk", "junior"], "mlk"),
    (&["doctor", "mlk"], "mlk"),
    (&["m", "l", "king", "junior"], "mlk"),
    (&["m", "l", "king"], "mlk"),
    (&["ml", "king", "junior"], "mlk"),
    (&["ml", "king"], "mlk"),
    (&["john", "f", "kennedy"], "jfk"),
    (&["john", "fitzgerald", "kennedy"], "jfk"),
];

/// Ordinals up to the twentieth, and the tens.
pub(super) const ORDINALS: &[(&str, u32)] = &[
    ("first", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
    ("eleventh", 11),
    ("twelfth", 12),
    ("thirteenth", 13),
    ("fourteenth", 14),
    ("fifteenth", 15),
    ("sixteenth", 16),
    ("seventeenth", 17),
    ("eighteenth", 18),
    ("nineteenth", 19),
    ("twentieth", 20),
    ("thirtieth", 30),
    ("fortieth", 40),
    ("fiftieth", 50),
    ("sixtieth", 60),
    ("seventieth", 70),
    ("eightieth", 80),
    ("ninetieth", 90),
];

/// Tens before an ordinal, as in `forty-second`.
pub(super) const TENS: &[(&str, u32)] = &[
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
];
