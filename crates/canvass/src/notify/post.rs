//! Hands an e-mail over: to a mail server where one is set, else to a folder.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use url::Url;

use super::OUTBOX_FOLDER;
use crate::config::{Settings, mail_port};
use crate::private_files;

/// Deadline for each response of a mail server.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(20);
/// Largest file of certificates.
const ROOTS_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// An e-mail could not be handed over. The mail server's words are not repeated: they may contain the recipient's address.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// The server rejected it with this status.
    #[error("the mail server refused it with {0}")]
    Refused(String),
    /// The connection failed or broke off.
    #[error("the mail server cannot be reached, or its certificate cannot be trusted")]
    Unreachable,
    /// The deadline passed.
    #[error("the mail server does not answer in time")]
    TimedOut,
    /// A setting about mail cannot be used.
    #[error("the setting {0} cannot be used; `canvass doctor` says more")]
    Setting(&'static str),
    /// The folder cannot be written to.
    #[error("the outbox folder cannot be written to")]
    Folder(#[from] io::Error),
    /// It cannot be written as an e-mail.
    #[error("it cannot be put into the form of an e-mail")]
    Form,
    /// It is stored in a form this version does not know.
    #[error("it cannot be read back from the outbox")]
    Unreadable,
    /// The account is gone.
    #[error("its account is gone")]
    Nobody,
}

impl PostError {
    /// Whether a retry cannot help.
    pub(super) fn is_permanent(&self) -> bool {
        matches!(self, PostError::Form | PostError::Unreadable | PostError::Nobody)
    }
}

impl From<lettre::transport::smtp::Error> for PostError {
    fn from(error: lettre::transport::smtp::Error) -> Self {
        match error.status() {
            Some(code) => PostError::Refused(code.to_string()),
            None if error.is_timeout() => PostError::TimedOut,
            None => PostError::Unreachable,
        }
    }
}

/// Hands a message over.
pub(super) async fn post(settings: &Settings, name: &str, message: &Message) -> Result<(), PostError> {
    match &settings.smtp_url {
        Some(url) => {
            let url = Url::parse(url.reveal()).map_err(|_| PostError::Setting("smtp_url"))?;
            transport(settings, &url)?.send(message.clone()).await?;
            Ok(())
        }
        None => {
            let (folder, bytes) = (settings.data.join(OUTBOX_FOLDER), message.formatted());
            let file = format!("{name}.eml");
            let writing = tokio::task::spawn_blocking(move || write(&folder, &file, &bytes));
            writing.await.map_err(io::Error::other)?.map_err(PostError::Folder)
        }
    }
}

/// A transport that connects when it sends. A password is never sent unencrypted; without one, TLS is used where offered.
fn transport(settings: &Settings, url: &Url) -> Result<AsyncSmtpTransport<Tokio1Executor>, PostError> {
    let host = url.host_str().map(|host| host.trim_matches(['[', ']'])).unwrap_or_default();
    let mut tls = TlsParameters::builder(host.to_owned());
    for root in roots(settings).map_err(|_| PostError::Setting("smtp_ca"))? {
        tls = tls.add_root_certificate(root);
    }
    let tls = tls.build_rustls()?;
    let user = decoded(url.username());
    let tls = match url.scheme() {
        "smtps" => Tls::Wrapper(tls),
        _ if user.is_empty() => Tls::Opportunistic(tls),
        _ => Tls::Required(tls),
    };
    let me = settings.mail_from.email.domain().to_owned();
    let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)
        .port(mail_port(url))
        .tls(tls)
        .hello_name(ClientId::Domain(me))
        .timeout(Some(ANSWER_TIME_MAX));
    if !user.is_empty() {
        builder = builder.credentials(Credentials::new(user, decoded(url.password().unwrap_or_default())));
    }
    Ok(builder.build())
}

/// Certificate authorities trusted for the mail server beside the public ones.
pub fn roots(settings: &Settings) -> io::Result<Vec<Certificate>> {
    let Some(path) = &settings.smtp_ca else { return Ok(Vec::new()) };
    if std::fs::metadata(path)?.len() > ROOTS_BYTES_MAX {
        return Err(io::Error::other("the file is too large"));
    }
    let roots = Certificate::from_pem(&std::fs::read(path)?).map_err(io::Error::other)?;
    Ok(vec![roots])
}

/// A part of an address as it was before it was escaped.
fn decoded(part: &str) -> String {
    // A plus is a plus in this part of an address; the form's rules would make it a space.
    let escaped = part.replace('+', "%2B");
    url::form_urlencoded::parse(format!("={escaped}").as_bytes()).map(|(_, value)| value.into_owned()).collect()
}

/// Writes a file that is whole or not there, and does so again with the same result.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    private_files::create_folder(folder)?;
    let part: PathBuf = folder.join(format!(".{name}.part"));
    let mut file = private_files::create(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&part, folder.join(name))?;
    std::fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_read_as_they_were_meant() {
        for (part, expected) in [("a%40b", "a@b"), ("p+w%2Bx", "p+w+x"), ("a%26b%3Dc", "a&b=c"), ("", "")] {
            assert_eq!(decoded(part), expected);
        }
    }
}
