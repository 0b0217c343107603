//! An assistant, as far as a test needs one: it sends messages of the protocol and reads the answers.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Answer, TestApp, send};

/// The protocol version most tests speak.
const VERSION: &str = "2025-11-25";

/// A message of the protocol.
pub fn rpc(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

/// An assistant with a key in its address.
pub struct Mcp<'a> {
    test: &'a TestApp,
    key: String,
}

impl<'a> Mcp<'a> {
    pub fn new(test: &'a TestApp, key: &str) -> Mcp<'a> {
        Mcp { test, key: key.to_owned() }
    }

    /// A request to the connector, as most assistants send one.
    pub fn request(&self, message: &Value) -> reqwest::RequestBuilder {
        self.bare(message).header("MCP-Protocol-Version", VERSION)
    }

    /// The same without a protocol version.
    pub fn bare(&self, message: &Value) -> reqwest::RequestBuilder {
        self.test
            .request(Method::POST, &format!("/mcp/{}", self.key))
            .header("Accept", "application/json, text/event-stream")
            .json(message)
    }

    /// The result of a method that must succeed.
    pub async fn ask(&self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params).await;
        assert!(answer["result"].is_object(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The answer to a method.
    pub async fn answer(&self, method: &str, params: Value) -> Value {
        let Answer { status, headers, text } = send(self.request(&rpc(method, &params))).await;
        let kind = headers["content-type"].to_str().unwrap();
        assert_eq!((status, kind), (StatusCode::OK, "application/json"), "{text}");
        serde_json::from_str(&text).unwrap()
    }

    /// What a tool gives that must succeed; asserts what is true of every answer.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        let result = self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await;
        assert_eq!(result["isError"], false, "{tool}: {result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        let structured = result["structuredContent"].clone();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), structured, "{tool}");
        let next = structured["next_step"].as_str().unwrap();
        let ending = format!("\"next_step\":{}}}", serde_json::to_string(next).unwrap());
        assert!(text.ends_with(&ending) && !next.is_empty(), "{tool}: {text}");
        structured
    }

    /// What a tool says that must fail.
    pub async fn fail(&self, tool: &str, arguments: Value) -> String {
        let result = self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await;
        assert_eq!(result["isError"], true, "{tool}: {result}");
        assert!(result["structuredContent"].is_null(), "{tool}: {result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// The tools as they are listed.
    pub async fn tools(&self) -> Vec<Value> {
        self.ask("tools/list", json!({})).await["tools"].as_array().unwrap().clone()
    }
}
