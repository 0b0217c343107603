//! Takes the objects out of an XML file one after the other.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::element::XmlElement;
use super::input::{self, Counters, XmlCompression};
use crate::Error;
use crate::osm::element::ElementKind;

/// Depth of nested XML elements; OpenStreetMap's have three levels.
const DEPTH_MAX: usize = 16;

/// A parser in the middle of a file.
pub(super) struct Parser {
    path: PathBuf,
    compression: XmlCompression,
    reader: Reader<Box<dyn io::BufRead>>,
    counters: Counters,
    depth: usize,
    has_root: bool,
    element: XmlElement,
}

/// What is wrong with a piece of XML.
type Problem = Cow<'static, str>;

impl Parser {
    pub(super) fn open(path: &Path, compression: XmlCompression) -> Result<Parser, Error> {
        let counters = Counters::default();
        let reader = Reader::from_reader(input::open(path, compression, &counters)?);
        let element = XmlElement::new(ElementKind::Node, 0);
        Ok(Parser { path: path.to_owned(), compression, reader, counters, depth: 0, has_root: false, element })
    }

    /// Bytes read of the file so far.
    pub(super) fn bytes_read(&self) -> u64 {
        self.counters.read.get()
    }

    /// Calls a function with every object; those that were deleted are left out.
    pub(super) fn each(
        &mut self,
        mut take: impl FnMut(&mut XmlElement, u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            self.counters.held.set(0);
            let event = self.reader.read_event_into(&mut buffer).map_err(|error| self.failed(&error))?;
            let is_complete = match event {
                Event::Eof => return self.end(),
                Event::DocType(_) => {
                    Err("has a document type declaration, which OpenStreetMap's files do not have".into())
                }
                Event::Start(tag) => self.open_tag(&tag).map(|()| false),
                Event::Empty(tag) => self.open_tag(&tag).map(|()| self.close_tag()),
                Event::End(_) => Ok(self.close_tag()),
                _ => Ok(false),
            };
            if is_complete.map_err(|problem| self.malformed(problem))? && !self.element.is_deleted {
                let read = self.bytes_read();
                take(&mut self.element, read)?;
            }
        }
    }

    fn end(&self) -> Result<(), Error> {
        if self.depth > 0 {
            return Err(self.malformed("ends before </osm>: it is cut off".into()));
        }
        if !self.has_root {
            return Err(self.malformed("has no <osm> element".into()));
        }
        Ok(())
    }

    fn open_tag(&mut self, tag: &BytesStart<'_>) -> Result<(), Problem> {
        self.depth += 1;
        match (self.depth, tag.name().as_ref()) {
            (1, b"osm") => self.has_root = true,
            (1, b"osmChange") => return Err("lists changes (.osc), not objects: import an extract".into()),
            (1, name) => return Err(format!("begins with <{}>, not <osm>", shown(name)).into()),
            (2, b"node") => self.begin(ElementKind::Node, tag)?,
            (2, b"way") => self.begin(ElementKind::Way, tag)?,
            (2, b"relation") => self.begin(ElementKind::Relation, tag)?,
            (3, name @ (b"tag" | b"nd" | b"member" | b"center")) => {
                let attributes = attributes(tag)?;
                self.element.child(name, &attributes)?;
            }
            (depth, _) if depth > DEPTH_MAX => return Err("has elements nested more than 16 deep".into()),
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, kind: ElementKind, tag: &BytesStart<'_>) -> Result<(), Problem> {
        self.element = XmlElement::begin(kind, &attributes(tag)?)?;
        Ok(())
    }

    /// Whether an object is complete with this.
    fn close_tag(&mut self) -> bool {
        self.depth = self.depth.saturating_sub(1);
        self.depth == 1 && std::mem::take(&mut self.element.is_open)
    }

    fn malformed(&self, problem: Problem) -> Error {
        let text = if self.compression == XmlCompression::None { "" } else { " of the decompressed text" };
        let at = format!("byte {}{text}", self.reader.buffer_position());
        Error::malformed_at(self.path.display().to_string(), at, problem)
    }

    fn failed(&self, error: &quick_xml::Error) -> Error {
        let quick_xml::Error::Io(error) = error else {
            return self.malformed(format!("is not valid XML: {error}").into());
        };
        match error.kind() {
            io::ErrorKind::FileTooLarge => self.malformed(error.to_string().into()),
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof
                if self.compression == XmlCompression::Bzip2 =>
            {
                self.malformed("the bzip2 data is damaged or cut off".into())
            }
            kind => Error::io(&self.path)(io::Error::new(kind, error.to_string())),
        }
    }
}

/// Name and value of an attribute.
pub(super) type XmlAttribute<'t> = (&'t [u8], Cow<'t, str>);

/// The attributes of a tag. Only entities that XML itself defines are expanded.
fn attributes<'t>(tag: &'t BytesStart<'_>) -> Result<Vec<XmlAttribute<'t>>, Problem> {
    let mut found = Vec::new();
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.map_err(|error| format!("is not valid XML: {error}"))?;
        let value = attribute.decoded_and_normalized_value(XmlVersion::Implicit1_0, tag.decoder());
        let value = value.map_err(|error| format!("is not valid XML: {error}"))?;
        found.push((attribute.key.0, value));
    }
    Ok(found)
}

fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(name).chars().filter(|letter| !letter.is_control()).take(40).collect()
}
