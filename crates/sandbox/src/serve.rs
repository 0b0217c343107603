//! Serves the world's websites over HTTP, selected by the `Host` header.

use std::convert::Infallible;
use std::future::{Future, pending};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, HOST};
use http::{HeaderName, HeaderValue, Request, Response, StatusCode};
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::{Body as HttpBody, Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Sleep, sleep, timeout};

use crate::site::response::{Behaviour, SiteResponse};
use crate::world::World;

/// Connections served at the same time; more wait.
const CONNECTIONS_MAX: usize = 4_096;

/// Deadline for a request's head.
pub(crate) const HEAD_DEADLINE: Duration = Duration::from_secs(30);

/// How long a hanging website keeps a connection: longer than readers wait for a response.
pub(crate) const HANG_MAX: Duration = Duration::from_secs(60);

/// How long open connections are waited for at shutdown.
const GOODBYE_MAX: Duration = Duration::from_secs(1);

/// Size at which even an endless page ends: more than readers accept.
const ENDLESS_BYTES_MAX: usize = 10 * 1024 * 1024;

/// Pause before a truncated page breaks off, so that its first part has been sent.
const FLUSH_PAUSE: Duration = Duration::from_millis(20);

/// The body of a response.
pub type Body = UnsyncBoxBody<Bytes, Broken>;

/// The website closes the connection instead of responding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reset;

impl std::fmt::Display for Reset {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("the website closed the connection")
    }
}

impl std::error::Error for Reset {}

/// The body breaks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken;

impl std::fmt::Display for Broken {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("the page broke off")
    }
}

impl std::error::Error for Broken {}

/// The age of the world, queried for every request.
pub type Age = Arc<dyn Fn() -> u32 + Send + Sync>;

/// Serves the world's websites on a listener until `stop` resolves, then closes open connections.
pub async fn serve(listener: TcpListener, world: World, age: Age, stop: impl Future<Output = ()>) {
    serve_connections(listener, stop, move |socket| serve_connection(socket, world.clone(), Arc::clone(&age))).await;
}

/// Accepts connections until `stop` resolves, each served in a task of its own, then closes those that are open.
pub(crate) async fn serve_connections<F>(
    listener: TcpListener,
    stop: impl Future<Output = ()>,
    serve: impl Fn(TcpStream) -> F,
) where
    F: Future<Output = ()> + Send + 'static,
{
    let mut stop = pin!(stop);
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = accept(&listener, &places) => accepted,
        };
        let Some((socket, place)) = accepted else { continue };
        let _ = socket.set_nodelay(true);
        let serving = serve(socket);
        connections.spawn(async move {
            let _place = place;
            serving.await;
        });
        while connections.try_join_next().is_some() {}
    }
    drop(listener);
    connections.abort_all();
    let _ = timeout(GOODBYE_MAX, async { while connections.join_next().await.is_some() {} }).await;
}

type ConnectionPermit = tokio::sync::OwnedSemaphorePermit;

/// The next connection, once there is room for it. Failed ones are for the client to retry.
async fn accept(listener: &TcpListener, places: &Arc<Semaphore>) -> Option<(TcpStream, ConnectionPermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((socket, _)) => Some((socket, place)),
        Err(_) => {
            // Most likely out of file handles: a short pause lets others close theirs.
            sleep(Duration::from_millis(20)).await;
            None
        }
    }
}

async fn serve_connection(socket: TcpStream, world: World, age: Age) {
    let respond = move |request: Request<Incoming>| {
        let (world, age) = (world.clone(), age());
        async move {
            let host = host_of(&request);
            let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
            respond(&world, &host, path, age).await
        }
    };
    serve_http(socket, respond).await;
}

/// Serves the requests of one connection.
pub(crate) async fn serve_http<S, F>(stream: S, respond: impl Fn(Request<Incoming>) -> F)
where
    S: AsyncRead + AsyncWrite + Unpin,
    F: Future<Output = Result<Response<Body>, Reset>>,
{
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD_DEADLINE);
    // The client notices errors by itself; a reset is intended.
    let _ = server.serve_connection(TokioIo::new(stream), service_fn(respond)).await;
}

pub(crate) fn host_of<B>(request: &Request<B>) -> String {
    let header = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    header.or_else(|| request.uri().host()).unwrap_or_default().to_owned()
}

/// The response to one request, for a server with its own listener. Waits as long as the website makes its visitors wait; an
/// unknown host gets a page that says so.
///
/// # Errors
/// When the website closes the connection instead of responding.
pub async fn respond(world: &World, host: &str, path_and_query: &str, age: u32) -> Result<Response<Body>, Reset> {
    let Some(response) = world.fetch(host, path_and_query, age) else { return Ok(unknown_host()) };
    answer(response).await
}

/// A response as it is delivered, after the delay that belongs to it.
pub(crate) async fn answer(response: SiteResponse) -> Result<Response<Body>, Reset> {
    match response.behaviour {
        Behaviour::Reset => return Err(Reset),
        Behaviour::Delay(pause) => sleep(pause).await,
        Behaviour::Hang => {
            let _ = timeout(HANG_MAX, pending::<Infallible>()).await;
            return Err(Reset);
        }
        Behaviour::Plain | Behaviour::Truncate(_) | Behaviour::Drip { .. } | Behaviour::Endless => {}
    }
    Ok(http_response(response))
}

pub(crate) fn unknown_host() -> Response<Body> {
    let text = "<html><head><title>Canvass sandbox</title></head><body><h1>No such website</h1>\
        <p>The sandbox has no business under this name. Websites are addressed as the listing has them.</p></body></html>";
    let headers = vec![("content-type", "text/html; charset=utf-8".to_owned())];
    http_response(SiteResponse {
        status: 404,
        headers,
        body: Bytes::from_static(text.as_bytes()),
        behaviour: Behaviour::Plain,
    })
}

fn http_response(site: SiteResponse) -> Response<Body> {
    let length = site.body.len();
    let body = SiteBody::new(site.body, site.behaviour);
    let mut response = Response::new(body.boxed_unsync());
    *response.status_mut() = StatusCode::from_u16(site.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    for (name, value) in site.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
    if site.behaviour != Behaviour::Endless {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    response
}

/// A body being sent, with the website's delays and faults.
struct SiteBody {
    rest: Bytes,
    whole: Bytes,
    sent: usize,
    behaviour: Behaviour,
    pause: Option<Pin<Box<Sleep>>>,
}

impl SiteBody {
    fn new(body: Bytes, behaviour: Behaviour) -> SiteBody {
        let rest = match behaviour {
            Behaviour::Truncate(bytes) => body.slice(..bytes.min(body.len())),
            _ => body.clone(),
        };
        SiteBody { rest, whole: body, sent: 0, behaviour, pause: None }
    }

    /// The next chunk; `None` at the end.
    fn piece(&mut self) -> Option<Result<Bytes, Broken>> {
        if self.rest.is_empty() {
            match self.behaviour {
                Behaviour::Truncate(bytes) if bytes < self.whole.len() => return Some(Err(Broken)),
                Behaviour::Endless if self.sent < ENDLESS_BYTES_MAX && !self.whole.is_empty() => {
                    self.rest = self.whole.clone();
                }
                _ => return None,
            }
        }
        let bytes = match self.behaviour {
            Behaviour::Drip { bytes, pause } => {
                self.pause = Some(Box::pin(sleep(pause)));
                bytes.clamp(1, self.rest.len())
            }
            Behaviour::Truncate(_) => {
                self.pause = Some(Box::pin(sleep(FLUSH_PAUSE)));
                self.rest.len()
            }
            _ => self.rest.len(),
        };
        self.sent += bytes;
        Some(Ok(self.rest.split_to(bytes)))
    }
}

impl HttpBody for SiteBody {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        if let Some(pause) = &mut self.pause {
            std::task::ready!(pause.as_mut().poll(context));
            self.pause = None;
        }
        Poll::Ready(self.piece().map(|piece| piece.map(Frame::data)))
    }
}
