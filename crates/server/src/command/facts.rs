//! `canvass facts`: extracts facts from saved pages, one JSON line per page.

use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use flate2::read::MultiGzDecoder;
use page_facts::{Context, FactsView, PAGE_BYTES_MAX, RawPage};
use serde::{Deserialize, Serialize};

use super::output::write_json_line;

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
    /// List of pages, one {"file": "...", "url": "..."} per line; files are relative to the list
    #[arg(long, value_name = "LIST", conflicts_with_all = ["files", "url"])]
    jsonl: Option<PathBuf>,
    /// Region of phone numbers without a country code, such as US; derived from the site by default
    #[arg(long, value_name = "CODE")]
    region: Option<String>,
}

/// One page to process.
#[derive(Clone, Debug, Deserialize)]
struct Item {
    file: String,
    url: String,
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

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let items = items(arguments)?;
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    let mut all_read = true;
    for batch in items.chunks(BATCH_PAGES) {
        for (line, read) in on_all_cores(batch, arguments.region.as_deref()) {
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
        let item = |path: &PathBuf| Item { file: path.display().to_string(), url: url.clone(), path: path.clone() };
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
        let beside = folder.join(&item.file);
        item.path = if beside.exists() { beside } else { PathBuf::from(&item.file) };
        items.push(item);
    }
    Ok(items)
}

/// The output lines of a batch in order, each with whether its page could be read.
fn on_all_cores(batch: &[Item], region: Option<&str>) -> Vec<(String, bool)> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some(item) = batch.get(number) else { return done };
            done.push((number, line(item, region)));
        }
    };
    let mut lines: Vec<(usize, (String, bool))> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    });
    lines.sort_by_key(|(number, _)| *number);
    lines.into_iter().map(|(_, line)| line).collect()
}

fn line(item: &Item, region: Option<&str>) -> (String, bool) {
    let Item { file, url, path } = item;
    match read(path) {
        Ok(body) => {
            let page = RawPage { url, content_type: None, body: &body };
            let context = Context { region, ..Context::default() };
            let facts = page_facts::facts(&[page], &context);
            let line = Line { file, url, facts: facts.view() };
            (serde_json::to_string(&line).unwrap_or_default(), true)
        }
        Err(error) => {
            let fault = FileError { file, url, error: format!("cannot read the file: {error}") };
            (serde_json::to_string(&fault).unwrap_or_default(), false)
        }
    }
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
