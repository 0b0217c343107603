//! Large cities by country. The name of a city is a weak clue to the country of a number without a country code; after a
//! postal code it is a strong one.

use std::sync::LazyLock;

use rlibphonenumber::Region;
use rustc_hash::FxHashMap;

use crate::blocks::places_of;
use crate::page::around;
use crate::word_set::Words;

/// Cities of each country outside of North America, separated by commas. Names that are words, and those that more people
/// know from another country, are left out.
const CITIES: &[(&str, &str)] = &[
    (
        "GB",
        "London,Manchester,Birmingham,Leeds,Liverpool,Sheffield,Bristol,Edinburgh,Glasgow,Cardiff,Belfast,Nottingham,Leicester,Coventry,Southampton,Aberdeen,Dundee,Swansea,Sunderland,Wolverhampton,Norwich,Ipswich,Middlesbrough,Brighton,Bournemouth,Milton Keynes,Stoke-on-Trent,Huddersfield,Northampton,Swindon,Guildford,Cheltenham,Exeter",
    ),
    ("IE", "Dublin,Cork,Galway,Limerick,Waterford,Kilkenny,Drogheda,Dundalk"),
    (
        "DE",
        "Berlin,Hamburg,München,Munich,Köln,Cologne,Frankfurt am Main,Frankfurt,Stuttgart,Düsseldorf,Leipzig,Dortmund,Essen,Bremen,Dresden,Hannover,Nürnberg,Nuremberg,Duisburg,Bochum,Wuppertal,Bielefeld,Bonn,Mannheim,Karlsruhe,Wiesbaden,Augsburg,Gelsenkirchen,Mönchengladbach,Aachen,Braunschweig,Kiel,Chemnitz,Magdeburg,Freiburg,Krefeld,Mainz,Lübeck,Erfurt,Rostock,Kassel,Saarbrücken,Potsdam,Oldenburg,Osnabrück,Heidelberg,Regensburg,Ingolstadt,Würzburg,Ulm,Heilbronn,Göttingen,Koblenz,Bremerhaven,Trier,Jena",
    ),
    ("AT", "Wien,Vienna,Graz,Linz,Salzburg,Innsbruck,Klagenfurt,Villach,Wels,St. Pölten,Dornbirn,Bregenz,Eisenstadt"),
    (
        "CH",
        "Zürich,Zurich,Genève,Genf,Basel,Lausanne,Bern,Winterthur,Luzern,Lucerne,St. Gallen,Lugano,Biel,Thun,Zug,Chur,Schaffhausen,Neuchâtel,Fribourg",
    ),
    (
        "FR",
        "Paris,Marseille,Lyon,Toulouse,Nice,Nantes,Strasbourg,Montpellier,Bordeaux,Lille,Rennes,Reims,Le Havre,Saint-Étienne,Toulon,Grenoble,Dijon,Angers,Nîmes,Villeurbanne,Clermont-Ferrand,Aix-en-Provence,Brest,Limoges,Tours,Amiens,Perpignan,Metz,Besançon,Orléans,Rouen,Mulhouse,Caen,Nancy,Avignon,Cannes,Annecy",
    ),
    (
        "BE",
        "Bruxelles,Brussel,Brussels,Antwerpen,Antwerp,Gent,Ghent,Charleroi,Liège,Brugge,Bruges,Namur,Leuven,Mechelen,Kortrijk,Hasselt,Oostende",
    ),
    (
        "NL",
        "Amsterdam,Rotterdam,Den Haag,The Hague,Utrecht,Eindhoven,Tilburg,Groningen,Almere,Breda,Nijmegen,Apeldoorn,Haarlem,Arnhem,Enschede,Amersfoort,Zaandam,Zwolle,Leiden,Maastricht,Dordrecht,Delft,Alkmaar,'s-Hertogenbosch",
    ),
    ("LU", "Luxembourg"),
    (
        "IT",
        "Roma,Milano,Milan,Napoli,Torino,Turin,Palermo,Genova,Bologna,Firenze,Bari,Catania,Venezia,Verona,Messina,Padova,Trieste,Brescia,Parma,Modena,Prato,Reggio Emilia,Perugia,Livorno,Ravenna,Cagliari,Rimini,Ferrara,Bergamo,Vicenza,Bolzano,Trento,Pisa,Lecce,Udine,Treviso,Ancona,Pescara",
    ),
    (
        "ES",
        "Madrid,Barcelona,Sevilla,Seville,Zaragoza,Málaga,Murcia,Palma de Mallorca,Bilbao,Alicante,Valladolid,Vigo,Gijón,La Coruña,A Coruña,Vitoria-Gasteiz,Granada,Elche,Oviedo,Tarragona,Badalona,Sabadell,Terrassa,Pamplona,Almería,San Sebastián,Donostia,Santander,Marbella,Castellón,Logroño,Girona,Huelva,Cádiz",
    ),
    ("PT", "Lisboa,Lisbon,Porto,Braga,Coimbra,Funchal,Setúbal,Aveiro,Évora,Guimarães,Leiria,Vila Nova de Gaia"),
    ("DK", "København,Copenhagen,Aarhus,Århus,Odense,Aalborg,Esbjerg,Randers,Kolding,Horsens,Vejle,Roskilde"),
    (
        "SE",
        "Stockholm,Göteborg,Gothenburg,Malmö,Uppsala,Västerås,Örebro,Linköping,Helsingborg,Jönköping,Norrköping,Lund,Umeå,Gävle,Borås,Karlstad",
    ),
    ("NO", "Oslo,Bergen,Trondheim,Stavanger,Drammen,Fredrikstad,Kristiansand,Tromsø,Sandnes"),
    ("FI", "Helsinki,Espoo,Tampere,Vantaa,Oulu,Turku,Jyväskylä,Lahti,Kuopio"),
    ("IS", "Reykjavík,Reykjavik"),
    (
        "PL",
        "Warszawa,Warsaw,Kraków,Krakow,Łódź,Wrocław,Poznań,Gdańsk,Szczecin,Bydgoszcz,Lublin,Katowice,Białystok,Gdynia,Częstochowa,Radom,Toruń,Rzeszów",
    ),
    ("CZ", "Praha,Prague,Brno,Ostrava,Plzeň,Liberec,Olomouc,České Budějovice,Hradec Králové,Pardubice"),
    ("SK", "Bratislava,Košice,Prešov,Žilina,Nitra,Banská Bystrica"),
    ("HU", "Budapest,Debrecen,Szeged,Miskolc,Pécs,Győr"),
    ("RO", "București,Bucharest,Cluj-Napoca,Timișoara,Iași,Constanța,Craiova,Brașov,Galați,Ploiești"),
    ("BG", "Sofia,София,Plovdiv,Пловдив,Varna,Варна,Бургас"),
    ("GR", "Athens,Αθήνα,Thessaloniki,Θεσσαλονίκη,Patras,Heraklion,Piraeus"),
    ("HR", "Zagreb,Split,Rijeka,Osijek,Zadar"),
    ("SI", "Ljubljana,Maribor"),
    ("RS", "Beograd,Belgrade,Novi Sad"),
    ("EE", "Tallinn,Tartu"),
    ("LV", "Rīga,Riga"),
    ("LT", "Vilnius,Kaunas,Klaipėda"),
    ("UA", "Київ,Киев,Kyiv,Kiev,Харків,Харьков,Одеса,Одесса,Львів,Львов,Дніпро,Lviv,Odesa"),
    (
        "RU",
        "Москва,Санкт-Петербург,Новосибирск,Екатеринбург,Казань,Нижний Новгород,Челябинск,Самара,Омск,Ростов-на-Дону,Уфа,Красноярск,Воронеж,Пермь,Волгоград,Краснодар",
    ),
    ("TR", "İstanbul,Istanbul,Ankara,İzmir,Izmir,Bursa,Antalya,Adana,Konya,Gaziantep"),
    ("IL", "Tel Aviv,Jerusalem,Haifa"),
    ("CY", "Nicosia,Limassol,Larnaca"),
    ("MT", "Valletta,Sliema"),
    ("AE", "Dubai,Abu Dhabi,Sharjah"),
    ("SA", "Riyadh,Jeddah,Dammam"),
    ("QA", "Doha"),
    ("EG", "Cairo,Alexandria"),
    (
        "ZA",
        "Johannesburg,Cape Town,Durban,Pretoria,Port Elizabeth,Bloemfontein,Sandton,Stellenbosch,Centurion,Randburg",
    ),
    ("NG", "Lagos,Abuja,Port Harcourt,Ibadan"),
    ("KE", "Nairobi,Mombasa"),
    ("GH", "Accra,Kumasi"),
    ("MA", "Casablanca,Rabat,Marrakech"),
    (
        "IN",
        "Mumbai,Delhi,New Delhi,Bangalore,Bengaluru,Hyderabad,Ahmedabad,Chennai,Kolkata,Surat,Pune,Jaipur,Lucknow,Kanpur,Nagpur,Indore,Bhopal,Visakhapatnam,Patna,Vadodara,Ghaziabad,Ludhiana,Coimbatore,Kochi,Gurgaon,Gurugram,Noida,Chandigarh,Thane,Goa",
    ),
    ("PK", "Karachi,Lahore,Islamabad,Rawalpindi,Faisalabad"),
    ("BD", "Dhaka,Chittagong"),
    ("LK", "Colombo"),
    ("NP", "Kathmandu"),
    ("CN", "Beijing,Shanghai,Shenzhen,Guangzhou,Chengdu,Hangzhou"),
    ("TW", "Taipei"),
    ("JP", "Tokyo,Osaka,Kyoto,Yokohama,Nagoya,Sapporo,Fukuoka"),
    ("KR", "Seoul,Busan"),
    ("SG", "Singapore"),
    ("MY", "Kuala Lumpur,Penang,Johor Bahru,Petaling Jaya,Kota Kinabalu"),
    ("TH", "Bangkok,Phuket,Chiang Mai"),
    ("VN", "Hanoi,Hà Nội,Ho Chi Minh City,Hồ Chí Minh"),
    ("ID", "Jakarta,Surabaya,Bandung,Denpasar"),
    ("PH", "Manila,Quezon City,Makati,Cebu City,Davao"),
    (
        "AU",
        "Sydney,Melbourne,Brisbane,Perth,Adelaide,Gold Coast,Canberra,Newcastle NSW,Wollongong,Geelong,Hobart,Townsville,Cairns,Toowoomba,Darwin,Ballarat,Bendigo",
    ),
    ("NZ", "Auckland,Wellington,Christchurch,Hamilton NZ,Tauranga,Dunedin,Palmerston North,Rotorua,Queenstown"),
    ("MX", "Ciudad de México,Mexico City,Guadalajara,Monterrey,Puebla,Tijuana,León Guanajuato,Cancún,Mérida,Querétaro"),
    (
        "BR",
        "São Paulo,Rio de Janeiro,Brasília,Salvador,Fortaleza,Belo Horizonte,Manaus,Curitiba,Recife,Porto Alegre,Goiânia,Campinas,Florianópolis",
    ),
    ("AR", "Buenos Aires,Rosario,Mendoza,Mar del Plata"),
    ("CL", "Santiago de Chile,Valparaíso,Viña del Mar,Antofagasta"),
    ("CO", "Bogotá,Medellín,Barranquilla,Bucaramanga"),
    ("PE", "Arequipa,Miraflores"),
    ("EC", "Quito,Guayaquil"),
    ("UY", "Montevideo"),
];

/// Longest name, in bytes and in words.
const NAME_BYTES_MAX: usize = 48;
const WORDS_MAX: usize = 4;

static COUNTRY_OF: LazyLock<FxHashMap<&'static str, Region>> = LazyLock::new(|| all().collect());
/// The first words of all names, by which most words are rejected.
static FIRST_WORDS: LazyLock<Words> =
    LazyLock::new(|| all().map(|(city, _)| city.split(' ').next().unwrap_or(city)).collect());

/// Every city with its country.
fn all() -> impl Iterator<Item = (&'static str, Region)> {
    CITIES.iter().flat_map(|(code, cities)| {
        let region: Option<Region> = code.parse().ok();
        cities.split(',').filter_map(move |city| region.map(|region| (city, region)))
    })
}

/// The code of the country of a city, given by its name alone.
pub(crate) fn code_of(city: &str) -> Option<&'static str> {
    let region = COUNTRY_OF.get(city)?;
    CITIES.iter().find(|(code, _)| code.parse().ok() == Some(*region)).map(|(code, _)| *code)
}

/// Whether a byte is part of a word of a name.
fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii() || matches!(byte, b'-' | b'\'' | b'.')
}

/// The country of the city that a text begins with: `Wien`, `Frankfurt am Main`; and where the name ends.
pub(super) fn at_start(text: &str) -> Option<(Region, usize)> {
    let ends = text.bytes().enumerate().filter(|(_, byte)| !is_part(*byte)).map(|(at, _)| at).take(WORDS_MAX);
    ends.chain([text.len()]).find_map(|end| {
        let name = text[..end].trim_end_matches('.');
        COUNTRY_OF.get(name).map(|region| (*region, name.len()))
    })
}

/// Whether a name may begin with a byte.
fn is_capital(byte: u8) -> bool {
    byte.is_ascii_uppercase() | (byte >= 0xc0) | (byte == b'\'')
}

/// The cities that a text names: their countries, and where each name ends.
pub(super) fn named_in(text: &str) -> impl Iterator<Item = (Region, usize)> + '_ {
    let bytes = text.as_bytes();
    let starts_word = move |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        before.is_none_or(|before| before.is_ascii() && !before.is_ascii_alphanumeric())
    };
    places_of(bytes, is_capital).filter(starts_word).filter_map(move |at| {
        let rest = &text[at..];
        let found = may_start(rest).then(|| at_start(around(rest, 0, 0, NAME_BYTES_MAX))).flatten();
        found.map(|(region, end)| (region, at + end))
    })
}

/// Cheap check by which most texts are rejected: whether the name of a city may begin with their first word.
pub(super) fn may_start(text: &str) -> bool {
    let end = text.bytes().position(|byte| !is_part(byte)).unwrap_or(text.len());
    let word = &text[..end];
    FIRST_WORDS.contains(word) || (word.ends_with('.') && FIRST_WORDS.contains(word.trim_end_matches('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cities_are_found_at_the_start_of_a_text() {
        for (text, expect) in [
            ("Wien, Austria", Some(Region::AT)),
            ("Frankfurt am Main\nTel", Some(Region::DE)),
            ("Zürich", Some(Region::CH)),
            ("Den Haag.", Some(Region::NL)),
            ("Atlantis", None),
            ("", None),
        ] {
            assert_eq!(at_start(text).map(|(region, _)| region), expect, "{text}");
        }
        assert_eq!((code_of("Wien"), code_of("Wiener")), (Some("AT"), None));
        let found: Vec<(Region, usize)> = named_in("Salons in Zürich, St. Gallen and Łódź; no Wiener here").collect();
        assert_eq!(found, [(Region::CH, 17), (Region::CH, 29), (Region::PL, 41)]);
    }

    #[test]
    fn every_city_has_one_country() {
        let names: Vec<&str> = all().map(|(city, _)| city).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), names.len());
        assert_eq!(CITIES.iter().map(|(_, cities)| cities.split(',').count()).sum::<usize>(), names.len());
    }
}
