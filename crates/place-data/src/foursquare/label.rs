//! What Foursquare's labels such as `Retail > Food and Beverage Retail > Butcher` mean. A kind that is guessed wrong is worse than
//! one that is missing, so words alone do not decide: a power plant is no garden centre.

use std::collections::HashMap;

use crate::columns::known_kind;

/// Labels whose meaning is remembered. Foursquare has 1,200.
const REMEMBERED_MAX: usize = 10_000;
const SEPARATOR: char = '>';

/// Roots below which there are no businesses, whatever their names: a well, a tree, a parade.
const NO_BUSINESSES: [&str; 2] = ["Landmarks and Outdoors", "Event"];
/// Roots below which a kind that is not known is one of the kind above it.
const NESTED: [&str; 3] = ["Dining and Drinking", "Health and Medicine", "Retail"];

/// Kinds in Foursquare's words, by industry.
const KINDS: &[(&str, &str)] = &[
    ("Accounting and Bookkeeping Service", "accountant"),
    ("Acupuncture Clinic", "acupuncturist"),
    ("Apartment or Condo", "apartment_complex"),
    ("Architecture Firm", "architect"),
    ("Assisted Living", "senior_care"),
    ("Automotive Repair Shop", "auto_repair"),
    ("Barbershop", "barber"),
    ("Bicycle Store", "bike_shop"),
    ("Body Piercing Shop", "tattoo_shop"),
    ("Bridal Store", "bridal_shop"),
    ("Building and Land Surveyor", "surveyor"),
    ("Camera Store", "electronics_store"),
    ("Car Dealership", "car_dealer"),
    ("Car Parts and Accessories", "auto_parts_store"),
    ("Car Wash and Detail", "car_wash"),
    ("Carpet and Flooring Contractor", "flooring_contractor"),
    ("Check Cashing Service", "loan_company"),
    ("Child Care Service", "daycare"),
    ("Children's Hospital", "hospital"),
    ("Computer Repair Service", "computer_repair"),
    ("Computers and Electronics Retail", "electronics_store"),
    ("Construction", "general_contractor"),
    ("Convention Center", "event_venue"),
    ("Cycle Studio", "cycling_studio"),
    ("Deck and Patio Contractor", "deck_builder"),
    ("Doors and Windows Contractor", "window_installer"),
    ("Ear, Nose and Throat Doctor", "ent_doctor"),
    ("Equipment Rental Service", "equipment_rental"),
    ("Event Space", "event_venue"),
    ("Eyecare Store", "optician"),
    ("Financial Planner", "financial_advisor"),
    ("Flower Store", "florist"),
    ("Fuel Station", "gas_station"),
    ("Furniture and Home Store", "furniture_store"),
    ("Garage Door Supplier", "garage_door_company"),
    ("Gun Store", "gun_shop"),
    ("Gym and Studio", "gym"),
    ("Hair Removal Service", "waxing_salon"),
    ("Heating, Ventilating and Air Conditioning Contractor", "hvac_contractor"),
    ("Home Health Care Service", "home_health_care"),
    ("Home Inspection", "home_inspector"),
    ("Immigration Attorney", "immigration_lawyer"),
    ("Insurance Agency", "insurance_agent"),
    ("IT Service", "it_services"),
    ("Jewelry Store", "jeweler"),
    ("Kitchen Remodeler", "remodeler"),
    ("Landscaper and Gardener", "landscaper"),
    ("Law Office", "lawyer"),
    ("Legal Service", "lawyer"),
    ("Loans Agency", "loan_company"),
    ("Martial Arts Dojo", "martial_arts_school"),
    ("Massage Clinic", "massage_therapist"),
    ("Medical Lab", "medical_laboratory"),
    ("Motorcycle Dealership", "motorcycle_dealer"),
    ("Mover", "moving_company"),
    ("Oil Change Service", "oil_change"),
    ("Obstetrician Gynecologist (Ob-gyn)", "obgyn"),
    ("Orthopedic Surgeon", "orthopedist"),
    ("Pest Control Service", "pest_control"),
    ("Pet Grooming Service", "pet_groomer"),
    ("Pet Sitting and Boarding Service", "kennel"),
    ("Pet Supplies Store", "pet_store"),
    ("Photography Studio", "photographer"),
    ("Physical Therapy Clinic", "physical_therapist"),
    ("Professional Cleaning Service", "house_cleaner"),
    ("Property Management Office", "property_manager"),
    ("Real Estate Agency", "real_estate_agent"),
    ("Real Estate Appraiser", "appraiser"),
    ("RV and Motorhome Dealership", "rv_dealer"),
    ("Shoe Repair Service", "shoe_repair"),
    ("Skin Care Clinic", "esthetician"),
    ("Sporting Goods Retail", "sporting_goods_store"),
    ("Swimming Pool Maintenance and Service", "pool_service"),
    ("Tattoo Parlor", "tattoo_shop"),
    ("Tax Service", "accountant"),
    ("Tire Repair Shop", "tire_shop"),
    ("Towing Service", "towing_company"),
    ("Transmissions Shop", "transmission_shop"),
    ("Tutoring Service", "tutor"),
    ("Upholstery Service", "furniture_repair"),
    ("Urgent Care Center", "urgent_care"),
    ("Vintage and Thrift Store", "thrift_store"),
    ("Website Designer", "web_designer"),
    ("Wedding Hall", "event_venue"),
    ("Welding Service", "welder"),
];
/// Kinds whose words are also those of an industry that they do not belong to.
const OTHERS: &[&str] = &["ATM", "Blood Bank", "Office", "Parking", "Structure", "Research Station", "Port", "Train"];

/// Tells what labels mean, and remembers it.
#[derive(Default)]
pub(super) struct LabelKinds(HashMap<String, Option<String>>);

impl LabelKinds {
    /// The kind of a label: `canvass:` and an industry, or a name of Overture; `None` when it is no known kind of business.
    pub(super) fn kind(&mut self, label: &str) -> Option<String> {
        if let Some(known) = self.0.get(label) {
            return known.clone();
        }
        if self.0.len() >= REMEMBERED_MAX {
            self.0.clear();
        }
        let kind = kind(label);
        self.0.insert(label.to_owned(), kind.clone());
        kind
    }
}

fn kind(label: &str) -> Option<String> {
    let parts: Vec<&str> = label.split(SEPARATOR).map(str::trim).collect();
    let (root, below) = parts.split_first()?;
    if NO_BUSINESSES.contains(root) {
        return None;
    }
    let levels = if NESTED.contains(root) { below.len() } else { 1 };
    below.iter().rev().take(levels).find_map(|part| named(part))
}

fn named(part: &str) -> Option<String> {
    let known = KINDS.iter().find(|(name, _)| *name == part).map(|(_, slug)| format!("canvass:{slug}"));
    known.or_else(|| if OTHERS.contains(&part) { None } else { known_kind(part) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_an_industry() {
        for (name, slug) in KINDS {
            assert!(places::category(slug).is_some(), "{name}: {slug}");
        }
    }
}
