//! Models behind an API: two wire formats, one way of asking.
//!
//! An address whose host is `api.anthropic.com`, or whose path has a part called `anthropic`, speaks Anthropic's
//! messages; every other one speaks OpenAI's chat completions, as vLLM, Ollama's `/v1` and llama.cpp do too.

mod anthropic;
mod exchange;
mod openai;

pub(super) use exchange::Line;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde::de::DeserializeOwned;
use serde_json::Value;
use url::Url;

use super::prompt::{self, Prompt};
use super::{Brief, Model, ModelError, Who};
use crate::config::Secret;

/// Characters of a model's answer that are looked at.
const ANSWER_CHARS_MAX: usize = 4_000;

/// Where a model is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Where its API begins.
    pub base: Url,
    /// The key for it.
    pub key: Option<Secret>,
    /// The model's name.
    pub model: String,
}

/// How an API is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Protocol {
    OpenAi,
    Anthropic,
}

impl Endpoint {
    fn protocol(&self) -> Protocol {
        let named = self.base.path_segments().is_some_and(|mut parts| parts.any(|part| part == "anthropic"));
        match self.base.host_str() {
            Some("api.anthropic.com") => Protocol::Anthropic,
            _ if named => Protocol::Anthropic,
            _ => Protocol::OpenAi,
        }
    }
}

/// Whether an answer's form is asked for by schema, or in words only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strictness {
    Schema,
    Words,
}

/// One request, ready to be sent.
struct Request {
    url: String,
    headers: Vec<(&'static str, String)>,
    body: Value,
}

/// A model behind an API.
#[derive(Debug)]
pub(super) struct RemoteModel {
    endpoint: Endpoint,
    line: Line,
}

impl RemoteModel {
    pub(super) fn new(endpoint: Endpoint, line: Line) -> RemoteModel {
        RemoteModel { endpoint, line }
    }

    fn request(&self, prompt: &Prompt, strictness: Strictness) -> Request {
        match self.endpoint.protocol() {
            Protocol::OpenAi => openai::request(&self.endpoint, prompt, strictness),
            Protocol::Anthropic => anthropic::request(&self.endpoint, prompt, strictness),
        }
    }

    /// Asks, and reads the answer's JSON.
    async fn ask<T: DeserializeOwned>(&self, prompt: &Prompt) -> Result<T, ModelError> {
        let strict = self.line.send(&self.request(prompt, Strictness::Schema)).await;
        let answer = match strict {
            // Some servers know no schemas; the prompt asks for the same form in words.
            Err(ModelError::Rejected(400 | 422)) => self.line.send(&self.request(prompt, Strictness::Words)).await?,
            other => other?,
        };
        let text = match self.endpoint.protocol() {
            Protocol::OpenAi => openai::text(&answer),
            Protocol::Anthropic => anthropic::text(&answer),
        };
        read(&text.ok_or(ModelError::Unintelligible)?)
    }
}

impl Model for RemoteModel {
    fn name(&self) -> &str {
        &self.endpoint.model
    }

    fn who<'a>(&'a self, brief: &'a Brief) -> BoxFuture<'a, Result<Who, ModelError>> {
        async move { self.ask(&prompt::who(brief)).await }.boxed()
    }

    fn intro<'a>(&'a self, brief: &'a Brief) -> BoxFuture<'a, Result<String, ModelError>> {
        #[derive(serde::Deserialize)]
        struct Opening {
            intro: String,
        }
        async move {
            let opening: Opening = self.ask(&prompt::intro(brief)).await?;
            Ok(opening.intro)
        }
        .boxed()
    }
}

/// Reads the JSON object in an answer; models like to put words or a code fence around it.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, ModelError> {
    let text: String = text.chars().take(ANSWER_CHARS_MAX).collect();
    let (Some(from), Some(to)) = (text.find('{'), text.rfind('}')) else { return Err(ModelError::Unintelligible) };
    let object = text.get(from..=to).ok_or(ModelError::Unintelligible)?;
    serde_json::from_str(object).map_err(|_| ModelError::Unintelligible)
}

/// An address below the API's beginning.
fn below(base: &Url, path: &str) -> String {
    format!("{}/{path}", base.as_str().trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(base: &str) -> Endpoint {
        Endpoint { base: Url::parse(base).unwrap(), key: Some(Secret::new("sk-1")), model: "m".into() }
    }

    #[test]
    fn an_address_says_how_it_is_spoken_to() {
        for (base, expected) in [
            ("https://api.openai.com/v1", Protocol::OpenAi),
            ("http://127.0.0.1:11434/v1/", Protocol::OpenAi),
            ("https://api.anthropic.com", Protocol::Anthropic),
            ("https://api.anthropic.com/v1", Protocol::Anthropic),
            ("https://gateway.example/anthropic", Protocol::Anthropic),
            ("https://anthropic.example/v1", Protocol::OpenAi),
        ] {
            assert_eq!(endpoint(base).protocol(), expected, "{base}");
        }
    }

    #[test]
    fn a_key_goes_into_its_header_and_nowhere_else() {
        let prompt = prompt::who(&Brief::default());
        for base in ["https://api.openai.com/v1", "https://api.anthropic.com"] {
            let line = Line::for_tests();
            let request = RemoteModel::new(endpoint(base), line).request(&prompt, Strictness::Schema);
            assert!(!request.url.contains("sk-1") && !request.body.to_string().contains("sk-1"));
            assert_eq!(request.headers.iter().filter(|(_, value)| value.contains("sk-1")).count(), 1);
        }
    }

    #[test]
    fn an_answer_is_found_among_words_and_cut_when_endless() {
        let said = "Sure!\n```json\n{\"owner_name\": \"Jane Doe\", \"email\": null}\n```";
        let who: Who = read(said).unwrap();
        assert_eq!((who.owner_name.as_deref(), who.email), (Some("Jane Doe"), None));
        for wrong in ["", "}{", "no", "{\"owner_name\": 7}", &format!("{{\"owner_name\": \"{}", "x".repeat(10_000))] {
            assert_eq!(read::<Who>(wrong), Err(ModelError::Unintelligible), "{wrong:.40}");
        }
    }
}
