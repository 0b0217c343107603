//! Writes a file of leads a chunk at a time, so that few leads are in memory however many there are.

use super::cell::line;
use super::row::ExportRow;
use super::shape::Shape;
use crate::db::{Db, DbError};
use crate::ids::SearchId;
use crate::lead::{self, LeadList, LeadQuery, Lock};
use crate::owned::Owned;

/// The byte order mark, by which Excel recognises UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Whether a file starts with a byte order mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByteOrderMark {
    /// The file starts with the header row.
    #[default]
    Without,
    /// For Excel.
    With,
}

/// Everything that decides what a file of a search looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileFormat {
    /// Its columns, and which leads it has.
    pub shape: Shape,
    /// How it starts.
    pub mark: ByteOrderMark,
}

/// A file that is being written.
#[derive(Debug)]
pub struct CsvStream {
    shape: Shape,
    lock: Lock,
    leads: LeadList,
    /// Byte order mark and header row, until they have been returned.
    head: Option<String>,
}

/// Why a file ends early.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The leads cannot be read.
    #[error(transparent)]
    Db(#[from] DbError),
    /// The stored text of a lead is damaged.
    #[error("a stored lead cannot be parsed")]
    Damaged(#[from] serde_json::Error),
}

/// Starts a file of the leads of a search of the caller's account.
pub async fn write(db: &Db, search: Owned<SearchId>, format: FileFormat, lock: Lock) -> Result<CsvStream, DbError> {
    let leads = lead::list(db, search, &LeadQuery::default(), lock).await?;
    Ok(write_leads(leads, format, lock))
}

/// Writes leads that were chosen.
pub fn write_leads(leads: LeadList, format: FileFormat, lock: Lock) -> CsvStream {
    let mut head = String::new();
    if format.mark == ByteOrderMark::With {
        head.push(BYTE_ORDER_MARK);
    }
    head.push_str(&line(format.shape.columns()));
    CsvStream { shape: format.shape, lock, leads, head: Some(head) }
}

impl CsvStream {
    /// The next lines; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<String>, WriteError> {
        if let Some(head) = self.head.take() {
            return Ok(Some(head));
        }
        loop {
            let stored = self.leads.next_rows().await?;
            if stored.is_empty() {
                return Ok(None);
            }
            let mut text = String::new();
            for one in &stored {
                let cells = self.shape.cells(&ExportRow::read(one, self.lock)?);
                text.extend(cells.map(line));
            }
            // The channel may leave out every lead of a chunk.
            if !text.is_empty() {
                return Ok(Some(text));
            }
        }
    }
}
