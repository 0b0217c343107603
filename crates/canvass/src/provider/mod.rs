//! Map providers as this server asks them: every request through one gateway, which answers from what is stored, keeps each
//! provider's pace across all processes that share the database, and counts what is paid for.

mod forget;
mod gateway;
mod pace;
mod store;

pub use forget::forget_old;
pub use gateway::{Budget, ProviderGateway};
pub use store::{CallCount, calls_of};

use sha2::{Digest, Sha256};

use crate::ids::Ids;

/// One search's questions to providers. Its calls are counted under this id, and so is its budget.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Inquiry(String);

impl Inquiry {
    /// A new one.
    pub fn new(ids: &dyn Ids, now: crate::clock::Moment) -> Inquiry {
        Inquiry(ids.uuid(now).simple().to_string())
    }

    /// One that was stored.
    pub fn stored(id: &str) -> Inquiry {
        Inquiry(id.to_owned())
    }

    /// Its id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a request is stored under: everything that decides its answer, and none of its secrets.
fn request_key(call: &map_providers::Call) -> String {
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    add(call.provider.as_bytes());
    add(call.method.as_str().as_bytes());
    add(call.url.as_str().as_bytes());
    for (name, value) in &call.headers {
        add(name.as_str().as_bytes());
        add(value.as_bytes());
    }
    add(&call.body);
    hex::encode(hash.finalize())
}
