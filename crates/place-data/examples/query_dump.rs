//! Answers queries and prints everything about the places found, to be compared with what another program finds. Used by
//! `benches/places/compare.py`: `query_dump FOLDER`, with a line `INDUSTRY<tab>PLACE<tab>city|county|state|country` for each query on the
//! standard input; one line of JSON for each on the standard output.

use std::io::BufRead;
use std::sync::Arc;

use place_data::{Dataset, Kinds, Overture, OvertureSettings, Place, PlaceQuery, Rank};
use places::{Area, Category, Scope, industry, locate};
use serde_json::{Value, json};

type Failure = Box<dyn std::error::Error>;

fn parsed(line: &str) -> Result<(&'static Category, Area), Failure> {
    let [kind, place, scope] = line.split('\t').collect::<Vec<_>>()[..] else {
        return Err(format!("not INDUSTRY, PLACE and scope: {line}").into());
    };
    let scope: Scope = serde_json::from_value(json!(scope))?;
    Ok((industry(kind)?.category, locate(place)?.place.area(scope)))
}

fn area(area: &Area) -> Value {
    let centre = area.centre();
    json!({
        "name": area.name(), "bounds": area.bounds().parts(), "edges": area.edges(), "radius_miles": area.radius_miles(),
        "centre": [centre.longitude, centre.latitude],
    })
}

fn fields(place: &Place) -> Value {
    let address = |address: &place_data::Address| {
        json!([address.freeform, address.locality, address.postcode, address.region, address.country])
    };
    json!({
        "id": place.id, "name": place.name, "translations": place.translations, "longitude": place.point.longitude,
        "latitude": place.point.latitude, "primary": place.categories.primary, "hierarchy": place.categories.hierarchy,
        "alternates": place.categories.alternates, "basic": place.categories.basic, "confidence": place.confidence,
        "status": place.status.name(), "websites": place.websites, "socials": place.socials, "emails": place.emails,
        "phones": place.phones, "brand": place.brand.as_ref().map(|brand| [&brand.name, &brand.wikidata]),
        "addresses": place.addresses.iter().map(address).collect::<Vec<_>>(),
        "opening_hours": place.opening_hours, "updated": place.origins.first().and_then(|origin| origin.updated.as_ref()),
        "datasets": place.origins.iter().map(|origin| &origin.dataset).collect::<Vec<_>>(),
    })
}

/// All places of a query, asked for piece by piece.
async fn all(dataset: &Arc<Dataset>, query: &PlaceQuery) -> Result<(u64, Vec<Place>), Failure> {
    let (mut places, mut after): (Vec<Place>, Option<Rank>) = (Vec::new(), None);
    loop {
        let found = dataset.find(query, after.as_ref()).await?;
        let Some(last) = found.places.last() else { return Ok((found.total, places)) };
        after = Some(Rank::of(last));
        places.extend(found.places);
        if places.len() as u64 >= found.total {
            return Ok((found.total, places));
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let places = std::env::args().nth(1);
    let overture = Overture::new(OvertureSettings { places, ..OvertureSettings::default() })?;
    let (_, dataset) = overture.latest().await?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (category, within) = parsed(&line)?;
        let query = PlaceQuery { area: within, kinds: Kinds::of(category), confidence_min: 0.0 };
        let (total, places) = all(&dataset, &query).await?;
        let places: Vec<Value> = places.iter().map(fields).collect();
        #[expect(clippy::print_stdout, reason = "the result of the program")]
        {
            println!("{}", json!({"slug": category.slug, "area": area(&query.area), "total": total, "places": places}));
        }
    }
    Ok(())
}
