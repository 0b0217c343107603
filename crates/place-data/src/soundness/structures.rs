//! What the Parquet format says of the parts of a file that are checked: the kind of each field, by its number. Fields that the
//! decoder does not read are left out: it skips them by the kinds that the file states.

use super::thrift::Kind::{self, Byte, Bytes, Double, Flag, List, Number, Size, Structure};

/// The fields of a structure. The numbers of most go up without gaps.
pub(super) type Fields = &'static [(i16, Kind)];

/// What lies at the end of a file.
pub(super) const FILE_METADATA: Fields = &[
    (1, Number),
    (2, List(&Structure(SCHEMA_ELEMENT))),
    (3, Number),
    (4, List(&Structure(ROW_GROUP))),
    (5, List(&Structure(KEY_VALUE))),
    (6, Bytes),
    (7, List(&Structure(COLUMN_ORDER))),
];

/// What lies before the data of each page. The statistics in it are not read.
pub(super) const PAGE_HEADER: Fields = &[
    (1, Number),
    (2, Number),
    (3, Size),
    (4, Number),
    (5, Structure(&[(1, Number), (2, Number), (3, Number), (4, Number)])),
    (6, Structure(&[])),
    (7, Structure(&[(1, Number), (2, Number), (3, Flag)])),
    (8, Structure(&[(1, Number), (2, Number), (3, Number), (4, Number), (5, Number), (6, Number), (7, Flag)])),
];

/// Which values the pages of a column hold.
pub(super) const COLUMN_INDEX: Fields = &[
    (1, List(&Flag)),
    (2, List(&Bytes)),
    (3, List(&Bytes)),
    (4, Number),
    (5, List(&Number)),
    (6, List(&Number)),
    (7, List(&Number)),
    (8, List(&Number)),
];

/// Where the pages of a column lie.
pub(super) const OFFSET_INDEX: Fields =
    &[(1, List(&Structure(&[(1, Number), (2, Number), (3, Number)]))), (2, List(&Number))];

const SCHEMA_ELEMENT: Fields = &[
    (1, Number),
    (2, Number),
    (3, Number),
    (4, Bytes),
    (5, Number),
    (6, Number),
    (7, Number),
    (8, Number),
    (9, Number),
    (10, Structure(LOGICAL_TYPE)),
];

/// Most say nothing but that it is they.
const LOGICAL_TYPE: Fields = &[
    (1, Structure(&[])),
    (2, Structure(&[])),
    (3, Structure(&[])),
    (4, Structure(&[])),
    (5, Structure(&[(1, Number), (2, Number)])),
    (6, Structure(&[])),
    (7, Structure(TIME_TYPE)),
    (8, Structure(TIME_TYPE)),
    (10, Structure(&[(1, Byte), (2, Flag)])),
    (11, Structure(&[])),
    (12, Structure(&[])),
    (13, Structure(&[])),
    (14, Structure(&[])),
    (15, Structure(&[])),
    (16, Structure(&[(1, Byte)])),
    (17, Structure(&[(1, Bytes)])),
    (18, Structure(&[(1, Bytes), (2, Number)])),
    (19, Structure(&[])),
];

const TIME_TYPE: Fields =
    &[(1, Flag), (2, Structure(&[(1, Structure(&[])), (2, Structure(&[])), (3, Structure(&[]))]))];

const ROW_GROUP: Fields = &[
    (1, List(&Structure(COLUMN_CHUNK))),
    (2, Number),
    (3, Number),
    (4, List(&Structure(&[(1, Number), (2, Flag), (3, Flag)]))),
    (5, Number),
    (7, Number),
];

const COLUMN_CHUNK: Fields =
    &[(1, Bytes), (2, Number), (3, Structure(COLUMN_METADATA)), (4, Number), (5, Number), (6, Number), (7, Number)];

const COLUMN_METADATA: Fields = &[
    (1, Number),
    (2, List(&Number)),
    (4, Number),
    (5, Number),
    (6, Number),
    (7, Number),
    (9, Number),
    (10, Number),
    (11, Number),
    (12, Structure(STATISTICS)),
    (13, List(&Structure(&[(1, Number), (2, Number), (3, Number)]))),
    (14, Number),
    (15, Number),
    (16, Structure(&[(1, Number), (2, List(&Number)), (3, List(&Number))])),
    (17, Structure(&[(1, Structure(BOX)), (2, List(&Number))])),
];

const STATISTICS: Fields =
    &[(1, Bytes), (2, Bytes), (3, Number), (4, Number), (5, Bytes), (6, Bytes), (7, Flag), (8, Flag), (9, Number)];

const BOX: Fields =
    &[(1, Double), (2, Double), (3, Double), (4, Double), (5, Double), (6, Double), (7, Double), (8, Double)];

const KEY_VALUE: Fields = &[(1, Bytes), (2, Bytes)];

const COLUMN_ORDER: Fields = &[(1, Structure(&[])), (2, Structure(&[])), (3, Structure(&[]))];
