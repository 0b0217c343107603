//! Composes an e-mail that carries a link: plain words, no markup, nothing that a stranger typed but the recipient's own address.

use std::time::{Duration, SystemTime};

use lettre::Message;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, SinglePart};

use super::PostError;
use super::compose::Sender;
use crate::clock::Moment;
use crate::sign_in::{AccessLink, Purpose};

/// Composes the message with the address of a link.
pub(super) fn compose(
    link: &AccessLink,
    address: &str,
    written: Moment,
    sender: &Sender,
) -> Result<Message, PostError> {
    let to = link.email.as_str().parse().map_err(|_| PostError::Form)?;
    // A message that is sent again has the same id, so that mail servers can drop the duplicate.
    let id = format!("<{}@{}>", link.id, sender.from.email.domain());
    let automatic = HeaderName::new_from_ascii_str("Auto-Submitted");
    let (subject, text) = words(link.purpose);
    let server = sender.base.host_str().unwrap_or("this server");
    let body = format!(
        "{text}\n\n{address}\n\nThe link works once. If you did not ask for it, do nothing: it opens only for whoever has this \
         e-mail.\n\n-- \nCanvass on {server}\n"
    );
    Message::builder()
        .from(sender.from.clone())
        .to(Mailbox::new(None, to))
        .subject(subject)
        .message_id(Some(id))
        .date(SystemTime::UNIX_EPOCH + Duration::from_micros(written.micros().unsigned_abs()))
        // Keeps out-of-office replies away (RFC 3834).
        .raw_header(HeaderValue::new(automatic, "auto-generated".to_owned()))
        .singlepart(SinglePart::plain(body))
        .map_err(|_| PostError::Form)
}

/// Subject and first lines.
fn words(purpose: Purpose) -> (&'static str, &'static str) {
    match purpose {
        Purpose::SignIn => (
            "Sign in to Canvass",
            "Somebody, probably you, asked for a new account with this address, which already has one.\n\
             This link signs you in for the next 15 minutes:",
        ),
        Purpose::SignUp => ("Confirm your Canvass account", "Open this link within a day to confirm your account:"),
        Purpose::Reset => {
            ("Set a new password for Canvass", "Open this link within an hour to sign in and set a new password:")
        }
        Purpose::Email => (
            "Confirm your new address for Canvass",
            "Open this link within a day, and your Canvass account has this address from then on:",
        ),
    }
}
