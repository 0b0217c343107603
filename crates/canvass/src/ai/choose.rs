//! Chooses who answers: the operator's model, the account's own, or the built-in rules.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use polite_reader::SystemResolver;
use tokio::sync::Semaphore;

use super::address::PublicNames;
use super::own_key::{KeyError, own_endpoint};
use super::remote::{Line, RemoteModel};
use super::sealed_key::SetBy;
use super::{Endpoint, Model, ModelError, PaidBy, RULES};
use crate::app::App;
use crate::config::Settings;
use crate::ids::AccountId;

/// How long a connection to a provider may take to be made.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(10);

/// What this process asks models with.
#[derive(Debug)]
pub struct Ai {
    operator: Option<Endpoint>,
    http: OnceLock<reqwest::Client>,
    /// For addresses that customers chose: it finds no private one.
    guarded: OnceLock<reqwest::Client>,
    permits: Arc<Semaphore>,
    time_max: Duration,
}

impl Ai {
    /// What the settings ask for. Nothing is connected before it is needed.
    pub fn new(settings: &Settings) -> Ai {
        let operator = settings.ai_base_url.clone().map(|base| Endpoint {
            base,
            key: settings.ai_api_key.clone(),
            model: settings.ai_model.clone().unwrap_or_else(|| "default".to_owned()),
        });
        Ai {
            operator,
            http: OnceLock::new(),
            guarded: OnceLock::new(),
            permits: Arc::new(Semaphore::new(settings.ai_at_once)),
            time_max: Duration::from_secs(settings.ai_timeout_seconds),
        }
    }

    /// What the operator has answer questions: `rules`, or a model's name.
    pub fn engine(&self) -> &str {
        self.operator.as_ref().map_or(RULES, |endpoint| &endpoint.model)
    }

    fn remote(&self, endpoint: Endpoint, chosen_by: SetBy) -> Result<Arc<dyn Model>, ModelError> {
        let kept = match chosen_by {
            SetBy::Operator => &self.http,
            SetBy::Customer => &self.guarded,
        };
        let http = match kept.get() {
            Some(http) => http.clone(),
            None => {
                let built = client(chosen_by).map_err(|_| ModelError::Unreachable)?;
                kept.get_or_init(|| built).clone()
            }
        };
        let line = Line { http, permits: self.permits.clone(), time_max: self.time_max };
        Ok(Arc::new(RemoteModel::new(endpoint, line)))
    }
}

/// A client that follows no redirects: one could carry the key elsewhere.
fn client(chosen_by: SetBy) -> reqwest::Result<reqwest::Client> {
    // Fails only when a provider is installed already, which is just as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT_TIME_MAX)
        .no_proxy();
    match chosen_by {
        SetBy::Operator => builder.build(),
        SetBy::Customer => builder.dns_resolver(Arc::new(PublicNames(Arc::new(SystemResolver::new())))).build(),
    }
}

/// The model that answers a use, and what it is called.
pub type Chosen = Arc<dyn Model>;

/// Chooses who answers for an account, by what pays for it.
pub async fn choose(app: &App, account: AccountId, source: PaidBy) -> Result<Chosen, ModelError> {
    let endpoint = match source {
        PaidBy::Plan | PaidBy::Pack => app.ai.operator.clone().map(|endpoint| (endpoint, SetBy::Operator)),
        PaidBy::Own => own_endpoint(app, account).await.map_err(|error| cannot_open(&error))?,
    };
    match endpoint {
        Some((endpoint, chosen_by)) => app.ai.remote(endpoint, chosen_by),
        None => Ok(Arc::new(super::rules::Rules)),
    }
}

fn cannot_open(error: &KeyError) -> ModelError {
    tracing::warn!(error = error as &dyn std::error::Error, "an account's own AI key cannot be used");
    ModelError::Refused
}

/// The model behind an address, for measurements.
#[cfg(test)]
pub(crate) fn model_at(base: &str) -> Chosen {
    let settings = Settings {
        ai_base_url: Some(base.parse().expect("an address")),
        ai_timeout_seconds: 600,
        ..Settings::default()
    };
    let ai = Ai::new(&settings);
    let endpoint = ai.operator.clone().expect("it was just set");
    ai.remote(endpoint, SetBy::Operator).expect("a client can be built")
}
