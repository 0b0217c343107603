//! Serves HTTP until told to stop, then lets requests in flight finish.

mod accept;
mod background;
mod drive;
mod send_events;
mod served;
mod take_over;

use std::future::Future;
use std::io;
use std::time::Duration;

use canvass::App;
use canvass::{chores, work};
use tokio::net::TcpListener;
use tokio::sync::watch;

use self::accept::accept;
use self::background::Background;
use crate::edge::share_rates::keep_sharing;
use crate::metrics;
use crate::{edge::Edge, router};

/// Grace period for requests in flight when the server stops.
const FAREWELL_TIME_MAX: Duration = Duration::from_secs(10);
/// How often the regular chores are done.
const CHORES_EVERY: Duration = Duration::from_secs(60);

/// The sockets a server listens on.
#[derive(Debug)]
pub struct Listeners {
    /// For clients.
    pub clients: TcpListener,
    /// For whoever monitors it, if that is another one.
    pub metrics: Option<TcpListener>,
}

/// Serves until `stop` resolves, and runs the workers meanwhile.
pub async fn serve(app: App, listeners: Listeners, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
    let listener = listeners.clients;
    app.listens_on(listener.local_addr()?);
    let edge = Edge::new(app.clone(), &app.base_url());
    metrics::start(&app.sources.current().about().name);
    let stopped = announced(stop);
    let monitored = listeners.metrics.map(|listener| tokio::spawn(monitor(edge.clone(), listener, stopped.clone())));
    let background = Background::new()?;
    let worker = background.spawn(work::work(app.clone(), told(stopped.clone())));
    let others = tokio::spawn(work::hear_others(app.clone()));
    let chores = tokio::spawn(do_chores(app));
    let sharing = tokio::spawn(keep_sharing(edge.clone()));
    let counting = tokio::spawn(metrics::keep_counting());
    serve_service(edge, router::service, listener, told(stopped)).await;
    if let Some(monitored) = monitored {
        let _ = monitored.await;
    }
    // It returns its searches, so that other processes can go on with them at once.
    let _ = worker.await;
    drop(background);
    others.abort();
    chores.abort();
    sharing.abort();
    counting.abort();
    Ok(())
}

/// Works without serving clients until `stop` resolves; shows metrics on `listener`, if there is one.
pub async fn work(app: App, listener: Option<TcpListener>, stop: impl Future<Output = ()> + Send + 'static) {
    metrics::start(&app.sources.current().about().name);
    let stopped = announced(stop);
    let monitored = listener.map(|listener| {
        let edge = Edge::new(app.clone(), &app.base_url());
        tokio::spawn(monitor(edge, listener, stopped.clone()))
    });
    let others = tokio::spawn(work::hear_others(app.clone()));
    let counting = tokio::spawn(metrics::keep_counting());
    work::work(app, told(stopped)).await;
    if let Some(monitored) = monitored {
        let _ = monitored.await;
    }
    others.abort();
    counting.abort();
}

/// Turns `true` once `stop` resolves.
fn announced(stop: impl Future<Output = ()> + Send + 'static) -> watch::Receiver<bool> {
    let (stopping, stopped) = watch::channel(false);
    tokio::spawn(async move {
        stop.await;
        stopping.send_replace(true);
    });
    stopped
}

/// Shows metrics and health until the process begins to stop.
async fn monitor(edge: Edge, listener: TcpListener, stopped: watch::Receiver<bool>) {
    serve_service(edge, router::operation, listener, told(stopped)).await;
}

/// Resolves when the process begins to stop.
async fn told(mut stopped: watch::Receiver<bool>) {
    // The sender goes away only after it has sent.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

/// Serves what `make` returns; tests add routes that way.
pub async fn serve_service(
    edge: Edge,
    make: impl FnOnce(Edge) -> router::Service,
    listener: TcpListener,
    stop: impl Future<Output = ()>,
) {
    let service = make(edge.clone());
    tokio::select! {
        () = accept(&listener, &service, &edge) => {}
        () = stop => {}
    }
    edge.close();
    drop(listener);
    if tokio::time::timeout(FAREWELL_TIME_MAX, edge.connections.all_closed()).await.is_err() {
        tracing::warn!("some requests did not finish in time and were cut off");
    }
}

async fn do_chores(app: App) {
    let mut turn = tokio::time::interval(CHORES_EVERY);
    loop {
        turn.tick().await;
        chores::run(&app).await;
    }
}

/// Resolves on Ctrl-C or SIGTERM.
pub async fn asked_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    let terminated = async {
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminated => {}
    }
}
