//! The named steps of a search. Tests stop the process at each of them and look at what is left.

use std::fmt;

/// A point in the work on a search at which a process may die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The search is ours.
    Taken,
    /// The first listing has come.
    Listed,
    /// A batch is ready.
    BeforeDeliver,
    /// Its search is locked, nothing else is done.
    Locked,
    /// The credits are taken, nothing is stored.
    Charged,
    /// The leads are stored, nothing is committed.
    Stored,
    /// It is all committed.
    Delivered,
    /// The search is to end.
    BeforeFinish,
    /// It has ended.
    AfterFinish,
    /// The e-mail about its end is taken, nothing is sent.
    BeforeMail,
    /// It is sent, which nobody has noted.
    AfterMail,
}

impl Step {
    /// Every step, in order.
    pub const ALL: [Step; 11] = [
        Step::Taken,
        Step::Listed,
        Step::BeforeDeliver,
        Step::Locked,
        Step::Charged,
        Step::Stored,
        Step::Delivered,
        Step::BeforeFinish,
        Step::AfterFinish,
        Step::BeforeMail,
        Step::AfterMail,
    ];
}

/// Is told of every step.
pub trait Steps: Send + Sync + fmt::Debug {
    /// A step is reached.
    fn reach(&self, _: Step) {}
}

/// Lets every step pass.
#[derive(Clone, Copy, Debug)]
pub struct Onward;

impl Steps for Onward {}
