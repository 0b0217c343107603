//! The protobuf wire format, as far as OpenStreetMap's files use it. Reads any bytes without panicking or allocating.

/// What is wrong with the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::osm) struct Corrupt(pub(in crate::osm) String);

impl From<&str> for Corrupt {
    fn from(problem: &str) -> Corrupt {
        Corrupt(problem.to_owned())
    }
}

/// Bytes of the longest varint.
const VARINT_BYTES_MAX: usize = 10;

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldValue<'a> {
    Varint(u64),
    Bytes(&'a [u8]),
    /// Four or eight bytes; no field that is read has this type.
    Fixed,
}

impl<'a> FieldValue<'a> {
    pub(super) fn bytes(self) -> Result<&'a [u8], Corrupt> {
        match self {
            FieldValue::Bytes(bytes) => Ok(bytes),
            _ => Err("a field has the wrong type".into()),
        }
    }

    /// A number as protobuf's `int32` and `int64` store it.
    pub(super) fn int(self) -> Result<i64, Corrupt> {
        match self {
            FieldValue::Varint(number) => Ok(number as i64),
            _ => Err("a field has the wrong type".into()),
        }
    }

    /// A number as protobuf's `sint64` stores it.
    pub(super) fn signed(self) -> Result<i64, Corrupt> {
        self.int().map(|number| zigzag(number as u64))
    }
}

/// The fields of a message, as number and value.
pub(super) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn of(message: &'a [u8]) -> Fields<'a> {
        Fields(message)
    }

    fn field(&mut self) -> Result<(u64, FieldValue<'a>), Corrupt> {
        let tag = varint(&mut self.0)?;
        if tag >> 3 == 0 {
            return Err("a field has the number 0".into());
        }
        let value = match tag & 7 {
            0 => FieldValue::Varint(varint(&mut self.0)?),
            1 => self.take(8).map(|_| FieldValue::Fixed)?,
            2 => {
                let length = varint(&mut self.0)?;
                FieldValue::Bytes(self.take(length)?)
            }
            5 => self.take(4).map(|_| FieldValue::Fixed)?,
            _ => return Err("a field has an unknown wire type".into()),
        };
        Ok((tag >> 3, value))
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8], Corrupt> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let (taken, rest) =
            self.0.split_at_checked(length).ok_or_else(|| Corrupt::from("a field is longer than its message"))?;
        self.0 = rest;
        Ok(taken)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, FieldValue<'a>), Corrupt>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

/// The numbers of a packed field.
#[derive(Clone, Default)]
pub(super) struct Packed<'a>(&'a [u8]);

impl<'a> Packed<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Packed<'a> {
        Packed(bytes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next number; `None` at the end.
    pub(super) fn number(&mut self) -> Result<Option<u64>, Corrupt> {
        if self.0.is_empty() { Ok(None) } else { varint(&mut self.0).map(Some) }
    }
}

/// The numbers of a packed field that stores each as the difference to the one before.
#[derive(Clone, Default)]
pub(super) struct Deltas<'a> {
    packed: Packed<'a>,
    last: i64,
}

impl<'a> Deltas<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Deltas<'a> {
        Deltas { packed: Packed(bytes), last: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// The next number; `None` at the end.
    pub(super) fn number(&mut self) -> Result<Option<i64>, Corrupt> {
        let Some(step) = self.packed.number()? else { return Ok(None) };
        self.last = self.last.wrapping_add(zigzag(step));
        Ok(Some(self.last))
    }

    /// All numbers that are left, at most this many.
    pub(super) fn collect(mut self, at_most: usize) -> Result<Vec<i64>, Corrupt> {
        let mut numbers = Vec::new();
        while let Some(number) = self.number()? {
            if numbers.len() == at_most {
                return Err(Corrupt(format!("a list has more than {at_most} items")));
            }
            numbers.push(number);
        }
        Ok(numbers)
    }
}

fn zigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

fn varint(bytes: &mut &[u8]) -> Result<u64, Corrupt> {
    let mut number = 0;
    for (index, byte) in bytes.iter().take(VARINT_BYTES_MAX).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * index);
        if *byte < 0x80 {
            *bytes = &bytes[index + 1..];
            return Ok(number);
        }
    }
    Err("a number does not end".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_sizes_are_read() {
        let mut bytes: &[u8] = &[0x96, 0x01, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(varint(&mut bytes), Ok(150));
        assert_eq!(varint(&mut bytes), Ok(0));
        assert_eq!(varint(&mut bytes), Ok(u64::MAX));
        assert!(varint(&mut bytes).is_err());
        assert_eq!([zigzag(0), zigzag(1), zigzag(2), zigzag(u64::MAX)], [0, -1, 1, i64::MIN]);
    }

    #[test]
    fn a_field_that_claims_more_than_there_is_ends_the_message() {
        let results: Vec<_> = Fields::of(&[0x08, 0x05, 0x12, 0xff, 0xff, 0x03, 0x00]).collect();
        assert_eq!(results[0], Ok((1, FieldValue::Varint(5))));
        assert!(results[1].is_err() && results.len() == 2);
    }
}
