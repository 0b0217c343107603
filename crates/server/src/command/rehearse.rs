//! `canvass rehearse`: serves a stand-in for a map provider, whose map has the businesses of the sandbox.

use std::net::{Ipv4Addr, SocketAddr};

use ::rehearsal::{google, nominatim, overpass};
use ::sandbox::World;
use axum::Router;
use canvass::config::Settings;
use canvass::sandbox::SEED;
use clap::{Args, ValueEnum};
use serde::Serialize;
use tokio::net::TcpListener;

use super::output::Output;

/// Key that the rehearsal of Google takes.
const REHEARSAL_KEY: &str = "rehearsal";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Which provider to stand in for
    provider: Provider,
    /// Port to listen on, at 127.0.0.1; 0 for any free one
    #[arg(long, default_value_t = 8090)]
    port: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Provider {
    /// Google's Places API (New) and Geocoding API
    Google,
    /// An Overpass server
    Overpass,
    /// Geocoders: Nominatim, Photon and that of the US Census Bureau
    Nominatim,
}

#[derive(Debug, Serialize)]
struct Listening {
    address: String,
    settings: Vec<String>,
}

/// Serves until it is interrupted.
pub(super) async fn run(_: &Settings, arguments: &Arguments, output: Output) -> anyhow::Result<()> {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port))).await?;
    let base = format!("http://{}", listener.local_addr()?);
    let listening = Listening { settings: arguments.provider.settings(&base), address: base };
    output.show(&listening, || {
        let settings = listening.settings.join(" ");
        format!(
            "The rehearsal listens on {}. In another terminal:\n\n  {settings} canvass find dentist \"{}\" --radius 5 -n 10\n\n{}Ctrl-C ends it.",
            listening.address,
            arguments.provider.location(),
            arguments.provider.remark(),
        )
    });
    let interrupted = async {
        // Without a signal it runs until it is killed.
        let _ = tokio::signal::ctrl_c().await;
    };
    axum::serve(listener, arguments.provider.router()).with_graceful_shutdown(interrupted).await?;
    Ok(())
}

impl Provider {
    fn router(self) -> Router {
        let world = World::new(SEED);
        match self {
            Provider::Google => {
                let options = google::Options { key: REHEARSAL_KEY.to_owned(), ..google::Options::default() };
                google::Rehearsal::new(world, options).router()
            }
            Provider::Overpass => overpass::Rehearsal::new(world, overpass::Options::default()).router(),
            Provider::Nominatim => nominatim::Rehearsal::new(world, nominatim::Options::default()).router(),
        }
    }

    /// Where to search: an address for a provider that finds addresses.
    fn location(self) -> &'static str {
        match self {
            Provider::Overpass => "Austin, TX",
            Provider::Google | Provider::Nominatim => "120 Oak St, Austin, TX",
        }
    }

    fn remark(self) -> &'static str {
        match self {
            Provider::Google | Provider::Overpass => {
                "The businesses are those of the sandbox. Their websites are not served, so nothing is read from them.\n"
            }
            Provider::Nominatim => "",
        }
    }

    /// What to set in order to use it.
    fn settings(self, base: &str) -> Vec<String> {
        match self {
            Provider::Google => vec![
                "CANVASS_SOURCE=google".to_owned(),
                format!("CANVASS_GOOGLE_API_KEY={REHEARSAL_KEY}"),
                format!("CANVASS_GOOGLE_URL={base}"),
                format!("CANVASS_GOOGLE_GEOCODE_URL={base}"),
                "CANVASS_GEOCODERS=google".to_owned(),
            ],
            Provider::Overpass => vec![
                "CANVASS_SOURCE=overpass".to_owned(),
                format!("CANVASS_OVERPASS_URL={base}/api/"),
                "CANVASS_GEOCODERS=none".to_owned(),
            ],
            Provider::Nominatim => {
                vec!["CANVASS_GEOCODERS=nominatim".to_owned(), format!("CANVASS_NOMINATIM_URL={base}")]
            }
        }
    }
}
