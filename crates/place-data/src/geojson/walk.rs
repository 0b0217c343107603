//! Walks over the features of a file, one at a time, however large it is.

use std::cell::Cell;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::feature::FeatureReader;
use crate::import::open_input;
use crate::{Error, Import};

/// Bytes of one feature.
const FEATURE_BYTES_MAX: u64 = 16 << 20;
/// Bytes read at a time.
const BUFFER_BYTES: usize = 64 * 1024;
/// Features between two reports of progress.
const PROGRESS_FEATURES: u64 = 256;
/// Begins a record in a text sequence (RFC 8142); never part of JSON.
const RECORD_SEPARATOR: u8 = 0x1e;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// Bytes at the start of a file that tell whether it is text at all.
const START_BYTES: u64 = 4;

const EXPECTED: &str = "expected GeoJSON: a FeatureCollection, a Feature, or one Feature on each line";

/// Reads all features of a file.
pub(super) fn features(path: &Path, reader: FeatureReader, import: &mut Import<'_>) -> Result<(), Error> {
    let meter = Rc::new(Meter::default());
    let input = MeteredFile::open(path, meter.clone())?;
    let mut walk = Walk { import, reader, meter, number: 0, failure: None };
    let mut json = serde_json::Deserializer::from_reader(BufReader::with_capacity(BUFFER_BYTES, input));
    let mut documents = 0;
    loop {
        match json.end() {
            Ok(()) if documents > 0 => return walk.import.progress(walk.meter.read.get()),
            Ok(()) => {
                return Err(Error::malformed(path.display().to_string(), format!("is empty; {EXPECTED}")));
            }
            // Anything but the end: there is more, or the file cannot be read, which the next step finds out too.
            Err(_) => documents += 1,
        }
        if let Err(error) = (Document { walk: &mut walk }).deserialize(&mut json) {
            return Err(walk.failure(path, &error));
        }
    }
}

/// How much of a file was read.
#[derive(Default)]
struct Meter {
    /// Bytes of the file.
    read: Cell<u64>,
    /// Bytes since the last feature.
    since_feature: Cell<u64>,
}

/// A file that ends with an error when a feature is too long.
struct MeteredFile {
    file: File,
    meter: Rc<Meter>,
}

impl MeteredFile {
    fn open(path: &Path, meter: Rc<Meter>) -> Result<MeteredFile, Error> {
        let mut file = open_input(path)?;
        let mut start = Vec::new();
        file.by_ref().take(START_BYTES).read_to_end(&mut start).map_err(Error::io(path))?;
        let problem = match start.as_slice() {
            [0x1f, 0x8b, ..] => Some("is compressed with gzip: unpack it first"),
            [b'P', b'K', 3, 4] => Some("is a ZIP archive: unpack it first"),
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("is encoded in UTF-16: save it in UTF-8"),
            _ => None,
        };
        if let Some(problem) = problem {
            return Err(Error::malformed(path.display().to_string(), format!("{problem}; {EXPECTED}")));
        }
        let mark = if start.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() as u64 } else { 0 };
        file.seek(SeekFrom::Start(mark)).map_err(Error::io(path))?;
        Ok(MeteredFile { file, meter })
    }
}

impl Read for MeteredFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.meter.since_feature.get() > FEATURE_BYTES_MAX {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let read = self.file.read(buffer)?;
        self.meter.read.update(|total| total + read as u64);
        self.meter.since_feature.update(|total| total + read as u64);
        for byte in buffer[..read].iter_mut().filter(|byte| **byte == RECORD_SEPARATOR) {
            *byte = b'\n';
        }
        Ok(read)
    }
}

/// A walk over the features of a file.
struct Walk<'w, 'i> {
    import: &'w mut Import<'i>,
    reader: FeatureReader,
    meter: Rc<Meter>,
    /// Features so far.
    number: u64,
    /// Why the walk ended, when it was not the file's fault.
    failure: Option<Error>,
}

impl Walk<'_, '_> {
    fn take<E: serde::de::Error>(&mut self, feature: &Value) -> Result<(), E> {
        self.number += 1;
        self.meter.since_feature.set(0);
        let mut taken = self.reader.take(feature, self.number, self.import);
        if taken.is_ok() && self.number.is_multiple_of(PROGRESS_FEATURES) {
            taken = self.import.progress(self.meter.read.get());
        }
        taken.map_err(|error| {
            self.failure = Some(error);
            E::custom("the import ended")
        })
    }

    /// Why the walk ended.
    fn failure(self, path: &Path, error: &serde_json::Error) -> Error {
        let after = match self.number {
            0 => String::new(),
            number => format!(", after feature {number}"),
        };
        let at = format!("line {}, column {}{after}", error.line(), error.column());
        let file = path.display().to_string();
        match (self.failure, error.io_error_kind()) {
            (Some(failure), _) => failure,
            (None, Some(io::ErrorKind::FileTooLarge)) => {
                Error::malformed_at(file, at, "a feature has more than 16 MiB")
            }
            (None, Some(kind)) => Error::io(path)(kind.into()),
            (None, None) if error.is_eof() => Error::malformed_at(file, at, "the file is cut off"),
            (None, None) => {
                let text = error.to_string();
                let problem = text.split(" at line ").next().unwrap_or_default();
                Error::malformed_at(file, at, format!("{problem}; {EXPECTED}"))
            }
        }
    }
}

/// A value at the top of a file.
struct Document<'d, 'w, 'i> {
    walk: &'d mut Walk<'w, 'i>,
}

impl<'de> DeserializeSeed<'de> for Document<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of GeoJSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut members = Map::new();
        let mut has_features = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "features" => {
                    map.next_value_seed(Features { walk: self.walk })?;
                    has_features = true;
                }
                "type" | "id" | "geometry" | "properties" => {
                    members.insert(key, map.next_value()?);
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        match members.get("type").and_then(Value::as_str) {
            Some("Feature") => self.walk.take(&Value::Object(members)),
            _ if has_features => Ok(()),
            Some("FeatureCollection") => Err(A::Error::custom("a FeatureCollection without features")),
            _ => Err(A::Error::custom("neither a FeatureCollection nor a Feature")),
        }
    }
}

/// The features of a collection.
struct Features<'f, 'w, 'i> {
    walk: &'f mut Walk<'w, 'i>,
}

impl<'de> DeserializeSeed<'de> for Features<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Features<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of features")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut features: A) -> Result<(), A::Error> {
        while let Some(feature) = features.next_element::<Value>()? {
            self.walk.take(&feature)?;
        }
        Ok(())
    }
}
