//! Files that are damaged, cut off, lying or made to do harm: an error that says where, no panic, no flood of memory.

use place_data::Error;
use proptest::prelude::*;

use super::encode::{
    PbfStyle, TestCompression, TestMap, TestObject, blob, bytes_field, file_header, frame, number_field, object,
    varint, zigzag, zlib,
};
use super::map::map;
use super::{import_bytes, import_file};

/// The message of the error that importing these bytes gives.
fn refused(bytes: &[u8]) -> String {
    let (result, collected, _) = import_bytes(bytes);
    assert!(collected.places.is_empty(), "places of a bad file were passed on");
    match result {
        Err(error @ Error::Malformed { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

/// A file with one block of data, given as it is before compression.
fn with_block(block: &[u8]) -> Vec<u8> {
    [header(), blob("OSMData", block, TestCompression::Zlib)].concat()
}

fn header() -> Vec<u8> {
    file_header(&["OsmSchema-V0.6"], TestCompression::Zlib)
}

/// A block with this one node, whose keys and values are indexes.
fn block_with_node(keys: &[u64], values: &[u64], at: i64) -> Vec<u8> {
    let mut table = Vec::new();
    ["", "shop", "bakery", "name", "Alma"].iter().for_each(|text| bytes_field(&mut table, 1, text.as_bytes()));
    let list = |numbers: &[u64]| {
        let mut out = Vec::new();
        numbers.iter().for_each(|number| varint(&mut out, *number));
        out
    };
    let (mut node, mut group, mut block) = (Vec::new(), Vec::new(), Vec::new());
    number_field(&mut node, 1, zigzag(1));
    bytes_field(&mut node, 2, &list(keys));
    bytes_field(&mut node, 3, &list(values));
    number_field(&mut node, 8, zigzag(at));
    number_field(&mut node, 9, zigzag(at));
    bytes_field(&mut group, 1, &node);
    bytes_field(&mut block, 1, &table);
    bytes_field(&mut block, 2, &group);
    block
}

#[test]
fn a_file_cut_off_anywhere_is_refused_or_ends_between_two_blocks() {
    let whole = map().pbf(PbfStyle { block_objects: 8, ..PbfStyle::default() });
    let complete = (0..whole.len()).filter(|length| import_bytes(&whole[..*length]).0.is_ok()).count();
    // Between two of its blocks nothing tells that something is missing.
    assert!(complete < 10, "{complete} of {} lengths were taken for a whole file", whole.len());
    let message = refused(&whole[..whole.len() - 1]);
    assert!(message.contains(", block ") && message.contains("(byte ") && message.contains("cut off"), "{message}");
}

#[test]
fn xml_and_bzip2_cut_off_anywhere_are_refused() {
    let whole = map().xml();
    let end = whole.rfind("</osm>").unwrap() + "</osm>".len();
    for length in (1..end).step_by(37) {
        refused(&whole.as_bytes()[..length]);
    }
    let message = refused(&whole.as_bytes()[..end - 7]);
    assert!(message.contains("byte ") && message.contains("cut off"), "{message}");
    let packed = map().bzip2();
    for length in (4..packed.len()).step_by(13) {
        refused(&packed[..length]);
    }
    let message = refused(&packed[..packed.len() - 5]);
    assert!(message.contains("of the decompressed text: the bzip2 data is damaged or cut off"), "{message}");
}

#[test]
fn a_file_of_another_kind_is_named_for_what_it_is() {
    for (bytes, expected) in [
        (&b""[..], "is empty; expected an OpenStreetMap extract: .osm.pbf, .osm or .osm.bz2"),
        (b"PK\x03\x04....", "is a ZIP archive"),
        (b"\x1f\x8b\x08\x00", "is compressed with gzip"),
        (b"\xff\xe0\x04o5m2", "is in the o5m format"),
        (b"{\"elements\": []}", "is in none of the formats"),
        (b"PAR1", "is in none of the formats"),
        (b"<html><body>Not found</body></html>", "begins with <html>, not <osm>"),
        (b"<osmChange version='0.6'></osmChange>", "lists changes (.osc)"),
        (b"<?xml version='1.0'?>", "has no <osm> element"),
        (b"<osm><node id='x'/></osm>", "an object without a valid id"),
        (b"<osm><way id='1'><nd ref='abc'/></way></osm>", "a reference without a valid id"),
        (b"<osm><node id='1'></osm>", "is not valid XML"),
        (b"<osm><node id='\xff'/></osm>", "is not valid XML"),
    ] {
        let message = refused(bytes);
        assert!(message.contains(expected), "{message}");
    }
    let (result, ..) = import_file(std::path::Path::new("/nowhere/at/all.osm.pbf"));
    assert!(result.unwrap_err().to_string().starts_with("/nowhere/at/all.osm.pbf: "));
}

#[test]
fn sizes_that_lie_are_refused() {
    let oversized_header = [header(), vec![0xff, 0xff, 0xff, 0xff, 1, 2, 3]].concat();
    assert!(refused(&oversized_header).contains("block 2 (byte "), "{}", refused(&oversized_header));
    assert!(refused(&oversized_header).contains("the header of a block claims 4294967295 bytes"));
    let mut claim = Vec::new();
    bytes_field(&mut claim, 1, b"OSMData");
    number_field(&mut claim, 3, 4_000_000_000);
    let oversized_blob = [header(), (claim.len() as u32).to_be_bytes().to_vec(), claim].concat();
    assert!(refused(&oversized_blob).contains("a block claims 4000000000 bytes; at most 33554432"));
    let unpacked = |size: u64, data: &[u8]| {
        let mut content = Vec::new();
        number_field(&mut content, 2, size);
        bytes_field(&mut content, 3, &zlib(data));
        [header(), frame("OSMData", &content)].concat()
    };
    assert!(refused(&unpacked(1 << 40, b"")).contains("at most 33554432 are allowed"));
    assert!(refused(&unpacked(u64::MAX, b"")).contains("at most 33554432 are allowed"));
    // A bomb: far more comes out than the block says.
    assert!(refused(&unpacked(1000, &vec![0; 20_000_000])).contains("the compressed data of a block is damaged"));
    assert!(refused(&unpacked(1000, &[0; 999])).contains("the compressed data of a block is damaged"));
}

#[test]
fn blocks_that_contradict_themselves_are_refused() {
    let good = block_with_node(&[1, 3], &[2, 4], 5);
    assert!(import_bytes(&with_block(&good)).0.is_ok());
    for (keys, values, expected) in [
        (&[1, 3][..], &[2, 99][..], "a string that its block does not have"),
        (&[1, 1 << 40], &[2, 2], "a string that its block does not have"),
        (&[1, 3], &[2], "more keys than values"),
    ] {
        let message = refused(&with_block(&block_with_node(keys, values, 5)));
        assert!(message.contains(expected) && message.contains("block 2"), "{message}");
    }
    assert!(refused(&with_block(&good[..good.len() - 1])).contains("longer than its message"));
    assert!(refused(&with_block(&[0x0f])).contains("unknown wire type"));
    assert!(refused(&with_block(&[0xff; 11])).contains("a number does not end"));
    assert!(refused(&with_block(&[0; 100])).contains("a field has the number 0"));
    assert!(refused(&with_block(&[0x12, 0].repeat(2_000_000))).contains("a list has more than 1048576 items"));
    assert!(refused(&[header(), frame("OSMData", &[])].concat()).contains("a block has no data"));
    let mut lzma = Vec::new();
    number_field(&mut lzma, 2, 10);
    bytes_field(&mut lzma, 4, b"x");
    assert!(refused(&[header(), frame("OSMData", &lzma)].concat()).contains("LZMA"));
    for (feature, expected) in
        [("HistoricalInformation", "the history of the map"), ("Magic", "needs the feature \"Magic\"")]
    {
        let message = refused(&file_header(&["OsmSchema-V0.6", feature], TestCompression::Raw));
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn coordinates_off_the_globe_are_skipped() {
    for at in [900_000_001, 1_800_000_001, i64::MAX, i64::MIN] {
        let mut block = block_with_node(&[1, 3], &[2, 4], at);
        number_field(&mut block, 19, i64::MAX as u64);
        let (result, collected, skipped) = import_bytes(&with_block(&block));
        result.unwrap();
        assert!(collected.places.is_empty());
        assert_eq!(skipped.0["coordinates missing or out of range"].examples, ["n1"]);
    }
    for (latitude, longitude) in [("91", "0"), ("NaN", "0"), ("inf", "0"), ("0", "-180.1"), ("", "0"), ("1e400", "1")] {
        let text = format!(
            "<osm><node id='1' lat='{latitude}' lon='{longitude}'><tag k='shop' v='toys'/><tag k='name' v='A'/></node></osm>"
        );
        let (result, collected, skipped) = import_bytes(text.as_bytes());
        result.unwrap();
        assert!(collected.places.is_empty(), "{latitude} {longitude}");
        assert_eq!(skipped.0["coordinates missing or out of range"].count, 1);
    }
}

/// A map with a bookshop that has this much to say.
fn talkative(bytes: usize) -> TestMap {
    let name = "x".repeat(bytes);
    TestMap { nodes: vec![object(1, &[("shop", "books"), ("name", &name)])], ..TestMap::default() }
}

#[test]
fn values_of_ten_megabytes_are_skipped_and_elements_beyond_reason_refused() {
    let huge = talkative(10_000_000);
    for bytes in [huge.pbf(PbfStyle::default()), huge.xml().into_bytes(), huge.bzip2()] {
        let (result, collected, skipped) = import_bytes(&bytes);
        result.unwrap();
        assert!(collected.places.is_empty());
        assert_eq!(skipped.0["a tag longer than 4,096 bytes, or tags of more than 32 KiB"].examples, ["n1"]);
    }
    let message = refused(talkative(40_000_000).xml().as_bytes());
    assert!(message.contains("a tag or text has more than 32 MiB"), "{message}");
    let many: Vec<(String, String)> = (0..2000).map(|n| (format!("name:x{n}"), "y".repeat(50))).collect();
    let mut map = talkative(3);
    map.nodes[0].tags.extend(many.iter().map(|(key, value)| (key.replace(char::is_numeric, ""), value.clone())));
    for bytes in [map.pbf(PbfStyle::default()), map.xml().into_bytes()] {
        assert_eq!(import_bytes(&bytes).2.0.len(), 0, "keys that are not read do not count");
    }
    map.nodes[0].tags.iter_mut().skip(2).for_each(|(key, _)| *key = "name:sv".to_owned());
    for bytes in [map.pbf(PbfStyle::default()), map.xml().into_bytes()] {
        assert_eq!(import_bytes(&bytes).2.0.len(), 1);
    }
}

#[test]
fn a_way_with_more_nodes_than_the_map_allows_is_skipped() {
    let way = TestObject { refs: vec![7; 150_000], ..object(1, &[("shop", "books"), ("name", "Spiral")]) };
    let map = TestMap { ways: vec![way], ..TestMap::default() };
    for bytes in [map.pbf(PbfStyle::default()), map.xml().into_bytes()] {
        let (result, _, skipped) = import_bytes(&bytes);
        result.unwrap();
        assert_eq!(skipped.0["more than 100,000 nodes or members"].examples, ["w1"]);
    }
}

#[test]
fn an_object_with_more_tags_than_the_map_allows_is_skipped() {
    let bytes = with_block(&block_with_node(&[1; 100_000], &[2; 100_000], 5));
    let (result, _, skipped) = import_bytes(&bytes);
    result.unwrap();
    assert_eq!(skipped.0["more than 4,096 tags"].examples, ["n1"]);
}

#[test]
fn an_error_is_one_line_whatever_the_file_quotes() {
    let message = refused(format!("<osm><node id='1'></no\nde{}></osm>", "x".repeat(10_000)).as_bytes());
    assert!(!message.contains('\n') && message.len() < 1_200, "{message}");
}

#[test]
fn entities_are_not_expanded_and_depth_is_limited() {
    let laughs = "<!DOCTYPE osm [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>\
        <osm><node id='1' lat='1' lon='1'><tag k='shop' v='&b;'/></node></osm>";
    assert!(refused(laughs.as_bytes()).contains("document type declaration"));
    let entity = "<osm><node id='1' lat='1' lon='1'><tag k='shop' v='&b;'/></node></osm>";
    assert!(refused(entity.as_bytes()).contains("is not valid XML"));
    let deep = format!("<osm>{}", "<a>".repeat(100_000));
    assert!(refused(deep.as_bytes()).contains("nested more than 16 deep"));
}

#[test]
fn text_that_is_not_unicode_is_left_out() {
    let mut block = block_with_node(&[1, 3], &[2, 4], 5);
    let name = block.windows(4).position(|window| window == b"Alma").unwrap();
    block[name] = 0xff;
    let (result, collected, skipped) = import_bytes(&with_block(&block));
    result.unwrap();
    assert!(collected.places.is_empty());
    assert_eq!(skipped.0["no name, brand or operator"].count, 1);
}

#[test]
fn the_first_error_of_a_file_is_reported_whichever_thread_finds_one_first() {
    let mut bytes = header();
    for number in 0..200_u64 {
        let block = block_with_node(&[1, 3], &[2, if number % 2 == 0 { 4 } else { 99 }], 5);
        bytes.extend(blob("OSMData", &block, TestCompression::Zlib));
    }
    for _ in 0..20 {
        let message = refused(&bytes);
        assert!(message.contains("block 3 "), "{message}");
    }
}

fn is_harmless(bytes: &[u8]) -> Result<(), TestCaseError> {
    match import_bytes(bytes).0 {
        Ok(()) => Ok(()),
        Err(Error::Malformed { .. }) => Ok(()),
        Err(other) => Err(TestCaseError::fail(format!("{other:?}"))),
    }
}

fn mutated(mut bytes: Vec<u8>, changes: &[(prop::sample::Index, u8)]) -> Vec<u8> {
    for (index, byte) in changes {
        let at = index.index(bytes.len());
        bytes[at] = *byte;
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn no_change_of_bytes_makes_the_reader_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        compression in prop::sample::select(vec![TestCompression::Raw, TestCompression::Zlib, TestCompression::Lz4, TestCompression::Zstd]),
        has_dense_nodes in any::<bool>(),
    ) {
        let style = PbfStyle { compression, has_dense_nodes, has_locations_on_ways: false, block_objects: 30 };
        is_harmless(&mutated(map().pbf(style), &changes))?;
    }

    #[test]
    fn no_change_of_text_makes_the_reader_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        is_packed in any::<bool>(),
    ) {
        let bytes = if is_packed { map().bzip2() } else { map().xml().into_bytes() };
        is_harmless(&mutated(bytes, &changes))?;
    }

    #[test]
    fn no_bytes_in_a_block_make_the_reader_panic(block in prop::collection::vec(any::<u8>(), 0..300)) {
        is_harmless(&with_block(&block))?;
    }
}
