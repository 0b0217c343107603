//! CSV read back three ways: by a Rust library, by Python, and by the letter of RFC 4180, which must all agree.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

/// A line by its columns.
pub type CsvLine = BTreeMap<String, String>;

/// Every line of a file, by column.
pub fn csv_lines(text: &str) -> Vec<CsvLine> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let rows = csv_rows(text);
    let columns = rows[0].clone();
    rows[1..].iter().map(|row| columns.iter().cloned().zip(row.iter().cloned()).collect()).collect()
}

/// Every row of a file, as all three readers read it.
pub fn csv_rows(text: &str) -> Vec<Vec<String>> {
    let rows = by_the_letter(text).unwrap_or_else(|wrong| panic!("{wrong} in {text:?}"));
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).flexible(false).from_reader(text.as_bytes());
    let by_library: Vec<Vec<String>> =
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    assert_eq!(rows, by_library);
    assert_eq!(rows, by_python(text));
    rows
}

fn by_python(text: &str) -> Vec<Vec<String>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/support/read_csv.py");
    let mut python = Command::new("python3");
    let mut python = python.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = python.stdin.take().unwrap();
    let text = text.to_owned();
    let feeding = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = python.wait_with_output().unwrap();
    feeding.join().unwrap().unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Reads CSV as strictly as RFC 4180 and the import of a spreadsheet can be read: lines end in CRLF and nothing else,
/// quotes stand around a whole cell and are doubled inside, spaces belong to their cell, nothing is trimmed, every row has
/// as many cells as the first, and an empty cell is not written as two quotes, which some programs take for a text.
pub fn by_the_letter(text: &str) -> Result<Vec<Vec<String>>, &'static str> {
    let mut rest = text;
    let mut rows: Vec<Vec<String>> = Vec::new();
    while !rest.is_empty() {
        let mut row = Vec::new();
        loop {
            let (cell, behind) = if rest.starts_with('"') { quoted(rest)? } else { bare(rest)? };
            row.push(cell);
            match (behind.strip_prefix(','), behind.strip_prefix("\r\n")) {
                (Some(next), _) => rest = next,
                (_, Some(next)) => {
                    rest = next;
                    break;
                }
                _ => return Err("a cell ends neither in a comma nor in CRLF"),
            }
        }
        if rows.first().is_some_and(|first| first.len() != row.len()) {
            return Err("a row has more or fewer cells than the first");
        }
        rows.push(row);
    }
    Ok(rows)
}

fn bare(text: &str) -> Result<(String, &str), &'static str> {
    let end = text.find([',', '\r', '\n']).ok_or("the last line has no end")?;
    let (cell, behind) = text.split_at(end);
    if cell.contains('"') {
        return Err("a quote stands in a cell without quotes");
    }
    Ok((cell.to_owned(), behind))
}

fn quoted(text: &str) -> Result<(String, &str), &'static str> {
    let mut cell = String::new();
    let mut rest = &text[1..];
    loop {
        let end = rest.find('"').ok_or("a quote is never closed")?;
        cell.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(more) => {
                cell.push('"');
                rest = more;
            }
            None if cell.is_empty() => return Err("nothing stands in quotes"),
            None => return Ok((cell, rest)),
        }
    }
}
