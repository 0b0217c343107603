//! Which column holds what.

use std::collections::BTreeMap;

use strum::IntoEnumIterator;

use super::field::{Field, HeaderMeaning, WEAK_RANK, folded};
use super::{numbers, position, texts};

/// Headers that an error lists.
const LISTED_MAX: usize = 40;
/// Characters of each.
const LISTED_CHARS_MAX: usize = 40;
/// The share of a column's sample that must look alike for its content to tell what it holds.
const ALIKE_PERCENT: usize = 80;

/// A field, and whether a cell can hold it.
type ContentCheck = (Field, fn(&str) -> bool);

/// Which column holds what: a guess, and what was said otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Mapping(BTreeMap<Field, Vec<usize>>);

impl Mapping {
    /// Guesses from the headers and, for columns that they do not explain, from some rows.
    pub fn guess(headers: &[String], rows: &[Vec<String>]) -> Mapping {
        let mut ranked: BTreeMap<Field, Vec<(usize, usize)>> = BTreeMap::new();
        for (column, header) in headers.iter().enumerate() {
            if let Some(HeaderMeaning { rank, field }) = Field::of_header(header) {
                ranked.entry(field).or_default().push((rank, column));
            }
        }
        let mut mapping = Mapping::default();
        for (field, mut columns) in ranked {
            columns.sort_unstable();
            let best = columns.first().map_or(0, |(rank, _)| *rank);
            columns.retain(|(rank, _)| best >= WEAK_RANK || *rank < WEAK_RANK);
            columns.truncate(if field.is_list() { columns.len() } else { 1 });
            mapping.0.insert(field, columns.into_iter().map(|(_, column)| column).collect());
        }
        mapping.drop_doubtful(rows);
        mapping.guess_from_content(headers.len(), rows);
        mapping
    }

    /// The columns of a field, the first the most telling.
    pub fn columns(&self, field: Field) -> &[usize] {
        self.0.get(&field).map_or(&[], Vec::as_slice)
    }

    /// Every field that has columns, with them.
    pub fn iter(&self) -> impl Iterator<Item = (Field, &[usize])> {
        self.0.iter().map(|(field, columns)| (*field, columns.as_slice()))
    }

    /// What a column holds; `None` when it is not read.
    pub fn field(&self, column: usize) -> Option<Field> {
        self.iter().find(|(_, columns)| columns.contains(&column)).map(|(field, _)| field)
    }

    /// Changes the mapping as an assignment `FIELD=COLUMN` says; `FIELD=` leaves the field out.
    ///
    /// # Errors
    /// What is wrong with the assignment, and what there is to choose from.
    pub fn assign(&mut self, assignment: &str, headers: &[String]) -> Result<(), String> {
        let (field, column) = assignment.split_once('=').ok_or_else(|| {
            format!("the mapping {assignment:?} has no equals sign: write FIELD=COLUMN, such as name=Company")
        })?;
        let field: Field = field.trim().to_ascii_lowercase().replace('-', "_").parse().map_err(|_| {
            let known: Vec<&str> = Field::iter().map(Field::name).collect();
            format!("the mapping {assignment:?} names no known field; there are {}", known.join(", "))
        })?;
        if column.trim().is_empty() {
            self.0.remove(&field);
            return Ok(());
        }
        let column = column_named(column, headers)
            .ok_or_else(|| format!("there is no column {column:?}; the columns are {}", Mapping::listed(headers)))?;
        self.0.values_mut().for_each(|columns| columns.retain(|other| *other != column));
        self.0.retain(|_, columns| !columns.is_empty());
        self.0.insert(field, vec![column]);
        Ok(())
    }

    /// What a place cannot do without and no column holds, with headers that would do.
    pub fn missing(&self) -> Option<&'static str> {
        let has = |field| !self.columns(field).is_empty();
        if !has(Field::Name) {
            return Some("no column holds the name: its header would be \"name\", \"company\" or the like");
        }
        let has_position = has(Field::Coordinates) || (has(Field::Latitude) && has(Field::Longitude));
        (!has_position).then_some(
            "no columns hold the position: their headers would be \"latitude\" and \"longitude\", or \"coordinates\" \
             for both in one",
        )
    }

    /// The headers as an error lists them.
    pub(crate) fn listed(headers: &[String]) -> String {
        let short = |header: &String| format!("{:?}", header.chars().take(LISTED_CHARS_MAX).collect::<String>());
        let mut names: Vec<String> = headers.iter().take(LISTED_MAX).map(short).collect();
        if headers.len() > LISTED_MAX {
            names.push(format!("and {} more", headers.len() - LISTED_MAX));
        }
        names.join(", ")
    }

    /// Headers such as `x` and `note` often mean something else: a column none of whose values can be read is none of these.
    fn drop_doubtful(&mut self, rows: &[Vec<String>]) {
        let checks: [ContentCheck; 6] = [
            (Field::Coordinates, is_position),
            (Field::Latitude, |cell| position::degrees(cell).is_some()),
            (Field::Longitude, |cell| position::degrees(cell).is_some()),
            (Field::Rating, |cell| numbers::rating(cell).is_some()),
            (Field::ReviewCount, |cell| numbers::count(cell).is_some()),
            (Field::Confidence, |cell| numbers::share(cell).is_some()),
        ];
        for (field, holds) in checks {
            let is_wrong = |column: &usize| is_filled(rows, *column) && !filled(rows, *column).any(holds);
            if self.columns(field).first().is_some_and(is_wrong) {
                self.0.remove(&field);
            }
        }
    }

    fn guess_from_content(&mut self, columns: usize, rows: &[Vec<String>]) {
        let contents: [ContentCheck; 3] = [
            (Field::Coordinates, is_position),
            (Field::Email, texts::is_email),
            (Field::Website, texts::is_web_address),
        ];
        let has_degrees = !self.columns(Field::Latitude).is_empty() && !self.columns(Field::Longitude).is_empty();
        for (field, holds) in contents {
            if !self.columns(field).is_empty() || (field == Field::Coordinates && has_degrees) {
                continue;
            }
            let is_free = |column: &usize| match self.field(*column) {
                None => true,
                // "Location" is an address or a position.
                Some(other) => field == Field::Coordinates && other == Field::Address,
            };
            let Some(column) = (0..columns).filter(is_free).find(|column| is_alike(rows, *column, holds)) else {
                continue;
            };
            self.0.retain(|_, columns| !columns.contains(&column));
            self.0.insert(field, vec![column]);
        }
    }
}

fn is_position(cell: &str) -> bool {
    position::pair(cell).is_some()
}

fn filled(rows: &[Vec<String>], column: usize) -> impl Iterator<Item = &str> {
    rows.iter().filter_map(move |row| row.get(column)).filter_map(|cell| texts::stated(cell))
}

fn is_filled(rows: &[Vec<String>], column: usize) -> bool {
    filled(rows, column).next().is_some()
}

fn is_alike(rows: &[Vec<String>], column: usize, holds: fn(&str) -> bool) -> bool {
    let (all, alike) = (filled(rows, column).count(), filled(rows, column).filter(|cell| holds(cell)).count());
    all > 0 && alike * 100 >= all * ALIKE_PERCENT
}

/// The column with this header: exactly, or apart from case and punctuation.
fn column_named(name: &str, headers: &[String]) -> Option<usize> {
    let exact = headers.iter().position(|header| header.trim() == name.trim());
    let wanted = folded(name);
    exact.or_else(|| headers.iter().position(|header| !wanted.is_empty() && folded(header) == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guessed(headers: &[&str], rows: &[&[&str]]) -> Vec<(Field, Vec<usize>)> {
        let own = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let rows: Vec<Vec<String>> = rows.iter().map(|row| own(row)).collect();
        let mapping = Mapping::guess(&own(headers), &rows);
        mapping.iter().map(|(field, columns)| (field, columns.to_vec())).collect()
    }

    #[test]
    fn the_clearest_header_wins_and_lists_take_several_columns() {
        let found = guessed(&["Title", "Business Name", "Tel", "Phone", "url", "Website", "type", "Industry"], &[]);
        let expected =
            [(Field::Name, vec![1]), (Field::Category, vec![7]), (Field::Phone, vec![3, 2]), (Field::Website, vec![5])];
        assert_eq!(found, expected);
    }

    #[test]
    fn content_decides_what_headers_leave_open() {
        let row: &[&str] = &["Alma", "30.26, -97.74", "hi@alma.example", "https://alma.example"];
        let expected =
            [(Field::Name, vec![0]), (Field::Coordinates, vec![1]), (Field::Website, vec![3]), (Field::Email, vec![2])];
        assert_eq!(guessed(&["Name", "Location", "c", "d"], &[row]), expected);
        let row: &[&str] = &["Alma", "Main St 1", "small", "large"];
        assert_eq!(
            guessed(&["Name", "Location", "x", "y"], &[row]),
            [(Field::Name, vec![0]), (Field::Address, vec![1])],
            "sizes are no coordinates"
        );
    }

    #[test]
    fn assignments_overrule_the_guess_and_say_what_there_is() {
        let headers: Vec<String> = ["Firma", "Chef", "lat", "lon"].map(str::to_owned).into();
        let mut mapping = Mapping::guess(&headers, &[]);
        mapping.assign("name=chef", &headers).unwrap();
        assert_eq!((mapping.columns(Field::Name), mapping.field(0)), (&[1][..], None));
        mapping.assign("name=", &headers).unwrap();
        assert!(mapping.missing().unwrap().contains("\"name\""));
        let unknown_field = mapping.assign("colour=Chef", &headers).unwrap_err();
        assert!(unknown_field.contains("no known field; there are id, name, category"), "{unknown_field}");
        let unknown_column = mapping.assign("name=Boss", &headers).unwrap_err();
        assert!(unknown_column.contains("there is no column \"Boss\"; the columns are \"Firma\", \"Chef\""));
        assert!(mapping.assign("name", &headers).unwrap_err().contains("FIELD=COLUMN"));
    }
}
