//! Seals what must be stored and must not be read: XChaCha20-Poly1305 under the server's key.
//!
//! The server's key is the setting `secret_key`, or a file in the data folder that is made when it is first needed.
//! Whoever has a copy of the database alone can open nothing.

use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::config::Secret;
use crate::hash::hex;
use crate::ids::{AccountId, Ids};

/// The file that holds the server's key when no setting does.
const KEY_FILE: &str = "secret.key";
/// Bytes read of that file.
const KEY_FILE_BYTES_MAX: u64 = 4_096;
/// Bytes of chance in a key that is made.
const KEY_BYTES: usize = 32;
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
    Ok(format!("{VERSION}{}{}", hex(&nonce), hex(&sealed)))
}

/// Opens what was sealed for an account.
pub(super) fn open(app: &App, account: AccountId, sealed: &str) -> Result<Secret, SealError> {
    let bytes = sealed.strip_prefix(VERSION).and_then(unhex).ok_or(SealError::Broken)?;
    let (nonce, text) = bytes.split_first_chunk::<NONCE_BYTES>().ok_or(SealError::Broken)?;
    let whose = account.to_string();
    let payload = Payload { msg: text, aad: whose.as_bytes() };
    let opened = cipher(app)?.decrypt(&XNonce::from(*nonce), payload).map_err(|_| SealError::Broken)?;
    String::from_utf8(opened).map(Secret::new).map_err(|_| SealError::Broken)
}

fn cipher(app: &App) -> Result<XChaCha20Poly1305, SealError> {
    let secret = match &app.settings.secret_key {
        Some(secret) => secret.clone(),
        None => key_file(&app.settings.data, &*app.ids).map_err(SealError::Key)?,
    };
    let key = Sha256::new().chain_update(b"canvass ai key 1\n").chain_update(secret.reveal().as_bytes()).finalize();
    Ok(XChaCha20Poly1305::new_from_slice(&key).expect("SHA-256 has as many bytes as the cipher's key"))
}

/// Reads the server's key, and makes it where there is none.
fn key_file(data: &Path, ids: &dyn Ids) -> std::io::Result<Secret> {
    let path = data.join(KEY_FILE);
    let mut chance = [0; KEY_BYTES];
    ids.fill(&mut chance);
    // Only the first of several processes makes it; the others find it there.
    let made = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
    match made {
        Ok(mut file) => {
            file.write_all(hex(&chance).as_bytes())?;
            file.sync_all()?;
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    let mut text = String::new();
    std::fs::File::open(&path)?.take(KEY_FILE_BYTES_MAX).read_to_string(&mut text)?;
    match text.trim() {
        "" => Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "the file is empty")),
        key => Ok(Secret::new(key)),
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| Some(digit(pair[0])? * 16 + digit(*pair.get(1)?)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_is_read_back() {
        assert_eq!(unhex(&hex(&[0, 7, 255])), Some(vec![0, 7, 255]));
        assert_eq!(unhex("0"), None);
        assert_eq!(unhex("zz"), None);
        assert_eq!(unhex("é"), None);
    }
}
