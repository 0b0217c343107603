//! Named steps in the work on searches, checks, enrichments and e-mails. Tests kill the process at each and inspect what is left.

use std::fmt;

/// A point in the work on a search, a check or an enrichment at which a process may die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The search is leased.
    Taken,
    /// The first listing has arrived.
    Listed,
    /// A batch is ready.
    BeforeDeliver,
    /// Its search is locked; nothing else is done.
    Locked,
    /// The credits are charged; nothing is stored.
    Charged,
    /// The leads are stored; nothing is committed.
    Stored,
    /// Everything is committed.
    Delivered,
    /// The search is about to end.
    BeforeFinish,
    /// It has ended.
    AfterFinish,
    /// The e-mail about its end is leased; nothing is sent.
    BeforeMail,
    /// It is sent; that is not stored yet.
    AfterMail,
    /// That is stored; nothing is committed.
    MailNoted,
    /// A watch is leased.
    CheckTaken,
    /// Its website is read.
    CheckRead,
    /// The check is stored; its alert is not.
    CheckStored,
    /// The alert is stored; nothing is committed.
    CheckTold,
    /// Everything is committed.
    CheckDone,
    /// An enrichment is leased.
    EnrichTaken,
    /// The use that pays for a lead is held; the model is not asked yet.
    EnrichHeld,
    /// The model has answered; nothing is stored.
    EnrichAnswered,
    /// The use is spent; nothing of the lead is stored.
    EnrichSpent,
    /// The lead is stored; its row in the job is not.
    EnrichWritten,
    /// Everything is stored; nothing is committed.
    EnrichSettled,
    /// Everything is committed.
    EnrichSaved,
    /// The enrichment is about to end.
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

    /// Every step of a check that raises an alert, in order.
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

/// Observes every step.
pub trait Steps: Send + Sync + fmt::Debug {
    /// Called when a step is reached.
    fn reach(&self, _: Step) {}
}

/// Ignores every step.
#[derive(Clone, Copy, Debug)]
pub struct NoSteps;

impl Steps for NoSteps {}
