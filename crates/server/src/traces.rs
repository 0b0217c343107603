//! Traces for an OpenTelemetry collector: OTLP over HTTP, in protobuf.
//!
//! Nothing that others choose leaves the process this way. Only spans of our own crates are sent, without their events; of their
//! attributes only those that `ATTRIBUTES` lists, whose values are our own words, ids and numbers; and all text passes the
//! function that hides secrets in the log, as a second line of defence.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use canvass::config::TelemetrySettings;
use canvass::outbound;
use opentelemetry::trace::{SpanKind, Status, TracerProvider};
use opentelemetry::{KeyValue, Value};
use opentelemetry_otlp::{WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider, SpanData, SpanEvents, SpanExporter, SpanLinks};
use tokio::runtime::Handle;
use tracing::{Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

/// How long the collector may take for one batch.
const SEND_TIME_MAX: Duration = Duration::from_secs(10);
/// How long the last spans may take to be sent when the process stops.
const FLUSH_TIME_MAX: Duration = Duration::from_secs(5);
/// Characters of a text in an attribute.
const TEXT_CHARS_MAX: usize = 128;
/// The span of a request, which is named by its method and route.
const REQUEST: &str = "request";

/// Attributes that are sent, and their names in OpenTelemetry's conventions where those have one.
const ATTRIBUTES: &[(&str, &str)] = &[
    ("http.method", "http.request.method"),
    ("http.route", "http.route"),
    ("http.status", "http.response.status_code"),
    (REQUEST_ID, "request.id"),
    ("caller", "caller"),
    ("search.id", "search.id"),
    ("search.epoch", "search.epoch"),
    ("search.outcome", "search.outcome"),
    ("site.status", "site.status"),
    ("site.pages", "site.pages"),
    ("provider.name", "provider.name"),
    ("provider.kind", "provider.kind"),
    ("provider.status", "provider.status"),
    ("watch.id", "watch.id"),
    ("watch.outcome", "watch.outcome"),
    ("mail.kind", "mail.kind"),
    ("mail.outcome", "mail.outcome"),
    ("ai.outcome", "ai.outcome"),
];
/// Clients may choose it; it is sent only if it has the form of the ids that we make.
const REQUEST_ID: &str = "request.id";

/// Hides secrets in a text.
pub type Hide = fn(&str) -> String;

/// Why traces cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum TracesError {
    /// There is no client for the collector.
    #[error("traces cannot be sent from this machine: {0}")]
    Client(String),
    /// The exporter does not accept the settings.
    #[error("traces cannot be sent to traces_url: {0}")]
    Exporter(#[from] opentelemetry_otlp::ExporterBuildError),
}

/// The traces of this process; none if the settings name no collector.
#[derive(Debug)]
pub struct Traces(Option<SdkTracerProvider>);

impl Traces {
    /// Prepares to send traces where the settings say. Needs a runtime.
    pub fn start(settings: &TelemetrySettings, hide: Hide) -> Result<Traces, TracesError> {
        let Some(url) = &settings.traces_url else { return Ok(Traces(None)) };
        let client = outbound::client(SEND_TIME_MAX).map_err(|error| TracesError::Client(error.to_string()))?;
        let headers = settings.traces_headers.iter().map(|(name, value)| (name.clone(), value.reveal().to_owned()));
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_http_client(client)
            .with_endpoint(url.as_str())
            .with_timeout(SEND_TIME_MAX)
            .with_headers(headers.collect::<HashMap<_, _>>())
            .build()?;
        let exporter =
            Redacting { inner: Arc::new(exporter), runtime: Handle::current(), hide, is_failing: Arc::default() };
        let sampler = Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(settings.traces_share)));
        let provider = SdkTracerProvider::builder()
            .with_resource(resource())
            .with_sampler(sampler)
            .with_batch_exporter(exporter)
            .build();
        Ok(Traces(Some(provider)))
    }

    /// Makes traces of our own spans, whatever the log shows. `None` if no traces are made.
    pub fn layer<S>(&self) -> Option<impl Layer<S> + Send + Sync + use<S>>
    where
        S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
    {
        let tracer = self.0.as_ref()?.tracer("canvass");
        let layer = tracing_opentelemetry::layer()
            .with_tracer(tracer)
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false)
            .with_context_activation(false);
        let ours = filter_fn(|metadata| {
            let is_ours = ["server::", "canvass::"].iter().any(|ours| metadata.target().starts_with(ours));
            metadata.is_span() && is_ours && *metadata.level() <= Level::INFO
        });
        Some(layer.with_filter(ours))
    }

    /// Sends what is left, before the process ends.
    pub async fn stop(self) {
        let Some(provider) = self.0 else { return };
        let stopping = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(FLUSH_TIME_MAX));
        if let Ok(Err(error)) = stopping.await {
            tracing::warn!("the last traces were not sent: {error}");
        }
    }
}

/// What the traces are of.
fn resource() -> Resource {
    Resource::builder_empty()
        .with_service_name("canvass")
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .with_attribute(KeyValue::new("process.pid", i64::from(std::process::id())))
        .build()
}

/// Sends spans without anything that must not leave the process.
#[derive(Debug)]
struct Redacting {
    inner: Arc<opentelemetry_otlp::SpanExporter>,
    /// Where it sends: the processor of batches has a thread of its own, without a runtime.
    runtime: Handle,
    hide: Hide,
    /// Whether the last batch could not be sent, which is logged once.
    is_failing: Arc<AtomicBool>,
}

impl SpanExporter for Redacting {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let batch = batch.into_iter().map(|span| redacted(span, self.hide)).collect();
        let (inner, is_failing) = (self.inner.clone(), self.is_failing.clone());
        let sending = self.runtime.spawn(async move {
            let sent = inner.export(batch).await;
            let was_failing = is_failing.swap(sent.is_err(), Ordering::Relaxed);
            match &sent {
                Err(error) if !was_failing => tracing::warn!("traces cannot be sent: {error}"),
                Ok(()) if was_failing => tracing::info!("traces are sent again"),
                _ => {}
            }
            sent
        });
        sending.await.unwrap_or_else(|error| Err(OTelSdkError::InternalFailure(error.to_string())))
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        // Called before the first batch, when nobody shares it yet.
        if let Some(inner) = Arc::get_mut(&mut self.inner) {
            inner.set_resource(resource);
        }
    }
}

/// A span with nothing in it but what may be sent.
fn redacted(mut span: SpanData, hide: Hide) -> SpanData {
    span.attributes = span.attributes.into_iter().filter_map(|attribute| sent(attribute, hide)).collect();
    let text = |name: &str| {
        let found = span.attributes.iter().find(|attribute| attribute.key.as_str() == name);
        found.map(|attribute| attribute.value.to_string()).unwrap_or_default()
    };
    if span.name == REQUEST {
        let name = format!("{} {}", text("http.request.method"), text("http.route"));
        (span.name, span.span_kind) = (name.into(), SpanKind::Server);
    }
    span.name = hide(&span.name).into();
    span.events = SpanEvents::default();
    span.links = SpanLinks::default();
    if let Status::Error { .. } = span.status {
        span.status = Status::error("");
    }
    span
}

/// An attribute as it is sent; `None` if it is not.
fn sent(attribute: KeyValue, hide: Hide) -> Option<KeyValue> {
    let (known, name) = ATTRIBUTES.iter().find(|(known, _)| *known == attribute.key.as_str())?;
    let value = match attribute.value {
        Value::String(text) => Value::from(hide(text.as_str()).chars().take(TEXT_CHARS_MAX).collect::<String>()),
        Value::Array(_) => return None,
        plain => plain,
    };
    if *known == REQUEST_ID && uuid::Uuid::try_parse(&value.as_str()).is_err() {
        return None;
    }
    Some(KeyValue::new(*name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hide(text: &str) -> String {
        text.replace("secret", "[hidden]")
    }

    fn check(name: &'static str, value: &'static str, expected: Option<(&str, &str)>) {
        let sent = sent(KeyValue::new(name, value), hide);
        let sent = sent.map(|sent| (sent.key.to_string(), sent.value.to_string()));
        assert_eq!(sent.as_ref().map(|(name, value)| (name.as_str(), value.as_str())), expected);
    }

    #[test]
    fn only_listed_attributes_are_sent_and_secrets_in_them_hidden() {
        check("http.method", "GET", Some(("http.request.method", "GET")));
        check("http.route", "/secret", Some(("http.route", "/[hidden]")));
        check("url.full", "/me?api_key=x", None);
        check("error", "joe@example.com", None);
    }

    #[test]
    fn a_request_id_that_a_client_made_up_is_not_sent() {
        let own = "019a8546-0000-7000-8000-000000000000";
        check("request.id", own, Some(("request.id", own)));
        check("request.id", "joe.example.com", None);
    }
}
