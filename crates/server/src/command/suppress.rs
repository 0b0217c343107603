//! `canvass suppress`: the list of businesses that are not read, delivered, exported or watched.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::PathBuf;

use anyhow::{Context, bail};
use canvass::App;
use canvass::removal::{self, Removed, Suppressed};
use canvass::suppression::{self, Entry, Listed};
use clap::{Args, Subcommand};
use serde::Serialize;

use super::output::Output;
use super::table::table;

/// Bytes of a file of entries: a million of them.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Lines with errors that are shown.
const SHOWN_ERRORS_MAX: usize = 20;
/// Stands for standard input among the values.
const STANDARD_INPUT: &str = "-";
/// Begins a line of a file that is a comment.
const COMMENT: char = '#';

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Suppress businesses by domain, email or phone, and blank the stored leads of them
    Add {
        #[command(flatten)]
        values: Values,
        /// Note for the list, such as when and how they asked
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// List all entries
    List,
    /// Take entries off the list; leads that were blanked stay blanked
    Remove {
        #[command(flatten)]
        values: Values,
    },
}

/// Entries as an operator types them, or has them in a file.
#[derive(Debug, Args)]
pub(super) struct Values {
    /// Domains such as ada.com, emails or phones; - reads them from standard input, one per line
    #[arg(value_name = "DOMAIN|EMAIL|PHONE", required_unless_present = "file")]
    values: Vec<String>,
    /// File with one entry per line
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Country of phones without a country code, such as GB; US if not given
    #[arg(long, value_name = "CODE")]
    country: Option<String>,
}

/// An entry as the command line shows it.
#[derive(Debug, Serialize)]
struct EntryView<'a> {
    value: &'a str,
    kind: &'static str,
}

/// An entry of the list.
#[derive(Debug, Serialize)]
struct ListedView<'a> {
    #[serde(flatten)]
    entry: EntryView<'a>,
    note: Option<&'a str>,
    added_at: String,
}

/// What `add` did.
#[derive(Debug, Serialize)]
struct SuppressedView<'a> {
    entries: Vec<EntryView<'a>>,
    added: u64,
    #[serde(flatten)]
    removed: Removed,
}

impl<'a> From<&'a Entry> for EntryView<'a> {
    fn from(entry: &'a Entry) -> EntryView<'a> {
        EntryView { value: entry.value(), kind: entry.kind().name() }
    }
}

impl<'a> From<&'a Listed> for ListedView<'a> {
    fn from(listed: &'a Listed) -> ListedView<'a> {
        let Listed { entry, note, added_at } = listed;
        ListedView { entry: entry.into(), note: note.as_deref(), added_at: added_at.to_string() }
    }
}

pub(super) async fn run(app: &App, command: &Command, output: Output) -> anyhow::Result<()> {
    match command {
        Command::Add { values, note } => {
            let entries = values.read()?;
            let suppressed = removal::suppress(app, &entries, note.as_deref()).await?;
            let Suppressed { added, removed } = suppressed;
            let view = SuppressedView { entries: entries.iter().map(EntryView::from).collect(), added, removed };
            output.show(&view, || told(&entries, suppressed));
        }
        Command::List => {
            let listed = suppression::list(&app.db).await?;
            let views: Vec<ListedView<'_>> = listed.iter().map(ListedView::from).collect();
            output.show(&views, || listing(&views));
        }
        Command::Remove { values } => {
            let entries = values.read()?;
            suppression::remove(app, &entries).await?;
            let views: Vec<EntryView<'_>> = entries.iter().map(EntryView::from).collect();
            output.show(&views, || format!("{} Leads that were blanked stay blanked.", taken_off(&entries)));
        }
    }
    Ok(())
}

impl Values {
    /// The entries that were typed and those of the file, each once. Fails, naming each bad one, unless all are good.
    fn read(&self) -> anyhow::Result<Vec<Entry>> {
        let mut entries = BTreeSet::new();
        let mut errors = Vec::new();
        let mut add = |typed: &str, place: Option<String>| match suppression::parse(typed, self.country.as_deref()) {
            Ok(entry) => drop(entries.insert(entry)),
            Err(error) => errors.push(place.map_or_else(|| error.to_string(), |place| format!("{place}: {error}"))),
        };
        for value in &self.values {
            match value.as_str() {
                STANDARD_INPUT => add_lines(&bounded(std::io::stdin(), "standard input")?, "standard input", &mut add),
                typed => add(typed, None),
            }
        }
        if let Some(path) = &self.file {
            let name = path.display().to_string();
            let file = std::fs::File::open(path).with_context(|| format!("cannot open {name}"))?;
            add_lines(&bounded(file, &name)?, &name, &mut add);
        }
        if let Some(first) = errors.first() {
            let shown = errors.iter().take(SHOWN_ERRORS_MAX).map(String::as_str).collect::<Vec<_>>().join("\n");
            let more = errors.len().saturating_sub(SHOWN_ERRORS_MAX);
            match (errors.len(), more) {
                (1, _) => bail!("{first}; nothing was changed"),
                (count, 0) => bail!("{count} entries cannot be used, so nothing was changed:\n{shown}"),
                (count, more) => {
                    bail!("{count} entries cannot be used, so nothing was changed:\n{shown}\nand {more} more")
                }
            }
        }
        if entries.is_empty() {
            bail!("there is no entry in what was given; write one domain, email or phone per line");
        }
        Ok(entries.into_iter().collect())
    }
}

/// All of a text that is not too long.
fn bounded(from: impl Read, name: &str) -> anyhow::Result<String> {
    let mut text = String::new();
    let read = from.take(FILE_BYTES_MAX + 1).read_to_string(&mut text);
    let length = read.with_context(|| format!("cannot read {name}; it must be text in UTF-8, one entry per line"))?;
    if length as u64 > FILE_BYTES_MAX {
        bail!("{name} is longer than {} MiB; split it", FILE_BYTES_MAX / 1024 / 1024);
    }
    Ok(text)
}

/// Adds every line that is neither empty nor a comment.
fn add_lines(text: &str, name: &str, add: &mut impl FnMut(&str, Option<String>)) {
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with(COMMENT) {
            add(line, Some(format!("line {number} of {name}")));
        }
    }
}

fn told(entries: &[Entry], suppressed: Suppressed) -> String {
    let Suppressed { added, removed: Removed { leads_blanked, watches_removed } } = suppressed;
    let who = match entries {
        [one] if added == 0 => format!("{one} was suppressed already."),
        [one] => format!("{one} is suppressed."),
        all => format!("{} entries are suppressed, {added} of them new.", all.len()),
    };
    let leads =
        if leads_blanked == 1 { "1 stored lead was".into() } else { format!("{leads_blanked} stored leads were") };
    let watches = if watches_removed == 1 { "1 watch was".into() } else { format!("{watches_removed} watches were") };
    format!("{who} {leads} blanked, {watches} removed.")
}

fn taken_off(entries: &[Entry]) -> String {
    match entries {
        [one] => format!("{one} is off the suppression list."),
        all => format!("{} entries are off the suppression list.", all.len()),
    }
}

fn listing(views: &[ListedView<'_>]) -> String {
    if views.is_empty() {
        return "Nobody is suppressed; `canvass suppress add DOMAIN|EMAIL|PHONE` adds a business.".into();
    }
    let row = |view: &ListedView<'_>| {
        let note = view.note.unwrap_or_default().to_owned();
        vec![view.entry.value.to_owned(), view.entry.kind.to_owned(), view.added_at.clone(), note]
    };
    table(&["Entry", "Kind", "Added", "Note"], views.iter().map(row).collect())
}
