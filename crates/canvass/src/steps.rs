//! The named steps of a search, a check and an enrichment. Tests stop the process at each of them and look at what is left.

use std::fmt;

/// A point in the work on a search, a check or an enrichment at which a process may die.
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
    /// That is noted, nothing is committed.
    MailNoted,
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
    /// An enrichment is ours.
    EnrichTaken,
    /// The use that pays for a lead is held, nobody is asked.
    EnrichHeld,
    /// The model has answered, nothing is written.
    EnrichAnswered,
    /// The use is spent, nothing of the lead is written.
    EnrichSpent,
    /// The lead is written, its line in the job is not.
    EnrichWritten,
    /// All is written, nothing is committed.
    EnrichSettled,
    /// It is all committed.
    EnrichSaved,
    /// The enrichment is to end.
    EnrichEnding,
    /// It has ended.
    EnrichEnded,
}

impl Step {
    /// Every step of a search, in order.
    pub const ALL: [Step; 12] = [
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
        Step::MailNoted,
    ];

    /// Every step of a check that has something to tell, in order.
    pub const CHECK: [Step; 5] =
        [Step::CheckTaken, Step::CheckRead, Step::CheckStored, Step::CheckTold, Step::CheckDone];

    /// Every step of an enrichment that finds something, in order.
    pub const ENRICH: [Step; 9] = [
        Step::EnrichTaken,
        Step::EnrichHeld,
        Step::EnrichAnswered,
        Step::EnrichSpent,
        Step::EnrichWritten,
        Step::EnrichSettled,
        Step::EnrichSaved,
        Step::EnrichEnding,
        Step::EnrichEnded,
    ];
}

/// Is told of every step.
pub trait Steps: Send + Sync + fmt::Debug {
    /// A step is reached.
    fn reach(&self, _: Step) {}
}

/// Lets every step pass.
#[derive(Clone, Copy, Debug)]
pub struct NoSteps;

impl Steps for NoSteps {}
