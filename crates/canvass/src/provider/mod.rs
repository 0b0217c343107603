//! Map providers as this server asks them: every request through one gateway, which answers from what is stored, keeps each
//! provider's pace across all processes that share the database, and counts what is paid for.

mod forget;
mod gateway;
mod pace;
mod store;

pub use forget::forget_old;
pub use gateway::{Budget, ProviderGateway};
pub use store::{CallCount, calls_of};

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::db::{DbError, Tx};
use crate::ids::Ids;

/// How an inquiry begins in the version of a source's data.
const INQUIRY: &str = "inquiry:";

/// Calls by provider and kind.
pub type Calls = BTreeMap<String, BTreeMap<String, i64>>;

/// The calls that a search has made so far, by the version of the data that it works with: that names its inquiries.
pub async fn calls_for(tx: &mut Tx, data_version: &str) -> Result<Calls, DbError> {
    let mut calls = Calls::new();
    for inquiry in Inquiry::all_in(data_version) {
        for CallCount { provider, kind, calls: count } in calls_of(&mut *tx, inquiry.as_str()).await? {
            *calls.entry(provider).or_default().entry(kind).or_default() += count;
        }
    }
    Ok(calls)
}

/// One search's questions to providers. Its calls are counted under this id, and so is its budget.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Inquiry(String);

impl Inquiry {
    /// A new one.
    pub fn new(ids: &dyn Ids, now: crate::clock::Moment) -> Inquiry {
        Inquiry(format!("{INQUIRY}{}", ids.uuid(now).simple()))
    }

    /// Those that the version of a source's data names, in their order.
    pub fn all_in(data_version: &str) -> Vec<Inquiry> {
        let parts = data_version.split(|c: char| !c.is_ascii_alphanumeric() && c != ':');
        parts.filter(|part| part.starts_with(INQUIRY)).map(|part| Inquiry(part.to_owned())).collect()
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
