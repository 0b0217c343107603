//! Files in OpenStreetMap's XML format, plain or compressed with bzip2: extracts, editors' files and answers to queries.

mod element;
mod input;
mod parse;

use std::path::{Path, PathBuf};

use element::XmlElement;
pub(super) use input::XmlCompression;
use parse::Parser;

use super::element::{Coordinate, ElementKind, WayNodes};
use super::gather::{Gathered, HeldBudget, OverBudget, RawElement};
use super::passes::{PassContext, Passes, Progress};
use super::wanted::Wanted;
use crate::Error;

/// Objects between two reports of progress.
const REPORT_EVERY: u64 = 4096;

/// A file.
pub(super) struct XmlFile {
    path: PathBuf,
    compression: XmlCompression,
}

impl XmlFile {
    pub(super) fn new(path: &Path, compression: XmlCompression) -> XmlFile {
        XmlFile { path: path.to_owned(), compression }
    }

    fn each(
        &self,
        progress: &mut Progress<'_, '_>,
        mut take: impl FnMut(&mut XmlElement) -> Result<(), OverBudget>,
    ) -> Result<(), Error> {
        let mut seen = 0_u64;
        Parser::open(&self.path, self.compression)?.each(|element, bytes_read| {
            seen += 1;
            if seen.is_multiple_of(REPORT_EVERY) {
                progress.at(bytes_read)?;
            }
            take(element).map_err(|_| Error::malformed(self.path.display().to_string(), HeldBudget::PROBLEM))
        })
    }
}

impl Passes for XmlFile {
    fn businesses(&mut self, budget: &HeldBudget, progress: &mut Progress<'_, '_>) -> Result<Gathered, Error> {
        let mut gathered = Gathered::default();
        self.each(progress, |element| {
            if element.tags.is_empty() {
                return Ok(());
            }
            let geometry = element.geometry();
            let tags: Vec<(&str, &str)> =
                element.tags.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
            gathered.look_at(RawElement { id: element.id, tags: &tags, edited: element.edited, geometry }, budget)
        })?;
        Ok(gathered)
    }

    fn ways(&mut self, wanted: &mut Wanted<WayNodes>, context: &mut PassContext<'_, '_, '_>) -> Result<(), Error> {
        let (ids, found) = wanted.split();
        let (mut matcher, budget) = (ids.matcher(), context.budget);
        self.each(context.progress, |element| {
            if element.id.kind == ElementKind::Way
                && let Some(index) = matcher.find(element.id.number)
            {
                let nodes = element.way_nodes();
                budget.hold(size_of::<WayNodes>() + nodes.bytes())?;
                found[index] = Some(nodes);
            }
            Ok(())
        })
    }

    fn nodes(&mut self, wanted: &mut Wanted<Coordinate>, progress: &mut Progress<'_, '_>) -> Result<(), Error> {
        let (ids, found) = wanted.split();
        let mut matcher = ids.matcher();
        self.each(progress, |element| {
            if element.id.kind == ElementKind::Node
                && let Some(index) = matcher.find(element.id.number)
            {
                found[index] = element.position();
            }
            Ok(())
        })
    }
}
