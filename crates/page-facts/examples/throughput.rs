//! Prints MB/s a core of `facts` and of lol_html's bare pass over the same pages:
//! `cargo run --release -p page-facts --example throughput -- [FOLDER] [SECONDS] [real]`. Pages may be gzipped; without a
//! folder, hand-made pages are used, hostile ones among them.
#![expect(clippy::print_stdout, reason = "the numbers are what this program is for")]

use std::hint::black_box;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use page_facts::{Context, RawPage, facts};

// As the product has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A page and what it is called.
struct Sample {
    name: String,
    body: Vec<u8>,
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().filter(|folder| !folder.is_empty());
    let seconds = arguments.next().and_then(|s| s.parse().ok()).unwrap_or(3.0);
    let time = Duration::from_secs_f64(seconds);
    if let Some(folder) = folder {
        let pages = read_folder(Path::new(&folder))?;
        report("real pages", &pages, time);
    } else {
        report("hand-made page", &[ordinary()], time);
    }
    if std::env::args().nth(3).as_deref() == Some("real") {
        return Ok(());
    }
    for sample in hostile() {
        let name = format!("hostile: {}", sample.name);
        report(&name, &[sample], time.min(Duration::from_millis(500)));
    }
    Ok(())
}

fn report(name: &str, pages: &[Sample], time: Duration) {
    let facts_speed = speed(pages, time, |page| {
        let raw = RawPage { url: "https://example-bench.com/", content_type: None, body: &page.body };
        black_box(facts(&[raw], &Context::default()));
    });
    let bare_speed = speed(pages, time, |page| bare_pass(&page.body));
    let bytes: usize = pages.iter().map(|page| page.body.len()).sum();
    let megabytes = bytes as f64 / 1e6;
    println!(
        "{name:<36} {:>4} pages {megabytes:>7.1} MB   facts {facts_speed:>7.0} MB/s   lol_html bare {bare_speed:>7.0} MB/s",
        pages.len()
    );
}

/// MB of pages per second of this thread's processor time, in the best of the passes over all pages that fit into `time`:
/// a machine shared with others only ever makes a pass slower.
fn speed(pages: &[Sample], time: Duration, work: impl Fn(&Sample)) -> f64 {
    let bytes: usize = pages.iter().map(|page| page.body.len()).sum();
    let started = Instant::now();
    let mut best = 0.0_f64;
    while best == 0.0 || started.elapsed() < time {
        let (pass_started, cpu_before) = (Instant::now(), cpu_seconds());
        pages.iter().for_each(&work);
        let seconds = match (cpu_before, cpu_seconds()) {
            (Some(before), Some(after)) if after > before => after - before,
            _ => pass_started.elapsed().as_secs_f64(),
        };
        best = best.max(bytes as f64 / 1e6 / seconds);
    }
    best
}

/// Seconds this thread has had a core to itself; a busy machine does not spoil it. `None` outside Linux.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_ascii_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

/// lol_html with no handler at all: the least any parser of that kind does.
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

/// A page in the manner of a small business's site.
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

/// Pages made to be slow to read.
fn hostile() -> Vec<Sample> {
    const BYTES: usize = 2_000_000;
    let of = |name: &str, piece: &str| Sample {
        name: name.to_owned(),
        body: piece.repeat(BYTES / piece.len()).into_bytes(),
    };
    vec![
        of("only @", "@"),
        of("near emails", "joe@acme.con "),
        of("emails", "joe@acme.com "),
        of("phones", "512-555-0134 "),
        of("digits", "5125550134"),
        of("open tags", "<div>"),
        of("unclosed quotes", "<a href=\"x"),
        of("entities", "&amp;&#64;"),
        of("brackets", "a [at] b (dot) "),
        of("urls", "<img src=//a.wixstatic.com/x>"),
        of("itemprops", "<div itemscope itemprop=a>"),
        of("names", "<p>Jane Doe<p>Owner"),
        of("comments", "<!-- "),
        of("json", "<script type=application/ld+json>[{\"a\":[</script>"),
        of("script strings", "<script>'a'+'@'+</script>"),
        of("links", "<a href=https://facebook.com/x>x</a>"),
    ]
}
