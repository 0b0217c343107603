//! Text tables: as wide as needed, or truncated to the width of the terminal.

use std::io::IsTerminal;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::printable;

/// Width assumed for an unknown terminal.
const SCREEN_COLUMNS_DEFAULT: usize = 80;
/// Width of a file or a pipe, whose reader wants whole values.
const FILE_COLUMNS: usize = 1_000;
/// Separator between two columns.
const GAP: &str = "  ";
/// Marks a truncated cell.
const ELLIPSIS: &str = "…";

/// A table with these headings; cells may have several lines.
pub(super) fn table(headings: &[&str], rows: Vec<Vec<String>>) -> String {
    let clean = |cell: String| cell.lines().map(printable::line).collect::<Vec<_>>().join("\n");
    let rows = rows.into_iter().map(|row| row.into_iter().map(clean).collect()).collect();
    drawn(headings, rows)
}

/// A table no wider than the terminal, each cell on one line: the widest columns are truncated first. Columns in
/// `whole` are never truncated.
pub(super) fn fitted(headings: &[&str], rows: Vec<Vec<String>>, screen: usize, whole: &[&str]) -> String {
    let clean = |cell: String| printable::line(&cell).into_owned();
    let rows: Vec<Vec<String>> = rows.into_iter().map(|row| row.into_iter().map(clean).collect()).collect();
    let room = screen.saturating_sub(GAP.len() * headings.len().saturating_sub(1));
    let is_whole = |at: usize| whole.contains(&headings[at]);
    let widths = shared(&natural(headings, &rows), room, is_whole);
    let cut_row = |row: Vec<String>| row.iter().zip(&widths).map(|(cell, width)| cut(cell, *width)).collect();
    drawn(headings, rows.into_iter().map(cut_row).collect())
}

/// Width of the terminal, else the value of `COLUMNS`, else 80; nothing is truncated in a file or a pipe.
pub(super) fn screen_columns() -> usize {
    let is_terminal = std::io::stdout().is_terminal();
    let terminal = is_terminal.then(|| rustix::termios::tcgetwinsize(std::io::stdout()).ok());
    let columns = terminal.flatten().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0);
    // COLUMNS describes the terminal and is not a setting of Canvass.
    let said = || std::env::var_os("COLUMNS")?.to_str()?.parse().ok().filter(|columns| *columns > 0);
    columns.or_else(said).unwrap_or(if is_terminal { SCREEN_COLUMNS_DEFAULT } else { FILE_COLUMNS })
}

fn natural(headings: &[&str], rows: &[Vec<String>]) -> Vec<usize> {
    let of_column = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at)).flat_map(|cell| cell.lines()).map(UnicodeWidthStr::width);
        cells.chain([headings[at].width()]).max().unwrap_or(0)
    };
    (0..headings.len()).map(of_column).collect()
}

/// Distributes the width: every column gets what it needs up to a common limit, and the last one the remainder.
fn shared(natural: &[usize], room: usize, is_whole: impl Fn(usize) -> bool) -> Vec<usize> {
    let limited = |limit: usize| -> Vec<usize> {
        let width = |(at, width): (usize, &usize)| if is_whole(at) { *width } else { (*width).min(limit) };
        natural.iter().enumerate().map(width).collect()
    };
    let widest = natural.iter().copied().max().unwrap_or(0);
    let fits = |limit: &usize| limited(*limit).iter().sum::<usize>() <= room;
    let mut widths = limited((1..=widest).rev().find(fits).unwrap_or(1));
    let left = room.saturating_sub(widths.iter().sum());
    if let (Some(last), Some(needed)) = (widths.last_mut(), natural.last()) {
        *last = (*last + left).min(*needed).max(*last);
    }
    widths
}

/// Truncates a text with an ellipsis, without separating letters from their accents.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for letter in text.graphemes(true) {
        if kept.width() + letter.width() + ELLIPSIS.width() > width {
            break;
        }
        kept.push_str(letter);
    }
    kept + ELLIPSIS
}

fn drawn(headings: &[&str], rows: Vec<Vec<String>>) -> String {
    let widths = natural(headings, &rows);
    let mut lines = vec![joined(headings, &widths)];
    if std::io::stdout().is_terminal() {
        lines.push("─".repeat(widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1)));
    }
    for row in rows {
        let height = row.iter().map(|cell| cell.lines().count()).max().unwrap_or(0);
        for number in 0..height {
            let cells: Vec<&str> = row.iter().map(|cell| cell.lines().nth(number).unwrap_or_default()).collect();
            lines.push(joined(&cells, &widths));
        }
    }
    lines.join("\n")
}

fn joined(cells: &[&str], widths: &[usize]) -> String {
    let padded = cells.iter().zip(widths).map(|(cell, width)| {
        let space = " ".repeat(width.saturating_sub(cell.width()));
        format!("{cell}{space}")
    });
    padded.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADINGS: [&str; 4] = ["Business", "Phone", "Email", "Website"];

    fn rows() -> Vec<Vec<String>> {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        vec![
            row([
                "Joe's Plumbing",
                "+15125550100",
                "joe@joes-plumbing.example",
                "https://www.joes-plumbing.example/home",
            ]),
            row(["李小龙牙科诊所（奥斯汀北区分院）", "+15125550101", "", "https://x.example/"]),
            row(["Ze\u{301}phyr Cafe\u{301} de l\u{2019}E\u{301}toile du Sud", "", "a@b.example", ""]),
            row([
                "one\nline\u{1b}[31m",
                "+15125550102",
                "b@c.example",
                "https://very-long-name-of-a-website.example/a/b/c/d/e/f",
            ]),
        ]
    }

    #[test]
    fn a_table_fits_the_screen_and_phones_stay_whole() {
        for screen in [60, 80, 120, 200] {
            let drawn = fitted(&HEADINGS, rows(), screen, &["Phone"]);
            for line in drawn.lines() {
                assert!(line.width() <= screen, "{screen} columns: {line}");
            }
            assert_eq!(drawn.lines().count(), 5, "one line each: {drawn}");
            assert!(drawn.contains("+15125550102") && !drawn.contains('\u{1b}'), "{drawn}");
        }
        assert!(fitted(&HEADINGS, rows(), 80, &["Phone"]).contains('…'));
        let wide = fitted(&HEADINGS, rows(), 200, &["Phone"]);
        assert!(
            !wide.contains('…') && wide.contains("https://very-long-name-of-a-website.example/a/b/c/d/e/f"),
            "{wide}"
        );
    }

    #[test]
    fn columns_line_up_whatever_the_letters_are() {
        let drawn = fitted(&HEADINGS, rows(), 80, &["Phone"]);
        let lines: Vec<&str> = drawn.lines().collect();
        let before = |line: &str, word: &str| line[..line.find(word).unwrap()].width();
        let phone = before(lines[0], "Phone");
        assert_eq!(before(lines[1], "+15125550100"), phone, "{drawn}");
        assert_eq!(before(lines[2], "+15125550101"), phone, "{drawn}");
    }

    #[test]
    fn a_cut_keeps_letters_and_accents_together() {
        assert_eq!(cut("Cafe\u{301} Noir", 5), "Cafe\u{301}…");
        assert_eq!(cut("李小龙", 5), "李小…");
        assert_eq!(cut("李小龙", 4), "李…");
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
    }

    #[test]
    fn cells_of_several_lines_stay_in_their_column() {
        let drawn = table(&["Check", "Seen"], vec![vec!["disk".into(), "full\n-> make room".into()]]);
        assert_eq!(drawn, "Check  Seen\ndisk   full\n       -> make room");
    }
}
