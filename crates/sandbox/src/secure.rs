//! Serves the world's websites over HTTPS, each as slowly as its forecast says. Names, connections and handshakes take their time
//! before the handshake, which is where a visitor notices no difference.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Frame, Incoming};
use rustls::ServerConfig;
use rustls::server::Acceptor;
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Sleep, sleep, timeout};
use tokio_rustls::LazyConfigAcceptor;

use crate::authority::{Authority, AuthorityError};
use crate::serve::{
    Age, Body, Broken, HANG_MAX, HEAD_DEADLINE, Reset, answer, host_of, serve_connections, serve_http, unknown_host,
};
use crate::site::response::Behaviour;
use crate::weather::{Forecast, Reach};
use crate::world::World;

/// Pieces in which a second's worth of a body is sent.
const PIECES_PER_SECOND: u32 = 20;
/// Fewest bytes of a piece.
const PIECE_BYTES_MIN: usize = 4 * 1024;

/// The world's websites, served over HTTPS.
#[derive(Clone)]
pub struct SecureSites {
    world: World,
    age: Age,
    config: Arc<ServerConfig>,
    observer: Option<Observer>,
}

/// Told of every request, and of every connection that comes to nothing.
pub type Observer = Arc<dyn Fn(&ServedRequest<'_>) + Send + Sync>;

/// A request, and how long its answer takes by the forecast.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedRequest<'a> {
    /// How the website takes connections.
    pub reach: Reach,
    /// The requested host.
    pub host: &'a str,
    /// Path and query; empty when no request was read.
    pub path: &'a str,
    /// The HTTP status; zero when no request was read.
    pub status: u16,
    /// The time before the first request of a connection; the same for all of a website.
    pub set_up: Duration,
    /// From the request to the first byte.
    pub first_byte: Duration,
    /// From the first byte to the last.
    pub body: Duration,
}

impl SecureSites {
    /// The websites of a world, with certificates of an authority.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new(world: World, age: Age, authority: &Authority) -> Result<SecureSites, AuthorityError> {
        Ok(SecureSites { world, age, config: Arc::new(authority.server_config()?), observer: None })
    }

    /// Tells an observer of every request.
    #[must_use]
    pub fn observed_by(self, observer: Observer) -> SecureSites {
        SecureSites { observer: Some(observer), ..self }
    }

    /// Serves on a listener until `stop` resolves, then closes open connections.
    pub async fn serve(self, listener: TcpListener, stop: impl Future<Output = ()>) {
        serve_connections(listener, stop, move |socket| self.clone().serve_connection(socket)).await;
    }

    async fn serve_connection(self, socket: TcpStream) {
        let hello = LazyConfigAcceptor::new(Acceptor::default(), socket);
        let Ok(Ok(mut start)) = timeout(HEAD_DEADLINE, hello).await else { return };
        let Some(name) = start.client_hello().server_name().map(str::to_owned) else { return };
        let forecast = self.world.forecast(&name);
        match forecast.as_ref().map_or(Reach::Answers, |forecast| forecast.reach) {
            Reach::Answers => {}
            Reach::Silent => {
                self.observe_refusal(&name, Reach::Silent);
                // Ends when the visitor gives up.
                let _ = timeout(HANG_MAX, start.io.read(&mut [0])).await;
                return;
            }
            Reach::Resets => {
                self.observe_refusal(&name, Reach::Resets);
                // Without lingering, closing sends a reset.
                let _ = start.io.set_zero_linger();
                return;
            }
        }
        sleep(forecast.map_or(Duration::ZERO, |forecast| forecast.set_up())).await;
        if let Ok(Ok(secured)) = timeout(HEAD_DEADLINE, start.into_stream(self.config.clone())).await {
            serve_http(secured, move |request| self.clone().respond(request)).await;
        }
    }

    async fn respond(self, request: Request<Incoming>) -> Result<Response<Body>, Reset> {
        let host = host_of(&request);
        let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
        let Some(response) = self.world.fetch(&host, path, (self.age)()) else { return Ok(unknown_host()) };
        let Some(forecast) = self.world.forecast(&host) else { return answer(response).await };
        let mut served = ServedRequest {
            reach: Reach::Answers,
            host: &host,
            path,
            status: response.status,
            set_up: forecast.set_up(),
            first_byte: forecast.first_byte(path),
            body: forecast.body(response.body.len()),
        };
        sleep(served.first_byte).await;
        if let Behaviour::Delay(pause) = response.behaviour {
            served.first_byte += pause;
        }
        self.observe(&served);
        Ok(answer(response).await?.map(|body| PacedBody::new(body, &forecast).boxed_unsync()))
    }

    fn observe_refusal(&self, host: &str, reach: Reach) {
        let none = Duration::ZERO;
        self.observe(&ServedRequest { reach, host, path: "", status: 0, set_up: none, first_byte: none, body: none });
    }

    fn observe(&self, served: &ServedRequest<'_>) {
        if let Some(observer) = &self.observer {
            observer(served);
        }
    }
}

/// A body that arrives as fast as its website sends.
struct PacedBody {
    body: Body,
    rest: Bytes,
    bytes_per_second: u32,
    pause: Option<Pin<Box<Sleep>>>,
}

impl PacedBody {
    fn new(body: Body, forecast: &Forecast) -> PacedBody {
        PacedBody { body, rest: Bytes::new(), bytes_per_second: forecast.bytes_per_second, pause: None }
    }

    /// The next piece of what there is.
    fn piece(&mut self) -> Bytes {
        let bytes = ((self.bytes_per_second / PIECES_PER_SECOND) as usize).max(PIECE_BYTES_MIN);
        self.rest.split_to(bytes.min(self.rest.len()))
    }

    /// How long that takes.
    fn pause_of(&self) -> Duration {
        let bytes = ((self.bytes_per_second / PIECES_PER_SECOND) as usize).max(PIECE_BYTES_MIN).min(self.rest.len());
        Duration::from_secs_f64(bytes as f64 / f64::from(self.bytes_per_second))
    }
}

impl HttpBody for PacedBody {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        if self.rest.is_empty() {
            let Some(frame) = std::task::ready!(Pin::new(&mut self.body).poll_frame(context)) else {
                return Poll::Ready(None);
            };
            match frame.map(Frame::into_data) {
                Ok(Ok(data)) => self.rest = data,
                Ok(Err(trailers)) => return Poll::Ready(Some(Ok(trailers))),
                Err(broken) => return Poll::Ready(Some(Err(broken))),
            }
        }
        let pause = self.pause_of();
        let waiting = self.pause.get_or_insert_with(|| Box::pin(sleep(pause)));
        std::task::ready!(waiting.as_mut().poll(context));
        self.pause = None;
        Poll::Ready(Some(Ok(Frame::data(self.piece()))))
    }
}
