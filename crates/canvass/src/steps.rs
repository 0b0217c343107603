//! The named steps of a search and of a check. Tests stop the process at each of them and look at what is left.

use std::fmt;

/// A point in the work on a search or a check at which a process may die.
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
    /// A watch is ours.
    CheckTaken,
    /// Its website is read.
    CheckRead,
    /// What was seen is written, nothing is told.
    CheckStored,
    /// The alert is written, nothing is committed.
    CheckTold,
    /// It is all committed.
    CheckDone,
}

impl Step {
    /// Every step of a search, in order.
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

    /// Every step of a check that has something to tell, in order.
    pub const CHECK: [Step; 5] =
        [Step::CheckTaken, Step::CheckRead, Step::CheckStored, Step::CheckTold, Step::CheckDone];
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
