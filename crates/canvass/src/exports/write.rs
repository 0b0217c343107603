//! Writes a file of leads, a few at a time: however many there are, few are held at once.

use super::{Row, Shape, line};
use crate::db::{Db, DbError};
use crate::ids::SearchId;
use crate::lead::{self, Listed, Lock, Wanted};
use crate::owned::Owned;

/// Tells Excel that a file is UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// How the text begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opening {
    /// With the columns.
    #[default]
    Columns,
    /// With a byte order mark before them, for Excel.
    Mark,
}

/// A file on its way.
#[derive(Debug)]
pub struct Sheet {
    shape: Shape,
    lock: Lock,
    listed: Listed,
    /// What is written before the first row, until it is written.
    head: Option<String>,
}

/// A file cannot be written on.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The leads cannot be read.
    #[error(transparent)]
    Db(#[from] DbError),
    /// A lead is stored in a form this version does not know.
    #[error("a stored lead cannot be read")]
    Stored(#[from] serde_json::Error),
}

/// Begins a file of the leads of a search of the caller's account.
pub async fn write(db: &Db, search: Owned<SearchId>, look: (Shape, Opening), lock: Lock) -> Result<Sheet, DbError> {
    let (shape, opening) = look;
    let listed = lead::list(db, search, &Wanted::default(), lock).await?;
    let mut head = String::new();
    if opening == Opening::Mark {
        head.push(BYTE_ORDER_MARK);
    }
    head.push_str(&line(shape.columns()));
    Ok(Sheet { shape, lock, listed, head: Some(head) })
}

impl Sheet {
    /// The next lines. `None` when all are written.
    pub async fn next(&mut self) -> Result<Option<String>, WriteError> {
        if let Some(head) = self.head.take() {
            return Ok(Some(head));
        }
        loop {
            let stored = self.listed.next_rows().await?;
            if stored.is_empty() {
                return Ok(None);
            }
            let mut text = String::new();
            for one in &stored {
                let cells = self.shape.cells(&Row::read(one, self.lock)?);
                text.extend(cells.map(line));
            }
            // A few leads in a row may be of no use to the channel.
            if !text.is_empty() {
                return Ok(Some(text));
            }
        }
    }
}
