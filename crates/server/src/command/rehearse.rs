//! `canvass rehearse`: serves a stand-in for a map provider, whose map has the businesses of the sandbox.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use ::rehearsal::{google, nominatim, overpass};
use ::sandbox::World;
use anyhow::Context;
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
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port)))
        .await
        .with_context(|| format!("cannot listen on port {}; choose another one with --port", arguments.port))?;
    let base = format!("http://{}", listener.local_addr()?);
    let world = World::new(SEED);
    let sites = if arguments.provider.lists_businesses() { Some(serve_websites(&world).await?) } else { None };
    let listening = Listening { settings: arguments.provider.settings(&base, sites), address: base };
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
    let router = arguments.provider.router(world, sites.map_or(0, |address| address.port()));
    axum::serve(listener, router).with_graceful_shutdown(interrupted).await?;
    Ok(())
}

/// Serves the websites of the world's businesses, and says where.
async fn serve_websites(world: &World) -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    tokio::spawn(::sandbox::serve(listener, world.clone(), Arc::new(|| 0), std::future::pending()));
    Ok(address)
}

impl Provider {
    fn router(self, world: World, site_port: u16) -> Router {
        match self {
            Provider::Google => {
                let options =
                    google::Options { key: REHEARSAL_KEY.to_owned(), site_port, ..google::Options::default() };
                google::Rehearsal::new(world, options).router()
            }
            Provider::Overpass => {
                let options = overpass::Options { sites_port: site_port, ..overpass::Options::default() };
                overpass::Rehearsal::new(world, options).router()
            }
            Provider::Nominatim => nominatim::Rehearsal::new(world, nominatim::Options::default()).router(),
        }
    }

    fn lists_businesses(self) -> bool {
        self != Provider::Nominatim
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
                "The businesses are those of the sandbox, and their websites are served too.\n"
            }
            Provider::Nominatim => "",
        }
    }

    /// What to set in order to use it.
    fn settings(self, base: &str, sites: Option<SocketAddr>) -> Vec<String> {
        let mut settings = match self {
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
        };
        settings.extend(sites.map(|sites| format!("CANVASS_ALLOW_ADDRESSES={sites}")));
        settings
    }
}
