//! The server's own secret, from which the keys for sealing and signing are derived.
//!
//! It is the setting `secret_key`, or a file in the data folder that is generated when first needed. Servers that share
//! the setting or the folder derive the same keys. A copy of the database alone opens and signs nothing.

use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::app::App;
use crate::config::Secret;
use crate::ids::Ids;
use crate::private_files;

/// The file that holds the secret when no setting does.
pub const KEY_FILE: &str = "secret.key";
/// Bytes read from that file; a longer one is cut.
const KEY_FILE_BYTES_MAX: u64 = 4_096;
/// Random bytes in a secret that is generated, and bytes of a derived key.
const KEY_BYTES: usize = 32;

/// The key for one purpose. Keys of different purposes are unrelated, and none reveals the secret.
pub fn derive(app: &App, purpose: &str) -> io::Result<[u8; KEY_BYTES]> {
    let secret = match &app.settings.secret_key {
        Some(secret) => secret.clone(),
        None => key_file(&app.settings.data, &*app.ids)?,
    };
    Ok(derive_from(&secret, purpose))
}

/// A plain hash and not HKDF: sealed AI keys and signed links of existing installations depend on exactly this. The
/// secret has 256 random bits, or is the operator's own, and no purpose contains a line break.
fn derive_from(secret: &Secret, purpose: &str) -> [u8; KEY_BYTES] {
    Sha256::new().chain_update(purpose).chain_update(b"\n").chain_update(secret.reveal()).finalize().into()
}

/// Reads the secret; generates it when there is none.
fn key_file(data: &Path, ids: &dyn Ids) -> io::Result<Secret> {
    let path = data.join(KEY_FILE);
    let mut random = [0; KEY_BYTES];
    ids.fill(&mut random);
    private_files::create_folder(data)?;
    // Only the first of several processes creates the file; the others read it.
    match private_files::create_new(&path) {
        Ok(mut file) => {
            file.write_all(hex::encode(random).as_bytes())?;
            file.sync_all()?;
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    let mut text = String::new();
    std::fs::File::open(&path)?.take(KEY_FILE_BYTES_MAX).read_to_string(&mut text)?;
    match text.trim() {
        "" => Err(io::Error::new(io::ErrorKind::InvalidData, "the file is empty")),
        key => Ok(Secret::new(key)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_keys_never_change() {
        let key = derive_from(&Secret::new("not a secret"), "canvass export link 1");
        assert_eq!(hex::encode(key), "56079d051047c10f6fe7a8d8606b71d4de771971e6e27793048b334470cf7a4d");
    }
}
