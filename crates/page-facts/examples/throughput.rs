//! Prints the throughput in MB/s per core of `facts`, and of a bare lol_html pass over the same pages, then of `facts` over
//! every hostile shape: `cargo run --release -p page-facts --example throughput -- [FOLDER] [SECONDS]
//! [real|hostile|write]`. Pages may be gzipped. Without a folder a generated page is used; `write` writes the hostile pages
//! into the folder instead.
#![expect(clippy::print_stdout, reason = "printing the numbers is the purpose of this program")]

use std::hint::black_box;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use hostile::Shape;
use page_facts::{Context, RawPage, SiteFacts, facts, steps_max};

#[path = "../tests/hostile/mod.rs"]
mod hostile;

// The allocator the server uses.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Makes the hostile pages the same in every run.
const SEED: u64 = 0x05EE_D0FF_AC75;
/// Sizes of hostile pages, in bytes.
const SIZES: [usize; 2] = [200_000, 2_000_000];
/// Passes over each hostile page; the fastest counts.
const PASSES: usize = 4;
/// Bytes read in a pass, so that it is long enough to be measured.
const PASS_BYTES: usize = 4_000_000;
/// How many of the slowest shapes are printed.
const SHOWN: usize = 15;

/// A page and its name in reports.
struct Sample {
    name: String,
    body: Vec<u8>,
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().filter(|folder| !folder.is_empty());
    let seconds = arguments.next().and_then(|s| s.parse().ok()).unwrap_or(3.0);
    let time = Duration::from_secs_f64(seconds);
    let what = arguments.next().unwrap_or_default();
    match (folder, what.as_str()) {
        (Some(folder), "write") => return write_hostile(Path::new(&folder)),
        (_, "hostile") => {}
        (Some(folder), _) => {
            let pages = read_folder(Path::new(&folder))?;
            report("real pages", &pages, time);
            report_cut(&pages);
        }
        (None, _) => report("hand-made page", &[ordinary()], time),
    }
    if what != "real" {
        report_hostile();
    }
    Ok(())
}

/// Prints how many pages exhausted their budget; no page made by people should.
fn report_cut(pages: &[Sample]) {
    let cut: Vec<&str> =
        pages.iter().filter(|page| !read(page).cut_pages.is_empty()).map(|page| page.name.as_str()).collect();
    let share = |page: &Sample| {
        let steps = read(page).pages.first().map_or(0, |summary| summary.steps);
        steps as f64 * 100.0 / steps_max(page.body.len()) as f64
    };
    let most = pages.iter().map(share).fold(0.0, f64::max);
    println!(
        "{} of {} pages cut {}; the largest share of its budget a page used is {most:.0} %",
        cut.len(),
        pages.len(),
        cut.join(" ")
    );
}

fn read(page: &Sample) -> SiteFacts {
    let raw = RawPage { url: "https://example-bench.com/", content_type: None, body: &page.body };
    facts(&[raw], &Context::default())
}

/// Reads every shape at every size and prints the slowest.
fn report_hostile() {
    let mut slowest: Vec<(f64, usize, String)> = Vec::new();
    let shapes = hostile::shapes();
    for shape in &shapes {
        for bytes in SIZES {
            slowest.push((hostile_speed(shape, bytes), bytes, shape.name.clone()));
        }
    }
    slowest.sort_by(|one, other| one.0.total_cmp(&other.0));
    println!("\nhostile: {} shapes, {:?} bytes each, best of {PASSES} passes; the slowest:", shapes.len(), SIZES);
    for (speed, bytes, name) in slowest.iter().take(SHOWN) {
        println!("  {speed:>6.0} MB/s  {:>4.1} MB  {name}", *bytes as f64 / 1e6);
    }
    if let Some((speed, _, name)) = slowest.first() {
        println!("minimum {speed:.0} MB/s ({name})");
    }
}

fn hostile_speed(shape: &Shape, bytes: usize) -> f64 {
    let bodies = shape.bodies(bytes, SEED);
    let page = |body| RawPage { url: "https://www.acme-roofing.com/", content_type: None, body };
    let pages: Vec<RawPage<'_>> = bodies.iter().map(|body| page(body.as_slice())).collect();
    let context = Context { region: shape.region, business_name: Some("Acme Roofing"), scripts: &[] };
    let length: usize = bodies.iter().map(Vec::len).sum();
    // Some systems count CPU time in ticks of 4 ms, so a pass is as long as many of them.
    let rounds = PASS_BYTES.div_ceil(length);
    let pass = || (0..rounds).for_each(|_| drop(black_box(facts(&pages, &context))));
    let seconds = (0..PASSES).map(|_| seconds_of(pass));
    (length * rounds) as f64 / 1e6 / seconds.fold(f64::INFINITY, f64::min)
}

/// Writes the first page of every shape, for other programs to read.
fn write_hostile(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (index, shape) in hostile::shapes().iter().enumerate() {
        let name: String = shape.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        for bytes in SIZES {
            let body = shape.bodies(bytes, SEED).remove(0);
            std::fs::write(folder.join(format!("{index:03}-{name}-{bytes}.html")), body)?;
        }
    }
    Ok(())
}

fn report(name: &str, pages: &[Sample], time: Duration) {
    let facts_speed = speed(pages, time, |page| drop(black_box(read(page))));
    let bare_speed = speed(pages, time, |page| bare_pass(&page.body));
    let bytes: usize = pages.iter().map(|page| page.body.len()).sum();
    let megabytes = bytes as f64 / 1e6;
    println!(
        "{name:<36} {:>4} pages {megabytes:>7.1} MB   facts {facts_speed:>7.0} MB/s   lol_html bare {bare_speed:>7.0} MB/s",
        pages.len()
    );
}

/// MB per second of this thread's CPU time, from the fastest of the passes that fit into `time`: other load on the
/// machine can only make a pass slower.
fn speed(pages: &[Sample], time: Duration, work: impl Fn(&Sample)) -> f64 {
    let bytes: usize = pages.iter().map(|page| page.body.len()).sum();
    let started = Instant::now();
    let mut best = 0.0_f64;
    while best == 0.0 || started.elapsed() < time {
        let seconds = seconds_of(|| pages.iter().for_each(&work));
        best = best.max(bytes as f64 / 1e6 / seconds);
    }
    best
}

/// Seconds of CPU time that `work` takes, or of wall time where the system does not report CPU time.
fn seconds_of(work: impl FnOnce()) -> f64 {
    let (started, cpu_before) = (Instant::now(), cpu_seconds());
    work();
    match (cpu_before, cpu_seconds()) {
        (Some(before), Some(after)) if after > before => after - before,
        _ => started.elapsed().as_secs_f64(),
    }
}

/// CPU seconds of this thread, which other load does not affect. `None` outside Linux.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_ascii_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

/// lol_html without any handler: the minimum that parser has to do.
fn bare_pass(body: &[u8]) {
    let settings = lol_html::Settings::new();
    let mut rewriter = lol_html::HtmlRewriter::new(settings, |_: &[u8]| {});
    if rewriter.write(body).is_ok() {
        black_box(rewriter.end().is_ok());
    }
}

fn read_folder(folder: &Path) -> std::io::Result<Vec<Sample>> {
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let mut body = std::fs::read(&path)?;
        if name.ends_with(".gz") {
            let mut plain = Vec::new();
            flate2::read::GzDecoder::new(body.as_slice()).read_to_end(&mut plain)?;
            body = plain;
        } else if !(name.ends_with(".html") || name.ends_with(".htm")) {
            continue;
        }
        pages.push(Sample { name, body });
    }
    pages.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(pages)
}

/// A generated page similar to a small business's site.
fn ordinary() -> Sample {
    let mut html = String::from(
        "<!doctype html><html lang=en><head><title>Acme Roofing</title><link rel=stylesheet href='/wp-content/themes/x/style.css'></head><body>",
    );
    for index in 0..400 {
        html.push_str(&format!("<div class='card card-{index}'><h3>Service {index}</h3><p>We mend roofs of every kind, in every weather, since 1987. <a href='/services/{index}'>Read more</a></p></div>"));
    }
    html.push_str("<script>window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}</script>");
    html.push_str("<footer><p>Call (512) 555-0134 or write to <a href='mailto:joe@acme-roofing.test'>joe</a></p></footer></body></html>");
    Sample { name: "ordinary".to_owned(), body: html.into_bytes() }
}
