//! Finds opening hours in structured data and in visible text, and writes them in OpenStreetMap's notation.
//!
//! Of several the business's own count: those of the kitchen, a phone line or a course are left out. Structured data comes
//! before text, text under a label such as `Opening hours` before other text, then more days before fewer, then the first.
//! Where one block gives a day two different hours, nothing is said, unless each is of a season: `Jun-Aug Mo-Fr 09:00-18:00`.

mod assign;
mod block;
mod columns;
mod exceptions;
mod half;
mod joints;
mod labels;
mod languages;
mod letters;
mod meals;
mod season;
mod sentences;
mod spot;
mod structured;
mod tokens;
mod week;

use crate::document::Document;
use crate::explain;
use crate::facts::{Evidence, FoundHours, Method};
use crate::finders::Finder;
use crate::hours::labels::Label;
use crate::hours::languages::Language;
use crate::hours::season::{Season, Seasons};
use crate::hours::tokens::{Half, Token, lex};
use crate::hours::week::Week;
use crate::page::around;
use crate::structured::business::Structured;

/// Longest line that is read, in bytes; longer ones are prose.
const LINE_BYTES_MAX: usize = 200;
/// Lines that are split per page.
const LINES_MAX: usize = 6_000;
/// Lines of one block.
const BLOCK_LINES_MAX: usize = 24;
/// Lines before the first time in which its days may stand.
const BEFORE_LINES_MAX: usize = 8;
/// Steps charged per line that is split, and per byte of it.
const LINE_STEPS: usize = 80;
const BYTE_STEPS: usize = 14;
/// Words that are neither days nor times, before and after them on a line.
const WORDS_MAX: usize = 4;
/// Words before days and times that make a line without a label prose.
const PROSE_WORDS: usize = 2;
/// Notes within a block, and the longest one in bytes.
const NOTES_MAX: usize = 2;
const NOTE_BYTES_MAX: usize = 80;
/// Blocks read per page.
const BLOCKS_MAX: usize = 60;
/// Longest snippet, in characters.
const SNIPPET_CHARS_MAX: usize = 160;

/// Lines above a block in which its season may be named.
const SEASON_LINES: usize = 2;

/// Standing of a block under a heading such as `Opening hours`.
const LABELLED_STANDING: u8 = 2;

/// Opening hours on one page.
#[derive(Debug, Clone)]
pub(crate) struct HoursMention {
    hours: String,
    method: Method,
    snippet: String,
    standing: u8,
    days: usize,
    /// The part of the year that they are of.
    season: Option<Season>,
}

/// Finds the opening hours of one page.
pub(crate) fn find(document: &Document<'_>, data: &Structured) -> Vec<HoursMention> {
    let mut found = Vec::new();
    found.extend(structured::of_data(document, data));
    if found.is_empty() {
        found.extend(of_text(document));
    }
    found
}

/// Picks the hours of the site: structured data first, then the most complete.
pub(crate) fn merge(mentions: &[(String, HoursMention)]) -> Option<FoundHours> {
    let rank = |mention: &HoursMention| (mention.standing, mention.days.min(6));
    let mut best: Option<&(String, HoursMention)> = None;
    for mention in mentions {
        if best.is_none_or(|best| rank(&mention.1) > rank(&best.1)) {
            best = Some(mention);
        }
    }
    best.map(|(url, mention)| FoundHours {
        hours: mention.hours.clone(),
        evidence: Evidence { url: url.clone(), method: mention.method, snippet: mention.snippet.clone() },
    })
}

/// Reads a block, and notes why it gives no hours.
fn mention(tokens: &[Token], text: &str, (method, standing): (Method, u8), is_english: bool) -> Option<HoursMention> {
    match block::week(tokens, is_english) {
        Ok(week) => Some(mentioned(&week, text, method, standing)),
        Err(refusal) => {
            explain::refused(Finder::Hours, refusal.reason(), text);
            None
        }
    }
}

fn mentioned(week: &Week, text: &str, method: Method, standing: u8) -> HoursMention {
    let snippet: String =
        text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(SNIPPET_CHARS_MAX).collect();
    HoursMention { hours: week.to_string(), method, snippet, standing, days: week.known(), season: None }
}

/// A line split into tokens.
#[derive(Default)]
struct Line {
    tokens: Vec<Token>,
    has_days: bool,
    has_times: bool,
    /// Words before the first day or time.
    leading: usize,
    /// Words after it.
    others: usize,
    has_number: bool,
    has_zone: bool,
}

impl Line {
    fn of(text: &str, language: Language) -> Line {
        let mut line = Line::default();
        lex(text, false, language, &mut line.tokens);
        let is_time = |token: &Token| matches!(token, Token::Time(..));
        line.has_times = line.tokens.windows(3).any(|w| is_time(&w[0]) && w[1] == Token::To && is_time(&w[2]))
            || line.tokens.iter().any(|token| matches!(token, Token::Closed | Token::AllDay | Token::Appointment));
        line.has_days = line.tokens.iter().any(|token| matches!(token, Token::Day(_) | Token::Days(..)));
        let first = line.tokens.iter().position(|token| {
            !matches!(token, Token::Word | Token::Filler | Token::And | Token::To | Token::Zone | Token::Number)
        });
        let first = first.unwrap_or(line.tokens.len());
        let words = |tokens: &[Token]| tokens.iter().filter(|token| **token == Token::Word).count();
        (line.leading, line.others) = (words(&line.tokens[..first]), words(&line.tokens[first..]));
        // A phone number before the hours on the same line is not part of them.
        line.has_number = line.tokens[first..].contains(&Token::Number);
        line.has_zone = line.tokens.contains(&Token::Zone);
        line
    }

    /// Whether the line is a cell of a row of times: one time, `to`, a dash.
    fn is_piece(&self) -> bool {
        columns::is_piece(&self.tokens)
    }

    /// Whether the line says little else than days and times.
    fn is_of_hours(&self) -> bool {
        (self.has_days || self.has_times) && !self.has_number && self.leading <= WORDS_MAX && self.others <= WORDS_MAX
    }
}

fn of_text(document: &Document<'_>) -> Option<HoursMention> {
    let language = Language::declared(document.lang);
    let mut reader = TextReader { document, language, lines: 0, floor: 0, season_end: None };
    let is_english = document.lang.is_none_or(|lang| lang.get(..2).is_none_or(|code| code.eq_ignore_ascii_case("en")));
    let (mut index, mut blocks) = (0, 0);
    let mut best: Option<HoursMention> = None;
    let mut seasons = Seasons::default();
    while index < document.lines.len() && blocks < BLOCKS_MAX {
        let Some(digit) = spot::next_time(document.text.as_bytes(), document.lines[index].start) else { break };
        index = document.line_at(digit).max(index);
        let length = document.line(index).0.len();
        let line = if (3..=LINE_BYTES_MAX).contains(&length) { reader.split(index)? } else { Line::default() };
        let found = if let Some((found, next)) = meals::read(&mut reader, index, is_english) {
            blocks += 1;
            (index, reader.floor) = (next, next);
            vec![found]
        } else if line.has_times && line.is_of_hours() || reader.starts_row(index, &line) {
            blocks += 1;
            let first = index;
            let (block, next) = reader.block(index, line);
            index = next.max(index + 1);
            reader.floor = index;
            let found = reader.judge(&block, is_english);
            found.map_or_else(|| sentences::read(document, first, language, is_english), |found| vec![found])
        } else {
            index += 1;
            sentences::read(document, index - 1, language, is_english)
        };
        for found in found {
            if let Some(season) = found.season {
                seasons.add(season, &found.hours);
            }
            if best.as_ref().is_none_or(|best| (found.standing, found.days.min(5)) > (best.standing, best.days.min(5)))
            {
                best = Some(found);
            }
        }
    }
    if let Some(best) = best.as_mut().filter(|best| best.season.is_some()) {
        best.hours = seasons.join();
    }
    best
}

/// Lines that belong together.
#[derive(Default)]
struct Block {
    first: usize,
    last: usize,
    tokens: Vec<Token>,
    has_zone: bool,
    /// The first line that is a note.
    noted: Option<usize>,
    /// Words before the first day or time of the line with the first time.
    leading: usize,
    /// The first line that is not part of an earlier block.
    floor: usize,
}

struct TextReader<'d> {
    document: &'d Document<'d>,
    language: Language,
    lines: usize,
    /// The first line that is not part of an earlier block.
    floor: usize,
    /// Where the hours of a season ended, those of the next one may begin without a label.
    season_end: Option<usize>,
}

impl TextReader<'_> {
    /// Splits a line; `None` when the budget or the number of lines is used up.
    fn split(&mut self, index: usize) -> Option<Line> {
        let text = self.document.line(index).0;
        self.lines += 1;
        if self.lines > LINES_MAX {
            self.document.budget.note_cut();
            return None;
        }
        if text.len() > LINE_BYTES_MAX {
            return Some(Line::default());
        }
        self.document.budget.spend(LINE_STEPS + BYTE_STEPS * text.len()).then(|| Line::of(text, self.language))
    }

    /// The block around the line with the first time, and the line after it.
    fn block(&mut self, index: usize, line: Line) -> (Block, usize) {
        let mut first = index;
        let mut before = Vec::new();
        if !line.has_days || line.leading == 0 {
            while first > self.floor && index - first < BEFORE_LINES_MAX {
                let belongs = |line: &Line| {
                    line.is_of_hours() && line.others == 0 && (line.has_days || line.leading == 0)
                        || columns::is_sign(&line.tokens)
                };
                let Some(above) = self.split(first - 1).filter(belongs) else { break };
                first -= 1;
                before.push(above);
            }
        }
        let floor = self.floor;
        let mut block = Block { first, last: index, leading: line.leading, floor, ..Block::default() };
        before.into_iter().rev().chain([line]).for_each(|line| block.add(&line));
        let (mut next, mut notes) = (index + 1, 0);
        while next < self.document.lines.len() && next - first < BLOCK_LINES_MAX {
            let Some(line) = self.split(next) else { break };
            if self.goes_on(next, &line) {
                block.add(&line);
                block.last = next;
            } else if notes < NOTES_MAX && self.is_note(next, &block) {
                notes += 1;
                block.noted.get_or_insert(next);
            } else {
                break;
            }
            next += 1;
        }
        columns::join(&mut block.tokens, columns::are_headed(self.document, first));
        (block, next)
    }

    /// Whether a line belongs to the block above it.
    fn goes_on(&self, index: usize, line: &Line) -> bool {
        let says_hours = line.is_of_hours() && line.leading <= 1;
        // The hours of another season are a block of their own.
        if says_hours && line.leading == 1 && season::of(self.document.line(index).0).is_some() {
            return false;
        }
        (says_hours || line.is_piece()) && !labels::is_other(self.document.line(index).0)
    }

    /// Whether a line is a note within a block, such as `Kitchen until 21:00`: other days follow.
    fn is_note(&mut self, index: usize, block: &Block) -> bool {
        let text = self.document.line(index).0;
        let is_note = text.starts_with(['(', '*']) || text.bytes().any(|b| b.is_ascii_digit());
        if !is_note || text.len() > NOTE_BYTES_MAX || index + 1 >= self.document.lines.len() {
            return false;
        }
        let known = block::days_of(&block.tokens);
        self.split(index + 1).is_some_and(|next| {
            next.has_days
                && next.leading == 0
                && self.goes_on(index + 1, &next)
                && block::days_of(&next.tokens) & known == 0
        })
    }

    /// Whether a row starts here whose times stand in cells of their own.
    fn starts_row(&mut self, index: usize, line: &Line) -> bool {
        let has_time = |line: &Line| line.tokens.iter().any(|token| matches!(token, Token::Time(..)));
        if line.tokens.is_empty() || !line.is_piece() || !has_time(line) || index == 0 {
            return false;
        }
        let is_after_day = self.split(index - 1).is_some_and(|above| above.has_days && above.is_of_hours());
        is_after_day
            && (1..=2).any(|step| {
                index + step < self.document.lines.len()
                    && self.split(index + step).is_some_and(|next| next.is_piece() && has_time(&next))
            })
    }

    /// Decides whether a block tells the opening hours of the business.
    fn judge(&mut self, block: &Block, is_english: bool) -> Option<HoursMention> {
        let document = self.document;
        if season::are_several(document.line(block.first).0) {
            return None;
        }
        let season = self.season(block);
        let goes_on = season.is_some() && self.season_end.is_some_and(|end| block.first <= end + 1 + SEASON_LINES);
        let end = document.lines.get(block.last + 1).map_or(document.text.len(), |line| line.start);
        let text = document.text.get(document.lines[block.first].start..end)?;
        let noted = block.noted.map_or(end, |line| document.lines[line].start);
        let label = labels::of(document, block.first, document.text.get(document.lines[block.first].start..noted)?);
        let label = if label == Label::None && goes_on { Label::Own } else { label };
        if label == Label::Other {
            explain::refused(Finder::Hours, "hours of something else than the business", text);
            return None;
        }
        let is_english = is_english && !labels::is_foreign(text);
        if label == Label::Own
            && let Some(always) = always_open(&block.tokens, document.line(block.first).0)
        {
            explain::accepted(Finder::Hours, "always open, says the text", text);
            return Some(mentioned(&always, text, Method::Text, LABELLED_STANDING));
        }
        let standing = if label == Label::Own { LABELLED_STANDING } else { LABELLED_STANDING - 1 };
        let mut found = mention(&block.tokens, text, (Method::Text, standing), is_english)?;
        let has_more = found.days >= 2 || block.tokens.contains(&Token::Appointment);
        let is_own = label == Label::Own && has_more;
        let is_enough = match block.has_zone {
            true => is_own && (labels::names_business(document, block.first, text) || labels::starts_with_hours(text)),
            // `In 1998 we worked Monday to Friday from 9 to 5` is prose.
            false => is_own || (found.days >= 5 && block.leading < PROSE_WORDS),
        };
        if is_enough {
            explain::accepted(Finder::Hours, "days and times in the text", text);
            found.season = season;
            self.season_end = season.map(|_| block.last);
        } else {
            explain::refused(Finder::Hours, "nothing says that these are opening hours of the business", text);
        }
        is_enough.then_some(found)
    }
}

impl TextReader<'_> {
    /// The season of a block: named on its first line, or on one of the lines above that are of no other block.
    fn season(&self, block: &Block) -> Option<Season> {
        let from = block.first.saturating_sub(SEASON_LINES).max(block.floor);
        (from..=block.first).rev().find_map(|line| season::of(self.document.line(line).0))
    }
}

impl Block {
    fn add(&mut self, line: &Line) {
        self.has_zone |= line.has_zone;
        self.tokens.extend_from_slice(&line.tokens);
        self.tokens.push(Token::Break);
    }
}

/// `Open 24/7`, `We are open 24 hours a day`: no days are named.
fn always_open(tokens: &[Token], line: &str) -> Option<Week> {
    let has_days = tokens
        .iter()
        .any(|token| matches!(token, Token::Day(_) | Token::Days(..) | Token::Time(_, Half::Am | Half::Pm)));
    let says_open = around(line, 0, 0, 60).to_ascii_lowercase();
    if has_days || !tokens.contains(&Token::AllDay) || line.len() > 60 || !says_open.contains("open") {
        return None;
    }
    Some(Week::always())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> Option<String> {
        find(&Document::parse(html), &Structured::default()).into_iter().next().map(|mention| mention.hours)
    }

    #[test]
    fn hours_are_read_from_text() {
        for (html, expect) in [
            ("<h3>Hours</h3><p>Mon-Fri 8:30 am - 5:30 pm<br>Sat 9-1", "Mo-Fr 08:30-17:30; Sa 09:00-13:00"),
            ("<p>Business Hours - Mon To Fri: 8:00 am - 4:30 pm.", "Mo-Fr 08:00-16:30"),
            (
                "<p>Call (512) 555-0100</p><p>Opening hours</p><table><tr><td>Monday<td>9-5<tr><td>Tuesday<td>9-5</table>",
                "Mo,Tu 09:00-17:00",
            ),
            ("<p>(512) 555-0100 Business Hours: 9am to 5pm Monday – Friday (U.S. Eastern Time)", "Mo-Fr 09:00-17:00"),
            (
                "<h3>Hours</h3><table><tr><td>Monday<td>Closed<tr><td>Tue - Fri<td>8-5</table>",
                "Mo off; Tu-Fr 08:00-17:00",
            ),
            ("<p>Mon - Fri: 7:30 am - 5:00 pm<p>Sat: Closed<p>Sun: Closed", "Mo-Fr 07:30-17:00; Sa,Su off"),
            (
                "<html lang=de><h2>Öffnungszeiten</h2><p>Montag bis Freitag 8-18 Uhr<p>Samstag geschlossen",
                "Mo-Fr 08:00-18:00; Sa off",
            ),
            ("<html lang=fr><p>Ouvert du lundi au vendredi de 9 h à 19 h", "Mo-Fr 09:00-19:00"),
            (
                "<html lang=es><p>Horario<p>Lunes a viernes: 9:00 - 14:00 y 16:00 - 20:00",
                "Mo-Fr 09:00-14:00,16:00-20:00",
            ),
            ("<html lang=it><p>Orari<p>Lunedì - Venerdì 9.00 - 13.00", "Mo-Fr 09:00-13:00"),
            (
                "<html lang=nl><p>Openingstijden<p>maandag t/m vrijdag 9:00 - 17:30<p>zaterdag gesloten",
                "Mo-Fr 09:00-17:30; Sa off",
            ),
            ("<p>We are open 24/7", "24/7"),
            ("<p>Hours<p>Every day: 10am-6pm", "Mo-Su 10:00-18:00"),
            ("<p>Open 7 days a week, 8am-8pm", "Mo-Su 08:00-20:00"),
            (
                "<p>Monday - Friday<p>8:00 AM - 5:00 PM<p>Saturday<p>By Appointment<p>Sunday<p>Closed",
                "Mo-Fr 08:00-17:00; Su off",
            ),
            (
                "<h3>Hours</h3><p>CLERK'S OFFICE<p>Monday - Friday<p>8 a.m. - 4 p.m.<p>(Closed for lunch from<p>11 a.m. to 12 p.m.)",
                "Mo-Fr 08:00-11:00,12:00-16:00",
            ),
            (
                "<h3>Hours</h3><p>Mon-Fri 9-5<p>Sat 10-2<h3>Holiday hours</h3><p>Mon-Fri 10-3",
                "Mo-Fr 09:00-17:00; Sa 10:00-14:00",
            ),
        ] {
            assert_eq!(read(html).as_deref(), Some(expect), "{html}");
        }
    }

    #[test]
    fn other_times_are_no_opening_hours() {
        for html in [
            "<h3>Happy hour</h3><p>Mon-Fri 4pm-6pm",
            "<h3>Customer Service Hours</h3><p>Monday through Friday<p>10AM - 5PM EST",
            "<p>Call Monday-Friday<p>8 AM to 8 PM ET",
            "<p>Questions?<p>Mon-Fri 8am - 8pm ET",
            "<p>Classes are held on Tuesdays and Thursdays from 4:30pm - 7:30pm",
            "<p>Tuesday 3:15-5:15pm<p>Tuesday 5:15-7:15pm<p>Wednesday 3:15-5:15pm",
            "<p>Wed, 12/03/2025 - 02:42",
            "<p>Thursday at 6:14 PM",
            "<p>Sunday Mass 9:00 am - 10:00 am",
            "<p>OPEN SUN, 12PM TO 3PM",
            "<h3>Hours</h3><p>Mon-Fri 9AM-10PM ET<p>Sat-Sun 9AM-8PM ET",
            "<p>24/7 support",
            "<p>Hours: by appointment only",
            "<p>Summer hours: Mon-Sun 9-9",
            "<p>Pay 7 days after delivery, 9am-5pm",
            "<p>Holiday hours: Mon-Fri 10-3",
            "<p>Monday 12.11.2014 - 13.11.2014",
            "<p>Sat 10am - 2pm",
        ] {
            assert_eq!(read(html), None, "{html}");
        }
    }
}
