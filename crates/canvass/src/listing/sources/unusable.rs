//! What stands for sources that cannot be used: it says why to everyone who asks.

use futures::future::{BoxFuture, ready};
use futures::stream::{self, BoxStream};
use futures::{FutureExt, StreamExt};

use crate::listing::{About, Cursor, Entry, Has, Query, Resolution, Source, SourceError, Words};

/// A source that cannot be used.
#[derive(Debug)]
pub(super) struct Unusable {
    about: About,
    problem: String,
}

impl Unusable {
    pub(super) fn new(name: String, problem: String) -> Unusable {
        let has = Has { ratings: true, reviews: true, phones: true };
        Unusable { about: About { name, attribution: None, has, retention_days: None }, problem }
    }
}

impl Source for Unusable {
    fn about(&self) -> &About {
        &self.about
    }

    fn resolve<'a>(&'a self, _: &'a Query, _: Words<'a>) -> BoxFuture<'a, Result<Resolution, SourceError>> {
        ready(Err(SourceError::permanent(&self.problem))).boxed()
    }

    fn open(&self, _: &Query, _: &str, _: &Cursor) -> BoxStream<'static, Result<Entry, SourceError>> {
        stream::iter([Err(SourceError::permanent(&self.problem))]).boxed()
    }
}
