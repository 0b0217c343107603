//! Seals what must be stored and must not be read: XChaCha20-Poly1305 under the server's key.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

use crate::app::App;
use crate::config::Secret;
use crate::ids::AccountId;
use crate::secret::{self, KEY_FILE};

/// What the server's key is derived for.
const PURPOSE: &str = "canvass ai key 1";
const NONCE_BYTES: usize = 24;
/// How a sealed text begins; another form would begin otherwise.
const VERSION: &str = "x1:";

/// Something cannot be sealed or opened.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// The server's key cannot be read or made.
    #[error(
        "the server's key cannot be read from {KEY_FILE} in the data folder; set secret_key, or make the file readable"
    )]
    Key(#[source] std::io::Error),
    /// It was sealed with another key, or changed since.
    #[error("the stored AI key cannot be opened: it was sealed under another secret_key; set it again")]
    Broken,
}

/// Seals a text for one account: opened for another, it is broken.
pub(super) fn seal(app: &App, account: AccountId, text: &str) -> Result<String, SealError> {
    let mut nonce = [0; NONCE_BYTES];
    app.ids.fill(&mut nonce);
    let whose = account.to_string();
    let payload = Payload { msg: text.as_bytes(), aad: whose.as_bytes() };
    let sealed = cipher(app)?.encrypt(&XNonce::from(nonce), payload).map_err(|_| SealError::Broken)?;
    Ok(format!("{VERSION}{}{}", hex::encode(nonce), hex::encode(sealed)))
}

/// Opens what was sealed for an account.
pub(super) fn open(app: &App, account: AccountId, sealed: &str) -> Result<Secret, SealError> {
    let bytes = sealed.strip_prefix(VERSION).and_then(|text| hex::decode(text).ok()).ok_or(SealError::Broken)?;
    let (nonce, text) = bytes.split_first_chunk::<NONCE_BYTES>().ok_or(SealError::Broken)?;
    let whose = account.to_string();
    let payload = Payload { msg: text, aad: whose.as_bytes() };
    let opened = cipher(app)?.decrypt(&XNonce::from(*nonce), payload).map_err(|_| SealError::Broken)?;
    String::from_utf8(opened).map(Secret::new).map_err(|_| SealError::Broken)
}

fn cipher(app: &App) -> Result<XChaCha20Poly1305, SealError> {
    let key = secret::derive(app, PURPOSE).map_err(SealError::Key)?;
    Ok(XChaCha20Poly1305::new_from_slice(&key).expect("the derived key has as many bytes as the cipher's"))
}
