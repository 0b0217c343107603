//! Generates a business, as shown in a listing, from its key alone.

use places::{Category, Point};

use crate::code::Key;
use crate::lang::Lang;
use crate::names::{self, NameInputs};
use crate::people::Person;
use crate::phones;
use crate::random::{Purpose, Random};
use crate::reviews::{self, Review};
use crate::streets;
use crate::town::{Circle, Town, point_of};

/// Shares of businesses, in percent.
const NO_WEBSITE: f64 = 12.0;
const SOCIAL_ONLY: f64 = 5.0;
const NO_PHONE: f64 = 6.0;
const NO_RATING: f64 = 8.0;
const IN_A_CHAIN: f64 = 5.0;

/// Suffix of every sandbox website's host.
pub(crate) const HOST_ENDING: &str = ".localhost";

/// A generated business.
#[derive(Debug, Clone, PartialEq)]
pub struct Business {
    /// Stable, short and usable in URLs.
    pub id: String,
    /// The name in its listing.
    pub name: String,
    /// Its industry.
    pub category: &'static Category,
    /// House number and street.
    pub street: String,
    /// Name of the town.
    pub city: String,
    /// State or region.
    pub state: String,
    /// Postal code, when the gazetteer has one for the town.
    pub postal_code: Option<String>,
    /// ISO 3166-1 alpha-2.
    pub country: &'static str,
    /// Its location, inside its town.
    pub point: Point,
    /// In E.164 form; a number reserved for fiction.
    pub phone: Option<String>,
    /// Stars, 1.0 to 5.0, one decimal.
    pub rating: Option<f64>,
    /// Number of ratings.
    pub review_count: Option<u32>,
    /// A few of the reviews.
    pub reviews: Vec<Review>,
    /// The brand, when it is a branch of a chain.
    pub chain: Option<String>,
    /// What the listing has in its website field.
    pub website: Website,
}

/// The website field of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Website {
    /// Empty.
    None,
    /// A site of its own.
    Own {
        /// The host name, without a port.
        host: String,
    },
    /// The URL of a page on a social network.
    Social(String),
}

impl Website {
    /// The URL in the listing, with the websites served on `port`; `None` without a website.
    pub fn url(&self, port: u16) -> Option<String> {
        match self {
            Website::None => None,
            Website::Own { host } => Some(format!("http://{host}:{port}/")),
            Website::Social(url) => Some(url.clone()),
        }
    }
}

/// The owner of a business.
pub(crate) fn owner_of(seed: u64, key: Key, lang: Lang) -> Person {
    Person::draw(&mut Random::of(seed, Purpose::Owner, &key.keys()), lang)
}

/// Generates a business.
pub(crate) fn make(seed: u64, key: Key, town: &Town, category: &'static Category) -> Business {
    let lang = Lang::of(town.country);
    let mut random = Random::of(seed, Purpose::Listing, &key.keys());
    let id = key.code(seed);
    let owner = owner_of(seed, key, lang);
    let inputs = NameInputs { owner, town: town.name, category, lang };
    let chain = random.percent(IN_A_CHAIN).then(|| names::brand(&mut random, &inputs));
    let name = match &chain {
        Some(brand) => format!("{brand} {}", town.name),
        None => names::draw(&mut random, &inputs),
    };
    let website = website(&mut random, &name, &id);
    let has_phone = !random.percent(NO_PHONE);
    let street = streets::draw(&mut random, lang);
    let (rating, review_count) = rating(&mut random);
    Business {
        street,
        city: town.name.to_owned(),
        state: town.state.to_owned(),
        postal_code: (!town.postal_codes.is_empty()).then(|| random.pick(&town.postal_codes).to_owned()),
        country: town.country,
        point: point_of(seed, key, &Circle::new(town.point, town.radius_miles)),
        phone: phones::draw(seed, key, town.state, town.country).filter(|_| has_phone),
        reviews: reviews_of(seed, key, lang, rating),
        rating,
        review_count,
        chain,
        website,
        id,
        name,
        category,
    }
}

fn website(random: &mut Random, name: &str, id: &str) -> Website {
    let slug = names::slug(name);
    let drawn = random.unit() * 100.0;
    if drawn < NO_WEBSITE {
        Website::None
    } else if drawn < NO_WEBSITE + SOCIAL_ONLY {
        let handle: String = slug.chars().filter(|letter| *letter != '-').collect();
        Website::Social(format!("https://www.facebook.com/{handle}.{id}"))
    } else {
        Website::Own { host: format!("{slug}-{id}{HOST_ENDING}") }
    }
}

/// Most businesses have just over four stars; the number of ratings has a long tail.
fn rating(random: &mut Random) -> (Option<f64>, Option<u32>) {
    let tail = random.unit();
    let spread = random.unit();
    let low = random.percent(9.0);
    if random.percent(NO_RATING) {
        return (None, None);
    }
    let stars = if low { 1.0 + 2.8 * spread } else { 3.8 + 1.2 * (1.0 - spread * spread) };
    let count = 1.0 + 22.0 * (1.0 / (1.0 - tail * 0.995) - 1.0) + 30.0 * spread;
    (Some((stars * 10.0).round() / 10.0), Some(count as u32))
}

fn reviews_of(seed: u64, key: Key, lang: Lang, rating: Option<f64>) -> Vec<Review> {
    let mut random = Random::of(seed, Purpose::Reviews, &key.keys());
    rating.map(|average| reviews::draw(&mut random, lang, average)).unwrap_or_default()
}
