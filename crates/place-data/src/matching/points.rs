//! How many points each kind of evidence is worth.

use super::address::AddressAgreement;
use super::contact::{Phone, WebAddress};
use super::name::NameComparison;
use super::profile::Profile;
use super::trade::TradeAgreement;
use super::{APART_MIN, MatchScore, RuledOut, metres};

/// Points for the similarity of names, and for distances in metres: with and without something that ties both records to one
/// place. Values between are interpolated.
const NAME: Curve = &[(0.0, -6.0), (0.3, -4.0), (0.5, -1.0), (0.65, 1.2), (0.8, 2.9), (0.9, 4.2), (1.0, 5.0)];
const TIED_DISTANCE: Curve = &[
    (15.0, 2.0),
    (40.0, 1.5),
    (80.0, 1.0),
    (150.0, 0.3),
    (300.0, -0.8),
    (1_000.0, -2.0),
    (3_000.0, -3.2),
    (10_000.0, -5.0),
    (30_000.0, -8.0),
];
const DISTANCE: Curve = &[
    (15.0, 2.0),
    (40.0, 1.5),
    (80.0, 0.7),
    (100.0, -0.3),
    (150.0, -2.3),
    (200.0, -3.6),
    (250.0, -5.0),
    (300.0, -7.0),
    (1_000.0, -9.0),
];
/// The same for branches of a chain, which stand closer to each other.
const CHAIN_DISTANCE: Curve =
    &[(15.0, 2.0), (40.0, 1.3), (60.0, 0.8), (100.0, -0.5), (150.0, -2.0), (200.0, -5.0), (1_000.0, -8.0)];
/// Distance beyond which nothing is the same place, whatever agrees.
const DISTANCE_MAX_METRES: f64 = 30_000.0;
/// Distance beyond which it matters whether a business is a chain.
const CHAIN_DISTANCE_MIN_METRES: f64 = 25.0;
/// Distance from which on different addresses are different places, unless something ties both records to one place.
const ADDRESS_DISTANCE_MIN_METRES: f64 = 75.0;

/// Points for names in different scripts, which cannot be compared.
const OTHER_SCRIPT: f64 = -0.5;
/// Points taken for each unit of weight by which both names differ.
const CONFLICT: f64 = 2.5;

const SHARED_PHONE: f64 = 4.0;
const SHARED_COMPANY_PHONE: f64 = 1.0;
/// The same for a business that is no chain, as far as known.
const SHARED_FREE_PHONE: f64 = 2.0;
const OTHER_PHONE: f64 = -1.0;
const SHARED_WEBSITE: f64 = 3.0;
const SHARED_CHAIN_WEBSITE: f64 = 0.7;
const OTHER_WEBSITE: f64 = -1.2;
const OTHER_PAGE: f64 = -3.5;
/// Points taken when a name is spelt differently and the websites differ.
const OTHER_NAME_AND_WEBSITE: f64 = -1.8;
const OTHER_NAME_AND_PAGE: f64 = -2.0;
/// Points taken when branches of a chain have different phones.
const OTHER_CHAIN_PHONE: f64 = -2.5;
/// Points taken when the phones differ as well as the names, the websites, or the pages of one website.
const OTHER_NAME_AND_PHONE: f64 = -1.0;
const OTHER_WEBSITE_AND_PHONE: f64 = -1.0;
const OTHER_PAGE_AND_PHONE: f64 = -4.0;
/// Points that names of one brand have at least.
const SAME_BRAND: f64 = 3.0;
/// Points taken when one is named as a department and the other is of an unknown kind.
const BESIDE: f64 = -2.0;
/// Points taken when names of different trades are not the same, and when both have words of their own.
const OTHER_TRADE_AND_NAME: f64 = -1.8;
const OTHER_TRADE_AND_WORDS: f64 = -3.0;
const NAME_SIMILAR_MIN: f64 = 4.2;
/// Similarity from which on names are equal.
const EQUAL_MIN: f32 = 0.97;
/// Points of names below which they need a phone or a website in common, and what is taken otherwise.
const NAME_ALONE_MIN: f64 = 0.5;
const NAME_ALONE: f64 = -2.0;
const SHARED_HANDLE: f64 = 3.5;
const SHARED_EMAIL: f64 = 2.5;
/// Points taken when different addresses are far apart as well.
const OTHER_ADDRESS_FAR: f64 = -2.5;

type Curve = &'static [(f64, f64)];

fn interpolate(curve: Curve, at: f64) -> f64 {
    let (first, last) = (curve[0], curve[curve.len() - 1]);
    if at <= first.0 {
        return first.1;
    }
    let pair = curve.windows(2).find(|pair| at <= pair[1].0);
    pair.map_or(last.1, |pair| {
        let ((from, low), (to, high)) = (pair[0], pair[1]);
        low + (high - low) * (at - from) / (to - from)
    })
}

pub(super) fn name(names: Option<NameComparison>, trade: TradeAgreement) -> f64 {
    let Some(names) = names else { return OTHER_SCRIPT };
    let points = interpolate(NAME, f64::from(names.similarity));
    // The same name says less when it is only "Pizzeria".
    let specific = f64::from(names.specificity).clamp(0.4, 1.0);
    let points = if points > 0.0 { points * specific } else { points };
    let other_trade = match trade {
        TradeAgreement::Same | TradeAgreement::Unknown | TradeAgreement::Facility => 0.0,
        _ if names.apart >= APART_MIN => OTHER_TRADE_AND_WORDS,
        TradeAgreement::Related => 0.0,
        TradeAgreement::Other | TradeAgreement::OtherDepartment if names.similarity < EQUAL_MIN => OTHER_TRADE_AND_NAME,
        TradeAgreement::Other | TradeAgreement::OtherDepartment => 0.0,
    };
    points - CONFLICT * f64::from(names.conflict) + other_trade
}

/// Branches of one brand have its name, whatever sources add to it, unless both have something else of their own.
pub(super) fn brand(a: &Profile, b: &Profile, names: Option<NameComparison>) -> f64 {
    let same = matches!((&a.brand, &b.brand), (Some(one), Some(other)) if one == other && !one.is_empty());
    let told_apart = names.is_some_and(|names| names.conflict > 0.0 || names.apart >= APART_MIN);
    if same && !told_apart { SAME_BRAND } else { f64::NEG_INFINITY }
}

pub(super) fn category(trade: TradeAgreement) -> f64 {
    match trade {
        TradeAgreement::Same => 0.7,
        TradeAgreement::Related => 0.2,
        TradeAgreement::Unknown => 0.0,
        TradeAgreement::Other => -1.2,
        TradeAgreement::OtherDepartment | TradeAgreement::Facility => -2.5,
    }
}

/// A place that is named as a department, such as a café, of something that Canvass has no industry for, such as a concert hall.
pub(super) fn department(a: &Profile, b: &Profile, trade: TradeAgreement) -> f64 {
    let beside = b.trade.is_beside(a.called & !b.called) || a.trade.is_beside(b.called & !a.called);
    if beside && trade == TradeAgreement::Unknown { BESIDE } else { 0.0 }
}

/// Adds the evidence that takes longer to compute than names.
pub(super) fn add_rest(a: &Profile, b: &Profile, names: Option<NameComparison>, score: &mut MatchScore) {
    let metres = metres(a.point, b.point);
    if metres > DISTANCE_MAX_METRES {
        score.ruled_out = Some(RuledOut::Distance);
        return;
    }
    let chain = metres > CHAIN_DISTANCE_MIN_METRES && (is_chain(a) || is_chain(b));
    let apart = names.is_some_and(|names| names.apart >= APART_MIN);
    let phone = phone(&a.phones, &b.phones);
    let address = a.address.compare(&b.address);
    let website = website(a, b);
    let elsewhere = matches!(address, AddressAgreement::OtherNumber | AddressAgreement::OtherStreet)
        && metres > ADDRESS_DISTANCE_MIN_METRES;
    // Branches of a chain have different addresses and may have the company's phone.
    let own_phone = phone == Some(SharedPhone::Own) && !(chain && elsewhere);
    let tied = own_phone
        || address == AddressAgreement::Same
        || website.same_contact
        || website.same_page && score.name >= NAME_SIMILAR_MIN;
    score.phone = match phone {
        Some(SharedPhone::Own) if own_phone => SHARED_PHONE,
        Some(SharedPhone::Company) if !chain => SHARED_FREE_PHONE,
        Some(SharedPhone::Own | SharedPhone::Company) => SHARED_COMPANY_PHONE,
        Some(SharedPhone::No) if chain => OTHER_PHONE + OTHER_CHAIN_PHONE,
        Some(SharedPhone::No) => OTHER_PHONE,
        None => 0.0,
    };
    score.website = website.points(chain);
    // The house alone says nothing: neighbours share it.
    let in_touch = own_phone || website.same_site || website.same_contact || website.same_email;
    if !in_touch && score.name < NAME_ALONE_MIN {
        score.name += NAME_ALONE;
    }
    if score.name < NAME_SIMILAR_MIN {
        score.website += website.points_of_another_name();
    } else if apart && website.other_page {
        score.website += OTHER_NAME_AND_PAGE;
    }
    if phone == Some(SharedPhone::No) {
        score.phone += website.points_of_another_phone();
        score.phone += if score.name < NAME_SIMILAR_MIN { OTHER_NAME_AND_PHONE } else { 0.0 };
    }
    score.address = address_points(address, metres) + postcode_points(a, b, metres);
    if elsewhere && !tied {
        score.address += OTHER_ADDRESS_FAR;
    }
    let curve = match (tied, chain) {
        (true, _) => TIED_DISTANCE,
        (false, true) => CHAIN_DISTANCE,
        (false, false) => DISTANCE,
    };
    score.distance = interpolate(curve, metres);
}

fn is_chain(profile: &Profile) -> bool {
    profile.brand.is_some() || profile.trade.has_branches() || places::is_chain(&profile.name, &profile.country)
}

#[derive(Clone, Copy, PartialEq)]
enum SharedPhone {
    Own,
    /// Only a number that belongs to the whole company.
    Company,
    No,
}

fn phone(mine: &[Phone], theirs: &[Phone]) -> Option<SharedPhone> {
    if mine.is_empty() || theirs.is_empty() {
        return None;
    }
    let shared = mine.iter().filter(|phone| theirs.iter().any(|other| phone.is(*other)));
    let mut found = SharedPhone::No;
    for phone in shared {
        if !phone.is_company_wide() {
            return Some(SharedPhone::Own);
        }
        found = SharedPhone::Company;
    }
    Some(found)
}

/// What websites, profiles and email addresses have in common.
#[derive(Default)]
struct WebsiteAgreement {
    same_site: bool,
    common_site: bool,
    /// The same page below the front page, such as that of one store of a chain.
    same_page: bool,
    other_page: bool,
    other_site: bool,
    same_contact: bool,
    same_email: bool,
}

impl WebsiteAgreement {
    fn points(&self, chain: bool) -> f64 {
        let mut points = 0.0;
        if self.same_page || self.same_site && !chain && !self.common_site {
            points += SHARED_WEBSITE;
        } else if self.same_site {
            points += SHARED_CHAIN_WEBSITE;
        } else if self.other_site && !self.same_contact {
            points += OTHER_WEBSITE;
        }
        if self.other_page {
            points += OTHER_PAGE;
        }
        if self.same_contact {
            points += SHARED_HANDLE;
        } else if self.same_email && !self.other_page {
            // With pages of their own they share the company's mailbox.
            points += SHARED_EMAIL;
        }
        points
    }
}

impl WebsiteAgreement {
    /// Points taken in addition when the phones differ, too.
    fn points_of_another_phone(&self) -> f64 {
        if self.other_page {
            OTHER_PAGE_AND_PHONE
        } else if self.other_site && !self.same_contact {
            OTHER_WEBSITE_AND_PHONE
        } else {
            0.0
        }
    }

    /// Points taken in addition when the names differ, too.
    fn points_of_another_name(&self) -> f64 {
        if self.other_page {
            OTHER_NAME_AND_PAGE
        } else if self.other_site && !self.same_contact {
            OTHER_NAME_AND_WEBSITE
        } else {
            0.0
        }
    }
}

fn website(a: &Profile, b: &Profile) -> WebsiteAgreement {
    let mut found = WebsiteAgreement::default();
    for mine in &a.websites {
        for theirs in b.websites.iter().filter(|theirs| theirs.site == mine.site) {
            found.same_site = true;
            found.common_site |= mine.common || theirs.common;
            compare_pages(mine, theirs, &mut found);
        }
    }
    found.other_page &= !found.same_page;
    found.other_site = !found.same_site && !a.websites.is_empty() && !b.websites.is_empty();
    found.same_contact = a.handles.iter().any(|handle| b.handles.contains(handle));
    found.same_email = a.emails.iter().any(|email| b.emails.contains(email));
    found
}

fn compare_pages(mine: &WebAddress, theirs: &WebAddress, found: &mut WebsiteAgreement) {
    if !mine.page.is_empty() && !theirs.page.is_empty() {
        found.same_page |= mine.page == theirs.page;
        found.other_page |= mine.page != theirs.page;
    }
}

fn address_points(agreement: AddressAgreement, metres: f64) -> f64 {
    // A house on a corner has two addresses.
    let near = metres < 30.0;
    match agreement {
        AddressAgreement::Same => 2.0,
        AddressAgreement::SameStreet => 0.5,
        AddressAgreement::OtherUnit => 0.0,
        AddressAgreement::OtherNumber | AddressAgreement::OtherStreet if near => -0.8,
        AddressAgreement::OtherNumber => -1.8,
        AddressAgreement::OtherStreet => -1.5,
        AddressAgreement::Unknown => 0.0,
    }
}

fn postcode_points(a: &Profile, b: &Profile, metres: f64) -> f64 {
    match a.address.same_postcode(&b.address) {
        Some(true) => 0.3,
        Some(false) if metres > 100.0 => -0.7,
        _ => 0.0,
    }
}
