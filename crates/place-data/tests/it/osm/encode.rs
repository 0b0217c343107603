//! Writes small OpenStreetMap files in every format that is read. An encoder of its own, so that the reader is not tested with
//! its own code.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

/// Tags as key and value.
pub(crate) type TestTags = Vec<(String, String)>;

/// An object; what does not apply to its kind is empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct TestObject {
    pub(crate) id: i64,
    pub(crate) tags: TestTags,
    /// Seconds since 1970; 0 for none.
    pub(crate) edited: i64,
    /// Latitude and longitude of a node, in ten-millionths of a degree.
    pub(crate) at: (i64, i64),
    /// Nodes of a way.
    pub(crate) refs: Vec<i64>,
    /// Members of a relation: 0 node, 1 way, 2 relation, and the id.
    pub(crate) members: Vec<(u8, i64)>,
}

/// A little map.
#[derive(Clone, Debug, Default)]
pub(crate) struct TestMap {
    pub(crate) nodes: Vec<TestObject>,
    pub(crate) ways: Vec<TestObject>,
    pub(crate) relations: Vec<TestObject>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestCompression {
    Raw,
    Zlib,
    Lz4,
    Zstd,
}

/// How a PBF file is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PbfStyle {
    pub(crate) compression: TestCompression,
    pub(crate) has_dense_nodes: bool,
    pub(crate) has_locations_on_ways: bool,
    /// Objects in each block.
    pub(crate) block_objects: usize,
}

impl Default for PbfStyle {
    fn default() -> PbfStyle {
        PbfStyle {
            compression: TestCompression::Zlib,
            has_dense_nodes: true,
            has_locations_on_ways: false,
            block_objects: 3,
        }
    }
}

pub(crate) fn object(id: i64, tags: &[(&str, &str)]) -> TestObject {
    let tags = tags.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    TestObject { id, tags, ..TestObject::default() }
}

pub(crate) fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub(crate) fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

pub(crate) fn number_field(out: &mut Vec<u8>, field: u64, number: u64) {
    varint(out, field << 3);
    varint(out, number);
}

pub(crate) fn bytes_field(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    varint(out, field << 3 | 2);
    varint(out, bytes.len() as u64);
    out.extend(bytes);
}

fn packed(numbers: impl IntoIterator<Item = u64>) -> Vec<u8> {
    let mut out = Vec::new();
    numbers.into_iter().for_each(|number| varint(&mut out, number));
    out
}

fn deltas(numbers: impl IntoIterator<Item = i64>) -> Vec<u8> {
    let mut last = 0;
    packed(numbers.into_iter().map(|number| {
        let step = zigzag(number - last);
        last = number;
        step
    }))
}

/// A blob with its header.
pub(crate) fn blob(kind: &str, data: &[u8], compression: TestCompression) -> Vec<u8> {
    let mut content = Vec::new();
    match compression {
        TestCompression::Raw => bytes_field(&mut content, 1, data),
        _ => number_field(&mut content, 2, data.len() as u64),
    }
    match compression {
        TestCompression::Raw => {}
        TestCompression::Zlib => bytes_field(&mut content, 3, &zlib(data)),
        TestCompression::Lz4 => bytes_field(&mut content, 6, &lz4_literals(data)),
        TestCompression::Zstd => bytes_field(&mut content, 7, &zstd::bulk::compress(data, 3).unwrap()),
    }
    frame(kind, &content)
}

/// The header of a blob, and its content.
pub(crate) fn frame(kind: &str, content: &[u8]) -> Vec<u8> {
    let mut header = Vec::new();
    bytes_field(&mut header, 1, kind.as_bytes());
    number_field(&mut header, 3, content.len() as u64);
    let mut out = (header.len() as u32).to_be_bytes().to_vec();
    out.extend(header);
    out.extend(content);
    out
}

pub(crate) fn zlib(data: &[u8]) -> Vec<u8> {
    let mut compressor = libdeflater::Compressor::new(libdeflater::CompressionLvl::default());
    let mut out = vec![0; compressor.zlib_compress_bound(data.len())];
    let length = compressor.zlib_compress(data, &mut out).unwrap();
    out.truncate(length);
    out
}

/// An LZ4 block of one long literal.
fn lz4_literals(data: &[u8]) -> Vec<u8> {
    let mut out = vec![(data.len().min(15) as u8) << 4];
    if let Some(mut rest) = data.len().checked_sub(15) {
        while rest >= 255 {
            out.push(255);
            rest -= 255;
        }
        out.push(rest as u8);
    }
    out.extend(data);
    out
}

/// The header of a file that needs these features.
pub(crate) fn file_header(features: &[&str], compression: TestCompression) -> Vec<u8> {
    let mut header = Vec::new();
    features.iter().for_each(|feature| bytes_field(&mut header, 4, feature.as_bytes()));
    blob("OSMHeader", &header, compression)
}

/// Texts of a block, by index.
struct Strings(Vec<String>);

impl Strings {
    fn index(&mut self, text: &str) -> u64 {
        let known = self.0.iter().position(|known| known == text);
        known.unwrap_or_else(|| {
            self.0.push(text.to_owned());
            self.0.len() - 1
        }) as u64
    }
}

/// Writes the objects of a block that are of one kind.
struct BlockWriter<'m> {
    map: &'m TestMap,
    kind: Kind,
    style: PbfStyle,
    strings: Strings,
}

impl BlockWriter<'_> {
    fn message(&mut self, object: &TestObject) -> Vec<u8> {
        let mut out = Vec::new();
        number_field(&mut out, 1, if self.kind == Kind::Node { zigzag(object.id) } else { object.id as u64 });
        let keys: Vec<u64> = object.tags.iter().map(|(key, _)| self.strings.index(key)).collect();
        let values: Vec<u64> = object.tags.iter().map(|(_, value)| self.strings.index(value)).collect();
        bytes_field(&mut out, 2, &packed(keys));
        bytes_field(&mut out, 3, &packed(values));
        let mut info = Vec::new();
        number_field(&mut info, 2, object.edited as u64);
        bytes_field(&mut out, 4, &info);
        match self.kind {
            Kind::Node => {
                number_field(&mut out, 8, zigzag(object.at.0));
                number_field(&mut out, 9, zigzag(object.at.1));
            }
            Kind::Way => {
                bytes_field(&mut out, 8, &deltas(object.refs.iter().copied()));
                if self.style.has_locations_on_ways {
                    let at: Vec<(i64, i64)> = object.refs.iter().map(|id| self.map.position(*id)).collect();
                    bytes_field(&mut out, 9, &deltas(at.iter().map(|at| at.0)));
                    bytes_field(&mut out, 10, &deltas(at.iter().map(|at| at.1)));
                }
            }
            Kind::Relation => {
                bytes_field(&mut out, 8, &packed(object.members.iter().map(|_| 0)));
                bytes_field(&mut out, 9, &deltas(object.members.iter().map(|(_, id)| *id)));
                bytes_field(&mut out, 10, &packed(object.members.iter().map(|(kind, _)| u64::from(*kind))));
            }
        }
        out
    }
}

impl TestMap {
    pub(crate) fn pbf(&self, style: PbfStyle) -> Vec<u8> {
        let mut out = file_header(&["OsmSchema-V0.6", "DenseNodes"], style.compression);
        for nodes in self.nodes.chunks(style.block_objects) {
            out.extend(self.block(nodes, Kind::Node, style));
        }
        for ways in self.ways.chunks(style.block_objects) {
            out.extend(self.block(ways, Kind::Way, style));
        }
        for relations in self.relations.chunks(style.block_objects) {
            out.extend(self.block(relations, Kind::Relation, style));
        }
        out
    }

    fn block(&self, objects: &[TestObject], kind: Kind, style: PbfStyle) -> Vec<u8> {
        let mut writer = BlockWriter { map: self, kind, style, strings: Strings(vec![String::new()]) };
        let mut group = Vec::new();
        if kind == Kind::Node && style.has_dense_nodes {
            bytes_field(&mut group, 2, &dense(objects, &mut writer.strings));
        } else {
            for object in objects {
                let message = writer.message(object);
                bytes_field(&mut group, kind as u64, &message);
            }
        }
        let mut table = Vec::new();
        writer.strings.0.iter().for_each(|text| bytes_field(&mut table, 1, text.as_bytes()));
        let mut block = Vec::new();
        bytes_field(&mut block, 1, &table);
        bytes_field(&mut block, 2, &group);
        blob("OSMData", &block, style.compression)
    }

    fn position(&self, id: i64) -> (i64, i64) {
        self.nodes.iter().find(|node| node.id == id).unwrap().at
    }

    pub(crate) fn xml(&self) -> String {
        let mut out =
            String::from("<?xml version='1.0' encoding='UTF-8'?>\n<osm version=\"0.6\" generator=\"test\">\n");
        let tagged = |out: &mut String, object: &TestObject| {
            for (key, value) in &object.tags {
                writeln!(out, "  <tag k=\"{}\" v=\"{}\"/>", escaped(key), escaped(value)).unwrap();
            }
        };
        for node in &self.nodes {
            let (latitude, longitude) = (node.at.0 as f64 / 1e7, node.at.1 as f64 / 1e7);
            writeln!(out, " <node id=\"{}\" lat=\"{latitude}\" lon=\"{longitude}\"{}>", node.id, time(node)).unwrap();
            tagged(&mut out, node);
            out.push_str(" </node>\n");
        }
        for way in &self.ways {
            writeln!(out, " <way id=\"{}\"{}>", way.id, time(way)).unwrap();
            way.refs.iter().for_each(|id| writeln!(out, "  <nd ref=\"{id}\"/>").unwrap());
            tagged(&mut out, way);
            out.push_str(" </way>\n");
        }
        for relation in &self.relations {
            writeln!(out, " <relation id=\"{}\"{}>", relation.id, time(relation)).unwrap();
            for (kind, id) in &relation.members {
                let kind = ["node", "way", "relation"][usize::from(*kind)];
                writeln!(out, "  <member type=\"{kind}\" ref=\"{id}\" role=\"outer\"/>").unwrap();
            }
            tagged(&mut out, relation);
            out.push_str(" </relation>\n");
        }
        out + "</osm>\n"
    }

    pub(crate) fn bzip2(&self) -> Vec<u8> {
        bzip2(self.xml().as_bytes())
    }
}

pub(crate) fn bzip2(data: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// Kinds of objects, by the number of their field in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Node = 1,
    Way = 3,
    Relation = 4,
}

fn dense(nodes: &[TestObject], strings: &mut Strings) -> Vec<u8> {
    let mut tags = Vec::new();
    for node in nodes {
        for (key, value) in &node.tags {
            tags.extend([strings.index(key), strings.index(value)]);
        }
        tags.push(0);
    }
    let mut info = Vec::new();
    bytes_field(&mut info, 2, &deltas(nodes.iter().map(|node| node.edited)));
    let mut out = Vec::new();
    bytes_field(&mut out, 1, &deltas(nodes.iter().map(|node| node.id)));
    bytes_field(&mut out, 5, &info);
    bytes_field(&mut out, 8, &deltas(nodes.iter().map(|node| node.at.0)));
    bytes_field(&mut out, 9, &deltas(nodes.iter().map(|node| node.at.1)));
    bytes_field(&mut out, 10, &packed(tags));
    out
}

fn time(object: &TestObject) -> String {
    let times: BTreeMap<i64, &str> =
        BTreeMap::from([(1_700_000_000, "2023-11-14T22:13:20Z"), (1_577_836_800, "2020-01-01T00:00:00Z")]);
    times.get(&object.edited).map(|time| format!(" timestamp=\"{time}\"")).unwrap_or_default()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
