//! Leads as CSV (RFC 4180): one row each, written as they are read, with cells that no spreadsheet mistakes for formulas.

mod cell;
mod full;

pub use full::{FULL_COLUMNS, full_row};

use crate::lead::{Lead, Lock, Shown};
use crate::signals::Reason;

/// A lead with its score, as a row is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The lead.
    pub lead: Lead,
    /// Its score, when the account may see it.
    pub premium: Option<Premium>,
}

/// The part of a lead that Signals+ opens.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct Premium {
    /// 0 to 100.
    pub score: i64,
    /// Why.
    pub reasons: Vec<Reason>,
}

impl Row {
    /// Reads a stored lead.
    pub fn read(stored: &Shown, lock: Lock) -> Result<Row, serde_json::Error> {
        let lead = crate::lead::parse(&stored.body)?;
        let premium = match lock {
            Lock::Open => Some(serde_json::from_str(&format!("{{{}}}", stored.premium))?),
            Lock::Premium => None,
        };
        Ok(Row { lead, premium })
    }
}

/// A line of CSV: its cells guarded and quoted, ended by CRLF.
pub fn line<C: AsRef<str>>(cells: impl IntoIterator<Item = C>) -> String {
    let mut line = String::new();
    for (place, cell) in cells.into_iter().enumerate() {
        if place > 0 {
            line.push(',');
        }
        cell::write(&mut line, cell.as_ref());
    }
    line.push_str("\r\n");
    line
}
