//! What is stored about an account, for its owner: a copy of all of it, and its deletion.

mod delete;
mod export;
mod store;

pub use delete::{DeleteError, delete};
pub use export::{OwnDataStream, export};
