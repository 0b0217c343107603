//! The server's own secret: what everything that is sealed or signed here rests on.
//!
//! It is the setting `secret_key`, or a file in the data folder that is made when it is first needed. Several servers
//! agree when they share the setting or the folder. Whoever has a copy of the database alone can open and sign nothing.

use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::app::App;
use crate::config::Secret;
use crate::hash::hex;
use crate::ids::Ids;
use crate::private_files;

/// The file that holds the secret when no setting does.
pub const KEY_FILE: &str = "secret.key";
/// Bytes read of that file.
const KEY_FILE_BYTES_MAX: u64 = 4_096;
/// Bytes of chance in a secret that is made, and bytes of a key that is derived.
const KEY_BYTES: usize = 32;

/// The key for one purpose: another purpose has another key, and none leads back to the secret.
pub fn derive(app: &App, purpose: &str) -> io::Result<[u8; KEY_BYTES]> {
    let secret = match &app.settings.secret_key {
        Some(secret) => secret.clone(),
        None => key_file(&app.settings.data, &*app.ids)?,
    };
    let hash = Sha256::new().chain_update(purpose).chain_update(b"\n").chain_update(secret.reveal());
    Ok(hash.finalize().into())
}

/// Reads the secret, and makes it where there is none.
fn key_file(data: &Path, ids: &dyn Ids) -> io::Result<Secret> {
    let path = data.join(KEY_FILE);
    let mut chance = [0; KEY_BYTES];
    ids.fill(&mut chance);
    private_files::create_folder(data)?;
    // Only the first of several processes makes it; the others find it there.
    match private_files::create_new(&path) {
        Ok(mut file) => {
            file.write_all(hex(&chance).as_bytes())?;
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
