//! Serves HTTP until told to stop, then lets those who are being served finish.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use canvass::App;
use canvass::{chores, search, work};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt;

use crate::api::{Edge, router};
use crate::metrics;

/// How long a client may take to send the head of a request.
const HEAD_TIME_MAX: Duration = Duration::from_secs(15);
/// Connections at once; further ones wait to be accepted.
const CONNECTIONS_MAX: usize = 20_000;
/// How long requests under way may take to finish when the server stops.
const FAREWELL_TIME_MAX: Duration = Duration::from_secs(10);
/// How often the regular chores are done.
const CHORES_EVERY: Duration = Duration::from_secs(60);
/// How long to wait when the system has no more connections to give.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves on `listener` until `stop` is done, and works on searches meanwhile.
pub async fn serve(app: App, listener: TcpListener, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
    app.listens_on(listener.local_addr()?);
    let edge = Edge::new(app.clone(), &app.base_url());
    metrics::start();
    let (stopping, stopped) = watch::channel(false);
    tokio::spawn(async move {
        stop.await;
        stopping.send_replace(true);
    });
    let worker = tokio::spawn(work::work(app.clone(), told(stopped.clone())));
    let others = tokio::spawn(search::notice_others(app.clone()));
    let chores = tokio::spawn(do_chores(app));
    serve_service(edge, router::service, listener, told(stopped)).await;
    // Its searches are handed back, for others to go on with at once.
    let _ = worker.await;
    others.abort();
    chores.abort();
    Ok(())
}

/// Done when the process stops.
async fn told(mut stopped: watch::Receiver<bool>) {
    // The sender goes away only after it has sent.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

/// Serves `make(edge)`: what tests use to serve further routes.
pub async fn serve_service(
    edge: Edge,
    make: impl FnOnce(Edge) -> router::Service,
    listener: TcpListener,
    stop: impl Future<Output = ()>,
) {
    let service = make(edge.clone());
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let accepting = async {
        loop {
            let place = places.clone().acquire_owned().await;
            match listener.accept().await {
                Ok((stream, _)) => {
                    let connection = graceful.watch(connection(stream, service.clone()));
                    tokio::spawn(async move {
                        // A client that breaks off is its own affair.
                        let _ = connection.await;
                        drop(place);
                    });
                }
                Err(error) => {
                    tracing::warn!(error = &error as &dyn std::error::Error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    };
    tokio::select! {
        () = accepting => {}
        () = stop => {}
    }
    edge.close();
    drop(listener);
    if tokio::time::timeout(FAREWELL_TIME_MAX, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish in time and were cut off");
    }
}

fn connection(
    stream: TcpStream,
    service: router::Service,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = Box<dyn std::error::Error + Send + Sync>> {
    // Answers are small and whole; waiting to fill a packet would only delay them.
    let _ = stream.set_nodelay(true);
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD_TIME_MAX);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(Some(HEAD_TIME_MAX));
    let service = service.map_request(|request: http::Request<_>| -> Request { request.map(Body::new) });
    builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service)).into_owned()
}

async fn do_chores(app: App) {
    let mut turn = tokio::time::interval(CHORES_EVERY);
    loop {
        turn.tick().await;
        chores::run(&app).await;
    }
}

/// Done when the process is asked to stop: Ctrl-C, or the system's wish.
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
