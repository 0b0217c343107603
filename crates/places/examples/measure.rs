//! Measures first use and then single queries: `cargo run --release -p places --example measure`. With arguments, prints how
//! each is interpreted.
#![expect(clippy::print_stdout, reason = "printing the numbers is the purpose of this program")]

use std::hint::black_box;
use std::time::Instant;

use places::{Scope, locate};

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    if asked.is_empty() {
        measure();
    }
    for text in asked {
        if let Some(text) = text.strip_prefix("industry:") {
            match places::industry(text) {
                Ok(found) => println!("{text:40} {} {}", found.category.slug, found.exact),
                Err(error) => println!("{text:40} {error}"),
            }
            continue;
        }
        if let Some(text) = text.strip_prefix("chain:") {
            println!("{text:40} {}", places::is_chain(text, "US"));
            continue;
        }
        match locate(&text) {
            Ok(found) => {
                let place = &found.place;
                println!(
                    "{text:40} {} | {} | {:?} {:?} {:?} {:?} {:?} | {:.4},{:.4} | {}",
                    place.name,
                    place.width,
                    place.state,
                    place.county,
                    place.city,
                    place.postal_code,
                    place.street,
                    place.point.latitude,
                    place.point.longitude,
                    found.notes().join(" ")
                );
            }
            Err(error) => println!("{text:40} {error}"),
        }
    }
}

/// Prints the average time of one query.
fn time(name: &str, runs: u32, mut question: impl FnMut()) {
    let start = Instant::now();
    (0..runs).for_each(|_| question());
    println!("{name:44} {:>12.3?}", start.elapsed() / runs);
}

fn measure() {
    measure_industries();
    time("first locate", 1, || drop(black_box(locate("Austin, TX"))));
    time("first ZIP code", 1, || drop(black_box(locate("78701"))));
    time("first misspelt town", 1, || drop(black_box(locate("Austn, TX"))));
    for text in ["Austin, TX", "78701", "Travis County, TX", "1100 Congress Ave, Austin, TX 78701", "München"] {
        time(text, 1_000, || drop(black_box(locate(text))));
    }
    time("misspelt: Austn, TX", 100, || drop(black_box(locate("Austn, TX"))));
    let austin = locate("Austin, TX").expect("Austin is known").place;
    for width in Scope::ALL {
        time(&format!("area: {width}"), 10, || drop(black_box(austin.area(width))));
        let area = austin.area(width);
        time(&format!("contains: {width}"), 100_000, || {
            black_box(area.contains(black_box(austin.point)));
        });
        time(&format!("towns: {width} ({})", area.towns().len()), 10, || drop(black_box(area.towns())));
    }
}

fn measure_industries() {
    let categories = places::categories();
    let names = || categories.iter().map(|category| category.overture_names().len()).sum::<usize>();
    time("first overture_names, all industries", 1, || {
        black_box(names());
    });
    let restaurant = places::category("restaurant").expect("restaurants are known");
    let later = ["food_and_drink", "restaurant", "pizza_restaurant", "square_pizza_restaurant"];
    for primary in ["pizza_restaurant", "dental_clinic", "square_pizza_restaurant"] {
        time(&format!("matches_overture: {primary}"), 100_000, || {
            black_box(restaurant.matches_overture(black_box(primary), &later));
        });
    }
}
