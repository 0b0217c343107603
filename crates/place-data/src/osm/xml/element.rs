//! An object in an XML file, while its tags and members come in.

use std::borrow::Cow;

use super::parse::XmlAttribute;
use crate::osm::element::{Coordinate, ElementId, ElementKind, WayNodes};
use crate::osm::gather::{MEMBERS_MAX, RawGeometry, TAG_BYTES_MAX, VALUE_BYTES_MAX};
use crate::osm::place::is_read;

/// An object.
pub(super) struct XmlElement {
    pub(super) id: ElementId,
    pub(super) tags: Vec<(String, String)>,
    /// Seconds since 1970.
    pub(super) edited: Option<i64>,
    /// Whether the file lists it as deleted, as editors' files do.
    pub(super) is_deleted: bool,
    /// Whether its end has not been reached.
    pub(super) is_open: bool,
    position: Option<Coordinate>,
    /// A point that the server computed, in answers to queries.
    centre: Option<Coordinate>,
    refs: Vec<i64>,
    located: Vec<Option<Coordinate>>,
    ways: Vec<i64>,
    nodes: Vec<i64>,
    tag_bytes: usize,
}

impl XmlElement {
    pub(super) fn new(kind: ElementKind, number: i64) -> XmlElement {
        XmlElement {
            id: ElementId { kind, number },
            tags: Vec::new(),
            edited: None,
            is_deleted: false,
            is_open: false,
            position: None,
            centre: None,
            refs: Vec::new(),
            located: Vec::new(),
            ways: Vec::new(),
            nodes: Vec::new(),
            tag_bytes: 0,
        }
    }

    /// An object whose tag has just been opened.
    pub(super) fn begin(kind: ElementKind, attributes: &[XmlAttribute<'_>]) -> Result<XmlElement, Cow<'static, str>> {
        let number = number(attributes, b"id").ok_or("has an object without a valid id")?;
        let edited = get(attributes, b"timestamp").and_then(|time| time.parse::<jiff::Timestamp>().ok());
        let is_deleted = get(attributes, b"visible") == Some("false") || get(attributes, b"action") == Some("delete");
        let position = position(attributes);
        let edited = edited.map(jiff::Timestamp::as_second);
        Ok(XmlElement { edited, is_deleted, is_open: true, position, ..XmlElement::new(kind, number) })
    }

    /// Takes a tag inside of the object: `tag`, `nd`, `member` or `center`.
    pub(super) fn child(&mut self, name: &[u8], attributes: &[XmlAttribute<'_>]) -> Result<(), Cow<'static, str>> {
        let reference = || number(attributes, b"ref").ok_or("has a reference without a valid id");
        match name {
            b"tag" => self.tag(get(attributes, b"k").unwrap_or_default(), get(attributes, b"v").unwrap_or_default()),
            b"center" => self.centre = position(attributes),
            b"nd" if self.refs.len() <= MEMBERS_MAX => {
                self.refs.push(reference()?);
                self.located.push(position(attributes));
            }
            b"member" if self.ways.len() + self.nodes.len() <= MEMBERS_MAX => match get(attributes, b"type") {
                Some("way") => self.ways.push(reference()?),
                Some("node") => self.nodes.push(reference()?),
                _ => {}
            },
            _ => {}
        }
        Ok(())
    }

    /// Keeps a tag that is read, and of one that is too long enough to tell.
    fn tag(&mut self, key: &str, value: &str) {
        if self.tag_bytes > TAG_BYTES_MAX || !is_read(key) {
            return;
        }
        let value = &value[..value.floor_char_boundary(VALUE_BYTES_MAX + 4)];
        self.tag_bytes += key.len() + value.len() + 2;
        self.tags.push((key.to_owned(), value.to_owned()));
    }

    /// The position of a node.
    pub(super) fn position(&self) -> Option<Coordinate> {
        self.position
    }

    /// The nodes of a way.
    pub(super) fn way_nodes(&mut self) -> WayNodes {
        let located = std::mem::take(&mut self.located);
        let is_located = located.iter().any(Option::is_some);
        let located = if is_located { located.into() } else { Box::default() };
        WayNodes { refs: std::mem::take(&mut self.refs).into(), located }
    }

    pub(super) fn geometry(&mut self) -> RawGeometry {
        match self.id.kind {
            ElementKind::Node => RawGeometry::Node(self.position),
            _ if self.centre.is_some() => RawGeometry::Node(self.centre),
            ElementKind::Way => RawGeometry::Way(self.way_nodes()),
            ElementKind::Relation => {
                RawGeometry::Members { ways: std::mem::take(&mut self.ways), nodes: std::mem::take(&mut self.nodes) }
            }
        }
    }
}

fn get<'t>(attributes: &'t [XmlAttribute<'_>], name: &[u8]) -> Option<&'t str> {
    attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| &**value)
}

fn number(attributes: &[XmlAttribute<'_>], name: &[u8]) -> Option<i64> {
    get(attributes, name)?.parse().ok()
}

fn position(attributes: &[XmlAttribute<'_>]) -> Option<Coordinate> {
    let degrees = |name: &[u8]| get(attributes, name)?.parse().ok();
    Coordinate::from_degrees(degrees(b"lat")?, degrees(b"lon")?)
}
