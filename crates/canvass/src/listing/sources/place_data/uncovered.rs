//! What of an area the data does not know: an empty answer must not look like a place without businesses.

use place_data::Error;
use places::{Area, Town};

use super::Member;

/// Sentences on what of the area the sets do not know. Whether one has any place there at all is only asked when nothing was
/// found.
pub(super) async fn notes(members: &[Member], area: &Area, is_nothing_found: bool) -> Result<Vec<String>, Error> {
    let mut notes = Vec::new();
    for member in members {
        if let Some(note) = member.downloaded_area().and_then(|downloaded| beyond(member.name(), &downloaded, area)) {
            notes.push(note);
        } else if is_nothing_found && !member.latest().await?.1.has_places_in(area).await? {
            notes.push(format!("The source {} has no businesses of any kind in {}.", member.name(), area.name()));
        }
    }
    Ok(notes)
}

/// What of an area lies beyond the one that was downloaded.
fn beyond(source: &str, downloaded: &Area, area: &Area) -> Option<String> {
    let towns: Vec<Town> = area.towns().into_iter().filter(|town| area.contains(town.point)).collect();
    let outside: Vec<&Town> = towns.iter().filter(|town| !downloaded.contains(town.point)).collect();
    let name = area.name();
    let what = match outside.as_slice() {
        _ if outside.len() == towns.len() && !downloaded.contains(area.centre()) => format!("{name} lies"),
        [] => return None,
        [town] => format!("a part of {name} ({}) lies", town.name),
        [largest, others @ ..] => {
            format!("a part of {name} ({} and {} other towns) lies", largest.name, others.len())
        }
    };
    let of = downloaded.name();
    Some(format!(
        "The source {source} is a download of {of} alone, and {what} outside of it; `canvass places get` downloads other areas."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(location: &str) -> Area {
        let place = places::locate(location).expect("a known place").place;
        place.area(place.width)
    }

    #[test]
    fn a_download_says_what_it_does_not_cover() {
        let texas = area("Texas");
        for inside in ["Texas", "Austin, TX", "Travis County, TX"] {
            assert_eq!(beyond("overture", &texas, &area(inside)), None, "{inside}");
        }
        let oklahoma = beyond("overture", &texas, &area("Oklahoma City, OK")).unwrap();
        assert!(oklahoma.contains("Oklahoma City, OK lies outside"), "{oklahoma}");
        let texarkana = places::locate("Texarkana, TX").unwrap().place;
        let around = Area::circle("50 miles around Texarkana, TX", "US", texarkana.point, 50.0);
        let partly = beyond("overture", &texas, &around).unwrap();
        assert!(partly.contains("a part of 50 miles around Texarkana, TX ("), "{partly}");
    }
}
