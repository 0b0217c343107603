//! Chains and independent businesses.

use places::is_chain;

#[test]
fn branches_of_chains_are_recognised() {
    for name in [
        "Starbucks",
        "STARBUCKS",
        "Starbucks®",
        "Starbucks (Terminal B)",
        "McDonald's",
        "McDonalds",
        "McDonald’s",
        "Great Clips #123",
        "Great Clips at Westgate",
        "7-Eleven",
        "7 Eleven",
        "The Home Depot",
        "Home Depot",
        "Roto-Rooter",
        "Roto Rooter",
        "Mr. Rooter Plumbing of Austin",
        "Aspen Dental",
        "Anytime Fitness Downtown",
        "Anytime Fitness - South Lamar",
        "H&R Block",
        "Best Western Plus Austin",
        "Walmart Supercenter #2132",
        "Jiffy Lube",
        "Subway - Main Street",
        "Holiday Inn Express & Suites Austin North Central",
        "Quality Inn Harrisonburg",
        "State Farm",
    ] {
        assert!(is_chain(name, "US"), "{name}");
        assert!(is_chain(name, ""), "{name}");
    }
}

#[test]
fn independents_are_not_chains() {
    for name in [
        "",
        "Joe's Plumbing",
        "Austin Family Dental",
        "Family Dental",
        "Smith & Sons",
        "Main Street Cafe",
        "The Corner",
        "Home",
        "Best",
        "Central",
        "City",
        "Star Cafe",
        "Starbuck Plumbing",
        "Target Plumbing",
        "Michael's Pharmacy",
        "Northgate Mall",
        "Burlington Bakery",
        "Subway Tile Installers",
        "Shell Lumber",
        "Great Clip Art",
        "Home Sweet Home Depot Antiques",
        "Delta Dental Care of Austin",
        "Austin",
        "123",
    ] {
        assert!(!is_chain(name, "US"), "{name}");
    }
}

#[test]
fn the_country_distinguishes_foreign_brands_from_independents() {
    assert!(is_chain("Greggs", "GB"));
    assert!(!is_chain("Greggs", "US"));
    assert!(is_chain("REWE", "de"));
}
