//! `canvass facts`: extracts facts from saved pages, one JSON line per page, or explains one value of them.

use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use flate2::read::MultiGzDecoder;
use page_facts::{Context, Decision, FactsView, PAGE_BYTES_MAX, RawPage, Verdict};
use serde::{Deserialize, Serialize};

use super::output::{Output, write_json_line};
use super::table::{fitted, screen_columns};

/// Pages processed in parallel as one batch.
const BATCH_PAGES: usize = 256;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Saved pages; files ending in .gz are decompressed
    #[arg(value_name = "FILE", required_unless_present = "jsonl")]
    files: Vec<PathBuf>,
    /// URL of the pages
    #[arg(long, value_name = "URL", required_unless_present = "jsonl")]
    url: Option<String>,
    /// List of pages, one {"file": "...", "url": "..."} per line, each with an optional "region" and "name"; files are
    /// relative to the list
    #[arg(long, value_name = "LIST", conflicts_with_all = ["files", "url"])]
    jsonl: Option<PathBuf>,
    /// Region of phone numbers without a country code, such as US; derived from the site by default
    #[arg(long, value_name = "CODE")]
    region: Option<String>,
    /// Name of the business, as its listing has it
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Show every rule that found or refused this value: an email, a phone number, a name, an address, a technology
    #[arg(long, value_name = "VALUE")]
    explain: Option<String>,
}

/// One page to process.
#[derive(Clone, Debug, Deserialize)]
struct Item {
    file: String,
    url: String,
    /// Country of the listing; overrides the option of the command.
    #[serde(default)]
    region: Option<String>,
    /// Name of the business; overrides the option of the command.
    #[serde(default)]
    name: Option<String>,
    #[serde(skip)]
    path: PathBuf,
}

/// The output for one page.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    url: &'a str,
    #[serde(flatten)]
    facts: FactsView<'a>,
}

/// The output for a page that cannot be read.
#[derive(Serialize)]
struct FileError<'a> {
    file: &'a str,
    url: &'a str,
    error: String,
}

/// A decision of a rule about the explained value.
#[derive(Serialize)]
struct ExplainedDecision {
    file: String,
    #[serde(flatten)]
    decision: Decision,
}

pub(super) fn run(arguments: &Arguments, output: Output) -> anyhow::Result<ExitCode> {
    let items = items(arguments)?;
    if let Some(value) = &arguments.explain {
        return explain(&items, value, output);
    }
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    let mut all_read = true;
    for batch in items.chunks(BATCH_PAGES) {
        for (line, read) in on_all_cores(batch) {
            all_read &= read;
            // The reader closed the pipe.
            if !write_json_line(&mut output, &line) {
                return Ok(ExitCode::SUCCESS);
            }
        }
    }
    let _ = output.flush();
    Ok(if all_read { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn items(arguments: &Arguments) -> anyhow::Result<Vec<Item>> {
    let Some(list) = &arguments.jsonl else {
        let url = arguments.url.clone().unwrap_or_default();
        let item = |path: &PathBuf| Item {
            file: path.display().to_string(),
            url: url.clone(),
            region: arguments.region.clone(),
            name: arguments.name.clone(),
            path: path.clone(),
        };
        return Ok(arguments.files.iter().map(item).collect());
    };
    let shown = list.display();
    let file = std::fs::File::open(list).with_context(|| format!("cannot read the list {shown}"))?;
    let folder = list.parent().unwrap_or(Path::new("."));
    let mut items = Vec::new();
    for (number, line) in (1..).zip(std::io::BufReader::new(file).lines()) {
        let line = line.with_context(|| format!("cannot read line {number} of {shown}"))?;
        if line.trim().is_empty() {
            continue;
        }
        let wanted = || format!("line {number} of {shown} must be {{\"file\": \"...\", \"url\": \"...\"}}");
        let mut item: Item = serde_json::from_str(&line).with_context(wanted)?;
        item.region = item.region.or_else(|| arguments.region.clone());
        item.name = item.name.or_else(|| arguments.name.clone());
        let beside = folder.join(&item.file);
        item.path = if beside.exists() { beside } else { PathBuf::from(&item.file) };
        items.push(item);
    }
    Ok(items)
}

/// The output lines of a batch in order, each with whether its page could be read.
fn on_all_cores(batch: &[Item]) -> Vec<(String, bool)> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some(item) = batch.get(number) else { return done };
            done.push((number, line(item)));
        }
    };
    let mut lines: Vec<(usize, (String, bool))> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    });
    lines.sort_by_key(|(number, _)| *number);
    lines.into_iter().map(|(_, line)| line).collect()
}

/// What the listing says about the business of a page.
fn context(item: &Item) -> Context<'_> {
    Context { region: item.region.as_deref(), business_name: item.name.as_deref(), ..Context::default() }
}

fn line(item: &Item) -> (String, bool) {
    let Item { file, url, path, .. } = item;
    match read(path) {
        Ok(body) => {
            let page = RawPage { url, content_type: None, body: &body };
            let facts = page_facts::facts(&[page], &context(item));
            let line = Line { file, url, facts: facts.view() };
            (serde_json::to_string(&line).unwrap_or_default(), true)
        }
        Err(error) => {
            let fault = FileError { file, url, error: format!("cannot read the file: {error}") };
            (serde_json::to_string(&fault).unwrap_or_default(), false)
        }
    }
}

/// Shows what the rules decided about a value on each page.
fn explain(items: &[Item], value: &str, output: Output) -> anyhow::Result<ExitCode> {
    let mut found = Vec::new();
    let (mut is_in_text, mut is_in_source) = (false, false);
    for item in items {
        let body = read(&item.path).with_context(|| format!("cannot read the file {}", item.file))?;
        let page = RawPage { url: &item.url, content_type: None, body: &body };
        let decisions = page_facts::explain(&[page], &context(item), value);
        found.extend(decisions.into_iter().map(|decision| ExplainedDecision { file: item.file.clone(), decision }));
        let is_in = |text: &str| text.to_lowercase().contains(&value.trim().to_lowercase());
        is_in_source |= is_in(&String::from_utf8_lossy(&body));
        let reads = || page_facts::facts(&[page], &context(item)).pages.iter().any(|page| is_in(&page.text));
        is_in_text |= found.is_empty() && reads();
    }
    let advice = || unseen(value, is_in_text, is_in_source);
    output.show(&found, || if found.is_empty() { advice() } else { explanation(&found) });
    Ok(ExitCode::SUCCESS)
}

/// The decisions as a table.
fn explanation(found: &[ExplainedDecision]) -> String {
    let row = |ExplainedDecision { file, decision }: &ExplainedDecision| {
        let verdict = match decision.verdict {
            Verdict::Accepted => "found",
            Verdict::Refused => "refused",
        };
        let page = if decision.url.is_some() { file.as_str() } else { "(whole site)" };
        [page, decision.finder, verdict, decision.rule, &decision.text].map(str::to_owned).to_vec()
    };
    let rows = found.iter().map(row).collect();
    fitted(&["PAGE", "FINDER", "VERDICT", "RULE", "TEXT"], rows, screen_columns(), &["VERDICT", "RULE"])
}

/// What to try when no rule ever saw the value.
fn unseen(value: &str, is_in_text: bool, is_in_source: bool) -> String {
    let advice = if is_in_text {
        "It is in the text of the page, but no rule takes it for anything that is looked for."
    } else if is_in_source {
        "The page source contains it, but where no rule looks: in a comment, a style, or a part of the page that was cut off."
    } else {
        "It is not in the page source either: check the spelling, and that the page was saved after its scripts had run."
    };
    format!("No rule saw {value:?}.\n{advice}")
}

/// Reads a page, decompressed and limited to what is examined.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let file = std::fs::File::open(path)?;
    let mut body = Vec::new();
    let most = PAGE_BYTES_MAX as u64 + 1;
    if path.extension().is_some_and(|ending| ending == "gz") {
        MultiGzDecoder::new(file).take(most).read_to_end(&mut body)?;
    } else {
        file.take(most).read_to_end(&mut body)?;
    }
    Ok(body)
}
