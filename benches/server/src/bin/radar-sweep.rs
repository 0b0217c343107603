//! Measures one sweep over many watches: checks a second and core, memory, database statements a check.
//!
//! Usage: `cargo run --release --bin radar-sweep -- [WATCHES]`; `make bench ONLY=radar` does that.

use std::sync::Arc;
use std::time::Instant;

use canvass::account::{self, Account, Email, NewAccount};
use canvass::app::Ports;
use canvass::clock::{Clock, SetClock, SystemClock};
use canvass::config::Settings;
use canvass::lead::{self, LeadQuery, Lock};
use canvass::plan::{AddOn, Tier};
use canvass::radar::{self, Which};
use canvass::search::{self, StartRequest};
use canvass::{App, db, sandbox, work};

/// Watches when nobody says.
const WATCHES_DEFAULT: usize = 10_000;
/// Trades whose businesses are watched, as many as are needed.
const TRADES: [&str; 12] = [
    "restaurant",
    "plumber",
    "dentist",
    "lawyer",
    "hair salon",
    "electrician",
    "bakery",
    "gym",
    "florist",
    "roofer",
    "optician",
    "photographer",
];
/// Leads of one search.
const SEARCH_LEADS: i64 = 2_500;
/// Seconds after which every watch is due, however its turn was spread.
const A_DAY: i64 = 27 * 60 * 60;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let wanted = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(WATCHES_DEFAULT);
    let folder = std::env::temp_dir().join(format!("canvass-radar-{}", std::process::id()));
    let measured = measure(wanted, &folder).await;
    std::fs::remove_dir_all(&folder)?;
    measured
}

async fn measure(wanted: usize, folder: &std::path::Path) -> anyhow::Result<()> {
    let clock = Arc::new(SetClock::at(SystemClock.now()));
    let mut settings = Settings { data: folder.into(), ..Settings::default() };
    settings.plans.of_mut(Tier::Scale).radar_cap = i64::try_from(wanted)?;
    let db = db::open(None, folder).await?;
    db::migrate(&db, folder).await?;
    let app = App::new(db, settings, Ports { clock: clock.clone(), ..Ports::default() });
    let account = watch_many(&app, wanted).await?;
    sandbox::advance(&app.db, 1).await?;
    clock.advance_seconds(A_DAY);

    // What was used to get here does not count: the peak from now on is what a sweep holds.
    std::fs::write("/proc/self/clear_refs", "5")?;
    let (begun, cpu, statements) = (Instant::now(), cpu_seconds()?, db::statements());
    let swept = radar::check_now(&app, Which::Due).await?;
    let (seconds, cpu) = (begun.elapsed().as_secs_f64(), cpu_seconds()? - cpu);
    let checked = swept.checked as f64;
    let told = radar::list(&app.db, account.id).await?.iter().filter(|watch| watch.checks > 0).count();
    say(&format!("{told} watches checked    {seconds:>8.1} s, websites served by the same process"));
    say(&format!("alerts, in doubt, unreadable {:>6} {} {}", swept.alerts, swept.in_doubt, swept.unreadable));
    say(&format!("checks a second       {:>8.0}", checked / seconds));
    say(&format!("checks a CPU second   {:>8.0}    the serving of the websites included", checked / cpu));
    say(&format!("statements a check    {:>8.2}", (db::statements() - statements) as f64 / checked));
    say(&format!("memory at the peak    {:>8.0} MiB", peak_mib()?));
    Ok(())
}

async fn watch_many(app: &App, wanted: usize) -> anyhow::Result<Account> {
    let email = Email::parse("owner@example.com")?;
    let new = NewAccount { email, tier: Tier::Scale, credits: Some(50_000), add_ons: AddOn::ALL.to_vec() };
    let account = account::create(app, new).await?;
    let mut watched = 0;
    for trade in TRADES {
        let request = StartRequest {
            industry: trade.into(),
            location: "Crowdville, Sandbox".into(),
            requested_count: Some(SEARCH_LEADS),
            ..StartRequest::default()
        };
        let search = search::start(app, &account, request, None).await?.search().owned_id()?;
        work::until_idle(app).await?;
        let mut listed = lead::list(&app.db, search, &LeadQuery::default(), Lock::Open).await?;
        loop {
            let rows = listed.next_rows().await?;
            if rows.is_empty() {
                break;
            }
            for row in rows {
                radar::watch(app, &account, row.lead()?.lead_id, None).await?;
                watched += 1;
                if watched == wanted {
                    return Ok(account);
                }
            }
        }
    }
    anyhow::bail!("only {watched} businesses were found to watch")
}

#[expect(clippy::print_stdout, reason = "this is what it is for")]
fn say(line: &str) {
    println!("{line}");
}

fn cpu_seconds() -> anyhow::Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    // Linux counts in hundredths of a second.
    Ok((fields[11].parse::<f64>()? + fields[12].parse::<f64>()?) / 100.0)
}

fn peak_mib() -> anyhow::Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    let kib: f64 = line.split_whitespace().next().unwrap_or("0").parse()?;
    Ok(kib / 1024.0)
}
