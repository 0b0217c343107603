//! An e-mail that carries a link: the job of sending it. `notify` sends it.

use crate::clock::Moment;
use crate::config::Settings;
use crate::ids::{AccessLinkId, of};
use crate::jobs::{Job, Table, Terms};

/// How long a letter is leased: longer than sending it may take, so that the lease need not be renewed.
const LEASE_SECONDS: i64 = 120;
/// The longest wait between two tries. The link inside does not live long.
const WAIT_SECONDS_MAX: i64 = 10 * 60;

/// An e-mail that carries a link.
#[derive(Clone, Debug, from_row::FromRow)]
pub struct Letter {
    /// The link; each has at most one letter.
    #[row(try_from = "String", rename = "link_id")]
    pub(crate) link: AccessLinkId,
    pub(crate) created_at: Moment,
    pub(crate) tries: i64,
}

impl Job for Letter {
    type Of = of::AccessLink;

    const TABLE: Table = Table {
        name: "letter",
        id: "link_id",
        open: "state = 'waiting'",
        takeable: "true",
        due_at: "try_at",
        on_take: ", tries = tries + 1",
    };

    fn id(&self) -> AccessLinkId {
        self.link
    }

    fn terms(_: &Settings) -> Terms {
        Terms { lease: LEASE_SECONDS, lease_max: LEASE_SECONDS, wait_max: WAIT_SECONDS_MAX }
    }
}
