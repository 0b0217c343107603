//! A provider of AI that answers as a test wants: right, late, broken, or with a lie.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// What a provider does with one question.
#[derive(Clone, Debug)]
pub enum Says {
    /// Answers with this text, in the form of either API.
    Text(String),
    /// Answers with this status, and says when to come back.
    Status(u16, Option<&'static str>),
    /// Answers with this body, whatever it is.
    Body(String),
    /// Breaks off in the middle of an answer.
    Cut,
    /// Sends the client elsewhere.
    Redirect(String),
    /// Waits until the gate gives a permit, then answers with this text.
    Gated(Arc<Semaphore>, String),
    /// Never answers.
    Silence,
}

/// A question as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    pub path: String,
    pub head: String,
    pub body: Value,
}

/// A provider on the loopback. Says what is in line, one after the other; the last thing again and again.
#[derive(Clone)]
pub struct Provider {
    pub base: String,
    line: Arc<Mutex<VecDeque<Says>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    busy: Arc<(AtomicUsize, AtomicUsize)>,
}

/// What a model says of an owner.
pub fn who(name: Option<&str>, title: Option<&str>, email: Option<&str>) -> Says {
    Says::Text(json!({"owner_name": name, "owner_title": title, "email": email}).to_string())
}

/// What a model writes as an intro.
pub fn opening(text: &str) -> Says {
    Says::Text(json!({"intro": text}).to_string())
}

impl Provider {
    pub async fn saying(line: impl IntoIterator<Item = Says>) -> Provider {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let provider = Provider {
            base,
            line: Arc::new(Mutex::new(line.into_iter().collect())),
            asked: Arc::default(),
            busy: Arc::default(),
        };
        let serving = provider.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serving.clone().serve(stream));
            }
        });
        provider
    }

    /// Every question so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The most questions it had at once.
    pub fn busiest(&self) -> usize {
        self.busy.1.load(Ordering::SeqCst)
    }

    /// Says this from now on.
    pub fn say(&self, says: Says) {
        *self.line.lock().unwrap_or_else(PoisonError::into_inner) = VecDeque::from([says]);
    }

    fn next(&self) -> Says {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if line.len() > 1 { line.pop_front().unwrap() } else { line.front().cloned().unwrap_or(Says::Silence) }
    }

    async fn serve(self, mut stream: TcpStream) {
        let Some(asked) = read(&mut stream).await else { return };
        let anthropic = asked.path.ends_with("/messages");
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(asked);
        let now = self.busy.0.fetch_add(1, Ordering::SeqCst) + 1;
        self.busy.1.fetch_max(now, Ordering::SeqCst);
        let answer = match self.next() {
            Says::Text(text) => ok(&wrapped(&text, anthropic)),
            Says::Gated(gate, text) => {
                gate.acquire().await.unwrap().forget();
                ok(&wrapped(&text, anthropic))
            }
            Says::Body(body) => ok(&body),
            Says::Status(status, after) => {
                let after = after.map(|after| format!("retry-after: {after}\r\n")).unwrap_or_default();
                format!("HTTP/1.1 {status} X\r\n{after}content-length: 0\r\nconnection: close\r\n\r\n")
            }
            Says::Cut => "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{\"choices\": [".to_owned(),
            Says::Redirect(to) => {
                format!("HTTP/1.1 307 X\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            }
            Says::Silence => {
                std::future::pending::<()>().await;
                String::new()
            }
        };
        self.busy.0.fetch_sub(1, Ordering::SeqCst);
        let _ = stream.write_all(answer.as_bytes()).await;
    }
}

fn wrapped(text: &str, anthropic: bool) -> String {
    match anthropic {
        true => json!({"content": [{"type": "text", "text": text}]}).to_string(),
        false => json!({"choices": [{"message": {"role": "assistant", "content": text}}]}).to_string(),
    }
}

fn ok(body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// Reads one request.
async fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    let mut piece = [0; 8192];
    loop {
        let count = stream.read(&mut piece).await.ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&piece[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
        });
        if body.len() >= length.unwrap_or(0) {
            let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
            return Some(Asked { path, head: head.to_owned(), body: serde_json::from_str(body).unwrap_or_default() });
        }
    }
}
