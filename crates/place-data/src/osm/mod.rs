//! OpenStreetMap extracts: every business on the map becomes a place, whatever kind of object it is drawn as.

mod address;
mod business;
mod element;
mod gather;
mod geometry;
mod object;
mod passes;
mod pbf;
mod place;
mod shapes;
mod socials;
mod tagged;
mod wanted;
mod xml;

use std::io::Read;
use std::path::Path;

pub(crate) use address::{Countries, address};
pub(crate) use element::{Coordinate, Tags};
pub use element::{ElementId, ElementKind};
use gather::HeldBudget;
pub(crate) use geometry::{middle, point_inside};
pub use object::ObjectReader;
use passes::{Passes, Progress};
use pbf::PbfFile;
use shapes::Shapes;
pub(crate) use socials::socials;
pub(crate) use tagged::{is_tagged, tagged_place};
use xml::{XmlCompression, XmlFile};

use crate::import::open_input;
use crate::{Error, Import};

/// Bytes at the start of a file that tell its format.
const MAGIC_BYTES: u64 = 128;
const EXPECTED: &str = "expected an OpenStreetMap extract: .osm.pbf, .osm or .osm.bz2";

/// Reads an extract in PBF, XML or bzip2-compressed XML, told apart by content. Places come ordered by kind and id; nothing is
/// passed on before the whole file has been read without an error. Memory grows with the number of businesses, not with the file.
///
/// # Errors
/// [`Error::Malformed`] names the block or byte of a damaged file; [`Error::Cancelled`] comes from the sink.
pub fn read(path: &Path, import: &mut Import<'_>) -> Result<(), Error> {
    let mut file = open(path)?;
    let file_bytes = path.metadata().map_err(Error::io(path))?.len();
    let budget = HeldBudget::new();
    let mut progress = Progress::new(import, file_bytes);
    let mut gathered = file.businesses(&budget, &mut progress)?;
    progress.end_pass()?;
    gathered.sort();
    let shapes = Shapes::find(&mut *file, &gathered.candidates, &budget, &mut progress)?;
    let mut countries = Countries::default();
    for candidate in gathered.candidates {
        match shapes.point(&candidate.geometry) {
            None => gathered.skipped.add("none of its nodes are in the file", candidate.id),
            Some(at) => {
                let place = place::place(&candidate, at.point(), &mut countries);
                place.map_or(Ok(()), |place| import.place(place))?;
            }
        }
    }
    gathered.skipped.report(import);
    Ok(())
}

/// Finds out the format by the first bytes: names are often wrong.
fn open(path: &Path) -> Result<Box<dyn Passes>, Error> {
    let mut start = Vec::new();
    let file = open_input(path)?;
    file.take(MAGIC_BYTES).read_to_end(&mut start).map_err(Error::io(path))?;
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start).trim_ascii_start();
    let problem = match start.as_slice() {
        [] => "is empty",
        [0, 0, _, _, rest @ ..] if rest.windows(9).any(|window| window == b"OSMHeader") => {
            return Ok(Box::new(PbfFile::new(path)));
        }
        [b'B', b'Z', b'h', ..] => return Ok(Box::new(XmlFile::new(path, XmlCompression::Bzip2))),
        [0x1f, 0x8b, ..] => "is compressed with gzip: unpack it first",
        [0xff, 0xe0, ..] => "is in the o5m format: convert it to .osm.pbf",
        [b'P', b'K', 3, 4, ..] => "is a ZIP archive: unpack it first",
        _ if text.starts_with(b"<") => return Ok(Box::new(XmlFile::new(path, XmlCompression::None))),
        _ => "is in none of the formats that can be read",
    };
    Err(Error::malformed(path.display().to_string(), format!("{problem}; {EXPECTED}")))
}
