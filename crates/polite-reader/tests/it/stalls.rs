//! A process that is stopped while it reads: deadlines that pass meanwhile are not held against the sites.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::Stdio;
use std::time::Duration;

use polite_reader::{Freshness, Reader, ReaderSettings, SiteStatus};
use tokio::process::Command;

use crate::child::{again_as_child, port_from_parent};
use crate::hostile::Hostile;

const SITES: usize = 30;

/// Longer than the child's deadline for a whole site.
const STOPPED_FOR: Duration = Duration::from_secs(7);

#[tokio::test(flavor = "multi_thread")]
async fn a_process_stopped_longer_than_every_deadline_reads_every_site_completely() {
    if let Some(port) = port_from_parent() {
        return read_kind_sites(port).await;
    }
    let server = Hostile::start().await;
    let name = "stalls::a_process_stopped_longer_than_every_deadline_reads_every_site_completely";
    let child = again_as_child(name, &server).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let process = child.id().unwrap().to_string();
    while server.requests() < 2 * SITES {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let signal = |signal: &'static str| Command::new("kill").args([signal, &process]).status();
    assert!(signal("-STOP").await.unwrap().success());
    // Only the passing of time matters here, so there is no condition to wait for.
    tokio::time::sleep(STOPPED_FOR).await;
    assert!(signal("-CONT").await.unwrap().success());
    let output = child.wait_with_output().await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("all whole"), "{said}");
}

/// The child's part.
#[expect(clippy::print_stdout, reason = "how the child reports to its parent")]
async fn read_kind_sites(port: u16) {
    let settings = ReaderSettings {
        host_gap: Duration::from_millis(300),
        connect_deadline: Duration::from_secs(3),
        first_byte_deadline: Duration::from_secs(3),
        body_deadline: Duration::from_secs(3),
        site_deadline: Duration::from_secs(6),
        stall_min: Duration::from_millis(1_500),
        allowed_addresses: vec![SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port)],
        ..ReaderSettings::default()
    };
    let reader = Reader::new(settings).unwrap();
    let urls: Vec<String> = (0..SITES).map(|at| format!("http://kind-{at}.localhost:{port}/")).collect();
    let reports = futures::future::join_all(urls.iter().map(|url| reader.read_site(url, Freshness::Cached))).await;
    for report in &reports {
        let outcome = (report.status, report.complete, report.pages.len(), report.interrupted);
        assert_eq!(outcome, (SiteStatus::Ok, true, 6, false), "{} {:?}", report.url, report.detail);
    }
    println!("all whole");
}
