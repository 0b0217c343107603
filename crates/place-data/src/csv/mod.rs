//! CSV files with any header: what encoding and delimiter a file has and which column holds what is found out, and can be
//! overruled.

mod decode;
mod detect;
mod inspect;
mod read;
mod split;

pub use inspect::{Inspection, inspect};
pub use read::{Options, read};

pub use crate::columns::{Field, Mapping};
