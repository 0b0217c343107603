//! Made-up businesses of several countries. All names, numbers and domains are invented.

use place_data::{Address, Categories, Place};
use places::Point;

use super::random::Random;

pub(crate) struct Country {
    pub(crate) code: &'static str,
    town: &'static str,
    at: (f64, f64),
    streets: &'static [&'static str],
    number_first: bool,
    surnames: &'static [&'static str],
    fancy: &'static [&'static str],
    pub(crate) trades: &'static [Trade],
    phone: &'static str,
    tld: &'static str,
}

/// A trade: how the country calls it, Overture's category, OpenStreetMap's tag.
pub(crate) struct Trade(pub(crate) &'static str, pub(crate) &'static str, pub(crate) &'static str);

pub(crate) const COUNTRIES: &[Country] = &[
    Country {
        code: "US",
        town: "Cedarville",
        at: (38.5, -90.2),
        streets: &["Main St", "Oakhurst Ave", "Delmont Blvd", "N Harlow Rd", "9th St", "Pinecrest Dr", "Quarry Ln"],
        number_first: true,
        surnames: &[
            "Hargrove",
            "Pruitt",
            "Delacroix",
            "Whitfield",
            "Okafor",
            "Brandt",
            "Castellano",
            "Nguyen",
            "Tillman",
            "Abernathy",
            "Sorensen",
            "Vance",
        ],
        fancy: &[
            "Blue Heron",
            "Golden Gate",
            "Copper Kettle",
            "Lucky Horseshoe",
            "Night Owl",
            "Red Barn",
            "Twin Peaks",
            "Silver Lining",
            "Wild Rose",
            "Lighthouse",
        ],
        trades: &[
            Trade("Dental", "dentist", "amenity=dentist"),
            Trade("Pizza", "pizza_restaurant", "amenity=restaurant"),
            Trade("Plumbing", "plumbing", "craft=plumber"),
            Trade("Auto Repair", "automotive_repair", "shop=car_repair"),
            Trade("Hair Salon", "hair_salon", "shop=hairdresser"),
            Trade("Law Offices", "lawyer", "office=lawyer"),
            Trade("Coffee", "coffee_shop", "amenity=cafe"),
            Trade("Veterinary Clinic", "veterinarian", "amenity=veterinary"),
            Trade("Bakery", "bakery", "shop=bakery"),
        ],
        phone: "+1 314",
        tld: "com",
    },
    Country {
        code: "DE",
        town: "Neuheim",
        at: (50.9, 9.5),
        streets: &[
            "Hauptstraße",
            "Bahnhofstraße",
            "Lindenweg",
            "Kirchgasse",
            "Goetheplatz",
            "Am Markt",
            "Schillerstraße",
        ],
        number_first: false,
        surnames: &[
            "Müller",
            "Schröder",
            "Krämer",
            "Weiß",
            "Jäger",
            "Vogelsang",
            "Lindemann",
            "Özdemir",
            "Petersen",
            "Grünwald",
        ],
        fancy: &[
            "Sonnenschein",
            "Goldener Löwe",
            "Alte Mühle",
            "Zur Post",
            "Bella Vista",
            "Schwarzer Adler",
            "Regenbogen",
        ],
        trades: &[
            Trade("Bäckerei", "bakery", "shop=bakery"),
            Trade("Zahnarztpraxis", "dentist", "amenity=dentist"),
            Trade("Restaurant", "restaurant", "amenity=restaurant"),
            Trade("Friseur", "hair_salon", "shop=hairdresser"),
            Trade("Apotheke", "pharmacy", "amenity=pharmacy"),
            Trade("Autohaus", "car_dealer", "shop=car"),
        ],
        phone: "+49 6621",
        tld: "de",
    },
    Country {
        code: "FR",
        town: "Villeneuve",
        at: (45.2, 3.1),
        streets: &["rue de la Gare", "avenue Victor Hugo", "place du Marché", "rue des Lilas", "boulevard Pasteur"],
        number_first: true,
        surnames: &["Lefèvre", "Moreau", "Garnier", "Benoît", "Chevalier", "Fontaine", "Rousseau", "Hébert"],
        fancy: &["Le Petit Jardin", "La Bonne Étoile", "Au Vieux Moulin", "Les Trois Frères", "Le Comptoir"],
        trades: &[
            Trade("Boulangerie", "bakery", "shop=bakery"),
            Trade("Restaurant", "french_restaurant", "amenity=restaurant"),
            Trade("Coiffure", "hair_salon", "shop=hairdresser"),
            Trade("Pharmacie", "pharmacy", "amenity=pharmacy"),
            Trade("Plomberie", "plumbing", "craft=plumber"),
        ],
        phone: "+33 4 73",
        tld: "fr",
    },
    Country {
        code: "FI",
        town: "Koivula",
        at: (61.1, 24.5),
        streets: &["Koivukatu", "Asemakatu", "Rantatie", "Kirkkokatu", "Mäntytie"],
        number_first: false,
        surnames: &["Virtanen", "Mäkelä", "Hämäläinen", "Järvinen", "Koskinen", "Lehtonen"],
        fancy: &["Kultainen Hirvi", "Sininen Lintu", "Pikku Pihka", "Vanha Tupa", "Aurinko"],
        trades: &[
            Trade("Ravintola", "restaurant", "amenity=restaurant"),
            Trade("Kahvila", "cafe", "amenity=cafe"),
            Trade("Parturi-Kampaamo", "hair_salon", "shop=hairdresser"),
            Trade("Hammaslääkäriasema", "dentist", "amenity=dentist"),
        ],
        phone: "+358 3",
        tld: "fi",
    },
];

impl Country {
    /// A business somewhere in the town.
    pub(crate) fn business(&self, number: usize, random: &mut Random) -> Place {
        let trade = random.pick(self.trades);
        let proper = match random.below(10) {
            0..4 => (*random.pick(self.surnames)).to_owned(),
            4..7 => (*random.pick(self.fancy)).to_owned(),
            _ => invented(random),
        };
        let name = self.name(&proper, trade, random);
        let point =
            Point { latitude: self.at.0 + random.fraction() * 0.05, longitude: self.at.1 + random.fraction() * 0.05 };
        let mut place = Place::new(format!("m{number}"), name, point);
        place.categories = categories(trade.1);
        place.addresses = vec![self.address(random)];
        if random.percent(85) {
            place.phones = vec![self.phone(random)];
        }
        if random.percent(75) {
            place.websites = vec![self.website(&place.name, number)];
        }
        place
    }

    pub(crate) fn name(&self, proper: &str, trade: &Trade, random: &mut Random) -> String {
        let possessive = self.code == "US" && random.percent(40) && !proper.contains(' ');
        match self.code {
            "US" if possessive => format!("{proper}'s {}", trade.0),
            "US" | "FI" => format!("{proper} {}", trade.0),
            _ => format!("{} {proper}", trade.0),
        }
    }

    pub(crate) fn surname(&self, random: &mut Random) -> &'static str {
        let surnames = self.surnames;
        surnames[random.below(surnames.len())]
    }

    pub(crate) fn address(&self, random: &mut Random) -> Address {
        let (street, number) = (random.pick(self.streets), 1 + random.below(240));
        let freeform = if self.number_first { format!("{number} {street}") } else { format!("{street} {number}") };
        Address {
            freeform: Some(freeform),
            locality: Some(self.town.to_owned()),
            postcode: Some(format!("{}", 10_001 + random.below(3))),
            region: None,
            country: Some(self.code.to_owned()),
        }
    }

    pub(crate) fn phone(&self, random: &mut Random) -> String {
        format!("{} {} {}", self.phone, 200 + random.below(700), 1_000 + random.below(9_000))
    }

    pub(crate) fn website(&self, name: &str, number: usize) -> String {
        let label: String = name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
        format!("https://www.{label}{number}.{}/", self.tld)
    }
}

/// A word that no other business has.
fn invented(random: &mut Random) -> String {
    let syllables = [
        "bar", "lo", "ten", "mi", "ras", "ko", "vel", "du", "shan", "pe", "gri", "no", "wel", "ta", "for", "zi", "lum",
        "ce", "hob", "ya",
    ];
    let word: String = (0..3 + random.below(2)).map(|_| *random.pick(&syllables)).collect();
    word[..1].to_uppercase() + &word[1..]
}

pub(crate) fn categories(primary: &str) -> Categories {
    Categories { primary: Some(primary.to_owned()), ..Default::default() }
}
