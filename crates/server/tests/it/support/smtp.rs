//! A real mail server as a process of its own, and the certificate it shows.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use serde_json::Value;
use tempfile::TempDir;

/// The mail server's password for ann@example.com.
pub const PASSWORD: &str = "p@ss+word";

/// A mail server that takes what it is given, or refuses it.
pub struct SmtpServer {
    pub port: u16,
    said: Receiver<Value>,
    child: Child,
    input: Option<ChildStdin>,
    folder: TempDir,
}

impl SmtpServer {
    /// With STARTTLS and a certificate of its own.
    pub fn secure(arguments: &[&str]) -> SmtpServer {
        let folder = tempfile::tempdir().unwrap();
        let key = rcgen::KeyPair::generate().unwrap();
        let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
        let certificate = rcgen::CertificateParams::new(names).unwrap().self_signed(&key).unwrap();
        std::fs::write(folder.path().join("certificate.pem"), certificate.pem()).unwrap();
        std::fs::write(folder.path().join("key.pem"), key.serialize_pem()).unwrap();
        let [certificate, key] = ["certificate.pem", "key.pem"].map(|name| folder.path().join(name));
        let files = [certificate.to_str().unwrap(), key.to_str().unwrap()];
        SmtpServer::start(folder, &[&files, arguments].concat())
    }

    /// Without any encryption.
    pub fn open(arguments: &[&str]) -> SmtpServer {
        SmtpServer::start(tempfile::tempdir().unwrap(), arguments)
    }

    fn start(folder: TempDir, arguments: &[&str]) -> SmtpServer {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/support/smtp_server.py");
        let mut python = Command::new(format!("{root}/.tools/python/bin/python"));
        python.arg(script).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = python.spawn().expect("needs Python's packages: run `make unit`, or scripts/need python");
        let output = BufReader::new(child.stdout.take().unwrap());
        let (say, said) = channel();
        std::thread::spawn(move || {
            let lines = output.lines().map_while(Result::ok);
            lines.for_each(|line| drop(say.send(serde_json::from_str(&line).unwrap())));
        });
        let first: Value = said.recv().expect("the mail server starts");
        let port = u16::try_from(first["port"].as_u64().unwrap()).unwrap();
        SmtpServer { port, said, input: child.stdin.take(), child, folder }
    }

    /// Its address, for whoever has no password.
    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    /// The file with its certificate.
    pub fn certificate(&self) -> PathBuf {
        self.folder.path().join("certificate.pem")
    }

    /// Stops it, and gives everything it was given.
    pub fn stop(mut self) -> Vec<Value> {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
        self.said.iter().collect()
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
