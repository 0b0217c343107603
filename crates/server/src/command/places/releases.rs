//! `canvass places releases`: which releases of Overture Maps can be read, and where they lie.

use canvass::config::Settings;
use canvass::listing::sources::place_data::Member;
use serde::Serialize;

use crate::command::output::Output;

#[derive(Debug, Serialize)]
struct ReleasesView {
    address: String,
    /// The release that searches read.
    used: Option<String>,
    /// Why it is not known whether there are newer ones.
    offline: Option<String>,
    releases: Vec<ReleaseView>,
}

#[derive(Debug, Serialize)]
struct ReleaseView {
    name: String,
    latest: bool,
}

pub(super) async fn run(settings: &Settings, output: Output) -> anyhow::Result<()> {
    let member = Member::overture(settings)?;
    let Some(overture) = member.releases() else { anyhow::bail!("there are no releases where CANVASS_PLACES says") };
    let releases = overture.releases().await?;
    let status = overture.status();
    let view = ReleasesView {
        address: status.address,
        used: status.latest,
        offline: status.offline,
        releases: releases
            .into_iter()
            .map(|release| ReleaseView { name: release.name, latest: release.is_latest })
            .collect(),
    };
    output.show(&view, || drawn(&view));
    Ok(())
}

fn drawn(view: &ReleasesView) -> String {
    let mut text = format!("Releases at {}:\n", view.address);
    for release in &view.releases {
        let used = if view.used.as_ref() == Some(&release.name) { "  (used by searches)" } else { "" };
        text.push_str(&format!("  {}{used}\n", release.name));
    }
    if let Some(reason) = &view.offline {
        text.push_str(&format!("Whether there are newer ones is not known: {reason}\n"));
    }
    text.push_str("CANVASS_PLACES_RELEASE=NAME reads a certain one; without it the latest is read.");
    text
}
