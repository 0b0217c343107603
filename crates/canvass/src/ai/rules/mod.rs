//! The built-in rules: a model that needs nothing and invents nothing.

mod compose;
mod gather;
mod mailbox;
mod voice;
mod who;

pub(crate) use mailbox::belongs_to;
#[cfg(test)]
pub(crate) use who::who;

use futures::FutureExt;
use futures::future::{BoxFuture, ready};

use super::{Brief, Model, ModelError, Who};

/// What the rules sign with.
pub const RULES: &str = "rules";

/// The built-in rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules;

impl Model for Rules {
    fn name(&self) -> &str {
        RULES
    }

    fn method(&self) -> &'static str {
        RULES
    }

    fn who<'a>(&'a self, brief: &'a Brief) -> BoxFuture<'a, Result<Who, ModelError>> {
        ready(Ok(who::who(brief))).boxed()
    }

    fn intro<'a>(&'a self, brief: &'a Brief) -> BoxFuture<'a, Result<String, ModelError>> {
        ready(Ok(intro(brief))).boxed()
    }
}

/// The opening the rules write; always there when a model fails the check.
pub(crate) fn intro(brief: &Brief) -> String {
    compose::intro(brief)
}

/// An opening that says nothing particular, for a business of which nothing can be said safely.
pub(crate) fn quiet_intro(brief: &Brief) -> String {
    compose::quiet_intro(brief)
}
