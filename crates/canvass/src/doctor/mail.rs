//! Whether e-mails can leave: the mail server greets, where one is set.

use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use url::Url;

use super::{ANSWER_TIME_MAX, Check};
use crate::config::{Settings, mail_port};
use crate::notify::{self, OUTBOX_FOLDER};

const ADVICE: &str = "check the host and port in CANVASS_SMTP_URL, and that this machine may reach them";
const ROOTS_ADVICE: &str = "name a file of certificates in PEM form with CANVASS_SMTP_CA, or leave it out";

pub(super) async fn examine(settings: &Settings) -> Check {
    let Some(url) = settings.smtp_url.as_ref().and_then(|url| Url::parse(url.reveal()).ok()) else {
        let folder = settings.data.join(OUTBOX_FOLDER);
        return Check::ok("mail", format!("no mail server is set; e-mails are written to {}", folder.display()));
    };
    if let Err(error) = notify::roots(settings) {
        return Check::fail("mail", format!("the certificates cannot be read: {error}"), ROOTS_ADVICE);
    }
    let host = url.host_str().unwrap_or_default().to_owned();
    let port = mail_port(&url);
    match timeout(ANSWER_TIME_MAX, greeting(&host, port, url.scheme())).await {
        Ok(Ok(())) => Check::ok("mail", format!("the mail server {host}:{port} answers")),
        Ok(Err(error)) => {
            Check::fail("mail", format!("the mail server {host}:{port} does not answer: {error}"), ADVICE)
        }
        Err(_) => Check::fail("mail", format!("the mail server {host}:{port} does not answer in time"), ADVICE),
    }
}

/// Connects, and waits for the greeting where it comes before encryption.
async fn greeting(host: &str, port: u16, scheme: &str) -> std::io::Result<()> {
    let mut stream = TcpStream::connect((host, port)).await?;
    if scheme == "smtps" {
        return Ok(());
    }
    let mut code = [0; 3];
    stream.read_exact(&mut code).await?;
    if &code == b"220" { Ok(()) } else { Err(std::io::Error::other("it speaks something other than SMTP")) }
}
