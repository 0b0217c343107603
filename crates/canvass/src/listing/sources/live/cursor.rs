//! Where a search is in the cells of its area.

use map_providers::{Cell, Question};
use serde::{Deserialize, Serialize};

use crate::listing::{Cursor, Query};

/// Cells still to be asked about, and how far the first one is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LiveCursor {
    /// The industry as it was typed.
    words: String,
    pub(super) cells: Vec<Cell>,
    /// The id of the last business given of the first cell.
    pub(super) after: Option<String>,
}

impl LiveCursor {
    /// The beginning of a search.
    pub(super) fn start(query: &Query, words: &str) -> LiveCursor {
        let cells = query.area.boxes().iter().map(Cell::around).collect();
        LiveCursor { words: words.to_owned(), cells, after: None }
    }

    pub(super) fn read(cursor: &Cursor) -> Option<LiveCursor> {
        serde_json::from_str(&cursor.0).ok()
    }

    pub(super) fn cursor(&self) -> Cursor {
        Cursor(serde_json::to_string(self).expect("a cursor is plain data"))
    }

    /// What is asked about the first cell.
    pub(super) fn question(&self, query: &Query) -> Question {
        let anywhere = || Cell::around(&query.area.bounds());
        Question {
            category: query.category,
            words: self.words.clone(),
            area: query.area.clone(),
            cell: self.cells.first().copied().unwrap_or_else(anywhere),
        }
    }

    /// Replaces the first cell by what is left of it; the next one begins anew.
    pub(super) fn replace_first(&mut self, rest: Vec<Cell>) {
        self.cells.splice(..1, rest);
        self.after = None;
    }
}

#[cfg(test)]
mod tests {
    use places::{Area, Point};

    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        let centre = Point { latitude: 30.2, longitude: -97.7 };
        let area = Area::circle("Austin", "US", centre, 5.0);
        let query = Query { category: places::category("dentist").unwrap(), area };
        let mut cursor = LiveCursor::start(&query, "dentists");
        let parts = cursor.cells[0].divide(2, 2);
        cursor.replace_first(parts);
        cursor.after = Some("n12".into());
        assert_eq!(cursor.cells.len(), 4);
        assert_eq!(LiveCursor::read(&cursor.cursor()), Some(cursor.clone()));
        cursor.replace_first(Vec::new());
        assert_eq!((cursor.cells.len(), cursor.after), (3, None));
        assert_eq!(LiveCursor::read(&Cursor("7|0".into())), None);
    }
}
